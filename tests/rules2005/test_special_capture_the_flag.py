"""Capture the Flag: 2005 course manual p. 31. A and C are at home on the left board, B and D on the right one.

Columns 0 to 7 are the left board, 8 to 15 the right one. Flag 1 of A and C lies on "6 1", flag 2 of B and D on "9 1".
"""

from .homes import homes
from .scene import Result

__all__ = ["homes"]  # a fixture

TURNS = ["turn_left", "turn_right", "turn_left", "turn_right", "u_turn"]
FAR = "15 0 N"  # where a robot is in nobody's way


def story(result: Result) -> list[str]:
    """What became of the flags: "A takes 2", "2 lies at 9 1", "1 is back"."""
    happened = []
    for event in result.events:
        if event["kind"] == "flag_taken":
            happened.append(f"{result.scene.names[event['robot']]} takes {event['number']}")
        elif event["kind"] == "flag_dropped":
            happened.append(f"{event['number']} lies at {event['cell'][0]} {event['cell'][1]}")
        elif event["kind"] == "checkpoint_moved":
            happened.append(f"{event['number']} is back")
    return happened


# -- picking up, carrying home


def test_a_robot_that_touches_the_other_teams_flag_picks_it_up(homes):
    """p. 31; p. 8: at the end of the phase."""
    result = homes(A="9 0 S", B=FAR).play(A="move_1")
    assert story(result) == ["A takes 2"]
    assert result.winner is None


def test_a_flag_that_is_carried_is_not_on_the_board(homes):
    """p. 31: it carries it. C comes to the space where it lay and finds nothing."""
    result = homes(A="9 1 W", B=FAR, C="9 0 S").play(A=[None, "move_1:500"], C=[None, "move_1:490"])
    assert story(result) == ["A takes 2"]


def test_touching_the_own_flag_at_home_does_nothing(homes):
    """p. 31: it returns to its starting space, where it is."""
    assert story(homes(A="6 1 N", B=FAR).play()) == []


def test_a_team_wins_if_a_robot_has_the_enemy_flag_on_its_home_board(homes):
    """p. 31: at the end of the turn."""
    result = homes(A="9 1 W", B=FAR).play_rounds(A=["turn_left", "turn_right", "move_2", *TURNS[:2]], B=TURNS)
    assert story(result) == ["A takes 2"]
    assert result.at(A="7 1").winner == "A"


def test_the_other_team_wins_in_the_same_way(homes):
    """p. 31."""
    result = homes(A="0 0 N", B="6 1 E").play_rounds(A=TURNS, B=["turn_left", "turn_right", "move_2", *TURNS[:2]])
    assert result.at(B="8 1").winner == "B"


def test_not_before_the_end_of_the_turn(homes):
    """p. 31: at the end of any turn. A comes home in register three, and leaves again in register five."""
    scene = homes(A="9 1 W", B=FAR)
    leaves = ["turn_left", "turn_right", "move_2", "turn_left", "turn_right"]
    assert scene.play(A=leaves).winner is None
    leaves[3:] = ["back_up", "turn_left"]
    result = scene.play_rounds(A=leaves, B=TURNS)
    assert result.at(A="8 1").winner is None


def test_without_the_flag_nobody_wins_at_home(homes):
    """p. 31: has the enemy flag."""
    assert homes(A="7 0 N", B="8 0 N").play_rounds(A=TURNS, B=TURNS).winner is None


def test_a_flag_that_lies_on_the_enemys_home_board_wins_nothing(homes):
    """p. 31: one of their robots has it. A brings flag 2 home and is shot there."""
    result = homes(A="9 1 N", B="7 0 S", mats={"A": {"damage": 9}}).play_rounds(
        A=["turn_left", "move_2", *TURNS[:3]], B=TURNS
    )
    assert story(result) == ["A takes 2", "2 lies at 7 1"]
    assert result.destroyed("A").winner is None


# -- dropping


def test_a_destroyed_robot_drops_the_flag_until_another_picks_it_up(homes):
    """p. 31. A is shot on the way, C comes and takes it."""
    result = homes(A="9 1 N", B="8 2 N", C="8 0 S", mats={"A": {"damage": 9}}).play(
        A=[None, "turn_left", "move_1:490"], B=[None, None, None, "turn_left", None],
        C=[None, "turn_left:70", "turn_right:80", None, "move_1:500"],
    )  # fmt: skip
    assert story(result) == ["A takes 2", "2 lies at 8 1", "C takes 2"]


def test_a_robot_that_leaves_the_board_drops_it_where_it_left(homes):
    """p. 31: the flag drops; beyond the edge is no space for it."""
    result = homes(A="9 1 N", B=FAR).play(A=[None, "move_2"])
    assert story(result) == ["A takes 2", "2 lies at 9 0"]


def test_from_a_pit_the_flag_is_back_where_it_began(homes):
    """p. 31 says nothing of pits; p. 22: flags that fall into a pit appear in their starting locations."""
    result = homes({(9, 0): "O"}, A="9 1 N", B=FAR).play(A=[None, "move_1"])
    assert story(result) == ["A takes 2", "2 lies at 9 1"]


def test_a_carrier_that_is_pushed_on_an_enemy_board_drops_the_flag(homes):
    """p. 31. It lies where A was when it was pushed."""
    result = homes(A="9 1 N", B=FAR, D="10 1 W").play(D=[None, "move_1"])
    assert story(result) == ["A takes 2", "2 lies at 9 1"]


def test_a_push_by_the_own_team_counts_too(homes):
    """p. 31: is pushed, by whomever."""
    result = homes(A="9 1 N", B=FAR, C="9 0 S").play(C=[None, "move_1"])
    assert story(result)[:2] == ["A takes 2", "2 lies at 9 1"]
    result.at(A="9 2")


def test_a_push_through_another_robot_counts_too(homes):
    """p. 31, R10: a step pushes every robot in line."""
    result = homes(A="9 1 N", B=FAR, C="10 1 N", D="11 1 W").play(D=[None, "move_1"])
    assert story(result)[:2] == ["A takes 2", "2 lies at 9 1"]


def test_pushers_push_as_well(homes):
    """p. 31, p. 7: pushers push."""
    result = homes({(9, 1): "P^2"}, A="9 1 N", B=FAR).play(to=2)
    assert story(result) == ["A takes 2", "2 lies at 9 1"]
    result.at(A="9 0")


def test_pressor_beam_pushes_as_well(homes):
    """p. 31, R64: it pushes as a card's step does."""
    result = homes(A="9 1 N", B=FAR, D="12 1 E", mats={"D": {"options": ["pressor_beam"]}}).play(
        D=[None, "u_turn"], answers=("D pressor_beam yes",)
    )
    assert story(result) == ["A takes 2", "2 lies at 9 1"]


def test_a_push_against_a_wall_is_none(homes):
    """p. 6: a robot can't be pushed through a wall."""
    result = homes({(9, 1): "|"}, A="9 1 N", B=FAR, D="10 1 W").play(D=[None, "move_1"])
    assert story(result) == ["A takes 2"]
    result.at(A="9 1", D="10 1")


def test_a_belt_does_not_push(homes):
    """p. 7: belts move."""
    result = homes({(10, 1): ">"}, A="9 1 E", B=FAR).play(A=[None, "move_1"])
    assert story(result) == ["A takes 2"]
    result.at(A="11 1")


def test_at_home_a_carrier_keeps_the_flag_when_it_is_pushed(homes):
    """p. 31: when on an enemy board. B pushes A on A's home board; its team has the flag there and wins."""
    result = homes(A="9 1 W", B="7 0 S").play_rounds(
        A=["turn_left:70", "turn_right:80", "move_2:670", "turn_left:90", "turn_right:100"],
        B=["turn_left", "turn_right", "turn_left", "turn_right", "move_1:490"],
    )
    assert story(result) == ["A takes 2"]
    assert result.at(A="7 2", B="7 1").winner == "A"


# -- bringing back


def test_the_own_flag_returns_at_once_when_it_is_touched_on_the_home_board(homes):
    """p. 31. A drops flag 2 on the enemy board, D touches it there."""
    result = homes(A="9 1 N", B="15 2 N", D="10 0 W").play(A=[None, "move_2"], D=[None, None, "move_1"])
    assert story(result) == ["A takes 2", "2 lies at 9 0", "2 is back"]


def test_on_the_enemy_board_it_stays_where_it_is(homes):
    """p. 31: while on its home board. A is shot at home; B touches its flag there, then C takes it."""
    result = homes(A="9 1 W", B="7 0 S", C="5 1 E", mats={"A": {"damage": 9}}).play(
        A=[None, "move_2"], B=[None, None, "move_1:500", "move_1:490"], C=["u_turn", None, None, "u_turn", "move_2"]
    )
    assert story(result) == ["A takes 2", "2 lies at 7 1", "C takes 2"]
    result.at(C="7 1", B="7 2")


def test_a_flag_that_is_back_can_be_taken_again(homes):
    """p. 31: it is on its starting space."""
    result = homes(A="9 1 N", C="9 2 N", B="15 2 N", D="10 0 W").play(
        A=[None, "move_2"], C=[None, "turn_left", "turn_right", "move_1"], D=[None, None, "move_1"]
    )
    assert story(result) == ["A takes 2", "2 lies at 9 0", "2 is back", "C takes 2"]


def test_touching_a_flag_moves_the_archive_marker(homes):
    """p. 8: any robot on a flag."""
    homes(A="9 1 W", B=FAR, mats={"A": {"archive": "0 0"}}).play().archive(A="9 1")


# -- in a scenario that begins later


def test_a_scenario_may_say_who_carries_a_flag(homes):
    """p. 31: A has flag 2 and comes home; it lies nowhere else."""
    result = homes(A="7 0 W", B="9 2 N", mats={"A": {"carries": 2}}).play_rounds(1, A=TURNS, B=TURNS)
    assert result.winner == "A"
    result.has("carries", A=2, B=None)
