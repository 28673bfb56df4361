"""Self-play in which each race is on a generated course of its own."""

import json

import pytest

from roborally_env import RoboRallyError
from roborally_env.courses import load_course
from roborally_env.evaluation.tournament import evaluate
from roborally_env.generated.specification import VERSION
from roborally_env.replay import play
from roborally_env.replay.writer import course_digest
from roborally_env.selfplay import load, selfplay
from tests.cli.conftest import roborally  # noqa: F401  the fixture
from tests.later import later
from tests.selfplay.conftest import contents

pd = later("pandas")

TEXT = "generated:difficulty=1,seed=5"
GIVEN = {"games": 12, "players": 2, "seed": 3, "max_rounds": 6, "shard_games": 5}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    return selfplay(["greedy", "random"], TEXT, out=tmp_path_factory.mktemp("generated") / "data", **GIVEN)


def test_rows_name_the_course_of_their_race(made):
    steps, episodes = pd.read_parquet(made.folder / "steps"), pd.read_parquet(made.folder / "episodes")
    names = episodes.set_index("episode").course.astype(str)
    assert names.is_unique
    assert len(names) == 12
    assert (steps.course.astype(str) == steps.episode.map(names)).all()
    for number, name in names.items():
        assert course_digest(load_course(name)) == course_digest(made.replay(number).courses[0])
        assert name.startswith(f"{TEXT},number=")


def test_replays_are_those_of_a_tournament(made):
    given = {name: value for name, value in GIVEN.items() if name != "shard_games"}
    result = evaluate(["greedy", "random"], TEXT, **given)
    for race in result.races[::5]:
        replay, other = made.replay(race.game), result.replay(race)
        assert (replay.start, replay.rounds, replay.agents) == (other.start, other.rounds, other.agents)
        *_, end = play(replay)
        assert (end.over, end.number) == (True, len(replay.rounds))


def test_workers_and_batches_change_no_byte(made, tmp_path, monkeypatch):
    monkeypatch.setattr("roborally_env.executors.processes.WORTH_WORKERS", 0.0)
    monkeypatch.setattr("roborally_env.selfplay.shards.BATCH", 3)
    again = selfplay(["greedy", "random"], TEXT, out=tmp_path / "data", workers=2, **GIVEN)
    assert contents(again.folder) == contents(made.folder)


def test_the_manifest_names_specification_and_generator(made, monkeypatch):
    (course,) = made.manifest["config"]["courses"]
    assert (course["name"], course["generator"]) == (TEXT, VERSION)
    monkeypatch.setattr("roborally_env.selfplay.replays.VERSION", VERSION - 1)
    with pytest.raises(RoboRallyError, match=rf"{VERSION}.*{VERSION - 1}"):
        made.replay(0)
    monkeypatch.setattr("roborally_env.jobs.manifest.VERSION", 9)
    with pytest.raises(RoboRallyError, match=rf"config\.courses\[0\]\.generator {VERSION}.*9"):
        selfplay(["greedy", "random"], TEXT, out=made.folder, **GIVEN)


def test_a_shard_has_no_more_courses_than_can_be_numbered(tmp_path):
    with pytest.raises(RoboRallyError, match=r"shard_games.*1.*32767.*40000"):
        selfplay(["random"], TEXT, out=tmp_path / "data", **{**GIVEN, "shard_games": 40_000})


def test_the_command_takes_what_its_help_offers(tmp_path, roborally):  # noqa: F811
    words = ("--agents", "random", "--course", TEXT, "--games", 2, "--players", 2, "--max-rounds", 3, "--lighter")
    code, printed, err = roborally("selfplay", *words, "--out", tmp_path / "data", "--json")
    assert (code, err, json.loads(printed)["races"]) == (0, "", 2)
    assert load(tmp_path / "data").replay(1).courses[0].slug.startswith(TEXT)
