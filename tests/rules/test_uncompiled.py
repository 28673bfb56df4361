"""The scenes again without the compiler: the core is plain Python then, and no warning may come up."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted(
    path for path in Path(__file__).parent.glob("test_*.py") if path.stem not in ("test_uncompiled", "test_rulings")
)


FEW = FILES[::12]  # those that are not marked as slow


@pytest.mark.parametrize(
    "files",
    [pytest.param(FEW, id="few"), pytest.param(sorted({*FILES} - {*FEW}), id="others", marks=pytest.mark.slow)],
)
def test_the_scenes_pass_uncompiled_and_without_warnings(files):
    command = [sys.executable, "-W", "error", "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *map(str, files)]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]


MANY = """
from roborally_env import BatchRace
batch = BatchRace(40, "dizzy_highway", rules={"upgrades": False})
batch.sample(1)
batch.step_prepared()
assert not batch.corrected.any()
"""


@pytest.mark.slow
def test_many_races_are_played_uncompiled():
    """Rows of programs are counted in Python's numbers, not in the eight bits of a record's field."""
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-W", "error::RuntimeWarning", "-c", MANY]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr[-2000:]


FAILING = """
from roborally_env import BatchRace
from roborally_env.core.driving import advance

play, after = advance.play_step, 12

def play_and_fail(course, game):
    global after
    after -= 1
    if not after:
        raise ZeroDivisionError("a slip in a rule")
    play(course, game)

batch = BatchRace(1, "dizzy_highway", decisions="all")
advance.play_step = play_and_fail
try:
    for i in range(30):
        batch.sample(i)
        batch.step_prepared()
except ZeroDivisionError as error:
    print(error)
"""


def test_only_an_open_question_is_taken_for_one():
    """Any other error in a step comes through: plain Python is the mode that finds them."""
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-c", FAILING]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout == "a slip in a rule\n"
