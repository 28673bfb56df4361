"""A tournament in a folder, which keeps the races of each finished part; a stopped one is resumed."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from roborally_env.agents import Agent
from roborally_env.base.documents import is_whole
from roborally_env.base.errors import RoboRallyError
from roborally_env.base.files import clear_parts
from roborally_env.base.types import JsonObject
from roborally_env.evaluation.decisions import Decisions
from roborally_env.evaluation.races import Race, play_races
from roborally_env.evaluation.setup import Setup
from roborally_env.evaluation.workers import CHUNK, seconds_of_a_race
from roborally_env.executors import Executor
from roborally_env.jobs.agent_files import files_of
from roborally_env.jobs.manifest import MANIFEST, courses_of, prepare, versions_here
from roborally_env.jobs.parts import Progress, play_parts
from roborally_env.jobs.storage import Folder, Storage

PARTS = "parts"
RESULTS = "results.json"
WHAT = "a tournament"
MOST_PARTS = 256  # of a course; one with more races has larger parts
MOST = 2**64 - 1  # a number of a race


class Part(NamedTuple):
    """Races `first` .. of a course."""

    course: int
    first: int
    games: int

    @property
    def file(self) -> str:
        """The name of its file in the folder."""
        return f"{PARTS}/{self.course:03d}-{self.first:08d}.json"


@dataclass(frozen=True)
class TournamentJob:
    """A tournament as a job for workers (`jobs.parts.Job`)."""

    setup: Setup

    @property
    def registry(self) -> dict[str, str]:
        """See Job."""
        return self.setup.registry

    def parts(self) -> list[Part]:
        """All parts, the courses in turn, so that the first parts cover every course."""
        games = self.setup.games
        size = CHUNK * max(1, -(-games // (CHUNK * MOST_PARTS)))
        firsts, courses = range(0, games, size), range(len(self.setup.courses))
        return [Part(course, first, min(size, games - first)) for first in firsts for course in courses]

    def make_agents(self) -> list[Agent]:
        """See Job."""
        return self.setup.make_agents()

    def rehearse(self, agents: Sequence[Agent]) -> float:
        """See Job."""
        return seconds_of_a_race(self.setup, agents)

    def play(
        self, agents: Sequence[Agent], part: Part, place: Storage, stopped: Callable[[], bool], progress: Progress
    ) -> bool:
        """See Job."""
        decisions, races = Decisions(agents, progress.known), []

        def stops() -> bool:
            return stopped() or decisions.stops(progress.keep)

        for first in range(part.first, part.first + part.games, CHUNK):
            count = min(CHUNK, part.first + part.games - first)
            batch = self.setup.batch(part.course, first, count, agents)
            line_ups = self.setup.line_ups(part.course, first, count)
            played = play_races(batch, agents, line_ups, part.course, stops, decisions.decide)
            if played is None:
                return False
            races += played
        place.put(part.file, json.dumps({"columns": Race._fields, "races": races}) + "\n")
        return True

    def files(self, part: Part) -> tuple[str]:
        """See Job."""
        return (part.file,)


def play_in_folder(
    setup: Setup, path: Path, executor: Executor, progress: Callable[[int, int], None] | None
) -> list[Race]:
    """Play the races of a tournament that a folder does not have yet; returns all that it has then.

    After Ctrl-C these are not all; the same call plays the rest.

    Raises:
        RoboRallyError: for agents that are objects, a folder that cannot be written or is another job's, or one of
            another config or version.
    """
    if any(not isinstance(agent, str) for agent in setup.agents):
        raise RoboRallyError(
            'out: expected agents as specs, such as "planner" or "package.module:Class", got an object'
        )
    job, place, report = TournamentJob(setup), Folder(path), progress or (lambda done, races: None)
    place.make()
    names = place.names()
    if RESULTS in names and MANIFEST not in names:
        raise RoboRallyError(
            f"{place}: expected a new folder, or {WHAT} to go on with, found {RESULTS} without {MANIFEST}"
        )
    with place.only_writer():
        clear_parts(path)
        prepare(place, _manifest(setup), lambda there: there["job"] == WHAT, WHAT)
        place.clear_partial()
        parts = job.parts()
        missing = [part for part in parts if races_of(place, part, setup) is None]
        races = sum(part.games for part in parts)
        kept = races - sum(part.games for part in missing)
        report(kept, races)
        with suppress(KeyboardInterrupt):
            play_parts(job, missing, place, executor, lambda played: report(kept + played, races))
        place.clear_partial()
        return [race for part in parts for race in races_of(place, part, setup) or []]


def _manifest(setup: Setup) -> JsonObject:
    agents = [agent for agent in setup.agents if isinstance(agent, str)]
    config = {
        "agents": agents,
        "edition": setup.edition,
        "games": setup.games,
        "seed": setup.seed,
        "max_rounds": setup.max_rounds,
        "rules": setup.rules,
        "decisions": setup.decisions,
        "courses": courses_of(setup),
        "files": files_of(agents, setup.kind.name),
    }
    return {"job": WHAT, "config": config, "versions": versions_here()}


def races_of(place: Storage, part: Part, setup: Setup) -> list[Race] | None:
    """The races of a part; None if it was not played yet, or its file is damaged."""
    try:
        found = place.read_json(part.file)
        races = [
            Race._make(tuple(value) if isinstance(value, list) else value for value in row) for row in found["races"]
        ]
        games = range(part.first, part.first + part.games)
        line_ups = map(tuple, setup.line_ups(part.course, part.first, part.games).tolist())
        wanted = [(part.course, *each) for each in zip(games, line_ups, strict=True)]
        whole = found["columns"] == list(Race._fields) and [race[:3] for race in races] == wanted
        return races if whole and all(map(_is_sound, races)) else None
    except (RoboRallyError, ValueError, KeyError, TypeError, RecursionError):
        return None


def _is_sound(race: Race) -> bool:
    """Whether all values of a race are numbers and texts that it may have."""
    seats = len(race.line_up)
    counts = (race.reached, race.reboots, race.damage, race.repairs, race.bought, race.had, race.team, race.out)
    return (
        is_whole(race.rounds, 0, MOST)
        and is_whole(race.winner, -1, seats - 1)
        and all(len(values) == seats for values in (race.place, race.to_go, *counts[:4]))
        and all(len(values) in (0, seats) for values in counts[4:])
        and all(is_whole(value, 0, MOST) for values in counts for value in values)
        and all(isinstance(value, int | float) and 0 <= value <= MOST for value in (*race.place, *race.to_go))
        and all(isinstance(text, str) for text in (race.course_name, race.course_title))
    )
