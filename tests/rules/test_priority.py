"""Who goes first: 2016 rulebook p. 4, Determining Priority."""

import pytest

from .scene import scene

WAIT = "power_up"


def test_the_robot_closest_to_the_antenna_has_priority():
    """p. 4; R41: the closest first, then the second closest, and so on."""
    result = scene("""
        +    +    +    +    +    +
          .    .    Y>   .    B^
        +    +    +    +    +    +
          A^   .    .    C^   .
        +    +    +    +    +    +
    """).play(A=WAIT, B=WAIT, C=WAIT)
    # A is three spaces away, B and C two; C lies on the dish's right, B on its line
    assert result.turns == "BCA"


def test_spaces_are_counted_by_row_then_by_column():
    """p. 4; R41: B is farther as the crow flies, but five spaces away and A six."""
    result = scene("""
        +    +    +    +    +    +    +
          Y>   .    .    .    .    B^
        +    +    +    +    +    +    +
          .    .    .    .    .    .
        +    +    +    +    +    +    +
          .    .    .    .    .    .
        +    +    +    +    +    +    +
          .    .    .    A^   .    .
        +    +    +    +    +    +    +
    """).play(A=WAIT, B=WAIT)
    assert result.turns == "BA"


@pytest.mark.parametrize(("dish", "order"), [("^", "ABCDFG"), (">", "CDFGAB"), ("v", "FGABCD"), ("<", "GABCDF")])
def test_ties_are_broken_clockwise_from_the_line_of_the_dish(dish, order):
    """p. 4; R41: the line points straight out from the dish, then moves clockwise."""
    result = scene(f"""
        +    +    +    +    +    +
          .    .    A^   .    .
        +    +    +    +    +    +
          .    .    .    B^   .
        +    +    +    +    +    +
          G^   .    Y{dish}   .    C^
        +    +    +    +    +    +
          .    .    .    D^   .
        +    +    +    +    +    +
          .    .    F^   .    .
        +    +    +    +    +    +
    """).play(**dict.fromkeys("ABCDFG", WAIT))
    assert result.turns == order


@pytest.mark.parametrize(("dish", "order"), [("^", "BCDA"), (">", "CDAB"), ("v", "DABC"), ("<", "ABCD")])
def test_ties_off_the_axes_go_clockwise_too(dish, order):
    """R41: the key grows clockwise through each quarter between the axes."""
    result = scene(f"""
        +    +    +    +    +    +
          .    A^   .    .    .
        +    +    +    +    +    +
          .    .    .    .    B^
        +    +    +    +    +    +
          .    .    Y{dish}   .    .
        +    +    +    +    +    +
          D^   .    .    .    .
        +    +    +    +    +    +
          .    .    .    C^   .
        +    +    +    +    +    +
    """).play(**dict.fromkeys("ABCD", WAIT))
    assert result.turns == order


def test_priority_is_measured_once_a_register():
    """R42: A's push carries B away from the antenna, yet B keeps its turn; in the next register C comes before it."""
    result = scene("""
        +    +    +    +    +    +    +
          Y>   A>   B^   .    .    .
        +    +    +    +    +    +    +
          .    .    .    .    .    .
        +    +    +    +    +    +    +
          .    .    .    .    .    .
        +    +    +    +    +    +    +
          C^   .    .    .    .    .
        +    +    +    +    +    +    +
    """).play(A=["move_2", WAIT], B=[WAIT, WAIT], C=[WAIT, WAIT])
    assert result.turns == "ABC" + "ACB"


def test_a_rebooted_robot_is_skipped():
    """R42, p. 15: its programming is cancelled for the round; the others go on in their order."""
    result = scene("""
        +    +    +    +    +
          Y>   A^   B^   C^
        +    +    +    +    +
          .    .    .    .
        +    +    +    +    +
    """).play(A=["move_1", WAIT], B=[WAIT, WAIT], C=[WAIT, WAIT])
    assert result.turns == "ABC" + "BC"


def test_a_rebooted_robot_keeps_its_place_in_the_order():
    """R42, R13: put down on a panel, the rebooted A still comes before B when the panels push."""
    scene("""
        +       +       +       +       +
          A^      .       .       .
        +       +       +       +       +
          P>1+R>  Pv1+B>  .       .
        +       +       +       +       +
          .       .       .       .
        +       +       +       +       +
    """).play(A="move_1").rebooted("A").shows("""
        +    +    +    +    +
          .    .    .    .
        +    +    +    +    +
          .    A>   B>   .
        +    +    +    +    +
          .    .    .    .
        +    +    +    +    +
    """)


def test_a_given_order_stands_for_priority():
    """Scenario files: `order` stands for priority everywhere."""
    picture = "Y>  A^  B^"
    assert scene(picture).play(A=WAIT, B=WAIT).turns == "AB"
    assert scene(picture).play(order="BA", A=WAIT, B=WAIT).turns == "BA"


def test_without_an_antenna_the_order_is_that_of_the_list():
    """Scenario files: no antenna and no order."""
    result = scene("C^  B^  A^").play(A=WAIT, B=WAIT, C=WAIT)
    assert result.turns == "ABC"


def test_priority_decides_who_gets_to_a_space_first():
    """p. 4, p. 7: B is closer, moves first, and is then pushed by A."""
    scene("""
        +    +    +    +    +
          A>   .    Bv   Yv
        +    +    +    +    +
          .    .    .    .
        +    +    +    +    +
    """).play(A="move_2", B="move_1").shows("""
        +    +    +    +    +
          .    .    A>   Yv
        +    +    +    +    +
          .    .    Bv   .
        +    +    +    +    +
    """)
