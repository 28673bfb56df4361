"""Several runs that differ in their seed alone, each in a process and a folder of its own."""

from __future__ import annotations

import dataclasses
import json
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from roborally_env.base.errors import RoboRallyError
from roborally_env.base.files import make_folder
from roborally_env.base.signals import interrupts_noted
from roborally_env.base.terminal import print_lines
from roborally_env.base.types import NamedValues
from roborally_env.evaluation.aggregate import interquartile_mean, interval
from roborally_env.training.options import MOST_SEED
from roborally_env.training.ppo.options import Options
from roborally_env.training.progress import ProgressLine

LOOKS = 0.5  # seconds between two looks at the runs
LOG, RESULT = "log.txt", "result.json"
_CHILD = "from roborally_env.training.ppo.seeds import work; work()"


def folder_of(options: Options, seed: int) -> Path:
    """The folder of the run with a seed."""
    return Path(options.out) / f"seed{seed}"


def train_seeds(options: Options, seeds: Sequence[int], processes: int = 1) -> int:
    """Train once with each seed, `processes` runs at a time, or resume what is in their folders.

    Each run is that of `train` with the same options and `out` in a folder `seedN` of the folder. Ctrl-C stops all of
    them with their checkpoints. Reports the interquartile mean over the runs with its 95% interval.

    Returns:
        The exit code: 130 after Ctrl-C, 1 if a run has failed, else 0.

    Raises:
        RoboRallyError: for seeds or options that do not fit.
    """
    options.check()
    if len(set(seeds)) != len(seeds) or not all(0 <= seed <= MOST_SEED for seed in seeds):
        raise RoboRallyError(
            f"--seeds {' '.join(map(str, seeds))}: expected different whole numbers from 0 to {MOST_SEED}"
        )
    line, waiting = ProgressLine(), list(seeds)
    runs: dict[int, _Run] = {}
    ended: dict[int, int] = {}
    stop = threading.Event()
    with interrupts_noted(stop.set):
        while (waiting and not stop.is_set()) or runs:
            while waiting and len(runs) < max(1, processes) and not stop.is_set():
                seed = waiting.pop(0)
                runs[seed] = _Run(options, seed)
            if stop.is_set():
                for run in runs.values():
                    run.stop()
            for seed, run in list(runs.items()):
                if (code := run.poll()) is not None:
                    ended[seed] = code
                    del runs[seed]
                    line.say(f"seed {seed}: {run.last_line()}")
            if runs:
                line.show(*(f"seed {seed}: {run.last_line()}" for seed, run in runs.items()))
            time.sleep(LOOKS)
    line.close()
    if stop.is_set():
        print_lines("stopped; the same command resumes")
        return 130
    _report(options, seeds)
    return 1 if any(ended.values()) else 0


class _Run:
    """A run in a process of its own, which stops, with a checkpoint, when its stdin closes: also if this process ends,
    however it does."""

    def __init__(self, options: Options, seed: int) -> None:
        mine = dataclasses.replace(options, seed=seed, out=str(folder_of(options, seed)))
        folder = Path(mine.out)
        make_folder(folder, "--out")
        try:
            self.log: IO[bytes] = (folder / LOG).open("ab")
        except OSError as error:
            raise RoboRallyError(f"--out {folder}: cannot be written: {error.strerror}") from None
        self.path = folder / LOG
        self.process = subprocess.Popen(
            [sys.executable, "-c", _CHILD], stdin=subprocess.PIPE, stdout=self.log, stderr=self.log,
            start_new_session=True,  # Ctrl-C in a terminal is for this process, which stops the run
        )  # fmt: skip
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(dataclasses.asdict(mine)).encode() + b"\n")
        self.process.stdin.flush()

    def stop(self) -> None:
        """Ask the run to stop."""
        assert self.process.stdin is not None
        self.process.stdin.close()

    def poll(self) -> int | None:
        """The exit code, if the run has ended."""
        code = self.process.poll()
        if code is not None:
            self.log.close()
        return code

    def last_line(self) -> str:
        """What the run has said last."""
        with self.path.open("rb") as file:
            file.seek(max(0, self.path.stat().st_size - 2000))
            lines = [text for text in file.read().decode("utf-8", "replace").splitlines() if text.strip()]
        return lines[-1].strip() if lines else "begins"


def work() -> None:
    """The process of a run: its options are a line of stdin."""
    import _thread

    from roborally_env.training.ppo.run import STOPPED, train

    options = Options(**json.loads(sys.stdin.readline()))

    def wait_for_end() -> None:
        sys.stdin.read()
        _thread.interrupt_main()

    threading.Thread(target=wait_for_end, daemon=True).start()
    try:
        result = train(options)
    except RoboRallyError as error:
        print_lines(f"error: {error}")
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(STOPPED)
    found: NamedValues = {"evaluations": [dataclasses.asdict(row) for row in result.evaluations]}
    (Path(options.out) / RESULT).write_text(json.dumps(found))
    sys.exit(STOPPED if result.stopped else 0)


def _report(options: Options, seeds: Sequence[int]) -> None:
    """What the runs have won in their last evaluations."""
    rows: dict[str, list[float]] = {}
    for seed in seeds:
        path = folder_of(options, seed) / RESULT
        if not path.exists():
            continue
        found = json.loads(path.read_text())["evaluations"]
        several = len({row["course"] for row in found}) > 1
        last = {
            f"{row['opponent']} on {row['course']}" if several else row["opponent"]: row["win_rate"] for row in found
        }
        for opponent, share in last.items():
            rows.setdefault(opponent, []).append(share)
    for opponent, shares in rows.items():
        low, high = interval(shares)
        print_lines(
            f"against {options.players - 1} {opponent}: won {interquartile_mean(shares):.1%} ({low:.1%} - {high:.1%}), "
            f"the interquartile mean of {len(shares)} runs"
        )
