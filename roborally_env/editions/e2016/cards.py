"""The cards of the 2016 edition as they are listed."""

from dataclasses import replace
from pathlib import Path

from roborally_env.cards.listing import TYPES, Card, card_of, upgrade_card
from roborally_env.cards.words import read_words
from roborally_env.core import cards, upgrades
from roborally_env.core.editions.e2016.upgrades.specials import ACTIONS, TURNS
from roborally_env.core.editions.e2016.upgrades.turns import REFRESHED

EDITION = "2016"
WORDS = read_words(Path(__file__).with_name("cards.toml"))
# choices that are cards, as bits
CARDS_OFFERED = {
    upgrades.DEFRAG_GIZMO: cards.DAMAGE_BITS,
    upgrades.REFRESH: REFRESHED | 1 << cards.AGAIN,
    upgrades.WEASEL_ROUTINE: TURNS,
    upgrades.SANDBOX_ROUTINE: ACTIONS,
}
# special card -> the routine that adds it
_ROUTINE_OF = {row.special: row.number for row in map(upgrades.upgrade, upgrades.DECK) if row.special}


def list_cards() -> list[Card]:
    """All cards in printed order."""
    plain = [_plain_card(number, name, in_deck, in_box) for number, name, in_deck, in_box in cards.TABLE]
    plain.sort(key=lambda card: TYPES.index(card.type))  # as printed: special cards stand before damage cards
    return plain + [sold_card(number) for number in upgrades.DECK]


def sold_card(number: int) -> Card:
    """An upgrade, with the names of the cards that it offers."""
    card = upgrade_card(number, EDITION, WORDS)
    if number not in CARDS_OFFERED:
        return card
    names = [name for kind, name in enumerate(cards.NAMES) if CARDS_OFFERED[number] >> kind & 1]
    return replace(card, choices=", ".join(["no"] * card.choices.startswith("no") + names))


def _plain_card(number: int, name: str, in_deck: int, in_box: int) -> Card:
    """A programming, special or damage card; the row of its routine has the decision of a special card."""
    kind = "special" if number in _ROUTINE_OF else "damage" if in_box else "programming"
    card = card_of(WORDS, "card", name, edition=EDITION, type=kind, count=in_deck or in_box or 1)
    routine = sold_card(_ROUTINE_OF[number]) if number in _ROUTINE_OF else None
    if routine is None or routine.decision is None:
        return card
    return replace(card, decision=routine.name, choices=routine.choices, default=routine.default)
