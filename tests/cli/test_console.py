"""Consoles that cannot show every character get `?` in its place, and no traceback."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.sizes import each_once, size


def run(encoding: str, *words: str, cwd: Path | None = None) -> tuple[int, bytes, str]:
    """The exit code, the bytes of stdout and the text of stderr of a command whose console has this encoding."""
    done = subprocess.run(
        [sys.executable, "-m", "roborally_env", *words],
        env={**os.environ, "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"},
        cwd=cwd,
        capture_output=True,
        timeout=300,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr.decode(encoding, "replace")


ENCODINGS = ["cp1252", "cp437", "ascii", "ascii:strict", "utf-8"]
SHOWN = [("draw", "twister"), ("courses",), ("cards", "--edition", "2005")]


@pytest.mark.parametrize(
    ("encoding", "words"), each_once(ENCODINGS, SHOWN), ids=lambda value: value if isinstance(value, str) else value[0]
)
def test_what_the_console_cannot_show_is_replaced(encoding: str, words: tuple[str, ...]) -> None:
    code, out, err = run(encoding, *words)
    assert (code, err) == (0, "")
    assert len(out) > 500
    if encoding == "utf-8":
        assert b"?" not in out or words[0] != "draw"
        out.decode()


@pytest.mark.parametrize("encoding", ["cp1252", "ascii"])
def test_json_is_whole_on_every_console(encoding: str) -> None:
    _, expected, _ = run("utf-8", "draw", "twister", "--json")
    code, out, err = run(encoding, "draw", "twister", "--json")
    assert (code, err) == (0, "")
    assert json.loads(out.decode("ascii")) == json.loads(expected)


@pytest.mark.parametrize("encoding", size(["ascii"], ["ascii", "cp1252"]))
def test_evaluate_prints_its_table(encoding: str, tmp_path: Path) -> None:
    words = ("--agents", "random", "random", "--games", "2", "--seed", "1", "--rules", "upgrades=false")
    code, out, err = run(encoding, "evaluate", *words, cwd=tmp_path)
    assert code == 0, err
    assert "Traceback" not in err
    text = out.decode(encoding)
    assert ("?" if encoding == "ascii" else "\u00b1") in text


def test_a_path_that_no_encoding_has_is_one_line(tmp_path: Path) -> None:
    code, out, err = run("ascii", "draw", "caf\u00e9\u2588.toml", cwd=tmp_path)
    assert (code, out) == (2, b"")
    assert err.startswith("roborally: ")
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize("words", SHOWN, ids=lambda value: value[0])
def test_a_closed_output_is_no_traceback(words: tuple[str, ...]) -> None:
    command = f'exec "$0" -m roborally_env {" ".join(words)} >&-'
    done = subprocess.run(["sh", "-c", command, sys.executable], stderr=subprocess.PIPE, timeout=300, check=False)
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr
