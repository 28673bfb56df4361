"""The profile of compiled code: which kernels are set apart, and how samples become shares."""

import importlib
import subprocess
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
# two samples as `perf script` prints them, innermost frame first; the second is in Python
SAMPLES = """
\t    7f01 jit:belt_step
\t    7f02 jit:play_step
\t    7f03 jit:drive
\t    5601 _PyEval_EvalFrameDefault

\t    5602 _PyEval_EvalFrameDefault

"""


@pytest.fixture
def profile(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script as a module."""
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    return importlib.import_module("profile_core")


def test_samples_count_for_all_who_called(profile: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: subprocess.CompletedProcess([], 0, SAMPLES, ""))
    monkeypatch.setattr(profile, "map_file", lambda: tmp_path / "map")
    (tmp_path / "map").write_text("")
    own, inclusive, total = profile.shares(tmp_path / "data")
    assert (total, dict(own)) == (2, {"belt_step": 1, "Python and NumPy": 1})
    assert dict(inclusive) == {"belt_step": 1, "play_step": 1, "drive": 1, "Python and NumPy": 1}
    assert not (tmp_path / "map").exists()


def test_the_kernels_of_each_edition_are_found(profile: ModuleType) -> None:
    """By the rules of the game that is profiled."""
    names = {}
    for game in profile.GAMES:
        fields = frozenset(profile.game_dtype(game).names or ())
        names[game] = {kernel.py_func.__name__ for kernel in profile.reached(profile.driver.drive, fields)}
    assert {"belt_step", "take_turn", "write_masks", "copy_row"} <= names["lighter"]
    assert "buy_upgrade" in names["complete"] - names["lighter"] - names["2005"]
    assert {"view_point", "locked"} <= names["2005"] - names["complete"]


def test_words_that_do_not_fit_are_one_line(profile: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(profile.shutil, "which", lambda _: None)
    monkeypatch.setattr("sys.argv", ["profile_core.py", "--edition", "lighter"])
    with pytest.raises(SystemExit, match=r"^profile_core: perf"):
        profile.main()
