"""Set to Kill: 2005 course manual p. 22."""

import pytest

from .scene import Scene, scene

AHEAD = "A>  .  B^  ."
BOTH_WAYS = "B^  .  A>  C^"


def deadly(picture: str, **options) -> Scene:
    """A scene in which robot laser fire is doubled."""
    return scene(picture, special_rules=["double_lasers"], **options)


def test_all_robot_laser_fire_is_doubled():
    """p. 22."""
    deadly(AHEAD).play().damage(B=2)


def test_robots_that_shoot_at_each_other_both_take_two():
    """p. 22: all robot laser fire."""
    deadly("A>  .  B<").play().damage(A=2, B=2)


@pytest.mark.parametrize("laser", ["L>", "LL>"])
def test_board_lasers_are_not_doubled(laser):
    """p. 22: robot laser fire."""
    deadly(f"{laser}  B^  .").play().damage(B=len(laser) - 1)


def test_the_rear_firing_laser_fires_two_shots():
    """p. 22: two shots instead of one, beside the two of the main laser."""
    deadly(BOTH_WAYS, A="rear_firing_laser").play().damage(B=2, C=2)


def test_the_double_barreled_laser_fires_four():
    """p. 22: that would increase to four."""
    deadly(AHEAD, A="double_barreled_laser").play().damage(B=4)


def test_two_barrels_are_not_of_the_rear_laser():
    """p. 22: four ahead, two behind."""
    deadly(BOTH_WAYS, A="double_barreled_laser rear_firing_laser").play().damage(B=2, C=4)


def test_a_robot_that_is_shot_through_takes_double_fire_too():
    """p. 22: including lasers added with Option cards; High-Power Laser: it takes full damage too."""
    deadly("A>  B^  C^", A="high_power_laser").play().damage(B=2, C=2)


@pytest.mark.parametrize(
    ("option", "place"), [("pressor_beam", "3 0"), ("tractor_beam", "1 0"), ("radio_control", "2 0")]
)
def test_options_in_place_of_the_laser_do_no_damage(option, place):
    """p. 22: they still don't deal any damage; R64: they stand for the whole main laser and are not doubled."""
    deadly(AHEAD, A=option).play(answers=(f"A {option} yes",)).damage().at(B=place).asked(f"A {option} yes")


def test_scrambler_in_place_of_the_laser_does_no_damage():
    """p. 22, as the others: they still don't deal any damage."""
    result = deadly(AHEAD, A="scrambler").play(to=1, B=[None, "turn_left:70"], answers=("A scrambler yes",))
    result.damage().asked("A scrambler yes")


def test_mini_howitzer_is_not_doubled():
    """R64: courses that double laser fire do not double it: one damage, one space."""
    deadly("A>  .  B^  .  .", A="mini_howitzer").play(answers=("A mini_howitzer yes",)).damage(B=1).at(B="3 0")


def test_a_declined_weapon_leaves_both_shots():
    """p. 22: robot laser fire is doubled."""
    deadly(AHEAD, A="pressor_beam").play(answers=("A pressor_beam no",)).damage(B=2)


@pytest.mark.parametrize(
    ("answers", "damage"),
    [(("register_2", "register_3"), 0), (("no", "register_3"), 1), (("register_2", "no"), 1), (("no", "no"), 2)],
)
def test_fire_control_takes_each_shot_for_itself(answers, damage):
    """p. 22: two shots; Fire Control: instead of doing damage, of a hit; R66."""
    answered = tuple(f"A fire_control {answer}" for answer in answers)
    result = deadly(AHEAD, A="fire_control").play(answers=answered)
    result.damage(B=damage).asked(*answered)
    locked = sorted(event["register"] for event in result.happened("locked", "B"))
    assert locked == sorted(int(answer[-1]) for answer in answers if answer != "no")


def test_an_option_stops_one_token_of_the_two():
    """p. 10: to avoid receiving a Damage token; asked for each of them, R61."""
    answers = ("B option_for_damage no", "B option_for_damage brakes")
    deadly(AHEAD, B="brakes").play(answers=answers).damage(B=1).options(B="").asked(*answers)


@pytest.mark.parametrize("damage", [8, 9])
def test_the_tenth_token_destroys(damage):
    """p. 10: the first or the second of the two."""
    deadly(AHEAD, B={"damage": damage}).play().destroyed("B").lives(B=2)
