"""`roborally selfplay`, `roborally replay DIR` and `scripts/collect.py`, as a user calls them."""

import importlib
import json
import re
from pathlib import Path

import numpy as np
import pytest

from tests.cli.conftest import roborally  # noqa: F401  the fixture
from tests.selfplay.conftest import contents

SCRIPTS = Path(__file__).parents[2] / "scripts"
WORDS = ("--agents", "greedy", "random", "--course", "dizzy_highway", "--players", 4, "--max-rounds", 12)


@pytest.fixture
def out(tmp_path):
    return tmp_path / "data"


def test_it_plays_and_goes_on(out, roborally):  # noqa: F811
    code, printed, err = roborally("selfplay", *WORDS, "--games", 6, "--out", out, "--workers", 1)
    assert (code, err) == (0, "")
    assert printed.startswith(f"{out}: 6 races of greedy, random, ")
    episodes = re.findall(r"[0-9]+(?= \()", printed[printed.index("Episodes worth watching:") :])
    assert len(set(episodes)) == len(episodes) >= 1
    before = contents(out)
    code, printed, err = roborally("selfplay", *WORDS, "--games", 6, "--out", out, "--json")
    found = json.loads(printed)
    assert (code, err, found["races"], found["complete"]) == (0, "", 6, True)
    assert found["bytes"] == sum(len(b) for name, b in before.items() if name.endswith(".parquet"))
    assert contents(out) == before


def test_rules_are_named(out, roborally):  # noqa: F811
    words = ("--games", 2, "--out", out, "--rules", "upgrades=false", "advanced=true", "again_after_damage=repeat")
    assert roborally("selfplay", *WORDS, *words)[0] == 0
    rules = json.loads((out / "manifest.json").read_text())["config"]["rules"]
    assert (rules["upgrades"], rules["advanced"], rules["again_after_damage"]) == (False, True, "repeat")


def test_wrong_input_is_one_line_and_exit_code_2(out, roborally, tmp_path):  # noqa: F811
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine").write_text("")
    wrong = {
        (): "Missing option '--out'",
        ("--out", out): "Missing option '--agents'",
        (*WORDS, "--out", out, "--rules", "upgrades"): "expected NAME=VALUE, such as upgrades=false, got 'upgrades'",
        (*WORDS, "--out", out, "--rules", "updates=1"): "rules: unknown option 'updates' (did you mean upgrades?)",
        (*WORDS, "--out", out, "--rules", "upgrades=no"): "rules.upgrades: expected true or false, got 'no'",
        (*WORDS, "--out", out, "--games", 0): "games: expected a whole number from 1",
        (*WORDS, "--out", out, "--shard-games", 0): "shard_games: expected a whole number from 1",
        (*WORDS, "--out", out, "--workers", 0): "workers: expected a whole number from 1",
        (*WORDS, "--out", out, "--all-courses"): "expected either --course or --all-courses",
        (*WORDS, "--out", out, "--players", 9): "players: expected a whole number from 2 to 6, got 9",
        (*WORDS, "--out", tmp_path / "full"): "expected a new or empty folder, or one with self-play data",
        ("--out", out, "--agents", "nobody"): "unknown agent 'nobody'",
    }
    for words, message in wrong.items():
        code, printed, err = roborally("selfplay", *words)
        assert (code, printed, err.count("\n")) == (2, "", 1), words
        assert message in err
    assert not out.exists()


def test_a_race_of_the_data_is_drawn_as_a_replay(data, roborally):  # noqa: F811
    code, printed, err = roborally("replay", data.folder, "--episode", 7, "--no-color")
    rounds = len(data.replay(7).rounds)
    assert (code, err) == (0, "")
    assert printed.startswith("Dizzy Highway: the start\n")
    assert printed.endswith(f"checked: {rounds} rounds\n")
    assert roborally("replay", data.folder, "--episode", 7, "--round", 1)[1].startswith("Round 1\n")
    found = json.loads(roborally("replay", data.folder, "--episode", 7, "--json")[1])
    assert (found["game"], found["checked"]) == (7, rounds)


def test_a_race_that_cannot_be_drawn(data, roborally, tmp_path):  # noqa: F811
    (tmp_path / "file.json").write_text("{}")
    wrong = {
        (data.folder,): "self-play data: expected --episode N, from 0 to 23",
        (data.folder, "--episode", 24): "episode: expected a whole number from 0 to 23, got 24",
        (data.folder, "--episode", -1): "episode: expected a whole number from 0 to 23, got -1",
        (data.folder, "--episode", 1, "--round", 99): "--round: expected a whole number from 0 to",
        (tmp_path, "--episode", 1): "no self-play data: it has no manifest.json",
        (tmp_path / "file.json", "--episode", 1): "--episode: expected a folder of self-play data",
    }
    for words, message in wrong.items():
        code, printed, err = roborally("replay", *words)
        assert (code, printed, err.count("\n")) == (2, "", 1), words
        assert message in err


def test_data_of_other_rules_is_refused(data, roborally, monkeypatch):  # noqa: F811
    monkeypatch.setattr("roborally_env.replay.writer.RULES_VERSION", 99)
    code, printed, err = roborally("replay", data.folder, "--episode", 1)
    assert (code, printed) == (2, "")
    assert f"{data.folder}: episode 1: versions.rules: it was made with rules version" in err
    assert "play it with the version that made it" in err


def test_changed_rows_are_found_by_the_hashes(data, roborally, tmp_path):  # noqa: F811
    import shutil

    import pyarrow as pa
    import pyarrow.parquet as pq

    copy = shutil.copytree(data.folder, tmp_path / "copy")
    path = copy / "steps" / "shard-00000.parquet"
    table = pq.read_table(path)
    at = table.column_names.index("program")
    rows = [list(reversed(row)) for row in table["program"].to_pylist()]
    pq.write_table(table.set_column(at, table.field(at), pa.array(rows, table.field(at).type)), path)
    code, _, err = roborally("replay", copy, "--episode", 1)
    assert code == 2
    assert "copy: episode 1: replay: round 1: " in err


def test_decisions_are_collected_for_imitation(out, monkeypatch, capsys):
    monkeypatch.syspath_prepend(str(SCRIPTS))
    collect = importlib.import_module("collect")
    words = ["--out", str(out), "--agent", "greedy", "--opponents", "random", "--courses", "dizzy_highway", "twister"]
    words += ["--games", "4", "--max-rounds", "6", "--format", "npz"]
    assert collect.main(words) == 0
    found = np.load(out / "decisions.npz")
    assert set(found.files) == set(collect.COLUMNS)
    assert found["observation"].shape == (len(found["hand"]), 580)
    assert found["program"].min() >= 0
    assert sorted(set(found["episode"])) == list(range(8))
    assert (np.take_along_axis(found["hand"], found["program"].astype(int), axis=1) == found["cards"]).all()
    assert "decisions.npz" in capsys.readouterr().out
    with pytest.raises(SystemExit, match=r"collect: format: .*parquet.*npz"):
        collect.main([*words[:-1], "csv"])
    with pytest.raises(SystemExit, match=r"collect: .*config\.seed 1.*2"):
        collect.main([*words, "--seed", "2"])
