"""Bots, tournaments and replays by community rules."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

from roborally_env import AgentError, ReplayError
from roborally_env.batch import BatchRace
from roborally_env.cli.command import cli
from roborally_env.core import upgrades
from roborally_env.evaluation.files import write_results
from roborally_env.evaluation.tournament import evaluate
from roborally_env.play.setup import check_play
from roborally_env.replay import load, play, save
from tests import stranger

from . import races
from .races import data_of, file_of, reloaded

EDITION = {"edition": "community"}
COURSE = "community/hot_floor"


def recorded(**more):
    """A finished race of random legal actions, and its replay."""
    return races.recorded(**{"course": COURSE, "max_rounds": 15, **EDITION, **more})


VARIANTS = {
    "program": {},
    "all": {"decisions": "all"},
    "no upgrades": {"rules": {"upgrades": False}},
    "race on": {"rules": {"upgrades": False, "race_on": True}, "max_rounds": 200},
}


@pytest.mark.parametrize("arguments", VARIANTS.values(), ids=VARIANTS)
def test_a_replay_survives_the_file_and_plays_to_the_same_end(arguments, tmp_path):
    batch, replay = recorded(**arguments)
    again = reloaded(replay, tmp_path)
    *_, end = play(again)
    game = batch.games[0]
    assert (end.number, end.over) == (len(replay.rounds), True)
    for r, robot in enumerate(end.robots):
        assert robot["damage"] == game.damage[r]
        assert robot["place"] == game.place[r]
        assert (robot["x"] is None) == (game.cell[r] < 0)
    if batch.decisions == "program":
        announced = [each.announced for each in replay.rounds]
        assert any(announced)
        rounds = list(play(again))[1:]
        for downs, played in zip(announced, rounds, strict=True):
            assert [s for s, kind, choice in played.choices if (kind, choice) == ("power_down", "yes")] == [*downs]


def test_the_command_tells_a_replay_in_words(tmp_path):
    _, replay = recorded()
    save(replay, tmp_path / "race.json")
    shown = CliRunner().invoke(cli, ["replay", str(tmp_path / "race.json")])
    assert shown.exit_code == 0, shown.output
    assert "damage" in shown.output
    assert "no program" in shown.output  # of a robot that was powered down
    as_json = CliRunner().invoke(cli, ["replay", str(tmp_path / "race.json"), "--json"])
    assert {"damage", "virtual", "powered_down"} <= set(json.loads(as_json.stdout)["rounds"][-1]["robots"][0])


def test_a_damaged_file_is_refused(tmp_path):
    data = data_of(recorded(max_rounds=2)[1], tmp_path)
    data["config"]["rules"]["lives"] = 3
    with pytest.raises(ReplayError, match=r"config\.rules.*'lives'"):
        load(file_of(data, tmp_path))


def test_bots_race_on_the_edition_s_courses_and_their_purchases_are_counted(tmp_path):
    result = evaluate(
        ["greedy", "random"], [COURSE, "dizzy_highway"], games=4, players=2, seed=3, max_rounds=80, **EDITION
    )
    greedy, random = result.rows
    assert greedy.win_rate > random.win_rate
    assert greedy.repairs == random.repairs == 0
    rows = result.to_dict()["upgrades"]
    assert {row["upgrade"] for row in rows} == {upgrades.ALL_NAMES[u] for u in upgrades.COMMUNITY_DECK}
    assert sum(row["bought"] for row in rows) > 0
    assert write_results(result, tmp_path, pages=False) == []
    assert "upgrades" in (tmp_path / "races.csv").read_text().splitlines()[0]


@pytest.mark.slow
def test_the_planner_beats_greedy_that_does_not_see_the_others():
    agents = ["planner:simulations=200", "greedy"]
    result = evaluate(agents, COURSE, games=12, players=4, seed=1, max_rounds=80, rules={"upgrades": False}, **EDITION)
    planner, greedy = result.rows
    assert planner.mean_place < greedy.mean_place


def test_bots_power_down_when_a_register_is_locked():
    result = evaluate(["greedy"], "community/summit_works", games=6, players=4, seed=2, max_rounds=60, **EDITION)
    announced = [seat for race in result.races[:6] for each in result.replay(race).rounds for seat in each.announced]
    assert announced
    batch = BatchRace(2, COURSE, edition="community", decisions="all", rules={"upgrades": False}, observation="none")
    from roborally_env.agents import Info, make_agent

    batch.sample()
    batch.step_prepared()
    seats = batch.games["ask_seat"].astype(np.int64)
    batch.games["damage"][1, seats[1]] = 5
    masks = np.ones((2, 43), np.int8)
    assert make_agent("greedy").choose(None, masks, Info(batch, np.arange(2), seats)).tolist() == [1, 2]


def test_an_agent_says_that_it_does_not_know_the_edition():
    with pytest.raises(AgentError, match=stranger.REASON):
        evaluate([stranger.SPEC, "greedy"], COURSE, games=2, players=2, **EDITION)
    with pytest.raises(AgentError, match=stranger.REASON):  # before it is served
        check_play(COURSE, [stranger.SPEC], edition="community")


@pytest.mark.slow
def test_learned_search_plays_by_community_rules():
    result = evaluate(
        ["learned-search:simulations=300", "random"], COURSE, games=2, players=4, seed=1, max_rounds=40, **EDITION
    )
    assert result.rows[0].win_rate > 0
    assert result.rows[0].repairs == 0
