"""Mechanical Arm: the card text, and R65. `A` stands still; what it touches shows in its archive marker."""

import pytest

from .scene import scene

STILL = ["u_turn"] * 5
AROUND = [(0, 0), (1, 0), (2, 0), (0, 1), (2, 1), (0, 2), (1, 2), (2, 2)]


def field(things, walls=()):
    """Three by three cells with A in the middle; `things` by cell. Walls as `picture` draws them: cell and "-" or "|",
    above the cell or at its left."""
    lines = []
    for y in range(4):
        edges = ["-" * 9 if (x, y, "-") in walls else " " * 9 for x in range(3)]
        lines.append("    +" + "+".join(edges) + "+")
        if y < 3:
            texts = ["A>" if (x, y) == (1, 1) else "." for x in range(3)]
            for (x, row), token in things.items():
                if row == y:
                    texts[x] = f"{texts[x]}+{token}" if (x, y) == (1, 1) else token
            cells = [f"{'|' if (x, y, '|') in walls else ' '} {text:<8}" for x, text in enumerate(texts)]
            lines.append("    " + "".join(cells))
    return "\n" + "\n".join(line.rstrip() for line in lines) + "\n"


@pytest.mark.parametrize("cell", AROUND)
def test_the_arm_touches_a_flag_one_space_away(cell):
    """Card: 1 space away, orthogonally or diagonally; R65: the archive marker goes there."""
    x, y = cell
    result = scene(field({cell: "1"}), A="mechanical_arm").play()
    result.flags(A=1).archive(A=f"{x} {y}").asked()
    assert result.winner == "A"


@pytest.mark.parametrize("cell", AROUND)
def test_the_arm_touches_a_repair_site_one_space_away(cell):
    """Card: or repair site; R65: it repairs at clean-up too."""
    x, y = cell
    result = scene(field({cell: "r1"}), A={"options": ["mechanical_arm"], "damage": 3}).play_rounds(A=STILL)
    result.damage(A=2).archive(A=f"{x} {y}")


def test_without_the_arm_nothing_is_reached():
    """Rulebook p. 8: a robot on a flag touches it."""
    scene(field({(2, 1): "1"})).play().flags(A=0).archive(A="1 1")


def test_two_spaces_are_too_far():
    """Card: 1 space away."""
    scene("A^  .  1", A="mechanical_arm").play().flags(A=0)


@pytest.mark.parametrize(
    ("cell", "wall"), [((1, 0), (1, 1, "-")), ((2, 1), (2, 1, "|")), ((1, 2), (1, 2, "-")), ((0, 1), (1, 1, "|"))]
)
def test_the_arm_does_not_reach_through_a_wall(cell, wall):
    """Card: if no wall is between them."""
    scene(field({cell: "1"}, [wall]), A="mechanical_arm").play().flags(A=0).archive(A="1 1")


@pytest.mark.parametrize(
    "walls",
    [
        [(2, 1, "|")],  # between A and the east
        [(2, 0, "|")],  # between the north and the corner
        [(2, 0, "|"), (1, 1, "-")],  # both of the way by the north
        [(2, 1, "|"), (2, 1, "-")],  # both of the way by the east
    ],
)
def test_round_a_corner_one_free_way_is_enough(walls):
    """Card: no wall is between, seen on one of the two ways to the space across the corner."""
    scene(field({(2, 0): "1"}, walls), A="mechanical_arm").play().flags(A=1)


@pytest.mark.parametrize(
    "walls",
    [
        [(1, 1, "-"), (2, 1, "|")],  # the corner of A's own space
        [(2, 0, "|"), (2, 1, "-")],  # that of the flag's
        [(1, 1, "-"), (2, 1, "-")],  # a wall right across
        [(2, 0, "|"), (2, 1, "|")],
    ],
)
def test_walls_on_both_ways_round_the_corner_stop_the_arm(walls):
    """Card: if no wall is between them."""
    scene(field({(2, 0): "1"}, walls), A="mechanical_arm").play().flags(A=0)


def test_the_arm_reaches_over_pits_and_past_robots():
    """Card: walls only."""
    scene(field({(2, 0): "1", (1, 0): "O", (2, 1): "B^"}), A="mechanical_arm").play().flags(A=1)


def test_the_own_space_is_in_reach():
    """Rulebook p. 8: a robot on a flag touches it; the arm is for more."""
    scene(field({(1, 1): "1"}), A="mechanical_arm").play().flags(A=1)


def test_the_next_flag_comes_first():
    """R65: the next flag in reach first, else the best site."""
    scene(field({(2, 2): "1", (0, 0): "2", (1, 0): "r2"}), A="mechanical_arm").play().flags(A=1).archive(A="2 2")
    scene(
        field({(2, 2): "1", (0, 0): "2", (1, 0): "r2"}), A={"options": ["mechanical_arm"], "checkpoint": 1}
    ).play().flags(A=2).archive(A="0 0")


def test_one_flag_a_register():
    """Rulebook p. 8: starting next turn it can move on; here with the second flag in reach too."""
    board = field({(2, 2): "1", (0, 0): "2", (1, 0): "3"})
    scene(board, A="mechanical_arm").play().flags(A=1)
    scene(board, A="mechanical_arm").play(to=2).flags(A=2).archive(A="0 0")


def test_of_two_sites_the_better_is_touched():
    """R65: the best site: wrench and hammer before a wrench, even under the robot."""
    scene(field({(0, 1): "r1", (2, 2): "r2"}), A="mechanical_arm").play().archive(A="2 2")
    scene(field({(1, 1): "r1", (2, 2): "r2"}), A="mechanical_arm").play().archive(A="2 2")


def test_the_own_space_repairs_if_it_repairs_more_than_the_one_touched():
    """Rulebook p. 8: robots on a crossed wrench/hammer space draw an Option card, whatever their arm touches."""
    result = scene("A>  r2  1  .  2", A={"options": ["mechanical_arm"], "damage": 3})
    result = result.play_rounds(A=[*STILL[:4], "move_1"]).at(A="1 0").damage(A=2).flags(A=1).archive(A="2 0")
    assert len(result.robot("A")["options"]) == 2


def test_of_equals_the_own_space_is_touched():
    """R65: the best site; a robot on a site touches that (p. 8)."""
    result = scene(field({(0, 0): "r1", (1, 1): "r1"}), A={"options": ["mechanical_arm"], "archive": "2 2"}).play()
    result.archive(A="1 1")


def test_a_flag_touched_before_repairs_as_a_wrench():
    """R60, R65: any flag repairs as a single wrench; rulebook p. 8: it is an archive location."""
    board = field({(2, 2): "1", (0, 0): "2"})
    scene(board, A={"options": ["mechanical_arm"], "checkpoint": 1, "damage": 3}).play().archive(A="0 0")
    far = """
        +    +    +    +
          A^   1    .
        +    +    +    +
          .    .    .
        +    +    +    +
          .    .    2
        +    +    +    +
    """
    result = scene(far, A={"options": ["mechanical_arm"], "checkpoint": 1, "damage": 3}).play_rounds(A=STILL)
    result.damage(A=2).archive(A="1 0")


def test_the_arm_draws_an_option_from_wrench_and_hammer():
    """Rulebook p. 8: one damage and one option; R65: at clean-up too."""
    result = scene(field({(2, 2): "r2"}), A={"options": ["mechanical_arm"], "damage": 3}).play_rounds(A=STILL)
    result.damage(A=2)
    assert len(result.robot("A")["options"]) == 2


def test_a_powered_down_robot_reaches_too():
    """Card: no condition; rulebook p. 5: it is affected by the board."""
    scene(field({(2, 2): "r1"}), A={"options": ["mechanical_arm"], "powered_down": True}).play().archive(A="2 2")


def test_a_robot_touches_where_it_ends_the_register():
    """Rulebook p. 8: survived to this point; it moved next to the flag by its card."""
    scene("""
        +    +    +    +    +
          A>   .    .    .
        +    +    +    +    +
          .    .    .    1
        +    +    +    +    +
    """, A="mechanical_arm").play(A=["move_1", "move_1"]).flags(A=1).archive(A="3 1")  # fmt: skip


def test_it_comes_back_on_the_space_that_the_arm_touched():
    """R65, rulebook p. 9: the space of the archive marker."""
    scene(
        """
        +    +    +    +
          .    A>   .
        +    +    +    +
          .    .    r1
        +    +    +    +
    """,
        A={"options": ["mechanical_arm", "brakes"]},
    ).play_rounds(A=["u_turn", "u_turn", "move_3", "u_turn", "u_turn"], answers=("A option_lost brakes",)).at(
        A="2 1"
    ).damage(A=2)


def test_a_robot_shot_dead_touches_nothing():
    """Rulebook p. 8: any robot that has survived to this point."""
    mat = {"options": ["mechanical_arm"], "damage": 9, "registers": STILL}
    board = field({(2, 2): "1", (0, 1): "B>"})
    scene(board, A=mat).play().destroyed("A").flags(A=0).archive(A="1 1")
