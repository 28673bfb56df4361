"""Checkpoints: reached in order, carried by belts and pushers; winning, and racing on. C17, C20."""

import pytest

from .scene import scene


def test_a_checkpoint_is_reached_at_the_end_of_a_register():
    """Checkpoints: if a robot is at a checkpoint at the end of a register phase, it receives it."""
    scene("A>  F1  F2").play(A="move_1").checkpoints(A=1)


def test_passing_a_checkpoint_is_not_reaching_it():
    """Checkpoints: at the end of a register phase."""
    scene("A>  F1  .  F2").play(A="move_2").checkpoints(A=0)


def test_checkpoints_are_completed_in_order():
    """Checkpoints: from the one with the lowest number to the one with the highest."""
    scene("A>  F2  F1").play(A=["move_1", "move_1"]).checkpoints(A=1)


def test_the_first_with_all_checkpoints_wins():
    """Winning: the winner is the first one getting all checkpoint-marks; play stops."""
    result = scene("A>  F1  F2").play(A=["move_1", "move_1", "move_1"])
    assert result.winner == "A"
    result.checkpoints(A=2).at(A="2 0").has("destroyed", A=False)
    assert result.register == 2


def test_the_race_may_go_on():
    """Winning: the others may continue to see who will get 2nd, 3rd; C17: the finisher leaves the board."""
    result = scene("""
        +     +     +     +
          A>    F1    .
        +     +     +     +
          B^    .     .
        +     +     +     +
          Cv    .     .
        +     +     +     +
    """, {"race_on": True}).play(A="move_1", B=["turn_left", "power_up"], C="power_up")  # fmt: skip
    assert result.winner == "A"
    assert result.register == 2
    result.has("x", A=None).has("energy", B=6).has("place", A=1, B=None, C=None).destroyed("")


def test_the_race_that_goes_on_ends_when_one_robot_is_left():
    """C17: second and third place, until only one robot is left."""
    result = scene("""
        +     +     +     +
          .     B^    .
        +     +     +     +
          A>    F1    .
        +     +     +     +
          Cv    .     .
        +     +     +     +
    """, {"race_on": True}).play(A=["move_1"], B=["power_up", "back_up", "u_turn"], C=["power_up"])  # fmt: skip
    result.has("place", A=1, B=2, C=None)
    assert result.register == 2


# ---- Carried ------------------------------------------------------------------------------------------------------


def test_belts_carry_checkpoints():
    """Checkpoints, Map: conveyor belts can move the checkpoint around; no rule or key of the map has to say so."""
    scene("""
        >+F1  >  .   A^
    """).play(1, to=2).shows("""
        .     .  F1  A^
    """)


def test_double_belts_carry_them_two_spaces():
    """Double conveyor belts: two spaces."""
    scene("""
        >>+F1  >>  .   A^
    """).play().shows("""
        .      .   F1  A^
    """)


def test_a_checkpoint_can_come_to_a_player_that_waits():
    """Checkpoints, Map: even move the checkpoint to a player so that the player may wait for it."""
    result = scene(">+F1  A^  .").play()
    result.checkpoints(A=1)
    assert result.winner == "A"


def test_pushers_push_checkpoints():
    """Checkpoints, Map: pushers also affect checkpoints and move them away, in their registers."""
    picture = "P>1+F1  .  A^"
    scene(picture).play(1).shows(".  F1  A^")
    scene(picture).play(2).shows(picture)


def test_pushers_push_a_checkpoint_once():
    """C20: those that lie on them when the phase begins, once: not on by the next pusher."""
    scene("""
        +        +        +        +
          P>1+F1   Pv1      A^
        +        +        +        +
          .        .        .
        +        +        +        +
    """).play().shows("""
        +        +        +        +
          .        F1       A^
        +        +        +        +
          .        .        .
        +        +        +        +
    """)


def test_robots_do_not_stop_checkpoints():
    """R38: blocked by walls only, not by robots or other checkpoints."""
    scene("""
        >+F1  A^+F2     .
    """).play().shows("""
        .     A^+F2+F1  .
    """)


@pytest.mark.parametrize("beside", ["O", "Yv", "1", "!<", "R^0", "R<0", "P>2"])
@pytest.mark.parametrize("carrier", [">", "P>1"])
def test_checkpoints_are_not_carried_where_they_could_not_be_reached(beside, carrier):
    """Checkpoints, Map: into a hole or another unreachable place; C20: antenna, walls, another level."""
    picture = f"""
        +          +          +          +
          {carrier + "+F1":11}{beside:11}Av
        +          +          +          +
          .          .          .
        +          +          +          +
    """
    scene(picture).play().shows("""
        +          +          +          +
          F1         .          Av
        +          +          +          +
          .          .          .
        +          +          +          +
    """)


@pytest.mark.parametrize("carrier", [">", "P>1"])
def test_checkpoints_are_not_carried_off_the_map_or_through_walls(carrier):
    """Checkpoints, Map: out of the map."""
    picture = f"""
        +          +          +
          .          {carrier}+F1
        +          +          +
          {carrier + "+F2":9}| A^
        +          +          +
    """
    scene(picture).play().shows(picture)


def test_checkpoints_are_not_carried_down_a_ledge():
    """Rulings: nor to another level."""
    picture = "1+>+F1  A^"
    scene(picture).play().shows(picture)


@pytest.mark.parametrize(("ramp", "x"), [("R>0", 1), ("R^0-", 1), ("R>1-", 0)])
def test_a_ramp_counts_as_its_foots_level(ramp, x):
    """C20: a ramp counts as its foot's level; it is entered from the foot, and from any side if it is off."""
    cells = [".", "."]
    cells[x] = "F1"
    scene(f"""
        +          +          +          +
          >+F1       {ramp:11}Av
        +          +          +          +
          .          .          .
        +          +          +          +
    """).play().shows(f"""
        +          +          +          +
          {cells[0]:11}{cells[1]:11}Av
        +          +          +          +
          .          .          .
        +          +          +          +
    """)


def test_a_checkpoint_that_was_stopped_goes_on_when_the_way_is_open():
    """C20: then that move is not made; the next may be: the ramp is switched off in register two."""
    scene("""
        +          +          +          +
          >+F1       R^0a       .
        +          +          +          +
          A>         .          Ba
        +          +          +          +
    """).play(A=["power_up", "move_2"]).shows("""
        +          +          +          +
          .          F1         .
        +          +          +          +
          .          .          A>
        +          +          +          +
    """)
