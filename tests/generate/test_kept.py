"""The rows in results/generated, from which docs/generated.md has its tables."""

import importlib
import json
from pathlib import Path

import pytest

from tests.sizes import each_once

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(("edition", "fair"), each_once(["2016", "2005", "community"], [False, True]))
def test_kept_rows_are_of_the_courses_that_the_generator_gives(edition: str, fair: bool, monkeypatch) -> None:
    """A sample of them is made anew, and what is claimed of all of them holds."""
    monkeypatch.syspath_prepend(str(ROOT / "scripts" / "experiments"))
    check = importlib.import_module("check_generated")
    options = check.Options(edition=edition, fair=fair, version=1)
    rows = check.kept_rows(options)
    assert [row["number"] for row in rows] == list(range(1000 if fair else 10_000))
    assert check.report(rows, options)["wrong"] == []


def test_rows_of_another_generator_do_not_count(tmp_path: Path, monkeypatch, capsys) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "scripts" / "experiments"))
    check = importlib.import_module("check_generated")
    options = check.Options(version=1)
    rows = [json.loads(json.dumps(row)) for row in check.kept(options)[:3]]
    monkeypatch.setattr(check, "KEPT", tmp_path)
    check.keep(rows, options)
    assert check.kept_rows(options) == rows
    rows[1]["mark"] = "another"
    check.keep(rows, options)
    assert check.kept_rows(options) == []
    assert "course 1 is not that of" in capsys.readouterr().err


def test_the_slow_check_is_handed_in(tmp_path: Path, monkeypatch, capsys) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "scripts" / "experiments"))
    check = importlib.import_module("check_generated")
    words = ["--slow", "2", "--courses", "3", "--out", str(tmp_path)]
    with pytest.raises(SystemExit):
        check.read_options(words)
    assert "python -m tests.generate.check_slowly" in capsys.readouterr().err
    options = check.read_options(words, lambda course: f"{len(course.checkpoints)} are lost")
    kept = check.kept(check.Options(version=1))[:3]
    courses = [check.attempts(options.specification(number), number)[0] for number in range(3)]
    rows = [row | check.judged(course, options, n) for n, (row, course) in enumerate(zip(kept, courses, strict=True))]
    assert [row["lost"] for row in rows] == [
        f"{len(courses[0].checkpoints)} are lost",
        None,
        f"{len(courses[2].checkpoints)} are lost",
    ]
    found = check.report(rows, options)
    assert found["lost"] == [0, 2]
    assert json.loads(json.dumps(found))["options"]["slow"] == 2
