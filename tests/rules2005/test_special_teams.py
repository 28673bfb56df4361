"""Tandem Carnage, All for One or One for All?, Toggle Boggle and War Zone: 2005 course manual p. 29, 30 and 32."""

import pytest

from .scene import Result, Scene, dealt, scene

TURNS = ["turn_left", "turn_right", "turn_left", "turn_right", "u_turn"]

# -- Tandem Carnage: A and B, C and D are teams


def tandem(picture: str, **options) -> Scene:
    """A scene with teams of two that share their flags."""
    return scene(picture, special_rules=["shared_flags"], **options)


FIELD = """
    +      +      +      +      +
      1+A^   .      .      .
    +      +      +      +      +
      .      2+B^   .      .
    +      +      +      +      +
      .      .      3+C^   .
    +      +      +      +      +
      .      .      .      D^
    +      +      +      +      +
"""


def test_a_flag_has_to_be_touched_by_a_single_robot_of_the_team():
    """p. 29: it is touched for both, and for nobody else."""
    tandem(FIELD).play().flags(A=1, B=1, C=0, D=0)


def test_the_partner_goes_on_with_the_next_flag():
    """p. 29: in order; B stands on flag 2 when A has touched flag 1. R93: two flags in one phase count as one."""
    tandem(FIELD).play(to=1).flags(A=1, B=1)
    tandem(FIELD).play(to=2).flags(A=2, B=2)


def test_the_flags_still_have_to_be_touched_in_order():
    """p. 29: C on flag 3 has nothing for its team of it before flag 2."""
    assert tandem(FIELD, C={"checkpoint": 1}, D={"checkpoint": 1}).play().flags(A=1, B=1, C=1, D=1).winner is None


def test_the_team_wins_with_the_last_flag_whoever_touched_the_others():
    """p. 29: tries to complete the race. C touches flag 3 after its team has the others."""
    result = tandem(FIELD, C={"checkpoint": 2}, D={"checkpoint": 2}).play().flags(C=3, D=3)
    assert result.winner == "C"


def test_a_single_robot_may_touch_all_the_flags():
    """p. 29."""
    result = tandem("""
        +      +      +      +      +
          A>     1      2      3
        +      +      +      +      +
          .      .      C^     .
        +      +      +      +      +
          .      D^     .      B^
        +      +      +      +      +
    """).play(A=["move_1:490", "move_1:500", "move_1:510"])  # fmt: skip
    assert result.flags(A=3, B=3).winner == "A"


def test_the_team_keeps_the_flags_of_a_robot_that_is_out_of_the_game():
    """p. 29: a flag only has to be touched by a single robot of the team."""
    tandem(FIELD, A={"lives": 0, "checkpoint": 1}, B={"checkpoint": 1}).play().flags(B=2)


def test_archive_markers_are_not_shared():
    """p. 8: the robot on a flag updates its archive location. p. 29 speaks of the race."""
    result = tandem(FIELD, A={"archive": "3 0"}, B={"archive": "3 1"}, D={"archive": "0 3"}).play(to=1)
    result.archive(A="0 0", B="1 1", D="0 3")


# -- All for One or One for All?: A, C against B, D


def all_for_one(picture: str, **options) -> Scene:
    """A scene with two teams."""
    return scene(picture, special_rules=["two_teams"], **options)


def test_each_robot_touches_the_flags_for_itself():
    """p. 30: if any individual robot touches all the flags in order."""
    all_for_one(FIELD, C={"checkpoint": 1}).play(to=2).flags(A=1, B=0, C=1, D=0)


@pytest.mark.parametrize(("name", "touched"), [("C", {"C": 2}), (None, {"A": 2})])
def test_the_individual_robot_with_all_flags_wins_for_its_team(name, touched):
    """p. 30: that robot's team wins the game."""
    robots = {robot: {"checkpoint": number} for robot, number in touched.items()}
    assert all_for_one(FIELD, **robots).play().winner == name


def test_the_other_team_may_be_gone_without_a_winner():
    """p. 30: only the flags win."""
    assert all_for_one(FIELD, B={"lives": 0}, D={"lives": 0}).play().winner is None


def test_robots_of_a_team_shoot_and_push_each_other():
    """p. 30 changes how the game is won, nothing else."""
    all_for_one("""
        +    +    +    +    +
          A>   C^   .    .
        +    +    +    +    +
          1    .    .    .
        +    +    +    +    +
          .    Bv   .    Dv
        +    +    +    +    +
    """).play(A="move_1").at(A="1 0", C="2 0").damage(C=1)  # fmt: skip


# -- Toggle Boggle: A, C against B, D


def toggle(picture: str, **options) -> Scene:
    """A scene with flags that are claimed."""
    return scene(picture, special_rules=["two_teams", "claims", "sit_out"], **options)


def claims(result: Result) -> list[str]:
    """Who claimed which flag, in order."""
    return [f"{result.scene.names[event['robot']]}{event['number']}" for event in result.happened("claimed")]


BOARD = """
    +      +      +      +      +
      A>     3      B<     .
    +      +      +      +      +
      .      .      .      D^
    +      +      +      +      +
      2      .      1      C^
    +      +      +      +      +
"""


def test_flags_are_claimed_in_any_order():
    """p. 32."""
    result = toggle(BOARD).play(A="move_1", C="turn_left")
    assert claims(result) == ["A3"]


def test_a_claim_lasts_until_the_other_team_touches_the_flag():
    """p. 32. A leaves, B takes it, and A again."""
    result = toggle(BOARD).play(A=["move_1", "back_up", "turn_left"], B=[None, "turn_left", "turn_right", "move_1"])
    assert claims(result) == ["A3", "B3"]


def test_the_own_team_does_not_claim_a_flag_again():
    """p. 32: it has it. A stays on it."""
    assert claims(toggle(BOARD).play(A="move_1", to=3)) == ["A3"]


ALL_BUT_TWO = """
    +      +      +      +      +
      1+A^   .      .      B^
    +      +      +      +      +
      .      C>     2      3
    +      +      +      +      +
      .      .      D^     .
    +      +      +      +      +
"""


def test_the_team_that_holds_all_flags_at_the_same_time_wins():
    """p. 32: control them all at the same time. A holds one and C, its partner, comes to hold the others."""
    assert toggle(ALL_BUT_TWO).play(C=["move_1:490"]).winner is None
    won = toggle(ALL_BUT_TWO).play(C=["move_1:490", "move_1:500"])
    assert sorted(claims(won)) == ["A1", "C2", "C3"]
    assert won.winner in ("A", "C")


@pytest.mark.parametrize(("order", "winner"), [("ABCD", "A"), ("CABD", "C")])
def test_the_team_wins_by_its_first_robot_that_touches_a_flag(order, winner):
    """p. 32: your team wins. A stands on the flag that it has claimed before and touches it in each phase (p. 8)."""
    assert toggle(ALL_BUT_TWO).play(C=["move_1", "move_1"], order=order).winner == winner


def test_flags_of_both_teams_do_not_add_up():
    """p. 32: A and C hold two, B the third. All touch at the end of the phase (p. 8)."""
    result = toggle("""
        +      +      +      +      +
          1+A^   .      .      D^
        +      +      +      +      +
          .      .      2+B^   .
        +      +      +      +      +
          .      3+C^   .      .
        +      +      +      +      +
    """).play(to=2)
    assert sorted(claims(result)) == ["A1", "B2", "C3"]
    assert result.winner is None


def test_a_claim_that_was_lost_does_not_count():
    """p. 32: at the same time. A's team has touched all three, but flag 1 is B's by then: A leaves, B comes."""
    result = toggle("""
        +      +      +      +      +
          A>+1   .      .      D^
        +      +      +      +      +
          B^     .      2+C^   .
        +      +      +      +      +
          .      .      3      .
        +      +      +      +      +
    """).play(A=[None, "move_1:500"], B=[None, "move_1:490"], C=[None, None, "back_up"])  # fmt: skip
    assert claims(result) == ["A1", "C2", "B1", "C3"]
    assert result.winner is None


def test_a_flag_moves_the_archive_marker():
    """p. 32: place its archive marker on top of any others; p. 8."""
    toggle(BOARD, A={"archive": "3 0"}).play(A="move_1").archive(A="1 0")


OUT = """
    +      +      +      +      +
      A<     .      .      .
    +      +      +      +------+
      1      .    | .    | B^   |
    +      +      +      +------+
"""


def sits_out(rounds: int) -> Result:
    """A falls in the first turn."""
    return toggle(OUT, A={"archive": "2 1"}).play_rounds(rounds, A=["move_1", None, None, None, None], B=TURNS)


def test_a_destroyed_robot_is_not_back_at_the_end_of_that_turn():
    """p. 32: the player must sit out for a full turn before it re-enters."""
    result = sits_out(1).destroyed("A").lives(A=2)
    assert result.robots.keys() == {"B"}


def test_it_plays_nothing_in_the_turn_that_it_sits_out():
    """p. 32: no cards; it comes back at the end of that turn, by the normal rules (p. 9)."""
    result = sits_out(2).at(A="2 1").damage(A=2)
    assert not result.robot("A")["active"]
    second = result.events.index({"kind": "round", "round": 2})
    late = [event["kind"] for event in result.events[second:] if event.get("robot") == 0]
    assert late == ["placed"]
    assert result.asked_about("reboot_facing") == ["A E"]


def test_it_plays_again_in_the_turn_after_that():
    """p. 32: one full turn. Two damage: seven cards."""
    result = sits_out(3)
    assert dealt(result, "A") == 7


def test_without_the_special_rule_it_is_back_at_the_end_of_the_turn():
    """p. 9."""
    scene(OUT, A={"archive": "2 1"}, special_rules=["two_teams", "claims"]).play_rounds(
        A=["move_1", None, None, None, None], B=TURNS
    ).at(A="2 1").damage(A=2)


# -- War Zone: A, C against B, D


def war(picture: str, **options) -> Scene:
    """A scene of War Zone."""
    return scene(picture, special_rules=["two_teams", "last_team_standing"], **options)


FRONT = """
    +    +    +    +    +
      A>   B^   O    .
    +    +    +    +    +
      .    C^   .    .
    +    +    +    +    +
      .    .    .    D^
    +    +    +    +    +
"""


def test_the_team_that_runs_the_other_out_of_lives_wins():
    """p. 32: completely run the other team out of Life tokens."""
    result = war(FRONT, B={"lives": 1}, D={"lives": 0}).play(A="move_1").lives(B=0)
    assert result.winner in ("A", "C")


@pytest.mark.parametrize(("b", "d"), [(1, 1), (2, 0)])
def test_completely(b, d):
    """p. 32: while one robot of the team has a life left, the war goes on."""
    assert war(FRONT, B={"lives": b}, D={"lives": d}).play(A="move_1").destroyed("B" if d else "BD").winner is None


def test_a_team_wins_with_one_robot_left():
    """p. 32."""
    result = war(FRONT, A={"lives": 0}, B={"lives": 1}, D={"lives": 0}).play(B="turn_left", C="u_turn")
    assert result.winner is None
    result = war(FRONT, A={"lives": 0}, B={"lives": 1}, D={"lives": 0}).play(B="move_1")
    assert result.winner == "C"


def test_there_is_nothing_else_to_win_with():
    """p. 32: forget the flags."""
    assert war(FRONT).play(to=5).winner is None


def test_nobody_wins_if_the_last_robots_of_both_teams_are_out_in_one_phase():
    """R93: A and B shoot each other dead with their last lives."""
    last = {"lives": 1, "damage": 9}
    result = war("A>  .  B<  C^  D^", A=last, B=last, C={"lives": 0}, D={"lives": 0}).play().lives(A=0, B=0)
    assert result.winner is None


# -- Toggle Boggle in a scenario that begins later


def test_a_scenario_may_say_which_flags_a_team_holds():
    """p. 32: A's team holds flags 1 and 3; with flag 2 it has all. C is its partner."""
    field = """
        +      +      +      +      +
          1      2+A^   3      .
        +      +      +      +      +
          .      B^     C^     D^
        +      +      +      +      +
    """
    result = toggle(field, A={"holds": [1]}, C={"holds": [3]}).play().flags(A=3, B=0, C=3, D=0)
    assert result.winner == "A"
    result = toggle(field, A={"holds": [1]}, B={"holds": [3]}).play().flags(A=2, B=1)
    result.has("holds", A=[1, 2], B=[3], C=[1, 2], D=[3])
    assert result.winner is None
