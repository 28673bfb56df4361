"""Circuit Breaker: the card text, and R65. A plays u-turns in the first turn; the second shows whether it is down."""

import pytest

from .scene import dealt, scene

SPINS = ["u_turn:10", "u_turn:20", "u_turn:30", "u_turn:40", "u_turn:50"]
ALONE = ".  A^  ."
SITE = ".  A^+r1  ."


def breaker(damage, board=ALONE, answers=(), rounds=2, **options):
    """Two turns of a robot with Circuit Breaker and so much damage."""
    mat = {"options": ["circuit_breaker"], "damage": damage, **options.pop("mat", {})}
    return scene(board, A=mat, **options).play_rounds(rounds, A=SPINS, answers=answers)


@pytest.mark.parametrize("damage", [3, 4])
def test_with_three_tokens_the_next_turn_begins_powered_down(damage):
    """Card: 3 or more; rulebook p. 5: it discards all damage and gets no cards."""
    result = breaker(damage).damage(A=0)
    assert len(result.happened("powered_down", "A")) == 1
    assert dealt(result, "A") == 0
    result.asks("power_down", "A no")


@pytest.mark.parametrize("damage", [0, 1, 2])
def test_with_fewer_it_does_nothing(damage):
    """Card: 3 or more."""
    assert not breaker(damage).happened("powered_down", "A")


@pytest.mark.parametrize(("damage", "down"), [(3, False), (4, True)])
def test_it_looks_after_repairs(damage, down):
    """R65: at the end of the turn, when the repair site has done its work."""
    result = breaker(damage, SITE)
    assert bool(result.happened("powered_down", "A")) == down


def test_damage_of_the_fifth_register_counts():
    """Card: at the end of the turn; B shoots once, in register 5."""
    result = scene("A^  .  B>", A={"options": ["circuit_breaker"], "damage": 2}).play_rounds(
        2, A=SPINS, B=["turn_left", "turn_right", "turn_left", "turn_right", "u_turn"]
    )
    assert len(result.happened("powered_down", "A")) == 1


def test_a_power_down_that_was_announced_is_one():
    """Card: begins the next turn powered down, as it would."""
    result = breaker(3, answers=("A power_down yes",))
    assert len(result.happened("powered_down", "A")) == 1


DOWN = "A^  .  Bv"


def test_a_robot_that_is_down_with_three_new_tokens_stays_down_without_a_question():
    """Card: begins the next turn powered down; B shoots in registers 1, 3 and 5."""
    ready = scene(DOWN, A={"options": ["circuit_breaker"], "powered_down": True})
    shoots = ["turn_right", "turn_left", "turn_right", "u_turn", "u_turn"]
    ready.play_rounds(B=shoots).damage(A=3).never_asked("stay_down")
    assert len(ready.play_rounds(2, B=shoots).happened("powered_down", "A")) == 1


def test_with_two_new_tokens_the_player_is_asked():
    """Rulebook p. 5: may leave it powered down; B shoots in registers 1 and 3."""
    ready = scene(DOWN, A={"options": ["circuit_breaker"], "powered_down": True})
    result = ready.play_rounds(B=["turn_right", "turn_left", "turn_right", "u_turn", "turn_left"])
    result.damage(A=2).asks("stay_down", "A no")


def test_tokens_on_the_coat_do_not_count():
    """Card: on the program sheet."""
    mat = {"options": ["circuit_breaker", "ablative_coat"], "powered_down": True}
    result = scene(DOWN, A=mat).play_rounds(B=["turn_right", "turn_left", "turn_right", "u_turn", "u_turn"])
    result.damage(A=0).asks("stay_down", "A no")


def test_a_destroyed_robot_is_not_powered_down_by_it():
    """Card: tokens at the end of the turn; it comes back with two (R61)."""
    mat = {"options": ["circuit_breaker", "brakes"], "damage": 4}
    result = scene(ALONE, A=mat).play_rounds(2, A=["move_1", *SPINS[1:]], answers=("A option_lost brakes",))
    assert not result.happened("powered_down", "A")
    result.asks("reenter_powered_down", "A no")


def test_where_nobody_can_power_down_it_does_nothing():
    """Factory Rejects: robots do not have the ability to power down."""
    result = breaker(3, special_rules=["no_power_down"])
    assert not result.happened("powered_down", "A")
