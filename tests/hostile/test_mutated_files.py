"""Files of each kind, changed at random: each is used or refused with one line, within a second and 200 MB.

The number of mutations of each kind is 20, in `make test-all` 100; ROBORALLY_MUTATIONS=300 sets another."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.hostile.mutated import KINDS
from tests.sizes import size

COUNT = os.environ.get("ROBORALLY_MUTATIONS", size("12", "100"))
ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("kind", KINDS)
def test_a_changed_file_is_used_or_refused_in_one_line(kind: str) -> None:
    command = [sys.executable, "-m", "tests.hostile.mutated", kind, COUNT]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
