"""Courses from a scenario's `map` object: one board, strictly checked, and fast enough for 100,000 calls."""

from roborally_env.base.errors import ScenarioError, cut, nearest
from roborally_env.base.types import Json, JsonObject
from roborally_env.courses.model import (
    DEFAULT_EDITION,
    EDITIONS,
    FROM_MAP,
    KINDS,
    MAX_HEIGHT,
    MAX_WIDTH,
    Course,
    E,
    Edition,
    Element,
    Placement,
    dock_order,
    limit_problems,
)
from roborally_env.courses.values import (
    CHECKPOINT_NUMBER,
    Bad,
    Reader,
    direction,
    dotted,
    edition_name,
    flag,
    integer,
    special_tags,
    with_moving,
)

_KEYS = (
    "width",
    "height",
    "elements",
    "antenna",
    "reboots",
    "checkpoints",
    "energy",
    "moving_checkpoints",
    "special_rules",
    "start_facing",
)
_WIDTH, _HEIGHT = integer(1, MAX_WIDTH), integer(1, MAX_HEIGHT)
_FACED = frozenset({"x", "y", "facing"})
_NUMBERED = frozenset({"number", "x", "y"})
_CELL = frozenset({"x", "y"})


def course_from_map(map: JsonObject, edition: str = DEFAULT_EDITION, slug: str = "map") -> Course:
    """A course of one board from a scenario's `map` object.

    Every value is checked, and unknown keys raise an error; whether the course can be finished is not checked. The
    start facing is the given one, else the antenna's, else E. Raises ScenarioError that names the key, e.g.
    `map.elements[3].out: expected one of N, E, S, W, got 'X'`.
    """
    try:
        rules = EDITIONS[edition_name(edition)]
    except Bad as bad:
        raise ScenarioError(bad.message) from None
    try:
        return _course(map, edition, rules, slug)
    except Bad as bad:
        where = dotted(bad.path)
        raise ScenarioError(f"map{'.' * bool(where)}{where}: {bad.message}") from None


def _course(source: Json, edition: str, rules: Edition, slug: str) -> Course:
    if type(source) is not dict:
        raise Bad(f"expected an object, got {source!r}")
    for key in source:
        if key not in _KEYS:
            raise Bad(f"unknown key{nearest(str(key), _KEYS)}; known: {', '.join(_KEYS)}", str(key))
    width = _value(source, "width", _WIDTH)
    height = _value(source, "height", _HEIGHT)
    size = width, height
    _only_keys_of(source, rules, edition)
    moving = _value(source, "moving_checkpoints", flag) if "moving_checkpoints" in source else False
    tags = _value(source, "special_rules", special_tags(edition)) if "special_rules" in source else ()
    tags, moving = with_moving(edition, tags, moving)
    elements = _elements(source, rules, edition, size)
    antenna = _antenna(source, size)
    checkpoints = _checkpoints(source, size)
    cubes = tuple(_cell(item, _CELL, ("energy", i), size) for i, item in _items(source, "energy"))
    elements += _spaces_under_cubes(elements, cubes)
    reboots = tuple(_faced(item, ("reboots", i), size) for i, item in _items(source, "reboots"))
    for problem in limit_problems(width, height, elements, reboots):
        raise Bad(problem)
    _check_floors(elements, antenna, checkpoints, cubes, reboots)
    return Course(
        slug=slug,
        title=slug,
        edition=edition,
        difficulty="",
        length="",
        players=rules.players,
        width=width,
        height=height,
        board_at=((0,) * width,) * height,
        boards=(Placement(slug, 0, 0, 0, width, height),),
        elements=tuple(elements),
        docks=dock_order(elements),
        antenna=antenna,
        reboots=reboots,
        checkpoints=checkpoints,
        energy=cubes,
        start_facing=_start_facing(source, antenna),
        moving_checkpoints=moving,
        special_rules=tags,
        source=FROM_MAP,
    )


def _only_keys_of(source: JsonObject, rules: Edition, edition: str) -> None:
    """Raise for keys that the edition does not have."""
    has = {"antenna": rules.antenna, "reboots": rules.tokens, "energy": "energy" in rules.kinds}
    for key, known in has.items():
        if not known and source.get(key):
            raise Bad(f"edition {edition} has none", key)


def _value(holder: JsonObject, key: str, read: Reader, *path: str | int) -> Json:
    if key not in holder:
        raise Bad("missing", *path, key)
    try:
        return read(holder[key])
    except Bad as bad:
        raise bad.under(*path, key) from None


def _items(source: JsonObject, key: str) -> list[tuple[int, Json]]:
    items = source.get(key, [])
    if type(items) is not list:
        raise Bad(f"expected a list, got {items!r}", key)
    return list(enumerate(items))


def _elements(source: JsonObject, rules: Edition, edition: str, size: tuple[int, int]) -> list[Element]:
    elements = []
    taken: set[tuple[int, int, str, int]] = set()
    for index, item in _items(source, "elements"):
        try:
            element = _element(item, rules, edition, size)
            _take(element, taken)
        except Bad as bad:
            raise bad.under("elements", index) from None
        elements.append(element)
    _check_links(elements)
    return elements


def _check_links(elements: list[Element]) -> None:
    """Raise for a button whose ramps do not exist."""
    ramps = {(e.x, e.y) for e in elements if e.kind == "ramp"}
    for index, element in enumerate(elements):
        for x, y in element.ramps:
            if (x, y) not in ramps:
                raise Bad(f"expected cells of ramps, got [{x}, {y}], where no ramp is", "elements", index, "ramps")


def _element(item: Json, rules: Edition, edition: str, size: tuple[int, int]) -> Element:
    kind = item.get("kind") if type(item) is dict else None
    if type(kind) is not str or kind not in rules.kinds:
        raise _wrong_kind(item, kind, rules, edition)
    x, y = _xy(item, size)
    fields = {}
    known = 3
    for key, field, read, required, _ in KINDS[kind].keys:
        if key in item:
            known += 1
            try:
                fields[field] = read(item[key])
            except Bad as bad:
                raise bad.under(key) from None
        elif required:
            raise Bad("missing", key)
    if known != len(item):
        raise _unknown_key(item, frozenset({"kind", "x", "y", *(row.key for row in KINDS[kind].keys)}))
    if kind == "belt" and fields["out"] in fields["feeds"]:
        raise Bad("a belt cannot be fed from the side that it moves to", "in")
    return Element(kind, x, y, **fields)


def _wrong_kind(item: Json, kind: Json, rules: Edition, edition: str) -> Bad:
    if type(item) is not dict:
        return Bad(f"expected an object, got {item!r}")
    if "kind" not in item:
        return Bad("missing", "kind")
    known = [each for each in KINDS if each in rules.kinds]
    if type(kind) is str and kind in KINDS:
        return Bad(f"kind {kind} is not in edition {edition}; known: {', '.join(known)}", "kind")
    return Bad(f"unknown kind {cut(repr(kind))}{nearest(kind, known)}; known: {', '.join(known)}", "kind")


def _unknown_key(item: JsonObject, known: frozenset[str]) -> Bad:
    key = next(key for key in item if key not in known)
    return Bad(f"unknown key{nearest(str(key), known)}; known: {', '.join(sorted(known))}", str(key))


def _take(element: Element, taken: set[tuple[int, int, str, int]]) -> None:
    """Raise if a second element fills the same part of a cell. Lasers may fire in different directions."""
    for part in KINDS[element.kind].fills or ():
        place = element.x, element.y, part, element.fires
        if place in taken:
            raise Bad(f"cell x={element.x}, y={element.y} has another element that a {element.kind} excludes")
        taken.add(place)


def _xy(item: JsonObject, size: tuple[int, int]) -> tuple[int, int]:
    for key, limit in (("x", size[0]), ("y", size[1])):
        value = item.get(key)
        if type(value) is not int or not 0 <= value < limit:
            if key not in item:
                raise Bad("missing", key)
            extent = f"the map is {size[0]} x {size[1]}"
            raise Bad(f"expected a whole number from 0 to {limit - 1} ({extent}), got {value!r}", key)
    return item["x"], item["y"]


def _object(item: Json, keys: frozenset[str], path: tuple[str | int, ...]) -> None:
    if type(item) is not dict:
        raise Bad(f"expected an object with {', '.join(sorted(keys))}, got {item!r}", *path)
    if not item.keys() <= keys:
        raise _unknown_key(item, keys).under(*path)


def _cell(item: Json, keys: frozenset[str], path: tuple[str | int, ...], size: tuple[int, int]) -> tuple[int, int]:
    _object(item, keys, path)
    try:
        return _xy(item, size)
    except Bad as bad:
        raise bad.under(*path) from None


def _faced(item: Json, path: tuple[str | int, ...], size: tuple[int, int]) -> tuple[int, int, int]:
    x, y = _cell(item, _FACED, path, size)
    return x, y, _value(item, "facing", direction, *path)


def _antenna(source: JsonObject, size: tuple[int, int]) -> tuple[int, int, int] | None:
    item = source.get("antenna")
    return None if item is None else _faced(item, ("antenna",), size)


def _check_floors(
    elements: list[Element],
    antenna: tuple[int, int, int] | None,
    checkpoints: tuple[tuple[int, int, int], ...],
    cubes: tuple[tuple[int, int], ...],
    reboots: tuple[tuple[int, int, int], ...],
) -> None:
    """Raise for things on the antenna or a pit on which a robot should stand."""
    taken = {(e.x, e.y): "a pit" for e in elements if e.kind == "pit"}
    if antenna is not None:
        if antenna[:2] in taken:
            raise Bad(f"expected a cell of its own, got ({antenna[0]}, {antenna[1]}), which is a pit", "antenna")
        taken[antenna[:2]] = "the antenna"
    placed = (
        ("checkpoints", [(x, y) for _, x, y in checkpoints]),
        ("energy", list(cubes)),
        ("reboots", [(x, y) for x, y, _ in reboots]),
    )
    for key, cells in placed:
        for x, y in cells:
            if (x, y) in taken:
                raise Bad(f"expected cells that a robot can stand on, got ({x}, {y}), which is {taken[x, y]}", key)


def _start_facing(source: JsonObject, antenna: tuple[int, int, int] | None) -> int:
    if "start_facing" in source:
        return int(_value(source, "start_facing", direction))
    return E if antenna is None else antenna[2]


def _checkpoints(source: JsonObject, size: tuple[int, int]) -> tuple[tuple[int, int, int], ...]:
    found = []
    for index, item in _items(source, "checkpoints"):
        x, y = _cell(item, _NUMBERED, ("checkpoints", index), size)
        found.append((_value(item, "number", CHECKPOINT_NUMBER, "checkpoints", index), x, y))
    found.sort()
    numbers = [number for number, _, _ in found]
    if len(set(numbers)) != len(numbers):  # a map may omit some, which robots may have reached
        raise Bad(f"expected each number once, got {numbers}", "checkpoints")
    return tuple(found)


def _spaces_under_cubes(elements: list[Element], cubes: tuple[tuple[int, int], ...]) -> list[Element]:
    if not cubes:
        return []
    for number, cell in enumerate(cubes):
        if cell in cubes[:number]:
            raise Bad("the cell {},{} occurs twice".format(*cell), "energy", number)
    spaces = {(e.x, e.y) for e in elements if e.kind == "energy"}
    return [Element("energy", x, y) for x, y in cubes if (x, y) not in spaces]
