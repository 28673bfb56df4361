"""RoboRally-Bench 1: courses, opponents, races and seeds, as data.

A change of anything here that could change a score raises `VERSION`.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from roborally_env.base.errors import RoboRallyError, nearest
from roborally_env.base.registry import REGISTERED

VERSION = 1
NAME = f"RoboRally-Bench {VERSION}"
ROBOTS = 4  # the agent and three of one opponent
MAX_ROUNDS = 150  # a race is cut after this number of rounds, without a winner
AGENT_SEED = 20_160_401  # of the agent and of its opponents
TRAINING, TEST = "training", "test"


@dataclass(frozen=True)
class CourseSet:
    """Courses whose races are scored together, apart from other sets."""

    name: str
    courses: tuple[str, ...]


@dataclass(frozen=True)
class Opponent:
    """Three of it race against the agent."""

    name: str
    spec: str


@dataclass(frozen=True)
class Protocol:
    """What is played in an edition: the complete game with the default rules."""

    edition: str
    sets: tuple[CourseSet, ...]
    races: int  # on each course against each opponent
    quick_races: int
    opponents: tuple[Opponent, ...]

    @property
    def courses(self) -> tuple[str, ...]:
        """The courses of all sets."""
        return tuple(course for each in self.sets for course in each.courses)

    def races_of(self, quick: bool) -> int:
        """The number of races on each course against each opponent."""
        return self.quick_races if quick else self.races

    def set_of(self, course: str) -> str:
        """The name of the set that a course belongs to."""
        return next(each.name for each in self.sets if course in each.courses)


def seed_of(edition: str, course: str) -> int:
    """The seed of the races on a course: 64 bits of a hash, so that no training meets it by counting from 0."""
    return int.from_bytes(hashlib.sha256(f"{NAME}/{edition}/{course}".encode()).digest()[:8], "big")


OPPONENTS = (Opponent("greedy", "greedy"), Opponent("planner", "planner:simulations=1000"))

# 2016 and 2023: 19 courses with six start spaces; community: those and four of its own; 2005: the 17 courses for four
# robots that are neither for teams nor for two robots a player, who start on docks 1 to 4.
# With N races in all the 95% interval of a score is at most 1.96 * 0.5 / sqrt(N) to each side: under 2 points from
# N = 2,401 independent races on. Four races share a deal (`design`), which in practice makes it smaller. The races on a
# course are multiples of seats times start spaces; the quick ones are multiples of both.
PROTOCOLS = {
    edition.name: Protocol(
        edition.name,
        (CourseSet(TRAINING, edition.benchmark.training), CourseSet(TEST, edition.benchmark.test)),
        edition.benchmark.races,
        edition.benchmark.quick_races,
        OPPONENTS,
    )
    for edition in REGISTERED.values()
    if edition.benchmark is not None
}


def protocol_of(edition: str) -> Protocol:
    """The protocol of an edition.

    Raises:
        RoboRallyError: for an edition without one.
    """
    if edition not in PROTOCOLS:
        known = ", ".join(PROTOCOLS)
        raise RoboRallyError(f"edition: expected one of {known}, got {edition!r}{nearest(edition, PROTOCOLS)}")
    return PROTOCOLS[edition]


# name -> seconds: an agent is in the first class that its median time of a decision fits into
TIME_CLASSES = {"1ms": 0.001, "10ms": 0.01, "100ms": 0.1, "1s": 1.0, "unlimited": float("inf")}


def time_class(seconds: float) -> str:
    """The smallest class for a median time of a decision."""
    return next(name for name, most in TIME_CLASSES.items() if seconds <= most)
