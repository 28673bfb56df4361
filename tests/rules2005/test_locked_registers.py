"""Locked Registers: 2005 rulebook p. 9 and p. 10."""

import pytest

from .scene import dealt, scene

CARDS = ["turn_left:70", "turn_left:90", "turn_left:110", "turn_left:130", "turn_left:150"]
ALONE = "A^  ."
IN_THE_BEAM = "L>  A^"
ON_A_WRENCH = "r1+A^  ."


def locked_with(damage: int) -> list[str | None]:
    """The cards in the registers that `damage` tokens lock."""
    return [card if k >= 9 - damage else None for k, card in enumerate(CARDS)]


@pytest.mark.parametrize("damage", range(10))
def test_registers_lock_from_the_fifth_down(damage):
    """p. 9, the table: five tokens lock register 5, six 4 and 5, .. nine all."""
    scene(ALONE, A={"damage": damage}).play_rounds(A=CARDS).register_cards(A=locked_with(damage))


@pytest.mark.parametrize("damage", [5, 6, 7, 8])
def test_locked_registers_execute_their_cards_again(damage):
    """p. 10: the card stays there until the damage that locks the register is repaired."""
    hand = ["u_turn:10", "u_turn:20", "u_turn:30", "u_turn:40"][: 9 - damage]
    result = scene(ALONE, A={"damage": damage, "registers": locked_with(damage), "hand": hand}).play_rounds()
    assert [event["card"] for event in result.happened("play")] == hand + CARDS[9 - damage :]


def test_with_all_registers_locked_the_program_is_executed_again():
    """p. 10: a robot with all its registers locked still moves; p. 9: it is dealt no cards."""
    program = ["turn_right", "move_1", "turn_right", "move_1", "turn_right"]
    result = scene("""
        +    +    +    +
          A^   .    .
        +    +    +    +
          .    .    .
        +    +    +    +
    """, A={"damage": 9, "registers": program}).play_rounds(2)  # fmt: skip
    assert dealt(result, "A") == 0
    # the first turn leads to 1 1, facing west; the second goes north and east
    result.at(A="2 0 S").never_asked("program")


def test_a_register_locks_as_soon_as_the_token_is_received():
    """p. 10: if a robot has 5 or more tokens; the card that lies there is executed in this turn all the same."""
    program = ["turn_left", "turn_right", "u_turn", "u_turn", CARDS[4]]
    result = scene(IN_THE_BEAM, A={"damage": 4}).play_rounds(A=program)
    assert [event["register"] for event in result.happened("locked", "A")] == [5, 4, 3, 2, 1]
    assert [event["card"] for event in result.happened("play", "A")][-1] == CARDS[4]


def test_a_register_locked_in_mid_turn_keeps_the_card_of_this_turn():
    """p. 8, p. 10: locked registers are not wiped."""
    result = scene("Av  B^", B={"damage": 4}).play_rounds(
        A=["turn_left", "turn_left", "turn_left", "turn_right", "turn_left"], B=[*["u_turn"] * 4, "turn_left:70"]
    )
    result.register_cards(B=[None, None, None, None, "turn_left:70"])


def test_a_repair_unlocks_the_lowest_locked_register():
    """p. 10: you must unlock registers from lowest to highest; both the token and the card are discarded."""
    under = {"damage": 7, "registers": locked_with(7)}
    result = scene(ON_A_WRENCH, A=under).play_rounds(A=["u_turn:10", "u_turn:20"])
    result.damage(A=6).register_cards(A=[None, None, None, CARDS[3], CARDS[4]])
    assert CARDS[2] in result.robot("A")["discard"]


def test_register_five_is_unlocked_last():
    """p. 10: from register 1 to register 5, one a repair."""
    under = {"damage": 9, "registers": CARDS}
    hands = [f"turn_right:{number}" for number in range(80, 200, 20)]  # of one, two and three cards
    result = scene(ON_A_WRENCH, A=under, draw=hands).play_rounds(4)
    result.damage(A=5).register_cards(A=[None, None, None, None, CARDS[4]])


def test_a_repair_of_other_damage_unlocks_nothing():
    """p. 10: until the damage locking the register is repaired: with four tokens none is locked, with three neither."""
    scene(ON_A_WRENCH, A={"damage": 4}).play_rounds(A=CARDS).damage(A=3).register_cards(A=[None] * 5)


def test_an_unlocked_register_is_programmed_in_the_next_turn():
    """p. 9: with four tokens five cards are dealt again, for five registers."""
    under = {"damage": 5, "registers": locked_with(5)}
    result = scene(ON_A_WRENCH, A=under).play_rounds(2, A=["u_turn:10", "u_turn:20", "u_turn:30", "u_turn:40"])
    assert dealt(result, "A") == 5
    assert len(result.happened("program", "A")) == 5


def test_a_destroyed_robot_loses_what_was_locked():
    """p. 9, p. 10: it comes back with two tokens, which lock nothing."""
    under = {"damage": 9, "registers": ["move_1:490", *CARDS[1:]]}
    scene(ALONE, A=under).play_rounds(answers=("A reboot_facing N",)).damage(A=2).register_cards(A=[None] * 5)
