"""Are the random scenarios of the community edition worth playing?"""

import pytest

from tests.reference.board import CLOCKWISE, neighbour
from tests.reference.counters import count_events

from .board import Board
from .counters import CountingRace
from .generate import scenario
from .upgrades import ROUTINES

SEEDS = range(2000)

AT_LEAST = {
    "admin_privilege asked": 15,
    "admin_privilege used": 5,
    "begins virtual": 230,
    "belt conflict": 95,
    "belt down a ledge": 20,
    "belt move": 515,
    "belt turn": 120,
    "board laser hit": 300,
    "boink asked": 120,
    "boink used": 35,
    "brakes asked": 20,
    "brakes used": 5,
    "button": 105,
    "buy_upgrade asked": 145,
    "buy_upgrade used": 90,
    "cache_memory asked": 20,
    "card dealt into a locked register": 80,
    "chain of pushes": 35,
    "checkpoint carried": 745,
    "checkpoint not carried": 1535,
    "checkpoint pushed": 175,
    "checkpoint reached": 210,
    "crab_legs asked": 20,
    "crab_legs used": 10,
    "deflector_shield asked": 185,
    "deflector_shield used": 80,
    "destroyed by damage": 160,
    "destroyed in a step": 385,
    "destroyed otherwise": 430,
    "destroyed with locked registers": 160,
    "fall down a ledge": 170,
    "fall of two levels": 15,
    "gear": 90,
    "hack asked": 100,
    "hack used": 35,
    "locked cards kept": 135,
    "manual_sort asked": 25,
    "manual_sort used": 10,
    "memory_swap asked": 20,
    "memory_swap used": 10,
    "mini_howitzer asked": 15,
    "mini_howitzer used": 10,
    "move 1 in a puddle": 20,
    "power down in round two": 20,
    "power_down asked": 1195,
    "power_down used": 245,
    "powered down": 35,
    "pressor_beam asked": 10,
    "program asked": 770,
    "program used": 770,
    "puddle": 130,
    "push": 340,
    "pushed down a ledge": 10,
    "panel push": 165,
    "radiation": 30,
    "rail_gun asked": 10,
    "rail_gun used": 5,
    "re-entry": 265,
    "re-entry without damage": 10,
    "re-entry, virtual": 110,
    "real again": 200,
    "rear_laser asked": 20,
    "rear_laser used": 10,
    "reboot asked": 230,
    "reboot used": 20,
    "reboot_facing asked": 265,
    "reboot_facing used": 265,
    "recharge asked": 75,
    "recharge used": 20,
    "recompile asked": 10,
    "recompile used": 5,
    "refresh asked": 40,
    "refresh used": 15,
    "repaired": 45,
    "rider of a ramp switched off": 10,
    "robot laser hit": 705,
    "sandbox_routine asked": 35,
    "sandbox_routine used": 35,
    "shot above level 0": 50,
    "side_arms asked": 5,
    "slide": 145,
    "slide blocked": 215,
    "step blocked": 2255,
    "step blocked by heights or robots": 870,
    "step on a ramp": 75,
    "stomped": 125,
    "stomped robot acts later": 70,
    "teleporter asked": 55,
    "teleporter used": 20,
    "trapdoor": 40,
    "virtual step": 130,
    "weapon moves a robot": 10,
    "weasel_routine asked": 35,
    "weasel_routine used": 35,
    "whole round": 285,
    "winner": 145,
    "zoop asked": 160,
    "zoop used": 40,
}


def check_invariants(race):
    """Real robots have their cells to themselves, nobody stands on a pit, no card is lost."""
    standing = [robot for robot in race.robots if robot.cell is not None]
    real = [robot.cell for robot in standing if not robot.virtual]
    assert len(set(real)) == len(real)
    assert not any(race.board.is_deadly(robot.cell) for robot in standing)
    for robot in standing:
        shares = any(other.cell == robot.cell for other in standing if other is not robot)
        assert shares or not robot.virtual
    for robot in race.robots:
        assert 0 <= robot.damage <= 10
        cards = [*robot.hand, *robot.draw_pile, *robot.unknown, *robot.discard]
        cards += [card for card in robot.registers.values() if card]
        cards += [card for drawn in robot.drawn_upon.values() for card in drawn]
        assert len([card for card in cards if card not in ROUTINES.values()]) == 20


@pytest.mark.slow
def test_random_scenarios_hold_what_is_worth_comparing():
    seen = count_events(CountingRace, map(scenario, SEEDS), check_invariants)
    rare = {event: seen[event] for event, least in AT_LEAST.items() if seen[event] < least}
    assert not rare
    assert seen["needs chance"] < len(SEEDS) // 10


def test_most_ramps_lead_up_to_a_ledge():
    fitting = ramps = 0
    for seed in range(500):
        board = Board(scenario(seed)["map"])
        for cell, ramp in board.ramps.items():
            ramps += 1
            top = neighbour(cell, ramp["up"])
            fitting += board.has(top) and board.level_of(top) == ramp["level"] + 1
            assert ramp["up"] in CLOCKWISE
    assert fitting > 0.75 * ramps > 300
