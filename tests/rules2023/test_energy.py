"""Energy: 2023 rulebook, The upgrade phase, and the facts of its box; R85."""

import pytest

from tests.rules.scene import scene

from .phase import SOLO, phase


def test_robots_begin_with_three():
    phase().has("energy", A=3)


def test_five_can_be_had_as_in_2016():
    """R85 switch: start_energy."""
    phase(rules={"start_energy": 5}).has("energy", A=5)


@pytest.mark.parametrize(("had", "gets"), [(3, 4), (9, 10), (10, 10)])
def test_a_power_up_gains_one_up_to_the_end_of_the_track(had, gets):
    """ "accumulate it on your Energy Track": it ends at ten; energy above it is discarded."""
    result = scene(SOLO, edition="2023", A={"energy": had}).play(A="power_up")
    result.has("energy", A=gets)
    assert [event["cubes"] for event in result.happened("energy")] == [gets - had]


@pytest.mark.parametrize(("had", "gets"), [(7, 10), (8, 10), (10, 10)])
def test_recharge_gains_three_at_most_up_to_ten(had, gets):
    result = scene(SOLO, edition="2023", A={"energy": had, "upgrades": ["recharge"]}).play(
        A="u_turn", answers=("A recharge yes",)
    )
    result.has("energy", A=gets)


def test_the_energy_routine_ends_at_ten_too():
    scene(SOLO, edition="2023", A={"energy": 10}).play(A="energy_routine").has("energy", A=10)


@pytest.mark.parametrize(("had", "gets"), [(3, 4), (10, 10)])
def test_a_cube_is_taken_also_where_it_is_lost(had, gets):
    """R85, R36: the space is empty afterwards, so in register two nothing is gained, in five one from the bank."""
    robots = scene(SOLO, edition="2023", energy=[{"x": 0, "y": 0}], A={"energy": had})
    result = robots.play(A=["u_turn", "u_turn"])
    result.has("energy", A=gets)
    assert [event["cubes"] for event in result.happened("energy")] == [gets - had]


def test_a_track_without_an_end():
    """R85 switch: most_energy."""
    scene(SOLO, {"most_energy": "unlimited"}, edition="2023", A={"energy": 12}).play(A="power_up").has("energy", A=13)


def test_2016_has_no_track():
    """The bank is unlimited there (R36)."""
    scene(SOLO, A={"energy": 10}).play(A="power_up").has("energy", A=11)


def test_what_is_spent_makes_room():
    mat = {"energy": 10, "collection": ["crab_legs"]}
    phase("A install_upgrade crab_legs", "A draw_upgrade yes", A=mat).has("energy", A=4)
