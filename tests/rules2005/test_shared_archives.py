"""Multiple Archive Markers on the Same Space: 2005 rulebook p. 9; R63."""

import pytest

from roborally_env.base.errors import ScenarioError

from .scene import Result, scene

TURNS = ["turn_left", "turn_right", "turn_left", "turn_right", "u_turn"]
# A leaves the board in the first register; B stands on its archive space
OCCUPIED = """
    +    +    +    +    +    +    +    +
      .    .    .    .    .    .    A^
    +    +    +    +    +    +    +    +
      .    .    .    .    .    .    .
    +    +    +    +    +    +    +    +
      .    .    .    B^   .    .    .
    +    +    +    +    +    +    +    +
      .    .    .    .    .    .    .
    +    +    +    +    +    +    +    +
"""


def come_back(picture: str, *answers: str, archive: str = "3 2") -> Result:
    """A leaves the board and comes back where B stands."""
    others = {name: TURNS for name in "BCDFGHJ" if f"{name}^" in picture}
    return scene(picture, A={"archive": archive}).play_rounds(
        A=["move_1", *TURNS[:4]], **others, answers=tuple(f"A {text}" for text in answers)
    )


@pytest.mark.parametrize(
    ("cell", "facing"),
    [("3,1", "N"), ("4,1", "E"), ("4,2", "E"), ("4,3", "S"), ("3,3", "S"), ("2,3", "W"), ("2,2", "W"), ("2,1", "N")],
)
def test_the_player_chooses_an_adjacent_space(cell, facing):
    """p. 9: looking orthogonally or diagonally; R63: on an occupied archive space."""
    come_back(OCCUPIED, f"reentry_cell {cell}", f"reboot_facing {facing}").at(A=f"{cell.replace(',', ' ')} {facing}")


def test_the_space_is_asked_before_the_facing():
    """R63, R67: the names of the decisions."""
    result = come_back(OCCUPIED, "reentry_cell 4,1", "reboot_facing E")
    result.asked("A reentry_cell 4,1", "A reboot_facing E", "A reenter_powered_down no")


def test_on_a_free_archive_space_no_cell_is_asked():
    """p. 9: it re-enters on its marker."""
    come_back(OCCUPIED, "reboot_facing E", archive="0 0").never_asked("reentry_cell").at(A="0 0 E")


def test_spaces_further_away_are_not_allowed():
    """p. 9: an adjacent space."""
    with pytest.raises(ScenarioError):
        come_back(OCCUPIED, "reentry_cell 5,2")


def test_the_archive_space_itself_is_not_allowed():
    """p. 9: an empty adjacent space."""
    with pytest.raises(ScenarioError):
        come_back(OCCUPIED, "reentry_cell 3,2")


def test_other_robots_spaces_are_not_allowed():
    """p. 9: an empty space."""
    with pytest.raises(ScenarioError):
        come_back(OCCUPIED.replace("B^   .", "B^   C^"), "reentry_cell 4,2")


def test_pits_are_not_allowed():
    """p. 9: ignore all board elements except for pits; you can't start a turn in a pit."""
    with pytest.raises(ScenarioError):
        come_back(OCCUPIED.replace("B^   .", "B^   O"), "reentry_cell 4,2")


@pytest.mark.parametrize("element", ["^ ", "cw", "P>1", "L> ", "r1 "])
def test_other_elements_are_ignored(element):
    """p. 9."""
    picture = OCCUPIED.replace("B^   .  ", f"B^   {element:<3}")
    come_back(picture, "reentry_cell 4,2", "reboot_facing E").at(A="4 2 E").damage(A=2)


def test_walls_between_are_ignored():
    """p. 9: ignore all board elements."""
    come_back(OCCUPIED.replace("B^   .", "B^ | ."), "reentry_cell 4,2", "reboot_facing E").at(A="4 2 E")


def test_spaces_off_the_board_are_not_allowed():
    """p. 9: there is nothing adjacent to stand on."""
    with pytest.raises(ScenarioError):
        come_back(
            """
            +    +    +    +
              .    .    B^
            +    +    +    +
              .    .    A>
            +    +    +    +
        """,
            "reentry_cell 3,0",
            archive="2 0",
        )


# -- line of sight


@pytest.mark.parametrize("facing", "NESW")
def test_no_robot_may_be_in_sight_three_spaces_away_or_closer(facing):
    """p. 9: not facing the robot on the archive space, next to it."""
    if facing == "W":
        with pytest.raises(ScenarioError):
            come_back(OCCUPIED, "reentry_cell 4,2", "reboot_facing W")
    else:
        come_back(OCCUPIED, "reentry_cell 4,2", f"reboot_facing {facing}").at(A=f"4 2 {facing}")


def row_with(x: int, wall: str = " ") -> str:
    """B in column one and C in column x of one row; `wall` at the left of C."""
    cells = [".    "] * 8
    cells[1], cells[x] = "B^   ", "C^   "
    cells[x - 1] = f".  {wall} "
    line = "+    " * 8 + "+"
    return "\n".join([line, "  " + ".    " * 7 + "A^", line, "  " + "".join(cells), line])


@pytest.mark.parametrize("x", [3, 4, 5])
def test_a_robot_up_to_three_spaces_away_is_too_close(x):
    """p. 9: 3 spaces away or closer, counted from the space chosen in column two."""
    with pytest.raises(ScenarioError):
        come_back(row_with(x), "reentry_cell 2,1", "reboot_facing E", archive="1 1")


@pytest.mark.parametrize("x", [6, 7])
def test_a_robot_four_spaces_away_is_not(x):
    """p. 9."""
    come_back(row_with(x), "reentry_cell 2,1", "reboot_facing E", archive="1 1").at(A="2 1 E")


def test_behind_a_wall_nobody_is_in_sight():
    """p. 8: line of sight: no obstacles (like a wall or another robot) in between."""
    come_back(row_with(4, wall="|"), "reentry_cell 2,1", "reboot_facing E", archive="1 1").at(A="2 1 E")


def test_a_space_from_which_every_direction_is_barred_is_not_allowed():
    """p. 9; R63: legal adjacent spaces. From 4 2 there are B, C, D and F in sight."""
    picture = """
        +    +    +    +    +    +    +    +
          .    .    .    .    C^   .    A^
        +    +    +    +    +    +    +    +
          .    .    .    .    .    .    .
        +    +    +    +    +    +    +    +
          .    .    .    B^   .    .    D^
        +    +    +    +    +    +    +    +
          .    .    .    .    F^   .    .
        +    +    +    +    +    +    +    +
    """
    with pytest.raises(ScenarioError):
        come_back(picture, "reentry_cell 4,2")
    come_back(picture, "reentry_cell 2,2", "reboot_facing W").at(A="2 2 W")


# -- no adjacent space


def test_without_an_adjacent_space_it_is_the_nearest_free_one():
    """R63: rings, then row, then column: the first of the second ring is 1 0."""
    picture = """
        +    +    +    +    +    +    +    +
          .    .    .    .    .    .    A^
        +    +    +    +    +    +    +    +
          .    .    O    O    O    .    .
        +    +    +    +    +    +    +    +
          .    .    O    B^   O    .    .
        +    +    +    +    +    +    +    +
          .    .    O    O    O    .    .
        +    +    +    +    +    +    +    +
    """
    come_back(picture, "reboot_facing N").at(A="1 0 N").never_asked("reentry_cell")
    come_back(picture.replace("  .    .    .    .    .    .    A^", "  O    O    O    O    O    O    A^"),
              "reboot_facing W").at(A="1 1 W")  # fmt: skip


# -- several destroyed in one turn

BOTH = """
    +    +    +    +    +
      A^   .    .    B^
    +    +    +    +    +
      .    .    .    .
    +    +    +    +    +
      .    .    .    .
    +    +    +    +    +
"""


def fall(first: str) -> dict[str, list[str]]:
    """Programs with which A and B leave the board in registers one and two."""
    early, late = ["move_1", *TURNS[:4]], ["turn_left", "turn_right", "move_1", *TURNS[:2]]
    return {"A": early, "B": late} if first == "A" else {"A": late, "B": early}


def test_robots_are_placed_in_the_order_in_which_they_were_destroyed():
    """p. 9: the first that was destroyed gets the archive space, the next chooses an adjacent one."""
    same = {"archive": "1 1"}
    scene(BOTH, A=same, B=same).play_rounds(
        **fall("B"),
        answers=("B reboot_facing W", "A reentry_cell 2,2", "A reboot_facing E"),
    ).at(B="1 1 W", A="2 2 E").asks("reboot_facing", "B W", "A E").asks("reentry_cell", "A 2,2")
    scene(BOTH, A=same, B=same).play_rounds(
        **fall("A"),
        answers=("A reboot_facing W", "B reentry_cell 0,1", "B reboot_facing N"),
    ).at(A="1 1 W", B="0 1 N")


def test_in_one_register_the_faster_is_destroyed_first():
    """p. 6, p. 9: the order of their moves."""
    same = {"archive": "1 1"}
    scene(BOTH, A=same, B=same).play_rounds(
        A=["move_1:490", *TURNS[:4]], B=["move_1:500", *TURNS[:4]], answers=("A reentry_cell 2,2",)
    ).at(B="1 1").asks("reentry_cell", "A 2,2")  # fmt: skip


def test_robots_with_different_archives_do_not_disturb_each_other():
    """p. 9: the rule is for the same space."""
    scene(BOTH, A={"archive": "1 1"}, B={"archive": "2 1"}).play_rounds(
        **fall("B"), answers=("A reboot_facing E", "B reboot_facing W")
    ).at(A="1 1 E", B="2 1 W").never_asked("reentry_cell")


def test_who_comes_next_minds_all_that_stand_there():
    """p. 9: another robot in its line of sight: B, which has come back before."""
    same = {"archive": "1 1"}
    with pytest.raises(ScenarioError):
        scene(BOTH, A=same, B=same).play_rounds(
            **fall("B"), answers=("B reboot_facing W", "A reentry_cell 2,1", "A reboot_facing W")
        )


def test_a_third_robot_chooses_among_what_is_left():
    """p. 9: the player whose robot was destroyed next then chooses an empty adjacent space."""
    same = {"archive": "1 1"}
    picture = BOTH.replace("A^   .    .    B^", "A^   C^   .    B^")
    programs = {**fall("A"), "C": [*TURNS[:4], "move_1"]}
    answers = (
        "A reboot_facing N",
        "B reentry_cell 2,1",
        "B reboot_facing E",
        "C reentry_cell 0,1",
        "C reboot_facing W",
    )
    scene(picture, A=same, B=same, C=same).play_rounds(**programs, answers=answers).at(A="1 1 N", B="2 1 E", C="0 1 W")
    wrong = (*answers[:3], "C reentry_cell 2,1")
    with pytest.raises(ScenarioError):
        scene(picture, A=same, B=same, C=same).play_rounds(**programs, answers=wrong)
