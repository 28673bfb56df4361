"""The scenes themselves: pictures read back, wrong expectations are noticed."""

import json

import pytest

from roborally_env.scenario import load

from .picture import draw, read
from .scene import scene

EVERYTHING = """
+          +          +----------+          +
  A>+R^      SW>>+1   | P>135      Y<
+          +          +          +          +
| e*         cw+B<      L>+Gv      O
+          +          +          +----------+
"""


def test_a_picture_reads_back():
    first = read(EVERYTHING)
    text = draw(first.map, first.robots)
    second = read(text)
    assert second.robots == first.robots == {"A": (0, 0, "E"), "B": (1, 1, "W"), "G": (2, 1, "S")}
    assert draw(second.map, second.robots) == text
    assert second.map["antenna"] == {"x": 3, "y": 0, "facing": "W"}
    assert second.map["energy"] == [{"x": 0, "y": 1}]


def test_a_row_stands_for_the_board_with_posts_around_it():
    assert read("| A>+R^  SW>>+1 | . |") == read("""
        +         +         +         +
        | A>+R^     SW>>+1  | .       |
        +         +         +         +
    """)


def test_a_scene_is_a_scenario_file():
    result = scene(EVERYTHING, A={"energy": 2}).play(A="move_1")
    again = load(json.loads(result.to_json())).run()
    assert again == result.outcome
    assert result.robot("A")["energy"] == 2


def test_a_wrong_picture_is_noticed_and_shown():
    picture = "A>  ."
    with pytest.raises(AssertionError, match="expected") as failure:
        scene(picture).play(A="move_1").shows(picture)
    assert "scenario: {" in str(failure.value)


@pytest.mark.parametrize(
    "check",
    [
        lambda result: result.at(A="0 0"),
        lambda result: result.at(A="1 0 N"),
        lambda result: result.took(A=1),
        lambda result: result.took(B=0),
        lambda result: result.rebooted("A"),
        lambda result: result.has("energy", A=6),
        lambda result: result.asked("A reboot_facing N"),
        lambda result: result.register_cards(A=["move_2"]),
    ],
)
def test_wrong_expectations_are_noticed(check):
    result = scene("A>  .  B^").play(A="move_1")
    with pytest.raises(AssertionError):
        check(result)


@pytest.mark.parametrize(
    "check",
    [
        lambda result: result.owns(A="hack zoop"),
        lambda result: result.owns(A=""),
        lambda result: result.shop_holds("brakes"),
        lambda result: result.asks("hack", "A yes"),
        lambda result: result.asks("hack"),
        lambda result: result.never_asked("zoop", "hack"),
        lambda result: result.in_pile("discard", "move_1", A=0),
        lambda result: result.in_pile("draw", "spam", A=1),
        lambda result: result.pile("discard", A=[]),
    ],
)
def test_wrong_expectations_of_a_round_are_noticed(check):
    result = scene("A>  .  B^", A="hack").play_rounds(A=["move_1"], B=["power_up"], shop=("brakes", "zoop"))
    result.asks("hack", "A no").owns(A="hack").shop_holds("zoop", "brakes")
    with pytest.raises(AssertionError, match="asked:"):
        check(result)


def test_a_bad_picture_is_an_error():
    with pytest.raises(AssertionError, match="token"):
        scene("X>")
