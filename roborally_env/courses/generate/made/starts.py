"""`make_start_board`: the board on which robots begin."""

from __future__ import annotations

from dataclasses import dataclass

from roborally_env.courses.generate.draws import Draws
from roborally_env.courses.model import Board, E, Element, N, S, W

_LENGTH = {"2016": 10, "2005": 12, "community": 10}  # of the side at which it joins the other boards
_DEPTH = {"2016": 3, "2005": 4, "community": 3}


@dataclass(frozen=True, slots=True)
class StartBoard:
    """A start board and what belongs to it, in its own coordinates.

    antenna: its cell, None in 2005. facing: that of the robots, 0..3. tokens: plain cells, good for a reboot token.
    """

    board: Board
    antenna: tuple[int, int] | None
    facing: int
    tokens: tuple[tuple[int, int], ...]


def make_start_board(
    home: str, players: int, draws: Draws, *, fair: bool = False, length: int | None = None
) -> StartBoard:
    """A start board with as many start spaces as players.

    In 2016 and the community edition it lies to the left of the boards, 3 wide, and robots face east; in 2005 below
    them, 4 high, robots face north and start spaces are numbered.

    Args:
        home: "2016", "2005" or "community".
        players: 2 to 8, in 2016 and the community edition at most 6.
        draws: where all choices come from.
        fair: start spaces lie in mirrored pairs, all equally far from the boards.
        length: of the side at which it joins the other boards; None: as printed.
    """
    plan = _Plan(home, players, draws, fair, length or _LENGTH[home])
    return plan.bay() if home == "2005" else plan.strip()


@dataclass(slots=True)
class _Plan:
    """The choices for one start board. Places are (along, deep): along the side that joins the boards, and from it."""

    home: str
    players: int
    draws: Draws
    fair: bool
    length: int

    def bay(self) -> StartBoard:
        """A docking bay of 2005: numbered docks, the lowest in the middle, and the walls at its rim."""
        spots = self._spots((2, 3) if self.draws.chance(0.5) else (1, 2, 3))
        elements = [Element("dock", x, y, number=number) for number, (x, y) in enumerate(spots, 1)]
        taken = set(spots)
        for x in sorted({2, 4, self.length - 5, self.length - 3}):
            elements += [Element("wall", x, 0, sides=(N,)), Element("wall", x, 3, sides=(S,))]
        elements += [Element("wall", x, y, sides=(W,)) for x, y in self._dividers(spots)]
        if self.draws.chance(0.5):
            elements += self._feeders(taken)
        return self._start(elements, self.length, 4, None, N)

    def strip(self) -> StartBoard:
        """A start board of 2016 or the community edition, with the antenna in its first column."""
        middle = self.length // 2 - 1 + (self.draws.below(2) if not self.fair else 0)
        spots = [(2 - deep, along) for along, deep in self._spots((1, 2), avoid=(middle, 2))]
        elements = [Element("dock", x, y, number=0) for x, y in spots]
        taken = {*spots, (0, middle)}
        elements += self._strip_walls(taken)
        if self.draws.chance(0.7):
            elements += [Element("belt", 2, y, speed=1, out=E, feeds=(W,)) for y in (0, self.length - 1)]
            taken |= {(2, 0), (2, self.length - 1)}
        if self.draws.chance(0.4):
            free = [(x, y) for y in range(1, self.length - 1) for x in (0, 1) if (x, y) not in taken]
            x, y = self.draws.one(free)
            elements.append(Element("energy", x, y))
        return self._start(elements, 3, self.length, (0, middle), E)

    def _start(
        self, elements: list[Element], width: int, height: int, antenna: tuple[int, int] | None, facing: int
    ) -> StartBoard:
        taken = {(e.x, e.y) for e in elements if e.kind != "wall"} | {antenna}
        tokens = tuple((x, y) for y in range(height) for x in range(width) if (x, y) not in taken)
        return StartBoard(Board("start", self.home, width, height, tuple(elements)), antenna, facing, tokens)

    def _spots(self, depths: tuple[int, ...], avoid: tuple[int, int] | None = None) -> list[tuple[int, int]]:
        """The start spaces from the middle outwards, mirrored at the middle line; fair: all of one depth."""
        low, high = (self.length - 1) // 2, self.length // 2
        deep = self.draws.one(depths)
        found: list[tuple[int, int]] = []
        aside = 0
        while len(found) < self.players:
            if not self.fair:
                deep = self.draws.one(depths)
            pair = ((low - aside, deep), (high + aside, deep))
            if low - aside < 0:
                raise AssertionError("unreachable")
            found += [spot for spot in dict.fromkeys(pair) if spot != avoid]
            aside += 1
        return found[: self.players]

    def _dividers(self, spots: list[tuple[int, int]]) -> list[tuple[int, int]]:
        """The cells to the right of mirrored dividing walls."""
        first, second = spots[:2]
        places = [(second[0], second[1])] if first[1] == second[1] and second[0] == first[0] + 1 else []
        return places

    def _feeders(self, taken: set[tuple[int, int]]) -> list[Element]:
        """A belt from each side towards the middle, in the first row that has room."""
        for y in (2, 1, 0):
            run = [x for x in range(self.length // 4 + 1)]
            mirrored = [self.length - 1 - x for x in run]
            if not taken & {(x, y) for x in (*run, *mirrored)}:
                left = [Element("belt", x, y, speed=1, out=E, feeds=(W,)) for x in run]
                return left + [Element("belt", x, y, speed=1, out=W, feeds=(E,)) for x in mirrored]
        return []

    def _strip_walls(self, taken: set[tuple[int, int]]) -> list[Element]:
        """A mirrored pair of walls between rows, and sometimes walls towards the boards in the middle."""
        row = self.draws.between(2, self.length // 2 - 2)
        elements = [Element("wall", 1, row, sides=(N,)), Element("wall", 1, self.length - 1 - row, sides=(S,))]
        if self.draws.chance(0.6):
            half = self.length // 2
            elements += [Element("wall", 2, y, sides=(E,)) for y in (half - 1, half)]
        return elements
