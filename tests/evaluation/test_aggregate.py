"""Scores of several runs: known values of the interquartile mean, intervals, and the probability of improvement."""

from __future__ import annotations

import numpy as np
import pytest

from roborally_env.base.errors import RoboRallyError
from roborally_env.evaluation.aggregate import (
    improvement_interval,
    interquartile_mean,
    interval,
    probability_of_improvement,
)


def test_the_interquartile_mean_leaves_out_a_quarter_at_each_end() -> None:
    assert interquartile_mean([0, 1, 2, 100]) == 1.5
    # of five scores the second and the fourth count three quarters: (0.75 * 1 + 2 + 0.75 * 3) / 2.5
    assert interquartile_mean([-50, 1, 2, 3, 1000]) == pytest.approx(2.0)
    assert interquartile_mean([7]) == 7
    assert interquartile_mean([[0, 1], [2, 100]]) == 1.5  # over runs and tasks alike


def test_the_interval_holds_the_truth_as_often_as_it_says() -> None:
    rng, held = np.random.default_rng(1), 0
    for repetition in range(100):
        scores = rng.normal(0.3, 0.05, (20, 5))
        low, high = interval(scores, seed=repetition, repetitions=200)
        held += low <= 0.3 <= high
    assert 85 <= held <= 100


def test_one_run_has_no_spread() -> None:
    assert interval([[0.2, 0.4]], repetitions=50) == pytest.approx((0.3, 0.3))


def test_the_probability_of_improvement() -> None:
    assert probability_of_improvement([3, 4], [1, 2]) == 1.0
    assert probability_of_improvement([1, 2], [1, 2]) == 0.5
    assert probability_of_improvement([[1, 0]], [[0, 1]]) == 0.5
    low, high = improvement_interval([3, 4, 5], [1, 2, 4.5], repetitions=300)
    assert low <= probability_of_improvement([3, 4, 5], [1, 2, 4.5]) <= high


def test_the_same_seed_gives_the_same_interval() -> None:
    scores = np.random.default_rng(3).random((5, 3))
    assert interval(scores, seed=4) == interval(scores, seed=4)


@pytest.mark.parametrize("scores", [[], [[float("nan")]], np.zeros((2, 2, 2))])
def test_what_is_not_a_table_of_scores_is_refused(scores: object) -> None:
    with pytest.raises(RoboRallyError):
        interquartile_mean(scores)  # type: ignore[arg-type]
