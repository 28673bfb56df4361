"""`python -m roborally_env` is the command line too."""

import subprocess
import sys


def test_the_package_runs_as_a_module(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "roborally_env", "courses", "--json"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0
    assert '"dizzy_highway"' in done.stdout
