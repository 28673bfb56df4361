"""What a generated course should be like: `Specification`, also as a text such as `generated:difficulty=3,seed=7`."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np

from roborally_env.base.checks import shown
from roborally_env.base.errors import CourseError, cut, nearest
from roborally_env.base.text import value_of
from roborally_env.base.types import Fields, Json, JsonObject, OptionValue
from roborally_env.courses.catalogue import GENERATED, is_generated
from roborally_env.courses.model import DEFAULT_EDITION, EDITIONS, MAX_CHECKPOINTS
from roborally_env.generated.style import DENSITIES, STYLES

WAYS = ("any", "arranged", "made")
SYMMETRIES = ("any", "mirrored", "none")
VERSION = 2  # of the generator; raised with each release in which a specification gives other courses than before
BANDS = (1, 2, 3, 4, 5)
_SEED_LIMIT = 2**63
_LEVEL_LIMIT = 2**32
_Class = TypeVar("_Class", bound=Any)


def _with_hints(cls: type[_Class]) -> type[_Class]:
    """The class, whose values are given by the names of its fields; others are errors with the nearest name."""
    made = cls.__init__

    @functools.wraps(made)
    def init(self: Json, *values: Json, **options: OptionValue) -> None:
        if values:
            hint = "; parse_specification reads a text" if isinstance(values[0], str) else ""
            raise CourseError(f"Specification: expected fields by name, such as difficulty=3, got {values[0]!r}{hint}")
        _check_keys(options, [field.name for field in dataclasses.fields(self)])
        made(self, **options)

    cls.__init__ = init
    return cls


def _check_keys(options: Fields, known: Sequence[str]) -> None:
    for key in options:
        if key == "workers":  # of which users know that Generator takes it
            raise CourseError(
                f"{GENERATED}: workers: it is an argument of Generator, not of courses: Generator(.., workers=2)"
            )
        if key not in known:
            legal = _of_edition(known, options.get("edition", DEFAULT_EDITION))
            hint = nearest(key, legal) or f"; known: {', '.join(legal)}"
            raise CourseError(f"{GENERATED}: unknown key {key!r}{hint}")


def _of_edition(keys: Sequence[str], edition: object) -> list[str]:
    """The keys that courses of an edition may have; all if there is no such edition."""
    name = str(edition)
    if name not in EDITIONS or not _home(name):
        return list(keys)
    style = STYLES[_home(name)]
    lacks = {*DENSITIES} - {*style.shares} | ({"moving"} if style.moving is None else set())
    return [key for key in keys if key not in lacks]


@_with_hints
@dataclasses.dataclass(frozen=True, kw_only=True)
class Specification:
    """Which courses are generated; two equal ones give the same courses.

    Attributes:
        edition: the name of the rules, such as 2016.
        way: `"arranged"` from printed boards (the start board may be made), `"made"` with procedural boards, or
            `"any"`.
        difficulty: 1 to 5, as `grade` reports it; None: any.
        players: maximum number of players, one start space each; None: the edition's maximum.
        boards: number of boards besides the start board, 1 to 4; None: drawn.
        width, height: size of a made board in cells, 6 to 20; None: drawn (12 x 12 in 2005, else mostly 10 x 10).
        checkpoints: number of checkpoints, 1 to 8; None: drawn.
        moving: whether belts carry checkpoints (2016; in the community edition they always do); None: drawn.
        fair: whether the start spaces must be equally good.
        symmetry: symmetry of the start spaces: `"mirrored"` about the middle line of the start board (with one more for
            an odd number of players), `"none"` for independent spaces, or `"any"`.
        belts, gears, pushers, lasers, walls, pits, energy, repairs, heights, one_ways, hazards: fraction of
            a made board's cells with such a tile, 0 to 1; None: drawn. Walls: fraction of the edges between cells.
            Heights: higher floor; hazards: trapdoors, stompers, puddles and radiation.
        seed: random seed.
        levels: number of different courses; 0: no limit.
        number: only this course; None: all.
        version: version of the generator; 1 gives the courses of roborally_env 0.2, with other made boards.
    """

    edition: str = DEFAULT_EDITION
    way: str = "any"
    difficulty: int | None = None
    players: int | None = None
    boards: int | None = None
    width: int | None = None
    height: int | None = None
    checkpoints: int | None = None
    moving: bool | None = None
    fair: bool = False
    symmetry: str = "any"
    belts: float | None = None
    gears: float | None = None
    pushers: float | None = None
    lasers: float | None = None
    walls: float | None = None
    pits: float | None = None
    energy: float | None = None
    repairs: float | None = None
    heights: float | None = None
    one_ways: float | None = None
    hazards: float | None = None
    seed: int = 0
    levels: int = 0
    number: int | None = None
    version: int = VERSION

    def __post_init__(self) -> None:
        for name, check in _CHECKS.items():
            object.__setattr__(self, name, check(name, getattr(self, name)))
        home = self.home
        players = _optional(_whole(*EDITIONS[self.edition].players))
        object.__setattr__(self, "players", players("players", self.players))
        style = STYLES[home]
        if self.way == "arranged" and not style.printed:
            raise CourseError(f"{GENERATED}: way: edition {self.edition} has no printed boards; expected way=made")
        for name in DENSITIES:
            if getattr(self, name) is not None:
                if name not in style.shares:
                    raise CourseError(f"{GENERATED}: {name}: edition {self.edition} has none; leave it out")
                if self.way == "arranged":
                    raise CourseError(f"{GENERATED}: {name}: printed boards have what they have; expected way=made")
        for name in ("width", "height"):
            if getattr(self, name) is not None and self.way == "arranged":
                raise CourseError(f"{GENERATED}: {name}: printed boards have their size; expected way=made")
        if self.moving is not None and style.moving is None:
            raise CourseError(f"{GENERATED}: moving: courses of edition {self.edition} cannot choose; leave it out")
        full = sum(getattr(self, name) or 0.0 for name in DENSITIES if name not in ("walls", "heights"))
        if full > 1.0:
            raise CourseError(f"{GENERATED}: densities: expected at most 1 together, got {full:g}")
        if self.levels and self.number is not None and self.number >= self.levels:
            raise _wrong("number", f"less than levels={self.levels}", self.number)

    @property
    def home(self) -> str:
        """The edition whose boards are used: another one where the edition races on borrowed courses only."""
        return _home(self.edition)

    @property
    def needs_made_boards(self) -> bool:
        """Whether it asks for something that only made boards have."""
        return any(getattr(self, name) is not None for name in (*DENSITIES, "width", "height"))

    def __str__(self) -> str:
        """The text that `parse_specification` reads."""
        values = [(field.name, getattr(self, field.name), field.default) for field in dataclasses.fields(self)]
        given = {name: value for name, value, default in values if value != default}
        return ":".join([GENERATED, *filter(None, [",".join(f"{k}={_text(v)}" for k, v in given.items())])])


def generates(edition: str) -> bool:
    """Whether courses are generated for an edition."""
    return bool(_home(edition))


def parse_specification(text: str, edition: str | None = None) -> Specification:
    """The Specification of a text `generated:key=value,key=value`.

    Args:
        text: as `generated:difficulty=3,seed=7`; `generated` alone is everything.
        edition: the edition if the text names none.

    Raises:
        CourseError: for an unknown key (with the nearest one), a key given twice, a wrong value, values that do not
            go together, or another edition than `edition`.
    """
    if not is_generated(text):
        raise CourseError(f"expected {GENERATED}:key=value,.., got {shown(text)}")
    options: JsonObject = {}
    for part in filter(None, text[len(GENERATED) + 1 :].split(",")):
        key, equals, value = (word.strip() for word in part.partition("="))
        if not equals:
            raise CourseError(f"{GENERATED}: expected key=value, got {part!r}")
        if key in options:
            raise CourseError(f"{GENERATED}: {key} is given twice; expected it once")
        options[key] = value if key in ("edition", "way") else value_of(value)
    if edition is not None and options.setdefault("edition", edition) != edition:
        raise CourseError(f"{GENERATED}: edition={options['edition']}: the race is played by edition {edition}")
    return Specification(**options)


def of_version(name: str, version: int) -> str:
    """The name of a generated course, changed ones too, where this version of the generator was the latest."""
    text, mark, changes = name.partition("~")
    if version == VERSION or "version=" in text:
        return name
    return f"{text}{',' if ':' in text else ':'}version={version}{mark}{changes}"


def _text(value: object) -> str:
    if isinstance(value, float):
        return repr(value).removesuffix(".0")
    return str(value).lower() if isinstance(value, bool) else str(value)


def _home(edition: str) -> str:
    kinds = EDITIONS[edition]
    return next((each for each in (edition, *kinds.borrows) if each in STYLES), "")


def _wrong(name: str, expected: str, value: object) -> CourseError:
    return CourseError(f"{GENERATED}: {name}: expected {expected}, got {cut(repr(value))}")


# A check gives the value of a field in its plain type, which may have been one of NumPy's.
_Check = Callable[[str, Json], Json]


def _optional(check: _Check) -> _Check:
    return lambda name, value: None if value is None else check(name, value)


def _edition(name: str, value: object) -> str:
    known = [each for each in EDITIONS if _home(each)]
    text = str(value) if isinstance(value, (str, int)) and not isinstance(value, bool) else ""
    if text in known:
        return text
    if text in EDITIONS:
        raise CourseError(f"{GENERATED}: no courses are generated for edition {text}; known: {', '.join(known)}")
    raise CourseError(f"{GENERATED}: unknown edition {value!r}{nearest(str(value), known)}; known: {', '.join(known)}")


def _one_of(known: tuple[str, ...]) -> _Check:
    def check(name: str, value: object) -> str:
        if not isinstance(value, str) or value not in known:
            raise _wrong(name, f"one of {', '.join(known)}", value)
        return value

    return check


def _whole(low: int, high: int) -> _Check:
    def check(name: str, value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or not low <= value <= high:
            raise _wrong(name, f"a whole number from {low} to {high}", value)
        return int(value)

    return check


def _flag(name: str, value: object) -> bool:
    if not isinstance(value, (bool, np.bool_)):
        raise _wrong(name, "true or false", value)
    return bool(value)


def _share(name: str, value: Json) -> float:
    number = isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)
    if not number or not 0 <= value <= 1:  # not nan
        raise _wrong(name, "a share of the cells from 0 to 1", value)
    return float(value) + 0.0  # of equal numbers one kind alone, because courses are drawn from their text; no -0.0


_CHECKS: dict[str, _Check] = {
    "edition": _edition,
    "way": _one_of(WAYS),
    "difficulty": _optional(_whole(BANDS[0], BANDS[-1])),
    "boards": _optional(_whole(1, 4)),
    "width": _optional(_whole(6, 20)),
    "height": _optional(_whole(6, 20)),
    "checkpoints": _optional(_whole(1, MAX_CHECKPOINTS)),
    "moving": _optional(_flag),
    "fair": _flag,
    "symmetry": _one_of(SYMMETRIES),
    **dict.fromkeys(DENSITIES, _optional(_share)),
    "seed": _whole(0, _SEED_LIMIT - 1),
    "levels": _whole(0, _LEVEL_LIMIT),
    "number": _optional(_whole(0, _LEVEL_LIMIT - 1)),
    "version": _whole(1, VERSION),
}
