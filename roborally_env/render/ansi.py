"""A course, or a game on it, drawn with characters for the terminal.

Each cell is five characters wide and two high, in a grid of dots:

    ·     ·     ·━━━━━·        ━ ┃ walls          ═ ║ ⇒ blue belt   ─ │ → green belt
      ╔⇒════⇒══   ▒▒▒▒▒        ▒ pit              [1] checkpoint    @1→ robot 1, heading east
    · ║   ·     ·     ·        ◆ energy cube      R→ reboot token

A floor above the ground has its level at the upper left, ¹ ² ³, and ledges are dashed:

    ·     ·┅┅┅┅┅·¹    ·        ┅ ┇ ledge, side of a ramp
      ◉a    ►►►►a             ► ramp up to the right, switched by the buttons ◉a; ▷ it is off
    ·     ·┅┅┅┅┅·┅┅┅┅┅·
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import Any

from roborally_env.courses import EDITIONS, KINDS, Course, Element
from roborally_env.courses.links import labels_of
from roborally_env.courses.tile_kinds import TileKind
from roborally_env.render.figures import Figure, figures
from roborally_env.render.scene import Scene

_WIDE, _HIGH = 6, 3  # of a cell, with the border at its left and above it
_INNER = _WIDE - 1

_ARROWS = "↑→↓←"
_BLUE_ARROWS = "⇑⇒⇓⇐"
# index: bit d set where the belt joins side d (N E S W = 1 2 4 8)
_GREEN_LINES = " ╵╶╰╷│╭├╴╯─┴╮┤┬┼"
_BLUE_LINES = " ║═╚║║╔╠═╝═╩╗╣╦╬"
# speed -> lines, arrows, style
_BELTS = {1: (_GREEN_LINES, _ARROWS, "32"), 2: (_BLUE_LINES, _BLUE_ARROWS, "94")}
_RAMPS = {True: "▲►▼◄", False: "△▷▽◁"}
_LEVELS = " ¹²³"
_BEAMS = {0: "┊", 1: "╌", 2: "┊", 3: "╌"}

_STYLES = {
    "dot": "2",
    "wall": "1;33",
    "green": "32",
    "blue": "94",
    "pit": "90",
    "gear": "35",
    "panel": "33",
    "laser": "91",
    "energy": "92",
    "level": "1;36",
    "ramp": "36",
    "button": "1;35",
    "hazard": "31",
    "dock": "2;37",
    "antenna": "1;96",
    "checkpoint": "1;30;42",
    "token": "1;95",
    "margin": "2",
}
# kind -> style of a mark that goes wherever its cell has room; other kinds have `TileKind.style`
_MARKED = {"button": "button", "energy": "energy", "repair": "energy", "dock": "dock"}
_ROBOTS = ("30;41", "30;44", "30;43", "30;46", "30;45", "30;47", "97;100", "97;42")  # one style for each robot


def _glyph(robot: Figure) -> str:
    return f"{'~' if robot.rebooted else '@'}{robot.number}{_ARROWS[robot.facing]}"


class _Canvas:
    """Characters with styles; later ones are put over earlier ones."""

    def __init__(self, width: int, height: int) -> None:
        self._letters = [[" "] * width for _ in range(height)]
        self._styles = [[""] * width for _ in range(height)]

    def put(self, row: int, column: int, text: str, style: str) -> None:
        for i, letter in enumerate(text):
            self._letters[row][column + i] = letter
            self._styles[row][column + i] = style

    def fill(self, row: int, column: int, letter: str, style: str) -> None:
        """Put one letter on each place that is still empty."""
        if self._letters[row][column] == " ":
            self.put(row, column, letter, style)

    def loss(self, row: int, column: int, length: int) -> int:
        """How much a text would hide there: robots count most, lines of belts least."""
        spots = zip(self._letters[row], self._styles[row], strict=True)
        return sum(_loss(letter, style) for letter, style in islice(spots, column, column + length))

    def line(self, row: int, color: bool) -> str:
        letters, styles = self._letters[row], self._styles[row]
        end = max((i + 1 for i, letter in enumerate(letters) if letter != " "), default=0)
        if not color:
            return "".join(letters[:end])
        return _styled(list(zip(letters[:end], styles, strict=False)))


def _loss(letter: str, style: str) -> int:
    if letter == " ":
        return 0
    if style in _ROBOTS:
        return 1000
    return 1 if letter in _GREEN_LINES + _BLUE_LINES else 5 if letter.isdigit() else 10


def _styled(pairs: Sequence[tuple[str, str]]) -> str:
    text, current = "", ""
    for letter, style in pairs:
        if style != current:
            text += "\x1b[0m" * bool(current) + (f"\x1b[{style}m" if style else "")
            current = style
        text += letter
    return text + "\x1b[0m" * bool(current)


def draw(
    course: Course,
    robots: Iterable[Any] | None = None,
    color: bool = True,
    checkpoints: Iterable[tuple[int, int, int]] | None = None,
    cubes: Iterable[tuple[int, int]] | None = None,
    ramps: Iterable[tuple[int, int]] | None = None,
) -> str:
    """The course as lines of text, with a legend.

    robots: mappings or objects with x, y, facing (0..3 or a letter of NESW) and, if they have them, number (else
    counted from 0) and rebooted; those off the board are left out. checkpoints: (number, x, y) where they are now;
    cubes: (x, y) of the energy cubes that are left; ramps: (x, y) of those that are on; left out: as at the start.
    """
    picture = _Picture(course, [robot for robot in figures(robots) if robot.on_board], ramps)
    picture.checkpoints = tuple(course.checkpoints if checkpoints is None else checkpoints)
    picture.cubes = set(course.energy if cubes is None else cubes)
    picture.paint()
    return "\n".join([*picture.lines(color), "", *picture.legend(color)]) + "\n"


class _Picture:
    """Paints the layers of one picture, from the floor up."""

    def __init__(self, course: Course, robots: list[Figure], ramps: Iterable[tuple[int, int]] | None) -> None:
        self.course = course
        self.robots = robots
        self.scene = Scene(course, ((robot.x, robot.y) for robot in robots), ramps)
        self.labels = labels_of(course.elements)
        self.checkpoints: tuple[tuple[int, int, int], ...] = ()
        self.cubes: set[tuple[int, int]] = set()
        self.canvas = _Canvas(course.width * _WIDE + 1, course.height * _HIGH + 1)
        self.cells = [(x, y) for y in range(course.height) for x in range(course.width) if course.on_board(x, y)]

    def paint(self) -> None:
        self._grid()
        for kind, paint in self._painters().items():
            for element in self.course.elements:
                if element.kind == kind:
                    paint(element)
        self._ledges()
        self._walls()
        self._levels()
        self._marks()
        for element in self.course.elements:
            if element.kind == "laser":
                self._beam(element)

    def _painters(self) -> dict[str, Callable[[Element], None]]:
        return {
            "pit": self._pit,
            "belt": self._belt,
            "gear": self._gear,
            "panel": lambda e: self._floor(e, f"P{_ARROWS[e.push]}{_digits(e)}"[-_INNER:], "panel"),
            "ramp": self._ramp,
            "laser": self._emitter,
        }

    def _grid(self) -> None:
        for x, y in self.cells:
            for dx, dy in ((0, 0), (1, 0), (0, 1), (1, 1)):
                self.canvas.put((y + dy) * _HIGH, (x + dx) * _WIDE, "·", _STYLES["dot"])

    def _pit(self, pit: Element) -> None:
        for row in (1, 2):
            self.canvas.put(pit.y * _HIGH + row, pit.x * _WIDE + 1, "▒" * _INNER, _STYLES["pit"])

    def _belt(self, belt: Element) -> None:
        """The line through the cell, bent as the belt bends, with its arrow right of the middle."""
        lines, arrows, style = _BELTS[belt.speed]
        row, column = belt.y * _HIGH + 1, belt.x * _WIDE + 1
        along, across = lines[0b1010], lines[0b0101]
        # side -> what joins the middle with it: row and column from the cell's, text
        arms = {0: (-1, 2, across), 1: (0, 4, along * 2), 2: (1, 2, across), 3: (0, 0, along * 2)}
        sides = {belt.out, *belt.feeds}
        for side in sides:
            down, right, text = arms[side]
            self.canvas.put(row + down, column + right, text, style)
        self.canvas.put(row, column + 2, lines[sum(1 << side for side in sides)] + arrows[belt.out], style)

    def _gear(self, gear: Element) -> None:
        crowded = any((gear.x, gear.y) == (x, y) for _, x, y in self.checkpoints)
        arrow, word = ("↻", " cw") if gear.turn > 0 else ("↺", " ccw")
        self._floor(gear, arrow if crowded else arrow + word, "gear")

    def _ramp(self, ramp: Element) -> None:
        letters = self.labels[ramp.x, ramp.y, "ramp"]
        arrow = _RAMPS[(ramp.x, ramp.y) in self.scene.heights.on][ramp.out]
        self._floor(ramp, arrow * (_INNER - len(letters)) + letters, "ramp")

    def _floor(self, element: Element, text: str, style: str) -> None:
        self.canvas.put(element.y * _HIGH + 1, element.x * _WIDE + 1, text[:_INNER], _STYLES[style])

    def _emitter(self, laser: Element) -> None:
        text = ("T" if laser.two_ended else "L") * laser.beams + _ARROWS[laser.fires]
        column = laser.x * _WIDE + (1 if laser.fires == 1 else _WIDE - len(text))
        self.canvas.put(laser.y * _HIGH + 2, column, text, _STYLES["laser"])

    def _walls(self) -> None:
        for x, y, side in self.scene.walls:
            self._edge(x, y, side, "━┃", "wall")

    def _edge(self, x: int, y: int, side: int, lines: str, style: str) -> None:
        """Draw one side of a cell; `lines` has the horizontal and the vertical character."""
        if (side == 0 or side == 2) and 0 <= x < self.course.width:
            row = (y + (side == 2)) * _HIGH
            self.canvas.put(row, x * _WIDE + 1, lines[0] * _INNER, _STYLES[style])
        elif (side == 1 or side == 3) and 0 <= y < self.course.height:
            for row in (1, 2):
                self.canvas.put(y * _HIGH + row, (x + (side == 1)) * _WIDE, lines[1], _STYLES[style])

    def _ledges(self) -> None:
        """Draw ledges between floors of different height, and along ramps."""
        heights = self.scene.heights
        for x, y in self.cells:
            for side, (dx, dy) in ((1, (1, 0)), (2, (0, 1))):
                if self.course.on_board(x + dx, y + dy) and heights.is_ledge((x, y), side):
                    self._edge(x, y, side, "┅┇", "level")

    def _levels(self) -> None:
        for x, y in self.cells:
            if level := self.scene.heights.level((x, y)):
                self.canvas.put(y * _HIGH, x * _WIDE + 1, _LEVELS[level], _STYLES["level"])

    def _marks(self) -> None:
        """Draw robots first: later marks take another place if a cell is full."""
        for robot in self.robots:
            self._mark(robot.x, robot.y, _glyph(robot), _ROBOTS[robot.number % len(_ROBOTS)])
        for number, x, y in self.checkpoints:
            self._mark(x, y, f"[{number}]", "checkpoint")
        for x, y, facing in self.course.reboots:
            self._mark(x, y, f"R{_ARROWS[facing]}", "token")
        for element in self.course.elements:
            if style := _MARKED.get(element.kind) or KINDS[element.kind].style:
                self._mark(element.x, element.y, self._mark_of(element), style)
        if self.course.antenna:
            x, y, facing = self.course.antenna
            self._mark(x, y, f"ANT{_ARROWS[facing]}", "antenna")

    def _mark_of(self, element: Element) -> str:
        match element.kind:
            case "energy":
                return "◆" if (element.x, element.y) in self.cubes else "◇"
            case "button":
                letters = self.labels[element.x, element.y, "button"]
                return f"◉{letters if len(letters) < _INNER else letters[: _INNER - 2] + '…'}"
            case "dock":
                return f"dock{element.number or ''}"
        return KINDS[element.kind].letters(element)

    def _mark(self, x: int, y: int, text: str, style: str) -> None:
        """Write into a free place of the cell, the lower line first; in a full cell on the place that hides least."""
        style = _STYLES.get(style, style)
        places = [(row, column) for row in (2, 1) for column in range(1, _WIDE - len(text) + 1)]
        places = [(y * _HIGH + row, x * _WIDE + column) for row, column in places]
        place = min(places, key=lambda place: self.canvas.loss(place[0], place[1], len(text)))
        self.canvas.put(*place, text, style)

    def _beam(self, laser: Element) -> None:
        """A beam leaves its emitter until a wall, the antenna, a robot or the end of the course stops it."""
        cells = self.scene.beam_cells(laser)
        for x, y in cells:
            self._beam_in(x, y, laser.fires)
            if (x, y) != cells[-1]:
                self._beam_between(x, y, laser.fires)

    def _beam_in(self, x: int, y: int, way: int) -> None:
        row, column = y * _HIGH, x * _WIDE
        along = [(row + 2, column + i) for i in range(1, _WIDE)]
        down = [(row + 1, column + _INNER), (row + 2, column + _INNER)]
        for spot in along if way % 2 else down:
            self.canvas.fill(*spot, _BEAMS[way], _STYLES["laser"])

    def _beam_between(self, x: int, y: int, way: int) -> None:
        """Draw the beam across the border to the next cell."""
        if way % 2:
            self.canvas.fill(y * _HIGH + 2, (x + (way == 1)) * _WIDE, _BEAMS[way], _STYLES["laser"])
        else:
            self.canvas.fill((y + (way == 2)) * _HIGH, x * _WIDE + 5, _BEAMS[way], _STYLES["laser"])

    def lines(self, color: bool) -> list[str]:
        """The picture with the coordinates at its margins."""
        numbers = "   " + "".join(f"{x:^{_WIDE}}" for x in range(self.course.width)).rstrip()
        rows = []
        for row in range(self.course.height * _HIGH + 1):
            y, part = divmod(row, _HIGH)
            line = self.canvas.line(row, color)
            margin = f"{y:2d} " if part == 1 else "   "
            rows.append(_margin(margin if line else margin.rstrip(), color) + line)
        return [_margin(numbers, color), *rows]

    def legend(self, color: bool) -> list[str]:
        """One entry for each thing in the picture."""
        course, names = self.course, EDITIONS[self.course.edition]
        kinds = {e.kind for e in course.elements}
        two_ended = {e.two_ended for e in course.elements if e.kind == "laser"}
        bare = any(e.kind == "energy" and (e.x, e.y) not in self.cubes for e in course.elements)
        speeds = {e.speed for e in course.elements if e.kind == "belt"}
        repairs = {e.level for e in course.elements if e.kind == "repair"}
        numbered = any(number for number, _, _ in course.docks)
        marked = "powered down" if names.special else "rebooted"
        entries = [
            (1 in speeds, "green", "──→", f"{names.belt_names[0]}, 1 step"),
            (2 in speeds, "blue", "══⇒", f"{names.belt_names[1]}, 2 steps"),
            ("gear" in kinds, "gear", "↻ ↺", "gear"),
            ("pit" in kinds, "pit", "▒▒▒", "pit"),
            (bool(self.scene.walls), "wall", "━ ┃", "wall"),
            ("panel" in kinds, "panel", "P→24", "push panel, registers"),
            (not self.scene.heights.flat, "level", "¹ ² ³", "level of the floor"),
            (not self.scene.heights.flat, "level", "┅ ┇", "ledge, side of a ramp"),
            ("ramp" in kinds, "ramp", "►►► ▷▷▷", "ramp up, on or off"),
            ("button" in kinds, "button", "◉a", "button of the ramps a"),
            *((kind.name in kinds, kind.style, *explained(kind)) for kind in KINDS.values() if kind.style),
            (False in two_ended, "laser", "L→╌", "laser, a letter a beam"),
            (True in two_ended, "laser", "T→╌", "end of a two-ended laser"),
            (bool(self.cubes), "energy", "◆", "energy cube"),
            (bare, "energy", "◇", "energy space, no cube"),
            (1 in repairs, "energy", "r1", "repair site, wrench"),
            (2 in repairs, "energy", "r2", "repair site, two tools"),
            ("dock" in kinds, "dock", "dock1" if numbered else "dock", "start space"),
            (course.antenna is not None, "antenna", "ANT→", "antenna, its dish"),
            (bool(self.checkpoints), "checkpoint", "[1]", names.checkpoint),
            (bool(course.reboots), "token", "R→", "reboot token"),
            (bool(self.robots), _ROBOTS[0], "@1→", f"robot 1, heading (~ {marked})"),
        ]
        shown = [(glyph, _STYLES.get(style, style), words) for there, style, glyph, words in entries if there]
        return _columns(shown, color)


def explained(kind: TileKind) -> tuple[str, str]:
    """Letters and words of a kind in the legend."""
    return kind.letters(kind.example), kind.title + (", registers" if kind.example.registers else "")


def _margin(text: str, color: bool) -> str:
    return f"\x1b[{_STYLES['margin']}m{text}\x1b[0m" if color else text


def _digits(element: Element) -> str:
    return "1-5" if len(element.registers) == 5 else "".join(map(str, element.registers))


def _columns(entries: list[tuple[str, str, str]], color: bool) -> list[str]:
    """The legend's entries, as many to a line as fit into 100 characters."""
    width = 3 + max((len(glyph) + len(words) for glyph, _, words in entries), default=0)
    across = max(1, 97 // width)
    lines = []
    for i in range(0, len(entries), across):
        line = "   "
        for glyph, style, words in entries[i : i + across]:
            shown = f"\x1b[{style}m{glyph}\x1b[0m" if color else glyph
            line += f"{shown} {words}".ljust(width + len(shown) - len(glyph))
        lines.append(line.rstrip())
    return lines
