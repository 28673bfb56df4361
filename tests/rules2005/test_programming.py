"""2. Program Registers, and the timer: 2005 rulebook p. 4."""

import numpy as np
import pytest

from roborally_env.arguments import check_timer
from roborally_env.base.errors import ActionError, ScenarioError
from roborally_env.courses import load_course

from .scene import scene

ALONE = """
    +    +    +    +    +    +    +
      .    .    .    .    .    .
    +    +    +    +    +    +    +
      .    .    A>   .    .    .
    +    +    +    +    +    +    +
"""
HAND = [
    "move_1:490", "move_1:500", "move_2:670", "turn_left:70", "turn_right:80", "u_turn:10", "u_turn:20", "back_up:430",
    "turn_left:90",
]  # fmt: skip
TURNS = "turn_left turn_right turn_left u_turn u_turn"


def test_five_cards_of_the_hand_are_executed_from_left_to_right():
    """p. 4: put those cards in the registers from left to right in the order they'll be executed."""
    result = scene(ALONE, A={"hand": HAND}).play_rounds(
        answers=("A program move_1:490 turn_left:70 move_1:500 turn_right:80 move_2:670",)
    )
    assert [event["card"] for event in result.happened("play")] == [
        "move_1:490", "turn_left:70", "move_1:500", "turn_right:80", "move_2:670",
    ]  # fmt: skip
    result.at(A="5 0 E")


def test_the_cards_left_over_are_discarded():
    """p. 4: discard any cards you have left over."""
    result = scene(ALONE, A={"hand": HAND}).play_rounds(answers=(f"A program {TURNS}",))
    result.pile("hand", A=[])
    assert {"move_1:490", "move_1:500", "move_2:670", "back_up:430"} <= set(result.robot("A")["discard"])


def test_each_card_is_laid_once():
    """p. 4: five cards of the hand; there is one back_up in this one."""
    with pytest.raises(ScenarioError):
        scene(ALONE, A={"hand": HAND}).play_rounds(answers=("A program back_up back_up u_turn u_turn turn_left",))


def test_locked_registers_are_not_programmed():
    """p. 10: the card in a locked register stays; the three cards of the hand go to registers one to three."""
    locked = {"damage": 6, "registers": [None, None, None, "u_turn:30", "u_turn:20"], "hand": HAND[3:6]}
    result = scene(ALONE, A=locked).play_rounds(answers=("A program turn_left:70 u_turn:10 turn_right:80",))
    assert [event["card"] for event in result.happened("play")] == [
        "turn_left:70", "u_turn:10", "turn_right:80", "u_turn:30", "u_turn:20",
    ]  # fmt: skip


# -- the timer


def test_the_timer_fills_open_registers_from_the_players_unused_cards():
    """p. 4, Timer: the unused cards fill the remaining empty registers. All that is left here are U-Turns."""
    hand = ["move_1:490", "turn_left:70", "u_turn:10", "u_turn:20", "u_turn:30", "u_turn:40", "u_turn:50", "u_turn:60"]
    result = scene(ALONE, {"timer": True}, A={"hand": hand, "damage": 1}).play_rounds(
        answers=("A program move_1:490 - turn_left:70 - -",)
    )
    played = [event["card"].split(":")[0] for event in result.happened("play")]
    assert played == ["move_1", "u_turn", "turn_left", "u_turn", "u_turn"]


def test_the_timer_lays_cards_at_random():
    """p. 4, Timer: without looking at the cards; another shuffle, another program."""
    programs = set()
    for seed in range(8):
        result = scene(ALONE, {"timer": True}, A={"hand": HAND}).play_rounds(
            answers=("A program turn_left turn_right - - -",), seed=seed
        )
        programs.add(tuple(event["card"] for event in result.happened("program", "A")))
    assert len(programs) > 1


def test_what_the_timer_does_not_lay_is_discarded():
    """p. 4, Timer: discard any cards that are left over."""
    hand = [*(f"turn_left:{number}" for number in range(70, 220, 20)), "u_turn:10"]
    result = scene(ALONE, {"timer": True}, A={"hand": hand}).play_rounds(answers=("A program - - - - -",))
    played = {event["card"] for event in result.happened("play")}
    assert len(played) == 5
    assert set(hand) <= set(result.robot("A")["discard"])
    result.pile("hand", A=[])


def test_the_timer_leaves_locked_registers_alone():
    """p. 4: the remaining empty registers; register five is locked and not empty."""
    locked = {"damage": 5, "registers": [None, None, None, None, "turn_left:70"]}
    result = scene(ALONE, {"timer": True}, A={**locked, "hand": ["u_turn:10", "u_turn:20", "u_turn:30", "u_turn:40"]})
    played = result.play_rounds(answers=("A program - - - - -",)).happened("play")
    assert [event["card"].split(":")[0] for event in played] == ["u_turn"] * 4 + ["turn_left"]


def test_without_the_timer_no_register_is_left_open():
    """p. 4: each player fills all registers."""
    with pytest.raises(ScenarioError, match="register 2"):
        scene(ALONE, A={"hand": HAND}).play_rounds(answers=("A program move_1:490 - turn_left u_turn u_turn",))


PAIR = "A>  .  .  B<"


def pair(rules: dict | None = None, *, special: str = "", answers: tuple[str, ...], seed: int = 0):
    """A turn of two robots with hands; register one is programmed first."""
    other = [f"turn_right:{number}" for number in range(100, 280, 20)]
    tags = {"special_rules": special.split()} if special else {}
    robots = scene(PAIR, rules, A={"hand": HAND}, B={"hand": other}, **tags)
    return robots.play_rounds(answers=answers, seed=seed)


OPEN_A = "A program turn_left:70 turn_right:80 - - -"
OPEN_B = "B program turn_right:100 - turn_right:120 - -"


@pytest.mark.parametrize("timer", ["program_time_30", "program_time_60"])
def test_a_course_timer_may_catch_everybody_without_the_rule_option(timer):
    """R89; p. 24: Ball Lightning and Tight Collar limit the time of every player."""
    result = pair(special=timer, answers=(OPEN_A, OPEN_B))
    for name in "AB":
        assert {event["register"] for event in result.happened("program", name)} == {1, 2, 3, 4, 5}


def test_elsewhere_a_scenario_in_which_the_timer_catches_two_players_is_refused():
    """R89; p. 4: it runs when only one player remains."""
    with pytest.raises(ScenarioError, match=r"answers\[1\]\.choice.*timer.*robot 0"):
        pair({"timer": True}, answers=(OPEN_A, OPEN_B))
    pair({"timer": True}, answers=(OPEN_B,))


def test_the_timer_may_catch_both_robots_of_one_player():
    """R89; p. 4: thirty seconds for each robot if the player controls more than one; p. 26: a racer and a blocker."""
    pair({"timer": True}, special="racers_and_blockers", answers=(OPEN_A, OPEN_B))


def test_the_timer_runs_for_one_player_only():
    """p. 4, Timer: it is flipped when only one player remains who hasn't said done."""
    courses, numbers = [load_course("dizzy_dash", "2005")], np.zeros(1, np.int64)
    check_timer(np.array([[0, 0b11, 0]], np.uint8), True, courses, numbers)
    with pytest.raises(ActionError):
        check_timer(np.array([[1, 0b11, 0]], np.uint8), True, courses, numbers)
