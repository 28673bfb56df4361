"""`roborally play` as it is started and stopped."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest

from roborally_env.base.errors import RoboRallyError
from roborally_env.cli.play import _say
from roborally_env.play import listener
from tests.cli.conftest import roborally as roborally

client = pytest.importorskip("websockets.sync.client")


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["--course", "dizzy_higway"], "unknown course 'dizzy_higway' (did you mean dizzy_highway"),
        (["--opponents", "planner", "gredy"], "unknown agent 'gredy' (did you mean greedy, learned?)"),
        (["--humans", "9"], "humans: expected a whole number from 1 to 8, got 9"),
        (["--opponents", *["random"] * 6], "got 7 on fractionation: 1 person and 6 opponents"),
        (["--rules", "upgrades"], "--rules: expected NAME=VALUE, such as upgrades=false, got 'upgrades'"),
        (["--rules", "upgrades=perhaps"], "rules.upgrades: expected true or false, got 'perhaps'"),
        (["--port", "70000"], "--port: expected a whole number from 0 to 65535, got 70000"),
        (["--host", "no.such.host.invalid"], "--host no.such.host.invalid: unknown host"),
        (["--host", "192.0.2.7"], "--host 192.0.2.7: cannot be listened on"),
        (["--save", "/none/race.json"], "--save /none/race.json: cannot be written: there is no folder /none"),
        (["--edition", "comunity"], "unknown edition 'comunity' (did you mean community?)"),
        (["--name", "a", "b"], "names: expected at most 1, one a person, got 2"),
        (["--timer", "0"], "timer: expected a whole number from 1 to 3600, got 0"),
        (["--bot-time", "5"], "--bot-time is for the timer; give --timer with it"),
        (["--resume", "none.json"], "none.json: cannot be read: No such file"),
        (["--resume", "none.json", "--seed", "1"], "--seed belongs to a new race; leave it out with --resume"),
        (["--resume", "none.json", "--name", "x"], "--name belongs to a new race; leave it out with --resume"),
        (["--guide", "--course", "twister"], "--course: --guide is always the same race for one person"),
        (["--guide", "--opponents", "planner"], "--opponents: --guide is always the same race"),
        (["--guide", "--seed", "0"], "--seed: --guide is always the same race"),
        (["--guide", "--humans", "2"], "--humans: --guide is always the same race"),
        (["--guide", "--rules", "upgrades=false"], "--rules: --guide is always the same race"),
        (["--guide", "--name", "a", "b"], "names: expected at most 1, one a person, got 2"),
    ],
)
def test_a_wrong_input_is_one_line(roborally: Any, tmp_path: Path, words: list[str], line: str) -> None:
    save = [] if "--save" in words else ["--save", str(tmp_path / "race.json")]
    code, out, err = roborally("play", "--no-open", *words, *save)
    assert code == 2
    assert out == ""
    assert line in err
    assert err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_a_busy_port_is_one_line(roborally: Any, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as busy:
        port = busy.getsockname()[1]
        code, _, err = roborally("play", "--no-open", "--port", port, "--save", tmp_path / "race.json")
    assert code == 2
    assert err.startswith(f"roborally: --port {port}: another program has it on 127.0.0.1; expected a free one")
    assert err.count("\n") == 1


@pytest.mark.parametrize("package", listener.NEEDED)
def test_a_missing_package_names_the_extra(monkeypatch: pytest.MonkeyPatch, package: str) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(RoboRallyError) as caught:
        listener.check_extra()
    assert str(caught.value) == f'play: {package} is not installed; pip install "roborally_env[play]" gives it'


def test_links_are_those_that_other_machines_reach(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listener, "own_address", lambda: "192.168.1.5")
    assert listener.base_of("0.0.0.0", 8000) == "http://192.168.1.5:8000"
    assert listener.base_of("127.0.0.1", 8000) == "http://127.0.0.1:8000"
    assert listener.base_of("::1", 8000) == "http://[::1]:8000"


NOT_ONE_ROUND = ["no round was finished", "to resume the race: roborally play --resume race.json"]


class Running:
    """The command in a process of its own; a with statement kills it."""

    def __init__(self, folder: Path, *words: str) -> None:
        command = [sys.executable, "-c", "from roborally_env.cli import main; main()", "play", "--no-open", *words]
        self.process = subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE, text=True, env=dict(os.environ))
        self.lines: list[str] = []

    def line_with(self, text: str) -> str:
        """The next line of the terminal that has this in it."""
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.lines.append(line.rstrip())
            if text in line:
                return self.lines[-1]
        raise AssertionError(f"no line with {text!r}: {self.lines}")

    def __enter__(self) -> Running:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()

    def stop(self, by: signal.Signals) -> int:
        self.process.send_signal(by)
        assert self.process.stderr is not None
        self.lines += self.process.stderr.read().splitlines()
        return self.process.wait(60)


@pytest.fixture
def two_people(tmp_path: Path) -> Iterator[Running]:
    """A race of two people and two bots, just started."""
    words = ["--humans", "2", "--name", "Ann", "Bob", "--opponents", "random", "random", "--port", "0"]
    running = Running(tmp_path, *words, "--rules", "upgrades=false", "--save", "race.json")
    yield running
    running.process.kill()
    running.process.wait()


def test_the_terminal_has_a_link_for_each_seat_and_ctrl_c_ends_cleanly(two_people: Running, tmp_path: Path) -> None:
    links = [re.sub(r".*(http\S+)", r"\1", two_people.line_with(f"{name}: http")) for name in ("Ann", "Bob")]
    two_people.line_with("Ctrl-C")
    assert two_people.lines[0] == "Fractionation (edition 2016): Ann, Bob, random 2, random 3"
    assert len(set(links)) == 2
    assert all(link.startswith("http://127.0.0.1:") for link in links)
    with client.connect(links[0].replace("http", "ws", 1) + "/socket", max_size=2**24, proxy=None) as page:
        assert page.recv(timeout=300)
        deadline = time.monotonic() + 300
        while not (tmp_path / "race.json").exists():  # the race begins after the page
            assert time.monotonic() < deadline
            time.sleep(0.05)
        assert two_people.stop(signal.SIGINT) == 130
    assert two_people.lines[-2:] == NOT_ONE_ROUND
    assert not any("Traceback" in line for line in two_people.lines)


def test_all_addresses_are_known_by_any_of_their_names(tmp_path: Path) -> None:
    running = Running(tmp_path, "--host", "0", "--port", "0", "--opponents", "random", "--save", "race.json")
    try:
        link = running.line_with("player 1: http")
        assert "//0:" not in link
        assert "The page is served on 0.0.0.0, unencrypted" in running.line_with("unencrypted")
    finally:
        running.process.kill()
        running.process.wait()


SLOW = """
import time

class Slow:
    name, needs_observation = "slow", False

    def __init__(self, seed=0):
        pass

    def act(self, observations, masks, info):
        time.sleep(60)
"""


@pytest.mark.parametrize("by", [[signal.SIGINT, signal.SIGINT], [signal.SIGTERM]], ids=["ctrl-c twice", "terminated"])
def test_the_race_ends_cleanly_while_a_bot_thinks(tmp_path: Path, by: list[signal.Signals]) -> None:
    (tmp_path / "slow.py").write_text(SLOW)
    words = ["--opponents", "slow:Slow", "random", "random", "--port", "0", "--rules", "upgrades=false"]
    running = Running(tmp_path, *words, "--save", "race.json")
    link = re.sub(r".*(http\S+)", r"\1", running.line_with("player 1: http"))
    with client.connect(link.replace("http", "ws", 1) + "/socket", max_size=2**24, proxy=None) as page:
        while '"thinking":1' not in page.recv(timeout=300):
            pass
        for each in by[:-1]:
            running.process.send_signal(each)
        assert running.stop(by[-1]) == 130
    bots = "--opponents slow:Slow random random "
    assert running.lines[-2:] == [line.replace("race.json", f"race.json {bots}".strip()) for line in NOT_ONE_ROUND]
    assert not any("Traceback" in line or "Error" in line for line in running.lines)


def link_of(running: Running, name: str) -> str:
    return re.sub(r".*(http\S+)", r"\1", running.line_with(f"{name}: http"))


def test_without_a_course_the_start_page_opens_and_its_race_is_reported(tmp_path: Path) -> None:
    with Running(tmp_path, "--port", "0") as running:
        start = link_of(running, "Choose a race")
        running.line_with("Ctrl-C")
        choice = json.dumps({"people": ["Ann"], "course": "twister", "opponents": ["random"] * 3}).encode()
        request = Request(f"{start}/race", choice, {"Content-Type": "application/json"})
        with urlopen(request, timeout=120) as answer:
            links = json.load(answer)
        assert running.line_with("Twister") == "Twister (edition 2016): Ann, random 1, random 2, random 3"
        assert link_of(running, "Ann") == links["seats"][0]["link"]
        assert link_of(running, "to watch") == links["watch"]
        assert running.stop(signal.SIGINT) == 130
        assert running.lines[-1] in (
            "no round was finished, so there is no replay",  # it was still being set up
            *(f"to resume the race: roborally play --resume {file.name}" for file in tmp_path.glob("*.json")),
        )


def test_a_start_page_without_a_race_ends_with_0(tmp_path: Path) -> None:
    with Running(tmp_path, "--port", "0") as running:
        with urlopen(link_of(running, "Choose a race"), timeout=60) as page:
            assert page.status == 200
        assert running.stop(signal.SIGINT) == 0
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "by", [pytest.param(signal.SIGINT, marks=pytest.mark.slow), signal.SIGKILL], ids=["ctrl-c", "killed"]
)
def test_a_race_outlives_its_server(tmp_path: Path, by: signal.Signals) -> None:
    words = ["--course", "fractionation", "--opponents", "random", "--port", "0", "--rules", "upgrades=false"]
    dice = random.Random(1)
    with Running(tmp_path, *words, "--timer", "--save", "race.json") as running:
        link = link_of(running, "player 1")
        with client.connect(link.replace("http", "ws", 1) + "/socket", max_size=2**24, proxy=None) as page:
            asked = rounds(page, dice, 2)
            code = running.stop(by)
        assert code == (130 if by == signal.SIGINT else -signal.SIGKILL)
        if by == signal.SIGINT:
            assert running.lines[-2:] == [
                "replay of 1 round: race.json",
                "to resume the race: roborally play --resume race.json",
            ]
    with Running(tmp_path, "--port", "0", "--save", "other.json") as later:
        later.line_with("1 unfinished race; to resume it: roborally play --resume race.json")
    with Running(tmp_path, "--resume", "race.json", "--port", "0") as again:
        back = link_of(again, "player 1")
        assert back.rpartition("/")[2] == link.rpartition("/")[2]
        with client.connect(back.replace("http", "ws", 1) + "/socket", max_size=2**24, proxy=None) as page:
            now = rounds(page, dice, 2)
            assert {**now, "number": 0} == {**asked, "number": 0}


def rounds(page: Any, dice: random.Random, number: int) -> dict[str, Any]:
    """Answer by chance up to the program of a round; its question."""
    while True:
        shown = json.loads(page.recv(timeout=300))
        for question in shown.get("questions", ()):
            message = {"number": question["number"], "robot": question["robot"]}
            if question["kind"] != "program":
                page.send(json.dumps({"type": "choice", **message, "option": question["answers"][0]["option"]}))
            elif question["round"] == number:
                return dict(question)
            else:
                slots: list[int] = []
                for register in question["registers"]:
                    slots.append(dice.choice([slot for slot in register["slots"] if slot not in slots]))
                page.send(json.dumps({"type": "program", **message, "slots": slots}))


def test_a_race_goes_on_when_its_terminal_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    class Gone:
        def write(self, text: str) -> int:
            raise BrokenPipeError

        flush = close = lambda self: None

    monkeypatch.setattr("sys.stderr", Gone())
    _say("a line that nobody reads")
