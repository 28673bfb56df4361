"""Wrong input of every kind, to every command: one line that says what is wrong, exit code 2, nothing on stdout."""

import json
import sys

import pytest

BOTS = """
import numpy as np

class Base:
    name, needs_observation = "base", False
    def __init__(self, seed=0, depth=2): ...
    def act(self, observations, masks, info):
        return np.zeros((len(masks), 5), np.int8)

class NoNeeds:
    name = "no needs"
    def act(self, observations, masks, info): ...

class NoAct:
    name, needs_observation = "no act", False

class TwoArguments(Base):
    def act(self, masks, info): ...

class Refuses(Base):
    def __init__(self): raise ValueError("not today\\nnor tomorrow")

class Raises(Base):
    def act(self, observations, masks, info): return 1 / 0

class Floats(Base):
    def act(self, observations, masks, info): return np.zeros((len(masks), 5))
"""
RACE = ("--games", 1, "--max-rounds", 2, "--workers", 1)
ONE = ("evaluate", *RACE, "--agents", "random")
BOT = ("evaluate", *RACE, "--agents")
DATA = ("selfplay", *RACE, "--agents", "random")
PLAY = ("play", "--no-open", "--port", 0)

LONG = "a" * 300  # no file can have this name
# words of a command line -> a part of the line about them; a list, because several commands are tried often
WRONG = [
    # the command itself
    (("evalute",), "No such command 'evalute' (did you mean evaluate"),
    (("Evaluate",), "did you mean evaluate"),
    (("xyzzy",), "`roborally --help` lists them"),
    (("evaluate.py",), "No such command 'evaluate.py' (did you mean evaluate?)"),
    (("--jsn",), "No such option '--jsn'"),
    (("--vershion",), "Did you mean '--version'?"),
    (("--load", "no_such_edition", "courses"), "no_such_edition"),
    (("--load",), "requires an argument"),
    (("train", "sbb3"), "No such command 'sbb3' (did you mean sb3?)"),
    (("train", "value", "--psitions", "3"), "'--positions'?)"),
    (("agent", "chek"), "No such command 'chek' (did you mean check?)"),
    (("agent", "frobnicate"), "`roborally agent --help` lists them"),
    # courses, draw, check, cards
    (("courses", "--edition", "2061"), "unknown edition '2061' (did you mean"),
    (("courses", "--edtion", "2016"), "Did you mean '--edition'?"),
    (("courses", "twister"), "unexpected extra argument (twister)"),
    (("draw",), "Missing argument 'COURSE'"),
    (("draw", "twistr"), "unknown course 'twistr' (did you mean twister"),
    (("draw", "twister~"), "unknown course 'twister~'; a changed course has a number after ~, such as dizzy_highway~7"),
    (("draw", ""), "unknown course ''"),
    (("draw", "--edition", "2005", "qq"), "of edition 2005; `roborally courses --edition 2005` lists them"),
    (("draw", "../nowhere.toml"), "../nowhere.toml: cannot read it"),
    (("draw", "here"), "unknown course 'here'"),
    (("draw", "bin.json"), "bin.json:1:1: not TOML: Invalid statement; a course file is TOML, such as my_course.toml"),
    (("draw", "bytes.toml"), "bytes.toml: not a text file in UTF-8"),
    (("draw", "empty.toml"), "empty.toml:1:1: missing title"),
    (("draw", "twister", "--edition", "2016", "--svg", "no/such/folder/a.svg"), "a.svg: cannot be written"),
    (("draw", "twister", "--svg", "here"), "here"),
    (("draw", "twister", "--png", "a.png", "--width", 0), "0 is not in the range"),
    (("draw", "twister", "--width", 100), "--width is that of a PNG"),
    (("draw", "twister", "--theme", "drak", "--svg", "a.svg"), "'drak' is not one of 'light', 'dark'"),
    (("draw", "twister", "--json", "--svg", "a.svg"), "leave it out with --svg"),
    (("draw", "a", "b"), "unexpected extra argument (b)"),
    (("draw", "2005/dizzy_highway"), "course dizzy_highway is of edition 2016, not 2005"),
    (("draw", "generated:difficulty=99"), "difficulty"),
    (("check",), "Missing argument 'FILE...'"),
    (("check", "twister"), "it is a course of the package, and those are checked: `roborally draw twister` shows it"),
    (("check", "gone.toml"), "gone.toml: there is no such file"),
    (("check", "emty.toml"), "did you mean empty?"),
    (("check", "here"), "here: cannot read it: Is a directory"),
    (("check", "bytes.toml"), "not a text file in UTF-8"),
    (("cards", "railgun2"), "did you mean"),
    (("cards", "--type", "programing"), "did you mean programming?"),
    (("cards", "--edition", "20016"), "did you mean 2016"),
    (("courses", "--rate"), "Option '--rate' requires a value"),
    (("courses", "--rate", "twistr"), "did you mean twister"),
    (("courses", "--rate", "bin.json"), "bin.json:1:1: not TOML"),
    (("courses", "--rate", "twister~ "), "unknown course 'twister~ '; a changed course has a number after ~"),
    (("generate", "--difficulty", 99), "difficulty: expected a whole number from 1 to 5, got 99"),
    (("generate", "--pits", "nan"), "pits: expected a share of the cells from 0 to 1, got nan"),
    (("generate", "--width", "nan"), "'nan' is not a valid integer"),
    (("generate", "--edition", "1994"), "unknown edition '1994'"),
    (("generate", "--count", 0), "--count: expected a whole number from 1"),
    (("generate", "--count", 2, "--out", "a.toml"), "--out a.toml: expected a folder for 2 courses"),
    (("generate", "--dificulty", 3), "Did you mean '--difficulty'?"),
    (("generate", "--out", "empty.toml"), "empty.toml is there already; --force writes over it"),
    # agents of every command that has them
    ((*BOT, "greddy"), "unknown agent 'greddy' (did you mean greedy?)"),
    ((*BOT, ""), "agent: expected a name such as random"),
    ((*BOT, ".foo:Bar"), "agent '.foo:Bar': expected one of random"),
    ((*BOT, ":X"), "agent ':X': expected one of random"),
    ((*BOT, "bots"), "unknown agent 'bots' (did you mean bots.py:Class?)"),
    ((*BOT, "bots.py"), "expected the class after the file, as bots.py:Base"),
    ((*BOT, "bots.py:"), "expected the class after the file, as bots.py:Base"),
    ((*BOT, "bots.py:Bse"), "bots.py has no class Bse (did you mean Base"),
    ((*BOT, "./bots.py:np"), "np"),
    ((*BOT, "gone.py:Bot"), "there is no file gone.py in"),
    ((*BOT, "here:Bot"), "agent 'here:Bot'"),
    ((*BOT, "nobots:Bot"), "agent 'nobots:Bot': there is no module nobots on Python's path"),
    ((*BOT, "broken.py:Bot"), "agent 'broken.py:Bot': broken.py, line 1: '(' was never closed"),
    ((*BOT, "broken:Bot"), "agent 'broken:Bot': cannot import broken: SyntaxError"),
    ((*BOT, "bots.py:NoNeeds"), "bots.py:NoNeeds has no attribute needs_observation"),
    ((*BOT, "bots.py:NoAct"), "bots.py:NoAct has no method act(observations, masks, info)"),
    ((*BOT, "bots.py:TwoArguments"), "expected act(observations, masks, info), got act(masks, info)"),
    ((*BOT, "bots.py:Refuses"), "agent 'bots.py:Refuses': ValueError: not today"),
    ((*BOT, "bots.py:Raises"), "agent 'base': act raised ZeroDivisionError: division by zero (bots.py, line 24)"),
    ((*BOT, "bots.py:Floats"), "agent 'base': act gave shape (2, 5) of float64; expected (2, 5) of int8"),
    ((*BOT, "bots.py:Base:dept=3"), "unknown option 'dept' (did you mean depth?)"),
    ((*BOT, "bots.py:Base:depth"), "expected key=value after the name, got 'depth'"),
    ((*BOT, "learned:weights="), "expected key=value after the name, got 'weights='"),
    ((*BOT, "greedy:seed=1,seed=2"), "the option seed is given twice"),
    ((*BOT, "greedy:seed=-1"), "seed: expected a whole number from 0"),
    ((*BOT, "greedy:seed=nan"), "seed: expected a whole number"),
    ((*BOT, "planner:simulations=-1"), "simulations"),
    ((*BOT, "planner:simulations=many"), "simulations"),
    ((*BOT, "learned-search:budget=nan"), "budget"),
    ((*BOT, *["random"] * 13), "agents: expected a list of 1 to 12"),
    ((*DATA[:-1], "bots.py:NoNeeds", "--out", "data"), "bots.py:NoNeeds has no attribute needs_observation"),
    ((*DATA[:-1], "bots.py:Raises", "--out", "data"), "agent 'base': act raised ZeroDivisionError"),
    ((*PLAY, "--opponents", "bots.py:NoNeeds"), "bots.py:NoNeeds has no attribute needs_observation"),
    ((*PLAY, "--opponents", "nobots:Bot"), "there is no module nobots"),
    (("benchmark", "bots.py:NoAct", "--quick"), "bots.py:NoAct has no method act"),
    (("benchmark", "plannr"), "did you mean planner?"),
    (("benchmark",), "Missing argument 'AGENT'"),
    (("benchmark", "greedy", "--class", "5ms"), "--class: expected one of 1ms, 10ms"),
    (("benchmark", "greedy", "--against", "random"), "against: expected one of greedy, planner"),
    (("benchmark", "greedy", "--edition", "1994"), "edition"),
    (("benchmark", "greedy", "--workers", 0), "workers: expected a whole number from 1"),
    (("agent", "check"), "Missing argument 'AGENT'"),
    (("agent", "check", "gone.py:Bot"), "there is no file gone.py"),
    (("agent", "check", "bots.py:Refuses"), "agent 'bots.py:Refuses': ValueError: not today"),
    (("agent", "check", "bots.py:Base", "--edition", "2061"), "2061"),
    (("agent", "check", "bots.py:Base", "--class", "fast"), "--class: expected one of 1ms"),
    (("agent", "new"), "Missing argument 'NAME'"),
    (("agent", "new", "bots"), "bots.py already exists; choose another name"),
    (("agent", "new", "random"), "there is a module random already"),
    (("agent", "new", "CON"), "Windows keeps con for a device"),
    (
        ("agent", "new", "7up"),
        "NAME: expected letters, digits, - and _, a letter first, no Python keyword, such as my_bot, got '7up'",
    ),
    (("evaluate", "--agents", "random", "random", "--out", ""), "out: expected a folder, got ''"),
    (("agent", "new", "class"), "NAME: expected letters"),
    (("agent", "new", "../bot"), "NAME: expected letters"),
    (("agent", "new", ""), "NAME: expected letters"),
    (("agent", "new", "a b"), "NAME: expected letters, digits, - and _, a letter first"),
    # races
    (("evaluate",), "Missing option '--agents', as in --agents planner greedy random"),
    (("evaluate", "greedy"), "unexpected extra argument (greedy)"),
    (("evaluate", "--agents"), "Option '--agents' requires a value"),
    (("evaluate", "--agnets", "greedy"), "Did you mean one of: '--agents'"),
    ((*ONE, "--course", "bin.json"), "bin.json:1:1: not TOML"),
    ((*ONE, "--course", "twister", "twister"), "twister is in the list twice"),
    ((*ONE, "--course", "twister", "--all-courses"), "expected either --course or --all-courses"),
    ((*ONE, "--course", "twister", "2005/tricksy"), "course 2005/tricksy is not of edition '2016'"),
    ((*ONE, "--course", "generated:dificulty=3"), "did you mean difficulty"),
    ((*ONE, "--course", "2005/twister~"), "unknown course 'twister~'; a changed course has a number after ~"),
    ((*ONE, "--course", "twister~~7"), "unknown course 'twister~'; a changed course has a number after ~"),
    ((*ONE, "--games", "1e3"), "'1e3' is not a valid integer"),
    ((*ONE, "--games", 0), "games: expected a whole number from 1"),
    ((*ONE, "--games", 10**12), "games: expected a whole number from 1"),
    ((*ONE, "--players", 1), "players: expected a whole number from 2 to 6, got 1"),
    ((*ONE, "--seed", "nan"), "'nan' is not a valid integer"),
    ((*ONE, "--seed", 2**64), "seed: expected a whole number from 0"),
    ((*ONE, "--max-rounds", -1), "max_rounds: expected a whole number from 1"),
    ((*ONE, "--workers", 10**6), "workers: expected a whole number from 1 to 1024"),
    ((*ONE, "--decisions", "some"), "decisions: expected one of program, all, got 'some'"),
    ((*ONE, "--rules", "upgrades"), "--rules: expected NAME=VALUE"),
    ((*ONE, "--rules", "upgardes=false"), "unknown option 'upgardes' (did you mean upgrades?)"),
    ((*ONE, "--rules", "upgrades=perhaps"), "upgrades"),
    ((*ONE, "--edition", "2005", "--lighter"), "unknown option 'upgrades'"),
    ((*ONE, "--out", "bin.json"), "bin.json is a file; expected a folder"),
    (("selfplay", "--agents", "random"), "Missing option '--out'"),
    ((*DATA, "--out", "bin.json"), "bin.json"),
    ((*DATA, "--out", "data", "--shard-games", 0), "shard"),
    # play, replay, watch, scenario
    ((*PLAY, "--humans", 0), "humans"),
    ((*PLAY, "--humans", 99), "humans"),
    ((*PLAY, "--course", "twistr"), "did you mean twister"),
    ((*PLAY, "--port", 70000), "--port: expected a whole number from 0 to 65535"),
    ((*PLAY, "--save", "here"), "--save here: expected a file, this is a folder"),
    ((*PLAY, "--save", "no/such/folder/a.json"), "a.json: cannot be written"),
    ((*PLAY, "--host", "not a host"), "not a host"),
    ((*PLAY, "--save", ""), "--save .: expected a file, this is a folder"),
    (("replay",), "Missing argument 'FILE'"),
    (("replay", "gone.json"), "gone.json: cannot be read"),
    (("replay", "bin.json"), "bin.json"),
    (("replay", "bots.py"), "bots.py: not a replay: not JSON"),
    (("replay", "here"), "no self-play data"),
    (("replay", "bin.json", "--episode", 3), "--episode: expected a folder"),
    (("watch", "gone.json"), "gone.json: cannot be read"),
    (("watch", "bin.json"), "bin.json: not a replay of this version"),
    (("watch", "here"), "no self-play data"),
    (("scenario",), "Missing argument 'FILE...'"),
    (("scenario", "gone.json"), "gone.json: cannot be read"),
    (("scenario", "bin.json"), "bin.json"),
    (("scenario", "here"), "here: cannot be read"),
    (("scenario", "a", "b", "--json"), "--json: expected one file, got 2"),
    (("scenario", "--json-lines", "gone.jsonl"), "gone.jsonl: cannot be read"),
    *[((command, ""), "expected a path, got ''") for command in ("check", "replay", "review", "watch", "scenario")],
    (("scenario", "--json-lines", ""), "Invalid value for '--json-lines': expected a path, got ''"),
    (("benchmark", "random", "--out", ""), "Invalid value for '--out': expected a path, got ''"),
    ((*PLAY, "--resume", ""), "Invalid value for '--resume': expected a path, got ''"),
    # names that no file can have
    (("draw", f"{LONG}.toml"), "File name too long"),
    (("draw", LONG), "unknown course"),
    (("check", LONG), "there is no such file"),
    (("replay", LONG), "File name too long"),
    (("watch", LONG), "File name too long"),
    (("scenario", LONG), "File name too long"),
    (("agent", "new", LONG), "cannot be written: File name too long"),
    ((*BOT, LONG), "unknown agent"),
    ((*BOT, f"{LONG}:Bot"), "there is no module"),
    ((*BOT, f"{LONG}.py:Bot"), "there is no file"),
    ((*ONE, "--out", LONG), "File name too long"),
    ((*DATA, "--out", LONG), "File name too long"),
    ((*PLAY, "--save", LONG), "cannot be written: File name too long"),
    (("draw", "a\0b"), "unknown course"),
    (("generate", "--out", f"{LONG}.toml"), "File name too long"),
    # numbers of measurements
    (("bench", "--seconds", "nan"), "nan is not in the range"),
    (("bench", "--seconds", "inf"), "inf is not in the range"),
    (("bench", "--seconds", "-1"), "-1.0 is not in the range"),
    (("bench", "--seconds", "long"), "'long' is not a valid number"),
    (("bench", "--runs", 0), "0 is not in the range"),
    (("bench", "--threads", "1.5"), "'1.5' is not a valid integer"),
    (("bench", "--players", 9), "9 is not in the range"),
    (("bench", "--out", ""), "--out .: expected a file, this is a folder"),
    (("crossplay", "random", "greedy", *RACE, "--draw", ""), "--draw .: expected a file, this is a folder"),
    (("crossplay", "random", "greedy", *RACE, "--draw", "no/a.png"), "--draw no/a.png: cannot be written"),
    (("bench", "--course", "bin.json"), "bin.json:1:1: not TOML"),
    (("compile", "--edition", "2061"), "edition: expected one of 2016"),
    (("compile", "--all", "--edition", "2016"), "expected --edition or --all, got both"),
    (("compile", "--jobs", "0"), "0 is not in the range"),
    (("compile", "now"), "unexpected extra argument (now)"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with files that are none of the things that commands want."""
    path = tmp_path_factory.mktemp("wrong")
    (path / "here").mkdir()
    (path / "bots.py").write_text(BOTS, encoding="utf-8")
    (path / "broken.py").write_text("x = (\n", encoding="utf-8")
    (path / "bin.json").write_text(json.dumps({"a": [1, 2]}), encoding="utf-8")
    (path / "bytes.toml").write_bytes(b"\xff\xfe\x00")
    (path / "empty.toml").write_text("", encoding="utf-8")
    return path


@pytest.mark.parametrize(("words", "message"), WRONG, ids=[" ".join(map(str, words))[-60:] for words, _ in WRONG])
def test_wrong_input_is_one_line_and_exit_code_2(words, message, folder, roborally, monkeypatch):
    monkeypatch.chdir(folder)
    monkeypatch.setenv("ROBORALLY_EDITIONS", "")  # --load writes it
    monkeypatch.setattr(sys, "path", [*sys.path])
    code, out, err = roborally(*words)
    lines = [line for line in err.splitlines() if not line.startswith("roborally_env: compiling")]
    assert (code, out, len(lines)) == (2, "", 1), err
    assert lines[0].startswith("roborally: ")
    assert message in lines[0]


def test_the_table_is_as_long_as_it_should_be():
    assert len(WRONG) >= 80
    assert len(set(map(str, WRONG))) == len(WRONG)
