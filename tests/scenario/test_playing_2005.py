"""Scenarios of the 2005 edition: the game plays what the file says, and the outcome reports it."""

import re
from typing import Any

import pytest

from roborally_env.base.errors import ScenarioError
from roborally_env.core import options
from roborally_env.core.cards2005 import DECK_SIZE, NAMES
from roborally_env.scenario import load
from tests.rules.scene import Result, scene
from tests.rules.slowly import core_decides

LINE = """
    +    +    +    +    +    +    +    +    +
      A>   .    .    .    .    .    .    .
    +    +    +    +    +    +    +    +    +
      .    .    .    .    .    .    .    B^
    +    +    +    +    +    +    +    +    +
"""
HAND = [
    "move_1:500",
    "move_1:490",
    "turn_left:70",
    "turn_right:80",
    "u_turn",
    "move_2",
    "back_up",
    "turn_left",
    "move_1",
]
STAND = ["turn_left", "turn_right", "turn_left", "turn_right", "u_turn"]


def program(*cards: str, **mat: object) -> Result:
    """One round in which A, with the hand above, programs these cards."""
    words = " ".join(cards)
    return scene(LINE, edition="2005", A={"hand": HAND, **mat}, B={"damage": 0}).play_rounds(
        answers=(f"A program {words}",), B=STAND
    )


# -- registers


def test_numbers_act_in_their_order_and_cards_without_one_after_them() -> None:
    picture = "A>  .  B>  .  D>"
    cards = {"A": "turn_left", "B": "turn_left:90", "D": "turn_left:110"}
    assert scene(picture, edition="2005").play(**cards).turns == "DBA"
    assert scene(picture, edition="2005").play(A="u_turn", B="turn_left", D="move_3").turns == "ABD"
    assert scene(picture, edition="2005").play(**cards, order="ABD").turns == "ABD"


def test_registers_from_to_and_nothing_of_the_clean_up() -> None:
    picture = "A>  .  .  .  .  r1"
    played = scene(picture, edition="2005", A={"damage": 3}).play(2, A=["move_3"] + ["move_1"] * 4, to=4)
    played.at(A="3 0 E").asked()
    assert (played.register, played.outcome["round"]) == (4, 1)
    played = scene(picture, edition="2005", A={"damage": 3}).play(A=["move_1"] * 5)
    played.at(A="5 0").damage(A=3).archive(A="5 0").register_cards(A=["move_1"] * 5)
    assert played.register == 5


def test_the_program_of_a_pair_and_its_name_in_the_outcome() -> None:
    played = scene(LINE, edition="2005", A="dual_processor").play(A="turn_left:70+move_2:700", B="u_turn:10")
    played.at(A="1 0 N").register_cards(A=["move_2:700+turn_left:70"], B=["u_turn"])
    assert played.turns == "AB"  # the move card counts


def test_a_destroyed_robot_has_no_place() -> None:
    played = scene(LINE, edition="2005", B={"lives": 2, "options": ["brakes"]}).play(B="move_2")
    played.destroyed("B").lives(A=3, B=1).options(B="").has("active", A=True, B=False)
    assert [played.robot("B")[key] for key in ("x", "y", "facing")] == [None] * 3
    assert played.robot("B")["archive"] == {"x": 7, "y": 1}


def test_a_robot_out_of_the_game_takes_no_part() -> None:
    played = scene(LINE, edition="2005", D={"lives": 0}).play_rounds(A=STAND, B=STAND)
    played.destroyed("D").lives(D=0).asked()
    assert played.robot("D")["x"] is None


def test_locked_registers_beyond_the_table_are_kept() -> None:
    cards = ["turn_left", "turn_right", "u_turn", "u_turn", "turn_left:70"]
    mat = {"damage": 5, "locked": [2, 5], "registers": [None, "u_turn:20", None, None, "turn_left:70"]}
    played = scene(LINE, edition="2005", A=mat).play_rounds(A=cards, B=STAND)
    played.register_cards(A=[None, "turn_right", None, None, "turn_left:70"])


def test_a_powered_down_robot_does_not_act_and_keeps_its_damage() -> None:
    """The round begins with programming: the damage went, or not, at the start of the turn."""
    played = scene(LINE, edition="2005", A={"damage": 4, "powered_down": True}).play_rounds(B=STAND)
    played.damage(A=4).at(A="0 0 E").has("active", A=False).asked("A stay_down no")
    played = scene(LINE, edition="2005", A={"damage": 4, "powered_down": True}).play_rounds(2, B=STAND)
    assert played.asked_about("program")[0].startswith("A ")
    assert len(played.happened("deal", "A")) == 5


def test_the_default_lives_are_those_of_the_rules() -> None:
    assert scene(LINE, {"lives": 4}, edition="2005").play().robot("A")["lives"] == 4


# -- programming


def test_cards_without_a_number_are_the_first_such_of_the_hand() -> None:
    played = program("move_1", "turn_left", "move_1:490", "u_turn", "back_up")
    assert played.asked_about("program") == ["A move_1:500 turn_left:70 move_1:490 u_turn back_up"]
    played.register_cards(A=[None] * 5).pile("hand", A=[])


def test_a_number_is_not_taken_by_a_name_before_it() -> None:
    played = program("move_1", "move_1:500", "move_1", "turn_left", "turn_left")
    assert played.asked_about("program") == ["A move_1:490 move_1:500 move_1 turn_left:70 turn_left"]


def test_without_an_answer_the_hand_is_laid_in_order() -> None:
    played = scene(LINE, edition="2005", A={"hand": HAND}).play_rounds(B=STAND)
    assert played.asked_about("program") == ["A " + " ".join(HAND[:5])]


@core_decides("the reference knows one way only to write a program")
def test_a_program_for_the_open_registers() -> None:
    mat = {"damage": 6, "registers": [None, None, None, "u_turn:20", "turn_right:100"], "hand": HAND[:3]}
    for more in ("", " - -", " u_turn turn_right:100"):
        played = scene(LINE, edition="2005", A=mat).play_rounds(
            answers=(f"A program move_1 move_1:500 turn_left{more}",), B=STAND
        )
        assert played.asked_about("program") == ["A move_1:490 move_1:500 turn_left:70 - -"]
        assert [event["card"] for event in played.happened("play", "A")][3:] == ["u_turn:20", "turn_right:100"]
        played.register_cards(A=[None, None, None, "u_turn", "turn_right"])


@core_decides("the reference knows one way only to write a program")
def test_a_locked_register_without_a_card_may_be_programmed_or_left_empty() -> None:
    world = scene(LINE, edition="2005", A={"damage": 5, "hand": HAND[:5]}, B={"damage": 0})
    short = "A program turn_left turn_right move_1 move_1"
    for more in ("", " -"):
        played = world.play_rounds(answers=(short + more,), B=STAND)
        assert played.asked_about("program") == ["A turn_left:70 turn_right:80 move_1:500 move_1:490 -"]
        assert len(played.happened("play", "A")) == 4
    played = world.play_rounds(answers=(short + " u_turn",), B=STAND)
    assert len(played.happened("play", "A")) == 5


def test_a_hand_is_filled_up_to_what_the_damage_allows() -> None:
    played = scene(LINE, edition="2005", A={"damage": 2, "hand": HAND[:4]}, B="extra_memory").play_rounds()
    assert len(played.happened("deal", "A")) == 3
    assert len(played.happened("deal", "B")) == 10


def test_who_has_a_program_is_dealt_nothing_and_not_asked() -> None:
    played = scene(LINE, edition="2005", draw=["move_3:840"]).play_rounds(A=STAND, B=["turn_left"])
    played.asked().in_pile("draw", "move_3:840", A=1)
    assert not played.happened("deal")


def test_an_answer_replaces_a_program_that_is_only_started() -> None:
    """By the core alone: to the reference such a robot is programmed."""
    given = {"edition": "2005", "map": {"width": 8, "height": 2}, "play": {"rounds": 1}}
    robot = {"x": 0, "y": 0, "facing": "E", "hand": HAND, "registers": ["u_turn:60"]}
    answer = {"robot": 0, "decision": "program", "choice": ["turn_left", "turn_right", "turn_left", "u_turn", "move_2"]}
    played = load({**given, "robots": [robot], "answers": [answer]}).run()
    assert played["decisions"][0]["choice"] == ["turn_left:70", "turn_right:80", "turn_left", "u_turn", "move_2"]


def test_pairs_in_an_answer() -> None:
    cards = ("turn_left+move_1:490", "move_2+u_turn", "back_up", "move_1", "turn_right")
    played = program(*cards, options=["crab_legs", "dual_processor"])
    wanted = "move_1:490+turn_left:70 move_2+u_turn back_up move_1:500 turn_right:80"
    assert played.asked_about("program") == [f"A {wanted}"]
    played = program("move_1+turn_left", "turn_right", "move_1", "move_1", "move_2", options=["crab_legs"])
    assert played.happened("move", "A") == [] or played.robot("A")["destroyed"]


PROGRAM_MISTAKES = {
    "six": (["move_1"] * 6, {}, r"^answers\[0\]\.choice"),
    "four": (["move_1"] * 4, {}, r"answers\[0\]\.choice.*5"),
    "gap": (["move_1", "-", "u_turn", "back_up", "move_2"], {}, r"^answers\[0\]\.choice\[1\]"),
    "not there": (["move_3"] * 5, {}, r"^answers\[0\]\.choice\[0\]: 'move_3'.*robot 0"),
    "used": (["u_turn"] * 5, {}, r"^answers\[0\]\.choice\[1\]: 'u_turn'.*robot 0"),
    "pair": (
        ["move_1+turn_left", "move_1", "u_turn", "back_up", "move_2"],
        {},
        r'answers\[0\]\.choice\[0\].*"move_1\+turn_left".*dual_processor',
    ),
    "crab": (
        ["move_1+u_turn", "move_1", "turn_left", "back_up", "move_2"],
        {"options": ["crab_legs"]},
        r'answers\[0\]\.choice\[0\].*"move_1\+u_turn".*dual_processor',
    ),
    "locked": (
        ["move_1", "move_1", "u_turn", "back_up", "move_2"],
        {"damage": 5, "registers": [None] * 4 + ["move_3:800"]},
        r'answers\[0\]\.choice\[4\].*"move_3:800".*"move_2"',
    ),
}  # fmt: skip


@pytest.mark.parametrize("key", PROGRAM_MISTAKES)
def test_a_program_that_cannot_be_laid_is_an_error(key: str) -> None:
    cards, mat, message = PROGRAM_MISTAKES[key]
    with pytest.raises(ScenarioError) as error:
        program(*cards, **mat)
    assert re.search(message, str(error.value))


def test_the_timer_fills_what_is_left_open() -> None:
    played = scene(LINE, {"timer": True}, edition="2005", A={"hand": HAND}).play_rounds(
        answers=("A program turn_left - turn_right - u_turn",), B=STAND
    )
    assert played.asked_about("program") == ["A turn_left:70 - turn_right:80 - u_turn"]
    assert len(played.happened("program", "A")) == 5


# -- questions


def test_cards_of_the_hand_are_answered_by_name() -> None:
    mat = {"hand": HAND[:6], "options": ["conditional_program", "flywheel"]}
    asked = ("A program turn_left turn_right u_turn move_1 move_1", "A conditional_program move_2", "A flywheel no")
    played = scene(LINE, edition="2005", A=mat).play_rounds(
        answers=(*asked, "A conditional_program no", "A conditional_program yes"), B=STAND
    )
    assert played.asked_about("conditional_program") == ["A move_2", "A no", "A yes"]
    assert len(played.asked_about("flywheel")) == 1


def test_an_answer_that_is_not_legal_names_what_is() -> None:
    with pytest.raises(ScenarioError, match=r"answers\[0\].choice: 'move_3'.*robot 0"):
        scene(LINE, edition="2005", A={"hand": HAND, "options": ["flywheel"]}).play_rounds(
            answers=("A flywheel move_3",), B=STAND
        )


def test_an_answer_that_is_never_asked_for_is_an_error() -> None:
    with pytest.raises(ScenarioError, match=r"answers\[0\].*'yes'.*robot 0"):
        scene(LINE, edition="2005").play(A="move_1", answers=("A brakes yes",))


def test_the_cell_of_a_re_entry() -> None:
    picture = """
        +    +    +    +    +
          .    .    .    .
        +    +    +    +    +
          .    A^   .    B^
        +    +    +    +    +
          .    .    .    .
        +    +    +    +    +
    """
    world = scene(picture, edition="2005", B={"archive": "1 1"})
    fall = {"A": STAND, "B": ["u_turn", "move_2", "u_turn", "u_turn", "u_turn"]}
    played = world.play_rounds(**fall, answers=("B reentry_cell 0,2", "B reboot_facing S"))
    played.at(B="0 2 S").damage(B=2).lives(B=2).destroyed("B")
    assert played.asked_about("reenter_powered_down") == ["B no"]
    assert world.play_rounds(**fall).asked_about("reentry_cell") == ["B 0,0"]
    with pytest.raises(ScenarioError, match=r"'1,1'.*reentry_cell.*1,0.*2,0.*0,0"):
        world.play_rounds(**fall, answers=("B reentry_cell 1,1",))


def test_the_decisions_that_were_made_lead_there_again() -> None:
    played = scene(LINE, edition="2005", A="flywheel conditional_program recompile", B={"damage": 5}).play_rounds(
        3, seed=5
    )
    again = load({**played.scenario, "answers": played.outcome["decisions"]}).run()
    assert again == played.outcome


# -- decks


def test_every_numbered_card_is_somewhere_after_a_round() -> None:
    played = scene(LINE, edition="2005", A={"hand": HAND}, B={"discard": ["move_3:840"]}).play_rounds(2, seed=3)
    for name in "AB":
        robot = played.robot(name)
        assert sorted([*robot["draw"], *robot["discard"]]) == sorted(NAMES[1 : DECK_SIZE + 1])


def test_the_top_of_the_deck_is_drawn_in_order() -> None:
    played = scene(LINE, edition="2005", draw=["move_1:650", "u_turn", "move_2:670"], A={"damage": 8}, B={"damage": 7})
    found = played.play_rounds()
    assert [(event["robot"], event["card"]) for event in found.happened("deal")] == [
        (0, "move_1:650"), (1, "u_turn"), (1, "move_2:670"),
    ]  # fmt: skip


def test_cards_that_are_named_are_not_drawn() -> None:
    named = [name for name in NAMES[1 : DECK_SIZE + 1] if not name.startswith("move_3")]
    played = scene(LINE, edition="2005", A={"discard": named}, B={"damage": 6}).play_rounds(A=STAND)
    assert {event["card"].partition(":")[0] for event in played.happened("deal")} == {"move_3"}


def test_options_in_front_of_players_are_not_drawn() -> None:
    picture = """
        +    +    +
          A>   .
        +    +    +
          r2   B>
        +    +    +
    """
    rest = " ".join(options.NAMES[2:])
    played = scene(picture, edition="2005", B=rest, D={"lives": 0}).play_rounds(
        A=["turn_right", "move_1", "turn_left", "turn_left", "turn_left"], B=["u_turn"]
    )
    assert played.robot("A")["options"] == ["ablative_coat"]


# -- special rules


def test_teams_follow_the_seats_or_the_file() -> None:
    picture = "A>  1  B>  .  D^"
    shared = scene(picture, edition="2005", special_rules=["shared_flags"])
    shared.play(A="move_1", B="turn_left", D="turn_left").flags(A=1, B=1, D=0)
    other = scene(picture, edition="2005", special_rules=["shared_flags"], B={"team": 1}, D={"team": 0})
    other.play(A="move_1", B="turn_left", D="turn_left").flags(A=1, B=0, D=1)


def test_a_board_that_turns() -> None:
    """The map is one board: after a quarter turn its belt carries south, where it carried east before."""
    picture = """
        +    +    +    +
          >    .    B^
        +    +    +    +
          .    1    .
        +    +    +    +
          2    A^   .
        +    +    +    +
    """
    rode = set()
    for seed in range(8):
        played = scene(picture, edition="2005", special_rules=["turning_boards"]).play(A=["move_1"], to=2, seed=seed)
        first = played.happened("board_turned", "A")[:1]
        turned = bool(first) and played.events.index(first[0]) < played.events.index(
            {"kind": "register", "register": 2}
        )
        played.at(B="2 1 N" if turned else "2 0 N")
        rode.add(turned)
    assert rode == {True, False}


def test_a_map_with_start_spaces_does_not_turn() -> None:
    picture = """
        +      +      +
          1+A>   d
        +      +      +
          2      .
        +      +      +
    """
    played = scene(picture, edition="2005", special_rules=["turning_boards"]).play(to=5)
    assert not played.happened("board_turned")


def test_a_robot_sent_home_is_put_down_by_column_and_row() -> None:
    """Capture the Flag: A is on its home board and pushes B; both halves of the cell are one answer, one decision."""
    data = {
        "edition": "2005",
        "course": "capture_the_flag",
        "robots": [
            {"x": 5, "y": 3, "facing": "S", "registers": ["move_1", *STAND[1:]]},
            {"x": 5, "y": 4, "facing": "E", "registers": STAND, "team": 1},
        ],
        "play": {"rounds": 1},
    }
    played = load(data).run()
    assert [d["decision"] for d in played["decisions"]] == ["reentry_cell", "reboot_facing"]
    x, y = map(int, played["decisions"][0]["choice"].split(","))
    robot = played["robots"][1]
    assert (robot["x"], robot["y"], robot["lives"], robot["destroyed"]) == (x, y, 3, False)
    other = x - 1 if x > 18 else x + 1
    answers = [{"robot": 1, "decision": "reentry_cell", "choice": f"{other},{y}"}]
    found = load({**data, "answers": answers}).run()
    assert (found["robots"][1]["x"], found["robots"][1]["y"]) == (other, y)
    assert found["decisions"][0]["choice"] == f"{other},{y}"
    answers[0]["choice"] = f"{x},14"
    with pytest.raises(ScenarioError, match=rf"answers\[0\].choice: '{x},14'.*reentry_cell"):
        load({**data, "answers": answers}).run()


def test_all_are_asked_about_each_token_of_a_phase() -> None:
    """p. 10; R61. Twelve beams hit each of eight robots, which give up three options for the last ones; the third robot
    also shoots. There was room for 96 answers once."""
    names = [name for name in options.NAMES[1:] if name not in ("ablative_coat", "tractor_beam")]
    elements: list[dict[str, Any]] = []
    robots, answers = [], []
    for r in range(8):
        x, held = 1 + 3 * r, names[3 * r : 3 * r + 3]
        for fires, dx, y in (("E", -1, 1), ("W", 1, 1), ("S", 0, 0), ("N", 0, 2)):
            elements.append({"kind": "laser", "x": x + dx, "y": y, "fires": fires, "beams": 3})
        if r != 2:
            elements.append({"kind": "wall", "x": x + 1, "y": 1, "sides": ["E"]})
        robots.append({"x": x, "y": 1, "facing": "E" if r == 2 else "N", "options": held})
        asked = ["no"] * 9 + held
        answers += [{"robot": r, "decision": "option_for_damage", "choice": choice} for choice in asked]
    answers.append({"robot": 2, "decision": "fire_control", "choice": "register_1"})
    played = load(
        {
            "edition": "2005",
            "map": {"width": 24, "height": 3, "elements": elements},
            "robots": robots,
            "answers": answers,
            "play": {"from": 1, "to": 1},
        }
    ).run()
    assert [(robot["damage"], robot["options"]) for robot in played["robots"]] == [(9, [])] * 8
