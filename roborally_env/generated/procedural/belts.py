"""Painters of belts: rings, streams from edge to edge, chutes at corners, arms, tributaries, crossings at a gear."""

from __future__ import annotations

from roborally_env.courses.model import STEP, E, Element, N, S, W, turned_cell
from roborally_env.generated.draws import Draws
from roborally_env.generated.procedural.canvas import OFF, Canvas
from roborally_env.generated.procedural.floors import Rect

Run = list[tuple[int, int]]  # (cell, direction) of each belt, in its direction
_TRIES = 40  # to find a motif that fits
_DENSE = 0.42  # from this share on belts may lie side by side


def paint_belts(
    canvas: Canvas, goal: int, draws: Draws, exact: bool, tops: list[Rect], *, inward: bool = False
) -> None:
    """Paint runs of belts until there are `goal` of them, or about as many.

    exact: the number was given, so that single belts fill what motifs leave. tops: of plateaus, where rings fit.
    inward: only chutes at corners lead off the board, and nothing is shorter than three belts.
    """
    painter = (_InwardPainter if inward else _Painter)(canvas, goal, draws, exact)
    for top in tops:
        painter.top_ring(top)
    painter.first()
    for _ in range(_TRIES):
        if canvas.belts * 12 >= goal * 11:
            break
        painter.further()
    if exact:
        _grow(canvas, goal, draws)


class _Painter:
    """Places motif after motif, with all images; `goal`: the number of belts."""

    meshed = False  # whether gears of a crossing, which may touch, turn against each other

    def __init__(self, canvas: Canvas, goal: int, draws: Draws, exact: bool) -> None:
        self.canvas, self.goal, self.draws = canvas, goal, draws
        self.most = goal + (0 if exact else 2)
        self.airy = goal < _DENSE * canvas.cells
        fast = draws.below(3)  # boards have slow belts, fast ones, or both
        self.speeds = ((1,), (2,), (1, 2))[fast] if draws.chance(0.5) else (1, 2)

    def first(self) -> None:
        """The motif that gives the board its face."""
        motifs = (self.middle_ring, self.arm, self.stream, self.crossing, self.ring, self.spiral)
        weights = self.canvas.style.first_belts
        for motif in [self.draws.weighted(motifs, weights) for _ in range(4)]:
            if motif():
                return

    def further(self) -> None:
        """One more motif."""
        motifs = (self.chute, self.stream, self.tributary, self.ring, self.arm)
        self.draws.weighted(motifs, (3, 5, 4, 2, 3))()

    def middle_ring(self) -> bool:
        """A ring round the middle of the board, sometimes with another one inside that runs the other way."""
        canvas, draws = self.canvas, self.draws
        side = min(canvas.width, canvas.height)
        longest = (self.most + 4) // 2  # of two sides together
        least = max(1, -((longest - canvas.width - canvas.height) // 4))
        margin = draws.between(least, max(least, side // 2 - 2))
        wide, high = canvas.width - 2 * margin, canvas.height - 2 * margin
        if len(canvas.turns) < 4 and draws.chance(0.5):
            high = max(3, high - 2 * draws.between(0, 2))
        left, top = (canvas.width - wide) // 2, (canvas.height - high) // 2
        clockwise = draws.chance(0.5)
        if not self._ring(left, top, wide, high, clockwise):
            return False
        if min(wide, high) > 6 and draws.chance(0.4):
            self._ring(left + 2, top + 2, wide - 4, high - 4, not clockwise)
        return True

    def top_ring(self, top: Rect) -> bool:
        """A ring on a plateau, within its edge."""
        left, upper, right, lower = top
        if min(right - left, lower - upper) < 5 or self.draws.chance(0.4):
            return False
        return self._ring(left + 1, upper + 1, right - left - 2, lower - upper - 2, self.draws.chance(0.5))

    def ring(self) -> bool:
        """A ring somewhere."""
        canvas, draws = self.canvas, self.draws
        wide, high = draws.between(3, 5), draws.between(3, 5)
        left, top = (
            draws.between(1, max(1, canvas.width - 1 - wide)),
            draws.between(1, max(1, canvas.height - 1 - high)),
        )
        return self._ring(left, top, wide, high, draws.chance(0.5))

    def _ring(self, left: int, top: int, wide: int, high: int, clockwise: bool) -> bool:
        """A ring in a rectangle, some with stepped corners."""
        if wide < 3 or high < 3 or left + wide > self.canvas.width or top + high > self.canvas.height:
            return False
        cut = self.draws.weighted((0, 1, 2), (6, 2, 1)) if min(wide, high) > 5 else 0
        x, y = left + cut, top
        across, down = wide - 1 - 2 * cut, high - 1 - 2 * cut
        run = []
        for way, steps in (
            (E, across), (S, cut), (E, cut), (S, down), (W, cut), (S, cut),
            (W, across), (N, cut), (W, cut), (N, down), (E, cut), (N, cut),
        ):  # fmt: skip
            for _ in range(steps):
                run.append((y * self.canvas.width + x, way))
                x, y = x + STEP[way][0], y + STEP[way][1]
        return self._place(run if clockwise else _ring_backwards(run))

    def spiral(self) -> bool:
        """From an edge inwards, turning the same way all the time, or back from there."""
        canvas, draws = self.canvas, self.draws
        cell, way = self._entry()
        turn = draws.one((1, 3))
        run: Run = []
        own: set[int] = set()
        for bend in range(draws.between(3, 6)):
            steps = 0
            while self._runs_on(cell, way) and (steps < 2 or not self._meets(cell, way, own, bend)):
                run.append((cell, way))
                own.add(cell)
                cell = canvas.step[cell][way]
                steps += 1
            if steps < 2 or cell == OFF:
                break
            way = (way + turn) & 3
        return self._place(_backwards(run) if draws.chance(0.5) else run)

    def _meets(self, cell: int, way: int, own: set[int], bend: int) -> bool:
        """Whether a spiral turns here: before its own belts, and a row off the edge."""
        ahead = self.canvas.step[cell][way]
        beyond = OFF if ahead == OFF else self.canvas.step[ahead][way]
        return ahead == OFF or beyond in own or (bend == 0 and self.draws.chance(0.1))

    def _entry(self) -> tuple[int, int]:
        """A cell at an edge, no corner, and the way in."""
        canvas, draws = self.canvas, self.draws
        way = draws.below(4)
        spot = draws.between(1, (canvas.width if way in (N, S) else canvas.height) - 2)
        starts = (canvas.cells - canvas.width + spot, spot * canvas.width, spot, spot * canvas.width + canvas.width - 1)
        return starts[way], way

    def chute(self) -> bool:
        """A short run near a corner, in from one edge and out at the next, or only in or out."""
        canvas, draws = self.canvas, self.draws
        aside = draws.weighted((1, 2), (3, 1))
        down = [(aside, y, S) for y in range(aside)]
        out = [(x, aside, W) for x in range(aside, -1, -1)]
        spots = down + out
        if draws.chance(0.35):
            spots = draws.one(([*down, (aside, aside, S)], out))
        if draws.chance(0.5):
            spots = [(y, x, 3 - way) for x, y, way in spots]  # mirrored at the diagonal
        corner = draws.below(4)
        size = (canvas.width, canvas.height) if corner % 2 == 0 else (canvas.height, canvas.width)
        run = []
        for x, y, way in spots:
            x, y = turned_cell(x, y, *size, corner)
            run.append((y * canvas.width + x, (way + corner) & 3))
        return self._place(run)

    def stream(self) -> bool:
        """From an edge, with bends, to an edge or into another belt."""
        canvas, draws = self.canvas, self.draws
        cell, way = self._entry()
        if canvas.walls[cell]:
            return False
        return self._place(self._wander(cell, way, bends=draws.weighted((0, 1, 2, 3), (3, 4, 4, 2))))

    def arm(self) -> bool:
        """From the middle parts of the board to its edge or into another belt, or back from the edge."""
        canvas, draws = self.canvas, self.draws
        x, y = draws.between(2, canvas.width - 3), draws.between(2, canvas.height - 3)
        return self._place(self._wander(y * canvas.width + x, draws.below(4), draws.weighted((0, 1, 2), (2, 4, 2))))

    def tributary(self) -> bool:
        """A run that ends in the side of a belt that lies there."""
        canvas, draws = self.canvas, self.draws
        for _ in range(6):
            cell, way = draws.below(canvas.cells), draws.below(4)
            if canvas.out[cell] >= 0 and (way - canvas.out[cell]) & 1:
                run = self._wander(
                    canvas.step[cell][(way + 2) & 3], (way + 2) & 3, draws.weighted((0, 1, 2), (3, 4, 1))
                )
                return len(run) > 1 and self._place(_backwards(run))
        return False

    def crossing(self) -> bool:
        """Two straight streams that meet on a gear and go on behind it."""
        canvas, draws = self.canvas, self.draws
        x, y = draws.between(2, canvas.width - 3), draws.between(2, canvas.height - 3)
        if canvas.turns is not canvas.alone:
            x, y = canvas.width // 2 - draws.below(2), canvas.height // 2 - draws.below(2)
        gear = y * canvas.width + x
        if any(not canvas.free(c) for c, _ in canvas.images(gear, canvas.turns)):
            return False
        turn = draws.one((1, -1))
        for number, (cell, _) in enumerate(canvas.images(gear, canvas.turns)):
            canvas.put(cell, Element("gear", 0, 0, turn=-turn if self.meshed and number % 2 else turn))
        first, speed = draws.below(4), draws.one(self.speeds)
        placed = 0
        for way in (first, (first + 1) & 3):
            before, after = self._line(gear, (way + 2) & 3), self._line(gear, way)
            placed |= len(before) > 1 and self._place([(c, way) for c in reversed(before)], speed)
            placed |= len(after) > 1 and self._place([(c, way) for c in after], speed)
        return placed > 0

    def _line(self, cell: int, way: int) -> list[int]:
        """The free cells from beside a cell to an edge or an obstacle."""
        found = []
        cell = self.canvas.step[cell][way]
        while cell != OFF and self.canvas.free(cell):
            found.append(cell)
            cell = self.canvas.step[cell][way]
        return found

    def _wander(self, cell: int, way: int, bends: int) -> Run:
        """A run over free floor from a cell, with bends; it may end at an edge, at a belt or on floor."""
        canvas, draws = self.canvas, self.draws
        most = max(canvas.width, canvas.height)
        run: Run = []
        turn = draws.one((1, 3))
        for _ in range(bends):
            length = draws.between(2, most // 2 + 1)
            while length and self._runs_on(cell, way):
                run.append((cell, way))
                cell = canvas.step[cell][way]
                length -= 1
            if cell == OFF or length:
                return run
            way = (way + turn) & 3
            turn = (turn + 2) & 3 if draws.chance(0.65) else turn
        length = draws.between(3, most)
        while length and self._runs_on(cell, way):
            run.append((cell, way))
            cell = canvas.step[cell][way]
            length -= 1
        return run

    def _runs_on(self, cell: int, way: int) -> bool:
        """Whether a belt may lie there: on free floor, and not along the rim."""
        canvas = self.canvas
        if cell == OFF or not canvas.free(cell):
            return False
        return canvas.step[cell][(way + 1) & 3] != OFF and canvas.step[cell][(way + 3) & 3] != OFF

    def _place(self, run: Run, speed: int = 0) -> bool:
        """Place a run and its images, if they fit."""
        canvas, draws = self.canvas, self.draws
        if len(run) < 2 and draws.chance(0.8):
            return False
        if canvas.belts + len({cell for cell, _ in run}) > self.most:
            return False
        placed = _images(canvas, run)
        if not placed or canvas.belts + len(placed) > self.most or (self.airy and _crowded(canvas, placed, run)):
            return False
        return place_belts(canvas, placed, speed or draws.one(self.speeds))


class _InwardPainter(_Painter):
    """Brings robots onto the board and from one belt to the next, instead of off its edge."""

    meshed = True

    def further(self) -> None:
        """One more motif, more of them into belts that lie there."""
        motifs = (self.chute, self.stream, self.tributary, self.ring, self.arm)
        self.draws.weighted(motifs, (3, 3, 7, 2, 3))()

    def chute(self) -> bool:
        """As before; the only run that may lead off the board."""
        self.leaves = True
        placed = super().chute()
        self.leaves = False
        return placed

    leaves = False  # whether the present run may lead off the board

    def _place(self, run: Run, speed: int = 0) -> bool:
        """Place a run and its images, turned round if it would lead off the board."""
        if self.leaves:
            return super()._place(run, speed)
        if run and self._ends_off(run):
            run = _backwards(run)
            if self._ends_off(run):  # from edge to edge: it stops on the board
                run = run[:-2]
        return len(run) > 2 and super()._place(run, speed)

    def _ends_off(self, run: Run) -> bool:
        cell, way = run[-1]
        return self.canvas.step[cell][way] == OFF


def _backwards(run: Run) -> Run:
    """The same cells the other way round, for a run that begins straight."""
    return [(cell, (run[max(i - 1, 0)][1] + 2) & 3) for i, (cell, _) in reversed(list(enumerate(run)))]


def _ring_backwards(run: Run) -> Run:
    """The same for a ring, whose last belt leads into its first."""
    return [(cell, (run[i - 1][1] + 2) & 3) for i, (cell, _) in reversed(list(enumerate(run)))]


def _images(canvas: Canvas, run: Run) -> dict[int, int]:
    """Cell -> direction of a run and its images; empty if they collide."""
    placed: dict[int, int] = {}
    for places, quarters in canvas.turns:
        for cell, way in run:
            turned = (way + quarters) & 3
            if placed.setdefault(places[cell], turned) != turned:
                return {}
    return placed


def _crowded(canvas: Canvas, placed: dict[int, int], run: Run) -> bool:
    """Whether a run lies side by side with other belts, or with its images, for long."""
    own = {cell for cell, _ in run}
    touches = 0
    for cell, _ in run:
        for c in canvas.step[cell]:
            if c != OFF and c not in own and (canvas.out[c] >= 0 or c in placed):
                touches += 1
                break
    return touches > 2


def place_belts(canvas: Canvas, placed: dict[int, int], speed: int) -> bool:
    """Place belts, cell -> direction, if each carries to where a belt may carry; False, and no change, if not."""
    landings = []
    for cell, way in placed.items():
        if not canvas.free(cell) or canvas.walls[cell] >> way & 1:
            return False
        to = canvas.step[cell][way]
        if to == OFF:
            continue
        follows = placed.get(to, canvas.out[to])
        if follows == (way + 2) & 3 or canvas.level[to] != canvas.level[cell]:
            return False
        if follows < 0:
            if canvas.tile[to] is not None and not canvas.is_kind(to, "gear"):
                return False
            landings.append(to)
    for cell, way in placed.items():
        canvas.out[cell], canvas.speed[cell] = way, speed
        canvas.keep_clear(cell, way)
    for cell in landings:
        canvas.kept[cell] = True
    canvas.belts += len(placed)
    return True


def _grow(canvas: Canvas, goal: int, draws: Draws) -> None:
    """Add single belts that lead into others, first at the beginnings of runs, until there are `goal`."""
    while canvas.belts < goal:
        before = canvas.belts
        for lone in (True, False):
            for cell in draws.shuffled(range(canvas.cells)):
                if canvas.belts < goal and canvas.free(cell):
                    _join(canvas, cell, lone)
        if canvas.belts == before and not _begin(canvas, draws):
            return


def _join(canvas: Canvas, cell: int, lone: bool) -> None:
    """A belt that leads into a neighbour; lone: into one that nothing feeds yet."""
    for way in range(4):
        to = canvas.step[cell][way]
        if to == OFF or canvas.out[to] < 0 or canvas.out[to] == (way + 2) & 3:
            continue
        if lone and any(c != OFF and canvas.out[c] == (side + 2) & 3 for side, c in enumerate(canvas.step[to])):
            continue
        if place_belts(canvas, {cell: way}, canvas.speed[to]):
            return


def _begin(canvas: Canvas, draws: Draws) -> bool:
    """One belt where there was none to lead into."""
    for cell in draws.shuffled(range(canvas.cells)):
        for way in range(4):
            if place_belts(canvas, {cell: way}, draws.one((1, 2))):
                return True
    return False
