"""Scenarios of the community edition: 2016 cards and upgrades, damage that locks registers, levels, virtual mode."""

from __future__ import annotations

import dataclasses
from typing import Any

from roborally_env.base.documents import shown
from roborally_env.base.errors import ScenarioError
from roborally_env.core import cards
from roborally_env.core.choices import DAMAGE_KIND, POWER_DOWN
from roborally_env.core.choices import NAMES as DECISION_NAMES
from roborally_env.core.editions.community import damage, programming
from roborally_env.core.editions.e2016 import steps
from roborally_env.core.kernel import kernel
from roborally_env.core.rule_options import RULE_RACE_ON
from roborally_env.core.state import REGISTERS, Kind
from roborally_env.core.steps import OVER
from roborally_env.courses.tables import WIDTH
from roborally_env.editions.e2016 import scenario as e2016
from roborally_env.scenario import common
from roborally_env.scenario.common import decisions_of, read_locked
from roborally_env.scenario.keys import Check, Key, Phases, number, put_bit, read_flag, show_bit, show_locked
from roborally_env.scenario.reader import Scenario
from roborally_env.scenario.runner import Runner, is_programmed
from roborally_env.scenario.values import MISSING, integer

MAX_DAMAGE = 9  # with ten it is destroyed
UNLOCKED_DAMAGE = 4  # each further token locks a register, from the last one down
NOT_HERE = ("spam_folder", *cards.DAMAGE_NAMES)  # cards of 2016
CARD_NUMBERS = {name: card for card, name in enumerate(cards.ALL_NAMES) if name not in ("none", *NOT_HERE)}


# -- reading


def read_damage_locks(scenario: Scenario, given: Any, where: str) -> int:
    """The locked registers as bits; those that the damage locks, an empty list counts as not given."""
    bits, tokens = read_locked(scenario, given, where), scenario.value("damage")
    count = max(0, tokens - UNLOCKED_DAMAGE)
    locked = sum(1 << k for k in range(REGISTERS - count, REGISTERS))
    if bits and bits != locked:
        expected = [k + 1 for k in range(REGISTERS) if locked >> k & 1]
        raise ScenarioError(f"{where}: expected {expected}, which {tokens} damage locks, got {shown(given)}")
    return locked


def read_level(scenario: Scenario, given: Any, where: str) -> int:
    """The level of the cell; that of a ramp is the level of its foot."""
    x, y = scenario.value("x"), scenario.value("y")
    level = int(scenario.tables["level"][0, y * WIDTH + x])
    if given is not MISSING and integer(given, where, 0, 3) != level:
        raise ScenarioError(f"{where}: expected {level}, the level of ({x}, {y}), got {given}")
    return level


def read_card(scenario: Scenario, given: Any, where: str) -> int:
    """A card by its name."""
    if given in NOT_HERE:
        raise ScenarioError(f"{where}: expected a card of edition {scenario.edition}, which has no {given}")
    return e2016.read_card(scenario, given, where, CARD_NUMBERS)


def check_places(scenario: Scenario) -> None:
    """Raise if two robots that are not virtual share a cell, or a virtual one does not share its cell."""
    real: dict[tuple[int, int], int] = {}
    cells = [(robot["x"], robot["y"]) for robot in scenario.robots]
    for i, robot in enumerate(scenario.robots):
        if robot["virtual"] and cells.count(cells[i]) == 1:
            raise ScenarioError(f"robots[{i}].virtual: expected false, as no other robot is on its cell, got true")
        if not robot["virtual"] and (j := real.setdefault(cells[i], i)) != i:
            raise ScenarioError(
                f"robots[{i}]: expected a cell of its own, or virtual mode, got the cell of robots[{j}]"
            )


def decisions(scenario: Scenario) -> dict[str, Check]:
    """Those of 2016 that are not about damage cards, and the power down."""
    found = e2016.decisions(scenario)
    del found[DECISION_NAMES[DAMAGE_KIND]]
    return found | {"program": common.check_program} | decisions_of([POWER_DOWN], {})


# -- setting up


def put_down(runner: Runner, r: int, down: bool) -> None:
    """Power a robot down, in an upgrade phase from the beginning of the round on."""
    if runner.scenario.play["start"]:
        runner.game.announced |= down << r
    else:
        runner.game.down |= down << r


def set_table(runner: Runner) -> None:
    """Also set the ramps. Without an antenna the list of robots stands for priority, of destroyed robots too."""
    if not runner.game.fixed_order and runner.tables["antenna"][0] < 0:
        runner.fix_order(range(runner.game.players))
    e2016.set_table(runner)
    runner.game.ramps = runner.tables["ramps_on"][0]


@kernel
def deal_hand(games, r):
    """Robot r gets a card in each locked register that is empty, then its hand."""
    damage.deal_hand(games[0], r)


@kernel
def submit_program(games, r, wish, slots, opened):
    """Robot r programs hand slots `wish` [1, 5]; `slots` [1, 5] receives the program; `opened` the timer's bits."""
    programming.submit_program(games[0], r, wish, 0, opened, slots)


def phases(kind: Kind) -> Phases:
    """The steps of a round of 2016, with upgrades and without."""
    return e2016.phases(kind)._replace(prepare=steps.PREPARE_HANDS, programmed=steps.STORE_HANDS)


# -- the outcome


def is_destroyed(runner: Runner, r: int) -> bool:
    """Whether the robot was destroyed in the round that was played last."""
    return (not runner.on_board(r) and not runner.game.place[r]) or runner.happened("lost", r)


def is_active(runner: Runner, r: int) -> bool:
    """Whether the robot takes part in the round that was played last."""
    return runner.on_board(r) and not is_destroyed(runner, r) and not runner.is_down(r)


def show_down(runner: Runner, r: int) -> bool:
    """Whether the robot is powered down; after whole rounds in the next one."""
    has_ended = "rounds" in runner.scenario.play and runner.game.step != OVER
    return bool((runner.game.announced if has_ended else runner.game.down) >> r & 1)


def show_place(runner: Runner, r: int) -> Any:
    """The place in the race that goes on after its first winner."""
    return (int(runner.game.place[r]) or None) if runner.game.rules & RULE_RACE_ON else MISSING


SCENARIO = dataclasses.replace(
    e2016.SCENARIO,
    robot={
        **e2016.SCENARIO.robot,
        "damage": number("damage", 0, MAX_DAMAGE, 0),
        "locked": Key(read_damage_locks, seen=show_locked),
        "rebooted": Key(show=is_destroyed),
        "destroyed": Key(show=is_destroyed),
        "active": Key(show=is_active),
        "level": Key(read_level, None, common.on_board(lambda runner, r, cell: int(runner.tables["level"][0, cell]))),
        "virtual": Key(read_flag, put_bit("virtual"), lambda runner, r: bool(runner.game.virtual >> r & 1)),
        "powered_down": Key(read_flag, put_down, show_down, seen=show_bit("down")),
        "place": Key(show=show_place),
    },
    checks=(check_places, e2016.check_cards),
    decisions=decisions,
    read_card=read_card,
    phases=phases,
    is_programmed=is_programmed,
    deal=deal_hand,
    submit=common.submit_by(submit_program),
    set_table=set_table,
)
