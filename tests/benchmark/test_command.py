"""`roborally benchmark`, as a user calls it."""

import json

import pytest

from roborally_env.evaluation.benchmark.parts import Plan
from tests.cli.conftest import roborally  # noqa: F401  the fixture

QUICK = ("--quick", "--workers", 1)


def test_the_table_fits_eighty_columns(roborally, tmp_path):  # noqa: F811
    code, out, err = roborally("benchmark", "greedy", *QUICK, "--out", tmp_path / "out")
    lines = out.split("\n")
    assert code == 0
    assert max(map(len, lines)) <= 80
    assert lines[0] == "greedy: RoboRally-Bench 1, edition 2016, quick"
    assert "greedy   all (2)" in out
    assert "25.0% (25.0 - 25.0)" in out
    assert "risky_crossing" in out
    assert "time class " in out
    assert f"Card: {tmp_path / 'out' / 'card.json'};" in err


def test_the_card_and_its_page(roborally, tmp_path):  # noqa: F811
    out = tmp_path / "out"
    words = ("benchmark", "random:seed=3", *QUICK, "--against", "uniform", "--class", "unlimited", "--out", out)
    code, printed, _ = roborally(*words, "--json")
    card = json.loads((out / "card.json").read_text())
    assert (code, json.loads(printed)) == (0, card)
    assert (card["protocol"], card["agent"], card["edition"]) == ("RoboRally-Bench 1", "random:seed=3", "2016")
    assert card["run"]["command"] == ("roborally benchmark random:seed=3 --class unlimited --quick --against uniform")
    assert {"processor", "cores", "python", "numba"} <= set(card["run"]["machine"])
    assert card["run"]["class_held"] is True
    assert card["run"]["times"]["decisions"] > 24
    page = (out / "card.html").read_text()
    assert page.count("<table>") == 2
    for word in ("random:seed=3", "risky_crossing", "test courses", "RoboRally-Bench 1", "class unlimited holds"):
        assert word in page
    assert "http" not in page.replace("http://www.w3.org", ""), "it needs nothing else"


def test_a_class_that_does_not_hold(roborally, bots, tmp_path):  # noqa: F811
    words = ("benchmark", f"{bots}:Slow", *QUICK, "--against", "uniform", "--out", tmp_path / "out")
    code, out, _ = roborally(*words, "--class", "1ms")
    assert code == 1
    assert "time class 10ms" in out or "time class 100ms" in out  # on a busy machine
    assert "class 1ms does not hold" in out.replace("\n", " ")


def test_errors_of_the_agent_are_counted_and_told_in_a_line(roborally, bots, tmp_path):  # noqa: F811
    words = ("benchmark", f"{bots}:Fails", *QUICK, "--against", "greedy", "--out", tmp_path / "out")
    code, out, err = roborally(*words)
    assert code == 0
    assert "agent 'fails': act raised ValueError: not this" in out
    assert "Traceback" not in out + err
    assert f"the traceback of the first error is in {tmp_path / 'out' / 'traceback.txt'}" in err
    assert "Traceback" in (tmp_path / "out" / "traceback.txt").read_text()


def test_ctrl_c_keeps_what_is_finished_and_the_same_command_goes_on(roborally, tmp_path, monkeypatch):  # noqa: F811
    words = ("benchmark", "greedy", *QUICK, "--against", "greedy", "--out", tmp_path / "out")
    play, played = Plan.play, []

    def interrupted(*arguments, **more):
        played.append(1)
        if len(played) == 4:
            raise KeyboardInterrupt
        return play(*arguments, **more)

    monkeypatch.setattr(Plan, "play", interrupted)
    code, out, err = roborally(*words)
    assert code == 130
    assert out.startswith("greedy: RoboRally-Bench 1, edition 2016, quick, not finished\n")
    assert "roborally: stopped; the same command resumes" in err
    assert json.loads((tmp_path / "out" / "card.json").read_text())["complete"] is False
    code, out, _ = roborally(*words)
    assert (code, len(played)) == (0, 5), "the one part that was missing"
    assert out.startswith("greedy: RoboRally-Bench 1, edition 2016, quick\n")


WRONG = {
    "no agent": ((), "Missing argument 'AGENT'"),
    "unknown": (("grredy",), "unknown agent 'grredy' (did you mean greedy?)"),
    "no file": (("no_bot.py:Bot",), "agent 'no_bot.py:Bot': there is no file no_bot.py"),
    "twice": (("greedy:seed=1,seed=2",), "the option seed is given twice"),
    "class": (("greedy", "--class", "5ms"), "--class: expected one of 1ms, 10ms, 100ms, 1s, unlimited, got '5ms'"),
    "against": (("greedy", "--against", "grredy"), "against: expected one of greedy, uniform, got 'grredy'"),
    "edition": (("greedy", "--edition", "2017"), "edition: expected one of 2016, 2005, community, 2023, got '2017'"),
    "workers": (("greedy", "--workers", "0"), "workers: expected a whole number from 1"),
    "out": (("greedy", "--out", "/dev/null/x"), "/dev/null/x: cannot write there"),
}


@pytest.mark.parametrize(("words", "line"), WRONG.values(), ids=WRONG)
def test_wrong_input_is_told_in_a_line(words, line, roborally, tmp_path, monkeypatch):  # noqa: F811
    monkeypatch.chdir(tmp_path)
    code, out, err = roborally("benchmark", *words)
    assert (code, out) == (2, "")
    assert err.startswith("roborally: ")
    assert err.count("\n") == 1
    assert line in err
    assert not list(tmp_path.iterdir()), "nothing is written"


def test_an_error_of_an_agent_has_its_traceback_for_those_who_ask(roborally, bots):  # noqa: F811
    words = ("evaluate", "--agents", f"{bots}:Fails", "random", "--games", 2, "--workers", 1)
    code, _, err = roborally(*words)
    assert code == 2
    assert "agent 'fails': act raised ValueError: not this (bots.py, line" in err
    assert "(roborally --traceback ... shows where)" in err
    assert "Traceback" not in err
    code, _, err = roborally("--traceback", *words)
    assert code == 2
    assert "Traceback" in err
    assert "shows where" not in err
