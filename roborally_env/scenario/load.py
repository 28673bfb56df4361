"""Reading a scenario: from a file, from text, from an object."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from roborally_env.documents import LINE, parse_json, read_text
from roborally_env.errors import RoboRallyError, ScenarioError
from roborally_env.scenario import community, e2005, e2016, e2023
from roborally_env.scenario.keys import SCENARIOS, EditionScenario
from roborally_env.scenario.reader import Scenario
from roborally_env.scenario.values import shown


def add_scenario(edition: str, form: EditionScenario) -> None:
    """Register how the scenarios of an edition are read and played."""
    if SCENARIOS.setdefault(edition, form) is not form:
        raise ScenarioError(f"the edition {edition!r} has a table of scenario keys already")


for _edition, _form in (
    ("2005", e2005.SCENARIO), ("2016", e2016.SCENARIO), ("2023", e2023.SCENARIO), ("community", community.SCENARIO),
):  # fmt: skip
    add_scenario(_edition, _form)


def load(source: str | Path | dict[str, Any]) -> Scenario:
    """A scenario from a JSON file's path or from the object itself.

    Raises ScenarioError with the file, the key and what was expected there.
    """
    if isinstance(source, dict):
        return Scenario(source)
    path = Path(source)
    try:
        found = read_text(path, LINE.size)
    except RoboRallyError as error:
        raise ScenarioError(f"{path}: {error}; expected a scenario file (JSON)") from None
    try:
        return parse(found, str(path))
    except RoboRallyError as error:
        raise ScenarioError(f"{path}: {error}") from None


def parse(source: str | bytes, path: str = "") -> Scenario:
    """A scenario from JSON, as text or as bytes in UTF-8; `path` is the file that it came from."""
    try:
        data = parse_json(source, LINE)
    except RoboRallyError as error:
        raise ScenarioError(f"{error}; expected one scenario object") from None
    if not isinstance(data, dict):
        raise ScenarioError(f"expected one scenario object, got {shown(data)}")
    return Scenario(data, path)
