"""Damage tokens: the hand, the registers that they lock, and the cards in those. C10, C13, C14."""

from typing import Any

import pytest

from .scene import Result, scene

FIELD = "A^  ."
# damage, cards dealt, registers locked: the table of the rules, by health points 9 to 1 (10 - damage)
TABLE = [(1, 8, 0), (2, 7, 0), (3, 6, 0), (4, 5, 0), (5, 4, 1), (6, 3, 2), (7, 2, 3), (8, 1, 4), (9, 0, 5)]
# the twenty cards, those first that move nobody
DECK = [
    *["turn_left", "turn_right", "turn_left", "turn_right", "power_up", "turn_left", "turn_right", "u_turn", "back_up"],
    *["move_1", "move_1", "move_1", "move_1", "move_1", "move_2", "move_2", "move_2", "move_3", "again", "again"],
]
LOCKED = ["power_up", "turn_left", "turn_right", "u_turn", "turn_left"]  # cards in locked registers


def mat(damage: int, *locked: str, draw: tuple[str, ...] = ()) -> dict[str, Any]:
    """A robot with cards in its last registers; it draws these, then the rest of its deck in the order above."""
    left = list(DECK)
    for card in [*locked, *draw]:
        left.remove(card)
    return {"damage": damage, "registers": [None] * (5 - len(locked)) + list(locked), "draw": [*draw, *left]}


def dealt(result: Result, name: str) -> int:
    """How many cards a robot was dealt: all that lie in its registers and discard pile after a round."""
    robot = result.robot(name)
    return len(robot["discard"]) + sum(card is not None for card in robot["registers"])


@pytest.mark.parametrize(("damage", "cards", "locked"), [(0, 9, 0), *TABLE])
def test_a_robot_is_dealt_a_card_fewer_for_each_token(damage, cards, locked):
    """Programming phase: 9 cards, or fewer depending on the missing health; the table of health points."""
    robot = mat(damage, *LOCKED[:locked])
    result = scene(FIELD, A=robot).play_rounds()
    assert dealt(result, "A") == cards + locked
    result.pile("draw", A=robot["draw"][cards:])


@pytest.mark.parametrize(("damage", "cards", "locked"), TABLE)
def test_damage_locks_registers_from_the_fifth_down(damage, cards, locked):
    """Locked registers: with 5 or more damage tokens, starting with register 5 and working down to register 1."""
    kept = LOCKED[:locked]
    scene(FIELD, A=mat(damage, *kept)).play_rounds().register_cards(A=[None] * (5 - locked) + kept).damage(A=damage)


def test_the_card_in_a_locked_register_is_executed_every_round():
    """Locked registers: this programming card is stuck in the register and is executed every round."""
    room = """
        +     +     +     +
          .     .     .
        +     +     +     +
          .     A^    .
        +     +     +     +
          .     .     .
        +     +     +     +
    """
    result = scene(room, {"upgrades": False}, A=mat(5, "power_up")).play_rounds(2)
    result.register_cards(A=[None, None, None, None, "power_up"]).has("energy", A=7)


def test_locked_cards_stay_out_of_the_discard_pile():
    """Locked registers: the card in that register cannot be discarded."""
    registers = ["power_up", "turn_left", "u_turn", "turn_right", "turn_left"]
    result = scene(FIELD, A={"damage": 7}).play_rounds(A=registers)
    result.register_cards(A=[None, None, "u_turn", "turn_right", "turn_left"]).pile(
        "discard", A=["power_up", "turn_left"]
    )


def test_a_register_that_locks_keeps_the_card_that_lies_in_it():
    """C13: A is stomped in register one; registers four and five lock with the cards that were programmed."""
    program = ["turn_left", "turn_right", "power_up", "turn_left", "u_turn"]
    result = scene("S1+A^  .  .", A={"damage": 4}).play_rounds(A=program)
    result.damage(A=6).register_cards(A=[None, None, None, *program[3:]])


def test_a_locked_register_without_a_card_gets_the_top_card():
    """C13: when hands are dealt, in ascending order, before the hand."""
    robot = {"damage": 7, "draw": ["turn_left", "u_turn", "turn_right", "power_up", "turn_left"]}
    result = scene(FIELD, A=robot).play_rounds().asked("A program power_up turn_left - - -", "A power_down no")
    result.register_cards(A=[None, None, "turn_left", "u_turn", "turn_right"])


def test_a_robot_with_all_registers_locked_programs_nothing():
    """The table: 1 health point: dealt 0 cards, all registers locked."""
    registers = ["turn_left", "turn_right", "u_turn", "power_up", "turn_left"]
    scene(FIELD, A={"damage": 9, "registers": registers}).play_rounds().asked("A power_down no").at(A="0 0 E").has(
        "energy", A=6
    ).register_cards(A=registers)  # fmt: skip


def test_a_register_that_is_unlocked_is_wiped_at_clean_up():
    """Locked registers: removed only when the register is no longer locked. Here a site repairs one point."""
    registers = ["turn_left", "turn_right", "u_turn", "power_up", "turn_left"]
    picture = "r1+A^  ."
    scene(picture, A={"damage": 5}).play_rounds(A=registers).damage(A=4).register_cards(A=[None] * 5)


def test_heal_routine_may_unlock_a_register():
    """C13: the register keeps its card until it is wiped at clean-up: it is executed, and gone after the round."""
    robot = {"damage": 5, "registers": ["heal_routine", None, None, None, "power_up"]}
    scene(FIELD, A=robot).play_rounds().damage(A=4).has("energy", A=6).register_cards(A=[None] * 5)


def test_a_program_is_as_long_as_there_are_open_registers():
    """Programming phase: place 5 (or fewer, depending on the missing health)."""
    draw = ["turn_left", "turn_right", "u_turn"]
    robot = {"damage": 6, "registers": [None, None, None, "power_up", "turn_left"], "draw": draw}
    for answer in ("u_turn turn_left turn_right", "u_turn turn_left turn_right - -"):
        scene(FIELD, A=robot).play_rounds(answers=(f"A program {answer}",)).asked(
            "A program u_turn turn_left turn_right - -", "A power_down no"
        )


def test_locked_registers_are_named_for_readers():
    """`locked` follows from the damage."""
    scene(FIELD, A={"damage": 6, "locked": [4, 5]}).play(4, A="turn_left").at(A="0 0 W")


# ---- Again in register one ----------------------------------------------------------------------------------------


def test_again_is_not_programmed_in_register_one():
    """C14: not legal while the hand has a card that is no Again: the default takes the next card."""
    robot = {
        "damage": 7,
        "registers": [None, None, "turn_left", "turn_left", "turn_left"],
        "draw": ["again", "power_up"],
    }
    scene(FIELD, A=robot).play_rounds().asked("A program power_up again - - -", "A power_down no").has("energy", A=7)


def test_a_hand_of_agains_may_be_laid_in_register_one():
    """C14: then the top card is played in its place, and the Again goes to the discard pile (R23)."""
    registers = [None, "turn_left", "turn_left", "turn_left", "turn_right"]
    robot = {"damage": 8, "registers": registers, "draw": ["again", "power_up"]}
    result = scene(FIELD, A=robot).play_rounds(answers=("A program again - - - -",))
    result.has("energy", A=6).pile("discard", A=["again", "power_up"])


def test_with_nothing_but_agains_the_default_lays_one():
    """C14: every player places the maximum of the cards."""
    result = scene(FIELD, A=mat(8, *LOCKED[1:], draw=("again", "power_up"))).play_rounds()
    result.asked("A program again - - - -", "A power_down no").has("energy", A=6)


def test_again_in_a_later_register_repeats_the_one_before_locked_or_not():
    """C14: register five, locked with an Again, repeats register four."""
    scene(FIELD, A={"damage": 5, "registers": [None, None, None, "power_up", "again"]}).play(
        4, to=5
    ).has("energy", A=7)  # fmt: skip


# ---- Tokens -------------------------------------------------------------------------------------------------------


def test_with_the_tenth_token_a_robot_is_destroyed():
    """Destruction: when it got the 10th damage token, which means it has 0 health points left."""
    scene("L>  .  A^", A={"damage": 9}).play().destroyed("A").damage(A=10)


def test_nobody_is_destroyed_by_the_ninth_token():
    """Damage: a robot has a maximum of 10 health points."""
    scene("L>  .  A^", A={"damage": 8}).play().destroyed("").damage(A=9)
