"""The cards of the community edition as they are listed: those of 2016 that are not about damage cards, and its own."""

from pathlib import Path

from roborally_env.cards.listing import Card, card_of, in_other_words, upgrade_card
from roborally_env.cards.words import read_words
from roborally_env.core import upgrades
from roborally_env.editions.e2016 import cards as e2016

EDITION = "community"
WORDS = read_words(Path(__file__).with_name("cards.toml"), e2016.WORDS)


def list_cards() -> list[Card]:
    """All cards: programming cards, special cards, upgrades."""
    deck = upgrades.numbers_of(upgrades.COMMUNITY_DECK)
    of_2016 = [in_other_words(card, EDITION, WORDS) for card in e2016.list_cards() if card.name != "spam_folder"]
    special, sold = new_cards()
    plain = [card for card in of_2016 if card.type in ("programming", "special")]
    return [*plain, special, *(card for card in of_2016 if card.cost is not None and card.name in deck), sold]


def new_cards() -> list[Card]:
    """Heal Routine: the special card, and the upgrade that adds it."""
    name = upgrades.ALL_NAMES[upgrades.HEAL_ROUTINE]
    special = card_of(WORDS, "card", name, edition=EDITION, type="special")
    return [special, upgrade_card(upgrades.HEAL_ROUTINE, EDITION, WORDS)]
