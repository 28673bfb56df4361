"""Every card of an edition in one form, for commands, docs and pages. Each edition lists its own (`Edition.cards`)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from roborally_env.base.errors import RoboRallyError, nearest
from roborally_env.base.registry import Part
from roborally_env.cards.words import NO_WORDS, CardWords, Words
from roborally_env.core import upgrades
from roborally_env.core.rule_options import check_edition

TYPES = ("programming", "special", "damage", "permanent", "temporary", "option")


@dataclass(frozen=True)
class Card:
    """All facts and texts of one card."""

    edition: str
    name: str  # in scenarios, answers and `info`
    title: str  # as printed
    type: str  # one of TYPES
    count: int  # copies in each robot's deck (programming), in the one deck of all (with `numbers`), else in the box
    rule: str
    rulings: tuple[str, ...]
    cost: int | None = None  # energy cubes; None if it is not for sale
    when: str = ""  # when it acts; "" for cards that are played in a register
    decision: str | None = None  # the name of its owner's decision; None: never asked
    choices: str = ""  # of that decision, in words
    default: str = ""  # what decisions="program" does
    numbers: str = ""  # priority numbers of its copies
    every: tuple[str, ...] = field(default=(), repr=False)  # rules for all cards of its kind


Lister = Callable[[], list[Card]]
_ALL: Part[Lister] = Part("cards")  # by edition
_NEW: Part[Lister] = Part("new_cards")  # those that the edition is the first to have


def list_cards(edition: str | None = None, kind: str | None = None) -> list[Card]:
    """The cards of an edition in printed order, only those of type `kind` (one of TYPES) if it is given. Without an
    edition: every card once, in the words of the edition that it comes from.

    Raises:
        RoboRallyError: for an unknown edition or type, with the nearest names.
    """
    found = [card for new in _NEW.values() for card in new()] if edition is None else _ALL[check_edition(edition)]()
    if kind is not None and kind not in TYPES:
        own = [each for each in TYPES if any(card.type == each for card in found)]
        raise RoboRallyError(f"unknown type {kind!r}{nearest(kind, own)}; expected one of {', '.join(own)}")
    return [card for card in found if kind is None or card.type == kind]


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
    of, words = (f" of edition {edition}", f" --edition {edition}") if edition else ("", "")
    raise RoboRallyError(f"unknown card {name!r}{of}{hint}; `roborally cards{words}` lists them all")


def _letters(name: str) -> str:
    """The part of a name that is compared: its letters and digits."""
    return re.sub(r"[^a-z0-9]", "", name.lower())


def card_of(words: CardWords, kind: str, name: str, **facts: Any) -> Card:
    """A card of the words' table `kind`, with its facts; its owner decides something if it has choices."""
    found = words.of(kind, name)
    return Card(
        name=name,
        title=found.title,
        rule=found.rule,
        rulings=found.rulings,
        when=found.when,
        decision=name if found.choices else None,
        choices=found.choices,
        default=found.default,
        every=words.every.get(kind, ()),
        **{"count": 1, **facts},
    )


def upgrade_card(number: int, edition: str, words: CardWords = NO_WORDS) -> Card:
    """An upgrade; the row of one from outside has its own words."""
    row = upgrades.upgrade(number)
    if row.title:
        own = Words(row.title, row.rule, row.rulings, row.when, row.asked, row.default)
        words = CardWords({("upgrade", row.name): own}, words.every)
    return card_of(words, "upgrade", row.name, edition=edition, type=row.type, cost=row.cost)


def in_other_words(card: Card, edition: str, words: CardWords) -> Card:
    """A card in an edition that has other words for it, with the same choices."""
    kind = "upgrade" if card.cost is not None else "card"
    found = words.of(kind, card.name)._asdict()
    own = {
        key: value for key, value in found.items() if key != "choices" and (key != "default" or card.cost is not None)
    }
    return replace(card, edition=edition, every=words.every.get(kind, ()), **own)
