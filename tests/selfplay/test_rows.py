"""What stands in the tables: the races that `evaluate` plays, every decision once, rewards and outcomes."""

import numpy as np
import pyarrow.parquet as pq
import pytest

from roborally_env.batch import BatchRace
from roborally_env.core.cards import NAMES
from roborally_env.evaluation.tournament import evaluate
from roborally_env.selfplay import schema, selfplay
from tests.selfplay.conftest import GIVEN

RACES = {name: value for name, value in GIVEN.items() if name != "shard_games"}


def tables(data):
    return [pq.read_table(data.folder / part).to_pandas() for part in ("steps", "episodes")]


@pytest.fixture(scope="module")
def steps(data):
    return tables(data)[0]


@pytest.fixture(scope="module")
def episodes(data):
    return tables(data)[1]


def test_the_races_are_those_of_evaluate(data, episodes):
    races = evaluate(["greedy", "random"], "dizzy_highway", **RACES).races
    names = data.manifest["names"]
    for race, row in zip(races, episodes.itertuples(), strict=True):
        assert (row.episode, row.game, row.rounds, row.winner) == (race.game, race.game, race.rounds, race.winner)
        assert row.agents.tolist() == [names[agent] for agent in race.line_up]
        assert row.cut == (race.winner < 0)
        for column in ("places", "checkpoints", "reboots", "damage"):
            field = {"places": "place", "checkpoints": "reached"}.get(column, column)
            assert getattr(row, column).tolist() == list(getattr(race, field)), column


def test_rows_are_by_episode_step_and_seat_and_stand_once(steps):
    keys = list(zip(steps.episode, steps.step, steps.seat, strict=True))
    assert keys == sorted(set(keys))
    assert set(steps.episode) == set(range(24))


def test_every_seat_lays_a_program_in_every_round(steps, episodes):
    programs = steps[steps.decision == "program"]
    for row in episodes.itertuples():
        mine = programs[programs.episode == row.episode]
        assert sorted(zip(mine["round"], mine.seat, strict=True)) == [
            (number, seat) for number in range(1, row.rounds + 1) for seat in range(4)
        ]


def test_the_cards_are_those_in_the_slots_of_the_hand(steps):
    programs = steps[steps.decision == "program"]
    hand, program, cards = (np.stack(programs[name]) for name in ("hand", "program", "cards"))
    assert (np.take_along_axis(hand, program.astype(int), axis=1) == cards).all()
    assert cards.min() > 0
    assert all(len(set(slots)) == 5 for slots in program.tolist())
    assert programs.option.eq(-1).all()
    assert programs.answer.isna().all()


def test_a_purchase_has_its_legal_options_and_its_name(steps):
    bought = steps[steps.decision == "buy_upgrade"]
    assert len(bought) > 50
    assert (np.stack(bought["program"]) == -1).all()
    assert all(int(row.options) >> row.option & 1 for row in bought.itertuples())
    assert set(bought.answer[bought.option == 0]) == {"no"}
    from roborally_env.core.upgrades import NAMES as UPGRADES

    assert list(bought.answer[bought.option > 0]) == [UPGRADES[option] for option in bought.option[bought.option > 0]]


def test_rewards_and_outcomes_belong_to_the_race(steps, episodes):
    ends = episodes.set_index("episode")
    for (episode, seat), mine in steps.groupby(["episode", "seat"]):
        row = ends.loc[episode]
        assert mine.reward_race.sum() == pytest.approx((5 - 2 * row.places[seat]) / 3, abs=1e-6)
        assert mine.reward_progress.sum() == pytest.approx(row.checkpoints[seat])  # the course has one
        assert mine["last"].tolist() == [False] * (len(mine) - 1) + [True]
        assert set(mine.place) == {row.places[seat]}
        assert set(mine.won) == {row.winner == seat}
        assert set(mine.cut) == {row.cut}


def test_a_reward_counts_for_the_latest_decision_before_it(steps):
    """Nothing is reached between a purchase and the program of the same round."""
    assert not steps.reward_progress[steps.decision == "buy_upgrade"].any()
    assert steps.reward_progress[steps.decision == "program"].any()


def test_an_observation_is_what_the_robot_saw(data, steps):
    """Game 13 played again by its rows."""
    batch = BatchRace(1, "dizzy_highway", players=4, seed=3, max_rounds=12, auto_reset=False, first_game=13)
    mine = steps[steps.episode == 13]
    for _, asked in mine.groupby("step"):
        seen = batch.observations["symbolic"][0, asked.seat.to_numpy()]
        assert (np.stack(asked["observation"]) == seen).all()
        programs, choices = np.zeros((1, 4, 5), np.int8), np.zeros((1, 4), np.int8)
        for row in asked.itertuples():
            programs[0, row.seat] = np.maximum(row.program, 0)
            choices[0, row.seat] = row.option + 1
        batch.step(programs, choices)
    assert batch.over[0]


def test_states_that_differ_have_different_hashes(steps):
    rounds = steps[steps.decision == "program"].groupby(["episode", "round"]).state_hash
    assert (rounds.nunique() == 1).all()
    assert rounds.first().is_unique


def test_without_observations_the_rest_is_the_same(data, tmp_path, steps):
    plain = selfplay(["greedy", "random"], "dizzy_highway", out=tmp_path / "plain", **GIVEN)
    names = [column.name for column in schema.STEPS]
    found = pq.read_table(plain.folder / "steps")
    assert found.column_names == names
    assert found.equals(pq.read_table(data.folder / "steps", columns=names))
    assert plain.size < data.size


def test_the_size_of_batches_changes_nothing(data, tmp_path, monkeypatch):
    monkeypatch.setattr("roborally_env.selfplay.shards.BATCH", 3)
    again = selfplay(["greedy", "random"], "dizzy_highway", out=tmp_path / "again", observations=True, **GIVEN)
    for part in ("steps", "episodes"):
        assert pq.read_table(again.folder / part).equals(pq.read_table(data.folder / part)), part


@pytest.mark.slow
def test_rows_in_several_row_groups_are_the_same(data, tmp_path, monkeypatch):
    monkeypatch.setattr("roborally_env.selfplay.shards.BATCH", 4)
    monkeypatch.setattr("roborally_env.selfplay.shards.ROW_GROUP_BYTES", 1)
    again = selfplay(["greedy", "random"], "dizzy_highway", out=tmp_path / "again", observations=True, **GIVEN)
    assert pq.ParquetFile(again.folder / "steps" / "shard-00000.parquet").num_row_groups == 3
    plain = [pq.read_table(each.folder / "steps").to_pandas() for each in (again, data)]
    assert plain[0].astype(str).equals(plain[1].astype(str))


def test_the_manifest_says_what_made_it(data):
    found = data.manifest
    assert found["cards"] == list(NAMES)
    assert found["config"]["agents"] == ["greedy", "random"]
    assert found["config"]["courses"][0]["name"] == "dizzy_highway"
    assert {"package", "rules", "layout", "pyarrow"} <= set(found["versions"])
    assert (found["episodes"], found["shards"]) == (24, 3)


def test_courses_take_turns(tmp_path):
    given = GIVEN | {"games": 3, "shard_games": 2}
    two = selfplay(["random"], ["dizzy_highway", "twister"], out=tmp_path / "two", **given)
    shards = [pq.read_table(two.folder / "episodes" / name).to_pandas() for name in two.shards.values()]
    assert [(shard.course.iloc[0], shard.episode.tolist()) for shard in shards] == [
        ("dizzy_highway", [0, 1]),
        ("twister", [3, 4]),
        ("dizzy_highway", [2]),
        ("twister", [5]),
    ]
