"""Every card of an edition in one form, for the command and the docs, made from the core's tables and the rulings."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

from roborally_env.base.errors import RoboRallyError, nearest
from roborally_env.cards import rulings_community as community
from roborally_env.cards.rulings_2005 import CARDS_2005, OPTIONS_2005
from roborally_env.cards.rulings_2016 import CARDS_2016
from roborally_env.core import cards, cards2005, options, upgrades
from roborally_env.core.editions.e2016.upgrades.specials import ACTIONS, TURNS
from roborally_env.core.editions.e2016.upgrades.turns import REFRESHED
from roborally_env.core.rule_options import check_edition

TYPES = ("programming", "special", "damage", "permanent", "temporary", "option")


@dataclass(frozen=True)
class Card:
    """All facts and texts of one card."""

    edition: str
    name: str  # in scenarios, answers and `info`
    title: str  # as printed
    type: str  # one of TYPES
    count: int  # copies in each robot's deck (programming), in 2005 in the one deck; else in the box
    rule: str
    rulings: tuple[str, ...]
    cost: int | None = None  # energy cubes; None if it is not for sale
    when: str = ""  # when it acts; "" for cards that are played in a register
    decision: str | None = None  # the name of its owner's decision; None: never asked
    choices: str = ""  # of that decision, in words
    default: str = ""  # what decisions="program" does
    numbers: str = ""  # priority numbers, of the program cards of 2005


Lister = Callable[[], list[Card]]


class _Listed(NamedTuple):
    """The functions that list the cards of an edition."""

    all_of_it: Lister
    new: Lister  # lists the cards that it is the first edition to have


_LISTED: dict[str, _Listed] = {}  # by edition


def list_cards(edition: str | None = None, kind: str | None = None) -> list[Card]:
    """The cards of an edition in printed order, only those of type `kind` (one of TYPES) if it is given. Without an
    edition: every card once, in the words of the edition that it comes from (2023 plays with those of 2016).

    Raises:
        RoboRallyError: for an unknown edition or type, with the nearest names.
    """
    if kind is not None and kind not in TYPES:
        raise RoboRallyError(f"unknown type {kind!r}{nearest(kind, TYPES)}; expected one of {', '.join(TYPES)}")
    found = _cards_of_all() if edition is None else _listed(check_edition(edition)).all_of_it()
    return [card for card in found if kind is None or card.type == kind]


def add_cards(edition: str, cards_of: Lister, new: Lister | None = None) -> None:
    """Register the list of an edition's cards.

    Args:
        edition: its name.
        cards_of: lists all its cards in printed order.
        new: lists those that no edition had before; None: all of them are new.

    Raises:
        RoboRallyError: where another function lists the cards of that edition.
    """
    listed = _Listed(cards_of, new or cards_of)
    if _LISTED.setdefault(edition, listed) != listed:
        raise RoboRallyError(f"another function lists the cards of edition {edition!r}")


def remove_cards(edition: str) -> None:
    """Undo `add_cards`."""
    del _LISTED[edition]


def _listed(edition: str) -> _Listed:
    if edition not in _LISTED:
        raise RoboRallyError(f"the cards of edition {edition!r} are not listed")
    return _LISTED[edition]


def find_cards(name: str, edition: str | None = None, kind: str | None = None) -> list[Card]:
    """The cards of a name in any spelling: "Rail Gun", "rail-gun", "rail_gun". A routine and its special card share
    their name.

    Raises:
        RoboRallyError: for an unknown name, with the nearest ones; an edition or type as `list_cards`.
    """
    listed = list_cards(edition, kind)
    found = [card for card in listed if _letters(name) in (_letters(card.name), _letters(card.title))]
    if found:
        return found
    others = [card.type for card in list_cards(edition) if _letters(card.name) == _letters(name)]
    if others:
        raise RoboRallyError(f"card {name!r} is of type {' and '.join(others)}, not {kind}")
    elsewhere = dict.fromkeys(card.edition for card in list_cards() if _letters(card.name) == _letters(name))
    if elsewhere:
        raise RoboRallyError(f"card {name!r} is of edition {' and '.join(elsewhere)}, not {edition}")
    known = dict.fromkeys(card.name for card in listed)
    hint = nearest(re.sub(r"[\s-]+", "_", name.strip()), known)
    raise RoboRallyError(f"unknown card {name!r}{hint}; `roborally cards` lists them all")


def _letters(name: str) -> str:
    """The part of a name that is compared: its letters and digits."""
    return re.sub(r"[^a-z0-9]", "", name.lower())


# -- edition 2016

# choices that are cards, as bits
_CARDS_OFFERED = {
    upgrades.DEFRAG_GIZMO: cards.DAMAGE_BITS,
    upgrades.REFRESH: REFRESHED | 1 << cards.AGAIN,
    upgrades.WEASEL_ROUTINE: TURNS,
    upgrades.SANDBOX_ROUTINE: ACTIONS,
}


def _choices(row: upgrades.Upgrade) -> str:
    """The choices of an upgrade's decision, by name if there is a list of them."""
    if row.number not in _CARDS_OFFERED:
        return row.asked
    names = [name for card, name in enumerate(cards.NAMES) if _CARDS_OFFERED[row.number] >> card & 1]
    return ", ".join(["no"] * row.asked.startswith("no") + names)


# special card -> the routine that adds it
_ROUTINE_OF = {row.special: row for row in map(upgrades.upgrade, upgrades.DECK) if row.special}


def _cards_2016() -> list[Card]:
    plain = [_plain_card(number, name, in_deck, in_box) for number, name, in_deck, in_box in cards.TABLE]
    plain.sort(key=lambda card: TYPES.index(card.type))  # as printed: special cards stand before damage cards
    return plain + [upgrade_card(number, "2016") for number in upgrades.DECK]


def _plain_card(number: int, name: str, in_deck: int, in_box: int) -> Card:
    """A programming, special or damage card; the row of its routine has the decision of a special card."""
    title, rule, rulings = CARDS_2016[name]
    kind = "special" if number in _ROUTINE_OF else "damage" if in_box else "programming"
    card = Card("2016", name, title, kind, in_deck or in_box or 1, rule, rulings)
    routine = _ROUTINE_OF.get(number)
    if routine is None or not routine.asked:
        return card
    return replace(card, decision=routine.name, choices=_choices(routine), default=routine.default)


def upgrade_card(number: int, edition: str) -> Card:
    """An upgrade as it is listed."""
    row = upgrades.upgrade(number)
    return Card(
        edition,
        row.name,
        row.title,
        row.type,
        1,
        row.rule,
        row.rulings,
        cost=row.cost,
        when=row.when,
        decision=row.name if row.asked else None,
        choices=_choices(row),
        default=row.default,
    )


# -- the community edition: the cards of 2016 without those that are only about damage cards, and Heal Routine


def _cards_community() -> list[Card]:
    deck = upgrades.numbers_of(upgrades.COMMUNITY_DECK)
    kept = [card for card in _cards_2016() if card.name in deck or card.type in ("programming", "special")]
    told = [_told(card) for card in kept if card.name != "spam_folder"]
    heal = upgrades.upgrade(upgrades.HEAL_ROUTINE)
    title, rule, rulings = community.CARDS[heal.name]
    last_special = max(i for i, card in enumerate(told) if card.type == "special")
    told.insert(last_special + 1, Card("community", heal.name, title, "special", 1, rule, rulings))
    return [*told, upgrade_card(heal.number, "community")]


def _told(card: Card) -> Card:
    """A card of 2016 in the words of the community edition."""
    if card.cost is None:
        title, rule, rulings = community.CARDS.get(card.name, CARDS_2016[card.name])
        return replace(card, edition="community", title=title, rule=rule, rulings=rulings)
    rule, rulings = community.UPGRADES.get(card.name, ("", ()))
    default = card.default.partition(", or with four damage cards")[0].replace("damage cards go back first, then ", "")
    return replace(
        card,
        edition="community",
        rule=rule or card.rule,
        rulings=rulings or card.rulings,
        default="never" if card.name == "refresh" else default,
        when=card.when.replace("reboot", "re-entry"),
    )


# -- edition 2005


def _cards_2005() -> list[Card]:
    kinds = [_program_card(action) for action in range(cards.MOVE_1, cards.U_TURN + 1)]
    return kinds + [_option(row) for row in options.TABLE]


def _program_card(action: int) -> Card:
    """One kind of program card, with the priority numbers of its cards."""
    name = cards.NAMES[action]
    title, rule, rulings = CARDS_2005[name]
    found = [10 * card for card in range(1, cards2005.DECK_SIZE + 1) if cards2005.ACTION[card] == action]
    apart = found[1] - found[0]
    numbers = f"{found[0]} to {found[-1]}" if apart == 10 else f"{found[0]}, {found[1]} .. {found[-1]}"
    return Card("2005", name, title, "programming", len(found), rule, rulings, numbers=numbers)


def _option(row: options.OptionCard) -> Card:
    return Card(
        "2005",
        row.name,
        row.title,
        "option",
        1,
        row.rule,
        OPTIONS_2005[row.name],
        when=row.when,
        decision=row.name if row.asked else None,
        choices=row.asked,
        default=row.default,
    )


# -- edition 2023: the cards of 2016, acquired in another way


def _cards_2023() -> list[Card]:
    return [_collected(card) for card in _cards_2016()]


def _collected(card: Card) -> Card:
    """A card of 2016 in the words of an edition in which upgrades are installed, not bought."""
    return replace(card, edition="2023", when=_installed(card.when), rulings=tuple(map(_installed, card.rulings)))


def _installed(text: str) -> str:
    return text.replace("when bought", "when installed")


# -- all of them


def _cards_of_all() -> list[Card]:
    """Every card once."""
    return [card for listed in _LISTED.values() for card in listed.new()]


def _new_in_community() -> list[Card]:
    return [card for card in _cards_community() if card.name == upgrades.ALL_NAMES[upgrades.HEAL_ROUTINE]]


add_cards("2016", _cards_2016)
add_cards("2005", _cards_2005)
add_cards("2023", _cards_2023, new=list)
add_cards("community", _cards_community, new=_new_in_community)
