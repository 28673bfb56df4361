"""Python in a process of its own, with a cache of its own."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
# a kernel that calls another one and a hook; small enough to be compiled in a second
PROBE = """
import sys
import numpy as np
from roborally_env.compiling import cache, whole_program
from roborally_env.core.driving import driver
numbers, out = np.arange(3, dtype=np.uint64), np.zeros(3, np.uint64)
driver.game_seeds(np.uint64(7), numbers, out)
assert out.tolist() == [8409816773569330625, 13309476754707697221, 11984929618412882174], out.tolist()
print(len(whole_program.made), len(whole_program.loaded))
"""


def python(code: str, home: Path, *, root: Path = ROOT, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run Python code with the package in `root` and machine code in `home`."""
    env = os.environ | {"ROBORALLY_CACHE": str(home), "PYTHONPATH": str(root), **variables}
    return subprocess.run(
        [sys.executable, "-c", code], env=env, cwd=root, capture_output=True, text=True, timeout=500, check=False
    )


def made_and_loaded(code: str, home: Path, *, root: Path = ROOT, **variables: str) -> tuple[int, int]:
    """How many kernels the probe compiled, and how many it found."""
    done = python(code, home, root=root, **variables)
    assert done.returncode == 0, done.stderr
    made, loaded = done.stdout.split()
    return int(made), int(loaded)
