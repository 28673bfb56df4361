"""Programs in other languages as agents: the same races as a bot in Python, and races that go on whatever they do."""

import json
import logging
import os
import pickle
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from roborally_env.agents import check_from_file, make_agent
from roborally_env.agents.decisions import decide
from roborally_env.agents.foreign import ExecAgent

from roborally_env import AgentError, BatchRace
from roborally_env.core import cards
from roborally_env.replay import record
from roborally_env.replay.writer import as_text
from tests.learning.nets import load_script
from tests.sizes import size

BOTS = Path(__file__).parents[2] / "scripts" / "bots"
WORTH = np.full(256, 1)
WORTH[[cards.MOVE_1, cards.MOVE_2, cards.MOVE_3]] = 3, 4, 5
WORTH[[cards.TURN_LEFT, cards.TURN_RIGHT]] = 2


class Forward:
    """The bot of scripts/bots as an agent of the package."""

    name = "forward"
    needs_observation = False

    def act(self, observations: Any, masks: np.ndarray, info: Any) -> np.ndarray:
        hands = info.batch.games["hand"][info.games, info.seats]
        worth, rows = WORTH[hands[:, : masks.shape[2]]], np.arange(len(hands))
        programs = np.zeros((len(hands), 5), np.int8)
        for register in range(5):
            programs[:, register] = np.where(masks[:, register] == 1, worth, -1).argmax(axis=1)
            worth[rows, programs[:, register]] = -2
        return programs


def command(language: str, folder: Path) -> str:
    """The command that runs the bot in a language."""
    if language == "python":
        return f"{sys.executable} {BOTS / 'forward.py'}"
    if language == "javascript":
        return f"{shutil.which('node') or pytest.skip('node is not installed')} {BOTS / 'forward.js'}"
    compiler = shutil.which("cc") or pytest.skip("there is no C compiler")
    subprocess.run([compiler, "-o", folder / "forward", BOTS / "forward.c"], check=True)
    return str(folder / "forward")


def race(agent: Any, **options: Any) -> str:
    """The replay of a race of an agent against `random`."""
    batch = BatchRace(1, players=3, seed=4, max_rounds=6, auto_reset=False, **options)
    others, line_up = make_agent("random", 1), np.array([[0, 1, 0]])
    return as_text(record(batch, 4, lambda batch: decide(batch, [agent, others], line_up), ["bot", "random", "bot"]))


@pytest.mark.parametrize("language", ["python", "javascript", "c"])
@pytest.mark.parametrize("edition", ["2016", "2023", "community"])
def test_a_bot_in_any_language_plays_the_same_bytes(language: str, edition: str, tmp_path: Path) -> None:
    agent = ExecAgent(command(language, tmp_path), milliseconds=20_000)
    assert race(agent, edition=edition) == race(Forward(), edition=edition)
    assert not agent.faults


@pytest.mark.parametrize("language", ["javascript", "c"])
def test_every_choice_of_2005_too(language: str, tmp_path: Path) -> None:
    agents = [ExecAgent(command(each, tmp_path), milliseconds=20_000) for each in ("python", language)]
    mine, other = (race(agent, edition="2005", decisions="all") for agent in agents)
    assert mine == other
    assert not agents[0].faults
    assert not agents[1].faults


def test_questions_and_answers_fit_the_schema_of_the_page(tmp_path: Path) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    page = (BOTS.parents[1] / "docs" / "protocol.md").read_text()
    schema = json.loads(page.rpartition("```json\n")[2].partition("```")[0])
    log = tmp_path / "log"
    (tmp_path / "bot.py").write_text(
        (BOTS / "forward.py").read_text().replace("ask = json", f"open({str(log)!r}, 'a').write(line); ask = json")
    )
    for edition in ("2016", "2005", "2023", "community"):
        race(ExecAgent(f"{sys.executable} {tmp_path / 'bot.py'}", milliseconds=20_000), edition=edition)
    checks = [jsonschema.Draft202012Validator({**schema, "anyOf": [{"$ref": f"#/$defs/{kind}"}]})
              for kind in ("question", "answer")]  # fmt: skip
    lines = log.read_text().splitlines()
    assert len(lines) > 20
    for line in lines:
        checks[0].validate(json.loads(line))
        assert not checks[1].is_valid(json.loads(line))
    checks[1].validate({"id": 7, "answers": [[0, 1, 4, 2, 8], 0, {"program": [0] * 5, "power_down": True}]})


# what a program does in place of answering -> its code, and the kind of fault
WRONG = {
    "nonsense": ("for line in sys.stdin: print('I go left', flush=True)", "nonsense"),
    "no number": ('for line in sys.stdin: print(\'{"id": "x", "answers": 3}\', flush=True)', "nonsense"),
    "other answers": (
        "import json\nfor line in sys.stdin:\n    a = json.loads(line)\n"
        "    print(json.dumps({'id': a['id'], 'answers': [[9, 9, 9, 9, 99]] * len(a['rows'])}), flush=True)",
        "nonsense",
    ),
    "an error": ('for line in sys.stdin: print(\'{"error": "no\\\\u001b[2J"}\', flush=True)', "nonsense"),
    "deep": ("for line in sys.stdin: print('[' * 100_000, flush=True)", "nonsense"),
    "ends at once": ("sys.exit('no licence')", "end"),
    "ends when asked": ("sys.stdin.readline(); raise KeyError('cards')", "end"),
    "pauses": ("import time; time.sleep(60)", "time"),
    "a long line": ("while True: print('x' * 1_000_000, end='', flush=True)", "flood"),
    "old answers": ("while True: print('{\"id\": 0}')", "flood"),
    "noise on stderr": ("while True: print('x' * 10_000, file=sys.stderr)", "time"),
}


@pytest.mark.parametrize(("code", "kind"), WRONG.values(), ids=WRONG)
def test_whatever_a_program_does_the_race_goes_on(
    code: str, kind: str, tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("roborally_env.agents.foreign.START_SECONDS", 0 if kind == "time" else 10)
    (tmp_path / "bot.py").write_text(f"import sys\n{code}\n")
    agent = ExecAgent(f"{sys.executable} {tmp_path / 'bot.py'}", milliseconds=2 if kind == "time" else 20_000)
    batch = BatchRace(4, players=2, seed=1, rules={"upgrades": False}, max_rounds=4, auto_reset=False)
    with caplog.at_level(logging.WARNING):
        while not batch.over.all():
            batch.step(*decide(batch, [agent], np.zeros((4, 2), np.int64)))
    assert agent.faults[kind] > 0
    assert sum(agent.faults.values()) == 4 * 2 * 4
    assert 1 <= len(caplog.messages) <= 11
    for message in caplog.messages:
        assert "\n" not in message
        assert "\x1b" not in message
        assert "default is played" in message or "further faults" in message
    if kind == "end":
        assert "ended with status 1: " in caplog.messages[0]
    agent.close()


def test_faults_of_all_kinds_in_any_order_are_a_line_each() -> None:
    wanted = size(12, 500)
    found = load_script("faulty_bots").play(wanted)
    assert found["total"] >= wanted
    assert found["lines"] >= wanted
    assert found["wrong_lines"] == []
    assert found["steps"] >= wanted


def test_a_late_answer_and_a_greeting_are_passed_over(tmp_path: Path) -> None:
    code = (BOTS / "forward.py").read_text()
    (tmp_path / "bot.py").write_text(f"print('Hello', flush=True)\n{code}")
    agent = ExecAgent(f"{sys.executable} {tmp_path / 'bot.py'}", milliseconds=20_000)
    batch = BatchRace(1, players=2, seed=1, rules={"upgrades": False})
    for _ in range(3):
        batch.step(*decide(batch, [agent], np.zeros((1, 2), np.int64)))
    assert agent.faults == {"nonsense": 2}, "both rows of the first line, and none after it"


def test_many_seats_are_asked_in_one_line_and_the_program_ends_with_the_agent(tmp_path: Path) -> None:
    log = tmp_path / "log"
    (tmp_path / "bot.py").write_text(
        f"import json, os, sys\nfor line in sys.stdin:\n    ask = json.loads(line)\n"
        f"    open({str(log)!r}, 'a').write(json.dumps([os.getpid(), len(ask['rows']), ask['milliseconds'],"
        f" list(ask['courses'])]) + '\\n')\n    print(json.dumps({{'id': ask['id'], 'answers': [[0, 1, 2, 3, 4]]"
        f" * len(ask['rows'])}}), flush=True)\n"
    )
    agent = make_agent(f"exec:milliseconds=9000:{sys.executable} {tmp_path / 'bot.py'}")
    assert isinstance(agent, ExecAgent)
    batch = BatchRace(8, ["dizzy_highway", "risky_crossing"], players=2, seed=1, rules={"upgrades": False})
    for _ in range(2):
        batch.step(*decide(batch, [agent], np.zeros((8, 2), np.int64)))
    asked = [json.loads(line) for line in log.read_text().splitlines()]
    assert [each[1:3] for each in asked] == [[16, 16 * 9000]] * 2
    assert sorted(asked[0][3]) == ["dizzy_highway", "risky_crossing"]
    assert asked[1][3] == [], "courses are sent once"
    pid = asked[0][0]
    os.kill(pid, 0)
    agent.close()
    for _ in range(100):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            break
        time.sleep(0.05)
    else:
        raise AssertionError("the program is still there")


def test_agents_of_this_kind_are_pickled_without_their_program() -> None:
    agent = ExecAgent(f"{sys.executable} bot.py", seed=3, milliseconds=5)
    again = pickle.loads(pickle.dumps(agent))
    assert (again.command, again.seed, again.milliseconds) == (agent.command, 3, 5)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("exec:", "command"),
        ("exec:./not_there --fast", "not_there"),
        ("exec:'", "quotation"),
        ("exec:milliseconds=0:python3", "milliseconds"),
        ("exec:seconds=1:python3", "seconds"),
    ],
)
def test_a_wrong_spec_is_refused_before_any_race(spec: str, message: str) -> None:
    with pytest.raises(AgentError, match=message):
        make_agent(spec)


def test_a_file_may_not_name_a_program() -> None:
    with pytest.raises(AgentError, match="exec"):
        check_from_file("exec:python3")
