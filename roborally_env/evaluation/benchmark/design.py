"""The races on a course: every deal is played once with the agent in each seat, and start spaces come equally often.

A deal is a race as its seed draws it: start spaces, decks, all chance. Because the agent takes each of the four seats
in turn, an agent that plays as its opponents do wins exactly a quarter of the races that somebody wins. The deals of a
course are picked from a long list by their start spaces alone, so that over all of them each seat has each start space
equally often. So every agent meets the same races, from the same seats.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import lru_cache
from math import lcm

import numpy as np

from roborally_env.base.errors import RoboRallyError
from roborally_env.batch import BatchRace
from roborally_env.courses import Course
from roborally_env.courses.tables import WIDTH
from roborally_env.evaluation.benchmark.protocol import ROBOTS, seed_of

LISTED = 1 << 14  # deals to pick from


@dataclass(frozen=True)
class Deal:
    """A race as its seed draws it."""

    number: int  # of the game in a batch of the course's seed
    seed: int  # of the game itself
    starts: tuple[int, ...]  # the start space of each seat, as a place in the course's list of docks


@dataclass(frozen=True)
class Design:
    """The races on a course: race r is deal r // 4, with the agent in seat r % 4."""

    seed: int
    deals: tuple[Deal, ...]

    @property
    def races(self) -> int:
        """The number of races."""
        return ROBOTS * len(self.deals)

    def seat(self, race: int) -> int:
        """The seat of the agent in a race."""
        return race % ROBOTS

    def deal(self, race: int) -> Deal:
        """The deal of a race."""
        return self.deals[race // ROBOTS]

    def start(self, race: int) -> int:
        """The start space of the agent in a race."""
        return self.deal(race).starts[self.seat(race)]


@lru_cache(maxsize=256)
def design_of(course: Course, races: int) -> Design:
    """The races on a course. Fewer races are the first ones of more.

    Raises:
        RoboRallyError: for a number of races that is not a multiple of the seats and of the start spaces.
    """
    seed = seed_of(course.edition, course.slug)
    listed = BatchRace(LISTED, course, players=ROBOTS, observation="none", masks=False, auto_reset=False, seed=seed)
    places = {y * WIDTH + x: place for place, (_, x, y) in enumerate(course.docks)}
    by_starts: dict[tuple[int, ...], list[Deal]] = defaultdict(list)
    cells_of = listed.games["start"][:, :ROBOTS]
    docks = len(np.unique(cells_of))  # those on which robots start: in 2005 docks 1 to 4
    if races % lcm(ROBOTS, docks):
        raise RoboRallyError(f"benchmark: {course.slug}: {races} races cannot have all start spaces equally often")
    for number, cells in enumerate(cells_of.tolist()):
        starts = tuple(places[cell] for cell in cells)
        by_starts[starts].append(Deal(number, int(listed.games["seed"][number]), starts))
    deals: list[Deal] = []
    while ROBOTS * len(deals) < races:
        first = min(found[0].number for found in by_starts.values() if found)
        base = next(starts for starts, found in by_starts.items() if found and found[0].number == first)
        for starts in shifted(base, docks):
            if not by_starts[starts]:
                raise RoboRallyError(f"benchmark: {course.slug}: the list of deals is too short for {races} races")
            deals.append(by_starts[starts].pop(0))
    return Design(seed, tuple(deals[: races // ROBOTS]))


def shifted(base: tuple[int, ...], docks: int) -> list[tuple[int, ...]]:
    """As many deals' start spaces as there are docks, in which each seat has each start space once.

    They move on along the circle of start spaces by four at a time. So already after `lcm(4, docks) / 4` deals all
    start spaces have been taken equally often.
    """
    circle = [*base, *(dock for dock in range(docks) if dock not in base)]
    by_fours = docks // np.gcd(docks, ROBOTS)
    moves = [(ROBOTS * step + more) % docks for more in range(docks // by_fours) for step in range(by_fours)]
    return [tuple(circle[(seat + move) % docks] for seat in range(ROBOTS)) for move in moves]
