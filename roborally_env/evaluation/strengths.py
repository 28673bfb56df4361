"""Ratings from races of one agent against several of another (Bradley and Terry, 1952), with bootstrap intervals.

An agent of strength s wins alone against m of strength t with chance s / (s + m t). Its rating is 400 log10(s): 400
points are odds of 10 to 1 between two robots. The mean is 0. Races that nobody won do not count.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from roborally_env.base.types import Array

POINTS = 400 / math.log(10)
SAMPLES = 1000  # of the bootstrap
_STEPS = 60  # of Newton's method, most
_LONGEST = 2.0  # step of a log strength
_LEAST_WEIGHT = 1e-9  # keeps agents in place that have won and lost no race against the others


def ratings_of(won: Array, lost: Array, others: int) -> NDArray[np.float64]:
    """The ratings [.., n] of n agents; `won` and `lost` [.., n, n] count the races of agent i against `others` of j.

    Each pair that has raced gets one more race, shared equally by its seats, so that ratings are finite.
    """
    raced = (won + lost > 0).astype(float)
    return fitted(won + raced / (others + 1), lost + raced * others / (others + 1), others)


def fitted(won: Array, lost: Array, others: int) -> NDArray[np.float64]:
    """The ratings of greatest likelihood for counts as those of `ratings_of`, by Newton's method."""
    races = won + lost
    n = won.shape[-1]
    logs = np.zeros((*won.shape[:-2], n))
    for _ in range(_STEPS):
        odds = logs[..., :, None] - logs[..., None, :] - math.log(others)
        chance = 1 / (1 + np.exp(-odds))
        surplus, weight = won - races * chance, races * chance * (1 - chance)
        slope = surplus.sum(-1) - surplus.sum(-2)
        weight = weight + weight.swapaxes(-1, -2)
        curve = np.eye(n) * (weight.sum(-1)[..., None] + _LEAST_WEIGHT) - weight
        curve += 1 / n  # keeps the mean at 0
        step = np.linalg.solve(curve, slope[..., None])[..., 0]
        logs = logs + np.clip(step, -_LONGEST, _LONGEST)
        if np.abs(step).max() < 1e-9:
            break
    return np.asarray(POINTS * (logs - logs.mean(-1, keepdims=True)))


def rating_intervals(outcomes: NDArray[np.int64], others: int, seed: int = 0) -> NDArray[np.float64]:
    """The 95% bootstrap intervals [n, 2] of the ratings.

    `outcomes` [courses, n, n, 3] counts races that agent i won, lost, and that nobody won. It is the Bayesian bootstrap
    (Rubin, 1981): the races of each pair on each course get random weights. The race that `ratings_of` adds to each
    pair is among them, so an agent that never won has an interval too.
    """
    rng = np.random.default_rng(seed)
    drawn = np.zeros((SAMPLES, *outcomes.shape[1:]))
    equal = np.array([1, others, 0]) / (others + 1)
    for place in np.ndindex(*outcomes.shape[:3]):
        if races := int(outcomes[place].sum()):
            more = races / int(outcomes[:, place[1], place[2]].sum())  # this course's part of that race
            weights = rng.standard_gamma(outcomes[place] + more * equal, (SAMPLES, 3))
            drawn[:, place[1], place[2]] += (races + more) * weights / weights.sum(1, keepdims=True)
    found = fitted(drawn[..., 0], drawn[..., 1], others)
    return np.asarray(np.percentile(found, [2.5, 97.5], axis=0).T)
