"""Moving Targets: 2005 course manual p. 22; R38, R38a."""

import pytest

from .scene import Result, Scene, scene

PIT_IN_TWO = """
    +        +        +        +        +
      >+1      >        O        .
    +        +        +        +        +
      .        .        .        A^
    +        +        +        +        +
"""
# A and B want the same space and stay; A stands where the flag began
HELD_AT_THE_START = """
    +          +          +          +
      >+1+A^     >          O
    +          +          +          +
      .          ^+B^       .
    +          +          +          +
"""
# A cannot move
FALLS_IN_FIVE = """
    +    +    +    +    +    +    +
      >+1  >    >    >    >    O
    +----+    +    +    +    +    +
    | A^ | .    .    .    .    .
    +----+    +    +    +    +    +
"""


def moving(picture: str, **options) -> Scene:
    """A scene whose belts carry flags."""
    return scene(picture, special_rules=["moving_flags"], **options)


def way(result: Result) -> list[list[int] | None]:
    """Where the flags came, move by move."""
    return [event["to"] for event in result.happened("checkpoint_moved")]


@pytest.mark.parametrize(("belts", "cell"), [("> > >", (1, 0)), (">> >> >>", (2, 0)), (">> > .", (2, 0))])
def test_belts_carry_flags_as_they_carry_robots(belts, cell):
    """p. 22: a normal belt one space; an express belt two, also onto a normal one (p. 7)."""
    first, second, third = belts.split()
    result = moving(f"""
        +       +       +       +       +
          {first + "+1":<8}{second:<8}{third:<8}.
        +       +       +       +       +
          .       .       .       A^
        +       +       +       +       +
    """).play()
    assert result.checkpoint_cells() == {1: cell}


def test_flags_are_carried_in_each_register_phase():
    """p. 22: during each register phase."""
    result = moving(FALLS_IN_FIVE).play(to=4)
    assert way(result) == [[1, 0], [2, 0], [3, 0], [4, 0]]


def test_without_the_special_rule_flags_stay():
    """p. 12: special rules are those of the course."""
    result = scene(PIT_IN_TWO).play(to=3)
    assert result.checkpoint_cells() == {1: (0, 0)}


def test_only_belts_move_flags():
    """p. 22: by conveyor belts. The pusher moves A alone, the gear turns nobody but B."""
    result = moving("P>135+1+A^  .  cw+2+B^").play()
    result.at(A="1 0 N", B="2 0 E")
    assert result.checkpoint_cells() == {1: (0, 0), 2: (2, 0)}


def test_a_wall_stops_a_flag():
    """p. 22: the same way that robots are; R7, R38."""
    result = moving(">+1 | .  A^").play(to=2)
    assert result.checkpoint_cells() == {1: (0, 0)}


def test_a_flag_is_touched_where_it_comes_to():
    """p. 8: touched after the board elements have moved. A's archive marker goes there."""
    moving("""
        +      +      +      +
          >+1    A^     .
        +      +      +      +
          .      .      2
        +      +      +      +
    """).play().flags(A=1).archive(A="1 0")


def test_robots_do_not_stop_a_flag():
    """R38. B's own belt is blocked by A, so B is left behind where the flag was."""
    moving("""
        +        +        +        +
          >+1+B^   A^       .
        +        +        +        +
          .        .        2
        +        +        +        +
    """).play().at(A="1 0", B="0 0").flags(A=1, B=0)


def test_a_robot_on_a_flag_rides_with_it():
    """p. 22: flags are moved the same way that robots are."""
    moving("""
        +        +        +        +
          >+1+A^   >        .
        +        +        +        +
          2        .        .
        +        +        +        +
    """).play().flags(A=1).at(A="1 0").archive(A="1 0")


def test_flags_may_share_a_space_and_one_is_touched_a_phase():
    """R38a; p. 8 and p. 10: in order."""
    crossing = moving(">+1  A^  <+2")
    crossing.play().flags(A=1)
    assert crossing.play(to=2).flags(A=2).winner == "A"


def test_a_flag_that_falls_into_a_pit_is_off_the_board_in_that_phase():
    """p. 22: it appears at the beginning of the next phase. A stands where it began and cannot touch it before."""
    result = moving(HELD_AT_THE_START).play(to=2)
    assert result.checkpoint_cells() == {1: None}
    result.at(A="0 0", B="1 1").flags(A=0, B=0)


def test_it_appears_in_its_starting_location_at_the_beginning_of_the_next_phase():
    """p. 22: before the robots move; then belts carry it again."""
    result = moving(PIT_IN_TWO).play(to=3)
    assert way(result) == [[1, 0], None, [0, 0], [1, 0]]
    third = result.events.index({"kind": "register", "register": 3})
    assert result.events[third + 1] == {"kind": "checkpoint_moved", "number": 1, "from": None, "to": [0, 0]}


def test_after_the_last_phase_of_a_turn_it_appears_in_the_next_turn():
    """p. 22: the next phase is the first one of the next turn."""
    falls = moving(FALLS_IN_FIVE)
    assert falls.play(to=5).checkpoint_cells() == {1: None}
    result = falls.play_rounds(2)
    second = result.events.index({"kind": "round", "round": 2})
    kinds = [event["kind"] for event in result.events]
    moves = [i for i, kind in enumerate(kinds) if kind == "checkpoint_moved"]
    assert way(result)[4:6] == [None, [0, 0]]
    assert moves[4] < second < kinds.index("register", second) < moves[5]


def test_a_flag_that_is_carried_off_the_edge_comes_back_in_the_same_way():
    """R38a: as from a pit."""
    result = moving("A^  .  >+1").play(to=2)
    assert way(result) == [None, [2, 0], None]


def test_archive_markers_and_credit_stay_when_the_flag_falls():
    """p. 22: archive markers remain intact, robots that have touched the flag still have credit for doing so."""
    picture = PIT_IN_TWO.replace(".        .        .        A^", "2        .        .        A^")
    result = moving(picture, A={"checkpoint": 1, "archive": "1 0"}).play(to=2)
    result.flags(A=1).archive(A="1 0")
    assert result.checkpoint_cells() == {1: None, 2: (0, 1)}


def test_the_archive_marker_stays_on_the_space_where_the_flag_was_touched():
    """p. 8, R93: the marker is put on that space; the flag that is carried on leaves it there."""
    result = moving("""
        +        +        +        +        +
          >+1+A^   >        >        .
        +        +        +        +        +
          .        .        .        2
        +        +        +        +        +
    """).play(A=[None, "back_up"], to=2)
    result.flags(A=1).archive(A="1 0").at(A="1 1")
    assert result.checkpoint_cells() == {1: (2, 0), 2: (3, 1)}


def test_a_robot_that_falls_with_the_flag_does_not_touch_it():
    """p. 8: only a robot that has survived touches it; R38."""
    moving(">+1+A^  O  2").play().destroyed("A").flags(A=0)
