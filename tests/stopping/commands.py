"""The commands that run long, each with a short job, and what they leave, without facts about the machine."""

from __future__ import annotations

import csv
import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

# workers are started for short jobs too, parts in progress are kept often, and the benchmark is a small one
LAUNCH = """
if __name__ == "__main__":
    from roborally_env.evaluation import decisions
    from roborally_env.executors import processes

    decisions.SLICE = 0.1
    processes.WORTH_WORKERS = 0.0
    from roborally_env.evaluation.benchmark import CourseSet, Opponent, Protocol, parts, protocol

    sets = (CourseSet("training", ("dizzy_highway",)), CourseSet("test", ("risky_crossing",)))
    bots = (Opponent("greedy", "greedy"), Opponent("uniform", "random"))
    protocol.PROTOCOLS["2016"] = Protocol("2016", sets, 24, 12, bots)
    parts.BATCH = 6
    from roborally_env.cli import main

    main()
"""
# of tables: facts about the machine
TIMES = ("seconds", "rate", "share/")


@dataclass(frozen=True)
class Command:
    """A command with its words, in a folder of its own, and how its results are read."""

    words: tuple[str, ...]
    results: Callable[[Path], dict[str, Any]]


class Running:
    """A process of a command; as a context it is killed at the end."""

    def __init__(self, folder: Path, words: tuple[str, ...]) -> None:
        script = folder / "launch.py"
        script.write_text(LAUNCH, encoding="utf-8")
        self.log = (folder / "log").open("w+", encoding="utf-8")
        self.process = subprocess.Popen(
            [sys.executable, str(script), *words], cwd=folder, stdout=self.log, stderr=self.log, env=dict(os.environ)
        )

    def __enter__(self) -> Running:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        self.log.close()

    @property
    def printed(self) -> str:
        """What it has printed so far."""
        return Path(self.log.name).read_text(encoding="utf-8")

    @property
    def children(self) -> list[int]:
        """The processes that it has started."""
        words = ["ps", "-o", "pid=", "--ppid", str(self.process.pid)]
        return [int(word) for word in subprocess.run(words, capture_output=True, text=True, check=False).stdout.split()]

    def stop(self, by: signal.Signals) -> None:
        """Send it a signal and wait; its children end within a second of it, but for what a busy machine adds."""
        children = self.children
        self.process.send_signal(by)
        self.process.wait(60)
        until = time.monotonic() + 2
        while any(is_alive(child) for child in children):
            assert time.monotonic() < until, "a worker outlives its parent"
            time.sleep(0.02)


def is_alive(number: int) -> bool:
    """Whether a process runs."""
    words = ["ps", "-o", "stat=", "-p", str(number)]
    state = subprocess.run(words, capture_output=True, text=True, check=False).stdout
    return bool(state.strip()) and not state.startswith("Z")


def files(folder: Path) -> dict[str, Any]:
    """The bytes of all files, but of the lock and of what a killed process had started to write."""
    found = (path for path in folder.rglob("*") if path.is_file() and not path.name.startswith("."))
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


def of_benchmark(folder: Path) -> dict[str, Any]:
    """The outcomes, and the card but for the run."""
    found = {name: content for name, content in files(folder).items() if name.startswith("parts/")}
    card = json.loads((folder / "card.json").read_text(encoding="utf-8"))
    return {**found, "races": (folder / "races.csv").read_bytes(), "card": {**card, "run": None}}


def of_training(folder: Path) -> dict[str, Any]:
    """Weights, evaluations, and the rows of tables but for times."""
    found: dict[str, Any] = {}
    for path in folder.glob("*.csv"):
        rows = list(csv.DictReader(path.open(encoding="utf-8")))
        found[path.name] = [{k: v for k, v in row.items() if not k.startswith(TIMES)} for row in rows]
    if (folder / "weights.npz").exists():
        with np.load(folder / "weights.npz") as arrays:
            found |= {name: arrays[name].tobytes() for name in arrays.files}
    assert found
    return found


def parameters_of(folder: Path) -> dict[str, Any]:
    """The same of a run without weights of its own: those in its checkpoint."""
    import torch

    state = torch.load(folder / "checkpoint.pt", map_location="cpu", weights_only=False)["parameters"]["policy"]
    return {**of_training(folder), **{name: array.numpy().tobytes() for name, array in state.items()}}


RACES = ("--course", "dizzy_highway", "twister", "--max-rounds", "25", "--seed", "3")
COMMANDS = {
    "evaluate": Command(
        ("evaluate", "--agents", "greedy", "random", *RACES, "--games", "80", "--workers", "2"),
        files,
    ),
    "generate": Command(("generate", "--count", "20", "--seed", "1"), files),
    "selfplay": Command(
        ("selfplay", "--agents", "greedy", "random", *RACES, "--games", "60", "--shard-games", "10", "--workers", "2"),
        files,
    ),
    "benchmark": Command(("benchmark", "greedy", "--workers", "2"), of_benchmark),
    "train value": Command(
        ("train", "value", "--courses", "dizzy_highway", "--games", "32", "--positions", "10000", "--hidden", "16",
         "--checkpoint-every", "0.3", "--held-out", "2", "--threads", "1"),
        of_training,
    ),
    "train selfplay": Command(
        ("train", "selfplay", "--courses", "dizzy_highway", "--games", "16", "--steps", "6", "--hidden", "16",
         "--league", "greedy", "--checkpoint-every", "0.5", "--decisions", "3000", "--deals", "0",
         "--evaluate-games", "2", "--opponents", "random", "--device", "cpu", "--threads", "1"),
        of_training,
    ),
    "train sb3": Command(
        ("train", "sb3", "--games", "8", "--rollout", "16", "--minibatch", "128", "--width", "16", "--epochs", "1",
         "--decisions", "2500", "--checkpoint-seconds", "0.3", "--evaluate-every", "1500", "--evaluate-games", "4",
         "--final-games", "4", "--threads", "1", "--device", "cpu"),
        parameters_of,
    ),
}  # fmt: skip


# -- roborally play: somebody has to answer

PLAY = ("play", "--course", "fractionation", "--opponents", "random", "greedy", "--seed", "7", "--max-rounds", "4")
FILE = "race.json"


class Played(Running):
    """A race of one person: a new one, or the one of the file where that is there."""

    def __init__(self, folder: Path) -> None:
        is_started = (folder / FILE).exists()
        words = ("play", "--resume", FILE) if is_started else (*PLAY, "--save", FILE)
        super().__init__(folder, (*words, "--no-open", "--port", "0"))

    def link(self) -> str:
        """The address of the person's socket."""
        until = time.monotonic() + 120
        while not (found := re.search(r"player 1: http(\S+)", self.printed)):
            assert self.process.poll() is None, self.printed
            assert time.monotonic() < until
            time.sleep(0.05)
        return f"ws{found[1]}/socket"

    def answer(self, most: int) -> int:
        """Answer so many questions, or up to the end; the same questions get the same answers. Returns how many were
        answered."""
        from websockets.sync.client import connect

        done: set[int] = set()
        with connect(self.link(), max_size=2**24, proxy=None) as page:
            while len(done) < most:
                shown = json.loads(page.recv(timeout=120))
                if shown.get("phase") == "over":
                    break
                for question in shown.get("questions", ()):
                    if question["number"] not in done:
                        done.add(question["number"])
                        page.send(json.dumps(answer_to(question)))
        return len(done)


def answer_to(question: dict[str, Any]) -> dict[str, Any]:
    """An answer that depends on what is asked alone."""
    dice = random.Random(json.dumps({**question, "number": 0}, sort_keys=True))
    message = {"number": question["number"], "robot": question["robot"]}
    if question["kind"] != "program":
        return {"type": "choice", **message, "option": dice.choice(question["answers"])["option"]}
    slots: list[int] = []
    for register in question["registers"]:
        slots.append(dice.choice([slot for slot in register["slots"] if slot not in slots]))
    return {"type": "program", **message, "slots": slots}
