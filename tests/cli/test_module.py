"""`python -m roborally_env` is the command line too."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.sizes import size


def test_the_package_runs_as_a_module(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "roborally_env", "courses", "--json"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0
    assert '"dizzy_highway"' in done.stdout


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize("words", [("courses",), ("courses", "--json"), ("--version",)], ids=" ".join)
@pytest.mark.parametrize("unbuffered", size([""], ["", "1"]))
def test_output_that_finds_no_room_is_told_in_one_line(words, unbuffered):
    env = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run(
            [sys.executable, "-m", "roborally_env", *words],
            env=env, stdout=full, stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
    assert done.stderr == "roborally: the output cannot be written: No space left on device\n"
    assert done.returncode == 1


def test_what_compiling_left_is_not_looked_through_at_the_end() -> None:
    code = (
        "import gc, roborally_env.compiling.cache as cache\n"
        "from roborally_env.cli.command import _leave_garbage\n"
        "_leave_garbage(); before = gc.get_freeze_count()\n"
        "cache._saved.add('kernel'); _leave_garbage()\n"
        "print(before, gc.get_freeze_count() > 1000)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "0 True\n"
