"""Options of the laser: Double-Barreled, High-Power and Rear-Firing Laser. The card texts, and R64."""

import pytest

from .scene import scene, shots

FAR = "A>   .    B^   ."
LINE = "A>   B^   .    C^   .    D^"
BACK = "B^   .    A>   .    C^"


# -- Double-Barreled Laser


def test_double_barreled_laser_fires_two_shots():
    """Card: the main laser fires 2 shots instead of 1; it acts without a question."""
    scene(FAR, A="double_barreled_laser").play().damage(B=2).asked()


def test_it_hits_one_robot_with_both():
    """Rulebook p. 8: nobody is shot through a robot."""
    scene(LINE, A="double_barreled_laser").play().damage(B=2)


def test_each_shot_is_a_token_of_its_own():
    """Rulebook p. 10: an option may be given for each token; R61: one token at a time."""
    scene(FAR, A="double_barreled_laser", B="brakes flywheel").play(
        answers=("B option_for_damage no", "B option_for_damage flywheel")
    ).damage(B=1).options(B="brakes").asked("B option_for_damage no", "B option_for_damage flywheel")


def test_board_lasers_have_no_barrels():
    """Card: the main laser."""
    scene("L>  A<  .", A="double_barreled_laser").play().damage(A=1)


def test_a_powered_down_robot_fires_no_barrel():
    """R60: a powered-down robot does not shoot."""
    scene(FAR, A={"options": ["double_barreled_laser"], "powered_down": True}).play().damage()


# -- High-Power Laser


def test_high_power_laser_passes_one_robot():
    """Card: one robot on its way to a target; the robot shot through takes full damage too; R64: unasked."""
    scene(LINE, A="high_power_laser").play().damage(B=1, C=1).asked()


def test_high_power_laser_passes_one_wall():
    """Card: one wall."""
    scene("A>  . | .  B^", A="high_power_laser").play().damage(B=1)


def test_the_wall_may_be_right_before_the_robot():
    """Card: one wall; the target stands behind it at once."""
    scene("A> | B^", A="high_power_laser").play().damage(B=1)


@pytest.mark.parametrize(
    ("row", "damage"),
    [
        ("A> | . | B^  .  .", {}),
        ("A> | B^  C^  .  .", {"B": 1}),
        ("A>  B^ | C^  .  .", {"B": 1}),
        ("A>  B^  C^ | D^  .", {"B": 1, "C": 1}),
        ("A>  . | .  .  B^", {"B": 1}),
    ],
)
def test_it_passes_one_wall_or_one_robot_and_no_more(row, damage):
    """Card: one wall or one robot."""
    scene(row, A="high_power_laser").play().damage(**damage)


def test_at_the_edge_of_the_board_the_shot_ends():
    """Rulebook p. 8: robot lasers fire across the board."""
    scene("B^  A> |", A="high_power_laser").play().damage()


def test_each_robot_gets_both_shots():
    """Cards: High-Power and Double-Barreled Laser combine; the robot shot through takes full damage."""
    scene(LINE, A="high_power_laser double_barreled_laser").play().damage(B=2, C=2)


def test_all_of_it_is_doubled_by_the_course():
    """Set to Kill: all robot laser fire, options too."""
    scene(LINE, A="high_power_laser double_barreled_laser", special_rules=["double_lasers"]).play().damage(B=4, C=4)


def test_in_every_direction_it_passes_a_robot():
    """Card; here to the north."""
    scene("""
        +    +
          C>
        +    +
          B>
        +    +
          A^
        +    +
    """, A="high_power_laser").play().damage(B=1, C=1)  # fmt: skip


# -- Rear-Firing Laser


def test_rear_firing_laser_fires_backwards_too():
    """Card: a second laser that fires backwards; R64: unasked."""
    result = scene(BACK, A="rear_firing_laser").play().damage(B=1, C=1).asked()
    assert shots(result) == ["AC"]
    assert [event["robot"] for event in result.happened("rear_laser")] == [1]


def test_the_rear_laser_alone_hits():
    """Card: under the rules of the main laser, whoever stands ahead."""
    scene(FAR.replace("A>", "A<"), A="rear_firing_laser").play().damage(B=1)


def test_a_wall_stops_the_rear_laser():
    """Card: under the rules of the main laser."""
    scene(BACK.replace("B^   .  ", "B^ | .  "), A="rear_firing_laser").play().damage(C=1)


def test_the_rear_laser_hits_the_nearest_robot():
    """Card: under the rules of the main laser."""
    scene("B^  C^  A>", A="rear_firing_laser").play().damage(C=1)


@pytest.mark.parametrize("option", ["double_barreled_laser", "high_power_laser"])
def test_what_the_main_laser_has_the_rear_laser_has_not(option):
    """Cards: the main laser fires 2 shots; the main laser may pass."""
    scene("C^  B^  A>  .", A=f"rear_firing_laser {option}").play().damage(B=1)


def test_the_rear_laser_is_doubled_by_the_course():
    """Set to Kill: all robot laser fire, options too."""
    scene(BACK, A="rear_firing_laser", special_rules=["double_lasers"]).play().damage(B=2, C=2)


@pytest.mark.parametrize(
    "option", ["fire_control", "mini_howitzer", "pressor_beam", "radio_control", "scrambler", "tractor_beam"]
)
def test_the_rear_laser_cannot_be_replaced(option):
    """R64."""
    scene(FAR.replace("A>", "A<"), A=f"rear_firing_laser {option}").play(B=["u_turn"] * 5, to=1).damage(B=1).asked()


def test_a_powered_down_robot_does_not_fire_backwards():
    """R60."""
    scene(BACK, A={"options": ["rear_firing_laser"], "powered_down": True}).play().damage()


def test_a_robot_between_two_others_hits_both_as_they_hit_it():
    """R34: all fire together."""
    scene(BACK.replace("B^", "B>").replace("C^", "C<"), A="rear_firing_laser").play().damage(A=2, B=1, C=1)
