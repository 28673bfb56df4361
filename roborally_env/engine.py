"""An agent of the package behind the protocol of docs/protocol.md: other programs ask it, a line of JSON each."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import IO, Any

import numpy as np

from roborally_env.agents import Info, check_editions, make_agent
from roborally_env.agents.asking import VERSION
from roborally_env.base.documents import JSON, parse_json, shown
from roborally_env.base.errors import RoboRallyError
from roborally_env.base.terminal import LOG
from roborally_env.base.types import JsonObject
from roborally_env.batch import BatchRace
from roborally_env.core.choices import BUY_UPGRADE, NAMES, OPTION_NAMES
from roborally_env.scenario.reader import Scenario
from roborally_env.scenario.runner import Runner
from roborally_env.scenario.values import a_list, named

_MOST_COURSES = 64  # whose batches are kept
_UPGRADES = {name: number for number, name in enumerate(OPTION_NAMES[BUY_UPGRADE]) if name}
_IN_SCENARIOS = ("edition", "rules", "robots", "shop", "option_deck", "upgrade_discard")


class Engine:
    """Answers questions by an agent.

    A position is set up as a scenario file sets it up: what the seat does not see is drawn by the row's `random`, from
    which the same answers follow each time. Programs and purchases of 2016 are the agent's; every other question gets
    its default.

    Args:
        spec: the agent.

    Raises:
        AgentError: for a wrong spec.
    """

    def __init__(self, spec: str) -> None:
        self.agent = make_agent(spec)
        self._maps: dict[str, Mapping[str, Any]] = {}
        self._batches: dict[str, BatchRace] = {}

    def answer(self, line: str | bytes) -> str:
        """The line that answers a line. A row that cannot be played gets its default, and is logged."""
        try:
            ask = parse_json(line, JSON)
            if not isinstance(ask, dict) or ask.get("roborally") != VERSION:
                version = ask.get("roborally") if isinstance(ask, dict) else ask
                raise RoboRallyError(f"roborally: expected version {VERSION} of the protocol, got {shown(version)}")
            rows, courses = ask.get("rows"), ask.get("courses", {})
            if not isinstance(rows, list) or not isinstance(courses, dict):
                raise RoboRallyError("expected rows, a list, and courses, an object")
        except RoboRallyError as error:
            return json.dumps({"error": str(error)})
        maps = {name: course.get("map", {}) for name, course in courses.items() if isinstance(course, dict)}
        if any(self._maps.get(name, new) != new for name, new in maps.items()):
            self._batches.clear()  # some are of the map that a course had before
        self._maps |= maps
        return json.dumps({"id": ask.get("id"), "answers": [self._answer(row) for row in rows]})

    def _answer(self, row: Any) -> Any:
        if not isinstance(row, dict):
            return 0
        try:
            return self._program(row) if row.get("decision") == "program" else self._choice(row)
        except RoboRallyError as error:
            LOG.warning("%s; the default is answered", error)
        return [0] * 5 if row.get("decision") == "program" else row.get("default", 0)

    def _program(self, row: Mapping[str, Any]) -> Any:
        """The program of a row, and whether a power down is announced with it."""
        runner = self._runner(row, {"rounds": 1})
        runner.play_to_programs()
        batch, info = self._batch(runner, row)
        if not batch.programming[0]:
            raise RoboRallyError("this position needs no programs")
        seen = batch.vectors[info.games, info.seats] if self.agent.needs_observation else None
        masks = batch.observations["masks"][info.games, info.seats]
        program = np.asarray(self.agent.act(seen, masks, info))[0].tolist()
        if row.get("may_power_down") and batch.announces and hasattr(self.agent, "announce"):
            return {"program": program, "power_down": bool(np.asarray(self.agent.announce(seen, info))[0])}
        return program

    def _choice(self, row: Mapping[str, Any]) -> Any:
        """The option of a row: that of the agent where the question can be reached in the position."""
        default, names = row.get("default", 0), row.get("options")
        if row.get("decision") != NAMES[BUY_UPGRADE] or not hasattr(self.agent, "choose"):
            return default
        numbers = [named(name, "options", _UPGRADES, "an option's") for name in a_list(names, "options", "names")]
        runner = self._runner(row, {"rounds": 1, "start": "upgrade"})
        if not runner.play_to_question(row.get("seat", 0), BUY_UPGRADE):
            return default
        shop = runner.scenario.table["shop"]
        runner.game.shop[:] = [*shop, *[0] * (len(runner.game.shop) - len(shop))]  # as it is now, not filled up
        runner.game.ask_options = np.uint64(sum(1 << number for number in numbers))
        batch, info = self._batch(runner, row)
        seen = batch.vectors[info.games, info.seats] if self.agent.needs_observation else None
        masks = batch.observations["choice_masks"][info.games, info.seats]
        chosen = int(np.asarray(self.agent.choose(seen, masks, info))[0]) - 1
        return numbers.index(chosen) if chosen in numbers else default

    def _runner(self, row: Mapping[str, Any], play: JsonObject) -> Runner:
        """The row's position, set up."""
        position = row.get("position")
        if not isinstance(position, dict):
            raise RoboRallyError(f"position: expected an object, got {shown(position)}")
        name = str(position.get("course"))
        where = {"map": self._maps[name]} if name in self._maps else {"course": name}
        data = {key: value for key, value in position.items() if key in _IN_SCENARIOS}
        seed = row.get("random", 0)
        check_editions([self.agent], str(position.get("edition")))
        return Runner(Scenario({**data, **where, "play": play, "seed": seed}))

    def _batch(self, runner: Runner, row: Mapping[str, Any]) -> tuple[BatchRace, Info]:
        """A batch with the runner's record in its only game, and the seat that is asked."""
        scenario, seat = runner.scenario, row.get("seat")
        if type(seat) is not int or not 0 <= seat < len(scenario.robots):
            raise RoboRallyError(f"seat: expected 0 to {len(scenario.robots) - 1}, got {shown(seat)}")
        key = json.dumps([row["position"].get("course"), scenario.edition, scenario.rules, len(scenario.robots)])
        if key not in self._batches:
            if len(self._batches) >= _MOST_COURSES:
                self._batches.clear()
            self._batches[key] = BatchRace(
                1,
                scenario.course,
                players=len(scenario.robots) // scenario.course.robots_each,
                edition=scenario.edition,
                rules=scenario.rules,
                auto_reset=False,
            )
        batch = self._batches[key]
        batch.take_record(runner.games)
        return batch, Info(batch, np.zeros(1, np.int64), np.array([seat], np.int64))


def serve(engine: Engine, lines: IO[bytes], answers: IO[str]) -> None:
    """Answer each line until there are no more. What is left of one that is too long is skipped."""
    skipping = False
    for line in iter(lambda: lines.readline(JSON.size + 1), b""):
        if line.strip() and not skipping:
            answers.write(f"{engine.answer(line)}\n")
            answers.flush()
        skipping = not line.endswith(b"\n")
