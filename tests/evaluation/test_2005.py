"""Replays and tournaments of the 2005 edition."""

import csv
import dataclasses
from statistics import fmean

import numpy as np
import pytest

from roborally_env import ReplayError, RoboRallyError, course_names, load_course
from roborally_env.batch import BatchRace
from roborally_env.core import options
from roborally_env.evaluation.files import chosen_races, write_results
from roborally_env.evaluation.tournament import check_setup, evaluate
from roborally_env.replay import Recorder, load, play
from tests.sizes import size

from . import races
from .races import data_of, file_of, reloaded


def recorded(course="risky_exchange", **more):
    """A finished race of random legal actions, and its replay."""
    return races.recorded(course=load_course(course, "2005"), **more)


VARIANTS = {
    "program": {},
    "all": {"decisions": "all"},
    "two robots each": {"course": "interference", "players": 2},
    "two robots each, all": {"course": "interference", "players": 2, "decisions": "all"},
    "teams": {"course": "capture_the_flag", "decisions": "all"},
    "options": {"course": "tricksy", "decisions": "all"},
    "rules": {"rules": {"options": False, "starts": "listed"}},
    "no power down": {"course": "death_trap", "max_rounds": None},
}


@pytest.mark.parametrize("arguments", VARIANTS.values(), ids=VARIANTS)
def test_a_replay_survives_the_file_and_plays_to_the_same_end(arguments, tmp_path):
    batch, replay = recorded(**arguments)
    again = reloaded(replay, tmp_path)
    *_, end = play(again)
    game = batch.games[0]
    assert (end.number, end.over) == (len(replay.rounds), True)
    assert len(end.robots) == batch.players
    for robot, cell, lives in zip(end.robots, game["cell"].tolist(), game["lives"].tolist(), strict=False):
        assert (None if cell < 0 else cell) == (None if robot["x"] is None else robot["x"] + 32 * robot["y"])
        assert robot["lives"] == lives
    kinds = {kind for each in play(again) for _, kind, _ in each.choices}
    assert (len(kinds) > 1) == (batch.decisions == "all")


def test_announced_power_downs_are_recorded_and_reported(tmp_path):
    _, replay = recorded(max_rounds=40)
    announced = [round.announced for round in replay.rounds]
    assert any(announced)
    rounds = list(play(reloaded(replay, tmp_path)))[1:]
    for seats, played in zip(announced, rounds, strict=True):
        assert [seat for seat, kind, choice in played.choices if (kind, choice) == ("power_down", "yes")] == [*seats]
    data = data_of(replay, tmp_path)
    # a robot that was destroyed in that turn is not down after it
    first = next(i for i, each in enumerate(announced) if any(rounds[i].robots[r]["powered_down"] for r in each))
    data["rounds"][first]["announced"] = []
    with pytest.raises(ReplayError, match=f"round {first + 1}"):
        list(play(load(file_of(data, tmp_path))))
    data["rounds"][0]["announced"] = [0]
    with pytest.raises(ReplayError, match="round 1: robot 0"):
        list(play(load(file_of(data, tmp_path))))


DAMAGED = {
    "announced": (lambda data: data["rounds"][0].update(announced=[4]), r"rounds\[0\].announced.*0..3"),
    "players": (lambda data: data["config"].update(players=9), "config.players.*2.*8"),
    "robots": (lambda data: data["config"].update(robots_each=2), "state|robots_each"),
    "rules": (lambda data: data["config"]["rules"].update(lives=5), "config.rules.lives.*3.*4.*5"),
    "edition": (lambda data: data["config"].update(edition="2016"), "config.rules"),
}


@pytest.mark.parametrize(("change", "message"), DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_file_is_refused(change, message, tmp_path):
    data = data_of(recorded(max_rounds=2)[1], tmp_path)
    change(data)
    with pytest.raises(ReplayError, match=message):
        load(file_of(data, tmp_path))


def test_a_race_that_has_begun_is_not_recorded():
    batch = BatchRace(1, "risky_exchange", observation="none", auto_reset=False, seed=4)
    Recorder(batch, 4)
    batch.step(*batch.sample())
    with pytest.raises(ReplayError):
        Recorder(batch, 4)


# -- tournaments

SHORT = {"games": 6, "seed": 3, "max_rounds": 15}


@pytest.mark.slow
def test_everybody_for_himself():
    result = evaluate(["greedy", "random"], "risky_exchange", players=4, **{**SHORT, "games": 8, "max_rounds": 60})
    greedy, random = result.rows
    assert (greedy.races, random.races) == (16, 16)
    assert greedy.mean_place < random.mean_place
    assert result.to_dict()["edition"] == "2005"
    assert [row["upgrade"] for row in result.to_dict()["options"]] == list(options.NAMES[1:])
    replayed = result.replay(result.races[0])
    *_, end = play(replayed)
    assert end.winner == (result.races[0].winner if result.races[0].winner >= 0 else None)


@pytest.mark.parametrize(("course", "players"), [("capture_the_flag", 4), ("tandem_carnage", 4), ("interference", 2)])
def test_a_team_has_one_agent_and_one_place(course, players):
    result = evaluate(["greedy", "random"], course, **SHORT)
    assert result.setup.counts == (players,)
    for race in result.races:
        assert len(race.sides) == 2
        for side in race.sides:
            assert len({race.line_up[seat] for seat in side}) == 1
            assert len({race.place[seat] for seat in side}) == 1
            assert len({race.won(seat) for seat in side}) == 1
        assert sum(race.place[side[0]] for side in race.sides) == 3
        assert sum(race.won(side[0]) for side in race.sides) == (race.winner >= 0)
    for row in result.rows:
        assert row.races == SHORT["games"]
    assert fmean(row.mean_place for row in result.rows) == 1.5
    assert evaluate(["greedy", "random"], course, chunk=4, **SHORT).races == result.races


def test_seats_and_teams_are_rotated():
    setup = check_setup(["random", "greedy", "planner"], "2005/capture_the_flag", games=6)
    line_ups = setup.line_ups(0, 0, 6)
    assert (line_ups[:, 0] == line_ups[:, 2]).all()
    assert (line_ups[:, 1] == line_ups[:, 3]).all()
    assert (line_ups[:, 0] != line_ups[:, 1]).all()
    assert np.bincount(line_ups[:, :2].ravel()).tolist() == [4, 4, 4]


def test_the_number_of_players_is_what_each_course_allows():
    courses = [f"2005/{name}" for name in course_names("2005")]
    setup = check_setup(["random", "greedy", "planner"], courses, games=1)
    for course, count in zip(setup.courses, setup.counts, strict=True):
        assert count in course.counts
        assert len(setup.teams(setup.courses.index(course))) == count * course.robots_each
    assert len(set(setup.counts)) > 1
    with pytest.raises(RoboRallyError, match=r"players.*5.*8.*3.*twister"):
        check_setup(["random"], "2005/twister", games=1, players=3)


@pytest.mark.slow
def test_what_a_tournament_leaves_in_its_folder(tmp_path):
    result = evaluate(["greedy", "random"], "capture_the_flag", **SHORT)
    (tmp_path / "out").mkdir()
    write_results(result, tmp_path / "out")
    rows = list(csv.DictReader((tmp_path / "out" / "races.csv").open()))
    assert len(rows) == 6 * 4
    assert {row["team"] for row in rows} == {"0", "1"}
    drawn = list(csv.DictReader((tmp_path / "out" / "options.csv").open()))
    assert [row["option"] for row in drawn] == list(options.NAMES[1:])
    owned = sum(row["options"].split().count("brakes") for row in rows)
    assert next(int(row["owned"]) for row in drawn if row["option"] == "brakes") == owned
    for file in (tmp_path / "out" / "replays").iterdir():
        assert list(play(load(file)))


@pytest.mark.parametrize("course", course_names("2005")[:: size(5, 1)])
def test_every_course_is_covered(course):
    result = evaluate(["random", "greedy"], f"2005/{course}", games=1, seed=1, max_rounds=4)
    assert len(result.races) == 1
    assert all(row.repairs == 0 for row in result.rows)


def test_robots_that_are_out_of_the_race_were_not_close(tmp_path):
    result = evaluate(["random"], "2005/death_trap", games=size(8, 40), players=4, max_rounds=40, seed=2)
    assert any(map(any, (race.out for race in result.races)))
    write_results(result, tmp_path, pages=False)
    lines = list(csv.DictReader((tmp_path / "races.csv").open()))
    out = [gone for race in result.races for gone in race.out]
    assert [line["registers_to_go"] == "" for line in lines] == [gone == 1 for gone in out]
    first = result.races[0]._replace(course=0, winner=0, team=())
    near = first._replace(to_go=(0.0, 5.0, 6.0, 7.0), out=(0, 0, 0, 0), game=1)
    far = first._replace(to_go=(0.0, 1.0, 6.0, 7.0), out=(0, 1, 0, 0), game=2)
    alone = first._replace(to_go=(0.0, 1.0, 1.0, 1.0), out=(0, 1, 1, 1), game=3)
    assert chosen_races(dataclasses.replace(result, races=(alone, far, near)))["closest_finish"].game == 1
