"""The 84 program cards of the 2005 edition: a card's number here is its priority number / 10 (p. 4, p. 6).

Cards that a scenario names without a priority number are those from 85 on: FIRST_UNNUMBERED + the action.
"""

import numpy as np

from roborally_env.core import cards

NONE = cards.NONE
DECK_SIZE = 84
FIRST_UNNUMBERED = DECK_SIZE  # of action a: FIRST_UNNUMBERED + a
NUMBERS = DECK_SIZE + cards.U_TURN + 1  # card numbers 0..91


def _actions() -> list[int]:
    turns = [cards.TURN_LEFT, cards.TURN_RIGHT] * 18  # 70, 90, .. 410 to the left, 80, 100, .. 420 to the right
    deck = [cards.U_TURN] * 6 + turns + [cards.BACK_UP] * 6
    deck += [cards.MOVE_1] * 18 + [cards.MOVE_2] * 12 + [cards.MOVE_3] * 6
    return [cards.NONE, *deck, *range(cards.MOVE_1, cards.U_TURN + 1)]


# fmt: off
ACTION = np.array(_actions(), dtype=np.int64)  # [NUMBERS] the action of each card: cards.MOVE_1 .. cards.U_TURN
PACE = np.where(np.arange(NUMBERS) <= DECK_SIZE, np.arange(NUMBERS), 0).astype(np.int64)  # priority number / 10
# fmt: on


def card_name(card: int) -> str:
    """The card as scenario files write it: `move_1:650`, or `move_1` without a number."""
    name = cards.NAMES[ACTION[card]]
    return f"{name}:{10 * card}" if card <= DECK_SIZE else name


NAMES: tuple[str, ...] = ("none", *(card_name(card) for card in range(1, NUMBERS)))
