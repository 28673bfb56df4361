"""Races that outlive their server: what is kept while they go on, and how they go on."""

from __future__ import annotations

import json
import random
import re
import stat
from pathlib import Path
from typing import Any

import pytest

from roborally_env.base.errors import ReplayError
from roborally_env.play.messages import Choice, Program, Shown
from roborally_env.play.race import PlayRace, going_on
from roborally_env.play.saved_race import SavedRace, save_race, unfinished
from roborally_env.play.setup import check_play
from roborally_env.play.table import ASKING, OVER, Table
from roborally_env.replay import load, play
from roborally_env.replay.writer import as_text
from tests.play.helpers import COMPLETE, LIGHTER, RACE_2005, RACE_COMMUNITY, answer_all, program_of, wait_for
from tests.sizes import size

RACE_2023 = {"course": "sprint_cramp", "edition": "2023", "opponents": ["greedy", "random"], "seed": 6}
GIVEN = {"complete": COMPLETE, "lighter": LIGHTER, "2005": RACE_2005, "2023": RACE_2023, "community": RACE_COMMUNITY}


def decide(race: PlayRace, dice: random.Random) -> None:
    """Answer everything; the same dice answer the same."""
    answer_all(race, dice)
    race.step()


def questions_of(race: PlayRace) -> list[dict[str, Any]]:
    """The open questions, without their number, and what was said to them already."""
    return [{**q.as_json(), "number": 0, "waits": robot in race.waiting} for robot, q in race.open.items()]


@pytest.mark.parametrize("given", GIVEN.values(), ids=GIVEN)
def test_a_race_goes_on_from_any_step_with_the_same_bytes(given: dict[str, Any], tmp_path: Path) -> None:
    """Whenever it is killed: before the first program, while somebody is asked in a round, between two rounds."""
    file, dice = tmp_path / "race.json", random.Random(4)
    race = PlayRace(check_play(**given, max_rounds=3))
    files, moments = [], []
    while not race.over:
        save_race(file, race.kept({"seats": ["x"]}))
        files.append(file.read_text())
        moments.append((dice.getstate(), questions_of(race)))
        decide(race, dice)
    whole, feeds = as_text(race.replay()), [timeline.chunks for timeline in race.timelines]
    step = max(1, len(files) // size(4, 12))
    for text, (state, questions) in list(zip(files, moments, strict=True))[::step]:
        file.write_text(text)
        again, keys = going_on(file)
        assert keys == {"seats": ["x"]}
        assert questions == questions_of(again)
        own = random.Random()
        own.setstate(state)
        while not again.over:
            decide(again, own)
        assert as_text(again.replay()) == whole
        assert [timeline.chunks for timeline in again.timelines] == feeds


def test_the_timers_rounds_are_played_again_too(tmp_path: Path) -> None:
    race, file = PlayRace(check_play(**LIGHTER, timer=20, bot_time=5)), tmp_path / "race.json"
    race.think()
    race.run_out()
    race.step()
    save_race(file, race.kept({}))
    again, _ = going_on(file)
    assert again.setup == race.setup
    assert again.batch.games.tobytes() == race.batch.games.tobytes()


# -- the file of a table


def play_on(table: Table, until: Any, dice: random.Random) -> None:
    def done() -> bool:
        race = table.race
        if race is not None and table.phase == ASKING:
            for question in race.questions(0):
                if question.kind == "program":
                    table.answer(0, Program(question.number, question.robot, tuple(program_of(question, dice))))
                else:
                    table.answer(0, Choice(question.number, question.robot, dice.choice(question.answers).option))
        if table.phase != "starting":
            table.answer(0, Shown(len(table.feed(0))))
        return bool(until())

    wait_for(done, "the race")


def test_a_table_keeps_the_race_from_its_start_on_and_its_end_leaves_a_replay(tmp_path: Path) -> None:
    file = tmp_path / "race.json"
    table = Table(check_play(**LIGHTER, max_rounds=3), file)
    table.keys = {"seats": ["a-token"]}
    table.start()
    try:
        wait_for(lambda: table.phase == ASKING, "the first question")
        started = file.read_bytes()
        play_on(table, lambda: table.race.round == 2 and table.phase == ASKING, random.Random(2))  # type: ignore[union-attr]
        data = json.loads(file.read_text())
        assert data["play"]["keys"] == {"seats": ["a-token"]}
        assert data["play"]["rounds"] == len(data["rounds"]) == 1
        assert stat.S_IMODE(file.stat().st_mode) == 0o600  # it has the tokens
        assert unfinished(tmp_path) == [file]
        assert len(load(file).rounds) == 1
        play_on(table, lambda: table.phase == OVER, random.Random(2))
    finally:
        table.stop()
    whole = file.read_bytes()
    assert whole == as_text(table.race.replay()).encode()  # type: ignore[union-attr]
    assert "a-token" not in file.read_text()
    assert unfinished(tmp_path) == []
    assert [path.name for path in tmp_path.iterdir()] == ["race.json"]
    file.write_bytes(started)  # as if it had been killed before anybody was done
    again, keys = going_on(file)
    assert keys == {"seats": ["a-token"]}
    dice = random.Random(2)
    while not again.over:
        decide(again, dice)
    assert as_text(again.replay()).encode() == whole


def test_a_race_that_was_stopped_between_two_rounds_has_its_last_round_and_still_buys(tmp_path: Path) -> None:
    """The replay in the file ends with the default purchases; the race goes on from before them."""
    file = tmp_path / "race.json"
    race = PlayRace(check_play(**COMPLETE, max_rounds=6))
    dice = random.Random(7)

    def buys() -> bool:
        return race.round == 2 and not race.programming and race.open[race.waiting[0]].kind == "buy_upgrade"

    while not (race.waiting and buys()):
        decide(race, dice)
    kept = race.kept({})
    asked = race.open[0].as_json()
    race.close_round()
    save_race(file, kept, race.replay())
    assert [played.number for played in play(load(file))] == [0, 1]
    again, _ = going_on(file)
    assert {**again.open[0].as_json(), "number": 0} == {**asked, "number": 0}


def test_what_people_have_said_before_they_are_asked_is_kept() -> None:
    race = PlayRace(check_play(**RACE_2005))
    race.batch.games[0]["damage"][0] = 2
    race._ask()
    race.think()
    race.answer(0, race.number, 0, program_of(race.open[0]), power_down=True)
    race._resting[0, "shield"] = race.round
    said = race.kept({}).said
    assert said == {"power_down": [[0, True]], "rest": [[0, "shield"]]}


# -- files whose race cannot go on


@pytest.fixture
def going(tmp_path: Path) -> Path:
    """The file of a race in its second round."""
    race, file = PlayRace(check_play(**LIGHTER)), tmp_path / "race.json"
    decide(race, random.Random(1))
    save_race(file, race.kept({"seats": []}))
    return file


def changed(file: Path, change: Any) -> None:
    data = json.loads(file.read_text())
    change(data)
    file.write_text(json.dumps(data))


WRONG = {
    "finished": (lambda d: d.pop("play"), "over"),
    "another version": (lambda d: d["versions"].update(rules=0), "version"),
    "a changed round": (lambda d: d["rounds"][0].update(hash="0" * 16), "round 1"),
    "another program": (lambda d: d["rounds"][0]["programs"].reverse(), "round 1"),
    "no people": (lambda d: d["play"].update(people=[]), "play: people.*1.*8"),
    "a name that is none": (lambda d: d["play"].update(people=["\n"]), "play: names.*1.*24"),
    "too many players": (lambda d: d["play"]["people"].append("x"), "play.*4.*5"),
    "an unknown bot": (
        lambda d: d["play"].update(opponents=["greedy", "x", "y"]),
        "agent 'x'.*random, greedy",
    ),
    "a wrong timer": (lambda d: d["play"].update(timer={"seconds": "x"}), "timer"),
    "no timer": (lambda d: d["play"].update(timer=3), "play"),
    "too many rounds": (lambda d: d["play"].update(rounds=2), "rounds.*0.*1.*2"),
    "a key too many": (lambda d: d["play"].update(more=1), "play"),
    "keys that are none": (lambda d: d["play"].update(keys=[1]), "play: keys"),
    "nothing said": (lambda d: d["play"].update(said={}), "play: damaged: 'power_down'"),
    "something else said": (lambda d: d["play"]["said"].update(rest=[[0, 1]]), r"said\.rest"),
    "a round that is none": (lambda d: d["play"].update(begun={"programs": 1}), r"begun\.programs"),
    "many games": (lambda d: d.update(game=3), "roborally play"),
}


@pytest.mark.parametrize(("change", "message"), WRONG.values(), ids=WRONG)
def test_a_race_that_cannot_go_on_is_one_line(going: Path, change: Any, message: str) -> None:
    changed(going, change)
    with pytest.raises(ReplayError) as caught:
        going_on(going)
    assert re.search(message, str(caught.value))
    assert str(caught.value).startswith(str(going))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["", "{", '{"format": 1, "play": {}}', "[]"])
def test_a_file_that_is_cut_or_something_else_is_one_line(going: Path, text: str) -> None:
    going.write_text(text)
    with pytest.raises(ReplayError, match=r"race\.json: "):
        going_on(going)


def test_a_folder_lists_the_races_that_are_not_over(going: Path) -> None:
    for name, text in {
        "a.json": "{}",
        "b.json": '{\n"format": 1,\n"versions": {}}',
        "c.txt": going.read_text(),
    }.items():
        (going.parent / name).write_text(text)
    (going.parent / "d.json").mkdir()
    (going.parent / "e.json").write_bytes(b"\xff\xfe")
    assert unfinished(going.parent) == [going]
    assert unfinished(going.parent / "none") == []


def test_the_setup_of_a_kept_race_is_that_of_the_race(going: Path) -> None:
    again, _ = going_on(going)
    kept = again.kept({})
    assert isinstance(kept, SavedRace)
    assert again.setup.opponents == ("greedy", "random", "random")
    assert again.setup.seed == LIGHTER["seed"]


def test_links_that_lead_nowhere_hide_no_race(tmp_path: Path) -> None:
    race = tmp_path / "race.json"
    save_race(race, PlayRace(check_play(**LIGHTER)).kept({}))
    for name in ("circle.json", "nowhere.json"):
        (tmp_path / name).symlink_to(name if name == "circle.json" else tmp_path / "nothing")
    assert unfinished(tmp_path) == [race]
    assert unfinished(tmp_path / "none") == []
