"""Tournaments: agents race against each other, and a table shows how often each wins.

from roborally_env.evaluation.tournament import evaluate

result = evaluate(["planner", "greedy", "random"], "dizzy_highway", games=300, seed=1)
for row in result.rows:
    print(row.agent, row.win_rate)
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from roborally_env.agents import Agent
from roborally_env.agents.decisions import decide
from roborally_env.arguments import Courses
from roborally_env.base.checks import check_path, check_whole, shown
from roborally_env.base.errors import AgentError, RoboRallyError
from roborally_env.base.types import Fields, JsonObject
from roborally_env.batch import RULES_VERSION
from roborally_env.courses import Course
from roborally_env.evaluation.folder import play_in_folder
from roborally_env.evaluation.purchases import CardRow, card_table
from roborally_env.evaluation.races import Race
from roborally_env.evaluation.setup import MAX_ROUNDS, Setup, check_setup
from roborally_env.evaluation.statistics import Row, table
from roborally_env.evaluation.workers import CHUNK, Chunk, make_chunks, play_chunks
from roborally_env.executors import Executor, executor_for
from roborally_env.generated.resolve import load_course
from roborally_env.replay import Recorder, Replay

__all__ = ["MAX_ROUNDS", "CardRow", "Race", "Result", "Row", "Setup", "check_setup", "evaluate"]


@dataclass(frozen=True)
class Result:
    """A tournament that has been played, or its finished part if it was stopped."""

    setup: Setup
    races: tuple[Race, ...]  # by course, then game number

    @property
    def complete(self) -> bool:
        """Whether every race was played."""
        return len(self.races) == self.setup.games * len(self.setup.courses)

    @property
    def rows(self) -> list[Row]:
        """The table over all courses, one row for each agent in the order given."""
        return table(self.setup.names, self.races)

    def rows_of(self, course: int) -> list[Row]:
        """The table of one course, by its index in the list."""
        return table(self.setup.names, [race for race in self.races if race.course == course])

    @property
    def upgrades(self) -> list[CardRow]:
        """Purchases of each upgrade and how often its owners won, in 2005 the same for options; empty in the lighter
        game."""
        setup = self.setup
        if not setup.rules.get(setup.card_word, setup.kind.has("owned")):
            return []
        return card_table(setup.names, self.races, setup.kind)

    @property
    def cut(self) -> int:
        """Races that nobody won: `max_rounds` cut them, or in 2005 no robot was left."""
        return sum(race.winner < 0 for race in self.races)

    def to_dict(self) -> JsonObject:
        """The tournament as JSON values, which depend on the seed but not on the number of workers."""
        setup = self.setup
        return {
            "agents": setup.names,
            "courses": [course.slug for course in setup.courses],
            "edition": setup.edition,
            "rules": setup.rules,
            "rules_version": RULES_VERSION,
            "decisions": setup.decisions,
            "players": setup.players if len(set(setup.counts)) == 1 else list(setup.counts),
            "games": setup.games,
            "seed": setup.seed,
            "max_rounds": setup.max_rounds,
            "races_played": len(self.races),
            "races_cut": self.cut,
            "complete": self.complete,
            "table": [dataclasses.asdict(row) for row in self.rows],
            setup.card_word: [dataclasses.asdict(row) for row in self.upgrades],
            "by_course": [
                {"course": course.slug, "table": [dataclasses.asdict(row) for row in self.rows_of(i)]}
                for i, course in enumerate(setup.courses)
            ],
        }

    def course_of(self, race: Race) -> Course:
        """The course of a race; a generated one is made again."""
        if self.setup.generator is None:
            return self.setup.courses[race.course]
        return load_course(race.course_name, self.setup.edition)

    def replay(self, race: Race) -> Replay:
        """Play one of the races again, alone, and record it.

        Raises:
            AgentError: if it goes differently, as with an agent whose decisions depend on more than its game.
        """
        agents = self.setup.make_agents()
        batch = self.setup.batch(race.course, race.game, 1, agents)
        line_up = self.setup.line_ups(race.course, race.game, 1)
        recorder = Recorder(batch, self.setup.seed, [self.setup.names[agent] for agent in race.line_up])
        while not batch.over.all():
            recorder.step(*decide(batch, agents, line_up))
        ended = batch.results[0]
        if (int(ended["rounds"]), int(ended["winner"])) != (race.rounds, race.winner):
            raise AgentError(
                f"game {race.game}: it went another way when it was played again; an agent's decisions must depend on "
                "its seed, the game and the seat alone"
            )
        return recorder.replay()


def evaluate(
    agents: Sequence[str | Agent],
    courses: Courses | None = None,
    *,
    games: int,
    players: int | None = None,
    edition: str | None = None,
    seed: int = 0,
    workers: int = 1,
    ray: str | None = None,
    max_rounds: int = MAX_ROUNDS,
    rules: Fields | None = None,
    decisions: str = "program",
    chunk: int = CHUNK,
    out: str | Path | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Result:
    """Play `games` races on each course with rotating seats, and return the results.

    The result depends on the seed, but not on `workers`, `ray` or `chunk`. The start of game g of a course does not
    depend on the agents. After Ctrl-C the races of the finished batches are returned (`Result.complete` is False).

    Args:
        agents: specs as for `make_agent`, or agents (which must be picklable if there are several workers).
        courses: a name (also with its edition, `"2005/twister"`), a path, a Course or a list of them, all of one
            edition; None: Dizzy Highway, in 2005 Risky Exchange. A Generator, or its text `"generated:difficulty=3"`:
            each race is on a course of its own, which `Race.course_name` names.
        games: races on each course. A multiple of `players` gives every agent each seat equally often.
        players: players in a race; default: the number of agents, or the nearest number that the course allows, and on
            courses with teams the smallest. One agent plays a team, or racer and blocker in Interference.
        edition: the rules; None: those of the courses, 2016 for a name that several editions have.
        seed: any whole number from 0; the seed of the races and of the agents.
        workers: the largest number of processes; they are started if that saves time. A script that asks for more than
            one needs the usual `if __name__ == "__main__":`.
        ray: the address of a Ray cluster that plays in their place: `"auto"` (the one that runs on this machine),
            `"HOST:PORT"` or `"ray://HOST:PORT"`. Races that a lost worker was playing are played again.
        max_rounds: races are cut after this many rounds and count with places by checkpoints reached.
        rules: rule options of the edition.
        decisions: `"program"`, or `"all"` for agents that answer every choice.
        chunk: games of one batch.
        out: a folder that keeps the races of each finished part. The same call resumes a run that was stopped by
            Ctrl-C or killed; agents must then be specs. None: a run that is killed begins anew.
        progress: called during play with the number of races done and of all races.

    Raises:
        RoboRallyError: for any value outside these, or a folder that cannot be written, or belongs to another job.
    """
    check_outside(out, progress)
    setup = check_setup(
        agents,
        courses,
        games=games,
        players=players,
        edition=edition,
        seed=seed,
        max_rounds=max_rounds,
        rules=rules,
        decisions=decisions,
    )
    chunks = make_chunks(setup, check_whole(chunk, "chunk", 1, 1_000_000))
    with executor_for(workers, ray) as executor:
        if out is not None:
            races = play_in_folder(setup, Path(out), executor, progress)
        else:
            races = _play(setup, chunks, executor, progress)
    return Result(setup, tuple(sorted(races, key=lambda race: (race.course, race.game))))


def check_outside(out: object, progress: object) -> None:
    """Raise a RoboRallyError for anything but a path and a function, or None."""
    if out is not None:
        check_path(out, "out")
    if progress is not None and not callable(progress):
        raise RoboRallyError(f"progress: expected a function of two numbers, got {shown(progress)}")


def _play(
    setup: Setup, chunks: Sequence[Chunk], executor: Executor, progress: Callable[[int, int], None] | None
) -> list[Race]:
    """The races of these chunks. One that Ctrl-C interrupts does not count, because only its short races would be
    finished."""
    races: list[Race] = []
    with suppress(KeyboardInterrupt), closing(play_chunks(setup, chunks, executor)) as chunks_played:
        for played in chunks_played:
            races += played
            if progress is not None:
                progress(len(races), setup.games * len(setup.courses))
    return races
