"""`roborally generate` and `roborally courses --rate`, as a user calls them."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from roborally_env.cli import main
from roborally_env.cli.generate import generate
from roborally_env.courses import load_course
from roborally_env.courses.generate import Generator, Specification
from roborally_env.courses.generate.fields import specification_fields
from roborally_env.grading import Grade, grade


@pytest.fixture
def roborally(capsys: pytest.CaptureFixture[str]) -> Any:
    """Runs the command; gives its exit code, stdout and stderr."""

    def run(*words: str) -> tuple[Any, str, str]:
        with pytest.raises(SystemExit) as ended:
            main(list(words))
        out = capsys.readouterr()
        return ended.value.code, out.out, out.err

    return run


def test_one_course_is_drawn_with_its_grade(roborally: Any) -> None:
    code, out, err = roborally("generate", "--difficulty", "1", "--seed", "7")
    course = Generator(difficulty=1, seed=7).course(0)
    assert (code, err) == (0, "")
    assert out.startswith(f"{course.title} (edition 2016, 1, 2 to 6 players, ")
    for part in (
        "[1]",
        "dock",
        "\ngenerated:difficulty=1,seed=7,number=0\n",
        "\n   difficulty 1 of 5\n",
        "\n   proved solvable\n",
    ):
        assert part in out


def test_a_course_as_a_file_with_pictures(roborally: Any, tmp_path: Path) -> None:
    path = tmp_path / "folder" / "my.toml"
    words = ("generate", "--edition", "2005", "--difficulty", "2", "--out", str(path), "--svg", "--png")
    code, out, err = roborally(*words)
    assert (code, err) == (0, "")
    course = Generator(edition="2005", difficulty=2).course(0)
    assert course.title in out
    assert load_course(path).elements == course.elements
    text = path.read_text(encoding="utf-8")
    assert text.startswith("# grade: difficulty 2 of 5; ")
    assert "# source: generated:edition=2005,difficulty=2,number=0\n" in text
    assert max(map(len, text.splitlines())) <= 120
    assert path.with_suffix(".svg").read_text(encoding="utf-8").startswith("<svg")
    assert path.with_suffix(".png").read_bytes().startswith(b"\x89PNG")
    before = text
    code, _, err = roborally(*words)
    assert (code, err) == (2, f"roborally: {path} is there already; --force writes over it\n")
    path.unlink()
    code, _, err = roborally(*words)  # nothing is written where a picture would be lost
    assert (code, err) == (2, f"roborally: {path.with_suffix('.svg')} is there already; --force writes over it\n")
    assert not path.exists()
    path.write_text("mine", encoding="utf-8")
    assert roborally(*words, "--force")[0] == 0
    assert path.read_text(encoding="utf-8") == before


def test_several_courses_go_into_a_folder(roborally: Any, tmp_path: Path) -> None:
    words = ("generate", "--difficulty", "1", "--number", "3", "--out", str(tmp_path))
    assert roborally(*words, "--count", "2")[0] == 0
    files = sorted(tmp_path.glob("*.toml"))
    assert [load_course(file).title for file in files] == sorted(
        Generator(difficulty=1).course(number).title for number in (3, 4)
    )
    files[0].write_text(files[0].read_text(encoding="utf-8") + "# mine\n", encoding="utf-8")
    code, out, err = roborally(*words, "--count", "3", "--json", "--svg")  # goes on, and keeps what is there
    assert (code, err) == (0, "")
    assert files[0].read_text(encoding="utf-8").endswith("# mine\n")
    assert len(list(tmp_path.glob("*.svg"))) == 3
    rows = json.loads(out)
    assert [row["name"] for row in rows] == [f"generated:difficulty=1,number={n}" for n in (3, 4, 5)]
    assert sorted(row["file"] for row in rows) == sorted(map(str, tmp_path.glob("*.toml")))
    files[0].write_text("another course", encoding="utf-8")
    code, out, err = roborally(*words, "--count", "3")
    assert (code, out, err) == (2, "", f"roborally: {files[0]} is there already; --force writes over it\n")
    files[0].write_bytes(b"\xff")
    code, out, err = roborally(*words, "--count", "3")
    assert (code, out) == (2, "")
    assert err.startswith(f"roborally: {files[0]}: not a text file in UTF-8")


def test_courses_of_one_title_get_files_of_their_own(
    roborally: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("roborally_env.courses.generate.generator.title_of", lambda spec: "Rusty Loop 0")
    for seed in ("1", "2"):
        code, _, err = roborally("generate", "--difficulty", "1", "--seed", seed, "--out", str(tmp_path / "folder"))
        assert (code, err) == (0, "")
    files = sorted((tmp_path / "folder").glob("rusty_loop_0_*.toml"))
    assert len(files) == 2
    assert load_course(files[0]).elements != load_course(files[1]).elements


def test_several_courses_without_files_are_listed(roborally: Any) -> None:
    code, out, _ = roborally("generate", "--difficulty", "1", "--count", "2")
    assert code == 0
    for number in (0, 1):
        assert Generator(difficulty=1).course(number).title in out
    assert "file" not in out


def test_every_field_of_a_specification_is_an_option() -> None:
    options = {option.name: option for option in generate.params}
    for field in specification_fields():
        assert options[field.name].default == field.default
        assert options[field.name].help  # type: ignore[attr-defined]
    names = [field.name for field in specification_fields()]
    assert names == list(Specification.__dataclass_fields__)
    assert options["pits"].help == "See --belts."  # type: ignore[attr-defined]
    assert options["checkpoints"].help == "1 to 8; drawn, if not given."  # type: ignore[attr-defined]


def test_options_reach_the_specification(roborally: Any) -> None:
    words = ("--moving", "--fair", "--checkpoints", "2", "--boards", "1", "--players", "4", "--levels", "9")
    code, out, _ = roborally("generate", *words, "--json")
    assert code == 0
    (row,) = json.loads(out)
    assert row["name"] == "generated:players=4,boards=1,checkpoints=2,moving=true,fair=true,number=0"
    assert row["players"] == [2, 4]
    assert "moving=false" in roborally("generate", "--no-moving", "--json")[1]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--difficulty", "9"], "generated: difficulty: expected a whole number from 1 to 5, got 9"),
        (["--difficulty", "hard"], "Invalid value for '--difficulty': 'hard' is not a valid integer."),
        (["--edition", "1994"], "generated: unknown edition '1994'"),
        (["--pits", "2"], "generated: pits: expected a share of the cells from 0 to 1, got 2.0"),
        (["--heights", "0.1"], "generated: heights: edition 2016 has none; leave it out"),
        (["--count", "0"], "--count: expected a whole number from 1 to 100000, got 0"),
        (["--levels", "2", "--count", "3"], "--count: expected a whole number from 1 to 2, got 3"),
        (["--levels", "5", "--number", "3", "--count", "3"], "--count: expected a whole number from 1 to 2, got 3"),
        (["--svg"], "--svg and --png lie beside the course's file; give --out with them"),
        (["--count", "2", "--out", "a.toml"], "--out a.toml: expected a folder for 2 courses, got a file's name"),
        (["--checkpoints", "8", "--width", "6", "--way", "arranged"], "generated: width: printed boards have"),
        (["--colour"], "No such option '--colour'"),
    ],
)
def test_wrong_options_are_told_in_one_line(roborally: Any, words: list[str], message: str) -> None:
    code, out, err = roborally("generate", *words)
    assert (code, out) == (2, "")
    assert err.startswith(f"roborally: {message}")
    assert err.count("\n") == 1


def test_a_place_that_cannot_be_written_is_told(roborally: Any, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    path = tmp_path / "file" / "my.toml"
    code, out, err = roborally("generate", "--difficulty", "1", "--out", str(path))
    assert (code, out) == (2, "")
    assert err.startswith(f"roborally: {path}: cannot be written: ")
    assert err.count("\n") == 1


def test_ctrl_c_keeps_the_files_that_are_done(tmp_path: Path) -> None:
    words = ["generate", "--difficulty", "1", "--count", "5000", "--out", str(tmp_path)]
    process = subprocess.Popen(
        [sys.executable, "-m", "roborally_env", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    deadline = time.monotonic() + 300
    while len(list(tmp_path.glob("*.toml"))) < 2:
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    files = list(tmp_path.glob("*.toml"))
    assert f"roborally: stopped after {out.count('.toml')} of 5000 courses; the same command goes on" in err
    assert "Traceback" not in err
    assert 2 <= out.count(".toml") <= len(files) <= out.count(".toml") + 1
    for file in files[:3]:
        load_course(file)


def test_courses_are_rated(roborally: Any, tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    assert roborally("generate", "--difficulty", "1", "--out", str(file))[0] == 0
    spec = "generated:difficulty=1,seed=4"
    code, out, err = roborally("courses", "--rate", "dizzy_highway", "2005/checkmate", spec, str(file), "--json")
    assert (code, err) == (0, "")
    rows = json.loads(out)
    assert [row["name"] for row in rows] == ["dizzy_highway", "checkmate", f"{spec},number=0", "own"]
    assert set(rows[0]["grade"]) == set(Grade.__dataclass_fields__)
    assert rows[0]["grade"]["rounds_alone"] == round(grade(load_course("dizzy_highway")).rounds_alone, 4)
    table = roborally("courses", "--rate", "dizzy_highway", "--rate", spec)[1]
    assert "Dizzy Highway" in table
    assert Generator(spec).course().title in table


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--rate"], "Option '--rate' requires a value, as in --rate A B."),
        (["--rate", "dizy_highway"], "unknown course 'dizy_highway' (did you mean dizzy_highway"),
        (["--rate", "war_zone"], "course war_zone has no flags; expected one on which"),
        (["--rate", "generated:difficulty=6"], "generated: difficulty: expected a whole number from 1 to 5, got 6"),
        (["--rate", "generated:edition=2005", "--edition", "2016"], "generated: edition=2005: the race is played by"),
        (["--rate", "no_file.toml"], "no_file.toml: cannot read it: No such file or directory"),
        (["--rate", "twister", "--tiles"], "expected either --rate or --tiles, not both"),
    ],
)
def test_courses_that_cannot_be_rated_are_told_in_one_line(roborally: Any, words: list[str], message: str) -> None:
    code, out, err = roborally("courses", *words)
    assert (code, out) == (2, "")
    assert err.startswith(f"roborally: {message}")
    assert err.count("\n") == 1
