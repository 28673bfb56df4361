"""Every library that is installed: its own check passes, all actions of a policy that it trains are legal.

`make test-all` trains for a minute, or for less where less is enough (`enough`): the policy beats `random` then."""

import importlib
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from roborally_env import RoboRallyError
from tests.learning.nets import load_script
from tests.sizes import SLOW, size

libraries: Any = load_script("libraries")
sys.modules["libraries"] = libraries  # as the scripts beside it import it
checks: Any = load_script("check_libraries")


@pytest.mark.parametrize("library", libraries.LIBRARIES, ids=lambda library: library.name)
def test_an_env_for_a_library(library: Any) -> None:
    if not library.version:
        pytest.skip(f"{library.name} is not installed")
    if library.example:
        sys.modules[library.example] = load_script(library.example)
    learns = SLOW and bool(library.learner)
    row = checks.check(library, library.enough if learns else 1, size(40, 200))
    if learns and not row.beats_random:  # on a busy machine fewer decisions fit into the same time
        row = checks.check(library, 4 * library.enough, 200)
    assert row.repairs == 0
    assert row.decisions_per_second > 0
    assert row.beats_random or not learns, row


def test_rows_of_other_libraries_stay(tmp_path: Path) -> None:
    file = tmp_path / "rows.json"
    rows = [checks.Row(name, "1", 2, "", "PPO", 0, 60, 100, 100, 2.0, 0.1) for name in ("A", "B")]
    checks.write(rows, file)
    rows[1].place = 1.5
    checks.write(rows[1:], file)
    assert {name: row["place"] for name, row in json.loads(file.read_text()).items()} == {"A": 2.0, "B": 1.5}


@pytest.mark.parametrize(("place", "races", "beats"), [(2.0, 100, True), (2.45, 100, False), (0.0, 0, False)])
def test_what_beats_random(place: float, races: int, beats: bool) -> None:
    assert checks.Row("A", "1", 2, "", "PPO", 0, 60, 100, races, place, 0.1).beats_random is beats


@pytest.mark.parametrize(
    ("module", "extra", "missing"),
    [
        ("torchrl", "torchrl", "torchrl"),
        ("tianshou", "tianshou", "tianshou"),
        ("supersuit", "supersuit", "stable_baselines3"),
    ],
)
def test_a_library_that_is_missing_is_told_by_its_extra(
    module: str, extra: str, missing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    for name in list(sys.modules):
        if name.startswith((f"{missing}.", f"roborally_env.envs.{module}")):
            monkeypatch.delitem(sys.modules, name)
    with pytest.raises(RoboRallyError, match=rf"{missing.replace('_', '-')}.*roborally_env\[{extra}\]"):
        importlib.import_module(f"roborally_env.envs.{module}")
