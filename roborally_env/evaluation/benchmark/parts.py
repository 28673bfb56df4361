"""Playing one part of a benchmark, and the two files of it: what happened, and how long it took."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import NamedTuple

import numpy as np

from roborally_env.agents import Agent, make_agent
from roborally_env.base.documents import CheckedObject, is_whole
from roborally_env.base.errors import RoboRallyError
from roborally_env.base.types import JsonObject
from roborally_env.batch import BatchRace
from roborally_env.evaluation.benchmark.design import Design, design_of
from roborally_env.evaluation.benchmark.protocol import AGENT_SEED, MAX_ROUNDS, ROBOTS, Protocol
from roborally_env.evaluation.benchmark.timed_agent import Watched
from roborally_env.evaluation.decisions import Decisions
from roborally_env.evaluation.races import Race, play_races
from roborally_env.evaluation.setup import Setup, check_setup
from roborally_env.jobs.parts import Progress
from roborally_env.jobs.storage import Storage

BATCH = 24  # races of a part, which are played side by side
PARTS, TIMES = "parts", "times"  # folders of the files
MOST = 2**53  # a number in them


class Outcome(NamedTuple):
    """The outcome of one race for the agent under test."""

    race: int  # its number on the course
    deal: int  # its deal, the number of the game in a batch of the course's seed
    seat: int
    start: int  # its start space, as a place in the course's list of docks
    won: bool
    rounds: int
    cut: bool  # nobody won: by the largest number of rounds, or because no robot was left
    repairs: int  # illegal registers of the agent that were replaced
    crashed: bool  # the agent raised an error, or gave no legal shape, dtype or range, and lost


@dataclass(frozen=True)
class Part:
    """Races `first` .. of a course against one opponent."""

    opponent: int
    course: int
    first: int
    games: int

    def name(self, plan: Plan) -> str:
        """The name of its files."""
        return f"{plan.protocol.opponents[self.opponent].name}-{plan.courses[self.course]}-{self.first:03d}.json"


@dataclass(frozen=True)
class Plan:
    """A benchmark of one agent, as a job for workers (`jobs.parts.Job`)."""

    agent: str
    protocol: Protocol
    quick: bool
    setup: Setup  # the agent is number 0, opponent i of the protocol number 1 + i

    @property
    def races(self) -> int:
        """The number of races on each course against each opponent."""
        return self.protocol.races_of(self.quick)

    @property
    def courses(self) -> list[str]:
        """The names of the courses."""
        return [course.slug for course in self.setup.courses]

    def design(self, course: int) -> Design:
        """Seed and seats of the races on a course."""
        return design_of(self.setup.courses[course], self.races)

    def parts(self, opponent: int) -> list[Part]:
        """All parts against an opponent, the courses in turn, so that the first parts cover every course."""
        firsts = range(0, self.races, BATCH)
        courses = range(len(self.setup.courses))
        return [Part(opponent, c, first, min(BATCH, self.races - first)) for first in firsts for c in courses]

    # -- what workers call

    @property
    def registry(self) -> dict[str, str]:
        """See Job."""
        return self.setup.registry

    def make_agents(self) -> list[Agent]:
        """The opponents. The agent itself is made anew for each part, so that no part depends on earlier ones."""
        return [make_agent(each.spec, AGENT_SEED) for each in self.protocol.opponents]

    def rehearse(self, agents: Sequence[Agent]) -> float:
        """Play the first race of the first course; returns its seconds."""
        for _ in range(2):  # the first time kernels are compiled or loaded
            started = time.perf_counter()
            self._races(agents, Part(0, 0, 0, 1), make_agent(self.agent, AGENT_SEED), lambda: False, Progress())
        return time.perf_counter() - started

    def play(
        self,
        agents: Sequence[Agent],
        part: Part,
        place: Storage,
        stopped: Callable[[], bool],
        progress: Progress,
    ) -> bool:
        """See Job. The file of times is written first, so that a part whose outcomes are there is whole."""
        watched, races = self._races(agents, part, make_agent(self.agent, AGENT_SEED), stopped, progress)
        if races is None:
            return False
        outcomes = [self._outcome(part, race, race.game in watched.crashed) for race in races]
        found = {
            **asdict(part),
            "columns": Outcome._fields,
            "races": outcomes,
            "crashes": {str(game): line for game, line in sorted(watched.crashed.items())},
            "traceback": watched.traceback,
        }
        times, outcomes_file = self.files(part)
        place.put(times, json.dumps({"rows, microseconds": watched.calls}) + "\n")
        place.put(outcomes_file, json.dumps(found) + "\n")
        return True

    def files(self, part: Part) -> tuple[str, str]:
        """See Job."""
        name = part.name(self)
        return f"{TIMES}/{name}", f"{PARTS}/{name}"

    def _races(
        self, agents: Sequence[Agent], part: Part, agent: Agent, stopped: Callable[[], bool], progress: Progress
    ) -> tuple[Watched, list[Race] | None]:
        """The agent as it was watched, and the races of a part; None if they were stopped."""
        watched, opponent = Watched(agent), agents[part.opponent]
        both, decisions = [watched, opponent], Decisions([agent, opponent], progress.known)
        if decisions.more is not None:
            watched.put_back(decisions.more)

        def stops() -> bool:
            return stopped() or decisions.stops(progress.keep, watched.noted)

        line_ups = np.ones((part.games, ROBOTS), np.int64)
        seats = [self.design(part.course).seat(race) for race in _races_of(part)]
        line_ups[np.arange(part.games), seats] = 0
        races = play_races(self.batch(part, both), both, line_ups, part.course, stops, decisions.decide)
        return watched, races

    def batch(self, part: Part, agents: Sequence[Agent]) -> BatchRace:
        """The races of a part, at their start."""
        batch = self.setup.batch(part.course, part.first, part.games, agents)
        design = self.design(part.course)
        batch.games["seed"] = [design.deal(race).seed for race in _races_of(part)]
        batch.games["episode"] = np.uint64(2**64 - 1)  # the last one: the reset goes on to the first
        batch.reset()
        return batch

    def _outcome(self, part: Part, race: Race, crashed: bool) -> Outcome:
        design = self.design(part.course)
        seat = design.seat(race.game)
        return Outcome(
            race=race.game,
            deal=design.deal(race.game).number,
            seat=seat,
            start=design.start(race.game),
            won=race.won(seat) and not crashed,
            rounds=race.rounds,
            cut=race.winner < 0,
            repairs=race.repairs[seat],
            crashed=crashed,
        )


def _races_of(part: Part) -> range:
    """The numbers of a part's races on their course."""
    return range(part.first, part.first + part.games)


def make_plan(agent: str, protocol: Protocol, quick: bool) -> Plan:
    """The plan of a benchmark.

    Raises:
        RoboRallyError: for an agent that does not exist or does not play the edition.
    """
    setup = check_setup(
        [agent, *(each.spec for each in protocol.opponents)],
        list(protocol.courses),
        games=1,
        players=ROBOTS,
        edition=protocol.edition,
        seed=AGENT_SEED,
        max_rounds=MAX_ROUNDS,
    )
    return Plan(agent, protocol, quick, setup)


def read_part(place: Storage, part: Part, plan: Plan) -> JsonObject | None:
    """The outcomes of a part with its times; None if it was not played yet, or is damaged."""
    name = part.name(plan)
    try:
        found = CheckedObject(place.read_json(f"{PARTS}/{name}"))
        times = CheckedObject(place.read_json(f"{TIMES}/{name}"))
        races = [Outcome(*race) for race in found.items("races")]
        crashes, calls = found.part("crashes").value, times.items("rows, microseconds")
        found.text("traceback")
        if (
            found.items("columns") != list(Outcome._fields)
            or [race[:4] for race in races] != [_given(part, plan, number) for number in _races_of(part)]
            or not all(map(_is_sound, races))
            or not all(isinstance(line, str) for line in crashes.values())
            or not all(len(call) == 2 and is_whole(call[0], 1, MOST) and is_whole(call[1], 0, MOST) for call in calls)
        ):
            return None
        return {**found.value, "races": races, "calls": calls}
    except (RoboRallyError, ValueError, KeyError, TypeError):
        return None


def _given(part: Part, plan: Plan, number: int) -> tuple[int, int, int, int]:
    """What the outcome of a race begins with: how it was set up."""
    design = plan.design(part.course)
    return number, design.deal(number).number, design.seat(number), design.start(number)


def _is_sound(race: Outcome) -> bool:
    """Whether the values of a race's outcome are of their types."""
    flags = (race.won, race.cut, race.crashed)
    return all(isinstance(flag, bool) for flag in flags) and all(
        is_whole(count, 0, MOST) for count in (race.rounds, race.repairs)
    )
