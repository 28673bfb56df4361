"""Capture the Flag, robots that are pushed from home boards: 2005 course manual p. 31.

A and C are at home on the left board, columns 0 to 7, B and D on the right one, columns 8 to 15. The back six rows are
columns 0 to 5 and 10 to 15.
"""

import pytest

from roborally_env.base.errors import ScenarioError

from .homes import homes
from .scene import Result

__all__ = ["homes"]  # a fixture

TURNS = ["turn_left", "turn_right", "turn_left", "turn_right", "u_turn"]
BACKS = ["back_up", *TURNS[:4]]
PUSH = {"A": "6 0 W", "B": "7 0 S"}  # A backs into B and does not shoot it


def taken(result: Result) -> str:
    """Who was taken off the board, in order."""
    return "".join(result.scene.names[event["robot"]] for event in result.happened("sent_home"))


# -- being taken off the board


def test_a_robot_that_is_pushed_from_the_enemys_home_board_is_taken_off(homes):
    """p. 31: completely. It isn't considered destruction, so it costs no Life token and no option."""
    result = homes(**PUSH, mats={"B": {"options": ["brakes"]}}).play(A="back_up")
    assert taken(result) == "B"
    assert result.robots.keys() == {"A"}
    result.destroyed("").lives(B=3).options(B="brakes").damage()


def test_at_the_end_of_the_phase(homes):
    """p. 31, R93: if the pusher survives the phase. Before that A shoots it."""
    result = homes(A="6 0 E", B="7 0 N").play(A="move_1").damage(B=1)
    assert taken(result) == "B"


def test_it_plays_nothing_more_in_that_turn(homes):
    """p. 31: at the end of the turn it re-enters."""
    result = homes(**PUSH).play(A="back_up", B=["turn_left", "move_1"])
    assert [event["card"] for event in result.happened("play", "B")] == ["turn_left"]


def test_its_circuit_breaker_looks_at_its_damage_as_it_was_not_destroyed(homes):
    """Circuit Breaker: 3 or more Damage tokens on the Program sheet at the end of the turn."""
    mats = {"B": {"damage": 4, "options": ["circuit_breaker"]}}
    result = homes(**PUSH, mats=mats).play_rounds(1, A=BACKS, B=TURNS)
    assert taken(result) == "B"
    assert [event["robot"] for event in result.happened("announced")] == [1]


def test_the_pusher_has_to_be_on_its_home_board(homes):
    """p. 31: it does not matter where the robot is that is pushed, or which way."""
    assert taken(homes(A="7 0 W", B="8 0 N").play(A="back_up")) == "B"
    assert taken(homes(A="8 0 W", B="9 0 N").play(A="back_up").at(B="10 0")) == ""
    assert taken(homes(A="8 0 W", B="7 0 N").play(A="move_1").at(A="7 0", B="6 0")) == ""


def test_both_teams_push_each_other_off(homes):
    """p. 31: a robot that's on its home board."""
    assert taken(homes(A="8 0 N", B="9 0 E").play(B="back_up")) == "A"


def test_the_own_team_stays(homes):
    """p. 31: a robot from the other team."""
    assert taken(homes(A="4 0 W", B="15 2 N", C="5 0 N").play(A="back_up").at(C="6 0")) == ""


def test_all_enemies_in_the_line_are_pushed(homes):
    """p. 31, R10: a step pushes every robot in line; only the SuperBot's heir has to push directly (p. 25)."""
    result = homes(A="3 0 W", B="4 0 N", C="5 0 N", D="6 0 N").play(A="back_up").at(C="6 0")
    assert taken(result) == "BD"


def test_a_push_against_a_wall_is_none(homes):
    """p. 6: a robot can't be pushed through a wall."""
    assert taken(homes({(8, 0): "|"}, **PUSH).play(A="back_up").at(A="6 0", B="7 0")) == ""


def test_a_pusher_that_does_not_survive_the_phase_takes_nobody_off(homes):
    """p. 31. D shoots A after the push."""
    result = homes(A="6 1 W", B="7 1 N", D="7 0 S", mats={"A": {"damage": 9}}).play(A="back_up").destroyed("A")
    assert taken(result) == ""
    result.at(B="8 1")


def test_a_robot_that_is_destroyed_in_the_phase_is_destroyed(homes):
    """p. 10: pushed off the board, or by A's laser after the push: that costs a Life token."""
    fallen = homes(A="7 1 N", B="7 0 E").play(A="move_1").destroyed("B").lives(B=2)
    assert taken(fallen) == ""
    shot = homes(A="6 0 E", B="7 0 N", mats={"B": {"damage": 9}}).play(A="move_1").destroyed("B").lives(B=2)
    assert taken(shot) == ""


def test_pressor_beam_pushes_too(homes):
    """R64: it pushes as a card's step does."""
    result = homes(A="4 0 E", B="6 0 N", mats={"A": {"options": ["pressor_beam"]}}).play(
        answers=("A pressor_beam yes",)
    )
    assert taken(result) == "B"


def test_belts_and_pushers_are_nobodys_push(homes):
    """p. 31: if a robot pushes."""
    assert taken(homes({(6, 0): ">"}, A="0 0 N", B="6 0 N").play().at(B="7 0")) == ""
    assert taken(homes({(6, 0): "P>1"}, A="0 0 N", B="6 0 N").play().at(B="7 0")) == ""


def test_a_robot_that_is_taken_off_leaves_its_flag_behind(homes):
    """p. 31: the robot is taken off the board, and does not win by coming home like that. B has carried flag 1 home; A
    stands on its own home board when it pushes B.
    """
    result = homes(A="5 1 E", B="6 1 S").play_rounds(
        A=["u_turn", "back_up:430", "back_up:440", "back_up:450", "turn_left"],
        B=["turn_left", "move_2:670", "turn_left", "turn_right", "turn_left"],
    )
    flags = [event for event in result.events if event["kind"].startswith("flag")]
    assert [(event["kind"], event["number"]) for event in flags] == [("flag_taken", 1), ("flag_dropped", 1)]
    assert flags[1]["cell"] == [9, 1]
    assert taken(result) == "B"
    assert result.winner is None


def test_a_robot_that_is_pushed_onto_the_flag_does_not_take_it_away(homes):
    """p. 31, p. 8: it touches the flag, and is taken off at the end of that phase."""
    result = homes(A="4 1 W", B="5 1 S").play(A="back_up")
    assert [event["kind"] for event in result.events[-3:]] == ["flag_taken", "sent_home", "flag_dropped"]
    assert result.events[-1]["cell"] == [6, 1]


# -- coming back


def back(homes, *answers, tokens=None, **robots):
    """A pushes B off in register one; then B comes back."""
    mats = robots.pop("mats", None)
    places = {**PUSH, **robots}
    others = {name: TURNS for name in places if name not in "AB"}
    return homes(tokens, mats=mats, **places).play_rounds(A=BACKS, B=TURNS, **others, answers=answers)


def test_at_the_end_of_the_turn_it_reenters_in_the_back_six_rows_of_its_home_board(homes):
    """p. 31: anywhere there, as its player chooses; facing as it chooses (p. 9)."""
    result = back(homes, "B reentry_cell 12,2", "B reboot_facing W")
    result.at(B="12 2 W").asked("B reentry_cell 12,2", "B reboot_facing W")


def test_coming_back_costs_nothing(homes):
    """p. 31: not destruction, so no two damage tokens (p. 9), and the archive marker stays."""
    result = back(homes, mats={"B": {"damage": 1, "archive": {"x": 10, "y": 0}}})
    result.damage(B=1).lives(B=3).archive(B="10 0").never_asked("reenter_powered_down", "option_lost")


def test_unanswered_it_comes_back_somewhere_in_its_back_rows(homes):
    """p. 31."""
    x, y, _ = back(homes).robots["B"]
    assert 10 <= x <= 15
    assert 0 <= y <= 2


@pytest.mark.parametrize(
    ("cell", "tokens"), [("9,1", {}), ("5,1", {}), ("12,2", {(12, 2): "O"}), ("11,1", {})],
    ids=["front", "other board", "pit", "occupied"],
)  # fmt: skip
def test_it_cannot_reenter_anywhere_else(homes, cell, tokens):
    """p. 31: the back six rows; p. 9: not in a pit, nor where a robot stands."""
    with pytest.raises(ScenarioError):
        back(homes, f"B reentry_cell {cell}", tokens=tokens, D="11 1 N")


@pytest.mark.parametrize(
    ("place", "legal"),
    [("12,1 W", False), ("13,1 W", False), ("14,1 W", True), ("13,1 E", True), ("13,1 N", True), ("13,0 W", True)],
)
def test_no_enemy_may_stand_in_its_line_of_sight_three_spaces_away_or_closer(homes, place, legal):
    """p. 31. C, of the other team, stands on "10 1"."""
    cell, facing = place.split()
    answers = (f"B reentry_cell {cell}", f"B reboot_facing {facing}")
    if legal:
        back(homes, *answers, C="10 1 N").at(B=cell.replace(",", " ") + f" {facing}")
    else:
        with pytest.raises(ScenarioError, match="reboot_facing"):
            back(homes, *answers, C="10 1 N")


def test_walls_and_robots_end_the_line_of_sight(homes):
    """p. 8: with no obstacles, like a wall or another robot, in between."""
    answers = ("B reentry_cell 12,1", "B reboot_facing W")
    back(homes, *answers, C="10 1 N", tokens={(11, 1): "|"}).at(B="12 1 W")
    back(homes, *answers, C="10 1 N", D="11 1 N").at(B="12 1 W")


def test_robots_of_the_own_team_may_stand_in_sight(homes):
    """p. 31: a robot from the other team."""
    back(homes, "B reentry_cell 12,1", "B reboot_facing W", D="11 1 N").at(B="12 1 W")


def test_its_locked_registers_keep_their_cards(homes):
    """p. 10: until the damage is repaired; it was not destroyed."""
    under = [None, None, None, "turn_left:70", "turn_right:80"]
    result = homes(**PUSH, mats={"B": {"damage": 6, "registers": under}}).play_rounds(A=BACKS, B=TURNS[:3])
    result.damage(B=6).register_cards(B=under)


def test_a_powered_down_robot_may_stay_so(homes):
    """p. 8: players whose robots were powered down this turn announce whether they remain so."""
    result = homes(**PUSH, mats={"B": {"powered_down": True}}).play_rounds(A=BACKS, answers=("B stay_down yes",))
    assert taken(result) == "B"


def test_a_power_down_that_was_announced_takes_effect(homes):
    """p. 5: on the next turn."""
    result = homes(**PUSH, mats={"B": {"damage": 2}}).play_rounds(2, A=BACKS, B=TURNS, answers=("B power_down yes",))
    assert taken(result)[0] == "B"
    assert len(result.happened("powered_down", "B")) == 1


def test_it_plays_again_in_the_next_turn(homes):
    """p. 31: it re-enters play."""
    result = homes(**PUSH).play_rounds(2, A=BACKS, B=TURNS)
    assert len(result.happened("deal", "B")) == 9
