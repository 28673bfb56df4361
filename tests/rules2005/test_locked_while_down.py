"""Locking Registers During Power Down: 2005 rulebook p. 10."""

from .scene import dealt, scene

IN_THE_BEAM = "LL>  A^  ."
# B is shot in register one only
ONE_SHOT = ["turn_left", "turn_left", "turn_left", "turn_right", "turn_left"]
SIDE_BY_SIDE = "Av  B^  ."


def test_a_register_locked_while_down_is_programmed_from_the_deck():
    """p. 10: draw a card from the top of the deck and put it in that register."""
    result = scene(SIDE_BY_SIDE, B={"powered_down": True, "damage": 4}, draw=["move_3:790"]).play(A="turn_left")
    result.damage(B=5).register_cards(B=[None, None, None, None, "move_3:790"])


def test_several_registers_are_programmed_in_the_order_in_which_they_lock():
    """p. 10: immediately; register five locks with the fifth token, register four with the sixth."""
    result = scene(IN_THE_BEAM, A={"powered_down": True, "damage": 4}, draw=["move_3:790", "u_turn:10"]).play()
    result.damage(A=6).register_cards(A=[None, None, None, "u_turn:10", "move_3:790"])


def test_fewer_than_five_tokens_lock_nothing():
    """p. 9: the fifth token locks register five."""
    result = scene(IN_THE_BEAM, A={"powered_down": True, "damage": 2}, draw=["move_3:790"]).play()
    result.damage(A=4).register_cards(A=[None] * 5)


def test_it_is_not_executed_while_the_robot_is_down():
    """p. 5: a robot doesn't execute program cards while powered down; all registers lock in time."""
    cards = ["move_1:490", "move_1:500", "move_1:510", "move_1:520"]
    scene(IN_THE_BEAM, A={"powered_down": True, "damage": 4}, draw=cards).play(to=2).damage(A=8).at(A="1 0")


def test_it_is_executed_in_the_next_turn():
    """p. 10: the card in a locked register stays there and is executed when the robot runs again."""
    locked, hand_of_a = "move_1:490", [f"turn_left:{number}" for number in range(70, 250, 20)]
    hand = ["turn_right:80", "turn_right:100", "turn_right:120", "u_turn:10"]
    down = {"powered_down": True, "damage": 4}
    result = scene(SIDE_BY_SIDE, B=down, draw=[locked, *hand_of_a, *hand]).play_rounds(2, A=ONE_SHOT)
    assert dealt(result, "B") == 4
    # turned right thrice and once about: east; then one step
    assert [event["card"] for event in result.happened("play", "B")] == [*hand, locked]
    result.at(B="2 0 E")


def test_it_goes_with_the_damage_when_the_robot_stays_down():
    """p. 5, p. 10: all tokens are discarded, and then the cards of registers that unlock."""
    result = scene(SIDE_BY_SIDE, B={"powered_down": True, "damage": 4}, draw=["move_3:790"]).play_rounds(
        2, A=ONE_SHOT, answers=("B stay_down yes",)
    )
    assert {"kind": "replaced", "robot": 1, "register": 5, "card": "move_3:790"} in result.events
    assert result.robot("B")["damage"] < 5
    result.register_cards(B=[None] * 5)


def test_a_register_of_a_running_robot_locks_with_its_own_card():
    """p. 10: the card in that register stays there; nothing is drawn."""
    program = ["turn_right", "turn_left", "turn_right", "turn_left", "u_turn:10"]
    result = scene(SIDE_BY_SIDE, B={"damage": 4}, draw=["move_3:790"]).play(to=1, A="turn_left", B=program)
    result.damage(B=5).register_cards(B=program)
