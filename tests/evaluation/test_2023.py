"""Replays, tournaments and self-play data of the 2023 edition."""

import pytest

from roborally_env import ReplayError, RoboRallyError, load_course
from roborally_env.batch import BatchRace
from roborally_env.core import upgrades
from roborally_env.courses import raced_by
from roborally_env.evaluation.tournament import evaluate
from roborally_env.replay import load, play, record, save
from roborally_env.selfplay import selfplay
from tests.later import later

from . import races
from .races import data_of, file_of, reloaded

pd = later("pandas")

SHORT = {"games": 6, "seed": 3, "max_rounds": 12, "edition": "2023"}


def recorded(**more):
    """A finished race of random legal actions, and its replay."""
    return races.recorded(course="twister", edition="2023", **{"max_rounds": 6, **more})


@pytest.mark.parametrize("arguments", [{}, {"decisions": "all"}, {"rules": {"start_energy": 5}}], ids=str)
def test_a_replay_survives_the_file_and_plays_to_the_same_end(arguments, tmp_path):
    batch, replay = recorded(**arguments)
    again = reloaded(replay, tmp_path)
    *_, end = play(again)
    assert [robot["energy"] for robot in end.robots] == batch.games[0]["energy"][:4].tolist()
    kinds = {kind for each in play(again) for _, kind, _ in each.choices}
    assert ({"draw_upgrade", "install_upgrade", "uninstall_upgrade"} <= kinds) == ("decisions" in arguments)


def test_a_file_of_2023_is_not_played_by_2016(tmp_path):
    data = data_of(recorded()[1], tmp_path)
    data["config"]["edition"] = "2016"
    with pytest.raises(ReplayError, match=r"config\.rules"):
        load(file_of(data, tmp_path))


def test_a_course_of_one_s_own_is_in_the_replay(tmp_path):
    """One of 2016 that the edition races on."""
    import dataclasses

    course = dataclasses.replace(load_course("twister"), slug="mine", title="Mine")
    batch = BatchRace(
        1, raced_by(course, "2023"), players=4, observation="none", auto_reset=False, max_rounds=3, seed=4
    )
    replay = record(batch, 4, lambda batch: tuple(array.copy() for array in batch.sample(3)))
    save(replay, tmp_path / "race.json")
    again = load(tmp_path / "race.json")
    assert again.edition == "2023"
    *_, end = play(again)
    assert end.over


# -- tournaments


@pytest.mark.parametrize(
    ("bots", "decisions"),
    [
        (("greedy",), "program"),
        (("greedy",), "all"),
        pytest.param(("greedy", "planner:simulations=30"), "program", marks=pytest.mark.slow),
        pytest.param(("greedy", "planner:simulations=30"), "all", marks=pytest.mark.slow),
    ],
)
def test_bots_race_and_what_they_installed_is_counted(bots, decisions):
    result = evaluate([*bots, "random"], ["dizzy_highway", "twister"], decisions=decisions, **SHORT)
    assert result.setup.edition == "2023"
    assert sum(row.bought for row in result.upgrades) > 10
    # but for the bot that answers at random, none installs what is worth too little
    careful = {row.upgrade for row in result.upgrades if any(row.bought_by[bot] for bot in bots)}
    assert all(upgrades.upgrade(upgrades.NUMBERS[name]).value >= 3 for name in careful)
    assert result.to_dict()["edition"] == "2023"
    replayed = result.replay(result.races[0])
    *_, end = play(replayed)
    assert end.over


@pytest.mark.slow
def test_networks_of_2016_race_too():
    """They do not see collections, and take the default policy in upgrade phases."""
    result = evaluate(["learned", "learned-search:simulations=200", "random"], "dizzy_highway", **{**SHORT, "games": 3})
    assert len(result.races) == 3


def test_the_lighter_game_is_not_one_of_this_edition():
    with pytest.raises(RoboRallyError, match="'upgrades'"):
        evaluate(["greedy", "random"], "dizzy_highway", rules={"upgrades": False}, **SHORT)


def test_self_play_data_have_the_decisions_of_the_phase(tmp_path):
    selfplay(["greedy", "random"], "dizzy_highway", games=4, players=4, decisions="all", seed=1, max_rounds=4,
             edition="2023", out=tmp_path / "data")  # fmt: skip
    steps = pd.read_parquet(tmp_path / "data" / "steps")
    assert {"program", "draw_upgrade", "install_upgrade"} <= set(steps.decision)
    drawn = steps[steps.decision == "draw_upgrade"]
    assert set(drawn.answer) <= {"no", "yes"}
