"""Playing scenarios of the 2023 edition."""

from __future__ import annotations

from typing import Any

from roborally_env.core import upgrades
from roborally_env.core.choices import KINDS_2023
from roborally_env.core.choices import NAMES as DECISION_NAMES
from roborally_env.scenario.runner2016 import Runner2016, names_of_bits

ACTS = tuple(DECISION_NAMES[kind] for kind in KINDS_2023)  # decisions of the upgrade phase that may come in any order


class Runner2023(Runner2016):
    """The 2016 race with the upgrade phase of 2023."""

    # -- setting up

    def cards_elsewhere(self) -> set[int]:
        """Upgrades in collections, on the known top of the deck and in its discard pile."""
        robots, piles = self.scenario.robots, self.scenario.piles
        return {card for cards in (*(robot["collection"] for robot in robots), *piles.values()) for card in cards}

    def set_table(self) -> None:
        """Set collections and piles, and all that the 2016 edition sets."""
        super().set_table()
        game, tops = self.game, self.scenario.piles["upgrade_deck"]
        for r, robot in enumerate(self.scenario.robots):
            game.collection[r] = upgrades.bits(*robot["collection"])
        left = int(game.upgrades_left)
        game.upgrade_deck[left : left + len(tops)] = tops[::-1]
        game.upgrades_left = left + len(tops)
        game.upgrade_tops = len(tops)
        game.upgrade_discard = upgrades.bits(*self.scenario.piles["upgrade_discard"])

    # -- playing

    def next_answer(self, robot: int, decision: str) -> tuple[Any, str] | None:
        """The next choice for a robot. Its acts in upgrade phases come in the order of the file.

        A question is declined if another act comes before its own next act in the file; it is asked again after that
        act.
        """
        if decision not in ACTS:
            return super().next_answer(robot, decision)
        acts = [i for kind in ACTS for i, choice in self.answers.get((robot, kind), ()) if choice != "no"]
        first = min(acts, default=None)
        own = self.answers.get((robot, decision))
        if not own or (first is not None and own[0][0] > first):
            return None
        taken = super().next_answer(robot, decision)
        if taken is not None and taken[0] != "no":
            self._forget_refusals(robot, first)
        return taken

    def _forget_refusals(self, robot: int, before: int | None) -> None:
        """Drop the file's refusals that come before an act which is done now."""
        for kind in ACTS:
            queue = self.answers.get((robot, kind))
            while queue and before is not None and queue[0][0] < before:
                queue.popleft()

    # -- the outcome

    def robot_outcome(self, r: int) -> dict[str, Any]:
        """The robot's part of the outcome; after rounds with its collection."""
        robot = super().robot_outcome(r)
        if "rounds" in self.scenario.play:
            robot["collection"] = names_of_bits(int(self.game.collection[r]))
        return robot

    def outcome(self) -> dict[str, Any]:
        """The outcome object; after rounds with the upgrade discard pile."""
        found = super().outcome()
        if "rounds" in self.scenario.play:
            found["upgrade_discard"] = names_of_bits(int(self.game.upgrade_discard))
        return found
