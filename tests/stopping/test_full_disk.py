"""Nothing can be written any more: one line says so, and every file is whole."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from roborally_env.base.errors import RoboRallyError
from roborally_env.base.files import append_whole, clear_parts, write_whole
from roborally_env.evaluation.files import write_results
from roborally_env.evaluation.tournament import evaluate
from tests.cli.conftest import roborally  # noqa: F401

resource = pytest.importorskip("resource")


@contextmanager
def room(size: int) -> Iterator[None]:
    """No file can be longer than `size` bytes; longer ones fail as on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def names(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def test_a_file_keeps_what_it_had(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_whole(path, "old")
    with room(100), pytest.raises(RoboRallyError, match="file") as caught:
        write_whole(path, "x" * 10_000)
    assert "\n" not in str(caught.value)
    assert names(tmp_path) == {"file"}
    assert path.read_text() == "old"


def test_a_row_is_added_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    append_whole(path, "n,x\n")
    with room(100):
        append_whole(path, "1,0.5\n")
        with pytest.raises(RoboRallyError, match=r"table\.csv"):
            append_whole(path, "2," + "9" * 200 + "\n")
    assert path.read_text() == "n,x\n1,0.5\n"


def test_what_a_killed_process_had_begun_to_write_is_removed(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    for name in (".0123456789abcdef.part", "deep/.0123456789abcdef.part", ".mine.part", "checkpoint.part"):
        (tmp_path / name).write_text("")
    clear_parts(tmp_path)
    assert names(tmp_path) == {".mine.part", "checkpoint.part"}


def test_results_of_a_tournament_are_whole_or_not_there(tmp_path: Path) -> None:
    result = evaluate(["greedy", "random"], games=4, seed=3, max_rounds=12)
    whole, full = tmp_path / "whole", tmp_path / "full"
    for folder in (whole, full):
        folder.mkdir()
    write_results(result, whole)
    size = (whole / "index.html").stat().st_size - 1
    with room(size), pytest.raises(RoboRallyError):
        write_results(result, full)
    assert "results.json" in names(full) < names(whole)
    assert all((full / name).read_bytes() == (whole / name).read_bytes() for name in names(full))


def test_a_training_ends_in_one_line(roborally: Any, tmp_path: Path) -> None:  # noqa: F811
    pytest.importorskip("torch")
    out = tmp_path / "run"
    words = ("train", "value", "--courses", "dizzy_highway", "--games", 16, "--hidden", 16, "--held-out", 2)
    with room(50_000):  # a checkpoint has more
        code, _, err = roborally(*words, "--positions", 5000, "--checkpoint-every", 0, "--out", out)
    lines = [line for line in err.splitlines() if not line.startswith("roborally_env: ")]
    assert (code, lines) == (2, [f"roborally: {out}/checkpoint.pt: cannot be written: File too large"])
    assert names(out) <= {"progress.csv", ".lock"}
    rows = list(csv.DictReader((out / "progress.csv").open()))
    assert all(all(row.values()) for row in rows)


def test_a_log_for_tensorboard_ends_in_one_line(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    board = pytest.importorskip("roborally_env.training.board").Board(tmp_path, 0)

    def write_much() -> None:
        for step in range(10_000):
            board.add_scalar("x", 0.5, step)
            board.flush()

    with room(200), pytest.raises(RoboRallyError, match=f"{tmp_path}"):
        write_much()
    assert capfd.readouterr().err == ""


def test_parts_of_a_tournament_stay_where_its_disk_fills(tmp_path: Path) -> None:
    given: dict[str, Any] = {"games": 40, "seed": 3, "max_rounds": 12, "out": tmp_path / "out"}
    with room(1000), pytest.raises(RoboRallyError, match="cannot"):
        evaluate(["greedy", "random"], **given)
    assert json.loads((tmp_path / "out" / "manifest.json").read_text())["config"]["games"] == 40
    assert evaluate(["greedy", "random"], **given).complete
