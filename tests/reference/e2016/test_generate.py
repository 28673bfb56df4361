"""Are the random scenarios of 2016 worth playing?"""

from collections import Counter

import pytest

from tests.reference.counters import count_events

from .cards import DAMAGE_BOX, SPECIAL_CARDS
from .counters import CountingRace
from .generate import scenario
from .upgrades import COST, ROUTINES, respects_limits

AT_LEAST = {
    "reboot": 2000,
    "robot rebooted twice": 100,
    "chain of reboots": 50,
    "push": 1000,
    "chain of pushes": 150,
    "step blocked": 500,
    "token occupied": 200,
    "start space occupied": 50,
    "push off the token blocked, then clockwise": 20,
    "loop of reboots stopped": 20,
    "belt move": 2000,
    "belt conflict": 200,
    "belt merge of two": 30,
    "belt swap": 20,
    "belt train": 100,
    "belt turn": 200,
    "fall by belt": 200,
    "several falls by belt": 20,
    "panel push": 200,
    "board laser hit": 500,
    "two-ended laser, one robot": 50,
    "two-ended laser, two robots": 25,
    "damage pile exhausted": 200,
    "all damage piles exhausted": 20,
    "spam played": 500,
    "worm played": 100,
    "virus played": 100,
    "trojan_horse played": 100,
    "again": 500,
    "again after again": 30,
    "again after damage": 100,
    "again drawn for damage": 20,
    "again in register one": 100,
    "discard pile turned over": 5,
    "checkpoint carried": 200,
    "checkpoint reset": 20,
    "checkpoint reached": 300,
    "winner": 100,
}


# What shows that an upgrade took effect, where that is not its use by an answer.
EFFECT = {
    "deflector_shield": "deflector_shield stops a shot",
    "double_barrel_laser": "double_barrel_laser",
    "firewall": "firewall",
    "hover_unit": "hover_unit",
    "memory_stick": "memory_stick",
    "ramming_gear": "ramming_gear",
    "scrambler": "scrambler",
    "trojan_needler": "trojan_needler, shot",
    "virus_module": "virus_module",
    **{upgrade: f"{upgrade} bought" for upgrade in ROUTINES},
}

UPGRADES_TOGETHER_AT_LEAST = {
    "blue_screen_of_death, push": 40,
    "blue_screen_of_death, shot": 40,
    "boink pushes": 40,
    "bought permanent": 200,
    "bought temporary": 200,
    "cache_memory after programming": 20,
    "corruption_wave, push": 10,
    "corruption_wave, shot": 50,
    "energy_routine carried out": 100,
    "firewall, second reboot": 20,
    "four SPAM and more by one shot": 5,
    "hack of a move": 50,
    "hover_unit, fall at the end": 20,
    "hover_unit, pushed over a pit": 3,
    "mini_howitzer pushes": 30,
    "rail_gun and rear_laser": 5,
    "rail_gun hits several": 20,
    "refresh of a damage card": 20,
    "repeat_routine played": 100,
    "replace_upgrade": 50,
    "routine repeated": 20,
    "sandbox_routine carried out": 100,
    "scrambler draws the SPAM of the wave": 10,
    "several robots have one upgrade": 100,
    "shop filled": 5,
    "spam folded": 50,
    "speed_routine carried out": 100,
    "teleporter swap": 20,
    "trojan_needler, push": 50,
    "turn order changed": 100,
    "weapon makes a robot fall": 10,
    "weapon moves a robot": 100,
    "weasel_routine carried out": 100,
    "worm and needler, push": 10,
    "worm and needler, shot": 10,
}


def check_invariants(game):
    """No two robots share a cell, none stands on a pit or the antenna, and no card is lost."""
    cells = [robot.cell for robot in game.robots if robot.cell is not None]
    assert len(set(cells)) == len(cells)
    if "needs chance" not in game.seen:  # which may leave a robot in the air
        assert len(cells) == len(game.robots)
        assert not any(game.board.is_deadly(cell) or cell == game.board.antenna for cell in cells)
    held = Counter(game.box)
    for robot in game.robots:
        assert respects_limits(robot.upgrades)
        assert len(set(robot.upgrades)) == len(robot.upgrades)
        assert robot.energy >= 0
        upon = [card for cards in robot.drawn_upon.values() for card in cards]
        cards = Counter(robot.all_named_cards() + robot.unknown + upon)
        held += cards
        assert sum(count for card, count in cards.items() if card not in (*DAMAGE_BOX, *SPECIAL_CARDS)) == 20
    if "needs chance" not in game.seen:
        assert [held[kind] for kind in ("spam", "worm", "virus", "trojan_horse")] == [38, 6, 18, 12]


@pytest.mark.slow
def test_random_scenarios_hold_what_is_worth_comparing():
    seen = count_events(CountingRace, map(scenario, range(3000)), check_invariants)
    assert seen["needs chance"] < 90
    wanted = AT_LEAST | UPGRADES_TOGETHER_AT_LEAST | {EFFECT.get(name, f"{name} used"): 20 for name in COST}
    rare = {event: seen[event] for event, least in wanted.items() if seen[event] < least}
    assert not rare


def test_a_game_with_or_without_upgrades_can_be_asked_for():
    for seed in range(100):
        assert scenario(seed, upgrades=False)["rules"]["upgrades"] is False
        assert scenario(seed, upgrades=True)["rules"].get("upgrades", True)
