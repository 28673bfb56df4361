"""Reading it back: pandas, polars, arrays, replays, the docs."""

import re
from pathlib import Path

import numpy as np
import pytest

from roborally_env import RoboRallyError
from roborally_env.evaluation.tournament import evaluate
from roborally_env.replay import play
from roborally_env.selfplay import schema, selfplay
from tests.evaluation.races import YARD
from tests.games import LIGHTER
from tests.later import later
from tests.selfplay.conftest import GIVEN

pd = later("pandas")
pl = later("polars")

PAGE = (Path(__file__).parents[2] / "docs" / "selfplay.md").read_text(encoding="utf-8")


def test_pandas_reads_it_in_two_lines(data):
    steps, episodes = pd.read_parquet(data.folder / "steps"), pd.read_parquet(data.folder / "episodes")
    assert (len(steps), len(episodes)) == (data.decisions, 24)
    assert np.stack(steps["observation"]).shape == (len(steps), 580)
    assert np.stack(steps["program"]).dtype == np.int8
    assert steps.groupby("agent", observed=True).won.mean()["greedy"] > 0.4
    assert steps.state_hash.dtype == np.uint64


def test_polars_reads_it_in_two_lines(data):
    steps, episodes = pl.read_parquet(data.folder / "steps"), pl.read_parquet(data.folder / "episodes")
    assert (len(steps), len(episodes)) == (data.decisions, 24)
    assert steps["observation"].to_numpy().shape == (len(steps), 580)
    won = dict(steps.group_by(pl.col("agent").cast(pl.String)).agg(pl.col("won").mean()).iter_rows())
    assert won["greedy"] > won["random"]


def test_arrays_are_the_columns(data):
    steps = pd.read_parquet(data.folder / "steps")
    mine = steps[(steps.decision == "program") & (steps.agent == "greedy")]
    parts = list(data.arrays(["hand", "program", "agent", "place"], agent="greedy"))
    assert len(parts) == 3
    whole = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    assert (whole["hand"] == np.stack(mine["hand"])).all()
    assert (whole["program"] == np.stack(mine["program"])).all()
    assert (whole["place"] == mine.place).all()
    assert set(whole["agent"]) == {"greedy"}
    assert sum(len(part["seat"]) for part in data.arrays(["seat"], decision=None)) == data.decisions


def test_columns_and_agents_that_are_not_there(data):
    with pytest.raises(RoboRallyError, match=r"'hands'.*hand"):
        next(data.arrays(["hands"]))
    with pytest.raises(RoboRallyError, match=r"'planner'.*greedy.*random"):
        next(data.arrays(["hand"], agent="planner"))
    with pytest.raises(RoboRallyError, match=r"decision: expected one of program, .*'fly'") as error:
        next(data.arrays(["hand"], decision="fly"))
    listed = str(error.value).partition("expected one of ")[2].partition(", got")[0].split(", ")
    assert {"buy_upgrade", "boink"} <= set(listed)
    assert not {"", "none", "power_down", "option_for_damage"} & set(listed), "no others than those of 2016"
    for shards in (3, np.array(0), "all", [-1], [10**6], [None], np.zeros((1, 2))):
        with pytest.raises(RoboRallyError, match="shard"):
            next(data.arrays(["hand"], shards=shards))


# every kind of record, and both ways of asking
MADE = {
    "2016, every choice": (["twister"], {"decisions": "all"}),
    "2016, lighter": (["dizzy_highway", "twister"], {"rules": LIGHTER}),
    "2005": (["risky_exchange"], {"edition": "2005"}),
    "community": (["community/hot_floor"], {"edition": "community"}),
    "community, every choice": (["community/hot_floor"], {"edition": "community", "decisions": "all", "max_rounds": 8}),
    "2005, every choice": (["risky_exchange"], {"edition": "2005", "decisions": "all", "max_rounds": 8}),
    # with teams, and rounds in which nobody is to be programmed
    "2005, teams": (["capture_the_flag"], {"edition": "2005", "decisions": "all", "max_rounds": 30}),
}


@pytest.mark.parametrize(("courses", "change"), MADE.values(), ids=MADE)
def test_a_replay_is_the_one_that_would_have_been_recorded(courses, change, tmp_path):
    options = {**GIVEN, "games": 6, **change}
    made = selfplay(["greedy", "random"], courses, out=tmp_path / "data", **options)
    result = evaluate(["greedy", "random"], courses, **{n: v for n, v in options.items() if n != "shard_games"})
    for race in result.races:
        replay = made.replay(race.course * 6 + race.game)
        assert replay == result.replay(race)
        *_, end = play(replay)
        assert (end.over, end.number) == (True, len(replay.rounds))


def test_a_round_in_which_nobody_is_programmed_is_in_the_replay(tmp_path):
    made = selfplay(
        ["greedy", "random"], "capture_the_flag", edition="2005", decisions="all", out=tmp_path / "data",
        games=30, players=4, seed=3, max_rounds=30,
    )  # fmt: skip
    steps, episodes = pd.read_parquet(made.folder / "steps"), pd.read_parquet(made.folder / "episodes")
    present = steps.groupby("episode").step.nunique()
    quiet = [row for row in episodes.itertuples() if present[row.episode] < row.steps]
    assert quiet
    for row in quiet[:3]:
        assert len(list(play(made.replay(row.episode)))) == len(row.hashes)


def test_a_power_down_announced_with_a_program_is_in_the_data(tmp_path):
    made = selfplay(["random"], edition="2005", out=tmp_path / "data", **{**GIVEN, "games": 4})
    steps = pd.read_parquet(made.folder / "steps")
    assert 0 < steps.power_down.sum() < len(steps)
    assert any(each.announced for episode in range(4) for each in made.replay(episode).rounds)
    programs = steps[steps.decision == "program"]
    locked = np.stack([programs.locked.to_numpy() >> k & 1 for k in range(5)], axis=1) == 1
    assert locked.any()
    cards, hand = np.stack(programs.cards), np.stack(programs.hand)
    assert cards[locked].min() > 0
    assert not any(
        card in row for lock, row, registers in zip(locked, hand, cards, strict=True) for card in registers[lock]
    )


def test_a_robot_that_is_powered_down_is_asked_whether_it_stays_so(tmp_path):
    made = selfplay(
        ["random"], "community/hot_floor", edition="community", out=tmp_path / "data", **{**GIVEN, "games": 4}
    )
    steps = pd.read_parquet(made.folder / "steps")
    down = steps[steps.decision == "power_down"]
    assert 0 < down.power_down.sum() < len(down)
    assert (down.options == 0).all()
    assert (down.locked == 31).all()
    assert not np.stack(down.program).any()
    for episode in range(4):
        assert len(list(play(made.replay(episode)))) > 1


def test_an_own_course_is_in_the_manifest(tmp_path):
    (tmp_path / "yard.toml").write_text(YARD, encoding="utf-8")
    made = selfplay(["random"], str(tmp_path / "yard.toml"), out=tmp_path / "data", games=2, players=4, max_rounds=5)
    (tmp_path / "yard.toml").unlink()
    assert next(play(made.replay(1))).course.title == "Yard"


@pytest.mark.parametrize("episode", [-1, 24, "0", 1.5])
def test_episodes_that_are_not_there(episode, data):
    with pytest.raises(RoboRallyError, match=r"episode.*0.*23"):
        data.replay(episode)


def test_the_page_has_every_column():
    names = {"i": "int", "u": "uint", "f": "float"}
    for part, columns in (("steps", schema.steps_columns(True)), ("episodes", schema.EPISODES)):
        table = PAGE.partition(f"| column of `{part}` |")[2].partition("\n\n")[0]
        rows = re.findall(r"^\| `(\w+)` \| (.+?) \| (.+?) \|$", table, re.MULTILINE)
        wanted = []
        for column in columns:
            number = "bool" if column.dtype == "?" else f"{names[column.dtype[0]]}{8 * int(column.dtype[1])}"
            kind = "text" if column.named else number
            wanted.append((column.name, f"{kind} x {column.length}" if column.length else kind, column.meaning))
        assert rows == wanted
