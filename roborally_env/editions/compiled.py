"""The parts of an edition that need compiled code: kinds of record, their rules, upgrade cards, scenarios."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from contextlib import ExitStack

from roborally_env.base.errors import RoboRallyError
from roborally_env.cards.listing import Card, add_cards, list_cards, remove_cards, upgrade_card
from roborally_env.core import choices, upgrades
from roborally_env.core.rule import check_overrides, override, withdraw
from roborally_env.core.searching.distances import SHIPPED
from roborally_env.core.seeing.planes import PLANES
from roborally_env.core.state import KINDS, Kind, add_kind, remove_kind
from roborally_env.courses.model import DEFAULT_EDITION
from roborally_env.courses.tile_kinds import TileKind
from roborally_env.editions.edition import Edition
from roborally_env.editions.registration import is_from_outside
from roborally_env.scenario.load import READERS, add_reader
from roborally_env.scenario.run import RUNNERS, add_runner


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
    if is_from_outside(edition.name):
        _add_words(edition, undo)


def _add_words(edition: Edition, undo: ExitStack) -> None:
    """Register its cards and scenarios."""
    name = edition.name
    new = edition.new_cards or (lambda: [upgrade_card(u.number, name) for u in edition.upgrades])
    add_cards(name, edition.cards or _cards_of(edition), new=new)
    undo.callback(remove_cards, name)
    if edition.reader is not None and edition.runner is not None:
        add_reader(name, edition.reader)
        undo.callback(READERS.pop, name)
        add_runner(name, edition.runner)
        undo.callback(RUNNERS.pop, name)


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


def _cards_of(edition: Edition) -> Callable[[], list[Card]]:
    """A function that lists the cards of 2016, with the upgrades that the edition's kinds deal."""
    deck = dict.fromkeys(number for kind, _ in edition.kinds_now for number in kind.upgrade_numbers)
    plain = ("programming", "damage", *["special"] * bool(deck))

    def listed() -> list[Card]:
        of_2016 = [
            dataclasses.replace(card, edition=edition.name)
            for card in list_cards(DEFAULT_EDITION)
            if card.type in plain
        ]
        return of_2016 + [upgrade_card(number, edition.name) for number in deck]

    return listed


def _with_tiles(kind: Kind, tiles: Sequence[TileKind]) -> Kind:
    """The kind of record, with the meanings of the planes on which the tiles appear added."""
    seen = {plane: "; ".join(tile.seen for tile in tiles if tile.plane == plane) for plane in {t.plane for t in tiles}}
    planes = kind.planes or PLANES
    planes = tuple((plane, f"{meaning}; {seen[plane]}" if plane in seen else meaning) for plane, meaning in planes)
    return kind._replace(planes=planes) if tiles else kind
