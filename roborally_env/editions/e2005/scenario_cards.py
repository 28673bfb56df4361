"""Cards of the 2005 edition as scenario files write them: `move_1`, `move_1:650`, `move_1:650+turn_left:70`."""

from functools import lru_cache
from typing import Any

from roborally_env.base.documents import shown
from roborally_env.base.errors import ScenarioError, nearest
from roborally_env.core import cards
from roborally_env.core.cards2005 import ACTION, DECK_SIZE, FIRST_UNNUMBERED, NAMES
from roborally_env.scenario.keys import EMPTY, Register
from roborally_env.scenario.reader import Scenario

NONE = cards.NONE
NUMBERS: dict[str, int] = {name: card for card, name in enumerate(NAMES) if card != NONE}
TYPES = tuple(NAMES[FIRST_UNNUMBERED + 1 :])  # without priority numbers
ROTATIONS = (cards.TURN_LEFT, cards.TURN_RIGHT, cards.U_TURN)


def action(card: int) -> int:
    """The action of a card."""
    return int(ACTION[card])


def is_numbered(card: int) -> bool:
    """Whether it is one of the 84 cards, not a card that the file names without its number."""
    return 0 < card <= DECK_SIZE


def read_card(scenario: Scenario, given: Any, where: str) -> int:
    """One card by its name, with or without its priority number."""
    card = NUMBERS.get(given) if isinstance(given, str) else None
    return _wrong_card(given, where) if card is None else card


def read_register(scenario: Scenario, given: Any, where: str) -> Register:
    """The contents of a register: nothing, a card, or a move card and a rotation."""
    if given is None:
        return EMPTY
    if isinstance(given, str) and "+" in given:
        return _pair(scenario, given, where)
    return read_card(scenario, given, where), NONE


def is_called(card: int, wanted: int) -> bool:
    """Whether a card is the wanted one, by its number, or by its type if the wanted one has no number."""
    return card == wanted or (not is_numbered(wanted) and action(card) == action(wanted))


def _pair(scenario: Scenario, given: str, where: str) -> Register:
    both = [read_card(scenario, name, where) for name in given.split("+")]
    moves = [card for card in both if action(card) not in ROTATIONS]
    turns = [card for card in both if action(card) in ROTATIONS]
    if len(moves) != 1 or len(turns) != 1:
        raise ScenarioError(f"{where}: expected a move card and a rotation in one register, got {shown(given)}")
    return moves[0], turns[0]


def _wrong_card(given: Any, where: str) -> int:
    if not isinstance(given, str):
        raise ScenarioError(f'{where}: expected a card\'s name such as "move_1" or "move_1:650", got {shown(given)}')
    name, colon, _ = given.partition(":")
    if "+" in given:
        raise ScenarioError(f"{where}: expected one card, got {shown(given)}")
    if name not in TYPES:
        raise ScenarioError(
            f"{where}: expected a card's name, one of {', '.join(TYPES)}, got {shown(given)}{nearest(name, TYPES)}"
        )
    assert colon, "a name without a number is known"
    raise ScenarioError(f"{where}: expected a priority number of {name}, {_range_of(name)}, got {shown(given)}")


@lru_cache(maxsize=16)
def _range_of(name: str) -> str:
    numbers = [10 * card for card in range(1, DECK_SIZE + 1) if cards.NAMES[ACTION[card]] == name]
    return f"{numbers[0]}, {numbers[1]}, .. {numbers[-1]}"
