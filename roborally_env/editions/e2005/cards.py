"""The cards of the 2005 edition as they are listed."""

from pathlib import Path

from roborally_env.cards.listing import Card, card_of
from roborally_env.cards.words import read_words
from roborally_env.core import cards, cards2005, options

EDITION = "2005"
WORDS = read_words(Path(__file__).with_name("cards.toml"))


def list_cards() -> list[Card]:
    """All cards in printed order."""
    kinds = [_program_card(action) for action in range(cards.MOVE_1, cards.U_TURN + 1)]
    return kinds + [card_of(WORDS, "option", row.name, edition=EDITION, type="option") for row in options.TABLE]


def _program_card(action: int) -> Card:
    """One kind of program card, with the priority numbers of its cards."""
    found = [10 * card for card in range(1, cards2005.DECK_SIZE + 1) if cards2005.ACTION[card] == action]
    apart = found[1] - found[0]
    numbers = f"{found[0]} to {found[-1]}" if apart == 10 else f"{found[0]}, {found[1]} .. {found[-1]}"
    return card_of(
        WORDS, "card", cards.NAMES[action], edition=EDITION, type="programming", count=len(found), numbers=numbers
    )
