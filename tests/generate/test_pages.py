"""What the scripts write about generated courses: pictures, and the fit of the estimated rounds."""

import importlib
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Imports a script by its name."""
    for folder in ("docs/tables", "scripts/experiments"):
        monkeypatch.syspath_prepend(str(ROOT / folder))
    return importlib.import_module


def test_the_gallery_of_generated_courses_is_up_to_date(script: Any) -> None:
    files = script("docs_generated").files()
    there = {path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs" / "generated").iterdir()}
    assert there == set(files)
    assert len(files) == 25
    old = [name for name, text in files.items() if (ROOT / "docs" / name).read_text(encoding="utf-8") != text]
    assert not old, "run: python docs/tables/write_docs.py"
    assert sum(map(len, files.values())) < 2_000_000


def test_the_data_of_the_fit_show_what_the_page_says(script: Any) -> None:
    fit = script("fit_difficulty")
    with (ROOT / "docs" / "pictures" / "difficulty.csv").open(encoding="utf-8", newline="") as file:
        rows = [fit.read_row(line) for line in fit.csv.DictReader(file)]
    for edition in fit.Options.editions:
        own = [row for row in rows if row.edition == edition]
        assert len(own) >= 300
        assert fit.correlation(own, "greedy") > 0.9
        by_band = fit.rounds_by_band(own)
        assert all(fit.overlap(by_band[band], by_band[band + 1]) < 0.25 for band in range(1, 5))
        errors = fit.residuals(own)
        assert abs(errors.mean()) < 0.05
        assert errors.std() < 0.2


def test_the_fit_is_measured_in_parts(
    script: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fit = script("fit_difficulty")
    few = ["--editions", "2016", "--ways", "arranged", "--greedy", "4", "--random", "1", "--planner", "1"]
    words = ["fit_difficulty.py", *few, "--planner-every", "9", "--out", str(tmp_path)]
    for count in ("6", "12"):
        monkeypatch.setattr(sys, "argv", [*words, "--courses", count])
        fit.main()
    lines = (tmp_path / "2016.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 12
    assert len({json.loads(line)["course"] for line in lines}) == 12
    assert [json.loads(line)["planner"] is not None for line in lines] == [True] * 6 + [False] * 6
    assert "band 5: 2 courses" in capsys.readouterr().out
    first = json.loads(lines[0])
    (tmp_path / "2016.jsonl").write_text(json.dumps({**first, "way": 1.0}) + "\n", encoding="utf-8")
    with pytest.raises(fit.RoboRallyError, match="--out"):
        fit.main()


def test_ranks_and_overlaps(script: Any) -> None:
    fit = script("fit_difficulty")
    assert fit.ranks([3.0, 1.0, 1.0, 9.0]).tolist() == [3.0, 1.5, 1.5, 4.0]
    assert fit.overlap(np.array([1.0, 2.0]), np.array([3.0, 4.0])) == 0.0
    assert fit.overlap(np.array([1.0, 3.0]), np.array([2.0, 4.0])) == 0.5
    assert fit.overlap(np.array([1.0, 2.0]), np.array([1.0, 2.0])) == 1.0
