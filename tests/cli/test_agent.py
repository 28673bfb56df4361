"""`roborally agent new` and `roborally agent check`, as a user calls them."""

import json
import sys
import textwrap

import pytest

from roborally_env.courses.model import EDITIONS

BOTS = """
    import random, time
    import numpy as np

    class Base:
        name, needs_observation = "base", False
        def act(self, observations, masks, info):
            return np.tile(np.arange(5, dtype=np.int8), (len(masks), 1))

    class Nothing: ...

    class Everything:
        name, needs_observation, unknown_editions, choose = 3, "no", 4, 7
        def act(self, observations, info): ...

    class Raises(Base):
        def act(self, observations, masks, info):
            if (info.batch.games["round_number"] > 2).any():
                raise KeyError("deck")
            return super().act(observations, masks, info)

    class Floats(Base):
        def act(self, observations, masks, info):
            return np.zeros((len(masks), 5))

    class Four(Base):
        def act(self, observations, masks, info):
            return np.zeros((len(masks), 4), np.int8)

    class Far(Base):
        def act(self, observations, masks, info):
            return np.full((len(masks), 5), 33)

    class Same(Base):
        def act(self, observations, masks, info):
            return np.zeros((len(masks), 5), np.int8)

    class Dice(Base):
        def act(self, observations, masks, info):
            return np.array([random.sample(range(9), 5) for _ in masks], np.int8)

    class Counts(Base):
        calls = 0
        def act(self, observations, masks, info):
            self.calls += 1
            return (super().act(observations, masks, info) + self.calls % 4).astype(np.int8)

    class Rows(Base):
        def act(self, observations, masks, info):
            return (super().act(observations, masks, info) + np.arange(len(masks))[:, None] % 4).astype(np.int8)

    class Cheats(Base):
        def act(self, observations, masks, info):
            info.batch.games["hits"][info.games, info.seats] += 1
            return super().act(observations, masks, info)

    class Slow(Base):
        def act(self, observations, masks, info):
            time.sleep(0.002 * len(masks))
            return super().act(observations, masks, info)

    class Buys(Base):
        def choose(self, observations, choice_masks, info):
            return np.full(len(choice_masks), 3, np.int8)

    class Only2016(Base):
        unknown_editions = {name: "it knows 2016 alone" for name in ("2005", "community", "2023")}
"""


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A new folder, which is the current one."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    return tmp_path


@pytest.fixture
def bots(here):
    (here / "bots.py").write_text(textwrap.dedent(BOTS), encoding="utf-8")


def test_a_new_agent_races_in_every_edition_without_a_mistake(here, roborally):
    code, out, err = roborally("agent", "new", "Red-Racer")
    assert (code, err) == (0, "")
    assert out.splitlines()[0] == "Wrote red_racer.py (agent red_racer.py:RedRacer)"
    code, out, err = roborally("agent", "check", "red_racer.py:RedRacer")
    lines = out.splitlines()
    assert code == 0, out
    assert lines[0] == "ok     protocol: 'red_racer', with act"
    assert [line.split(":")[0] for line in lines[1:]] == [f"ok     {name}" for name in (*EDITIONS, "time")]
    assert all("programs, all legal, the same when asked again" in line for line in lines[1:-1])


def test_the_commands_that_a_new_agent_names_do_what_they_say(here, roborally):
    words = [
        line.partition("roborally ")[2].split() for line in roborally("agent", "new", "my_bot")[1].splitlines()[1:]
    ]
    assert [each[0] for each in words] == ["agent", "evaluate", "play"]
    assert roborally(*words[0], "--edition", "2016")[0] == 0
    code, out, _ = roborally(*words[1], "--json", "--lighter", "--workers", 1)
    rates = {row["agent"]: row["win_rate"] for row in json.loads(out)["table"]}
    assert code == 0
    assert rates["greedy"] > rates["my_bot.py:MyBot"]
    places = {row["agent"]: row["mean_place"] for row in json.loads(out)["table"]}
    assert places["my_bot.py:MyBot"] < places["random"]


def test_nothing_is_written_over(here, roborally):
    roborally("agent", "new", "bot")
    (here / "bot.py").write_text("mine", encoding="utf-8")
    assert roborally("agent", "new", "bot.py")[0] == 2
    assert (here / "bot.py").read_text(encoding="utf-8") == "mine"


AGAIN = "a new instance with the same seed answers differently when the rows are in another order"
MISTAKES = {
    "Nothing": [
        "protocol: bots.py:Nothing has no method act(observations, masks, info)",
    ],
    "Everything": [
        "protocol: bots.py:Everything: expected act(observations, masks, info), got act(observations, info)",
        "protocol: bots.py:Everything: choose: expected a method choose(observations, choice_masks, info), got 7",
        "protocol: bots.py:Everything: name: expected a text, got 3",
        "protocol: bots.py:Everything: needs_observation: expected True or False, got 'no'",
        "protocol: bots.py:Everything: unknown_editions: expected a dict, edition to reason, got 4",
    ],
    "Raises": ["2016: agent 'base': act raised KeyError: 'deck' (bots.py, line 19)"],
    "Floats": ["2016: agent 'base': act gave shape (6, 5) of float64; expected (6, 5) of int8"],
    "Four": ["2016: agent 'base': act gave shape (6, 4) of int8; expected (6, 5) of int8"],
    "Far": ["2016: agent 'base': act gave 33 to 33; expected 0 to 9"],
    "Same": [
        "illegal registers, replaced by the next legal slot; the first: slot 0 is in registers 1 and 2; each slot"
    ],
    "Dice": [f"2016: act: {AGAIN}"],
    "Counts": [f"2016: act: {AGAIN}"],
    "Rows": [f"2016: act: {AGAIN}"],
    "Cheats": ["2016: act changes the records of the games (info.batch.games)"],
    "Slow": ["time: class 10ms: median"],
    "Buys": [
        "2016: choose gave an answer that its mask does not allow",
        '2016, decisions="all": choose gave an answer',
    ],
}


@pytest.mark.parametrize(("name", "mistakes"), MISTAKES.items(), ids=MISTAKES)
def test_what_is_wrong_is_told_in_a_line_each_and_exit_code_1(name, mistakes, bots, roborally):
    words = ("--class", "1ms") if name == "Slow" else ()
    code, out, err = roborally("agent", "check", f"bots.py:{name}", "--edition", "2016", *words)
    assert (code, err) == (1, "")
    wrong = [line.removeprefix("wrong  ") for line in out.splitlines() if line.startswith("wrong  ")]
    for mistake in mistakes:
        assert [line for line in wrong if mistake in line], out
    if name in ("Nothing", "Everything", "Raises", "Floats", "Four", "Far"):
        assert len(wrong) == len(mistakes)
        assert "time:" not in out  # how soon it fails is not how long it thinks


PROGRAMS = {
    "never answers": ("for line in sys.stdin: pass", "time"),
    "ends at once": ("sys.exit('no licence')", "end"),
    "answers programs alone": (
        "import json\nfor line in sys.stdin:\n    ask = json.loads(line)\n"
        "    print(json.dumps({'id': ask['id'], 'answers': [[0] * 5] * len(ask['rows'])}), flush=True)",
        "nonsense",
    ),
}


@pytest.mark.skipif(sys.platform == "win32", reason="exec: needs Linux or macOS")
@pytest.mark.parametrize(("code", "kind"), PROGRAMS.values(), ids=PROGRAMS)
def test_a_program_that_does_not_answer_is_told(code, kind, here, roborally, monkeypatch):
    if kind == "time":
        monkeypatch.setattr("roborally_env.agents.foreign.START_SECONDS", 0)
    (here / "bot.py").write_text(f"import sys\n{code}\n", encoding="utf-8")
    milliseconds = 2 if kind == "time" else 20_000
    spec = f"exec:milliseconds={milliseconds}:{sys.executable} bot.py"
    exit_code, out, _ = roborally("agent", "check", spec, "--edition", "2016", "--json")
    assert exit_code == 1
    wrong = [each["text"] for each in json.loads(out) if not each["ok"] and each["where"] == '2016, decisions="all"']
    assert [text for text in wrong if "no legal answer to" in text and f"({kind} " in text], wrong
    stopped = [text for text in wrong if "no answer in 3 calls" in text]
    assert len(stopped) == (kind != "nonsense")


def test_an_edition_that_an_agent_does_not_play_is_no_mistake(bots, roborally):
    _, out, _ = roborally("agent", "check", "bots.py:Only2016", "--edition", "2005", "--edition", "2023")
    assert out.splitlines()[1:] == [f"ok     {name}: not played: it knows 2016 alone" for name in ("2005", "2023")]


@pytest.mark.parametrize("spec", ["random", "greedy"])
def test_agents_of_the_package_are_right_with_every_decision(spec, roborally):
    code, out, _ = roborally("agent", "check", spec, "--edition", "2016", "--json")
    found = json.loads(out)
    assert code == 0, out
    assert [each["where"] for each in found] == ["protocol", "2016", '2016, decisions="all"', "time"]
    assert "choices, all legal" in found[1]["text"]


def test_the_group_alone_tells_its_commands(roborally):
    code, out, _ = roborally("agent")
    assert code == 0
    assert "new" in out
    assert "check" in out


@pytest.mark.parametrize("spec", ["bots:Base", "./bots.py:Base", "bots.py:Base"])
def test_a_module_or_file_of_the_current_folder_is_found_by_every_command(spec, bots, roborally, monkeypatch):
    races = ("--games", 1, "--max-rounds", 2, "--workers", 1, "--lighter")
    assert roborally("evaluate", "--agents", spec, *races)[0] == 0
    assert roborally("selfplay", "--agents", spec, *races, "--out", "data")[0] == 0
    assert roborally("agent", "check", spec, "--edition", "2016")[1].startswith("ok     protocol: 'base', with act\n")
    setups = []

    def serve(setup, *_, **__):
        setups.append(setup)
        return 0

    monkeypatch.setattr("roborally_env.play.listener.serve", serve)
    assert roborally("play", "--opponents", spec, "--no-open")[0] == 0
    assert len(setups) == 1
    assert roborally("benchmark", spec, "--class", "none")[2].startswith("roborally: --class")
