"""4. Complete Registers, and the order of everything in one: 2005 rulebook p. 3, p. 5, p. 7."""

from .scene import scene, turns


def test_registers_are_completed_from_left_to_right():
    """p. 5: complete the five registers in order."""
    result = scene("""
        +    +    +    +    +    +
          A>   .    .    .    .
        +    +    +    +    +    +
          .    .    .    .    .
        +    +    +    +    +    +
    """).play(A=["move_2", "turn_right", "move_1", "turn_left", "move_1"])
    result.at(A="3 1 E")
    assert [event["register"] for event in result.happened("register")] == [1, 2, 3, 4, 5]


def test_a_register_is_over_for_all_before_the_next_begins():
    """p. 5: the whole sequence, then the next register."""
    result = scene("A^  B^  .").play(A=["turn_left:70", "turn_left:90"], B=["turn_right:80", "turn_right:100"])
    assert turns(result) == "BABA"


def test_what_a_register_does_comes_in_order():
    """p. 5, p. 7: cards, express belts, all belts, pushers, gears, lasers, flags."""
    result = scene("""
        +        +        +        +        +        +        +
          A>       >>       >        P>1      cw+1     2
        +        +        +        +        +        +        +
          L^       .        .        .        L^       .
        +        +        +        +        +        +        +
    """).play(A="move_1")
    # by its card onto the express belt; both belts; the pusher; the gear; the laser from below; flag one
    kinds = [event["kind"] for event in result.events if event["kind"] != "register"]
    assert kinds == [
        "play", "move", "belt", "belt", "panel", "gear", "board_laser", "token", "archive", "checkpoint",
    ]  # fmt: skip
    result.at(A="4 0 S").damage(A=1).flags(A=1)


def test_elements_act_after_all_robots_have_moved():
    """p. 5: B. robots move, C. board elements move; B is gone when A's belt runs."""
    scene("""
        >+A^  B>  .   .
    """).play(B="move_1").shows("""
        .     A^  B>  .
    """)


def test_more_than_one_element_may_act_on_a_robot_in_a_register():
    """p. 7: the belt, and then the pusher that it leads to."""
    scene("""
        +      +      +      +
          >+A^   Pv1    .
        +      +      +      +
          .      .      .
        +      +      +      +
    """).play().at(A="1 1 N")


def test_an_element_acts_in_its_own_step_only():
    """p. 7: a pusher may lead onto a belt, but the belts have run; onto a gear, which then turns."""
    scene("""
        +        +        +        +
          P>1+A^   >        .
        +        +        +        +
          P>1+B^   cw       .
        +        +        +        +
    """).play().at(A="1 0 N", B="1 1 E")
