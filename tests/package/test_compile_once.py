"""Several test processes: a kernel is compiled by one of them, and the files that compile most go first."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import COMPILE_FIRST

ROOT = Path(__file__).parents[2]
PROBE = """
from roborally_env.core.kernel import kernel

@kernel
def inner(x):
    return x * 2

@kernel
def outer(x):
    return inner(x) + 1
"""
# each says that it is ready, waits for the other, and tells how many kernels it compiled itself
ASK = """
import pathlib, sys, time
from tests.compile_once import compile_once
compile_once()
import probe
pathlib.Path(sys.argv[1]).touch()
while not all(pathlib.Path(f"ready{i}").exists() for i in range(2)):
    time.sleep(0.001)
assert probe.outer(3) == 7
print(sum(sum(f.stats.cache_misses.values()) for f in (probe.inner, probe.outer)))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no locks between processes")
def test_two_processes_compile_a_kernel_once(tmp_path: Path) -> None:
    (tmp_path / "probe.py").write_text(PROBE, encoding="utf-8")
    paths = os.pathsep.join([str(ROOT), str(tmp_path)])
    env = os.environ | {"ROBORALLY_CACHE": str(tmp_path / "cache"), "PYTHONPATH": paths}
    asked = [
        subprocess.Popen(
            [sys.executable, "-c", ASK, f"ready{i}"], cwd=tmp_path, env=env, stdout=subprocess.PIPE, text=True
        )
        for i in range(2)
    ]
    compiled = [int(process.communicate(timeout=120)[0]) for process in asked]
    assert sum(compiled) == 2  # inner and outer, once each


@pytest.mark.parametrize("name", COMPILE_FIRST)
def test_the_files_that_go_first_are_there(name: str) -> None:
    assert (ROOT / name).exists()
