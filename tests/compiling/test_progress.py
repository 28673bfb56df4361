"""What is said while machine code is made."""

import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path
from types import SimpleNamespace

import pytest

from roborally_env.compiling import progress
from roborally_env.compiling.fingerprint import Reach
from roborally_env.compiling.progress import LINE, Progress
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


def on_a_terminal(code: str, cache: Path, columns: int) -> str:
    """What a program writes to a terminal of this width."""
    import fcntl
    import pty
    import struct
    import termios

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    given = {"ROBORALLY_CACHE": str(cache), "PYTHONPATH": str(ROOT), "TERM": "xterm"}
    env = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")} | given
    process = subprocess.Popen([sys.executable, "-c", code], env=env, cwd=ROOT, stdout=theirs, stderr=theirs)
    os.close(theirs)
    printed = b""
    while True:
        try:
            part = os.read(ours, 4096)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        printed += part
    os.close(ours)
    assert process.wait(60) == 0
    return re.sub(r"\x1b\[[0-9;]*m", "", printed.decode())  # without colours


terminal = pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals")


@terminal
def test_a_terminal_shows_how_far_it_is(tmp_path: Path) -> None:
    printed = on_a_terminal(CHAIN, tmp_path, 80)
    shown = [line.strip() for line in printed.split("\r") if line.strip()]
    assert all(line.startswith("roborally_env: compiling f24 (once): ") for line in shown)
    shares = [int(line.partition("%")[0].rpartition(" ")[2]) for line in shown]
    assert shares == sorted(shares)
    assert shares[0] < 20
    assert shares[-1] > 80
    assert any("function 12 of 25" in line for line in shown)
    assert any(" s left" in line for line in shown)
    assert printed.endswith("\r")  # the line is taken away


@terminal
def test_the_line_is_not_longer_than_the_terminal(tmp_path: Path) -> None:
    printed = on_a_terminal(CHAIN, tmp_path, 50)
    assert max(map(len, printed.split("\r"))) == 49
    assert "\n" not in printed


@terminal
def test_the_line_stands_above_a_progress_bar(tmp_path: Path) -> None:
    bar = "from roborally_env.cli.races import progress_bar\nwith progress_bar(7):\n"
    printed = on_a_terminal(bar + textwrap.indent(CHAIN, "    "), tmp_path, 60)
    lines = re.split(r"[\r\n]+", re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", printed))
    assert max(map(len, lines)) <= 60
    assert any(line.startswith("roborally_env: compiling f24 (once): ") for line in lines)
    assert any(line.startswith("races ") and "0/7" in line for line in lines)
    assert printed.count("\n") == sum(int(number) for number in re.findall(r"\x1b\[([0-9]+)A", printed)), (
        "nothing is left"
    )


def test_the_seconds_left_count_down_where_functions_differ_and_half_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Short functions come first, and what the cache has takes no time: the countdown is true all the same."""
    short, long = compile("x", "", "eval"), compile("+".join(["x"] * 100), "", "eval")
    new = {"is_typed": lambda fields: False, "has_code": lambda fields: False}
    functions = [SimpleNamespace(__code__=code, __name__="f") for code in [short, long] * 20]
    kernels = [SimpleNamespace(py_func=function, **new) for function in functions]
    monkeypatch.setattr(progress, "reach_of", lambda *_: Reach("", dict(enumerate(kernels))))
    monkeypatch.setattr(Progress, "quiet", True)
    monkeypatch.setattr(Progress, "_before", (0.0, 0.0))
    rate, passed, estimates = 0.01, 0.0, []
    with Progress(kernels[0], ()) as shown:
        for kernel in kernels[:20]:
            Progress.count(kernel, loaded=True)
        assert shown.seconds_left(0.1) is None
        for kernel in sorted(kernels[20:], key=lambda one: len(one.py_func.__code__.co_code)):
            passed += rate * len(kernel.py_func.__code__.co_code)
            Progress.count(kernel, loaded=False)
            estimates.append((passed, shown.seconds_left(passed)))
        ends = [at + left for at, left in estimates if left is not None]
        assert len(ends) > 5
        assert max(ends) - min(ends) < 0.01 * max(ends)
        shown.begin_code(kernels, last=True)
        for name in ("linking", "optimising", "emitting"):
            shown.stage(name)
        assert 0 < shown.seconds_left(passed) < 0.2 * max(ends)


def test_what_this_process_has_already_is_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second entry shares most functions, and a kernel apart with the first one: only the rest takes time."""
    code = compile("x", "", "eval")
    made = [
        SimpleNamespace(
            py_func=SimpleNamespace(__code__=code, __name__="f"),
            is_typed=lambda fields, k=k: k < 18,
            has_code=lambda fields, k=k: k == 0,
        )
        for k in range(20)
    ]
    below = {id(made[0]): made[:16]}
    monkeypatch.setattr(
        progress, "reach_of", lambda one, _: Reach("", dict(enumerate(below.get(id(one), made) if one else made)))
    )
    monkeypatch.setattr(Progress, "quiet", True)
    one = float(len(code.co_code))
    monkeypatch.setattr(Progress, "_before", (100.0, 100.0 * one))  # a second for a function
    with Progress(made[19], ()) as shown:
        assert shown.done == 18
        assert shown.seconds_left(0.0) == pytest.approx(2 + 4 * progress._FINISH)  # typed, and made
        Progress.count(made[18], loaded=False)
        assert shown.seconds_left(1.0) == pytest.approx(1 + 4 * progress._FINISH)


def test_who_waits_shows_the_countdown_of_the_process_that_compiles(tmp_path: Path) -> None:
    """One process holds the lock and has left a note; the other one knows when it will be there."""
    maker = CHAIN.replace("assert f24(1) == 25", "") + (
        "from roborally_env.compiling import cache, kernels\n"
        "make = kernels.Kernel._make_entry\n"
        "def slowly(self, args, name, progress):\n"
        "    cache.write_note(name, '[0.5, %f, 80.0]' % (time.time() + 40.0))\n"
        "    print('compiling', flush=True)\n"
        "    input()\n"
        "    return make(self, args, name, progress)\n"
        "kernels.Kernel._make_entry = slowly\n"
        "assert f24(1) == 25\n"
    )
    waiter = CHAIN.replace("assert f24(1) == 25", "") + (
        "import threading\n"
        "thread = threading.Thread(target=f24, args=(1,))\n"
        "thread.start()\n"
        "shown = lambda: progress.Progress.now()\n"
        "while shown() is None or shown().seconds_left is None:\n"
        "    time.sleep(0.01)\n"
        "found = shown()\n"
        "assert found.entry == 'f24' and found.share == 0.5 and found.seconds == 80.0, found\n"
        "assert 30.0 < found.seconds_left <= 40.0, found\n"
        "print('waited', flush=True)\n"
        "thread.join()\n"
        "assert shown() is None\n"
        "from roborally_env.compiling import whole_program\n"
        "assert not whole_program.made\n"
    )
    env = os.environ | {"ROBORALLY_CACHE": str(tmp_path), "PYTHONPATH": str(ROOT)}
    processes = []
    for code in (maker, waiter):
        processes.append(
            subprocess.Popen(
                [sys.executable, "-c", code],
                env=env,
                cwd=ROOT,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        )
        assert processes[-1].stdout is not None
        assert processes[-1].stdout.readline().strip() in ("compiling", "waited")
    processes[0].communicate("\n", 60)
    processes[1].communicate(timeout=60)
    assert [process.returncode for process in processes] == [0, 0]
    assert not list(tmp_path.glob("**/*.note"))
