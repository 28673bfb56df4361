"""Whether a robot alone can get from the start spaces to checkpoint 1, and from each checkpoint to the next.

An optimistic search over (cell, facing): every register offers Move 1 to 3, Back Up, all turns and standing still.
Then belts carry, panels push or do not push, gears turn, robots slide down ramps, and trapdoors open or stay closed,
whichever helps. Ramps with a button that a robot can reach may be on or off, other ramps are as at the start. A robot
that falls goes on with any facing from its reboot token, start space or archive marker. A place that this search does
not reach cannot be reached by any robot (for boards that turn: as they lie at the start).
"""

from collections.abc import Collection, Iterable, Iterator

from roborally_env.courses.heights import Heights, linked_ramps
from roborally_env.courses.model import EDITIONS, STEP, Course
from roborally_env.courses.scene import Scene
from roborally_env.courses.yards import yard_cells

Cell = tuple[int, int]
# x, y, facing. (-1, board, 0): the robot comes back at the round's end at that board's reboot place; _HOME: it comes
# back on its own start space
Spot = tuple[int, int, int]
_HOME: Spot = (-1, -1, 0)


def unreachable(course: Course) -> list[tuple[int, str]]:
    """(checkpoint number, the place from which robots cannot reach it), in order; empty if a race can be finished."""
    search = _with_buttons(course)
    if "capture_the_flag" in course.special_rules:
        return list(_flags_out_of_reach(course, search))
    tracks = {number: search.track(x, y) for number, x, y in course.checkpoints}
    docks = [(x, y) for _, x, y in course.docks]
    lost = []
    if 1 in tracks:
        for x, y in docks:
            if not search.finds([(x, y, course.start_facing)], tracks[1], [(x, y)]):
                lost.append((1, f"the start space at x={x}, y={y}"))
    for number, track in tracks.items():
        cells = tracks.get(number - 1, set())
        if cells and not search.finds(_any_facing(cells), track, docks if search.tokens else cells):
            lost.append((number, f"checkpoint {number - 1}"))
    return lost


def _with_buttons(course: Course) -> "_Search":
    """The search in which a ramp may be on or off if robots can get from the start spaces to one of its buttons."""
    docks = [(x, y) for _, x, y in course.docks]
    buttons = [e for e in course.elements if e.kind == "button"]
    switched: set[Cell] = set()
    while True:
        search = _Search(course, switched)
        if switched == linked_ramps(buttons):
            return search
        reached = {spot[:2] for spot in search.spread(((x, y, course.start_facing) for x, y in docks), docks)}
        reached |= search.entered_in_passing
        found = linked_ramps(e for e in buttons if (e.x, e.y) in reached)
        if found <= switched:
            return search
        switched |= found


def _flags_out_of_reach(course: Course, search: "_Search") -> Iterator[tuple[int, str]]:
    """Capture the Flag: whether each flag can be reached from the home rows of the other team."""
    yards = yard_cells(course)
    for number, x, y in course.checkpoints:
        home = course.board_at[y][x]
        cells = [cell for cell, board in yards.items() if board != home]
        if not search.finds(_any_facing(cells), {(x, y)}, cells):
            yield number, "the back rows of the other board"


def _any_facing(cells: Iterable[Cell]) -> list[Spot]:
    return [(x, y, facing) for x, y in cells for facing in range(4)]


class _Search:
    """The registers of one robot on one course."""

    def __init__(self, course: Course, switched: Collection[Cell] | None = None) -> None:
        """`switched`: the ramps that may be on or off; default: all that have a button."""
        self.course = course
        self.cells = {(x, y) for y in range(course.height) for x in range(course.width) if course.on_board(x, y)}
        self.belts = {(e.x, e.y): e for e in course.elements if e.kind == "belt"}
        self.panels = {(e.x, e.y): e.push for e in course.elements if e.kind == "panel"}
        self.gears = {(e.x, e.y): e.turn for e in course.elements if e.kind == "gear"}
        scene = Scene(course)
        self.walls, self.pits, self.entered = scene.walls, scene.pits, scene.entered
        self.puddles = {(e.x, e.y) for e in course.elements if e.kind == "puddle"}
        self.trapdoors = {(e.x, e.y): e.registers for e in course.elements if e.kind == "trapdoor"}
        self.heights = Heights(course.elements, either=linked_ramps(course.elements) if switched is None else switched)
        self.antenna = course.antenna[:2] if course.antenna else None
        self.passes = EDITIONS[course.edition].belts
        self.tokens = EDITIONS[course.edition].tokens
        self.landings = _landings(course)
        self.late = EDITIONS[course.edition].late
        # cells that take the archive marker of a robot at the end of a register: it comes back there
        marks = [(x, y) for _, x, y in course.checkpoints] + [(e.x, e.y) for e in course.elements if e.kind == "repair"]
        self.archives = set() if self.tokens else set(marks)
        self.entered_in_passing: set[Cell] = set()  # whether or not a robot may end a register there
        self.after: dict[Spot, list[Spot]] = {}
        self.settled: dict[Spot, list[Spot]] = {}

    def finds(self, start: Iterable[Spot], goal: Collection[Cell], homes: Collection[Cell]) -> bool:
        """Whether a robot gets from `start` to a cell of `goal`; after a fall it first comes back on one of `homes`."""
        return any(spot[:2] in goal for spot in self.spread(start, homes))

    def spread(self, start: Iterable[Spot], homes: Collection[Cell]) -> Iterator[Spot]:
        """The places that a robot reaches from `start`, in the order of the search; a place may come twice."""
        seen = set(start)
        todo = list(seen)
        while todo:
            spot = todo.pop()
            for following in self._register(spot, homes):
                yield following
                for each in _any_facing([following[:2]]) if following[:2] in self.archives else (following,):
                    if each not in seen:
                        seen.add(each)
                        todo.append(each)

    def track(self, x: int, y: int) -> set[Cell]:
        """The cells on which the checkpoint of (x, y) can lie: one cell, unless something carries the checkpoint."""
        if EDITIONS[self.course.edition].riding:
            return self._ridden((x, y))
        cells = {(x, y)}
        while self.course.moving_checkpoints and (x, y) in self.belts:
            step = self._step(x, y, self.belts[x, y].out)
            if step is None or step not in self.cells or step in self.pits or step in cells:
                break
            x, y = step
            cells.add(step)
        return cells

    def _ridden(self, cell: Cell) -> set[Cell]:
        """The same for editions in which belts and pushers carry checkpoints, but never out of reach."""
        cells, todo = {cell}, [cell]
        while todo:
            x, y = cell = todo.pop()
            ways = {self.belts[cell].out} if cell in self.belts else set()
            for way in ways | ({self.panels[cell]} if cell in self.panels else set()):
                step = self._step(x, y, way)
                if step is None or step in cells or step not in self.cells or step in self.pits:
                    continue
                if self.heights.level(step) == self.heights.level(cell):
                    cells.add(step)
                    todo.append(step)
        return cells

    def _register(self, spot: Spot, homes: Iterable[Cell]) -> Iterable[Spot]:
        if spot[0] < 0:
            return _any_facing(homes if spot == _HOME else [self.landings[spot[1]] or (0, 0)])
        if spot not in self.after:
            self.after[spot] = list({end for moved in self._moves(spot) for end in self._settle(moved)})
        return self.after[spot]

    def _moves(self, spot: Spot) -> Iterator[Spot]:
        x, y, facing = spot
        for turn in range(4):
            yield x, y, (facing + turn) & 3
        yield from self._slide(spot, (facing + 2) & 3, 1)
        yield from self._slide(spot, facing, 3)

    def _slide(self, spot: Spot, way: int, steps: int) -> Iterator[Spot]:
        """The ends of 1, 2, .. `steps` steps in a direction; a fall ends the move. Leaving a puddle takes two steps."""
        while steps > 0:
            steps -= 2 if spot[:2] in self.puddles else 1
            if steps < 0:
                return
            step = self._step(spot[0], spot[1], way)
            if step is None:
                return
            if step not in self.cells or step in self.pits:
                yield from self._fall(spot, step)
                return
            spot = (*step, spot[2])
            yield spot

    def _step(self, x: int, y: int, way: int) -> Cell | None:
        """The neighbour cell, on a board or not; None behind a wall or a ledge, or where the antenna stands."""
        step = x + STEP[way][0], y + STEP[way][1]
        if (x, y, way) in self.walls or step == self.antenna or self.entered.get(step, way) != way:
            return None
        if step in self.cells and not self.heights.drops((x, y), way):
            return None
        self.entered_in_passing.add(step)
        return step

    def _fall(self, spot: Spot, into: Cell) -> Iterator[Spot]:
        """The place of a robot after a fall (R16): the token of the pit's board, or of the board whose edge it left."""
        x, y = into if into in self.pits else spot[:2]
        board = self.course.board_at[y][x]
        landing = self.landings[board]
        if landing is None:
            yield _HOME
        elif self.late:
            yield -1, board, 0
        else:
            yield from ((*landing, facing) for facing in range(4))

    def _settle(self, spot: Spot) -> list[Spot]:
        """The places to which the board elements of a register may bring a robot."""
        if spot not in self.settled:
            spots = [spot]
            for speeds in self.passes:
                spots = [end for each in spots for end in self._carried(each, speeds)]
            spots = [end for each in spots for end in self._pushed(each)]
            spots = [(x, y, (f + self.gears.get((x, y), 0)) & 3) for x, y, f in spots]
            self.settled[spot] = [end for each in spots for down in self._slid(each) for end in self._dropped(down)]
        return self.settled[spot]

    def _carried(self, spot: Spot, speeds: tuple[int, ...]) -> Iterable[Spot]:
        x, y, facing = spot
        belt = self.belts.get((x, y))
        if belt is None or belt.speed not in speeds:
            return [spot]
        step = self._step(x, y, belt.out)
        if step is None:
            return [spot]
        stays = [spot] if self.heights.either & {spot[:2], step} else []  # a ramp may be in the way
        if step not in self.cells or step in self.pits:
            return stays + list(self._fall(spot, step))
        onto = self.belts.get(step)
        if onto is not None and (belt.out + 2) & 3 in onto.feeds:
            facing = (facing + onto.out - belt.out) & 3
        return [*stays, (*step, facing)]

    def _pushed(self, spot: Spot) -> list[Spot]:
        push = self.panels.get(spot[:2])
        return [spot] if push is None else [spot, *self._step_to(spot, push)]

    def _step_to(self, spot: Spot, way: int) -> Iterator[Spot]:
        """One step by a board element, not by a card."""
        step = self._step(spot[0], spot[1], way)
        if step is not None and (step not in self.cells or step in self.pits):
            yield from self._fall(spot, step)
        elif step is not None:
            yield (*step, spot[2])

    def _slid(self, spot: Spot) -> list[Spot]:
        """The places after sliding down a ramp that is on; a ramp with a button may be off."""
        cell = spot[:2]
        if cell not in self.heights.ramps or (cell not in self.heights.on and cell not in self.heights.either):
            return [spot]
        way = (self.heights.ramps[cell].out + 2) & 3
        foot = cell[0] + STEP[way][0], cell[1] + STEP[way][1]
        down = list(self._step_to(spot, way))
        return [spot, *down] if self.heights.either & {cell, foot} else down or [spot]

    def _dropped(self, spot: Spot) -> Iterator[Spot]:
        """The places after a trapdoor, which opens in some registers or in all."""
        opens = self.trapdoors.get(spot[:2], ())
        if len(opens) < 5:
            yield spot
        if opens:
            yield from self._fall(spot, spot[:2])


def _landings(course: Course) -> list[Cell | None]:
    """board -> the cell on which a robot that falls there reboots; None: its own start space (R16).

    A token on a board with start spaces is for all boards.
    """
    start_boards = {course.board_at[y][x] for _, x, y in course.docks}
    tokens = {course.board_at[y][x]: (x, y) for x, y, _ in course.reboots}
    common = next((tokens[board] for board in sorted(start_boards) if board in tokens), None)
    return [tokens.get(board) if common is None else common for board in range(len(course.boards))]
