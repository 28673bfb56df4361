"""Kinds of tiles: one row has all facts about a kind outside compiled code.

The built-in kinds are the modules of `roborally_env/courses/tiles`; an edition from outside brings its own
(`roborally_env.editions.Edition.tiles`). Both are registered by `add_tile`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from roborally_env.base.errors import RoboRallyError
from roborally_env.base.types import Json, JsonObject
from roborally_env.courses.model import EDITIONS, HAS, KINDS, Course, Element
from roborally_env.courses.tile_tokens import FLOOR, Around, token_of
from roborally_env.courses.values import ElementKey

if TYPE_CHECKING:
    from roborally_env.courses.pictures import Entry, Letters
    from roborally_env.courses.scene import Scene

COLORS: dict[str, tuple[str, str]] = {}  # of all kinds: name -> light, dark


def table_value(e: Element) -> int:
    """The default of `TileKind.value`: the registers as bits, or 1."""
    return sum(1 << (k - 1) for k in e.registers) or 1


@dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
class TileKind:
    """A kind of tile. Only `name` is required; a wall has no token, because it is drawn between the cells.

    Attributes:
        name: `kind` of its elements, in scenarios too.
        title: its name in messages and legends; default: `name`.

        token: how it is written in drawings: a text with fields in braces, as `Y{out}` (see `tile_tokens`), or a Token.
        examples: written tokens for the table of the notation; each must be readable.
        meaning: its line in that table.
        keys: the keys of its object in a scenario's map besides kind, x and y; default: those of the token's fields.

        excludes: the kinds that cannot be in the same cell.
        repeats: whether several may lie in one cell.
        fills: the part of its cell that it takes in a scenario's map, where each part can be taken once; default: name.
        no_antenna: words for a tile on which no antenna can stand; empty if it can.
        check: yields other mistakes of a tile, one line for each.

        dtype: dtype of the field of the course tables that compiled code reads as `course.<name>[cell]`; empty: none.
        value: the value of that field for an element.
        acts: the step of a register in which it acts on a robot on it, one of `model.HAS`; empty: none.
        has: other entries of `model.HAS` for a course with one; "panels" means that it acts in some registers only.

        svg: its picture as SVG around (0, 0), 100 wide, heading north; `$name` stands for a colour. It is turned by
            `out`, and a plate with the registers is put on it. Default: only the plate, with the token.
        picture: the same for a tile whose picture depends on what lies around it, or on the race: its SVG in the units
            of the course (`courses.pictures`).
        under: the SVG of a layer below all tiles of this kind on a course.
        attributes: SVG attributes of all its pictures.
        over: the kind directly above which it is drawn; empty: above the floor.
        colors: its own colours: name -> light, dark.
        style: the style of its letters in the terminal, a name of `render.ansi` or a code as "1;34". They stand where
            its cell has room.
        mark: the letters, if they are not the token.
        text: the same for a tile whose letters have fixed places, or depend on what lies around it or on the race.
        legend: the entries of such tiles in the legend in the terminal.

        plane: the plane of the observation that shows it; empty: none.
        shown: the bits on that plane, by the facing of the observing robot.
        seen: the meaning of the bits, as in "32 a geyser".
    """

    name: str
    title: str = ""
    token: Json = ""
    examples: tuple[str, ...] = ()
    meaning: str = ""
    keys: tuple[ElementKey, ...] = ()
    excludes: tuple[str, ...] = ()
    repeats: bool = False
    fills: tuple[str, ...] | None = None
    no_antenna: str = ""
    check: Callable[[Course, Element], Iterable[str]] = lambda course, e: ()
    dtype: str = ""
    value: Callable[[Element], int] = table_value
    acts: str = ""
    has: tuple[str, ...] = ()
    svg: Callable[[Element], str] | None = None
    picture: Callable[[Element, Scene], str] | None = None
    under: Callable[[Sequence[Element], Scene], str] | None = None
    attributes: str = ""
    over: str = "dock"
    colors: Mapping[str, tuple[str, str]] = dataclasses.field(default_factory=dict)
    style: str = ""
    mark: Callable[[Element], str] | None = None
    text: Callable[[Element, Scene], Iterable[Letters]] | None = None
    legend: Callable[[Sequence[Element], Scene], Iterable[Entry]] | None = None
    plane: str = ""
    shown: Callable[[Element, int], int] = lambda e, facing: 0
    seen: str = ""

    def __post_init__(self) -> None:
        if isinstance(self.token, str) and self.token:
            token, keys = token_of(self.token)
            object.__setattr__(self, "token", token)
            object.__setattr__(self, "keys", self.keys or keys)
        object.__setattr__(self, "title", self.title or self.name.replace("_", " "))
        object.__setattr__(self, "fills", (self.name,) if self.fills is None else self.fills)

    def read(self, text: str) -> JsonObject | None:
        """The fields of the element that a token stands for; None for a token of another kind."""
        match = self.token.pattern.fullmatch(text) if self.token else None
        return match and self.token.read(match)

    def letters(self, e: Element) -> str:
        """The letters of the element in a picture for the terminal."""
        text = self.mark(e) if self.mark else self.token.write(e, Around())
        return text.translate(str.maketrans("^>v<", "↑→↓←")).replace("12345", "1-5")

    @property
    def editions(self) -> tuple[str, ...]:
        """The names of the editions that have it."""
        return tuple(name for name, edition in EDITIONS.items() if self.name in edition.kinds)

    @property
    def example(self) -> Element:
        """The element of the first example."""
        return Element(self.name, 0, 0, **(self.read(self.examples[0]) or {}))


def add_tile(kind: TileKind) -> None:
    """Register a kind of tile. Raises RoboRallyError if its name or token is taken."""
    check_tile(kind)
    KINDS[kind.name] = kind
    COLORS.update(kind.colors)


def remove_tile(kind: TileKind) -> None:
    """Undo `add_tile`."""
    del KINDS[kind.name]
    for name in kind.colors:
        del COLORS[name]


def bottom_up(above: str = "") -> Iterator[TileKind]:
    """The kinds above one, or above the floor, in the order in which they are drawn."""
    for kind in reversed(KINDS.values()):
        if kind.over == above:
            yield kind
            yield from bottom_up(kind.name)


def check_tile(kind: TileKind, beside: Iterable[TileKind] = ()) -> None:
    """Raise a RoboRallyError if a kind cannot be registered; `beside`: other kinds to be registered with it."""
    wrong = next(_wrong_with(kind, [*KINDS.values(), *beside]), "")
    if wrong:
        raise RoboRallyError(f"tile {kind.name!r}: {wrong}")


def _wrong_with(kind: TileKind, others: list[TileKind]) -> Iterator[str]:
    if not kind.name.isidentifier():
        yield "expected a name of letters, digits and _"
    if kind.name in {other.name for other in others}:
        yield "there is a kind of this name"
    if kind.token and not kind.examples:
        yield "a token needs examples, which show how it is written"
    for text in kind.examples:
        if kind.read(text) is None or set(text) & {"+", " ", "|", "#"} or text == FLOOR:
            yield f"the example {text!r} is not a token of its own"
    for other in others:
        taken = [text for text in kind.examples if other.read(text) is not None]
        taken += [text for text in other.examples if kind.read(text) is not None]
        if taken:
            yield f"the token {taken[0]!r} is one of {other.name} already"
    for name in (*filter(None, [kind.acts]), *kind.has):
        if name not in HAS:
            yield f"acts, has: unknown name {name!r}; known: {', '.join(HAS)}"
