"""Reading a scenario: from a file, from text, from an object."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from roborally_env.base.documents import LINE, parse_json, read_text
from roborally_env.base.errors import RoboRallyError, ScenarioError
from roborally_env.core.rule_options import check_edition
from roborally_env.courses import Course
from roborally_env.scenario.reader import PILE_KEYS, Reader
from roborally_env.scenario.reader2005 import Reader2005
from roborally_env.scenario.reader2016 import Reader2016
from roborally_env.scenario.reader2023 import Reader2023
from roborally_env.scenario.reader_community import ReaderCommunity
from roborally_env.scenario.values import LONGEST, known_keys, short, shown, text

TOP_KEYS = (
    "name", "edition", "rules", "map", "course", "robots", "answers", "play", "shop", *PILE_KEYS, "seed", "expect",
)  # fmt: skip
READERS: dict[str, type[Reader]] = {}  # by edition


def add_reader(edition: str, reader: type[Reader]) -> None:
    """Register the reader that checks the scenarios of an edition."""
    if READERS.setdefault(edition, reader) is not reader:
        raise ScenarioError(f"scenarios of the edition {edition!r} have a reader already")


for _edition, _reader in (
    ("2005", Reader2005), ("2016", Reader2016), ("2023", Reader2023), ("community", ReaderCommunity),
):  # fmt: skip
    add_reader(_edition, _reader)


class Scenario:
    """One checked scenario. `run()` plays it and returns the outcome object."""

    def __init__(self, data: dict[str, Any], source: str = "") -> None:
        self.data = data
        self.source = source
        with short(LONGEST - len(source)):
            self._read(data)

    def _read(self, data: dict[str, Any]) -> None:
        known_keys(data, TOP_KEYS, "")
        self.name: str = text(data.get("name", ""), "name")
        if "edition" not in data:
            raise ScenarioError('edition: missing; expected an edition\'s name such as "2016"')
        self.edition: str = check_edition(text(data["edition"], "edition"))
        if self.edition not in READERS:
            raise ScenarioError(
                f"edition: scenarios of {self.edition!r} cannot be read; expected one of {', '.join(READERS)}"
            )
        reader = READERS[self.edition](data, self.edition)
        self.rules: dict[str, Any] = reader.rules
        self.course: Course = reader.course
        self.tables: np.ndarray = reader.tables
        self.robots: list[dict[str, Any]] = reader.robots
        self.answers: list[dict[str, Any]] = reader.answers
        self.play: dict[str, Any] = reader.play
        self.shop: list[int] = reader.shop
        self.piles: dict[str, list[int]] = reader.piles
        self.seed: int = reader.seed
        self.expect: dict[str, Any] | None = data.get("expect")

    def run(self) -> dict[str, Any]:
        """Play the scenario and return its outcome object; raises ScenarioError for an unusable answer."""
        from roborally_env.scenario.run import run

        with short(LONGEST - len(self.source)):
            return run(self)


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
