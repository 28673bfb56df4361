"""Are the random scenarios of 2005 worth playing?"""

import pytest

from tests.reference.counters import count_events
from tests.reference.errors import NeedsChance

from .cards import OPTIONS, cards_in
from .counters import CountingRace
from .generate import scenario
from .race import play

SEEDS = range(3000)

AT_LEAST = {
    "chain of pushes": 150,
    "push": 1000,
    "step blocked": 300,
    "destroyed by a fall": 500,
    "destroyed by damage": 200,
    "belt move": 1500,
    "belt conflict": 150,
    "belt turn": 150,
    "fall by belt": 100,
    "panel push": 300,
    "gear": 100,
    "board laser hit": 300,
    "robot laser hit": 1000,
    "several hits by one laser": 20,
    "ramming_gear": 30,
    "ablative_coat": 50,
    "power_down_shield": 15,
    "option taken for damage": 100,
    "programmed from the deck": 30,
    "abort_switch, later register": 30,
    "scrambled": 10,
    "radio control": 40,
    "controlled robot plays": 30,
    "weapon moves a robot": 30,
    "two cards in a register": 100,
    "two cards without their option": 5,
    "register locked by fire_control": 20,
    "option destroyed by fire_control": 10,
    "flag touched": 300,
    "archive moved": 500,
    "mechanical_arm reaches out": 50,
    "flag carried": 100,
    "flag back": 10,
    "superbot passed on": 15,
    "claim": 50,
    "re-entry": 200,
    "re-entry beside": 20,
    "re-entry with a facing forbidden": 5,
    "repaired": 50,
    "option drawn": 5,
    "winner": 100,
    "whole turn": 500,
    "second turn": 200,
    **{f"{name} asked": 10 for name in ("abort_switch", "brakes", "conditional_program", "crab_legs", "fire_control")},
    **{f"{name} asked": 10 for name in ("flywheel", "fourth_gear", "gyroscopic_stabilizer", "mini_howitzer")},
    **{f"{name} asked": 10 for name in ("pressor_beam", "radio_control", "recompile", "reverse_gear", "scrambler")},
    **{f"{name} asked": 10 for name in ("tractor_beam", "power_down", "stay_down", "reenter_powered_down")},
    **{f"{name} asked": 10 for name in ("option_lost", "reentry_cell", "reboot_facing")},
}


def check_invariants(race):
    """No two robots share a cell, none stands on a pit, and no card is lost."""
    standing = [robot.cell for robot in race.robots if robot.cell is not None]
    assert len(set(standing)) == len(standing)
    assert not any(race.board.is_deadly(cell) for cell in standing)
    assert all((robot.cell is None) == robot.is_destroyed for robot in race.robots)
    assert all(0 <= robot.damage <= 10 and robot.lives >= 0 for robot in race.robots)
    cards = race.draw_pile + race.unknown + race.discard
    for robot in race.robots:
        cards += [card for register in robot.registers.values() for card in cards_in(register)] + robot.hand
        cards += [card for card in (robot.conditional_card, robot.flywheel_card) if card is not None]
    assert len(cards) == len(set(cards)) == 84
    options = [name for robot in race.robots for name in robot.options] + race.option_deck + race.option_discards
    options += race.known_options
    assert sorted(options) == OPTIONS


@pytest.mark.slow
def test_random_scenarios_hold_what_is_worth_comparing():
    seen = count_events(CountingRace, map(scenario, SEEDS), check_invariants)
    assert not seen["needs chance"]
    rare = {event: seen[event] for event, least in AT_LEAST.items() if seen[event] < least}
    assert not rare


@pytest.mark.slow
def test_nothing_is_left_to_chance():
    for seed in range(500):
        try:
            play(scenario(seed))
        except NeedsChance:
            pytest.fail(f"seed {seed}")
