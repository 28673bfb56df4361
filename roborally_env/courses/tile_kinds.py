"""Kinds of tiles: all that is known of one outside compiled code, in one row.

The built-in kinds are the modules of `roborally_env/courses/tiles`; an edition from outside brings its own
(`roborally_env.editions.Edition.tiles`). Both are registered by `add_tile`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from roborally_env.courses.model import EDITIONS, HAS, KINDS, Course, Element
from roborally_env.courses.tile_tokens import FLOOR, Around, token_of
from roborally_env.courses.values import ElementKey
from roborally_env.errors import RoboRallyError

COLORS: dict[str, tuple[str, str]] = {}  # of all kinds: name -> light, dark


def table_value(e: Element) -> int:
    """What stands in the course's table where nothing else is said: the registers as bits, or 1."""
    return sum(1 << (k - 1) for k in e.registers) or 1


@dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
class TileKind:
    """A kind of tile. Only `name` has to be there; a wall has no token, because it is drawn between the cells.

    Attributes:
        name: `kind` of its elements, in scenarios too.
        editions: the built-in editions that have it.
        title: what messages and legends call it; left out: the name.

        token: how it is written in drawings: a text with fields in braces, as `Y{out}` (see `tile_tokens`), or a Token.
        examples: tokens as they are written, for the notation's table; each is read back.
        meaning: a line of that table.
        keys: of its object in a scenario's map beside kind, x and y; left out: those of the token's fields.

        excludes: the kinds that leave no room for it in a cell.
        repeats: whether several may lie in one cell.
        fills: what it takes of its cell in a scenario's map, where each may be taken once; left out: its name.
        no_antenna: what an antenna cannot stand on, in words; empty where it can.
        check: what else is wrong with one, a line each.

        dtype: of the field of the course tables that compiled code reads as `course.<name>[cell]`; empty: none.
        value: what stands there.
        acts: the step of a register at which something happens to a robot on it, one of `model.HAS`; empty: none.
        has: what else of `model.HAS` a course with one has. "panels" says that it acts in some registers only.

        svg: its picture as SVG round (0, 0), 100 wide, heading north; `$name` stands for a colour. It is turned by
            `out`, and a plate with the registers lies on it. Left out: the plate alone, with the token.
        over: the kind right over which it is drawn.
        colors: its own colours: name -> light, dark. The names begin with its own.
        style: of its letters in the terminal: a name of `render.ansi` or a code as "1;34". Empty: that file draws it.
        mark: the letters, where they are not the token.

        plane: of the observation, on which it is seen; empty: none.
        shown: the bits there, by the facing of the robot that sees it.
        seen: what they mean, as in "32 a geyser".
    """

    name: str
    editions: tuple[str, ...] = ()
    title: str = ""
    token: Any = ""
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
    over: str = "dock"
    colors: Mapping[str, tuple[str, str]] = dataclasses.field(default_factory=dict)
    style: str = ""
    mark: Callable[[Element], str] | None = None
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

    def read(self, text: str) -> dict[str, Any] | None:
        """The fields of the element that a token stands for; None where it is none of this kind."""
        match = self.token.pattern.fullmatch(text) if self.token else None
        return match and self.token.read(match)

    def letters(self, e: Element) -> str:
        """The element in a picture for the terminal."""
        text = self.mark(e) if self.mark else self.token.write(e, Around())
        return text.translate(str.maketrans("^>v<", "↑→↓←")).replace("12345", "1-5")

    @property
    def example(self) -> Element:
        """The element of the first example."""
        return Element(self.name, 0, 0, **(self.read(self.examples[0]) or {}))


def add_tile(kind: TileKind, editions: Iterable[str]) -> None:
    """Register a kind of tile that these editions have. Raises RoboRallyError where its name or token is taken."""
    check_tile(kind)
    KINDS[kind.name] = kind
    COLORS.update(kind.colors)
    for name in editions:
        EDITIONS[name] = EDITIONS[name]._replace(kinds=EDITIONS[name].kinds | {kind.name})


def remove_tile(kind: TileKind) -> None:
    """Take back what `add_tile` did, but for editions that still list it."""
    del KINDS[kind.name]
    for name in kind.colors:
        del COLORS[name]


def check_tile(kind: TileKind, beside: Iterable[TileKind] = ()) -> None:
    """Raise a RoboRallyError that says why a kind cannot be registered; `beside`: those to be registered with it."""
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
            yield f"the example {text!r} is no token of its own"
    for other in others:
        taken = [text for text in kind.examples if other.read(text) is not None]
        taken += [text for text in other.examples if kind.read(text) is not None]
        if taken:
            yield f"the token {taken[0]!r} is one of {other.name} already"
    for name in (*filter(None, [kind.acts]), *kind.has):
        if name not in HAS:
            yield f"acts, has: unknown name {name!r}; known: {', '.join(HAS)}"
    for color in kind.colors:
        if not color.startswith(kind.name.replace("_", "-")):
            yield f"the names of its colours begin with its own, got {color!r}"
