"""JSON, TOML and weights beyond the limits are refused at once."""

import os
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from roborally_env.agents.learned import shipped_weights
from roborally_env.agents.network import load_weights, read_weights

from roborally_env.base.documents import parse_json, parse_toml, read_json
from roborally_env.base.errors import AgentError, RoboRallyError
from roborally_env.base.files import write_whole
from roborally_env.cli import main
from roborally_env.courses import load_course
from roborally_env.courses.catalogue import check_file
from roborally_env.jobs.storage import LOCK, Folder
from roborally_env.play.saved_race import unfinished


@pytest.fixture(autouse=True)
def _at_once() -> Iterator[None]:
    started = time.process_time()
    yield
    assert time.process_time() - started < 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[" * 100_000, "64"),
        ('{"a":' * 100_000, "64"),
        ("9" * 100_000, "64"),
        ("[" + "[]," * 1_000_000 + "0]", "objects"),
        ("[" + "0," * 1_500_000 + "0]", "values"),
        ("[" + ",".join(["9" * 64] * 60_000) + ",x]", "JSON"),
        (" " * 5_000_000, "4,096"),
        ('"\\ud800"', "surrogate"),
        ("{", "JSON"),
        ('{"a": 1, "b": [{"answers": [1], "x": 0, "answers": [2]}]}', '"answers"'),
        ("{" + ",".join(f'"{i}":0' for i in range(100_000)) + ',"9":0}', '"9"'),
    ],
    ids=lambda value: value[-12:],
)
def test_json(text: str, message: str) -> None:
    with pytest.raises(RoboRallyError, match=message):
        parse_json(text)


def test_json_within_the_limits() -> None:
    assert parse_json('{"[[[": "' + "[" * 1000 + '", "n": 18446744073709551615}')["n"] == 2**64 - 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a=" + "[" * 3000, "16"),
        ("a=" + "[" * 20000, "objects"),
        ("width=" + "9" * 100_000, "digits"),
        (".".join(["a"] * 5000) + "=1", "16"),
        ("[" + ".".join(["a"] * 5000) + "]", "16"),
        ("\n".join(f"a{i}=1" for i in range(20_000)), "values"),
        ("#" * 600_000, "512"),
    ],
    ids=lambda value: value[-12:],
)
def test_toml(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(RoboRallyError, match=message):
        parse_toml(text)
    path = tmp_path / "course.toml"
    path.write_text(text)
    try:
        _, problems = check_file(path)
        found = [problem.message for problem in problems]
    except RoboRallyError as error:  # it is too large
        found = [str(error)]
    assert message in found[0]


def test_a_board_with_a_long_name(tmp_path: Path) -> None:
    path = tmp_path / "course.toml"
    path.write_text('title = "x"\n[[boards]]\nboard = "' + "a" * 5000 + '"\n')
    _, problems = check_file(path)
    assert problems
    assert all(len(problem.message) < 300 for problem in problems)


def test_files_that_are_none(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none", "/dev/zero", "a" * 5000, "a\0b"):
        with pytest.raises(RoboRallyError, match="read"):
            read_json(path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with a name")
def test_pipes_and_circles_of_links(tmp_path: Path) -> None:
    pipe, circle = tmp_path / "pipe.json", tmp_path / "circle.toml"
    os.mkfifo(pipe)
    circle.symlink_to(circle)
    for read, message in (
        (lambda: read_json(pipe), "read"),
        (lambda: Folder(tmp_path).read_json("pipe.json"), "pipe.json"),
        (lambda: load_course(circle), "symbolic links"),
        (lambda: load_course("a\0b.toml"), "null"),
    ):
        with pytest.raises(RoboRallyError, match=message):
            read()
    assert unfinished(tmp_path) == []
    write_whole(circle, "x")  # takes its place
    assert circle.read_text() == "x"


def test_a_lock_is_a_file_that_stays_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("x")
    (tmp_path / LOCK).symlink_to("kept")
    with Folder(tmp_path).only_writer():
        pass
    assert (tmp_path / "kept").read_text() == "x"
    (tmp_path / LOCK).unlink()
    os.mkfifo(tmp_path / LOCK)
    with Folder(tmp_path).only_writer():
        pass


def test_a_long_text_takes_little_memory() -> None:
    code = (
        "import resource; from roborally_env.base.documents import parse_json; peak = lambda: "
        "resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10; before = peak(); "
        r"""parse_json('["' + 'a' * 4_000_000 + '"]'); parse_json('["' + '\\"' * 2_000_000 + '"]'); """
        "print(peak() - before)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 100


def test_lines_of_scenarios_that_do_not_end() -> None:
    with pytest.raises(SystemExit):
        main(["scenario", "--json-lines", "/dev/zero"])


ORIGINAL = Path(shipped_weights("learned", "2005"))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda arrays: arrays.update(x=np.zeros(3)), "'x'"),
        (lambda arrays: arrays.update(own_b=np.zeros(5)), "own_b.*5.*128"),
        (lambda arrays: arrays.update(buy_w=np.zeros((128, 5))), "buy_w.*128.*43"),
        (lambda arrays: arrays.update(own_b=np.zeros(128, np.int64)), "own_b"),
        (lambda arrays: arrays.update(own_b=np.zeros((128, 1))), "own_b.*2"),
        (lambda arrays: arrays.update(about=np.array("[" * 100_000)), "64"),
        (lambda arrays: arrays.update(about=np.zeros(3)), ""),
        (lambda arrays: arrays.pop("about"), ""),
    ],
)
def test_weights(change, message: str, tmp_path: Path) -> None:
    with np.load(ORIGINAL) as data:
        arrays = {name: data[name] for name in data.files}
    change(arrays)
    np.savez(tmp_path / "w.npz", **arrays)
    with pytest.raises(AgentError, match=message):
        load_weights(tmp_path / "w.npz", "2005")


def test_weights_that_would_fill_the_memory(tmp_path: Path) -> None:
    path = tmp_path / "w.npz"
    for size in (10**12, 1 << 28):
        with (
            zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
            archive.open("own_w.npy", "w") as file,
        ):
            np.lib.format.write_array_header_1_0(
                file,
                {"descr": "<f4", "fortran_order": False, "shape": (size,)},  # type: ignore[arg-type]
            )
            for _ in range(5):
                file.write(bytes(1 << 24))
        with pytest.raises(AgentError):
            read_weights(path)


def test_an_array_alone_is_no_file_of_weights(tmp_path: Path) -> None:
    np.save(tmp_path / "w.npy", np.zeros(3))
    with pytest.raises(AgentError):
        read_weights(tmp_path / "w.npy")
