"""Replays: exact, checked, and strict about what they are given."""

import json

import numpy as np
import pytest
from roborally_env.agents import make_agent

from roborally_env import ReplayError, RoboRallyError
from roborally_env.base.documents import CheckedObject
from roborally_env.batch import BatchRace
from roborally_env.core import upgrades
from roborally_env.courses import course_names, load_course
from roborally_env.courses.tables import tables_of
from roborally_env.evaluation.races import decide
from roborally_env.evaluation.tournament import evaluate
from roborally_env.replay import Recorder, load, play, record, save
from roborally_env.replay.reader import _read_course
from roborally_env.replay.writer import course_as_json, course_digest
from tests.games import LIGHTER

from . import races
from .races import YARD, data_of, file_of, reloaded, uniform


def recorded(**options):
    """A finished race of random legal actions, and its replay."""
    return races.recorded(**{"players": 3, **options})


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("replay") / "race.json"
    save(recorded(course="twister")[1], path)
    return path


VARIANTS = {
    "plain": {},
    "two players": {"players": 2},
    "all choices": {"decisions": "all", "max_rounds": 25},
    "advanced": {"rules": {"advanced": True}},
    "courses": {"course": ["twister", "dizzy_highway", "gear_stripper"]},
    "no cut": {"max_rounds": None, "course": "dizzy_highway"},
    "lighter": {"rules": LIGHTER},
    "lighter, all choices": {"rules": LIGHTER, "decisions": "all", "max_rounds": 25},
}


@pytest.mark.parametrize("arguments", VARIANTS.values(), ids=VARIANTS)
def test_a_replay_survives_the_file_and_plays_to_the_same_end(arguments, tmp_path):
    batch, replay = recorded(**arguments)
    again = reloaded(replay, tmp_path)
    *_, end = play(again)
    game = batch.games[0]
    assert (end.number, end.over) == (int(game["round_number"]), True)
    assert [r["x"] + 32 * r["y"] for r in end.robots] == game["cell"][: batch.players].tolist()
    assert [r["reboots"] for r in end.robots] == game["reboots"][: batch.players].tolist()
    kinds = {kind for each in play(again) for _, kind, _ in each.choices}
    assert ("buy_upgrade" in kinds) == batch.upgrades
    assert bool(kinds - {"buy_upgrade"}) == (batch.decisions == "all")


def test_purchases_stand_in_the_round_before_which_they_were_made(tmp_path):
    """Those before the first programs as `opening`; each as (seat, option), and in words when they are played again."""
    batch, replay = recorded()
    assert replay.opening
    assert data_of(replay, tmp_path)["opening"] == [list(each) for each in replay.opening]
    rounds = list(play(reloaded(replay, tmp_path)))
    names = ("no", *upgrades.NAMES[1:])
    for choices, played in zip((replay.opening, *(each.choices for each in replay.rounds)), rounds, strict=True):
        assert played.choices == tuple((seat, "buy_upgrade", names[option]) for seat, option in choices)
    bought = [set() for _ in range(3)]
    for seat, _, name in (choice for each in rounds for choice in each.choices if choice[2] != "no"):
        bought[seat].add(upgrades.NUMBERS[name])
    assert [sum(1 << u for u in each) for each in bought] == batch.games["bought"][0, :3].tolist()
    assert any(bought)


def test_a_purchase_that_nobody_answers_is_recorded_as_declined():
    batch = BatchRace(1, players=3, observation="none", auto_reset=False, max_rounds=3, seed=4)
    replay = record(batch, 4, lambda batch: (batch.sample(3)[0].copy(), None))
    assert not batch.games["bought"].any()
    assert {option for _, option in replay.opening} == {0}
    *_, end = play(replay)
    assert end.over


def test_the_timer_is_recorded(tmp_path):
    batch = BatchRace(1, players=2, rules={"timer": True}, observation="none", auto_reset=False, max_rounds=3, seed=1)
    recorder = Recorder(batch, 1)
    while not batch.over.all():
        programs, choices = (array.copy() for array in batch.sample(1))
        recorder.step(programs, choices, np.array([[0b10100, 0]], np.uint8))
    rounds = list(play(reloaded(recorder.replay(), tmp_path)))
    assert len(rounds) == 4
    assert rounds[1].programs[0][2] is None
    assert None not in rounds[1].programs[1]


def test_one_game_of_a_larger_batch_can_be_recorded():
    batch = BatchRace(5, players=2, observation="none", auto_reset=False, max_rounds=6, seed=8)
    recorder = Recorder(batch, 8, ["a", "b"], index=3)
    while not batch.over.all():
        recorder.step(batch.sample(1)[0].copy())
    replay = recorder.replay()
    assert (replay.game, replay.agents) == (3, ("a", "b"))
    *_, end = play(replay)
    assert end.number == int(batch.games[3]["round_number"])


def test_a_later_race_of_a_place_is_recorded():
    batch = BatchRace(1, players=2, observation="none", auto_reset=False, max_rounds=4, seed=8)
    batch.reset()
    batch.reset()
    replay = record(batch, 8, uniform)
    assert replay.episode == 2
    assert len(list(play(replay))) == len(replay.rounds) + 1


CHOSEN = {
    "2016": ["dizzy_highway", "death_trap", "twister"],
    "2005": ["frenetic_factory", "2005/twister", "frenetic_factory"],
    "community": ["community/twister", "community/death_trap"],
}


@pytest.mark.parametrize("courses", CHOSEN.values(), ids=CHOSEN)
def test_a_race_on_a_chosen_course_is_recorded_as_one_on_this_course_alone(courses, tmp_path):
    """Frenetic Factory turns its boards, which other tables of the batch are for."""
    options = {"players": 5, "observation": "none", "auto_reset": False, "max_rounds": 15, "seed": 8}
    batch, turned = BatchRace(2, courses, **options), 0
    crew = [make_agent("greedy")], np.zeros((2, 5), np.int64)
    for k, name in enumerate(courses):
        for seed in (8, None):
            batch.reset(seed, courses=[0, k])
            recorder = Recorder(batch, 8, index=1)
            while not batch.over[1]:
                recorder.step(*decide(batch, *crew))
            turned += "turned" in batch.dtype.names and bool(batch.games[1]["turned"].any())
            replay = recorder.replay()
            assert (len(replay.courses), replay.episode) == (1, seed is None)
            *_, end = play(reloaded(replay, tmp_path))
            assert (end.number, end.course.slug) == (batch.games[1]["round_number"], batch.course_slugs[1])
            alone = BatchRace(2, name, **options)
            alone.reset(seed)
            its = Recorder(alone, 8, index=1)
            while not alone.over[1]:
                its.step(*decide(alone, *crew))
            assert its.replay() == replay
    assert bool(turned) == ("frenetic_factory" in courses)


def test_of_a_list_of_which_none_is_chosen_all_courses_are_recorded():
    batch = BatchRace(1, CHOSEN["2016"], observation="none", auto_reset=False, seed=4)
    assert len(Recorder(batch, 4).replay().courses) == 3
    batch.reset(4, courses=[1])
    recorder = Recorder(batch, 4)
    recorder.step(*(array.copy() for array in batch.sample()))
    partial = recorder.partial_round()
    assert partial is None or partial.hash != recorder.replay().start
    with pytest.raises(ReplayError, match="start"):
        Recorder(batch, 4)


def test_a_tournament_race_is_recorded():
    result = evaluate(["random", "greedy"], games=3, seed=1, max_rounds=20)
    replay = result.replay(result.races[2])
    assert replay.agents == ("random", "greedy")
    *_, end = play(replay)
    assert (end.number, end.winner) == (result.races[2].rounds, max(result.races[2].winner, -1))


def test_an_own_course_is_in_the_file(tmp_path):
    (tmp_path / "yard.toml").write_text(YARD, encoding="utf-8")
    _, replay = recorded(course=str(tmp_path / "yard.toml"), players=2)
    save(replay, tmp_path / "race.json")
    (tmp_path / "yard.toml").unlink()
    again = load(tmp_path / "race.json")
    assert course_digest(again.courses[0]) == course_digest(replay.courses[0])
    assert len(list(play(again))) == len(replay.rounds) + 1


@pytest.mark.parametrize("name", course_names("2016"))
def test_any_course_can_be_in_a_file_as_a_whole(name, monkeypatch):
    monkeypatch.setattr("roborally_env.replay.writer._is_shipped", lambda course: False)
    course = load_course(name, "2016")
    data = json.loads(json.dumps(course_as_json(course)))
    again = _read_course(CheckedObject(data), "2016")
    assert tables_of(again).tobytes() == tables_of(course).tobytes()


def test_a_changed_program_is_found_in_its_round(file, tmp_path):
    data = json.loads(file.read_text())
    program = data["rounds"][2]["programs"][1]
    program.reverse()
    rounds = play(load(file_of(data, tmp_path)))
    assert [next(rounds).number for _ in range(3)] == [0, 1, 2]
    with pytest.raises(ReplayError, match="round 3"):
        next(rounds)


def test_another_seed_is_found_at_the_start(file, tmp_path):
    data = json.loads(file.read_text()) | {"seed": 5}
    with pytest.raises(ReplayError):
        next(play(load(file_of(data, tmp_path))))


def test_rounds_after_the_end_are_found(file, tmp_path):
    data = json.loads(file.read_text())
    data["rounds"].append(data["rounds"][-1])
    with pytest.raises(ReplayError, match=r"round \d+"):
        list(play(load(file_of(data, tmp_path))))


def with_value(path, value):
    def change(data):
        part = data
        for key in path[:-1]:
            part = part[key]
        part[path[-1]] = value

    return change


DAMAGED = {
    "format": (with_value(["format"], 2), "format.*1.*2"),
    "unknown key": (with_value(["extra"], 2), "extra"),
    "rules version": (with_value(["versions", "rules"], 99), "99"),
    "record": (with_value(["versions", "record"], "00"), '"00"'),
    "course": (with_value(["config", "courses", 0, "name"], "dizzy"), r"courses\[0\].name.*'dizzy'"),
    "course path": (with_value(["config", "courses", 0, "name"], "../x.toml"), "'../x.toml'"),
    "digest": (with_value(["config", "courses", 0, "digest"], "0" * 16), "twister"),
    "edition": (with_value(["config", "edition"], "2017"), "config.edition.*2016"),
    "players": (with_value(["config", "players"], 9), "config.players.*2.*6.*9"),
    "seed": (with_value(["seed"], -1), "seed.*0"),
    "agents": (with_value(["agents"], ["a"]), "agents.*3"),
    "rounds": (with_value(["rounds"], {}), "rounds"),
    "slot": (
        with_value(["rounds", 1, "programs", 0, 2], 10),
        r"rounds\[1\].programs.*3.*5",
    ),
    "hash": (with_value(["rounds", 0, "hash"], "xyz"), r"rounds\[0\].hash"),
    "choices": (with_value(["rounds", 0, "choices"], [[7, 0]]), r"rounds\[0\].choices.*0..2"),
    "open": (with_value(["rounds", 0, "open"], [1]), r"rounds\[0\].open.*3"),
    "opening": (with_value(["opening"], 3), "opening.*3"),
    "opening seat": (with_value(["opening", 0], [3, 0]), "opening.*0..2"),
    "opening option": (with_value(["opening", 0, 1], 64), "opening"),
    "opening entry": (with_value(["opening", 0], [0]), "opening"),
    "rules": (with_value(["config", "rules", "upgrades"], False), ""),
    "no start": (lambda data: data.pop("start"), ""),
    "config": (with_value(["config"], 3), "config"),
}


@pytest.mark.parametrize(("change", "message"), DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_file_is_refused(change, message, file, tmp_path):
    data = json.loads(file.read_text())
    change(data)
    path = file_of(data, tmp_path)
    with pytest.raises(ReplayError, match=message or None) as refused:
        load(path)
    assert str(refused.value).startswith(str(path))


def changed_opening(change):
    def changed(data):
        data["opening"] = change(data["opening"])

    return changed


# purchases that cannot be those of the race: found when it is played
PURCHASES = {
    "none": (changed_opening(lambda old: []), "round 1"),
    "one too few": (changed_opening(lambda old: old[:-1]), "round 1"),
    "one too many": (changed_opening(lambda old: [*old, [0, 0]]), "robot 0"),
    "another robot": (
        changed_opening(lambda old: [[(old[0][0] + 1) % 3, 0], *old[1:]]),
        "round 1",
    ),
    "no such option": (changed_opening(lambda old: [[old[0][0], 63], *old[1:]]), ""),
    "another card": (changed_opening(lambda old: [[seat, 0] for seat, _ in old]), ""),
    "later": (with_value(["rounds", 0, "choices"], [[0, 63]]), "round 1: robot 0 .* not"),
}


@pytest.mark.parametrize(("change", "message"), PURCHASES.values(), ids=PURCHASES)
def test_changed_purchases_are_found(change, message, file, tmp_path):
    data = json.loads(file.read_text())
    assert len(data["opening"]) > 1
    assert any(option for _, option in data["opening"])
    change(data)
    with pytest.raises(ReplayError, match=message or None):
        list(play(load(file_of(data, tmp_path))))


def test_a_game_in_which_a_purchase_was_declined_is_not_at_its_start():
    batch = BatchRace(1, players=3, observation="none", auto_reset=False, seed=4)
    batch.step(np.zeros((1, 3, 5), np.int8), np.ones((1, 3), np.int8))
    assert not batch.programming[0]
    assert not batch.games["bought"].any()
    with pytest.raises(ReplayError):
        Recorder(batch, 4)


@pytest.mark.parametrize("text", ["", "{", "[]", "3", '{"format": 1}', "\x00"])
def test_what_is_no_replay_is_refused(text, tmp_path):
    path = tmp_path / "no.json"
    path.write_text(text)
    with pytest.raises(ReplayError, match=r"no\.json: "):
        load(path)


def test_files_that_cannot_be_read_or_written(tmp_path):
    with pytest.raises(ReplayError, match="read"):
        load(tmp_path / "none.json")
    with pytest.raises(RoboRallyError, match="written"):
        save(recorded()[1], tmp_path / "none" / "race.json")


def test_what_cannot_be_recorded():
    options = {"players": 2, "observation": "none", "seed": 1}
    with pytest.raises(ReplayError, match="auto_reset=False"):
        Recorder(BatchRace(1, **options), 1)
    batch = BatchRace(1, auto_reset=False, **options)
    with pytest.raises(ReplayError):
        Recorder(batch, 2)
    with pytest.raises(ReplayError, match="2"):
        Recorder(batch, 1, ["a"])
    while int(batch.games["round_number"][0]) == 1:
        batch.step(*batch.sample())
    with pytest.raises(ReplayError):
        Recorder(batch, 1)
    with pytest.raises(ReplayError):
        record(
            BatchRace(2, auto_reset=False, **options), 1, lambda batch: decide(batch, [], np.zeros((2, 2), np.int64))
        )
