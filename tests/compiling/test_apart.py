"""Kernels apart: their machine code is made once, for all that Python calls, and kept in a file of its own."""

from __future__ import annotations

from pathlib import Path

from tests.compiling.helpers import python

# `both` and `twice` are entries; `deep` is apart and calls another kernel apart, which makes arrays and has a constant
KERNELS = """
import sys
import numpy as np
from roborally_env.compiling import cache, whole_program
from roborally_env.core.kernel import kernel
TABLE = np.array([3, 5, 7])

@kernel(apart=True)
def other(x):
    found = np.zeros(3, np.int64)
    for i in range(3):
        found[i] = TABLE[i] * x
    return found.sum()

@kernel
def step(x):
    return x + 1

@kernel(apart=True)
def deep(x):
    return other(step(x))

@kernel
def both(x):
    return deep(x) + other(x)

@kernel
def twice(x):
    return deep(x) * 2
"""
CALLED = "print(both(2), twice(1), len(whole_program.made), len(whole_program.loaded))"


def files(home: Path) -> list[str]:
    """The readable parts of the names of the files of machine code."""
    return sorted("-".join(path.name.split("-")[:2]) for path in (home / "code").glob("*.bin"))


def printed(source: Path, code: str, home: Path, **variables: str) -> list[int]:
    done = python(f"exec(open({str(source)!r}).read())\n{code}", home, **variables)
    assert done.returncode == 0, done.stderr
    return [int(number) for number in done.stdout.split()]


def test_their_machine_code_is_made_once_and_kept_apart(tmp_path: Path) -> None:
    source = tmp_path / "kernels.py"
    source.write_text(KERNELS, encoding="utf-8")
    home = tmp_path / "cache"
    assert printed(source, CALLED, home) == [75, 60, 9, 0]  # five kernels, two entries, two apart
    inner = [f"inner-{name}" for name in ("both", "deep", "other", "step", "twice")]
    assert files(home) == ["apart-deep", "apart-other", "entry-both", "entry-twice", *inner]
    assert printed(source, CALLED, home) == [75, 60, 0, 4]
    for path in (home / "code").glob("inner-*"):
        path.unlink()
    assert printed(source, "print(twice(1), len(whole_program.made))", home) == [30 * 2, 0]


def test_a_lost_file_of_one_is_made_again(tmp_path: Path) -> None:
    source = tmp_path / "kernels.py"
    source.write_text(KERNELS, encoding="utf-8")
    home = tmp_path / "cache"
    printed(source, CALLED, home)
    for path in (home / "code").glob("apart-*"):
        path.unlink()
    assert printed(source, CALLED, home)[:3] == [75, 60, 2]
    assert [name for name in files(home) if name.startswith("apart")] == ["apart-deep", "apart-other"]


def test_a_function_of_plain_numba_calls_one(tmp_path: Path) -> None:
    source = tmp_path / "kernels.py"
    source.write_text(KERNELS, encoding="utf-8")
    code = "import numba\nprint(numba.njit(lambda x: deep(x) + 1)(1))"
    assert printed(source, code, tmp_path / "cache") == [31]
    assert not [name for name in files(tmp_path / "cache") if name.startswith("apart")]


def test_with_plain_numba_they_are_kernels_like_others(tmp_path: Path) -> None:
    source = tmp_path / "kernels.py"
    source.write_text(KERNELS, encoding="utf-8")
    assert printed(source, CALLED, tmp_path / "cache", ROBORALLY_COMPILE="plain")[:2] == [75, 60]
