"""`roborally engine`: an agent answers other programs as it plays itself."""

import io
import json
import sys

import numpy as np
import pytest
from roborally_env.agents import make_agent
from roborally_env.agents.asking import Positions, ask_line
from roborally_env.agents.decisions import decide

from roborally_env import AgentError, BatchRace
from roborally_env.cli import main
from roborally_env.engine import Engine, serve

GAMES = {
    "2016": {}, "lighter": {"rules": {"upgrades": False}}, "2005": {"edition": "2005"}, "2023": {"edition": "2023"},
    "community": {"edition": "community"},
}  # fmt: skip


@pytest.mark.parametrize("game", GAMES)
def test_the_engine_answers_as_the_agent_decides(game):
    batch = BatchRace(1, players=3, seed=5, auto_reset=False, **GAMES[game])
    engine, agent = Engine("greedy"), make_agent("greedy")
    programs_asked = choices_asked = 0
    for _ in range(14):
        programs, choices = decide(batch, [agent], np.zeros((1, 3), np.int64))
        for seat in range(3):
            questions = Positions(batch, 0)
            if batch.programmed[0, seat] and batch.programming[0]:
                row, _ = questions.program(0, seat, batch.observations["masks"][0, seat])
                (answer,) = json.loads(engine.answer(ask_line(1, [row], questions.courses, 1)))["answers"]
                slots = answer["program"] if isinstance(answer, dict) else answer
                closed = int(batch.closed_registers[0, seat])
                expected = programs[0, seat].tolist()
                assert [s for k, s in enumerate(slots) if not closed >> k & 1] == [
                    s for k, s in enumerate(expected) if not closed >> k & 1
                ]
                programs_asked += 1
            elif not batch.programming[0] and int(batch.games["ask_seat"][0]) == seat:
                row, _, numbers = questions.choice(0, seat, batch.observations["choice_masks"][0, seat])
                (answer,) = json.loads(engine.answer(ask_line(1, [row], questions.courses, 1)))["answers"]
                assert 1 + numbers[answer] == choices[0, seat]
                choices_asked += 1
        batch.step(programs, choices)
    assert programs_asked > 5
    assert (choices_asked > 0) == (game in ("2016", "community"))


WRONG = ["x", "[]", "{}", '{"roborally": 2, "id": 1, "rows": []}', '{"roborally": 1, "id": 1, "rows": 3}']


@pytest.mark.parametrize("line", WRONG)
def test_a_wrong_line_is_answered_with_an_error(line):
    assert "error" in json.loads(Engine("random").answer(line))


ROWS = [
    3, {}, {"decision": "program"}, {"decision": "program", "position": {}}, {"decision": "brakes", "default": 1},
    {"decision": "program", "position": {"edition": "2016", "course": "dizzy_highway", "robots": [{"x": 1, "y": 1}]}},
    {"decision": "buy_upgrade", "default": 0, "options": ["no", "nothing"], "seat": 7, "position": {}},
]  # fmt: skip


@pytest.mark.parametrize("row", ROWS, ids=range(len(ROWS)))
def test_a_wrong_row_gets_the_default(row):
    answer = json.loads(Engine("random").answer(json.dumps({"roborally": 1, "id": 3, "rows": [row]})))
    assert answer["id"] == 3
    assert answer["answers"] in ([0], [1], [[0] * 5])


def first_question():
    """A line that asks for a program on Dizzy Highway, as JSON values."""
    batch = BatchRace(1, players=2, seed=5, auto_reset=False, rules={"upgrades": False})
    questions = Positions(batch, 0)
    row, _ = questions.program(0, 0, batch.observations["masks"][0, 0])
    return json.loads(ask_line(1, [row], questions.courses, 1))


def test_a_power_down_is_announced_only_where_the_rules_have_it():
    ask = first_question()
    expected = Engine("greedy").answer(json.dumps(ask))
    ask["rows"][0]["may_power_down"] = True
    assert Engine("greedy").answer(json.dumps(ask)) == expected


def test_a_position_without_a_course_is_answered():
    ask = first_question()
    ask["courses"]["None"] = ask["courses"][ask["rows"][0]["position"].pop("course")]
    assert len(json.loads(Engine("greedy").answer(json.dumps(ask)))["answers"][0]) == 5


def test_a_course_may_be_sent_again_with_another_map():
    ask, engine = first_question(), Engine("greedy")
    before = engine.answer(json.dumps(ask))
    ask["courses"]["dizzy_highway"]["map"]["checkpoints"][0].update(x=1, y=9)
    assert before != engine.answer(json.dumps(ask)) == Engine("greedy").answer(json.dumps(ask))


def test_each_line_is_answered():
    out = io.StringIO()
    serve(Engine("random"), io.BytesIO(b'x\n\n{"roborally": 1, "id": 1, "rows": []}\n'), out)
    assert [json.loads(line) for line in out.getvalue().splitlines()][1] == {"id": 1, "answers": []}


@pytest.mark.parametrize("line", [b"\xff", b"[" * 10_000_000], ids=["no UTF-8", "too long"])
def test_a_line_that_is_none_is_answered_once(line):
    out = io.StringIO()
    serve(Engine("random"), io.BytesIO(line + b'\n{"roborally": 1, "id": 1, "rows": []}'), out)
    error, answer = map(json.loads, out.getvalue().splitlines())
    assert list(error) == ["error"]
    assert answer == {"id": 1, "answers": []}


def test_a_former_option_of_an_agent_is_a_line_on_stderr(monkeypatch, capsys):
    for _ in range(2):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO()))
        with pytest.raises(SystemExit, match="0"):
            main(["engine", "learned-search:rounds=2"])
        assert capsys.readouterr().err == "roborally_env: learned-search: rounds has no effect any more, ahead has\n"


def test_the_command_takes_an_agent(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b'{"roborally": 1, "id": 1, "rows": []}\n')))
    with pytest.raises(SystemExit, match="0"):
        main(["engine", "random"])
    assert json.loads(capsys.readouterr().out) == {"id": 1, "answers": []}
    with pytest.raises(SystemExit, match="2"):
        main(["engine", "nobody"])
    with pytest.raises(AgentError):
        Engine("nobody")
