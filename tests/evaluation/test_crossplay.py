"""Cross-play: every agent alone against every other, its ratings, its folder, its picture."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from roborally_env import AgentError, RoboRallyError
from roborally_env.evaluation.crossplay import CrossPlay, crossplay
from roborally_env.evaluation.heat_map import plot_matrix
from roborally_env.evaluation.strengths import POINTS, rating_intervals, ratings_of
from roborally_env.evaluation.tournament import evaluate

GIVEN: dict[str, Any] = {"games": 12, "seed": 3, "max_rounds": 30, "rules": {"upgrades": False}}
COURSES = ["dizzy_highway", "twister"]


def made(strengths: list[float], others: int, races: int) -> Any:
    """The expected outcomes [1, n, n, 3] of races among agents of these strengths."""
    s = np.array(strengths)
    chance = s[:, None] / (s[:, None] + others * s[None, :])
    won = np.rint(races * chance * (1 - np.eye(len(s))))
    lost = (races - won) * (1 - np.eye(len(s)))
    return np.stack([won, lost, np.zeros_like(won)], -1)[None].astype(np.int64)


def test_ratings_are_the_strengths_that_races_come_from() -> None:
    strengths, others = [1.0, 3.0, 0.2], 3
    outcomes = made(strengths, others, 100_000)
    found = ratings_of(outcomes[0, ..., 0], outcomes[0, ..., 1], others)
    logs = np.log(strengths)
    np.testing.assert_allclose(found, POINTS * (logs - logs.mean()), atol=0.5)
    assert found.mean() == pytest.approx(0.0)


def test_who_never_won_has_a_finite_rating_with_an_interval() -> None:
    outcomes = np.zeros((2, 2, 2, 3), np.int64)
    outcomes[:, 0, 1] = 10, 0, 0
    outcomes[:, 1, 0] = 0, 10, 5
    low, high = rating_intervals(outcomes, 3)[1]
    rating = ratings_of(outcomes.sum(0)[..., 0], outcomes.sum(0)[..., 1], 3)[1]
    assert -2000 < low <= rating < high < 0


def test_the_rating_lies_in_its_interval_also_where_all_beat_one() -> None:
    outcomes = np.zeros((2, 4, 4, 3), np.int64)
    outcomes[..., :3, :3, :] = 10, 30, 0
    outcomes[..., :3, 3, :] = 40, 0, 0
    outcomes[..., 3, :3, :] = 0, 40, 0
    outcomes[:, range(4), range(4)] = 0
    ratings = ratings_of(outcomes.sum(0)[..., 0], outcomes.sum(0)[..., 1], 3)
    for rating, (low, high) in zip(ratings, rating_intervals(outcomes, 3), strict=True):
        assert low < rating < high
    assert ratings[3] < -600


@pytest.mark.parametrize("pairs", [[], [(0, 1)], [(0, 1), (2, 3)]])
def test_agents_that_have_not_raced_each_other_have_ratings(pairs: list[tuple[int, int]]) -> None:
    """All races were stopped before anyone won, or not all pairs have raced yet."""
    outcomes = np.zeros((1, 4, 4, 3), np.int64)
    outcomes[..., 2] = 5
    for better, other in pairs:
        outcomes[0, better, other] = 10, 2, 0
    found = ratings_of(outcomes[0, ..., 0], outcomes[0, ..., 1], 3)
    assert np.isfinite(rating_intervals(outcomes, 3)).all()
    assert np.isfinite(found).all()
    assert all(found[better] > found[other] for better, other in pairs)
    assert pairs or not found.any()


def test_intervals_cover_the_rating() -> None:
    rng, strengths, others = np.random.default_rng(0), [1.0, 2.0], 3
    expected, hits = made(strengths, others, 60)[0], 0
    for _ in range(40):
        outcomes = np.zeros((1, 2, 2, 3), np.int64)
        for i, j in ((0, 1), (1, 0)):
            outcomes[0, i, j] = rng.multinomial(60, expected[i, j] / 60)
        low, high = rating_intervals(outcomes, others)[1]
        hits += low <= POINTS * np.log(2) / 2 <= high
    assert hits >= 34


@pytest.fixture(scope="module")
def whole() -> CrossPlay:
    """Cross-play of three without a folder."""
    return crossplay(["greedy", "random", "blocker"], COURSES, **GIVEN)


@pytest.mark.slow
def test_each_cell_is_the_tournament_of_its_pair(whole: CrossPlay) -> None:
    row = evaluate(["random", "greedy", "greedy", "greedy"], COURSES, players=4, **GIVEN).rows[0]
    cell = whole.cell("random", "greedy")
    assert (cell.races, cell.wins, cell.win_low, cell.win_high) == (row.races, row.wins, row.win_low, row.win_high)
    assert (cell.races, len(whole.cells), whole.complete) == (24, 6, True)
    assert whole.ratings[-1].agent == "random"
    for rated in whole.ratings:
        assert rated.low <= rated.rating <= rated.high


@pytest.mark.slow
def test_a_stopped_one_goes_on_and_more_agents_play_their_pairs_only(whole: CrossPlay, tmp_path: Path) -> None:
    def stop(done: int, of: int) -> None:
        if done >= 36:
            raise KeyboardInterrupt

    given = {**GIVEN, "out": tmp_path / "out"}
    stopped = crossplay(["greedy", "random"], COURSES, progress=stop, **given)
    assert not stopped.complete
    assert stopped.outcomes.sum() == 36
    written = {path: path.stat().st_mtime_ns for path in (tmp_path / "out" / "pairs").rglob("parts/*.json")}
    again = crossplay(["greedy", "random", "blocker"], COURSES, **given)
    assert (again.outcomes == whole.outcomes).all()
    assert all(path.stat().st_mtime_ns == at for path, at in written.items()), "finished parts are not played again"
    assert json.loads((tmp_path / "out" / "crossplay.json").read_text()) == json.loads(json.dumps(whole.to_dict()))
    with pytest.raises(RoboRallyError, match="seed"):
        crossplay(["greedy", "random"], COURSES, **{**given, "seed": 4})


def test_the_picture(whole: CrossPlay, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    for name in ("first.png", "second.png"):
        plot_matrix(whole, tmp_path / name)
    assert (tmp_path / "first.png").read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    assert (tmp_path / "first.png").read_bytes() == (tmp_path / "second.png").read_bytes()


WRONG = {
    "one": ((["greedy"],), {}, RoboRallyError, "agents.*2.*32"),
    "twice": ((["greedy", "random", "greedy"],), {}, RoboRallyError, "agents.*greedy"),
    "unknown": ((["greedy", "randm"],), {}, AgentError, "randm.*random"),
    "counts": (
        (["greedy", "random"], ["2005/risky_exchange", "2005/twister"]),
        {},
        RoboRallyError,
        "players.*twister",
    ),
    "games": ((["greedy", "random"],), {"games": 0}, RoboRallyError, "games.*1"),
    "no list": ((5,), {}, RoboRallyError, "agents.*2.*32.*5"),
    "no path": ((["greedy", "random"],), {"out": 5}, RoboRallyError, "out.*path.*5"),
    "no function": ((["greedy", "random"],), {"progress": 5}, RoboRallyError, "progress.*5"),
}


@pytest.mark.parametrize(("words", "more", "kind", "facts"), WRONG.values(), ids=WRONG)
def test_wrong_values(words: Any, more: Any, kind: type[RoboRallyError], facts: str) -> None:
    with pytest.raises(RoboRallyError, match=facts) as caught:
        crossplay(*words, **{"games": 4, **more})
    assert type(caught.value) is kind
