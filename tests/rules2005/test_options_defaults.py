"""What the default policy does with each option, as `core.options.TABLE` says it.

A scenario declines where it can; here every question that is not answered takes the default instead.
"""

import pytest

from roborally_env.cards.listing import list_cards
from roborally_env.scenario import runner
from tests.rules.slowly import core_decides

from .scene import dealt, scene

FACTS = {card.name: card for card in list_cards("2005", "option")}
SPINS = ["u_turn:10", "u_turn:20", "u_turn:30", "u_turn:40", "u_turn:50"]
HAND = [*SPINS, "move_1:490", "move_1:500", "move_2:670", "back_up:430"]
LANE = ".    .    A>   .    ."
BRINK = ".    A>   O"
FAR = "A>   .    B^   ."


@pytest.fixture(autouse=True)
def _takes_defaults(monkeypatch):
    monkeypatch.setattr(runner, "can_decline", lambda kind, options: False)


@core_decides("the reference has no default policy")
def test_abort_switch_is_thrown_where_the_card_leads_over_the_edge_or_into_a_pit():
    """As the robot stands: a Move 2 into the pit beside it; a wall before it saves, and a turn is no danger."""
    ready = scene(BRINK, A="abort_switch", draw=["u_turn:10"])
    ready.play(A="move_2").asks("abort_switch", "A yes").destroyed("")
    ready.play(A="u_turn:20").asks("abort_switch", "A no")
    scene(BRINK.replace("A>  ", "A> |"), A="abort_switch").play(A="move_2").asks("abort_switch", "A no")
    scene(LANE, A="abort_switch", draw=["u_turn:10"]).play(A="move_3").asks("abort_switch", "A yes")


@core_decides("the reference has no default policy")
def test_brakes_are_used_before_the_edge_and_pits():
    scene(BRINK, A="brakes").play(A="move_1").asks("brakes", "A yes")
    scene(LANE, A="brakes").play(A="move_1").asks("brakes", "A no")


def test_nothing_is_laid_on_conditional_program():
    mat = {"options": ["conditional_program"], "hand": HAND}
    scene(LANE, A=mat).play_rounds().asks("conditional_program", "A no")


@core_decides("the reference has no default policy")
def test_fire_control_destroys_the_dearest_option():
    result = scene(FAR, A="fire_control", B="brakes mechanical_arm flywheel").play()
    result.asks("fire_control", "A mechanical_arm").options(B="brakes flywheel")
    scene(FAR, A="fire_control").play().asks("fire_control", "A no").damage(B=1)


def test_the_farthest_move_goes_on_the_flywheel_and_into_a_small_hand():
    mat = {"options": ["flywheel"], "hand": [*HAND[:7], "move_2:670", "move_2:680"]}
    result = scene(LANE, A=mat).play_rounds(2, answers=("A program " + " ".join(SPINS),))
    assert result.asked_about("flywheel")[:2] == ["A move_2:680", "A no"]  # with a hand of nine it is not taken
    mat = {"options": ["flywheel"], "hand": [*SPINS, "move_1:490", "move_1:500", "back_up:430"], "damage": 1}
    result = scene(LANE, A=mat).play_rounds(answers=("A program " + " ".join(SPINS),))
    result.asks("flywheel", "A no")
    mat["hand"][-1] = "move_3:790"
    result = scene(LANE, A=mat).play_rounds(2, answers=("A program " + " ".join(SPINS),))
    assert result.asked_about("flywheel")[:2] == ["A move_3:790", "A yes"]


@pytest.mark.parametrize(("option", "card"), [("fourth_gear", "move_3"), ("reverse_gear", "back_up")])
def test_gears_are_not_used(option, card):
    assert FACTS[option].default == "never used"
    scene(LANE, A=option).play(A=card).asks(option, "A no")


def test_the_gyroscope_is_left_off():
    assert FACTS["gyroscopic_stabilizer"].default == "never used"
    scene(LANE, A="gyroscopic_stabilizer").play().asked("A gyroscopic_stabilizer no")


@pytest.mark.parametrize("option", ["pressor_beam", "radio_control", "scrambler", "tractor_beam"])
def test_beams_and_control_are_not_used(option):
    assert FACTS[option].default == "never used"
    scene(FAR.replace("B^   .", "B^   O"), A=option).play(B=["u_turn", "u_turn"], to=1).asks(option, "A no")
    scene(FAR.replace("A>   .", "A>   O"), A=option).play(B=["u_turn", "u_turn"], to=1).asks(option, "A no")


@core_decides("the reference has no default policy")
def test_the_howitzer_is_always_used():
    assert FACTS["mini_howitzer"].default == "always used"
    scene(FAR, A="mini_howitzer").play().asks("mini_howitzer", "A yes")


def test_recompile_is_not_used():
    assert FACTS["recompile"].default == "never used"
    result = scene(LANE, A={"options": ["recompile"], "hand": HAND}).play_rounds()
    result.asks("recompile", "A no")
    assert dealt(result, "A") == 0


@core_decides("the reference has no default policy")
def test_with_both_options_a_move_1_and_a_turn_are_crab_legs():
    scene(LANE, A="crab_legs dual_processor").play(A="move_1+turn_left").asks("crab_legs", "A yes")


@core_decides("the reference has no default policy")
@pytest.mark.parametrize("damage", [6, 7, 8])
def test_from_the_eighth_token_on_the_cheapest_option_is_given(damage):
    """`option_for_damage`: the value of each option is in the table; none at fewer than seven tokens."""
    registers = ["u_turn"] * 5
    mat = {"options": ["mechanical_arm", "brakes"], "damage": damage, "registers": registers}
    result = scene(FAR, B=mat).play(B=registers, to=1)
    result.asks("option_for_damage", "B brakes" if damage >= 7 else "B no")


def test_the_cheapest_option_is_lost():
    """`option_lost`."""
    scene(LANE, A="mechanical_arm brakes").play(A="move_3").asks("option_lost", "A brakes")


def test_every_option_that_is_asked_for_has_its_choices_and_the_others_none():
    """Those that act on their own are never asked for."""
    silent = {name for name, card in FACTS.items() if card.decision is None}
    assert silent == {name for name, card in FACTS.items() if not card.choices}
    assert silent == {
        "ablative_coat", "circuit_breaker", "double_barreled_laser", "extra_memory", "high_power_laser",
        "mechanical_arm", "power_down_shield", "ramming_gear", "rear_firing_laser", "superior_archive",
    }  # fmt: skip
