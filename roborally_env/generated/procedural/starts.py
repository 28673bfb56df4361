"""`make_start_board`: the board on which robots begin."""

from __future__ import annotations

from dataclasses import dataclass

from roborally_env.courses.model import EDITIONS, Board, E, Element, N, S, W
from roborally_env.generated.draws import Draws
from roborally_env.generated.layout import StartBoard
from roborally_env.generated.style import STYLES

STRIP, BAY = 3, 4  # cells from that side to the opposite one
_BAY_WALLS = (2, 4, -5, -3)  # columns with walls at both long sides of a bay

Cell = tuple[int, int]


def depth_of(home: str) -> int:
    """Cells of an edition's start boards, printed ones too, from the side at which they join the others."""
    return STRIP if EDITIONS[home].antenna else BAY


def make_start_board(
    home: str,
    players: int,
    draws: Draws,
    *,
    fair: bool = False,
    length: int | None = None,
    symmetry: str = "any",
) -> StartBoard:
    """A start board with as many start spaces as players, in mirrored pairs where nothing is in the way.

    In 2016 and the community edition it lies to the left of the other boards and robots face east; in 2005 it lies
    below them, robots face north and start spaces are numbered from the middle.

    Args:
        home: the edition that it is of.
        players: 2 to 8.
        draws: where all choices come from.
        fair: all start spaces are equally far from the boards, side by side.
        length: 6 to 20 cells, of the side at which it joins the other boards; None: as printed.
        symmetry: `"mirrored"`: pairs only, so of an odd number of players there is one start space more; `"none"`: each
            start space is drawn by itself.
    """
    plan = _Plan(home, players, draws, fair, length or STYLES[home].start_length, symmetry)
    return plan.strip() if EDITIONS[home].antenna else plan.bay()


def symmetry_of(start: StartBoard) -> str:
    """`"mirrored"` if the start spaces are their own image in the middle line of the start board, else `"none"`."""
    along = 1 if start.facing in (E, W) else 0
    spots = {(e.x, e.y) for e in start.board.elements if e.kind == "dock"}
    last = start.length - 1
    images = {(x, last - y) if along else (last - x, y) for x, y in spots}
    return "mirrored" if images == spots else "none"


@dataclass(slots=True)
class _Plan:
    """The choices for one start board."""

    home: str
    players: int
    draws: Draws
    fair: bool
    length: int
    symmetry: str

    def bay(self) -> StartBoard:
        """A docking bay of 2005."""
        spots = self._spots(self.draws.one(((2,), (3,), (2, 3), (1, 2, 3))))
        elements = [Element("dock", x, y, number=number) for number, (x, y) in enumerate(spots, 1)]
        for x in sorted({place % self.length for place in _BAY_WALLS}):
            elements += [Element("wall", x, 0, sides=(N,)), Element("wall", x, BAY - 1, sides=(S,))]
        elements += self._dividers(spots)
        if self.draws.chance(0.6):
            elements += self._feeders(spots)
        return StartBoard(Board("made_bay", self.home, self.length, BAY, tuple(elements)), None, N, ())

    def strip(self) -> StartBoard:
        """A start board of 2016 or the community edition, with the antenna in its first column."""
        middle = self.length // 2 - 1
        antenna = (0, middle)
        spots = [(x, y) for y, x in self._spots((1,) if self.fair else (1, 1, 0), avoid=(middle, 0))]
        elements = [Element("dock", x, y, number=0) for x, y in spots]
        elements += self._strip_walls()
        taken = {antenna, *spots}
        if self.draws.chance(0.7):
            elements += [Element("belt", 2, y, speed=1, out=E, feeds=(W,)) for y in (0, self.length - 1)]
        free = [(x, y) for x in (0, 1) for y in range(1, self.length - 1) if (x, y) not in taken]
        if not self.fair and self.draws.chance(0.4):
            spot = self.draws.one(free)
            elements.append(Element("energy", *spot))
            taken.add(spot)
        tokens = tuple((x, y) for x, y in free if not taken & {(x, y), (x + 1, y)})  # robots leave it to the right
        return StartBoard(Board("made_start", self.home, STRIP, self.length, tuple(elements)), antenna, E, tokens)

    def _spots(self, depths: tuple[int, ...], avoid: Cell | None = None) -> list[Cell]:
        """(place along the joining side, depth) of the start spaces, from the middle outwards and mirrored."""
        if self.symmetry == "none":
            return self._scattered(depths, avoid)
        draws = self.draws
        low, high = (self.length - 1) // 2, self.length // 2
        deep = draws.one(depths)
        found: list[Cell] = []
        aside = 0
        strict = self.symmetry == "mirrored"
        while len(found) < self.players:
            if aside > low:  # the row is full
                deep, aside = (deep + 1) % STRIP, 0
            pair = dict.fromkeys(((low - aside, deep), (high + aside, deep)))
            alone = len(pair) == 1 and (self.players - len(found)) % 2 == 0  # in the middle, if starts are mirrored
            if not (strict and (alone or avoid in pair)):
                found += [spot for spot in pair if spot != avoid and spot not in found]
            aside += 1
            spare = low + 1 - aside - (self.players - len(found) + 1) // 2
            if not self.fair:
                aside += spare > 0 and draws.chance(0.4)
                deep = draws.one(depths)
        return found if strict else found[: self.players]

    def _scattered(self, depths: tuple[int, ...], avoid: Cell | None) -> list[Cell]:
        """As `_spots`, each drawn by itself: in other depths only where these are full."""
        depths = (self.draws.one(depths),) if self.fair else depths
        cells = [(place, deep) for deep in sorted({*depths, *range(STRIP)}) for place in range(self.length)]
        asked = self.draws.shuffled([cell for cell in cells if cell != avoid and cell[1] in depths])
        others = self.draws.shuffled([cell for cell in cells if cell != avoid and cell[1] not in depths])
        return sorted((asked + others)[: self.players], key=lambda cell: (abs(2 * cell[0] + 1 - self.length), cell))

    def _dividers(self, spots: list[Cell]) -> list[Element]:
        """Walls beside start spaces, mirrored at the middle line."""
        last = self.length - 1
        walls = []
        for x, y in spots:
            if x <= last - x and self.draws.chance(0.6):
                side = self.draws.one((E, W))
                walls += [Element("wall", x, y, sides=(side,)), Element("wall", last - x, y, sides=(side ^ 2,))]
        return [wall for wall in walls if (wall.x, wall.sides) not in ((0, (W,)), (last, (E,)))]

    def _feeders(self, spots: list[Cell]) -> list[Element]:
        """A belt from each end of the bay towards the middle, in a row without start spaces there."""
        run = range(self.length // 4)
        for y in (2, 3, 1):
            ends = [(x, y) for x in run] + [(self.length - 1 - x, y) for x in run]
            beyond = (len(run), y), (self.length - 1 - len(run), y)
            if not {*ends, *beyond} & set(spots):
                left = [Element("belt", x, y, speed=1, out=E, feeds=(W,)) for x in run]
                return left + [Element("belt", self.length - 1 - x, y, speed=1, out=W, feeds=(E,)) for x in run]
        return []

    def _strip_walls(self) -> list[Element]:
        """A mirrored pair of walls between rows, and sometimes one towards the boards in the middle."""
        row, last = self.draws.between(2, self.length // 2 - 1), self.length - 1
        walls = [Element("wall", 1, row, sides=(N,)), Element("wall", 1, last - row, sides=(S,))]
        if self.draws.chance(0.6):
            walls += [Element("wall", 2, y, sides=(E,)) for y in sorted({last // 2, self.length // 2})]
        return walls
