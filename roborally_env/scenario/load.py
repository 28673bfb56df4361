"""Reading a scenario: from a file, from text, from an object."""

from __future__ import annotations

from pathlib import Path

from roborally_env.base.checks import check_path
from roborally_env.base.documents import LINE, parse_json, read_text, shown
from roborally_env.base.errors import RoboRallyError, ScenarioError
from roborally_env.base.types import JsonObject
from roborally_env.scenario.reader import Scenario


def load(source: str | Path | JsonObject) -> Scenario:
    """A scenario from a JSON file's path or from the object itself.

    Raises ScenarioError with the file, the key and what was expected there.
    """
    if isinstance(source, dict):
        return Scenario(source)
    path = Path(check_path(source, "source", ScenarioError))
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
