"""Ramming Gear and Gyroscopic Stabilizer: the card texts, and R64."""

import pytest

from .scene import scene, turns

NEAR = ".    A>   B^   .    ."
ROW = "A>   B^   C^   .    ."
STUCK = ".    A>   B^ | ."
YES_GYRO = ("A gyroscopic_stabilizer yes",)


# -- Ramming Gear. A robot that backs up has its laser the other way


def test_a_rammed_robot_takes_one_damage():
    """Card: every robot that this robot pushes gets 1 damage."""
    scene(NEAR.replace("A>", "A<"), A="ramming_gear").play(A="back_up").at(A="2 0", B="3 0").damage(B=1).asked()


def test_ramming_costs_one_damage_a_card():
    """R64: once a card and robot touched, however far it is pushed; and one by the main laser."""
    scene(NEAR, A="ramming_gear").play(A="move_2").at(A="3 0", B="4 0").damage(B=2)


def test_each_card_rams_anew():
    """R64: once a card."""
    scene(NEAR.replace("A>", "A<"), A="ramming_gear").play(A=["back_up", "back_up"]).at(B="4 0").damage(B=2)


def test_a_robot_that_cannot_be_moved_is_rammed_too():
    """Card: or bumps into; R64: moved or not, once a card."""
    scene(STUCK.replace("A>", "A<"), A="ramming_gear").play(A="back_up").at(A="1 0", B="2 0").damage(B=1)
    scene(STUCK, A="ramming_gear").play(A="move_3").at(A="1 0", B="2 0").damage(B=2)  # one by the laser


def test_the_others_of_a_row_are_not_rammed():
    """R64: the robot touched."""
    scene(ROW.replace("A>", "A<"), A="ramming_gear").play(A="back_up").at(A="1 0", B="2 0", C="3 0").damage(B=1)


def test_nobody_is_rammed_through_a_wall():
    """Card: bumps into the robot, and here it is the wall."""
    scene(STUCK.replace("A>   B^ |", "A< | B^  "), A="ramming_gear").play(A="back_up").damage()


def test_a_side_step_rams():
    """Card: every robot that this robot pushes."""
    scene("""
        +    +    +
          .    .
        +    +    +
          B>   .
        +    +    +
          A<   .
        +    +    +
    """, A="ramming_gear crab_legs").play(A="move_1+turn_right").at(A="0 1", B="0 0").damage(B=1)  # fmt: skip


def test_who_pushes_the_rammer_takes_nothing():
    """Card: that this robot pushes or bumps into."""
    scene(NEAR.replace("A>", "A^").replace("B^", "B<"), A="ramming_gear").play(B="move_1").damage(A=1)  # B's laser


def test_a_rammer_that_is_pushed_rams_nobody():
    """R64: by its card; here another's card moves the row."""
    scene(ROW, B="ramming_gear").play(A="move_1").at(C="3 0").damage(B=1)  # A's laser


def test_a_panel_does_not_ram():
    """R64: a card and robot touched; here a pusher moves the row."""
    scene(". | P>1+A<  B^  .", A="ramming_gear").play().at(A="2 0", B="3 0").damage()


def test_a_robot_rammed_off_the_board_is_destroyed():
    """Rulebook p. 10: is moved off the edge; one life."""
    scene(".  A>  B^", A="ramming_gear").play(A="move_1").destroyed("B").lives(B=2)


def test_the_tenth_token_destroys_in_the_middle_of_the_move():
    """Rulebook p. 10: receives its tenth token; the mover goes on over the free space."""
    scene(NEAR, A="ramming_gear", B={"damage": 9}).play(A="move_3").at(A="4 0").destroyed("B").lives(B=2)


def test_behind_a_robot_that_was_rammed_to_death_the_next_is_touched():
    """R64: once a card and robot touched."""
    result = scene("A>  B^  .  C^  .  .", A="ramming_gear", B={"damage": 9}).play(A="move_3")
    result.at(A="3 0", C="4 0").destroyed("B").damage(B=10, C=2)  # C: rammed and shot


def test_a_robot_rammed_to_death_plays_no_more_cards():
    """Rulebook p. 10: destroyed; A's number is higher."""
    result = scene(NEAR.replace("A>", "A<"), A="ramming_gear", B={"damage": 9}).play(
        A="back_up:430", B=["u_turn:10", "u_turn:20", "u_turn:30", "u_turn:40", "u_turn:50"]
    )
    assert turns(result)[0] == "A"
    assert "B" not in turns(result)


def test_an_option_may_take_the_token_of_a_ram():
    """Rulebook p. 10: an option may be discarded for a damage token; p. 9: rammed is damage."""
    scene(NEAR.replace("A>", "A<"), A="ramming_gear", B="brakes").play(
        A="back_up", answers=("B option_for_damage brakes",)
    ).damage().options(B="")


# -- Gyroscopic Stabilizer


@pytest.mark.parametrize("gear", ["cw", "ccw"])
def test_gears_do_not_turn_a_stabilized_robot(gear):
    """Card: neither gears nor rotating belts turn the robot."""
    board = f"{gear}+A>  ."
    scene(board, A="gyroscopic_stabilizer").play(answers=YES_GYRO).shows(board)


def test_a_player_may_leave_the_gyroscope_off():
    """Card: the owner says whether it is active."""
    scene("cw+A>  .", A="gyroscopic_stabilizer").play().at(A="0 0 S").asked("A gyroscopic_stabilizer no")


def test_rotating_belts_carry_a_stabilized_robot_without_turning_it():
    """Card: rotating belts; express belts and normal ones."""
    for belts in (("  >+A>", "  v   "), ("  >>+A>", "  vv  ")):
        result = scene(f"""
            +      +      +      +
            {belts[0]:<7}{belts[1]:<7}  .
            +      +      +      +
              .      .      .
            +      +      +      +
              .      .      .
            +      +      +      +
        """, A="gyroscopic_stabilizer").play(answers=YES_GYRO)  # fmt: skip
        assert result.robot("A")["facing"] == "E"
        assert result.robot("A")["x"] == 1


def test_it_holds_for_the_whole_turn():
    """Card: for the whole turn; asked before the first register only."""
    scene("cw+A>  .", A="gyroscopic_stabilizer").play(to=5, answers=YES_GYRO).at(A="0 0 E").asked(*YES_GYRO)


def test_it_is_not_asked_later_in_the_turn():
    """Card: before cards are revealed in the first register."""
    scene("cw+A>  .", A="gyroscopic_stabilizer").play(2, to=5).asked().at(A="0 0 E")  # four quarters


def test_it_is_asked_anew_each_turn():
    """Card: active this turn."""
    rounds = scene(
        "cw+A>  .", A={"options": ["gyroscopic_stabilizer"], "damage": 9, "registers": ["u_turn"] * 5}
    ).play_rounds(2, answers=YES_GYRO)
    rounds.asks("gyroscopic_stabilizer", "A yes", "A no").at(A="0 0 S")  # five U-turns, then five and five quarters


def test_it_holds_to_the_end_of_the_turn_though_the_option_is_lost():
    """Card: for the whole turn, as said before the first register."""
    lost = (*YES_GYRO, "A option_for_damage gyroscopic_stabilizer")
    scene("cw+A>  .  B<", A="gyroscopic_stabilizer").play(to=2, answers=lost).at(A="0 0 E").options(A="")


def test_own_cards_turn_a_stabilized_robot():
    """Card: gears and belts only."""
    scene(NEAR, A="gyroscopic_stabilizer").play(A="turn_left", answers=YES_GYRO).at(A="1 0 N")


def test_the_others_are_turned():
    """Card: the robot."""
    scene("cw+A>  cw+B>", A="gyroscopic_stabilizer").play(answers=YES_GYRO).at(A="0 0 E", B="1 0 S")


def test_it_serves_a_powered_down_robot():
    """Rulebook p. 5: board elements still affect it; the card has no condition."""
    result = scene("cw+A>  .", A={"options": ["gyroscopic_stabilizer"], "powered_down": True}).play(answers=YES_GYRO)
    result.at(A="0 0 E")
