"""Editions: the class `Edition`, and `register`, which adds one from outside.

The packages register the parts of the built-in editions (`core/editions/*/rules.py` the compiled rules). `register`
registers all parts of an edition from outside with the same functions:

    from roborally_env import editions

    editions.register(editions.Edition(name="sprint", ...))
    BatchRace(64, "dizzy_highway", edition="sprint")

docs/editions.md is a tutorial.
"""

from __future__ import annotations

import dataclasses
import importlib
import os
from collections.abc import Callable, Mapping, Sequence

from roborally_env.base.errors import RoboRallyError
from roborally_env.base.types import Fields, Function
from roborally_env.cards.listing import Card, add_cards, list_cards, remove_cards, upgrade_card
from roborally_env.core import choices, rule_options, upgrades
from roborally_env.core.editions import KINDS
from roborally_env.core.rule import Rule, check_overrides, override, withdraw
from roborally_env.core.rule_options import Option
from roborally_env.core.searching.distances import course_maps, maps_of
from roborally_env.core.seeing.parts import parts_of
from roborally_env.core.seeing.planes import PLANES
from roborally_env.core.state import Kind, add_kind, remove_kind
from roborally_env.core.upgrades import Upgrade
from roborally_env.courses import model, tables
from roborally_env.courses.boards import shipped_drawing
from roborally_env.courses.catalogue import shipped_course
from roborally_env.courses.tile_kinds import TileKind, add_tile, check_tile, remove_tile
from roborally_env.scenario.load import READERS, add_reader
from roborally_env.scenario.reader import Reader
from roborally_env.scenario.run import RUNNERS, add_runner
from roborally_env.scenario.runner import Runner, layout_of

CourseRules = model.Edition

__all__ = ["CourseRules", "Edition", "Kind", "Option", "TileKind", "Upgrade", "register", "unregister"]

NAMED = "ROBORALLY_EDITIONS"  # environment variable: modules that commands and worker processes import

_REGISTERED: dict[str, Edition] = {}  # editions from outside, by name


@dataclasses.dataclass(frozen=True, kw_only=True)
class Edition:
    """The parts of an edition.

    Attributes:
        name: the name that users give, `edition="sprint"`.
        courses: what its courses may have, and the edition whose courses it also races on (`borrows`).
        tiles: kinds of tiles of its own, beside those in `courses`.
        kinds: its kinds of record, each with its overrides of the default rules (see `core.rule`); most editions have
            one kind.
        kind_of: a function from the checked values of the options to the name of a kind; None if there is one kind.
        options: its rule options by name.
        upgrades: its own upgrade cards; its kinds list those that are dealt (`Kind.upgrade_numbers`).
        cards: the cards of the edition as `roborally cards` lists them; None: those of 2016, with the upgrades that its
            kinds deal.
        reader, runner: check and play its scenarios; None: scenarios of this edition raise an error.
    """

    name: str
    courses: CourseRules
    tiles: Sequence[TileKind] = ()
    kinds: Sequence[tuple[Kind, Mapping[Rule, Function]]]
    kind_of: Callable[[Fields], str] | None = None
    options: Mapping[str, Option] = dataclasses.field(default_factory=dict)
    upgrades: Sequence[Upgrade] = ()
    cards: Callable[[], list[Card]] | None = None
    reader: type[Reader] | None = None
    runner: Callable[[Json], Runner] | None = None


def register(edition: Edition) -> None:
    """Register an edition for `edition=` of all environments, and for courses, cards, scenarios and commands.

    Raises a RoboRallyError, and registers nothing, if a name or a tile's token is taken, a kind of record belongs to
    another edition, or an override matches no rule.
    """
    _check(edition)
    name = edition.name
    model.add_edition(name, edition.courses)
    for tile in edition.tiles:
        add_tile(tile, [name])
    _forget()
    for row in edition.upgrades:
        upgrades.add_upgrade(row)
        choices.add_decision(row.number)
    for kind, overrides in edition.kinds:
        add_kind(_with_tiles(kind, edition.tiles))
        override(kind.name, overrides)
    only = edition.kinds[0][0].name
    rule_options.add_options(name, edition.options, edition.kind_of or (lambda values: only))
    add_cards(
        name, edition.cards or _cards_of(edition), new=lambda: [upgrade_card(u.number, name) for u in edition.upgrades]
    )
    if edition.reader is not None and edition.runner is not None:
        add_reader(name, edition.reader)
        add_runner(name, edition.runner)
    _REGISTERED[name] = edition


def unregister(name: str) -> None:
    """Remove an edition that was registered from outside, for example to register a new version in a notebook.

    Its compiled code stays in this process, so a new kind of record of the same name must have the same rules. Raises
    a RoboRallyError for an unknown or built-in edition.
    """
    if name not in _REGISTERED:
        raise RoboRallyError(f"edition {name!r}: not registered from outside, so it cannot be taken back")
    edition = _REGISTERED.pop(name)
    model.remove_edition(name)
    for tile in edition.tiles:
        remove_tile(tile)
    for kind, _ in edition.kinds:
        remove_kind(kind.name)
        withdraw(kind.name)
    _forget()
    for row in edition.upgrades:
        choices.remove_decision(row.number)
        upgrades.remove_upgrade(row.number)
    rule_options.remove_options(name)
    remove_cards(name)
    if edition.reader is not None:
        READERS.pop(name)
        RUNNERS.pop(name)


def is_from_outside(name: str) -> bool:
    """Whether an edition was registered by `register`, and not by this package."""
    return name in _REGISTERED


def load_named() -> None:
    """Import the modules that the environment variable ROBORALLY_EDITIONS names, with commas between; they register
    editions. `roborally --load` sets it, and worker processes inherit it.

    Raises a RoboRallyError for a module that cannot be imported.
    """
    for name in filter(None, map(str.strip, os.environ.get(NAMED, "").split(","))):
        try:
            importlib.import_module(name)
        except Exception as error:  # a user's module may raise anything
            raise RoboRallyError(f"edition module {name}: cannot import it: {type(error).__name__}: {error}") from error


def _forget() -> None:
    """Clear the caches by name of a kind of record and by course: the editions decide how courses are read."""
    by_kind = (parts_of, layout_of, course_maps, maps_of)
    for kept in (*by_kind, tables.tables_of, tables.course_digest, shipped_drawing, shipped_course):
        kept.cache_clear()


def _with_tiles(kind: Kind, tiles: Sequence[TileKind]) -> Kind:
    """The kind of record, with the meanings of the planes on which the tiles appear added."""
    seen = {plane: "; ".join(tile.seen for tile in tiles if tile.plane == plane) for plane in {t.plane for t in tiles}}
    planes = kind.planes or PLANES
    planes = tuple((plane, f"{meaning}; {seen[plane]}" if plane in seen else meaning) for plane, meaning in planes)
    return kind._replace(planes=planes) if tiles else kind


def _check_tiles(edition: Edition) -> None:
    """Raise a RoboRallyError for tiles that cannot be registered."""
    for i, tile in enumerate(edition.tiles):
        check_tile(tile, edition.tiles[:i])
        if tile.dtype and tile.name in (tables.COURSE_DTYPE.names or ()):
            raise RoboRallyError(f"tile {tile.name!r}: the tables of courses have a field of this name")
        for color in tile.colors:
            if not color.startswith(tile.name.replace("_", "-")):
                raise RoboRallyError(f"tile {tile.name!r}: the names of its colours begin with its own, got {color!r}")
        if tile.over not in model.KINDS:
            raise RoboRallyError(f"tile {tile.name!r}: over: unknown kind {tile.over!r}")
        for kind, _ in edition.kinds:
            if tile.plane and tile.plane not in dict(kind.planes or PLANES):
                raise RoboRallyError(
                    f"tile {tile.name!r}: the observation of {kind.name!r} has no plane {tile.plane!r}"
                )


def _check(edition: Edition) -> None:
    """Raise a RoboRallyError for any part that cannot be registered, before anything is registered."""
    name = edition.name
    if not name.isidentifier() and not name.isalnum():
        raise RoboRallyError(f"edition: expected a name of letters, digits and _, got {name!r}")
    if name in rule_options.editions():
        raise RoboRallyError(f"edition {name!r}: there is one of this name")
    if not edition.kinds:
        raise RoboRallyError(f"edition {name!r}: expected at least one kind of record")
    if len(edition.kinds) > 1 and edition.kind_of is None:
        raise RoboRallyError(f"edition {name!r}: several kinds of record need `kind_of`, which says which is played")
    for kind, overrides in edition.kinds:
        if kind.edition != name:
            raise RoboRallyError(f"edition {name!r}: its kind {kind.name!r} says that it is of {kind.edition!r}")
        if kind.name in KINDS:
            raise RoboRallyError(f"edition {name!r}: there is a kind of record {kind.name!r} already")
        check_overrides(kind.name, overrides)
        _check_deck(kind, {row.number for row in edition.upgrades})
    for i, row in enumerate(edition.upgrades):
        if row.number not in upgrades.FREE:
            free = f"{upgrades.FREE[0]} to {upgrades.FREE[-1]}"
            raise RoboRallyError(f"upgrade {row.name!r}: expected a number from {free}, got {row.number}")
        upgrades.check_upgrade(row, edition.upgrades[:i])
    _check_tiles(edition)
    for borrowed in edition.courses.borrows:
        if borrowed not in model.EDITIONS:
            raise RoboRallyError(f"edition {name!r}: borrows from {borrowed!r}, which is no edition")
    if (edition.reader is None) != (edition.runner is None):
        raise RoboRallyError(f"edition {name!r}: expected a reader and a runner of scenarios, or neither")


def _check_deck(kind: Kind, own: set[int]) -> None:
    """Raise a RoboRallyError for a deck with unknown cards, or with cards that do not fit the observation."""
    deck = kind.upgrade_numbers
    unknown = sorted({u for u in deck if u >= len(upgrades.ALL_NAMES) or not upgrades.ALL_NAMES[u]} - own)
    if unknown:
        raise RoboRallyError(f"kind {kind.name!r}: its deck has the numbers {unknown}, which no upgrade has")
    room = {name: shape[0] for name, shape, *_ in kind.parts(True) if name == "upgrades"}
    if deck and room.get("upgrades", 0) < max(deck):
        raise RoboRallyError(
            f"kind {kind.name!r}: the part `upgrades` of its observation has room for {room.get('upgrades', 0)} cards, "
            f"its deck goes up to number {max(deck)}"
        )


def _cards_of(edition: Edition) -> Callable[[], list[Card]]:
    """A function that lists the cards of 2016, with the upgrades that the edition's kinds deal."""
    deck = dict.fromkeys(number for kind, _ in edition.kinds for number in kind.upgrade_numbers)
    plain = ("programming", "damage", *["special"] * bool(deck))

    def listed() -> list[Card]:
        of_2016 = [dataclasses.replace(card, edition=edition.name) for card in list_cards("2016") if card.type in plain]
        return of_2016 + [upgrade_card(number, edition.name) for number in deck]

    return listed
