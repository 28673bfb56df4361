"""What is said while machine code is made."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from roborally_env.compiling.progress import LINE
from tests.compiling.helpers import ROOT, python

# twenty-five kernels, each of which calls the next
CHAIN = """
import time
from roborally_env.core.kernel import kernel
from roborally_env.compiling import progress
progress._AFTER = 0.0
source = "@kernel\\ndef f0(x):\\n    return x\\n"
for i in range(1, 25):
    source += f"@kernel\\ndef f{i}(x):\\n    return f{i - 1}(x) + 1\\n"
exec(compile(source, "chain.py", "exec"))
assert f24(1) == 25
"""


def test_one_line_where_there_is_no_terminal(tmp_path: Path) -> None:
    done = python(CHAIN + "f24(1.5)\n", tmp_path)  # two entries
    assert done.stderr.splitlines() == [f"roborally_env: {LINE}"]
    assert not done.stdout
    assert python(CHAIN, tmp_path).stderr == ""  # it is there


def test_what_is_compiled_in_a_moment_is_not_worth_a_line(tmp_path: Path) -> None:
    code = "import numpy as np; from roborally_env.core.chance import key_of; key_of(np.uint64(1), np.uint64(2))"
    assert python(code, tmp_path).stderr == ""


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals")
def test_a_terminal_shows_how_far_it_is(tmp_path: Path) -> None:
    import pty

    ours, theirs = pty.openpty()
    env = os.environ | {"ROBORALLY_CACHE": str(tmp_path), "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen([sys.executable, "-c", CHAIN], env=env, cwd=ROOT, stderr=theirs)
    os.close(theirs)
    told = b""
    while True:
        try:
            part = os.read(ours, 4096)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        told += part
    os.close(ours)
    assert process.wait(60) == 0
    shown = [line.strip() for line in told.decode().split("\r") if line.strip()]
    assert all(line.startswith("roborally_env: compiling f24 (once): ") for line in shown)
    shares = [int(line.partition("%")[0].rpartition(" ")[2]) for line in shown]
    assert shares == sorted(shares)
    assert shares[0] < 20
    assert shares[-1] > 80
    assert any("function 12 of about 25" in line for line in shown)
    assert any(" s left" in line for line in shown)
    assert told.endswith(b"\r")  # the line is taken away
