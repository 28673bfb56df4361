"""Playing a scenario: fills the record, plays steps, and answers questions from the file.

This module has the parts that all editions share; a subclass for each edition sets the record up, plays it and writes
the outcome.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from typing import TYPE_CHECKING, Any

import numpy as np

from roborally_env.base.errors import ScenarioError, cut, listed
from roborally_env.base.registry import cache_until_registered
from roborally_env.core import log
from roborally_env.core.chance import key_of
from roborally_env.core.editions import game_dtype
from roborally_env.core.rule_options import game_of, rule_bits
from roborally_env.core.state import ASK_ALL, LOG_ROWS, NOBODY, NOWHERE
from roborally_env.scenario import stepping

if TYPE_CHECKING:
    from roborally_env.scenario.load import Scenario


class Layout:
    """A record's dtype, and data for fast access to its fields."""

    def __init__(self, dtype: np.dtype) -> None:
        self.dtype = dtype
        self.plain = np.dtype((np.void, dtype))  # the same fields; access to those of a np.record is far slower
        self.arrays = tuple(name for name in dtype.names or () if dtype[name].shape)


@cache_until_registered()
def layout_of(kind: str) -> Layout:
    """The layout of a kind of record."""
    return Layout(game_dtype(kind))


class GameView:
    """The record of the only game of an array, with its fields as attributes."""

    def __init__(self, games: np.ndarray, layout: Layout) -> None:
        self.__dict__.update({name: games[name][0] for name in layout.arrays}, _record=games.view(layout.plain)[0])

    def __getattr__(self, name: str) -> Any:
        return self.__dict__["_record"][name]

    def __setattr__(self, name: str, value: Any) -> None:
        self.__dict__["_record"][name] = value


class Runner(ABC):
    """One scenario while it is played."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        layout = layout_of(game_of(scenario.edition, scenario.rules))
        self.games = np.zeros(1, layout.dtype)
        self.kept = np.zeros(1, layout.dtype)
        self.game = GameView(self.games, layout)
        self.log_rows = np.zeros((LOG_ROWS, log.EVENT), np.int16)
        self.events: list[dict[str, Any]] = []
        self.decisions: list[dict[str, Any]] = []
        self.answers: dict[tuple[int, str], deque[tuple[int, Any]]] = {}
        for i, entry in enumerate(scenario.answers):
            self.answers.setdefault((entry["robot"], entry["decision"]), deque()).append((i, entry["choice"]))
        self.last_register = 1
        self._set_up()

    # -- methods of each edition

    @abstractmethod
    def set_robot(self, r: int, robot: dict[str, Any]) -> None:
        """Set a robot's place, cards and all else that belongs to it."""

    @abstractmethod
    def set_table(self) -> None:
        """Set all that belongs to no robot, after the robots."""

    @abstractmethod
    def play_registers(self, first: int, last: int) -> None:
        """Play registers `first` to `last`; earlier ones count as carried out."""

    @abstractmethod
    def play_rounds(self, rounds: int) -> None:
        """Play whole rounds from programming on."""

    @abstractmethod
    def robot_outcome(self, r: int) -> dict[str, Any]:
        """The robot's part of the outcome."""

    def shop_outcome(self) -> list[str]:
        """The upgrades for sale."""
        return []

    # -- methods of all editions

    def _set_up(self) -> None:
        game, scenario = self.game, self.scenario
        game.players = len(scenario.robots)
        game.rules = rule_bits(scenario.edition, scenario.rules)
        game.seed = np.uint64(scenario.seed)
        stepping.clear_game(self.games)
        game.log_at = self.log_rows.ctypes.data  # the record stays in this object, as long as the rows do
        game.asking = ASK_ALL
        game.key = key_of(np.uint64(scenario.seed), np.uint64(0))
        game.draws = 0
        game.checkpoint[:] = scenario.tables["checkpoint"][0]
        game.cell[:] = game.start[:] = NOWHERE
        for r, robot in enumerate(scenario.robots):
            self.set_robot(r, robot)
        if scenario.play["order"] is not None:
            game.order[: game.players] = scenario.play["order"]
            game.fixed_order = 1
        self.set_table()

    def next_answer(self, robot: int, decision: str) -> tuple[Any, str] | None:
        """The file's next choice for a robot, and its place; None if there is none left."""
        given = self.answers.get((robot, decision))
        if not given:
            return None
        i, choice = given.popleft()
        return choice, f"answers[{i}].choice"

    def decide(self, robot: int, decision: str, choice: Any) -> None:
        """Record a decision for the outcome."""
        self.decisions.append({"robot": robot, "decision": decision, "choice": choice})

    def check_answers_used(self) -> None:
        """Raise for answers that were never asked for."""
        for (robot, decision), left in self.answers.items():
            if left:
                i, choice = left[0]
                asked = dict.fromkeys(each["decision"] for each in self.decisions if each["robot"] == robot)
                raise ScenarioError(
                    f"answers[{i}]: {decision} {cut(repr(choice))} was never asked of robot {robot}; it was asked "
                    f"{listed(asked, 100) or 'nothing'}"
                )

    def drain_log(self) -> None:
        """Take the events out of the record."""
        game = self.game
        for row in self.log_rows[: game.logged].tolist():
            self.events.append(log.event_dict(row))
        game.logged = 0

    def outcome(self) -> dict[str, Any]:
        """The outcome object."""
        game = self.game
        result: dict[str, Any] = {
            "round": int(game.round_number),
            "register": self.last_register,
            "winner": int(game.winner) if game.winner != NOBODY else None,
            "robots": [self.robot_outcome(r) for r in range(game.players)],
            "decisions": self.decisions,
            "events": self.events,
        }
        if "rounds" in self.scenario.play:
            result["shop"] = self.shop_outcome()
        return result
