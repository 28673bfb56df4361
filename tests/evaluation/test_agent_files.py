"""Agents named by a file: loading it with what lies beside it, and one line for each mistake."""

import sys
import textwrap

import pytest
from roborally_env.agents import make_agent

from roborally_env import AgentError
from roborally_env.evaluation.tournament import evaluate
from roborally_env.executors import processes

BOT = """
    from dataclasses import dataclass
    import numpy as np
    import rr_test_helper

    @dataclass
    class Bot:
        depth: int = 2
        name = "bot"
        needs_observation = False

        def __post_init__(self):
            from rr_test_late import WORD
            self.words = rr_test_helper.WORD, WORD

        def act(self, observations, masks, info):
            return np.tile(np.arange(5, dtype=np.int8), (len(masks), 1))

    class Named(Bot):
        def __init__(self, **options):
            self.options = options
"""


@pytest.fixture
def folders(tmp_path, monkeypatch):
    """Two folders with files of the same names and different contents."""
    for word in ("one", "two"):
        folder = tmp_path / word
        folder.mkdir()
        (folder / "bot.py").write_text(textwrap.dedent(BOT), encoding="utf-8")
        for name in ("rr_test_helper.py", "rr_test_late.py"):
            (folder / name).write_text(f"WORD = {word!r}\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_files_of_the_same_name_are_two_modules_each_with_its_own_helpers(folders):
    before = set(sys.modules)
    one, two = make_agent("one/bot.py:Bot"), make_agent("./two/bot.py:Bot:depth=3")
    assert (one.words, one.depth) == (("one", "one"), 2)
    assert (two.words, two.depth) == (("two", "two"), 3)
    assert type(make_agent(f"{folders}/one/bot.py:Bot")) is type(one), "a file is loaded once"
    assert make_agent("one/bot.py:Bot").words == ("one", "one")
    assert not [name for name in set(sys.modules) - before if name.startswith("rr_test")]
    assert not [entry for entry in sys.path if str(folders) in entry]


def test_a_changed_file_is_loaded_again(folders):
    path = folders / "one" / "bot.py"
    make_agent("one/bot.py:Bot")
    path.write_text(path.read_text(encoding="utf-8").replace("depth: int = 2", "depth: int = 5"), encoding="utf-8")
    assert make_agent("one/bot.py:Bot").depth == 5


def test_the_seed_goes_to_classes_that_take_one(folders):
    assert make_agent("one/bot.py:Named", seed=4).options == {"seed": 4}
    assert not hasattr(make_agent("one/bot.py:Bot", seed=4), "seed")


@pytest.mark.slow
def test_each_worker_loads_the_file(folders, monkeypatch):
    monkeypatch.setattr(processes, "WORTH_WORKERS", 0.0)
    given = {"games": 6, "max_rounds": 2, "rules": {"upgrades": False}, "chunk": 1}
    alone, shared = (evaluate(["one/bot.py:Bot", "two/bot.py:Bot"], workers=w, **given) for w in (1, 2))
    assert alone.races == shared.races
    assert len(alone.races) == 6


FILES = {
    "broken.py": "x = (\n",
    "raises.py": "import numpy as np\n\n1 / 0\n",
    "quits.py": "raise SystemExit(3)\n",
    "lacks.py": "import rr_no_such_module\n",
    "parts.py": (
        "class NoAct:\n    name, needs_observation = 'a', False\n"
        "class NoName:\n    needs_observation = False\n    def act(self, *_): ...\n"
        "class NoNeeds:\n    name = 'a'\n    def act(self, *_): ...\n"
        "class OddNeeds:\n    name, needs_observation = 'a', 'no'\n    def act(self, *_): ...\n"
    ),
}
WRONG = {
    "nowhere.py:Bot": "'nowhere.py:Bot'.*nowhere.py",
    "lakcs.py:Bot": "lakcs.py.*lacks.py.",
    "/no/such/bot.py:Bot": "/no/such/bot.py",
    "folder.py:Bot": "folder.py",
    "parts.py": "'parts.py'.*parts.py:NoName",
    "parts.py:NoNme": "parts.py",
    "parts.py:NoAct": "parts.py:NoAct",
    "parts.py:NoName": "parts.py:NoName",
    "parts.py:NoNeeds": "parts.py:NoNeeds.*needs_observation",
    "parts.py:OddNeeds": "needs_observation.*'no'",
    "parts.py:NoName:depth=1": "'depth'",
    "broken.py:Bot": r"'broken.py:Bot': broken.py.*line 1: '\('",
    "raises.py:Bot": "raises.py.*line 3",
    "quits.py:Bot": "quits.py.*3.*line 1",
    "lacks.py:Bot": "'rr_no_such_module'.*line 1",
}


@pytest.mark.parametrize(("spec", "message"), WRONG.items(), ids=WRONG)
def test_one_line_says_what_is_wrong(spec, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder.py").mkdir()
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(AgentError, match=message) as raised:
        make_agent(spec)
    assert "\n" not in str(raised.value)
    assert not [name for name in sys.modules if name.startswith("roborally_agent_file_broken")]


def test_an_agent_that_ends_the_program_or_gives_no_array_is_named():
    here = "tests.evaluation.agents"
    for name, line in {
        "Quits": r"'quits'.*agents.py.*line \d+",
        "Ragged": "'ragged'",
    }.items():
        with pytest.raises(AgentError, match=line):
            evaluate([f"{here}:{name}", "random"], games=1, rules={"upgrades": False})
