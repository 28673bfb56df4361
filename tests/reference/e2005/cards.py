"""The Program deck with its priority numbers, and the names of the Option cards.

A Program card is a text as scenario files have it, `move_1:650`, or `move_1` where its number is not known. Two cards
in one register (Crab Legs, Dual Processor) are `move_1:650+turn_left:70`, the Move card first.
"""

from tests.reference.cards import words
from tests.reference.errors import BadScenario

NUMBERS = {
    "u_turn": range(10, 61, 10),
    "turn_left": range(70, 411, 20),
    "turn_right": range(80, 421, 20),
    "back_up": range(430, 481, 10),
    "move_1": range(490, 661, 10),
    "move_2": range(670, 781, 10),
    "move_3": range(790, 841, 10),
}

DECK = [f"{name}:{number}" for name, numbers in NUMBERS.items() for number in numbers]

# What a player who is not asked thinks an Option card is worth: the least is lost first (docs/options.md).
WORTH = {
    2: "brakes circuit_breaker conditional_program crab_legs fourth_gear gyroscopic_stabilizer reverse_gear",
    3: "abort_switch dual_processor power_down_shield pressor_beam radio_control recompile scrambler tractor_beam",
    4: "fire_control flywheel high_power_laser mini_howitzer ramming_gear",
    5: "ablative_coat rear_firing_laser",
    6: "double_barreled_laser superior_archive",
    7: "extra_memory",
    8: "mechanical_arm",
}
VALUE = {name: value for value, names in WORTH.items() for name in words(names)}

OPTIONS = sorted(VALUE)

TURNS = ("turn_left", "turn_right", "u_turn")
MOVES = ("move_1", "move_2", "move_3", "back_up")


def action_of(card):
    """What a single card does, without its number."""
    return card.split(":")[0]


def number_of(register):
    """The priority number of what lies in a register: that of the (Move) card; None where it has none."""
    if register is None:
        return None
    _, _, number = register.split("+")[0].partition(":")
    return int(number) if number else None


def cards_in(register):
    """The cards of one register: none, one or two."""
    return [] if register is None else register.split("+")


def in_order(register):
    """Two cards of one register, the Move card first."""
    return "+".join(sorted(register.split("+"), key=lambda card: action_of(card) in TURNS))


def suits_crab_legs(first, second):
    """A Move 1 with a Rotate Left or Rotate Right."""
    return action_of(first) == "move_1" and action_of(second) in ("turn_left", "turn_right")


def suits_dual_processor(first, second):
    """A Move card with a rotation card."""
    return action_of(first) in MOVES and action_of(second) in TURNS


def may_share_register(cards, options):
    """One card, or two that one of these options lets share a register."""
    if len(cards) == 1:
        return True
    return len(cards) == 2 and (
        ("crab_legs" in options and suits_crab_legs(*cards))
        or ("dual_processor" in options and suits_dual_processor(*cards))
    )


def check_card(card):
    """Is there such a card?"""
    name, colon, number = card.partition(":")
    if name not in NUMBERS or (colon and (not number.isdigit() or int(number) not in NUMBERS[name])):
        raise BadScenario(f"no such card in the deck of 2005: {card}")
