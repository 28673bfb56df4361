"""Checkpoints and the end of the game: 2016 rulebook p. 8, p. 11 and p. 13."""

import pytest

from roborally_env.base.errors import ScenarioError
from roborally_env.scenario import load

from .scene import scene

TWO = "A>  1  2  .  ."


def test_a_robot_that_ends_a_register_on_the_next_checkpoint_reaches_it():
    """p. 8, p. 13; R37."""
    scene(TWO).play(A="move_1").has("checkpoint", A=1)


def test_a_robot_that_passes_a_checkpoint_does_not_reach_it():
    """p. 8: in order to reach a checkpoint, you must be on it at the end of a register."""
    scene(TWO).play(A="move_3").has("checkpoint", A=0)


def test_checkpoints_are_reached_in_numerical_order():
    """p. 8, p. 13: the second counts for nothing before the first."""
    result = scene(TWO).play(A="move_2").has("checkpoint", A=0)
    assert result.winner is None


@pytest.mark.parametrize(("place", "card"), [("A>  1  .", "move_1"), (".  1  A<", "move_1"), (".  1  A>", "back_up")])
def test_a_checkpoint_may_be_entered_from_any_side(place, card):
    """p. 8, p. 13."""
    scene(f"{place}  2").play(A=card).has("checkpoint", A=1)


@pytest.mark.parametrize(
    "row",
    ["B>   A^     1      .", ".    >+A^   1      .", ".    P>1+A^ 1      .", "R>+1 .      .      A>"],
    ids=["pushed", "belt", "panel", "reboot"],
)
def test_it_counts_however_the_robot_got_there(row):
    """R37: at the end of a register, however the robot got there; R18: a rebooted robot too."""
    cells = "".join(f"{part:<9}" for part in row.split())
    card = {"B": "move_1"} if "B>" in row else {"A": "move_1"} if "R>" in row else {}
    scene(f"""
        +        +        +        +        +
          {cells}
        +        +        +        +        +
          2        .        .        .
        +        +        +        +        +
    """).play(**card).has("checkpoint", A=1)


def test_a_robot_carried_off_a_checkpoint_does_not_reach_it():
    """p. 8: the end of a register comes after the belts."""
    scene("A>  >+1  2").play(A="move_1").has("checkpoint", A=0)


def test_a_robot_that_stays_counts_a_checkpoint_once():
    """R37: in order, each once."""
    scene(TWO).play(A=["move_1", "turn_left"]).has("checkpoint", A=1)


def test_two_robots_reach_the_same_checkpoint_one_after_the_other():
    """p. 13: each tracks its own progress."""
    scene("""
        +    +    +    +    +
          A>   1    .    2
        +    +    +    +    +
          .    B^   .    .
        +    +    +    +    +
    """).play(A=["move_1", "back_up"], B=["power_up", "move_1"]).has("checkpoint", A=1, B=1)


def test_the_robot_that_reaches_all_checkpoints_wins():
    """p. 1, How to Win; p. 11, The End of the Game."""
    result = scene(TWO).play(A=["move_1", "move_1"])
    assert result.winner == "A"
    result.has("checkpoint", A=2)


def test_one_checkpoint_can_be_enough():
    """p. 13: sometimes you'll need to reach only one."""
    result = scene("A>  1  B^").play(A="move_1")
    assert result.winner == "A"


def test_the_race_ends_right_then():
    """p. 11: as soon as one robot ends a register on the final checkpoint; R37: no register is played after it."""
    result = scene("""
        +    +    +    +    +
          A>   1    .    .
        +    +    +    +    +
          B^   .    .    .
        +    +    +    +    +
    """).play(A=["move_1", "move_1"], B=["turn_right", "move_1"])
    assert (result.winner, result.register) == ("A", 1)
    result.at(A="1 0", B="0 1 E")


def test_the_register_is_played_to_its_end_before_the_race_ends():
    """p. 11: ends a register. B still moves and the lasers still fire."""
    result = scene("A>  1  .  B<").play(A="move_1", B="move_1").took(A=1, B=1)
    assert result.winner == "A"


def test_the_winner_may_be_moved_off_before_the_register_ends():
    """p. 8, p. 11: B pushes A off the final checkpoint in the same register."""
    result = scene("""
        +    +    +    +
          A>   1    .
        +    +    +    +
          .    B^   .
        +    +    +    +
    """).play(A="move_1", B="move_1")
    # A is pushed off the board, so B stands on the checkpoint
    assert result.winner == "B"


def test_a_round_is_not_cleaned_up_after_the_win():
    """R37, scenario files: play stops there."""
    result = scene("A>  1").play_rounds(3, A=["move_1", "power_up", "power_up", "power_up", "power_up"][:2])
    assert (result.winner, result.outcome["round"], result.register) == ("A", 1, 1)
    result.register_cards(A=["move_1", "power_up"])


def test_a_rebooted_robot_can_win():
    """R18: rebooted robots reach checkpoints."""
    result = scene("1+R>  A>").play(A="move_1").rebooted("A")
    assert result.winner == "A"


# -- what a scenario may say (R94)


@pytest.mark.parametrize("edition", ["2016", "2005", "2023", "community"])
def test_nobody_begins_with_the_last_checkpoint(edition):
    """R94: the race would be over."""
    file = {"edition": edition, "map": {"width": 3, "height": 1, "checkpoints": [{"number": 2, "x": 2, "y": 0}]}}
    with pytest.raises(ScenarioError, match=r"^robots\[0\]\.checkpoint.*0.*1"):
        load({**file, "robots": [{"x": 0, "y": 0, "checkpoint": 2}]})
    outcome = load(
        {**file, "robots": [{"x": 1, "y": 0, "facing": "E", "checkpoint": 1, "registers": ["move_1"]}]}
    ).run()
    assert outcome["winner"] == 0


def test_a_map_may_leave_out_checkpoints():
    """R94: it may show a part of a course. Number 1 is elsewhere; who has it goes on to 2, then to 4."""
    board = "A>  2  4+B^  ."
    scene(board, A={"checkpoint": 1}, B={"checkpoint": 3}).play(A=["move_1"]).flags(A=2, B=4)
    assert scene(board, A={"checkpoint": 1}, B={"checkpoint": 3}).play().winner == "B"
    assert scene(board).play(A=["move_1"]).flags(A=0, B=0).winner is None


def test_a_program_may_have_more_copies_of_a_card_than_a_deck():
    """R94: a deck has one Move 3."""
    scene("A>  .  .  .  .  .  .", A={"hand": ["move_3"]}).play(A=["move_3", "move_3"]).at(A="6 0")


def test_without_play_registers_1_to_5_are_played():
    """R94: no clean-up, so the cards stay."""
    board = {"width": 6, "height": 1}
    robot = {"x": 0, "y": 0, "facing": "E", "registers": ["move_1"] * 5}
    outcome = load({"edition": "2016", "map": board, "robots": [robot]}).run()
    assert (outcome["register"], outcome["robots"][0]["x"]) == (5, 5)
    assert outcome["robots"][0]["registers"] == ["move_1"] * 5
