"""Playing a scenario by the rules of its edition."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from roborally_env.base.errors import ScenarioError
from roborally_env.scenario.runner import Runner
from roborally_env.scenario.runner2005 import Runner2005
from roborally_env.scenario.runner2016 import Runner2016
from roborally_env.scenario.runner2023 import Runner2023
from roborally_env.scenario.runner_community import RunnerCommunity

if TYPE_CHECKING:
    from roborally_env.scenario.load import Scenario

RUNNERS: dict[str, Callable[[Scenario], Runner]] = {}  # by edition


def add_runner(edition: str, runner: Callable[[Scenario], Runner]) -> None:
    """Register the runner that plays the scenarios of an edition."""
    if RUNNERS.setdefault(edition, runner) is not runner:
        raise ScenarioError(f"scenarios of the edition {edition!r} have a runner already")


for _edition, _runner in (
    ("2005", Runner2005), ("2016", Runner2016), ("2023", Runner2023), ("community", RunnerCommunity),
):  # fmt: skip
    add_runner(_edition, _runner)


def run(scenario: Scenario) -> dict[str, Any]:
    """The outcome object of a scenario."""
    runner = RUNNERS[scenario.edition](scenario)
    if "rounds" in scenario.play:
        runner.play_rounds(scenario.play["rounds"])
    else:
        runner.play_registers(scenario.play["from"], scenario.play["to"])
    runner.check_answers_used()
    return runner.outcome()
