"""The scenes again without the compiler: the core is plain Python then, and no warning may come up."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted(
    path for path in Path(__file__).parent.glob("test_*.py") if path.stem not in ("test_uncompiled", "test_rulings")
)


def test_the_scenes_pass_uncompiled_and_without_warnings():
    command = [sys.executable, "-W", "error", "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *map(str, FILES)]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]


MANY = """
from roborally_env import BatchRace
batch = BatchRace(40, "dizzy_highway", rules={"upgrades": False})
batch.sample(1)
batch.step_prepared()
assert not batch.repairs.any()
"""


def test_many_races_are_played_uncompiled():
    """Rows of programs are counted in Python's numbers, not in the eight bits of a record's field."""
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-W", "error::RuntimeWarning", "-c", MANY]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
