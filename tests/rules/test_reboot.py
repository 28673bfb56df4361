"""Rebooting: 2016 rulebook p. 15."""

import pytest

from roborally_env.core.mechanics.reboot import clockwise_key
from roborally_env.courses.tables import priority_key

from .scene import race_on, scene

PROGRAM = ["move_1", "spam", "turn_left", "power_up", "move_2"]

FALLS = """
    +    +    +    +    +
      .    .    .    A>
    +    +    +    +    +
      .    Rv   .    .
    +    +    +    +    +
      .    .    .    .
    +    +    +    +    +
"""


def test_a_reboot_costs_two_spam():
    """p. 15, step 1; R15."""
    scene(FALLS).play(A="move_1").rebooted("A").took(A=2)


def test_the_rest_of_the_program_is_cancelled():
    """p. 15, step 2: you may not complete remaining registers; discard the cards in them, damage cards too; R15."""
    result = scene(FALLS).play_rounds(1, A=PROGRAM).at(A="1 1 S").has("energy", A=5)
    # the SPAM of register two was not played: it went to the discard pile, beside the two of the reboot
    result.pile("discard", A=[*PROGRAM, "spam", "spam"])


def test_the_registers_left_are_empty_at_once():
    """p. 15, step 2: regardless of the current register; R15."""
    scene(FALLS).play(A=PROGRAM, to=1).register_cards(A=["move_1", None, None, None, None])
    later = ["power_up", "power_up", "move_1", "move_2", "move_3"]
    scene(FALLS).play(A=later, to=3).register_cards(A=["power_up", "power_up", "move_1", None, None])


def test_the_hand_is_discarded_too():
    """p. 15, step 2: as well as those in your hand; R15. In the advanced game there is one."""
    result = scene(FALLS, {"advanced": True}, A={"hand": ["move_3", "u_turn"]}).play_rounds(1, A=PROGRAM)
    result.pile("discard", A=[*PROGRAM, "move_3", "u_turn", "spam", "spam"]).pile("hand", A=[])


def test_the_next_round_is_programmed_again():
    """p. 15, step 2: you must wait until the next round to program your robot."""
    turns = ["turn_left", "turn_right"] * 2 + ["turn_left"]
    result = scene(FALLS, A={"draw": [*turns, *["power_up"], *["move_1"] * 3]}).play_rounds(2, A=PROGRAM[:1])
    result.at(A="1 1 E").rebooted("")
    assert [event["card"] for event in result.happened("card", "A")] == ["move_1", *turns]


def test_a_robot_pushed_off_before_its_turn_loses_this_register_too():
    """p. 15, step 2: it is cancelled at once, whatever the register has come to."""
    scene("""
        +    +    +    +
          .    A>   B^
        +    +    +    +
          Rv   .    .
        +    +    +    +
          .    .    .
        +    +    +    +
    """).play(A="move_1", B=["power_up", "move_1"], to=1).rebooted("B").has("energy", B=5).register_cards(B=[None] * 5)


# -- where to


def test_the_robot_is_placed_on_the_reboot_token():
    """p. 15, step 3. It faces as the arrow where its player says nothing; R19."""
    scene(FALLS).play(A="move_1").at(A="1 1 S").asked("A reboot_facing S")


@pytest.mark.parametrize("facing", "NESW")
def test_the_player_turns_the_robot_to_any_direction(facing):
    """p. 15, step 3: you may turn your robot to face any direction; R19."""
    scene(FALLS).play(A="move_1", answers=(f"A reboot_facing {facing}",)).at(A=f"1 1 {facing}")


def placed(result, name):
    """Where a robot was put down, before the elements moved it on."""
    event = result.happened("placed", name)[-1]
    return (*event["cell"], event["facing"])


def test_the_token_is_that_of_the_board_on_which_the_robot_was():
    """p. 15, step 3; R16: fallen off the edge: the board of its last cell."""
    course = race_on("passing_lane", A="8 0 N", B="17 9 S", C="1 4 N")
    result = course.play(A="move_1", B="move_1", order="ABC").rebooted("AB")
    assert placed(result, "A") == (10, 9, "N")  # board 4B
    assert placed(result, "B") == (18, 0, "S")  # board 5B


@pytest.mark.parametrize(
    ("course", "robot", "token"),
    [("high_octane", "2 2 E", (7, 0, "W")), ("burn_run", "13 17 W", (3, 11, "E"))],
)
def test_the_token_of_a_fall_into_a_pit_is_that_of_the_pits_board(course, robot, token):
    """R16: the robot comes from the board next to it and falls into the first pit of the other."""
    result = race_on(course, A=robot).play(A="move_1").rebooted("A")
    assert placed(result, "A") == token


def test_from_the_start_board_a_robot_returns_to_its_start_space():
    """p. 15, step 3: if you rebooted from the start board, place it where you started the game; R16, R19."""
    result = race_on("dizzy_highway", A="1 1 W", B="1 8 N").play(A=["move_3"]).rebooted("A")
    assert placed(result, "A") == (1, 1, "E")
    result = race_on("dizzy_highway", A="7 0 N").play(A=["move_3"])
    assert placed(result, "A") == (7, 3, "S")


@pytest.mark.parametrize("robot", ["1 1 W", "7 0 N"])
def test_a_token_on_the_start_board_serves_all(robot):
    """Burnout, Special Rules: any robots that reboot will reboot onto that token; R16."""
    result = race_on("burnout", A=robot).play(A="move_3").rebooted("A")
    assert placed(result, "A") == (0, 6, "E")


def test_without_a_token_the_robot_returns_to_its_start_space():
    """R16: a board without a token: else the own start space; R19: with the start facing."""
    scene(".  A>  .", start_facing="S").play(A="move_3").rebooted("A").at(A="1 0 S")


# -- an occupied token


def test_the_newcomer_pushes_the_robot_on_the_token_along_the_arrow():
    """p. 15, note: in the direction indicated by the arrow on the reboot token; R17."""
    scene("""
        +       +       +       +
          .       .       A>
        +       +       +       +
          .       Rv+B^   .
        +       +       +       +
          .       .       .
        +       +       +       +
    """).play(A="move_1").rebooted("A").shows("""
        +    +    +    +
          .    .    .
        +    +    +    +
          .    Av   .
        +    +    +    +
          .    B^   .
        +    +    +    +
    """)


def test_robots_leave_the_token_in_the_order_in_which_they_rebooted():
    """p. 15, note: with the next robot pushing the robot before it; R17: an ordinary push, of the row."""
    scene("""
        +    +    +    +    +
          A^   B^   C^   .
        +    +    +    +    +
          R>   .    .    .
        +    +    +    +    +
    """).play(A="move_1", B="move_1", C="move_1").rebooted("ABC").took(A=2, B=2, C=2).shows("""
        +    +    +    +    +
          .    .    .    .
        +    +    +    +    +
          C>   B>   A>   .
        +    +    +    +    +
    """)


@pytest.mark.parametrize(
    ("walls", "place"),
    [((" ", " ", " "), "1 0"), (("-", " ", " "), "2 1"), (("-", "|", " "), "1 2"), (("-", "|", "-"), "0 1")],
)
def test_where_the_arrow_is_blocked_the_push_goes_clockwise(walls, place):
    """R17: try clockwise from the arrow, which points up here."""
    north, east, south = walls
    scene(f"""
        +       +       +       +
          .       .       A>
        +       +{north * 7}+       +
          .       R^+Bv {east} .
        +       +{south * 7}+       +
          .       .       .
        +       +       +       +
    """).play(A="move_1").rebooted("A").at(A="1 1 N", B=place)


def test_a_push_off_the_token_may_be_a_fall():
    """R17: an ordinary push: pits and edges let it happen; then the pushed robot reboots in its turn."""
    scene("""
        +       +       +       +
          .       .       A>
        +       +       +       +
          .       R>+Bv   O
        +       +       +       +
    """).play(A="move_1").rebooted("AB").at(B="1 1 E").took(A=2, B=2)


def test_with_all_four_directions_blocked_the_newcomer_goes_to_its_start_space():
    """R17."""
    scene("""
        +       +       +       +
          .       .       A>
        +       +-------+       +
          .     | R^+Bv | .
        +       +-------+       +
    """).play(A="move_1").rebooted("A").at(A="2 0 E", B="1 1 S")


def test_a_robot_on_the_newcomers_start_space_is_pushed_towards_the_course():
    """R17: occupied start space: along the start facing."""
    scene("""
        +    +    +    +
          .    B>   A>
        +    +    +    +
          .    .    .
        +    +    +    +
    """, start_facing="S").play(B="move_1").rebooted("A").at(A="2 0 S", B="2 1 E")  # fmt: skip


def test_a_robot_is_not_pushed_off_again_by_the_one_it_pushed_off():
    """R17b: B's push along the arrow would make A fall again, so it goes clockwise; R19: A is asked first."""
    scene("""
        +       +       +       +
          .       R^+B>   .
        +       +       +       +
          .       .       .
        +       +       +       +
          .       .       A>
        +       +       +       +
    """).play(A="move_1").rebooted("AB").took(A=2, B=2).at(A="2 0 N", B="1 0 N").asked(
        "A reboot_facing N", "B reboot_facing N"
    )


def test_a_later_fall_is_a_chain_of_its_own():
    """R17b: within one chain of reboots; R15: a robot that reboots twice in a round takes two SPAM each time."""
    scene("""
        +       +       +       +
          .       R^      .
        +       +       +       +
          .       .       A>
        +       +       +       +
          .       .       B>
        +       +       +       +
    """).play(A=["move_1"], B=[None, "move_1"]).rebooted("AB").took(A=4, B=2).at(A="1 0 N", B="2 0 N")
    # Register one: A falls and comes onto the token. Register two: B falls and pushes A off the board. A comes back and
    # would push B off in turn; that is blocked, so B goes clockwise, to the east.


@pytest.mark.parametrize(("west", "south", "place"), [(".", ".", "1 2 E"), (".", "D^", "0 1 E"), ("F^", "D^", "1 0 E")])
def test_with_everything_blocked_the_robot_takes_the_nearest_free_cell(west, south, place):
    """R17b: the free cell nearest to the own start space, ties clockwise from the start facing."""
    scene(f"""
        +       +       +       +       +
          .       .       .       .
        +       +-------+       +       +
          {west:<6}| A>      P<3   | .
        +       +-------+       +       +
          .       {south:<8}B^      .
        +       +       +       +       +
          .       .       C^      .
        +       +       +       +       +
    """).play(
        order="BCA" + "".join(name for name in "DF" if name in west + south),
        A=["move_1", "turn_left", "power_up", "move_1"],
        B=[None, None, "move_1"],
        C=[None, None, None, "move_2"],
    ).rebooted("A").at(A=place, B="1 1 N", C="2 1 N")
    # A leaves its walled start space and turns; B pushes it on and is pushed onto that space by the panel; C closes the
    # only way out; A falls off the board. East of its start space stands C, so south comes next, then west, then north.


@pytest.mark.parametrize("facing", range(4))
def test_ties_for_the_nearest_free_cell_are_broken_as_for_priority(facing):
    """R17b: by the key of R41, measured from the start space with the start facing."""
    cells = [(dx, dy) for dx in range(-4, 5) for dy in range(-4, 5)]
    by_nearness = sorted(cells, key=lambda cell: clockwise_key(*cell, facing))
    assert by_nearness == sorted(cells, key=lambda cell: priority_key(*cell, facing))


# -- after the reboot


def test_a_rebooted_robot_is_pushed_by_an_active_one():
    """p. 15, also note: you can be shot or pushed by an active robot while on a reboot token; R18."""
    scene("""
        +    +    +    +    +
          .    .    .    A>
        +    +    +    +    +
          B>   R^   .    .
        +    +    +    +    +
    """).play(A=["move_1"], B=[None, "move_1"]).rebooted("A").at(A="2 1 N", B="1 1 E").took(A=2 + 2)


def test_a_rebooted_robot_is_carried_by_belts():
    """R18: moved by board elements; R17a: in that register already."""
    scene("""
        +      +      +      +
          .      .      A>
        +      +      +      +
          >+R^   .      .
        +      +      +      +
    """).play(A="move_1").rebooted("A").at(A="1 1 N")


def test_a_rebooted_robot_stays_idle_for_the_round():
    """p. 15, step 2: until the next round."""
    scene(FALLS).play(A=["move_1", "move_1", "move_1", "move_1", "move_1"]).at(A="1 1 S")
