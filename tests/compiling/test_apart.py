"""Kernels apart: their machine code is made once, for all that Python calls, and kept in a file of its own."""

from __future__ import annotations

from pathlib import Path

import llvmlite.binding as llvm
import pytest

from roborally_env.compiling.machine import PORTABLE
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


@pytest.mark.slow
def test_a_lost_file_of_one_is_made_again(tmp_path: Path) -> None:
    source = tmp_path / "kernels.py"
    source.write_text(KERNELS, encoding="utf-8")
    home = tmp_path / "cache"
    printed(source, CALLED, home)
    for path in (home / "code").glob("apart-*"):
        path.unlink()
    assert printed(source, CALLED, home)[:3] == [75, 60, 2]
    assert [name for name in files(home) if name.startswith("apart")] == ["apart-deep", "apart-other"]


@pytest.mark.slow
@pytest.mark.skipif(not llvm.get_process_triple().startswith("x86_64"), reason="levels of x86-64")
def test_it_is_emitted_from_optimised_bitcode(tmp_path: Path) -> None:
    source = tmp_path / "kernels.py"
    source.write_text(KERNELS, encoding="utf-8")
    home = tmp_path / "cache"
    printed(source, CALLED, home, ROBORALLY_CPU=PORTABLE)
    optimised = ["optimised_apart-deep", "optimised_apart-other", "optimised_entry-both", "optimised_entry-twice"]
    for path in (home / "code").glob("*.bin"):
        if not path.name.startswith("optimised_"):
            path.unlink()
    assert files(home) == optimised
    other = {"ROBORALLY_CPU": "x86-64-v2"}
    assert printed(source, CALLED, home, **other) == [75, 60, 4, 4]
    assert files(home) == ["apart-deep", "apart-other", "entry-both", "entry-twice", *optimised]
    assert printed(source, CALLED, home, **other) == [75, 60, 0, 4]
    for path in (home / "code").glob("optimised_apart-*"):  # a part of it is lost: only that is made again
        path.unlink()
    assert printed(source, CALLED, home, ROBORALLY_CPU="x86-64")[:2] == [75, 60]


def test_a_function_of_plain_numba_calls_one(tmp_path: Path) -> None:
    source = tmp_path / "kernels.py"
    source.write_text(KERNELS, encoding="utf-8")
    code = "import numba\nprint(numba.njit(lambda x: deep(x) + 1)(1))"
    assert printed(source, code, tmp_path / "cache") == [31]
    assert not [name for name in files(tmp_path / "cache") if name.startswith("apart")]


@pytest.mark.slow
def test_with_plain_numba_they_are_kernels_like_others(tmp_path: Path) -> None:
    source = tmp_path / "kernels.py"
    source.write_text(KERNELS, encoding="utf-8")
    assert printed(source, CALLED, tmp_path / "cache", ROBORALLY_COMPILE="plain")[:2] == [75, 60]


# `apart` is not inlined into what Python calls of it. LLVM drops arguments of a function that only its module calls.
CLASHING = """
import numba
from roborally_env.core.kernel import kernel

@kernel(apart=True, seldom=True)
def apart(unused, a, b):
    return 10 * a + b

@kernel(seldom=True)
def within(unused, a, b):
    return 10 * a + b

@kernel
def first(a):
    return apart(7, a, 1) + within(7, a, 2)

@kernel
def second(a):
    return apart(8, a, 3)

def plain(a):
    return within(8, a, 4)
"""


def test_each_call_reaches_the_code_that_is_shown(tmp_path: Path) -> None:
    """The loader finds symbols by name, those of other modules' hidden functions too."""
    source = tmp_path / "kernels.py"
    source.write_text(CLASHING, encoding="utf-8")
    code = "print(first(1), apart(9, 2, 0), within(9, 2, 5), second(1), numba.njit(plain)(1))"
    for _ in range(2):  # made, and loaded
        assert printed(source, code, tmp_path / "cache") == [11 + 12, 20, 25, 13, 14]


def test_python_calls_the_machine_code_that_kernels_call(tmp_path: Path) -> None:
    source = tmp_path / "kernels.py"
    source.write_text(KERNELS, encoding="utf-8")
    home = tmp_path / "cache"
    code = "print(deep(1), len(whole_program.made))"
    assert printed(source, code, home) == [30, 6]  # three kernels, two apart, and what Python calls
    sizes = {path.name.split("-")[0]: path.stat().st_size for path in (home / "code").glob("*-deep-*")}
    assert printed(source, code, home) == [30, 0]
    assert sizes["entry"] < 20_000


@pytest.mark.slow
def test_environments_live_as_long_as_the_code_that_has_their_addresses(tmp_path: Path) -> None:
    source = tmp_path / "kernels.py"
    source.write_text(KERNELS, encoding="utf-8")
    home = tmp_path / "cache"
    printed(source, CALLED, home)
    code = """
import gc
from numba.core.environment import lookup_environment
both(2)
gc.collect()
names = [each.env_name for library in deep._apart.values() for each in library.environments]
print(int(len(names) > 0), int(all(lookup_environment(name) is not None for name in names)))
"""
    assert printed(source, code, home) == [1, 1]


RAISING = """
from roborally_env.core.kernel import kernel

@kernel(apart=True)
def least(x):
    if x < 0:
        raise ValueError("a number from 0 on", x)
    return x

@kernel
def asked(x):
    return least(x) + 1

for x in (3, -3):
    for call in (least, asked):
        try:
            print(call(x))
        except ValueError as error:
            print(error.args[1])
"""


def test_errors_come_through(tmp_path: Path) -> None:
    source = tmp_path / "kernels.py"
    source.write_text(RAISING, encoding="utf-8")
    for _ in range(2):  # made, and loaded
        assert printed(source, "", tmp_path / "cache") == [3, 4, -3, -3]
