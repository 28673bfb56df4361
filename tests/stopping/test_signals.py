"""Ctrl-C and SIGTERM, and the processes that a run has started."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from typing import Any

import pytest

from roborally_env.base.signals import interrupt_held, interrupts_noted, termination_interrupts
from roborally_env.evaluation import tournament
from tests.cli.conftest import roborally  # noqa: F401
from tests.stopping.commands import files, is_alive

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals")


def send(number: signal.Signals) -> None:
    """Send this process a signal, and wait for its handler."""
    os.kill(os.getpid(), number)
    time.sleep(0.01)


def test_sigterm_interrupts() -> None:
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(KeyboardInterrupt), termination_interrupts():
        send(signal.SIGTERM)
    assert signal.getsignal(signal.SIGTERM) == before


def test_sigterm_interrupts_a_job_in_the_background_too() -> None:
    """A shell starts it with Ctrl-C ignored."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with pytest.raises(KeyboardInterrupt), termination_interrupts():
            send(signal.SIGTERM)
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGTERM])
def test_what_notes_interrupts_notes_both(by: signal.Signals) -> None:
    noted: list[int] = []
    with termination_interrupts(), interrupts_noted(lambda: noted.append(1)):
        send(by)
    assert noted == [1]


def test_the_first_interrupt_is_held_and_the_second_is_not() -> None:
    calls: list[int] = []
    with interrupt_held(lambda: calls.append(1)) as held:
        assert not held.came
        send(signal.SIGINT)
        assert held.came
        with pytest.raises(KeyboardInterrupt):
            send(signal.SIGINT)
    assert calls == [1]


WORDS = ("evaluate", "--agents", "random", "--games", 6, "--max-rounds", 5, "--workers", 1)


def test_sigterm_stops_evaluate_as_ctrl_c_does(
    roborally: Any,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    """In the middle of the races; what is finished is written, and the same command plays the rest."""

    stop_at = 0

    def stopped(*agents: Any, **given: Any) -> tournament.Result:
        def report(done: int, of: int) -> None:
            if done == stop_at:
                send(signal.SIGTERM)

        return tournament.evaluate(*agents, **{**given, "progress": report})

    monkeypatch.setattr("roborally_env.evaluation.folder.CHUNK", 2)
    whole = roborally(*WORDS, "--out", tmp_path / "whole")
    with monkeypatch.context() as patched:
        patched.setattr("roborally_env.cli.evaluate.play_tournament", stopped)
        code, out, err = roborally(*WORDS, "--out", tmp_path / "out")
        assert (code, out) == (130, "")
        assert err.splitlines()[-1] == "roborally: stopped; the same command resumes"
        stop_at = 2
        code, _, err = roborally(*WORDS, "--out", tmp_path / "out")
        assert code == 130
        assert err.splitlines()[-1] == "roborally: stopped after 2 of 6 races; the same command resumes"
        assert json.loads((tmp_path / "out" / "results.json").read_text())["races_played"] == 2
    assert roborally(*WORDS, "--out", tmp_path / "out")[:2] == whole[:2]
    assert files(tmp_path / "out") == files(tmp_path / "whole")


@pytest.mark.parametrize("times", [1, 2])
def test_ctrl_c_while_results_are_written(
    times: int,
    roborally: Any,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    def stop(*given: Any) -> None:
        for _ in range(times):
            send(signal.SIGINT)

    with monkeypatch.context() as patched:
        patched.setattr("roborally_env.evaluation.files.plot_win_rates", stop)
        code, _, err = roborally(*WORDS, "--out", tmp_path)
    wait = "the results are being written; another Ctrl-C leaves that to the next run of the same command"
    assert f"roborally: {wait}" in err
    assert code == (0 if times == 1 else 130)
    assert (tmp_path / "index.html").exists() == (times == 1)
    if times == 2:
        assert err.splitlines()[-1] == "roborally: stopped; the same command resumes"
    assert roborally(*WORDS, "--out", tmp_path)[0] == 0
    assert (tmp_path / "win_rate.png").exists()


# -- workers

POOL = """
    import multiprocessing, os, signal, sys, threading, time
    from concurrent.futures import ProcessPoolExecutor
    from pathlib import Path
    from roborally_env.base.children import Guard, starting

    def begin(word):
        Path(f"{word}-{os.getpid()}").touch()

    def work(seconds):
        time.sleep(seconds)
        return signal.getsignal(signal.SIGINT) == signal.SIG_IGN

    def run():
        context = multiprocessing.get_context("spawn")
        pool = ProcessPoolExecutor(2, context, Guard(), (begin, "started"))
        with starting():
            futures = [pool.submit(work, float(sys.argv[2])) for _ in range(2)]
        print(*(future.result() for future in futures), flush=True)

    if __name__ == "__main__":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        if sys.argv[1] == "main":
            run()
        else:  # a thread that does not last as long as the process
            thread = threading.Thread(target=run)
            thread.start()
            thread.join()
"""


class Pool:
    """A program with two workers."""

    def __init__(self, folder: Path, where: str, seconds: float) -> None:
        script = folder / "script.py"
        script.write_text(textwrap.dedent(POOL), encoding="utf-8")
        words = [sys.executable, str(script), where, str(seconds)]
        self.process = subprocess.Popen(words, cwd=folder, stdout=subprocess.PIPE, text=True, start_new_session=True)
        until = time.monotonic() + 60
        while len(started := list(folder.glob("started-*"))) < 2:
            assert time.monotonic() < until
            time.sleep(0.02)
        self.workers = [int(path.name.partition("-")[2]) for path in started]


@pytest.mark.parametrize("where", ["main", "thread"])
def test_workers_end_within_a_second_of_their_parent(where: str, tmp_path: Path) -> None:
    pool = Pool(tmp_path, where, 600)
    pool.process.kill()
    pool.process.wait()
    time.sleep(1)
    assert not any(map(is_alive, pool.workers))
    assert pool.process.stdout is not None
    pool.process.stdout.close()


def test_signals_to_all_processes_leave_the_workers_to_their_parent(tmp_path: Path) -> None:
    pool = Pool(tmp_path, "main", 1.0)
    for by in (signal.SIGTERM, signal.SIGINT):
        for worker in pool.workers:
            os.kill(worker, by)
    assert pool.process.communicate(timeout=60)[0] == "True True\n"


def test_a_worker_that_nobody_stops_ends_a_while_after_sigterm(tmp_path: Path) -> None:
    pool = Pool(tmp_path, "main", 600)
    os.kill(pool.workers[0], signal.SIGTERM)
    until = time.monotonic() + 20
    while is_alive(pool.workers[0]):
        assert time.monotonic() < until
        time.sleep(0.1)
    pool.process.kill()
    pool.process.communicate()


@pytest.mark.parametrize("module", ["roborally_env.cli.command", "click", "roborally_env.cli.courses"])
def test_an_interrupt_while_a_command_imports_its_modules_is_one_line(module: str) -> None:
    code = textwrap.dedent(f"""\
        import os, signal, sys

        class Interrupt:
            def find_spec(self, name, *_):
                if name == {module!r}:
                    os.kill(os.getpid(), signal.SIGINT)

        signal.signal(signal.SIGINT, signal.default_int_handler)
        sys.meta_path.insert(0, Interrupt())
        from roborally_env.cli import main
        main(["courses"])
        """)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr.strip()) == (130, "", "roborally: stopped")
