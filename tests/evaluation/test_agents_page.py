"""The agent in docs/agents.md is whole, and does what the page says."""

import re
from pathlib import Path

import pytest

from roborally_env import AgentError
from roborally_env.evaluation.tournament import evaluate

PAGE = (Path(__file__).parents[2] / "docs" / "agents.md").read_text(encoding="utf-8")


@pytest.fixture
def bot(tmp_path, monkeypatch):
    """The file of the page, in the folder in which the commands are run."""
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    (tmp_path / "my_bot.py").write_text(code, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return "my_bot.py:Forward"


@pytest.mark.parametrize("edition", ["2016", "2023", "community"])
def test_the_agent_races_and_lays_legal_programs(bot, edition):
    result = evaluate([bot, "random"], "dizzy_highway", edition=edition, games=20, players=4, seed=1, max_rounds=40)
    assert result.complete
    assert [row.repairs for row in result.rows] == [0, 0]
    assert result.rows[0].wins > 0


def test_it_says_which_edition_it_does_not_play(bot):
    with pytest.raises(AgentError, match=r"forward.*2005"):
        evaluate([bot, "random"], edition="2005", games=1)


def test_its_option_changes_its_programs(bot):
    rows = evaluate([f"{bot}:moves=1", bot], games=40, players=4, seed=1, max_rounds=40).rows
    assert rows[0].mean_place != rows[1].mean_place


def test_the_page_names_every_kind_of_spec():
    assert len(re.findall(r"^\d+\. ", PAGE, re.MULTILINE)) == 11
    for word in ("act(observations, masks, info)", "choose(", "announce(", "needs_observation", "--traceback"):
        assert word in PAGE
