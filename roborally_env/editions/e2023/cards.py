"""The cards of the 2023 edition as they are listed: those of 2016, which are installed and not bought."""

from pathlib import Path

from roborally_env.cards.listing import Card, in_other_words
from roborally_env.cards.words import read_words
from roborally_env.editions.e2016 import cards as e2016

WORDS = read_words(Path(__file__).with_name("cards.toml"), e2016.WORDS)


def list_cards() -> list[Card]:
    """All cards in printed order."""
    return [in_other_words(card, "2023", WORDS) for card in e2016.list_cards()]
