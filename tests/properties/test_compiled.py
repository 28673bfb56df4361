"""Compiled and plain Python play the same races."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from . import plain_play

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.slow
def test_compiled_equals_uncompiled():
    command = [sys.executable, "-W", "error", "-m", "tests.properties.plain_play"]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=900, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert plain_play.digests() == json.loads(done.stdout)
