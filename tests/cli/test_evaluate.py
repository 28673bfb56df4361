"""`roborally evaluate`, as a user calls it."""

import csv
import json
import re
import subprocess
import sys

import pytest

from roborally_env.evaluation import tournament
from roborally_env.executors import processes

QUICK = ("--games", 6, "--seed", 3, "--max-rounds", 30, "--workers", 1)


def test_the_table(roborally):
    code, out, _ = roborally("evaluate", "--agents", "greedy", "random", *QUICK)
    lines = out.split("\n")
    assert code == 0
    assert lines[0].startswith("Dizzy Highway: 6 races of 2, seed 3")
    assert all(head in lines[2] for head in ("won", "95% interval", "mean place", "reboots", "damage", "rating"))
    assert [line.split()[1] for line in lines if line.startswith("│")] == ["greedy", "random"]
    assert re.search(r"^[0-9]+ upgrades came up; --cards reports who won with them\.$", out, re.MULTILINE)


def test_many_races_tell_of_cards_by_themselves(roborally, monkeypatch):
    words = ("--agents", "greedy", "random", *QUICK)
    monkeypatch.setattr("roborally_env.cli.evaluate.ENOUGH", 6)
    out = roborally("evaluate", *words)[1]
    assert out == roborally("evaluate", *words, "--cards")[1]
    assert "Upgrades: purchases, and how often their owners won" in out


def test_one_of_a_thing_has_no_plural(roborally, tmp_path):
    words = ("--agents", "random", "--games", 1, "--max-rounds", 1, "--workers", 1, "--lighter", "--out", tmp_path)
    _, out, _ = roborally("evaluate", *words, "--no-pages")
    assert out.startswith("Dizzy Highway: 1 race of 2, seed 0\n")
    assert "1 of 1 race: cut after 1 round; nobody won." in out
    assert "random races itself" in out
    (replay,) = {path.read_text() for path in (tmp_path / "replays").iterdir()}
    (tmp_path / "race.json").write_text(replay)
    assert roborally("replay", tmp_path / "race.json")[1].endswith("checked: 1 round\n")


def test_what_was_bought_and_how_often_its_owners_won(roborally, tmp_path):
    words = ("--agents", "greedy", "random", "--cards", "--out", tmp_path)
    _, out, _ = roborally("evaluate", *words, *QUICK)
    bought = [line.split() for line in out.split("Upgrades:")[1].split("\n") if line.startswith("│")]
    rows = list(csv.DictReader((tmp_path / "upgrades.csv").open()))
    assert len(rows) == 40
    counts = {row["upgrade"]: (row["bought"], row["owned"]) for row in rows}
    assert bought
    assert all((line[7], line[9]) == counts[line[1]] for line in bought)
    found = json.loads((tmp_path / "results.json").read_text())["upgrades"]
    for row in found:
        assert sum(row["bought_by"].values()) == row["bought"]
        assert row["wins"] <= row["owned"]
    had = [row["upgrades"].split() for row in csv.DictReader((tmp_path / "races.csv").open())]
    assert {row["upgrade"]: row["owned"] for row in found} == {
        row["upgrade"]: sum(row["upgrade"] in names for names in had) for row in found
    }


def test_the_lighter_game_sells_nothing(roborally):
    _, out, _ = roborally("evaluate", "--agents", "greedy", "random", "--players", 3, "--lighter", "--json", *QUICK)
    found = json.loads(out)
    assert found["rules"]["upgrades"] is False
    assert found["upgrades"] == []


def test_rules_are_named(roborally):
    words = ("evaluate", "--agents", "greedy", "random", *QUICK)
    for wrong, line in {
        "advanced": "--rules: expected NAME=VALUE, such as upgrades=false, got 'advanced'",
        "advance=true": "rules: unknown option 'advance' (did you mean advanced?)",
        "race_on=true": "rules: unknown option 'race_on'",
    }.items():
        code, _, err = roborally(*words, "--rules", wrong)
        assert code == 2
        assert line in err
    code, out, _ = roborally(*words, "--rules", "upgrades=False", "advanced=true", "--json")
    rules = json.loads(out)["rules"]
    assert (code, rules["upgrades"], rules["advanced"]) == (0, False, True)


def test_every_choice_may_be_asked(roborally):
    words = ("--agents", "greedy", "random", "--decisions", "all", "--json", *QUICK[:-4], "--max-rounds", 5)
    code, out, _ = roborally("evaluate", *words)
    assert (code, json.loads(out)["decisions"]) == (0, "all")
    code, _, err = roborally("evaluate", *words[:3], "--decisions", "some", *QUICK)
    assert code == 2
    assert "decisions: expected one of program, all, got 'some'" in err


def test_a_table_for_each_course(roborally):
    agents = ("random", "greedy")
    code, out, _ = roborally("evaluate", "--agents", *agents, "--course", "twister", "dizzy_highway", *QUICK[:-2])
    assert code == 0
    assert [line.strip() for line in out.split("\n") if line[:1].isalnum()][:3] == [
        "2 courses: 12 races of 2, seed 3",
        "Twister",
        "Dizzy Highway",
    ]


SAME = [
    ("--agents", "greedy", "random", "--course", "twister", "dizzy_highway"),
    ("--course", "twister", "--agents", "greedy", "--agents", "random", "--course", "dizzy_highway"),
    ("--agents=greedy", "random", "--course=twister", "dizzy_highway"),
]


@pytest.mark.parametrize("words", SAME)
def test_several_values_after_one_option_or_repeated(words, roborally):
    code, out, _ = roborally("evaluate", *words, "--json", "--games", 1, "--max-rounds", 2)
    found = json.loads(out)
    assert code == 0
    assert (found["agents"], found["courses"]) == (["greedy", "random"], ["twister", "dizzy_highway"])


def test_json_alone_is_on_stdout(roborally, tmp_path):
    words = ("--agents", "greedy", "random", "--json", "--draw", "--out", tmp_path / "out")
    code, out, _ = roborally("evaluate", *words, *QUICK)
    found = json.loads(out)
    assert code == 0
    assert (found["players"], found["games"], found["seed"], found["complete"]) == (2, 6, 3, True)
    assert [row["agent"] for row in found["table"]] == ["greedy", "random"]
    assert json.loads((tmp_path / "out" / "results.json").read_text()) == found


@pytest.mark.slow
def test_workers_do_not_change_the_json(roborally, monkeypatch):
    words = ("evaluate", "--agents", "greedy", "random", "--json", *QUICK[:-2], "--games", 40, "--workers")
    alone = roborally(*words, 1)
    monkeypatch.setattr(processes, "WORTH_WORKERS", 0.0)
    assert roborally(*words, 2)[:2] == alone[:2]


def test_what_out_holds(roborally, tmp_path):
    folder = tmp_path / "deep" / "out"
    code, _, err = roborally("evaluate", "--agents", "greedy", "random", "--out", folder, *QUICK)
    assert code == 0
    assert f"results, plot and replays are in {folder}" in err
    assert (folder / "win_rate.png").read_bytes().startswith(b"\x89PNG")
    rows = list(csv.DictReader((folder / "races.csv").open()))
    assert len(rows) == 12
    assert {row["agent"] for row in rows} == {"greedy", "random"}
    assert sum(int(row["won"]) for row in rows) == 6
    replays = sorted(path.stem for path in (folder / "replays").iterdir())
    assert {"closest_finish", "most_reboots", "win_greedy"} <= set(replays)
    for name in replays:
        assert roborally("replay", folder / "replays" / f"{name}.json")[0] == 0


def test_without_matplotlib_the_rest_is_written(roborally, tmp_path, monkeypatch):
    for name in [name for name in sys.modules if name.startswith("matplotlib")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    code, _, err = roborally("evaluate", "--agents", "greedy", "random", "--out", tmp_path, *QUICK)
    assert code == 0
    assert 'pip install "roborally_env[render]"' in err
    assert (tmp_path / "results.json").exists()
    assert not (tmp_path / "win_rate.png").exists()


def test_one_race_is_drawn(roborally):
    _, out, _ = roborally("evaluate", "--agents", "greedy", "random", "--draw", *QUICK)
    assert "on Dizzy Highway after round" in out
    assert "@0" in out
    assert "@1" in out
    assert "(greedy) wins in round" in out


def test_stopped_by_ctrl_c(roborally, monkeypatch):
    def stop_soon(*agents, progress, **given):
        def stop(done, of):
            if done == 2:
                raise KeyboardInterrupt

        return tournament.evaluate(*agents, progress=stop, **given)

    monkeypatch.setattr("roborally_env.cli.evaluate.play_tournament", stop_soon)
    code, out, err = roborally("evaluate", "--agents", "greedy", "random", *QUICK)
    assert code == 130
    assert out.startswith("Dizzy Highway: 2 races of 2, seed 3, stopped early")
    assert "roborally: stopped after 2 of 6 races" in err


def test_stopped_before_the_first_race(roborally, monkeypatch):
    def stop(*args):
        raise KeyboardInterrupt

    monkeypatch.setattr("roborally_env.evaluation.workers._play_chunk", stop)
    code, out, err = roborally("evaluate", "--agents", "random", *QUICK)
    assert (code, out) == (130, "")
    assert err.endswith("roborally: stopped\n")


def test_help_is_quick_and_names_the_options():
    done = subprocess.run(
        [sys.executable, "-c", "from roborally_env.cli import main; main(['--help'])"], capture_output=True, text=True
    )
    assert done.returncode == 0
    assert all(name in done.stdout for name in ("evaluate", "replay", "scenario"))


ONE = ("--agents", "random", "--games", 1)
WRONG = {
    "no agents": ((), "Missing option '--agents'"),
    "agents without names": (("--agents", "--games", 3), "Option '--agents' requires a value"),
    "agents last": (("--games", 3, "--agents"), "Option '--agents' requires a value"),
    "unknown agent": (("--agents", "plannr"), "unknown agent 'plannr' (did you mean planner?)"),
    "agent's option": (("--agents", "random:sed=1"), "unknown option 'sed' (did you mean seed?)"),
    "many agents": (("--agents", *["random"] * 13), "agents: expected a list of 1 to 12"),
    "a word too many": (("random", *ONE), "unexpected extra argument"),
    "course": ((*ONE, "--course", "twistr"), "unknown course 'twistr' (did you mean twister"),
    "course file": ((*ONE, "--course", "none.toml"), "none.toml: cannot read it"),
    "course twice": ((*ONE, "--course", "twister", "twister"), "twister is in the list twice"),
    "all courses": ((*ONE, "--course", "twister", "--all-courses"), "not both"),
    "edition": ((*ONE, "--edition", "2061"), "unknown edition '2061'"),
    "edition of all": ((*ONE, "--edition", "2061", "--all-courses"), "unknown edition '2061'"),
    "players": ((*ONE, "--players", 7), "players: expected a whole number from 2 to 6, got 7"),
    "one player": ((*ONE, "--players", 1), "players: expected a whole number from 2 to 6, got 1"),
    "games": (("--agents", "random", "--games", 0), "games: expected a whole number from 1"),
    "games text": (("--agents", "random", "--games", "many"), "'many' is not a valid integer"),
    "seed": ((*ONE, "--seed", -1), "seed: expected a whole number from 0"),
    "workers": ((*ONE, "--workers", 0), "workers: expected a whole number from 1"),
    "rounds": ((*ONE, "--max-rounds", 0), "max_rounds: expected a whole number from 1"),
    "option": ((*ONE, "--jsn"), "No such option"),
}


@pytest.mark.parametrize(("words", "message"), WRONG.values(), ids=WRONG)
def test_wrong_input_is_one_line_and_exit_code_2(words, message, roborally):
    code, out, err = roborally("evaluate", *words)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


def test_a_folder_that_cannot_be_written_is_told_before_playing(roborally, tmp_path, monkeypatch):
    def play(*args, **given):
        raise AssertionError("played")

    monkeypatch.setattr("roborally_env.cli.evaluate.play_tournament", play)
    file = tmp_path / "file"
    file.write_text("")
    for folder, words in (
        (file, f"out: {file} is a file; expected a folder"),
        (file / "deeper", f"{file / 'deeper'}: cannot write there"),
    ):
        code, out, err = roborally("evaluate", *ONE, "--out", folder)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert words in err


@pytest.mark.skipif(sys.platform == "win32", reason="exec: needs Linux or macOS")
def test_registers_that_a_program_left_open_are_told(roborally, tmp_path):
    (tmp_path / "bot.py").write_text("import sys\nsys.exit('no licence')\n", encoding="utf-8")
    spec = f"exec:{sys.executable} {tmp_path / 'bot.py'}"
    code, out, err = roborally("evaluate", "--agents", spec, "random", "--games", 1, "--max-rounds", 2, "--lighter")
    assert code == 0
    assert "illegal registers were replaced, also where the program gave no answer" in " ".join(out.split())
    assert "ended with status 1: no licence" in err
