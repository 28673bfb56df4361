"""`roborally review`, as a user calls it."""

import json
import re

import pytest

from roborally_env.evaluation.tournament import evaluate
from roborally_env.replay import save

FEW = ("--simulations", 1000)


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    result = evaluate(["greedy", "random"], "twister", games=1, players=4, seed=2, max_rounds=4)
    path = tmp_path_factory.mktemp("review") / "race.json"
    save(result.replay(result.races[0]), path)
    return path


@pytest.mark.parametrize("width", [60, 80, 120, None])
def test_it_fits_the_terminal(width, file, roborally, monkeypatch):
    if width is None:
        monkeypatch.delenv("COLUMNS", raising=False)
    else:
        monkeypatch.setenv("COLUMNS", str(width))
    code, out, err = roborally("review", file, *FEW, "--all")
    assert (code, err) == (0, "")
    assert width is None or max(map(len, out.splitlines())) <= width
    chances, decisions, robots = out.split("\n\n")
    assert chances.startswith("Win probability before each round")
    assert "│ end " in chances
    assert "better" in decisions
    assert "greedy" in robots


def test_json_tells_all(file, roborally):
    code, out, err = roborally("review", file, *FEW, "--json")
    found = json.loads(out)
    rounds = len(json.loads(file.read_text())["rounds"])
    assert (code, err) == (0, "")
    assert len(found["chances"]) == rounds + 1
    assert [robot["seat"] for robot in found["robots"]] == [0, 1, 2, 3]
    programs = [each for each in found["decisions"] if each["kind"] == "program"]
    assert [(each["round"], each["seat"]) for each in programs] == [(n + 1, s) for n in range(rounds) for s in range(4)]
    assert {each["mark"] for each in found["decisions"]} >= {"", "blunder"}


def test_without_all_only_marked_decisions_are_printed(file, roborally):
    found = json.loads(roborally("review", file, *FEW, "--json")[1])
    out = roborally("review", file, *FEW)[1]
    assert out.count("│ ??") == sum(each["mark"] == "blunder" for each in found["decisions"]) > 0


def test_mistakes_are_told_in_one_line(file, roborally, tmp_path):
    written = json.loads(file.read_text())
    written["rounds"][1]["hash"] = "0" * 16
    changed = tmp_path / "changed.json"
    changed.write_text(json.dumps(written))
    for words, expected in (
        (("review", changed), f"{changed}: replay: round 2: the state is not the recorded one"),
        (("review", tmp_path / "none.json"), "cannot be read: No such file or directory"),
        (("review", file, "--simulations", 5), "simulations: expected a whole number from 1000"),
        (("review", file, "--episode", 1), "--episode: expected a folder of self-play data"),
    ):
        code, out, err = roborally(*words)
        assert (code, out, len(err.splitlines())) == (2, "", 1)
        assert expected in err


def test_watch_puts_the_review_into_the_page(file, roborally, tmp_path):
    code, out, err = roborally("watch", file, "--review", *FEW, "--no-open")
    page = file.with_name("race_review.html")
    assert (code, out.strip(), err) == (0, str(page), "")
    printed = json.loads(roborally("review", file, *FEW, "--json")[1])
    data = json.loads(re.search(r'id="race">(.*?)</script>', page.read_text(), re.DOTALL)[1])["review"]
    assert [each["made"] for each in data["decisions"]] == [each["made"] for each in printed["decisions"]]
    assert data["chances"] == [pytest.approx(row, abs=1e-4) for row in printed["chances"]]
    other = tmp_path / "page.html"
    assert roborally("watch", file, "--review", *FEW, "--out", other, "--title", "A <title>")[0] == 0
    assert "<title>A &lt;title&gt;: a race</title>" in other.read_text()


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("--simulations", 2000), "--simulations: goes with --review"),
        (("--review", "--simulations", 5), "race.json: simulations: expected a whole number from 1000"),
        (("--review", "--out", "."), "expected the name of a page, got a folder"),
        (("--review", "--episode", 1), "--episode: expected a folder of self-play data"),
    ],
)
def test_mistakes_with_pages_are_told_in_one_line(words, expected, file, roborally):
    code, out, err = roborally("watch", file, *words)
    assert (code, out) == (2, "")
    assert expected in err
    assert len(err.splitlines()) == 1
