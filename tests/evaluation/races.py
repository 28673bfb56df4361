"""Races that are recorded, and files of them, for the tests of replays."""

import json
from pathlib import Path
from typing import Any

from roborally_env.batch import BatchRace
from roborally_env.replay import Replay, load, record, save

# a course of one's own
YARD = """
title = "Yard"
players = [2, 4]
antenna = { x = 0, y = 1, facing = "E" }
checkpoints = [{ number = 1, x = 5, y = 0 }]
reboots = [{ x = 3, y = 1, facing = "N" }]
[[boards]]
drawing = \"\"\"
+    +    +    +    +    +    +
  d    d    >    .    .    e
+    +    +    +    +    +    +
  .    d    d    .    O    cw
+    +    +    +    +    +    +
\"\"\"
"""


def uniform(batch: BatchRace) -> Any:
    """Random legal actions."""
    programs, choices = batch.sample(3)
    return programs.copy(), choices.copy() if batch.asks_choices else None


def recorded(**options: Any) -> tuple[BatchRace, Replay]:
    """A finished race of random legal actions, and its replay."""
    usual = {"players": 4, "observation": "none", "auto_reset": False, "max_rounds": 12, "seed": 4, "first_game": 9}
    batch = BatchRace(1, **{**usual, **options})
    return batch, record(batch, 4, uniform)


def reloaded(replay: Replay, folder: Path) -> Replay:
    """The replay as its file gives it back, which is the same."""
    save(replay, folder / "race.json")
    again = load(folder / "race.json")
    assert again == replay
    return again


def data_of(replay: Replay, folder: Path) -> Any:
    """What stands in the file of a replay."""
    save(replay, folder / "race.json")
    return json.loads((folder / "race.json").read_text())


def file_of(data: Any, folder: Path) -> Path:
    """A file of a replay that holds this."""
    (folder / "changed.json").write_text(json.dumps(data))
    return folder / "changed.json"
