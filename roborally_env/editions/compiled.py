"""The parts of an edition that need compiled code: kinds of record, their rules, upgrade cards."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from contextlib import ExitStack

from roborally_env.base.errors import RoboRallyError
from roborally_env.cards.listing import Card, list_cards, upgrade_card
from roborally_env.core import choices, upgrades
from roborally_env.core.rule import check_overrides, override, withdraw
from roborally_env.core.searching.distances import SHIPPED
from roborally_env.core.seeing.planes import PLANES
from roborally_env.core.state import KINDS, Kind, add_kind, remove_kind
from roborally_env.courses.model import DEFAULT_EDITION
from roborally_env.courses.tile_kinds import TileKind
from roborally_env.editions.edition import Edition
from roborally_env.editions.registration import is_from_outside


def add_compiled(edition: Edition, undo: ExitStack) -> None:
    """Register these parts, and note how each is undone."""
    for row in edition.upgrades:
        upgrades.add_upgrade(row)
        undo.callback(upgrades.remove_upgrade, row.number)
        choices.add_decision(row.number)
        undo.callback(choices.remove_decision, row.number)
    for kind, overrides in edition.kinds_now:
        add_kind(_with_tiles(kind, edition.tiles))
        undo.callback(remove_kind, kind.name)
        override(kind.name, overrides)
        undo.callback(withdraw, kind.name)
        if not is_from_outside(edition.name):
            SHIPPED.add(kind.name)


def check_compiled(edition: Edition) -> None:
    """Raise a RoboRallyError for one of these parts that cannot be registered."""
    name, kinds = edition.name, edition.kinds_now
    if not kinds:
        raise RoboRallyError(f"edition {name!r}: expected at least one kind of record")
    if len(kinds) > 1 and edition.kind_of is None:
        raise RoboRallyError(f"edition {name!r}: several kinds of record need `kind_of`, which says which is played")
    for kind, overrides in kinds:
        if kind.edition != name:
            raise RoboRallyError(f"edition {name!r}: its kind {kind.name!r} says that it is of {kind.edition!r}")
        if kind.name in KINDS:
            raise RoboRallyError(f"edition {name!r}: there is a kind of record {kind.name!r} already")
        check_overrides(kind.name, overrides)
        _check_deck(kind, {row.number for row in edition.upgrades})
        for tile in edition.tiles:
            if tile.plane and tile.plane not in dict(kind.planes or PLANES):
                raise RoboRallyError(
                    f"tile {tile.name!r}: the observation of {kind.name!r} has no plane {tile.plane!r}"
                )
    for i, row in enumerate(edition.upgrades):
        if row.number not in upgrades.FREE:
            free = f"{upgrades.FREE[0]} to {upgrades.FREE[-1]}"
            raise RoboRallyError(f"upgrade {row.name!r}: expected a number from {free}, got {row.number}")
        upgrades.check_upgrade(row, edition.upgrades[:i])


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


def usual_cards(edition: Edition) -> list[Card]:
    """The cards of an edition that lists none: those of the default edition, with the upgrades that its kinds deal."""
    deck = dict.fromkeys(number for kind, _ in edition.kinds_now for number in kind.upgrade_numbers)
    plain = ("programming", "damage", *["special"] * bool(deck))
    sold = {card.name: card for card in list_cards() if card.cost is not None}
    found = [card for card in list_cards(DEFAULT_EDITION) if card.type in plain]
    found += [sold[upgrades.ALL_NAMES[number]] for number in deck]
    return [dataclasses.replace(card, edition=edition.name) for card in found]


def own_upgrades(edition: Edition) -> list[Card]:
    """The upgrade cards that an edition brings."""
    every = next(card.every for card in list_cards(DEFAULT_EDITION) if card.cost is not None)
    return [dataclasses.replace(upgrade_card(row.number, edition.name), every=every) for row in edition.upgrades]


def _with_tiles(kind: Kind, tiles: Sequence[TileKind]) -> Kind:
    """The kind of record, with the meanings of the planes on which the tiles appear added."""
    seen = {plane: "; ".join(tile.seen for tile in tiles if tile.plane == plane) for plane in {t.plane for t in tiles}}
    planes = kind.planes or PLANES
    planes = tuple((plane, f"{meaning}; {seen[plane]}" if plane in seen else meaning) for plane, meaning in planes)
    return kind._replace(planes=planes) if tiles else kind
