"""Tournaments: agents race against each other; the table says who wins how often.

from roborally_env.tournament import evaluate

result = evaluate(["planner", "greedy", "random"], "dizzy_highway", games=300, seed=1)
for row in result.rows:
    print(row.agent, row.win_rate)
"""

from __future__ import annotations

import dataclasses
import multiprocessing
import signal
import threading
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from roborally_env.agents import Agent, base, make_agent
from roborally_env.batch import (
    DECISIONS,
    RULES_VERSION,
    BatchRace,
    check_choice,
    check_courses,
    check_players,
    check_whole,
)
from roborally_env.core.rules import check_edition, rule_values
from roborally_env.courses import Course
from roborally_env.errors import RoboRallyError
from roborally_env.evaluation.line_ups import MAX_AGENTS, LineUps
from roborally_env.evaluation.play import Race, decide, play_races
from roborally_env.evaluation.statistics import Row, table
from roborally_env.replay import Recorder, Replay

MAX_ROUNDS = 150  # where nothing else is said: several times what a random program needs on a middling course
CHUNK = 16  # games of one batch
ALONE = 2  # the first games, batches of their own
WORTH_WORKERS = 4.0  # seconds of play left from which on workers are started; their start takes about two
MAX_GAMES = 10_000_000


@dataclass(frozen=True)
class Setup:
    """A tournament before it is played: checked values."""

    agents: tuple[str | Agent, ...]
    courses: tuple[Course, ...]
    games: int  # on each course
    players: int
    edition: str
    seed: int
    max_rounds: int
    rules: dict[str, Any]
    decisions: str
    registry: dict[str, str] = field(default_factory=dict, repr=False)  # names given by register_agent, for the workers

    @property
    def names(self) -> list[str]:
        """The agents' names, told apart where one plays twice."""
        plain = [agent if isinstance(agent, str) else agent.name for agent in self.agents]
        return [f"{n} ({plain[:i].count(n) + 1})" if plain[:i].count(n) else n for i, n in enumerate(plain)]

    def make_agents(self) -> list[Agent]:
        """The agents themselves."""
        return [make_agent(agent, self.seed) if isinstance(agent, str) else agent for agent in self.agents]

    def batch(self, course: int, first_game: int, count: int, agents: Sequence[Agent]) -> BatchRace:
        """The races `first_game` .. on a course, at their start."""
        return BatchRace(
            count,
            self.courses[course],
            edition=self.edition,
            players=self.players,
            decisions=self.decisions,
            observation="symbolic" if any(agent.needs_observation for agent in agents) else "none",
            max_rounds=self.max_rounds,
            rules=self.rules,
            seed=self.seed,
            auto_reset=False,
            first_game=first_game,
        )

    def line_ups(self, first_game: int, count: int) -> Any:
        """[count, players]: the agent in each seat of each game."""
        line_ups = LineUps(len(self.agents), self.players)
        return np.array([line_ups.seats(g) for g in range(first_game, first_game + count)], np.int64)


@dataclass(frozen=True)
class Result:
    """A tournament that has been played, or as much of it as was finished when it was stopped."""

    setup: Setup
    races: tuple[Race, ...]  # by course, then game number

    @property
    def complete(self) -> bool:
        """Whether every race was played."""
        return len(self.races) == self.setup.games * len(self.setup.courses)

    @property
    def rows(self) -> list[Row]:
        """The table over all courses, a row an agent in the order given."""
        return table(self.setup.names, self.races)

    def rows_of(self, course: int) -> list[Row]:
        """The table of one course, by its place in the list."""
        return table(self.setup.names, [race for race in self.races if race.course == course])

    @property
    def cut(self) -> int:
        """Races that `max_rounds` cut."""
        return sum(race.winner < 0 for race in self.races)

    def to_dict(self) -> dict[str, Any]:
        """The tournament as JSON values; the same for the same seed, whatever the number of workers."""
        setup = self.setup
        return {
            "agents": setup.names,
            "courses": [course.slug for course in setup.courses],
            "edition": setup.edition,
            "rules": setup.rules,
            "rules_version": RULES_VERSION,
            "decisions": setup.decisions,
            "players": setup.players,
            "games": setup.games,
            "seed": setup.seed,
            "max_rounds": setup.max_rounds,
            "races_played": len(self.races),
            "races_cut": self.cut,
            "complete": self.complete,
            "table": [dataclasses.asdict(row) for row in self.rows],
            "by_course": [
                {"course": course.slug, "table": [dataclasses.asdict(row) for row in self.rows_of(i)]}
                for i, course in enumerate(setup.courses)
            ],
        }

    def replay(self, race: Race) -> Replay:
        """Play one of the races again, alone, and record it.

        Raises:
            RoboRallyError: where it goes another way, as with an agent whose decisions depend on more than its game.
        """
        agents = self.setup.make_agents()
        batch = self.setup.batch(race.course, race.game, 1, agents)
        line_up = self.setup.line_ups(race.game, 1)
        recorder = Recorder(batch, self.setup.seed, [self.setup.names[agent] for agent in race.line_up])
        while not batch.over.all():
            recorder.step(*decide(batch, agents, line_up))
        ended = batch.results[0]
        if (int(ended["rounds"]), int(ended["winner"])) != (race.rounds, race.winner):
            raise RoboRallyError(
                f"game {race.game}: it went another way when it was played again; an agent's decisions must depend on "
                "its seed, the game and the seat alone"
            )
        return recorder.replay()


def evaluate(
    agents: Sequence[str | Agent],
    courses: str | Path | Course | Sequence[str | Path | Course] = "dizzy_highway",
    *,
    games: int,
    players: int | None = None,
    edition: str = "2016",
    seed: int = 0,
    workers: int = 1,
    max_rounds: int = MAX_ROUNDS,
    rules: Mapping[str, Any] | None = None,
    decisions: str = "program",
    chunk: int = CHUNK,
    progress: Callable[[int, int], None] | None = None,
) -> Result:
    """Play `games` races on each course, seats rotated, and return what came out.

    The same seed gives the same result, whatever `workers` and `chunk`. Game g of a course starts the same whatever the
    agents. After Ctrl-C the races of the batches that were finished are returned (`Result.complete` is False).

    Args:
        agents: specs as for `make_agent`, or agents (which must be picklable where there are several workers).
        courses: a name, a path, a Course or a list of them.
        games: races on each course. A multiple of `players` gives every agent each seat equally often.
        players: robots of a race; left out: as many as agents, from 2 to 6.
        edition: the rules.
        seed: any whole number from 0; of the races and of the agents.
        workers: processes, at most; they are started where that saves time. A script that asks for more than one needs
            the usual `if __name__ == "__main__":`.
        max_rounds: races are cut after so many rounds; they count as such, with places by checkpoints reached.
        rules: rule options of the edition.
        decisions: `"program"`, or `"all"` for agents that answer every choice.
        chunk: games of one batch.
        progress: called with the races done and all races, as they go.

    Raises:
        RoboRallyError: for any value outside these.
    """
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
    workers = check_whole(workers, "workers", 1, 1024)
    chunks = _chunks(setup, check_whole(chunk, "chunk", 1, 1_000_000))
    races: list[Race] = []
    # Of a chunk that Ctrl-C breaks off only the short races would be finished: it does not count.
    with suppress(KeyboardInterrupt), closing(_play(setup, chunks, workers)) as chunks_played:
        for played in chunks_played:
            races += played
            if progress is not None:
                progress(len(races), setup.games * len(setup.courses))
    return Result(setup, tuple(sorted(races, key=lambda race: (race.course, race.game))))


def check_setup(
    agents: Sequence[str | Agent],
    courses: str | Path | Course | Sequence[str | Path | Course],
    *,
    games: int,
    players: int | None = None,
    edition: str = "2016",
    seed: int = 0,
    max_rounds: int = MAX_ROUNDS,
    rules: Mapping[str, Any] | None = None,
    decisions: str = "program",
) -> Setup:
    """The checked values of a tournament; `evaluate` says what they mean."""
    if isinstance(agents, str) or not 1 <= len(agents) <= MAX_AGENTS:
        raise RoboRallyError(f"agents: expected a list of 1 to {MAX_AGENTS}, got {agents!r}")
    edition = check_edition(edition)
    found = check_courses(courses, edition)
    for i, course in enumerate(found):
        if course in found[:i]:
            raise RoboRallyError(f"course: {course.slug} stands twice in the list")
    setup = Setup(
        agents=tuple(agents),
        courses=found,
        games=check_whole(games, "games", 1, MAX_GAMES),
        players=_players(len(agents) if players is None else players, players is None, found),
        edition=edition,
        seed=check_whole(seed, "seed", 0, 2**64 - 1),
        max_rounds=check_whole(max_rounds, "max_rounds", 1, 30_000),
        rules=rule_values(edition, rules),
        decisions=check_choice(decisions, "decisions", DECISIONS),
        registry=dict(base.REGISTRY),
    )
    setup.make_agents()
    return setup


def _players(players: int, guessed: bool, courses: Sequence[Course]) -> int:
    """The number of players, if each of the courses allows it."""
    if guessed:
        players = min(max(players, 2), 6)
    for course in courses:
        try:
            check_players(players, [course])
        except RoboRallyError as error:
            raise RoboRallyError(f"{error} on {course.slug}") from None
    return int(players)


# -- chunks of games, in this process or in others

_Chunk = tuple[int, int, int]  # course, first game, games


def _chunks(setup: Setup, size: int) -> list[_Chunk]:
    """All games in chunks of `size`; the first two games alone, to see how long one takes."""
    chunks: list[_Chunk] = []
    for course in range(len(setup.courses)):
        first = 0
        while first < setup.games:
            count = min(size if len(chunks) >= ALONE else 1, setup.games - first)
            chunks.append((course, first, count))
            first += count
    return chunks


def _play_chunk(
    setup: Setup, agents: Sequence[Agent], chunk: _Chunk, stopped: Callable[[], bool] = lambda: False
) -> list[Race]:
    course, first, count = chunk
    batch = setup.batch(course, first, count, agents)
    return play_races(batch, agents, setup.line_ups(first, count), course, stopped) or []


def _play(setup: Setup, chunks: Sequence[_Chunk], workers: int) -> Generator[list[Race], None, None]:
    """The races of each chunk, in any order.

    The first are played here, so that what must be compiled is compiled once and an agent's mistake is told in this
    process; the rest by workers, where there is more left than it takes to start them.
    """
    agents = setup.make_agents()
    for done, chunk in enumerate(chunks, 1):
        begun = time.perf_counter()
        yield _play_chunk(setup, agents, chunk)
        one = (time.perf_counter() - begun) / chunk[2]
        rest = chunks[done:]
        if workers > 1 and len(rest) > 1 and done >= ALONE and one * sum(count for _, _, count in rest) > WORTH_WORKERS:
            yield from _play_in_processes(setup, rest, min(workers, len(rest)))
            return


def _play_in_processes(setup: Setup, chunks: Sequence[_Chunk], workers: int) -> Generator[list[Race], None, None]:
    """The races of each chunk, in the order in which they are finished."""
    context = multiprocessing.get_context("spawn")
    stop = context.Event()
    pool = ProcessPoolExecutor(workers, mp_context=context, initializer=_begin_worker, initargs=(setup, stop))
    with pool:
        try:
            with _interrupts_ignored():  # the workers inherit it: only this process hears Ctrl-C
                futures = [pool.submit(_work, chunk) for chunk in chunks]
            for future in as_completed(futures):
                yield future.result()
        except BrokenProcessPool:
            raise RoboRallyError(
                "a worker process ended early; in a script, put the call under if __name__ == '__main__': "
                "(or try workers=1)"
            ) from None
        finally:
            stop.set()  # seen after each round
            pool.shutdown(cancel_futures=True)


@contextmanager
def _interrupts_ignored() -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


_worker: dict[str, Any] = {}  # of a worker process: setup, stop, agents


def _begin_worker(setup: Setup, stop: Any) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _worker.update(setup=setup, stop=stop)


def _work(chunk: _Chunk) -> list[Race]:
    setup: Setup = _worker["setup"]
    if _worker["stop"].is_set():
        return []
    if "agents" not in _worker:
        base.REGISTRY.update(setup.registry)
        _worker["agents"] = setup.make_agents()
    return _play_chunk(setup, _worker["agents"], chunk, _worker["stop"].is_set)
