"""`roborally replay`, as a user calls it."""

import json

import pytest

from roborally_env.evaluation.tournament import evaluate
from roborally_env.replay import save


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    result = evaluate(["greedy", "random"], "twister", games=1, seed=2, max_rounds=6)
    path = tmp_path_factory.mktemp("replay") / "race.json"
    save(result.replay(result.races[0]), path)
    return path


def test_it_is_drawn_round_by_round_and_checked(file, roborally):
    code, out, err = roborally("replay", file, "--no-color")
    rounds = len(json.loads(file.read_text())["rounds"])
    assert (code, err) == (0, "")
    assert "\x1b" not in out
    assert out.startswith("Twister: the start\n")
    assert [line for line in out.split("\n") if line.startswith("Round ")] == [f"Round {n + 1}" for n in range(rounds)]
    assert out.count("robot 0, greedy: ") == rounds + 1
    assert "@0" in out
    assert out.endswith(f"checked: {rounds} rounds\n")


def test_one_round_alone_with_colour(file, roborally):
    code, out, _ = roborally("replay", file, "--round", 2, "--color")
    assert code == 0
    assert "\x1b[" in out
    assert out.startswith("Round 2\n")
    assert "Round 1\n" not in out
    assert "checked: " in out


def test_json_alone_is_on_stdout(file, roborally):
    code, out, err = roborally("replay", file, "--json")
    found = json.loads(out)
    assert (code, err) == (0, "")
    assert [each["round"] for each in found["rounds"]] == list(range(found["checked"] + 1))
    assert found["agents"] == ["greedy", "random"]
    assert {"x", "y", "facing", "checkpoint", "rebooted"} <= set(found["rounds"][1]["robots"][0])
    assert len(found["rounds"][1]["programs"][1]) == 5
    assert [each["round"] for each in json.loads(roborally("replay", file, "--json", "--round", 1)[1])["rounds"]] == [1]


def test_wrong_input_is_one_line_and_exit_code_2(file, roborally, tmp_path):
    data = json.loads(file.read_text())
    data["rounds"][0]["hash"] = "0" * 16
    changed = tmp_path / "changed.json"
    changed.write_text(json.dumps(data))
    wrong = {
        (): "Missing argument 'FILE'",
        (tmp_path / "none.json",): "none.json: cannot be read",
        (tmp_path,): "no self-play data: it has no manifest.json",
        (changed,): "changed.json: replay: round 1: the state is",
        (file, "--round", 99): "--round: expected a whole number from 0 to",
        (file, "--round", -1): "--round: expected a whole number from 0 to",
        (file, file): "unexpected extra argument",
    }
    for words, message in wrong.items():
        code, out, err = roborally("replay", *words)
        assert (code, out, err.count("\n")) == (2, "", 1), words
        assert message in err
