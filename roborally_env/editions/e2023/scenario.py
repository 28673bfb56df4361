"""Scenarios of the 2023 edition: the 2016 race with collections, and an upgrade deck with a discard pile."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

from roborally_env.base.errors import ScenarioError
from roborally_env.core import upgrades
from roborally_env.core.choices import BUY_UPGRADE, KINDS_2023
from roborally_env.core.choices import NAMES as DECISION_NAMES
from roborally_env.core.mechanics.energy import MOST_ENERGY_2023
from roborally_env.editions.e2016 import scenario as e2016
from roborally_env.scenario.common import decisions_of
from roborally_env.scenario.keys import Check, Key, Show, number
from roborally_env.scenario.reader import Scenario
from roborally_env.scenario.runner import Runner

ACTS = tuple(DECISION_NAMES[kind] for kind in KINDS_2023)  # decisions of the upgrade phase that may come in any order


def _end_of_track(scenario: Scenario) -> int:
    return MOST_ENERGY_2023 if scenario.rules["most_energy"] == MOST_ENERGY_2023 else e2016.MAX_ENERGY


def decisions(scenario: Scenario) -> dict[str, Check]:
    """Those of 2016, with installing in place of buying."""
    found = e2016.decisions(scenario)
    found.pop(DECISION_NAMES[BUY_UPGRADE], None)
    return found | decisions_of(KINDS_2023, {})


def show_set(field: str) -> Show:
    """A function that shows a set of upgrades; of a robot, or the table's."""

    def show(runner: Runner, r: int) -> list[str]:
        bits = getattr(runner.game, field)
        return e2016.upgrade_names(upgrades.numbers_in(int(bits if r < 0 else bits[r])))

    return show


def read_pile(scenario: Scenario, given: Any, name: str) -> list[int]:
    """The cards known on top of the deck, the top one first, or the discard pile.

    There is one copy of each card, but as in 2016 several robots may have the same card installed.
    """
    pile = e2016.read_upgrades(scenario, given, name)
    lies: dict[int, str] = {}
    for where, card in _places(scenario, name, pile):
        if card in lies and not (where.endswith(".upgrades") and lies[card].endswith(".upgrades")):
            raise ScenarioError(
                f"{where}: expected a card that lies nowhere else, got {upgrades.ALL_NAMES[card]!r}, which is in "
                f"{lies[card]} too"
            )
        lies[card] = where
    return pile


def _places(scenario: Scenario, name: str, pile: list[int]) -> Iterator[tuple[str, int]]:
    """Each upgrade that was named, with the place where it lies."""
    for i, robot in enumerate(scenario.robots):
        for part in ("upgrades", "collection"):
            yield from ((f"robots[{i}].{part}", card) for card in robot[part])
    for where, cards in (*scenario.found.items(), (name, pile)):
        yield from ((where, card) for card in cards)


def may_answer(runner: Runner, robot: int, decision: str) -> bool:
    """A robot's acts in upgrade phases come in the order of the file.

    A question is declined if another act comes before its own next act in the file; it is asked again after that act.
    """
    if decision not in ACTS:
        return True
    queues = [runner.answers[robot, kind] for kind in ACTS if (robot, kind) in runner.answers]
    first = min((i for queue in queues for i, choice in queue if choice != "no"), default=None)
    number, choice = runner.answers[robot, decision][0]
    if first is not None and number > first:
        return False
    if choice != "no":  # the file's refusals before this act are over
        for queue in queues:
            while queue and first is not None and queue[0][0] < first:
                queue.popleft()
    return True


def put_deck(runner: Runner, r: int, tops: list[int]) -> None:
    """Put the known cards on top of the upgrade deck."""
    game = runner.game
    left = int(game.upgrades_left)
    game.upgrade_deck[left : left + len(tops)] = tops[::-1]
    game.upgrades_left = left + len(tops)
    game.upgrade_tops = len(tops)


SCENARIO = dataclasses.replace(
    e2016.SCENARIO,
    robot={
        **e2016.SCENARIO.robot,
        "energy": number("energy", 0, _end_of_track, lambda scenario: int(scenario.rules["start_energy"])),
        "collection": Key(
            e2016.read_upgrades,
            lambda runner, r, value: runner.game.collection.__setitem__(r, upgrades.bits(*value)),
            show_set("collection"),
            after_rounds=True,
        ),
    },
    table={
        "upgrade_deck": Key(read_pile, put_deck),
        "upgrade_discard": Key(
            read_pile,
            lambda runner, r, pile: setattr(runner.game, "upgrade_discard", upgrades.bits(*pile)),
            show_set("upgrade_discard"),
            after_rounds=True,
        ),
    },
    decisions=decisions,
    may_answer=may_answer,
)
