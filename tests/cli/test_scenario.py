"""`roborally scenario`, as a user calls it."""

import io
import json
import sys

import pytest

from roborally_env import scenario
from tests.reference.e2016.generate import scenario as random_scenario

SCENE = {
    "name": "a push",
    "edition": "2016",
    "map": {"width": 6, "height": 2, "elements": []},
    "robots": [
        {"x": 1, "y": 0, "facing": "E", "registers": ["move_2"]},
        {"x": 2, "y": 0, "facing": "N", "registers": ["turn_left"]},
    ],
    "play": {"from": 1, "to": 1},
}
GOOD = {"robots": [{"x": 3}, {"x": 4, "facing": "W"}], "winner": None}
BAD = {"robots": [{"x": 3}, {"x": 5, "facing": "W"}], "winner": 1}


@pytest.fixture
def write(tmp_path):
    def file(name, **changes):
        path = tmp_path / name
        path.write_text(json.dumps({**SCENE, **changes}))
        return path

    return file


def test_files_are_compared_with_what_they_expect(write, roborally):
    good, open_end, bad = write("good.json", expect=GOOD), write("open.json"), write("bad.json", expect=BAD)
    assert roborally("scenario", good, open_end) == (0, f"{good}: ok\n{open_end}: ok\n", "")
    code, out, err = roborally("scenario", bad, good)
    assert (code, err) == (1, "")
    assert out.split("\n") == [
        f"{bad}: expect.robots[1].x: expected 5, got 4",
        f"{bad}: expect.winner: expected 1, got null",
        f"{good}: ok",
        "",
    ]


def test_files_of_several_editions(write, tmp_path, roborally):
    robots = [
        {"x": 1, "y": 0, "facing": "E", "registers": ["move_1:650"], "damage": 3, "options": ["brakes"]},
        {
            "x": 2,
            "y": 0,
            "facing": "N",
            "registers": ["move_2+turn_left:70"],
            "lives": 1,
            "options": ["dual_processor"],
        },
    ]
    expect = {
        "robots": [{"registers": ["move_1", *[None] * 4], "damage": 3}, {"destroyed": True, "lives": 0, "x": None}]
    }
    classic = write("classic.json", edition="2005", robots=robots, expect=expect)
    assert roborally("scenario", classic, write("plain.json"))[0] == 0
    malformed = write("damage.json", edition="2005", robots=[{**robots[0], "damage": 10}])
    message = f"roborally: {malformed}: robots[0].damage: expected a whole number from 0 to 9, got 10\n"
    assert roborally("scenario", malformed) == (2, "", message)
    lines = tmp_path / "lines.jsonl"
    lines.write_text("\n".join(path.read_text() for path in (classic, write("plain.json"), malformed)))
    _, out, _ = roborally("scenario", "--json-lines", lines)
    first, second, third = map(json.loads, out.splitlines())
    assert first == scenario.load(classic).run()
    assert second["robots"][0]["lives"] == 3
    assert list(third) == ["error"]


def test_json_is_the_outcome_alone(write, roborally):
    path = write("good.json", expect=GOOD)
    code, out, err = roborally("scenario", path, "--json")
    assert (code, err) == (0, "")
    assert json.loads(out) == scenario.load(path).run()
    code, out, err = roborally("scenario", write("bad.json", expect=BAD), "--json")
    assert code == 1
    assert json.loads(out)["robots"][1]["x"] == 4
    assert "expect.winner" in err


def test_json_lines(tmp_path, roborally):
    scenes = [random_scenario(seed) for seed in range(30)]
    lines = [json.dumps(scene).encode() for scene in scenes]
    wrong = [b"", b"{", b"[]", b"\xff", b"1" * 5000, b"[" * 100_000, b'{"edition": "2016"}', b'{"edition": 2016}']
    path = tmp_path / "scenes.jsonl"
    path.write_bytes(b"\n".join([*lines, *wrong, lines[0]]) + b"\n")
    code, out, err = roborally("scenario", "--json-lines", path)
    found = [json.loads(line) for line in out.splitlines()]
    assert (code, err, len(found)) == (0, "", 30 + len(wrong) + 1)
    for scene, outcome in zip(scenes, found, strict=False):
        assert outcome == scenario.load(scene).run()
    assert all(list(each) == ["error"] for each in found[30:-1])
    assert found[-1] == found[0]


def test_json_lines_from_stdin(roborally, monkeypatch):
    lines = json.dumps(SCENE) + "\n" + json.dumps({**SCENE, "play": {"from": 6}}) + "\n"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines.encode())))
    code, out, _ = roborally("scenario", "--json-lines", "-")
    first, second = map(json.loads, out.splitlines())
    assert code == 0
    assert first["robots"][0]["x"] == 3
    assert second == {"error": "play.from: expected a whole number from 1 to 5, got 6"}


def test_a_malformed_file_is_one_line_and_exit_code_2(write, tmp_path, roborally):
    text = tmp_path / "text.json"
    text.write_text("no")
    answer = [{"robot": 0, "decision": "reboot_facing", "choice": "N"}]
    wrong = {
        write("a.json", colour=1): "a.json: colour: unknown key",
        write("b.json", robots=[]): "b.json: robots: expected a list of 1 to",
        write("c.json", answers=answer): "c.json: answers[0]: reboot_facing 'N' was never asked",
        text: "text.json: not JSON",
        tmp_path / "none.json": "none.json: cannot be read",
    }
    for path, message in wrong.items():
        code, out, err = roborally("scenario", path)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert message in err


def test_other_files_are_played_beside_a_malformed_one(write, roborally):
    code, out, err = roborally("scenario", write("a.json", colour=1), write("good.json", expect=GOOD))
    assert code == 2
    assert out.endswith("good.json: ok\n")
    assert "a.json: colour" in err


WRONG = {
    "no file": ((), "Missing argument 'FILE...'"),
    "json of two": (("a", "b", "--json"), "--json: expected one file, got 2"),
    "lines and file": (("a", "--json-lines", "b"), "--json-lines: expected it alone"),
    "lines and json": (("--json", "--json-lines", "b"), "--json-lines: expected it alone"),
    "no lines": (("--json-lines", "none.jsonl"), "none.jsonl: cannot be read"),
}


@pytest.mark.parametrize(("words", "message"), WRONG.values(), ids=WRONG)
def test_wrong_words(words, message, roborally):
    code, out, err = roborally("scenario", *words)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert message in err
