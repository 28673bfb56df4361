"""Scores of several runs: the interquartile mean with a stratified bootstrap, and the probability of improvement.

Both are as in Agarwal et al., "Deep reinforcement learning at the edge of the statistical precipice" (NeurIPS 2021).
Scores are arrays [runs, tasks]; runs of one algorithm differ in their seed, tasks are such as courses.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from roborally_env.base.errors import RoboRallyError

REPETITIONS = 2000
Scores = NDArray[np.float64]


def interquartile_mean(scores: ArrayLike) -> float:
    """The mean of the middle half of all scores; those at the quartiles count in part."""
    ordered = np.sort(_table(scores).ravel())
    edges = np.arange(len(ordered) + 1) / len(ordered)
    weights = np.clip(np.minimum(edges[1:], 0.75) - np.maximum(edges[:-1], 0.25), 0.0, None)
    return float((weights * ordered).sum() / weights.sum())


def interval(
    scores: ArrayLike,
    statistic: Callable[[Scores], float] = interquartile_mean,
    seed: int = 0,
    repetitions: int = REPETITIONS,
) -> tuple[float, float]:
    """The 95% interval of a statistic by a stratified bootstrap: runs are drawn anew for each task.

    One run has no spread: its interval is the value itself.
    """
    table, rng = _table(scores), np.random.default_rng(seed)
    found = [statistic(_drawn(table, rng)) for _ in range(repetitions)]
    low, high = np.quantile(found, [0.025, 0.975])
    return float(low), float(high)


def probability_of_improvement(first: ArrayLike, second: ArrayLike) -> float:
    """The probability that a run of the first algorithm scores more than one of the second, the mean over tasks; a tie
    counts half."""
    x, y = _table(first), _table(second)
    if x.shape[1] != y.shape[1]:
        raise RoboRallyError(f"scores: expected the same tasks, got {x.shape[1]} and {y.shape[1]}")
    difference = x[:, None, :] - y[None, :, :]
    return float(((difference > 0) + 0.5 * (difference == 0)).mean())


def improvement_interval(
    first: ArrayLike, second: ArrayLike, seed: int = 0, repetitions: int = REPETITIONS
) -> tuple[float, float]:
    """The 95% interval of `probability_of_improvement` by a stratified bootstrap of both."""
    x, y, rng = _table(first), _table(second), np.random.default_rng(seed)
    found = [probability_of_improvement(_drawn(x, rng), _drawn(y, rng)) for _ in range(repetitions)]
    low, high = np.quantile(found, [0.025, 0.975])
    return float(low), float(high)


def _table(scores: ArrayLike) -> Scores:
    table: Scores = np.asarray(scores, np.float64)
    table = table[:, None] if table.ndim == 1 else table
    if table.ndim != 2 or not table.size or not np.isfinite(table).all():
        raise RoboRallyError(f"scores: expected finite numbers [runs, tasks], got an array of the shape {table.shape}")
    return table


def _drawn(table: Scores, rng: np.random.Generator) -> Scores:
    rows = rng.integers(0, table.shape[0], table.shape)
    drawn: Scores = np.take_along_axis(table, rows, 0)
    return drawn
