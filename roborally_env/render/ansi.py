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

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from roborally_env.courses import EDITIONS, KINDS, Course, Element
from roborally_env.courses.pictures import FREE, POINTERS, Entry, Letters
from roborally_env.courses.scene import Scene
from roborally_env.courses.tile_kinds import TileKind, bottom_up
from roborally_env.courses.tiles.belt import LINES
from roborally_env.render.figures import Figure, figures

_WIDE, _HIGH = 6, 3  # of a cell, with the border at its left and above it
_INNER = _WIDE - 1
_MARGIN = 3  # characters at the left
_LEGEND, _MOST = 60, 100  # characters of the legend's lines: as wide as the picture, within these

_LINES = frozenset("".join(LINES.values()))
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
# the order of the kinds in the legend; those that are not named come between
_FIRST = ("belt", "gear", "pit", "wall", "panel", "level", "ramp", "button")
_LAST = ("laser", "energy", "repair", "dock")
_ROBOTS = ("30;41", "30;44", "30;43", "30;46", "30;45", "30;47", "97;100", "97;42")  # one style for each robot


def _glyph(robot: Figure) -> str:
    return f"{'~' if robot.rebooted else '@'}{robot.number}{POINTERS[robot.facing]}"


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
    return 1 if letter in _LINES else 5 if letter.isdigit() else 10


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
    robots: Iterable[object] | None = None,
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
    seen = [robot for robot in figures(robots) if robot.on_board]
    picture = _Picture(Scene(course, ((robot.x, robot.y) for robot in seen), ramps, checkpoints, cubes), seen)
    picture.paint()
    return "\n".join([*picture.lines(color), "", *picture.legend(color)]) + "\n"


class _Picture:
    """Paints the layers of one picture, from the floor up."""

    def __init__(self, scene: Scene, robots: list[Figure]) -> None:
        self.scene = scene
        self.course = course = scene.course
        self.robots = robots
        self.canvas = _Canvas(course.width * _WIDE + 1, course.height * _HIGH + 1)
        self.cells = [(x, y) for y in range(course.height) for x in range(course.width) if course.on_board(x, y)]

    def paint(self) -> None:
        self._grid()
        for kind in bottom_up():
            for element in self.course.elements:
                if element.kind == kind.name:
                    self._fixed(element)
        self._ledges()
        self._walls()
        self._levels()
        self._marks()
        for element in self.course.elements:
            if element.kind == "laser":
                self._beam(element)

    def _grid(self) -> None:
        for x, y in self.cells:
            for dx, dy in ((0, 0), (1, 0), (0, 1), (1, 1)):
                self.canvas.put((y + dy) * _HIGH, (x + dx) * _WIDE, "·", _STYLES["dot"])

    def _fixed(self, e: Element) -> None:
        """Write the letters of a tile that have their places."""
        for text, style, row, column in _letters(e, self.scene):
            if column != FREE:
                self.canvas.put(e.y * _HIGH + 1 + row, e.x * _WIDE + 1 + column, text, _STYLES.get(style, style))

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
        for number, x, y in self.scene.checkpoints:
            self._mark(x, y, f"[{number}]", "checkpoint")
        for x, y, facing in self.course.reboots:
            self._mark(x, y, f"R{POINTERS[facing]}", "token")
        for element in self.course.elements:
            for text, style, _, column in _letters(element, self.scene):
                if column == FREE:
                    self._mark(element.x, element.y, text, style)
        if self.course.antenna:
            x, y, facing = self.course.antenna
            self._mark(x, y, f"ANT{POINTERS[facing]}", "antenna")

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
        between = (name for name in KINDS if name not in _FIRST + _LAST)
        entries = [entry for name in (*_FIRST, *between, *_LAST) for entry in self._tile(KINDS[name])]
        return _columns([*entries, *self._pieces()], color, max(_LEGEND, _MARGIN + self.course.width * _WIDE + 1))

    def _tile(self, kind: TileKind) -> Iterator[Entry]:
        """The entries of a kind; walls and levels are there also where no tile of that name is."""
        elements = [e for e in self.course.elements if e.kind == kind.name]
        if kind.name == "wall" and self.scene.walls:
            yield Entry("━ ┃", "wall", "wall")
        elif kind.name == "level" and not self.scene.heights.flat:
            yield Entry("¹ ² ³", "level", "level of the floor")
            yield Entry("┅ ┇", "level", "ledge, side of a ramp")
        elif elements and kind.legend:
            yield from kind.legend(elements, self.scene)
        elif elements and kind.style:
            glyph, words = explained(kind)
            yield Entry(glyph, kind.style, words)

    def _pieces(self) -> Iterator[Entry]:
        names = EDITIONS[self.course.edition]
        if self.course.antenna is not None:
            yield Entry("ANT→", "antenna", "antenna, its dish")
        if self.scene.checkpoints:
            yield Entry("[1]", "checkpoint", names.checkpoint)
        if self.course.reboots:
            yield Entry("R→", "token", "reboot token")
        if self.robots:
            marked = "powered down" if names.special else "rebooted"
            yield Entry("@1→", _ROBOTS[0], f"robot 1, heading (~ {marked})")


def explained(kind: TileKind) -> tuple[str, str]:
    """Letters and words of a kind in the legend."""
    return kind.letters(kind.example), kind.title + (", registers" if kind.example.registers else "")


def _margin(text: str, color: bool) -> str:
    return f"\x1b[{_STYLES['margin']}m{text}\x1b[0m" if color else text


def _letters(e: Element, scene: Scene) -> Iterable[Letters]:
    kind = KINDS[e.kind]
    if kind.text:
        return kind.text(e, scene)
    return [Letters(kind.letters(e), kind.style)] if kind.style else []


def _columns(entries: list[Entry], color: bool, room: int) -> list[str]:
    """The legend's entries, as many to a line as fit into `room` characters."""
    width = 3 + max((len(each.text) + len(each.words) for each in entries), default=0)
    across = max(1, (min(room, _MOST) - _MARGIN + 2) // width)
    lines = []
    for i in range(0, len(entries), across):
        line = "   "
        for glyph, style, words in entries[i : i + across]:
            shown = f"\x1b[{_STYLES.get(style, style)}m{glyph}\x1b[0m" if color else glyph
            line += f"{shown} {words}".ljust(width + len(shown) - len(glyph))
        lines.append(line.rstrip())
    return lines
