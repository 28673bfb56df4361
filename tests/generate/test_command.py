"""`roborally generate` and `roborally courses --rate`, as a user calls them."""

import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from roborally_env.cli import main
from roborally_env.cli.generate import generate
from roborally_env.courses import Course, load_course
from roborally_env.courses.reader import SHIPPED
from roborally_env.evaluation.grades import Grade, grade
from roborally_env.generated import Generator, Specification, generator
from roborally_env.generated.fields import specification_fields
from roborally_env.render.svg import board_svg


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
    assert out.startswith(f"{course.title} (edition 2016, difficulty 1, 2 to 6 players, ")
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


def test_one_course_and_the_same_numbers_when_the_command_goes_on(
    roborally: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("generate", "--difficulty", "1", "--count", "2", "--out", str(tmp_path), "--json")
    first = roborally(*words)[1]
    contents = {file: file.read_bytes() for file in tmp_path.glob("*.toml")}

    def never(*_: Any, **__: Any) -> Any:
        raise AssertionError("made or graded again")

    monkeypatch.setattr("roborally_env.generated.generator._drawn", never)
    monkeypatch.setattr("roborally_env.cli.course_files.grade", never)
    generator._course.cache_clear()
    assert roborally(*words) == (0, first, "")
    assert {file: file.read_bytes() for file in tmp_path.iterdir()} == contents
    assert [row["edited"] for row in json.loads(first)] == [False, False]


@pytest.fixture
def three(roborally: Any, tmp_path: Path) -> Callable[..., tuple[Any, str, str]]:
    """Runs the command for three courses in a folder, which has been done once."""

    def run(*more: str) -> tuple[Any, str, str]:
        return roborally("generate", "--difficulty", "1", "--count", "3", "--out", str(tmp_path / "folder"), *more)

    assert run()[0] == 0
    return run


@pytest.fixture
def files(three: Any, tmp_path: Path) -> list[Path]:
    """The three files, by number."""
    found = {load_course(file).title: file for file in (tmp_path / "folder").glob("*.toml")}
    return [found[Generator(difficulty=1).course(number).title] for number in range(3)]


def edited(file: Path, old: str, new: str) -> str:
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")
    return file.read_text(encoding="utf-8")


def test_an_edited_file_is_graded_as_it_is_and_stays_so(three: Any, files: list[Path]) -> None:
    course = load_course(files[1])
    number, x, y = course.checkpoints[-1]
    dock = next((x, y) for _, x, y in course.docks)
    far = max(((u, v) for u in range(course.width) for v in range(course.height) if free(course, (u, v))), key=sum)
    assert far not in (dock, (x, y))
    mark = "{{ number = {}, x = {}, y = {} }}"
    text = edited(files[1], mark.format(number, x, y), mark.format(number, *far))
    code, out, err = three("--json", "--svg")
    rows = json.loads(out)
    assert (code, err, [row["edited"] for row in rows]) == (0, "", [False, True, False])
    assert rows[1]["name"] == files[1].stem
    mine = grade(load_course(files[1]))
    assert rows[1]["grade"]["rounds_estimated"] == round(mine.rounds_estimated, 4)
    assert mine.rounds_estimated != grade(course).rounds_estimated
    assert files[1].read_text(encoding="utf-8") == text
    assert files[1].with_suffix(".svg").read_text("utf-8") == board_svg(load_course(files[1]), theme="light")
    assert f"{course.title} (edited)" in three()[1]
    assert "(edited)" not in three("--force")[1]
    assert load_course(files[1]).checkpoints == course.checkpoints


def free(course: Course, cell: tuple[int, int]) -> bool:
    """Whether nothing lies on a cell."""
    pieces = {(x, y) for _, x, y in course.checkpoints} | {(x, y) for x, y, _ in course.reboots} | {course.antenna[:2]}
    return cell not in pieces | {(e.x, e.y) for e in course.elements} and course.on_board(*cell)


def test_another_title_or_a_comment_is_no_other_course(three: Any, files: list[Path]) -> None:
    edited(files[0], "title = ", 'title = "Mine"  # was ')
    code, out, err = three()
    assert (code, err) == (0, "")
    assert "Mine" in out
    assert "edited" not in out


@pytest.mark.parametrize("share", [0.0, 0.02, 0.1, 0.2, 0.35, 0.5, 0.9, 0.99])
def test_a_file_that_was_cut_off_is_made_again(share: float, three: Any, files: list[Path]) -> None:
    whole = files[2].read_bytes()
    files[2].write_bytes(whole[: int(share * len(whole))])
    code, out, err = three()
    assert (code, err) == (0, "")
    assert files[2].name in out
    assert files[2].read_bytes() == whole


@pytest.mark.slow
@pytest.mark.parametrize("size", [0, 60, 200, 400, 700])
def test_a_file_that_was_cut_off_is_made_again_with_its_pictures(size: int, three: Any, files: list[Path]) -> None:
    assert three("--svg", "--png")[0] == 0
    pictures = [files[2].with_suffix(ending) for ending in (".svg", ".png")]
    whole = {file: file.read_bytes() for file in (files[2], *pictures)}
    files[2].write_bytes(whole[files[2]][:size])
    for picture in pictures:
        picture.write_bytes(b"of before")
    code, out, err = three("--svg", "--png")
    assert (code, err, out.count(".toml")) == (0, "", 3)
    assert {file: file.read_bytes() for file in whole} == whole
    files[2].unlink()
    code, _, err = three("--svg")  # a picture without its file may be anybody's
    assert (code, err) == (1, f"roborally: {pictures[0]} is there already; --force writes over it\n")


def test_a_file_without_the_numbers_of_its_grade_is_graded(three: Any, files: list[Path]) -> None:
    rows = json.loads(three("--json")[1])
    comments = re.compile("^# graded: .*\n(#   .*\n)*", re.MULTILINE)  # as files of before have none
    for file, new in zip(files, ("", '# graded: {"digest": 3}\n', "# graded: {\n"), strict=True):
        text, count = comments.subn(new, file.read_text(encoding="utf-8"))
        assert count == 1
        file.write_text(text, encoding="utf-8")
    assert json.loads(three("--json")[1]) == rows


def test_files_in_the_way_are_told_and_the_others_made(three: Any, files: list[Path], tmp_path: Path) -> None:
    files[0].write_text("garbage ]", encoding="utf-8")
    broken = edited(files[1], "checkpoints = [", "checkpoints = [ 3,")
    files[2].unlink()
    code, out, err = three()
    assert (code, out.count(".toml")) == (1, 1)
    first, second = err.splitlines()
    stays = "; the file cannot be read and stays as it is: mend or delete it; --force would write over all edited files"
    assert first.startswith(f"roborally: {files[0]}:1:9: not TOML: ")
    assert first.endswith(stays)
    assert second.startswith(f"roborally: {files[1]}:")
    assert second.endswith(stays)
    assert "checkpoints: expected a table with x, y, number, got 3" in second
    assert files[1].read_text(encoding="utf-8") == broken
    assert load_course(files[2]).title == Generator(difficulty=1).course(2).title
    files[0].write_bytes(b"\xff")
    code, out, err = three()
    assert (code, out.count(".toml")) == (1, 1)
    assert err.startswith(f"roborally: {files[0]}: not a text file in UTF-8")
    assert err.splitlines()[0].endswith(stays)
    files[0].write_bytes((SHIPPED / "2016" / "twister.toml").read_bytes())
    assert three()[2].startswith(f"roborally: {files[0]} is there already; --force writes over it\n")
    assert three("--force")[0] == 0
    assert [load_course(file).title for file in files] == [Generator(difficulty=1).course(n).title for n in range(3)]
    assert not list((tmp_path / "folder").glob(".*"))


def test_a_file_that_cannot_be_graded_is_reported(three: Any, files: list[Path]) -> None:
    text = (SHIPPED / "2005" / "war_zone.toml").read_text(encoding="utf-8")  # without flags
    files[0].write_text(f"# source: {Generator(difficulty=1).course(0).source}\n{text}", encoding="utf-8")
    code, out, err = three()
    assert (code, out.count(".toml"), err.count("\n")) == (1, 2, 1)
    assert err.startswith(f"roborally: {files[0]}: course ")
    assert "has no flags" in err
    assert "; the file cannot be graded and stays as it is: mend or delete it; " in err


@pytest.mark.parametrize("ending", [".toml", ".svg", ".png"])
@pytest.mark.parametrize("force", [(), ("--force",)], ids=["", "force"])
def test_nothing_is_written_where_a_folder_has_the_name(
    ending: str, force: tuple[str, ...], roborally: Any, tmp_path: Path
) -> None:
    path = tmp_path / "my.toml"
    folder = path.with_suffix(ending)
    folder.mkdir()
    code, out, err = roborally("generate", "--difficulty", "1", "--out", str(path), "--svg", "--png", *force)
    expected = f"roborally: {folder} is a folder; expected a file's name: choose another --out or move the folder\n"
    assert (code, out, err) == (2, "", expected)
    assert list(tmp_path.iterdir()) == [folder]


def test_a_folder_in_the_place_of_a_picture_is_told_and_the_others_drawn(three: Any, files: list[Path]) -> None:
    files[0].with_suffix(".svg").mkdir()
    for force in ((), ("--force",)):
        code, out, err = three("--svg", *force)
        assert (code, out.count(".toml")) == (1, 2)
        assert err.startswith(f"roborally: {files[0].with_suffix('.svg')} is a folder; ")
        assert all(file.with_suffix(".svg").is_file() for file in files[1:])


def test_pictures_beside_a_file_that_is_written_over_show_the_new_course(roborally: Any, tmp_path: Path) -> None:
    path = tmp_path / "my.toml"
    words = ("generate", "--difficulty", "1", "--out", str(path))
    assert roborally(*words, "--svg", "--png")[0] == 0
    before = {ending: path.with_suffix(ending).read_bytes() for ending in (".svg", ".png")}
    code, _, err = roborally(*words, "--seed", "2", "--force", "--png")
    assert (code, err) == (0, f"roborally: {path.with_suffix('.svg')} was there already: it shows the new course now\n")
    assert path.with_suffix(".svg").read_text("utf-8") == board_svg(load_course(path), theme="light")
    assert path.with_suffix(".png").read_bytes() != before[".png"]
    path.with_suffix(".png").unlink()
    path.with_suffix(".svg").unlink()
    assert roborally(*words, "--force")[::2] == (0, "")
    assert [file.name for file in tmp_path.iterdir()] == ["my.toml"]


def test_nothing_is_written_where_a_picture_cannot_be_drawn(
    roborally: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    path = tmp_path / "my.toml"
    code, out, err = roborally("generate", "--difficulty", "1", "--out", str(path), "--png")
    assert (code, out, path.exists()) == (2, "", False)
    assert err.startswith("roborally: PNG: resvg_py is not installed")


def test_courses_of_one_title_get_files_of_their_own(
    roborally: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("roborally_env.generated.generator.title_of", lambda *_: "Rusty Loop")
    for seed in ("1", "2"):
        code, _, err = roborally("generate", "--difficulty", "1", "--seed", seed, "--out", str(tmp_path / "folder"))
        assert (code, err) == (0, "")
    files = sorted((tmp_path / "folder").glob("course_0_*.toml"))
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
    assert options["checkpoints"].help == "Number of checkpoints, 1 to 8; drawn by default."  # type: ignore[attr-defined]


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
        (["--players", "0"], "generated: players: expected a whole number from 2 to 6, got 0"),
        (["--players", "9", "--edition", "2005"], "generated: players: expected a whole number from 2 to 8, got 9"),
        (["--pits", "2"], "generated: pits: expected a share of the cells from 0 to 1, got 2.0"),
        (["--heights", "0.1"], "generated: heights: edition 2016 has none; leave it out"),
        (["--count", "0"], "--count: expected a whole number from 1 to 100000, got 0"),
        (["--levels", "2", "--count", "3"], "--count from number 0 on: expected a whole number from 1 to 2, got 3"),
        (
            ["--levels", "5", "--number", "3", "--count", "3"],
            "--count from number 3 on: expected a whole number from 1 to 2, got 3",
        ),
        (
            ["--number", "4294967295", "--count", "2"],
            "--count from number 4294967295 on: expected a whole number from 1 to 1, got 2",
        ),
        (["--out", ""], "--out: expected a file ending in .toml or a folder, got ''"),
        (["--out", "  "], "--out: expected a file ending in .toml or a folder, got '  '"),
        (["--out", "none/a.txt"], "--out none/a.txt: expected a file ending in .toml or a folder"),
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


def test_a_place_that_cannot_be_written_is_reported(roborally: Any, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    path = tmp_path / "file" / "my.toml"
    code, out, err = roborally("generate", "--difficulty", "1", "--out", str(path))
    assert (code, out) == (2, "")
    assert err == f"roborally: {path.parent}: expected a folder, but a file has this name; choose another name\n"
    assert err.count("\n") == 1


def test_a_new_folder_may_have_any_name(roborally: Any, tmp_path: Path) -> None:
    for place in (f"{tmp_path}/courses.d/", f"{tmp_path}/courses-0.3"):
        code, _, _ = roborally("generate", "--difficulty", "1", "--way", "arranged", "--out", place)
        assert code == 0
        assert [path.suffix for path in Path(place).iterdir()] == [".toml"]
    assert roborally("generate", "--difficulty", "1", "--way", "arranged", "--out", f"{tmp_path}/courses.d")[0] == 0


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
    assert f"roborally: stopped after {out.count('.toml')} of 5,000 courses; the same command resumes" in err
    assert "Traceback" not in err
    # a file may be there that was not yet counted
    assert 1 <= out.count(".toml") <= len(files) <= out.count(".toml") + 1
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
