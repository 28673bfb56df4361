"""What all trainings share: the folder of a run, its tables, the progress line, the bounds of options."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from roborally_env import RoboRallyError
from tests.later import imported_later

with imported_later("torch"):
    from roborally_env.training.folder import Folder
    from roborally_env.training.options import check_bounds, option
    from roborally_env.training.progress import ProgressLine, fitting, hours_and_minutes


def make(path: Path) -> Folder:
    """A folder with two tables."""
    folder = Folder(path, {"a.csv": ("n", "x"), "b.csv": ("n",)}, "steps")
    folder.make()
    return folder


def test_tables_are_cut_back_to_the_checkpoint(tmp_path: Path) -> None:
    folder = make(tmp_path / "run")
    folder.append("a.csv", {"n": 1, "x": 0.125, "more": 3})
    folder.save({"options": {}})
    folder.append("a.csv", {"n": 2})
    with (folder.path / "a.csv").open("a") as file:
        file.write("3,0.")  # a row of which only a part was written
    folder.append("b.csv", {"n": 2})
    again = make(folder.path)
    state = again.read()
    assert state is not None
    again.begin(state)
    assert (folder.path / "a.csv").read_text() == "n,x\n1,0.125\n"
    assert not (folder.path / "b.csv").exists()
    again.append("a.csv", {"n": 2})
    assert (folder.path / "a.csv").read_text().splitlines() == ["n,x", "1,0.125", "2,"]


def test_a_table_of_an_earlier_version_keeps_its_columns(tmp_path: Path) -> None:
    folder = make(tmp_path)
    (tmp_path / "a.csv").write_text("x,n\n0.5,1\n")
    folder.append("a.csv", {"n": 2, "x": 0.25, "later": 3})
    assert (tmp_path / "a.csv").read_text().splitlines() == ["x,n", "0.5,1", "0.25,2"]


def test_a_table_that_is_made_anew_is_whole(tmp_path: Path) -> None:
    folder = make(tmp_path)
    for rows in ([{"n": 1, "x": 1 / 3}, {"n": 2, "x": None}], [{"n": 3, "x": 0.5}]):
        folder.write("c.csv", ("n", "x"), rows)
    assert (tmp_path / "c.csv").read_text().splitlines() == ["n,x", "3,0.5"]
    with pytest.raises(ValueError, match="fields"):
        folder.write("c.csv", ("n",), [{"n": 4, "m": 5}])
    assert (tmp_path / "c.csv").read_text().splitlines() == ["n,x", "3,0.5"]


def test_without_a_checkpoint_tables_begin_anew(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = make(tmp_path)
    folder.begin(folder.read())
    assert capsys.readouterr().out == ""  # a new folder
    folder.append("b.csv", {"n": 1})
    folder.begin(folder.read())
    assert not (tmp_path / "b.csv").exists()
    assert f"{tmp_path} has no checkpoint: the run begins anew, its earlier b.csv removed" in capsys.readouterr().out


def test_a_checkpoint_is_whole_or_the_last_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = make(tmp_path)
    folder.save({"options": {"seed": 1}})

    def full(_: int) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(RoboRallyError, match=r"checkpoint\.pt.*written"):
        folder.save({"options": {"seed": 2}})
    assert [path.name for path in tmp_path.iterdir()] == ["checkpoint.pt"]
    state = folder.read()
    assert state is not None
    assert state["options"] == {"seed": 1}


@pytest.mark.parametrize("columns", [40, 80, 200])
def test_the_line_fits_in_eighty_columns(
    columns: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    line = ProgressLine()
    parts = ["1,234,567 of 100,000,000 decisions", "123,456/s", "env 12% policy 33% update 55%", "ahead of x 50%"]
    line.show(*parts)
    line.say("done")
    shown, done = capsys.readouterr().out.split("\n")[:2]
    assert shown.startswith("\r" + parts[0][:39])
    assert len(shown) - 1 == min(columns, 80) - 1
    assert (parts[2] in shown) == (columns >= 80)
    assert done == "done"


def test_without_a_terminal_the_last_line_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    line = ProgressLine()
    for number in range(5):
        line.show(f"{number} decisions")
    line.close()
    assert capsys.readouterr().out == "0 decisions\n4 decisions\n"


def test_the_words_of_the_line() -> None:
    assert fitting(("a" * 100,)) == "a" * 79
    assert fitting(("a", "b")) == "a, b"
    expected = {-3: "0 min", 89: "1 min", 3600: "1 h 00 min", 7500: "2 h 05 min"}
    assert {seconds: hours_and_minutes(seconds) for seconds in expected} == expected


@dataclass
class Some:
    """Options with bounds of every kind."""

    whole: int = option(3, "", least=1)
    share: float = option(0.5, "", least=0, most=1)
    rate: float = option(0.1, "", least=0, open_ends=True)
    inside: float = option(0.5, "", least=0, most=1, open_ends=True)
    word: str = option("alpha", "", choices=("alpha", "beta"))
    words: list[str] = option(["x"], "")
    any_words: list[str] = option([], "", may_be_empty=True)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"whole": 0}, "--whole: expected at least 1, got 0"),
        ({"share": 1.5}, "--share: expected 0 to 1, got 1.5"),
        ({"share": float("nan")}, "--share: expected 0 to 1, got nan"),
        ({"rate": 0.0}, "--rate: expected over 0, got 0.0"),
        ({"inside": 1.0}, "--inside: expected over 0 and under 1, got 1.0"),
        ({"word": "alfa"}, "--word: expected one of alpha, beta, got 'alfa' (did you mean alpha?)"),
        ({"words": []}, "--words: expected at least one"),
    ],
)
def test_values_out_of_bounds_are_refused(given: dict[str, Any], message: str) -> None:
    check_bounds(Some())
    with pytest.raises(RoboRallyError) as caught:
        check_bounds(Some(**given))
    assert str(caught.value) == message
