"""Events of races as tables: they have what the tournament counted, with the place of each robot."""

import dataclasses
from typing import Any

import numpy as np
import pytest
from roborally_env.agents import Info

from roborally_env import AgentError, RoboRallyError
from roborally_env.evaluation import analysis
from roborally_env.evaluation.tournament import Result, evaluate
from tests.later import later

pd = later("pandas")


def counted(events: Any, kind: str) -> Any:
    """How often a kind of event happened to each robot of each race."""
    return events[events["kind"] == kind].groupby(["course", "game", "seat"]).size()


def test_every_reboot_and_checkpoint_that_was_counted_is_an_event(result: Result, events: Any) -> None:
    table = analysis.race_table(result).set_index(["course", "game", "seat"])
    for column, kind in (("reboots", "reboot"), ("checkpoints", "checkpoint"), ("damage", "damage")):
        found = counted(events, kind).reindex(table.index, fill_value=0)
        assert found.tolist() == table[column].tolist(), kind


def test_every_race_is_told_in_its_order_to_its_last_round(result: Result, events: Any) -> None:
    last = events.groupby(["course", "game"])["round"].max()
    for race in result.races:
        assert last[result.setup.courses[race.course].slug, race.game] == race.rounds
    for _, race in events.groupby(["course", "game"]):
        assert race["round"].is_monotonic_increasing


def test_a_robot_is_where_its_last_move_took_it(events: Any) -> None:
    moves = events[events["kind"].isin(["move", "push", "belt", "panel"])]
    assert len(moves) > 100
    assert [[x, y] for x, y in zip(moves["x"], moves["y"], strict=True)] == moves["to"].tolist()
    robots = events.dropna(subset=["seat"])
    for _, robot in robots.groupby(["course", "game", "seat"]):
        starts = robot["from"].where(robot["kind"].isin(["move", "push", "belt", "panel", "fall"])).tolist()
        before = [[x, y] for x, y in zip(robot["x"], robot["y"], strict=True)]
        for i, start in enumerate(starts):
            assert i == 0 or not isinstance(start, list) or start == before[i - 1]


def check_deaths(events: Any, kind: str) -> None:
    """A robot that fell is in the pit or on the cell that it left, and dies there."""
    falls = events[events["kind"] == "fall"]
    places = [pit if isinstance(pit, list) else left for pit, left in zip(falls["pit"], falls["from"], strict=True)]
    assert [[x, y] for x, y in zip(falls["x"], falls["y"], strict=True)] == places
    after = events.shift(-1).loc[falls.index]
    deaths = after[after["kind"] == kind]  # others fell in the same moment, and die a little later
    assert len(deaths) > 0
    assert (deaths[["x", "y"]] == falls.loc[deaths.index, ["x", "y"]]).all().all()


def test_a_robot_dies_where_it_fell(events: Any) -> None:
    check_deaths(events, "reboot")


def test_kinds_and_games_choose_among_the_same_events(result: Result, events: Any) -> None:
    some = analysis.race_events(result, kinds=analysis.DEATHS, games=2)
    wanted = events[events["kind"].isin(analysis.DEATHS) & (events["game"] < 2)].reset_index(drop=True)
    columns = ["course", "game", "round", "register", "seat", "agent", "kind", "x", "y"]
    pd.testing.assert_frame_equal(some[columns], wanted[columns])


def test_the_events_of_a_replay_are_those_of_its_race(result: Result, events: Any) -> None:
    race = result.races[8]
    replayed = analysis.replay_events(result.replay(race))
    here = events[(events["course"] == "twister") & (events["game"] == race.game)].reset_index(drop=True)
    columns = ["game", "round", "register", "seat", "agent", "kind", "x", "y", "from", "to", "card", "number"]
    pd.testing.assert_frame_equal(replayed[columns], here[columns], check_dtype=False)


def test_destroyed_robots_of_2005_have_their_place() -> None:
    played = evaluate(["random"], "risky_exchange", edition="2005", games=4, players=6, seed=2, max_rounds=10)
    events = analysis.race_events(played)
    dead = events[events["kind"] == "destroyed"]
    assert len(dead) == sum(sum(race.reboots) for race in played.races) > 0
    assert dead["x"].notna().all()
    check_deaths(events, "destroyed")
    assert events["pit"].notna().any()
    assert len(analysis.plot_deaths(events, played.setup.courses[0]).patches) > 0


def test_lost_robots_of_the_community_edition_have_their_place() -> None:
    played = evaluate(["random"], "rain_yard", edition="community", games=4, players=4, seed=5, max_rounds=12)
    events = analysis.race_events(played, kinds=analysis.DEATHS)
    assert len(events) == sum(sum(race.reboots) for race in played.races) > 0
    assert events["x"].notna().all()
    title = analysis.plot_deaths(events, played.setup.courses[0]).get_title()
    assert f"{len(events)} times" in title


@pytest.mark.parametrize("kinds", ["fall", ["falls"], [3]])
def test_unknown_kinds_are_refused(result: Result, kinds: Any) -> None:
    with pytest.raises(RoboRallyError, match="kinds"):
        analysis.race_events(result, kinds=kinds)


class Wayward:
    """Plays another way each time."""

    name, needs_observation = "wayward", False

    def __init__(self) -> None:
        self.dice = np.random.default_rng(0)

    def act(self, observations: Any, masks: Any, info: Info) -> Any:
        first = [self.dice.choice(np.flatnonzero(mask)) for mask in masks[:, 0]]
        rows = [[slot, *[s for s in self.dice.permutation(9) if s != slot][:4]] for slot in first]
        return np.array(rows, np.int8)


def test_agents_that_play_another_way_are_reported(result: Result) -> None:
    setup = dataclasses.replace(result.setup, agents=(Wayward(), "random"))
    with pytest.raises(AgentError):
        analysis.race_events(Result(setup, result.races))


def test_times_and_shares_by_checkpoint(result: Result, events: Any) -> None:
    times = analysis.checkpoint_times(result, events)
    pd.testing.assert_frame_equal(times, analysis.checkpoint_times(result))
    assert len(times) == 6 * 6 * (1 + 4)  # robots x checkpoints
    table = analysis.race_table(result)
    reached = times.dropna().groupby(["course", "game", "seat"])["checkpoint"].max()
    assert reached.sum() == table["checkpoints"].sum()
    rows = analysis.checkpoint_table(times)
    greedy = times[(times["agent"] == "greedy") & (times["course"] == "twister") & (times["checkpoint"] == 1)]["round"]
    assert rows.loc[("twister", 1, "greedy"), "reached"] == greedy.notna().mean()
    assert rows.loc[("twister", 1, "greedy"), "mean"] == pytest.approx(greedy.dropna().astype(float).mean())


def test_times_of_the_races_whose_events_are_there(result: Result) -> None:
    events = analysis.race_events(result, kinds=("checkpoint", "round"), games=2)
    assert set(analysis.checkpoint_times(result, events)["game"]) == {0, 1}


def test_races_in_which_nobody_reached_a_checkpoint_count() -> None:
    """They have no event of that kind, wherever they come."""
    short = evaluate(["greedy", "random"], "dizzy_highway", games=8, players=6, seed=7, max_rounds=1, decisions="all")
    without = [race.game for race in short.races if not any(race.reached)]
    last = max(race.game for race in short.races if any(race.reached))
    assert min(without) < last
    times = analysis.checkpoint_times(short)
    assert len(times) == 8 * 6
    pd.testing.assert_frame_equal(times, analysis.checkpoint_times(short, analysis.race_events(short)))
    some = analysis.checkpoint_times(short, analysis.race_events(short, kinds=("checkpoint",)))
    assert sorted(some["game"].unique()) == list(range(last + 1))
