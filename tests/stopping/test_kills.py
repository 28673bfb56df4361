"""Whatever kills a command, and whenever: it goes on, and what it leaves is what it would have left undisturbed.

ROBORALLY_KILLS=60 kills all commands several times by each of the signals; by default each is killed three times, in
`make test-all` alone.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.stopping.commands import COMMANDS, FILE, Played, Running, answer_to, files

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals")
KILLS = int(os.environ.get("ROBORALLY_KILLS", "30"))
SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)
PLAY = "play"
NAMES = ("evaluate", PLAY, "generate", *(name for name in COMMANDS if name not in ("evaluate", "generate")))
EACH = [(chain, NAMES[chain % len(NAMES)], min(3, KILLS - 3 * chain)) for chain in range(-(-KILLS // 3))]
EXTRAS = {"play": "websockets", "selfplay": "pyarrow", "train": "torch"}


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What a command leaves undisturbed, and its length: its progress at the end, of `play` the questions."""
    found: dict[str, tuple[dict[str, Any], int]] = {}

    def of(name: str) -> tuple[dict[str, Any], int]:
        if name not in found:
            folder = tmp_path_factory.mktemp("undisturbed")
            answered = to_the_end(folder, name)
            found[name] = (results(folder, name), answered if name == PLAY else progress(folder))
        return found[name]

    return of


@pytest.mark.slow
@pytest.mark.parametrize(("chain", "name", "kills"), EACH, ids=[f"{chain} {name}" for chain, name, _ in EACH])
def test_a_killed_command_goes_on_and_ends_as_undisturbed(
    chain: int, name: str, kills: int, undisturbed: Any, tmp_path: Path
) -> None:
    """Killed by one signal after the other, and each time gone on with."""
    pytest.importorskip(EXTRAS.get(name.split()[0], "numpy"))
    wanted, length = undisturbed(name)
    dice, hit = random.Random(chain), 0
    for kill in range(kills):
        hit += killed(tmp_path, name, SIGNALS[(chain + kill) % len(SIGNALS)], length, dice)
    to_the_end(tmp_path, name)
    assert results(tmp_path, name) == wanted
    print(f"{name}: {hit} of {kills} signals came before the end")


def killed(folder: Path, name: str, by: signal.Signals, length: int, dice: random.Random) -> bool:
    """Run a command for a part of its length, then send it a signal; returns whether it ran until then."""
    if name == PLAY:
        if is_over(folder):
            return False
        with Played(folder) as running:
            running.answer(dice.randrange(length))
            time.sleep(0.2 * dice.random())
            return stop(running, by)
    with Running(folder, (*COMMANDS[name].words, "--out", "out")) as running:
        started = progress(folder)
        wanted = started + (length - started) * dice.uniform(0.1, 0.7)
        while progress(folder) < wanted and running.process.poll() is None:
            time.sleep(0.01)
        time.sleep(0.1 * dice.random())
        return stop(running, by)


def is_over(folder: Path) -> bool:
    """Whether the race of `play` was over when it was killed: its file is a replay, with which nothing goes on."""
    return (folder / FILE).exists() and "play" not in json.loads((folder / FILE).read_bytes())


def progress(folder: Path) -> int:
    """How far a command is, which depends on no clock: files and rows of tables that it has written."""
    written = [Path(place, name) for place, _, names in os.walk(folder / "out") for name in names]
    rows = 0
    for path in written:
        if path.name == "progress.csv":
            with suppress(FileNotFoundError):  # a run that begins anew removes it
                rows += path.read_bytes().count(b"\n")
    return len(written) + rows


def stop(running: Running, by: signal.Signals) -> bool:
    ran = running.process.poll() is None
    running.stop(by)
    if running.process.returncode == 130:  # else it had not started, or was at its end
        assert "Traceback" not in running.printed
    return ran


def to_the_end(folder: Path, name: str) -> int:
    """Run a command to its end; returns how many questions were answered."""
    if name == PLAY:
        if is_over(folder):
            return 0
        with Played(folder) as running:
            answered = running.answer(10**6)
            running.stop(signal.SIGINT)
            assert running.process.returncode == 0, running.printed
            return answered
    with Running(folder, (*COMMANDS[name].words, "--out", "out")) as running:
        assert running.process.wait(300) == 0, running.printed
    return 0


def results(folder: Path, name: str) -> dict[str, Any]:
    if name == PLAY:
        return {FILE: (folder / FILE).read_bytes()}
    return COMMANDS[name].results(folder / "out")


def test_the_same_question_has_the_same_answer() -> None:
    question = {"number": 3, "robot": 0, "kind": "buy_upgrade", "answers": [{"option": 0}, {"option": 4}]}
    assert answer_to({**question, "number": 9})["option"] == answer_to(question)["option"]


def test_nothing_begun_counts_as_a_result(tmp_path: Path) -> None:
    (tmp_path / ".0123456789abcdef.part").write_text("")
    assert files(tmp_path) == {}
