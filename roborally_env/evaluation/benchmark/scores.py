"""Scores with their intervals, and the time of a decision."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np

from roborally_env.evaluation.benchmark.parts import Outcome
from roborally_env.evaluation.benchmark.protocol import VERSION
from roborally_env.evaluation.statistics import wilson

DRAWS = 10_000


@dataclass(frozen=True)
class Score:
    """The mean of the courses' win rates, and what else is counted in their races."""

    courses: int
    races: int
    wins: int
    score: float
    low: float  # 95% interval
    high: float
    cut: int
    repairs: int
    crashes: int


def score_of(races: Mapping[str, Sequence[Outcome]]) -> Score | None:
    """The score over courses; None without a race. On one course it is the win rate with its Wilson interval."""
    played = [each for each in races.values() if each]
    if not played:
        return None
    everything = [race for each in played for race in each]
    rates = [fmean(race.won for race in each) for each in played]
    low, high = interval(played)
    return Score(
        courses=len(played),
        races=len(everything),
        wins=sum(race.won for race in everything),
        score=fmean(rates),
        low=low,
        high=high,
        cut=sum(race.cut for race in everything),
        repairs=sum(race.repairs for race in everything),
        crashes=sum(race.crashed for race in everything),
    )


def interval(courses: Sequence[Sequence[Outcome]]) -> tuple[float, float]:
    """The 95% interval of the mean of the courses' win rates: a bootstrap over the deals within each course.

    The races of a deal differ only in the agent's seat, so they are drawn together. The means of n deals that are drawn
    from n deals lie too close together, by the factor sqrt((n - 1) / n), which is made up for: it matters where a
    course has three deals. Where the bootstrap says nothing, on one course, with one deal on a course, and where all or
    none are won, it is the Wilson interval of all races.
    """
    races = sum(map(len, courses))
    wins = sum(race.won for each in courses for race in each)
    least = min(len({race.deal for race in each}) for each in courses)
    if len(courses) == 1 or least == 1 or wins in (0, races):
        return wilson(wins, races)
    chance = np.random.default_rng(VERSION)
    means = np.zeros(DRAWS)
    for each in courses:
        deals = sorted({race.deal for race in each})
        won = np.array([fmean(race.won for race in each if race.deal == deal) for deal in deals])
        drawn = won[chance.integers(len(deals), size=(DRAWS, len(deals)))].mean(axis=1)
        wider = math.sqrt(len(deals) / (len(deals) - 1))
        means += (won.mean() + wider * (drawn - won.mean())) / len(courses)
    low, high = np.percentile(means, (2.5, 97.5))
    return max(0.0, float(low)), min(1.0, float(high))


@dataclass(frozen=True)
class Times:
    """Times of decisions in milliseconds. A decision is a program, an answer to a choice or an announcement."""

    decisions: int
    median_ms: float
    mean_ms: float
    within_95_percent_ms: float  # 95 of 100 decisions take no longer


def times_of(calls: Sequence[tuple[int, int]]) -> Times | None:
    """The times of all decisions; None without one. The time of a call is shared equally by its rows.

    Args:
        calls: rows and microseconds of each call.
    """
    if not calls:
        return None
    rows, micros = np.array(calls, np.float64).T
    each = np.repeat(micros / rows, rows.astype(np.int64)) / 1e3
    return Times(len(each), float(np.median(each)), float(each.mean()), float(np.percentile(each, 95)))
