"""From races to a table: win rates with intervals, places, rounds, damage, ratings."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean, median
from typing import TYPE_CHECKING

from roborally_env.evaluation.races import Race

if TYPE_CHECKING:
    from openskill.models import PlackettLuceRating


Z95 = 1.959963984540054  # the normal distribution's 97.5% point


@dataclass(frozen=True)
class Row:
    """The figures of one agent. A race in which it has two seats counts twice; a team counts as one seat."""

    agent: str
    races: int
    wins: int
    win_rate: float
    win_low: float  # 95 % Wilson interval of the win rate
    win_high: float
    mean_place: float
    rounds_won_mean: float | None  # rounds to finish in the races that it won; None without one
    rounds_won_median: float | None
    rounds_mean: float | None  # of all its finished races, won or lost
    rounds_median: float | None
    cut: int  # races that max_rounds cut
    reboots: float  # per robot and race
    damage: float  # damage cards (tokens) taken, per robot and race
    repairs: int  # illegal registers that were replaced, in all
    mu: float  # Plackett-Luce rating over the races in order
    sigma: float
    ordinal: float  # mu - 3 sigma: a lower bound of its rating


def wilson(wins: int, races: int, z: float = Z95) -> tuple[float, float]:
    """The Wilson score interval of a share; (0, 1) of no races."""
    if races == 0:
        return 0.0, 1.0
    share = wins / races
    spread = z * math.sqrt(share * (1 - share) / races + z * z / (4 * races * races))
    low = (share + z * z / (2 * races) - spread) / (1 + z * z / races)
    high = (share + z * z / (2 * races) + spread) / (1 + z * z / races)
    return (0.0 if wins == 0 else max(0.0, low)), (1.0 if wins == races else min(1.0, high))


def table(names: Sequence[str], races: Sequence[Race]) -> list[Row]:
    """One row for each agent, in the order of `names`."""
    rated = ratings(len(names), races)
    return [_row(name, number, races, *rated[number]) for number, name in enumerate(names)]


def _row(name: str, number: int, races: Sequence[Race], mu: float, sigma: float) -> Row:
    # a side is a seat, or a team with the same agent in all its seats
    sides = [(race, side) for race in races for side in race.sides if race.line_up[side[0]] == number]
    seats = [(race, seat) for race, side in sides for seat in side]
    wins = [race.rounds for race, side in sides if race.won(side[0])]
    finished = [race.rounds for race, _ in sides if race.winner >= 0]
    low, high = wilson(len(wins), len(sides))
    return Row(
        agent=name,
        races=len(sides),
        wins=len(wins),
        win_rate=len(wins) / len(sides) if sides else 0.0,
        win_low=low,
        win_high=high,
        mean_place=_mean(race.place[side[0]] for race, side in sides) or 0.0,
        rounds_won_mean=_mean(wins),
        rounds_won_median=float(median(wins)) if wins else None,
        rounds_mean=_mean(finished),
        rounds_median=float(median(finished)) if finished else None,
        cut=sum(race.winner < 0 for race, _ in sides),
        reboots=_mean(race.reboots[seat] for race, seat in seats) or 0.0,
        damage=_mean(race.damage[seat] for race, seat in seats) or 0.0,
        repairs=sum(race.repairs[seat] for race, seat in seats),
        mu=mu,
        sigma=sigma,
        ordinal=mu - 3 * sigma,
    )


def _mean(values: Iterable[float]) -> float | None:
    found = list(values)
    return fmean(found) if found else None


def ratings(agents: int, races: Iterable[Race]) -> list[tuple[float, float]]:
    """(mu, sigma) of each agent after the races in their order, by finishing places with ties.

    Each seat of an agent has the agent's rating, which changes by the mean of the changes of its seats.
    """
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    rated: list[PlackettLuceRating] = [model.rating() for _ in range(agents)]
    for race in races:
        if len(set(race.line_up)) < 2:
            continue
        line_up = [race.line_up[side[0]] for side in race.sides]
        after = model.rate([[rated[agent]] for agent in line_up], ranks=[race.place[side[0]] for side in race.sides])
        for agent in set(line_up):
            own = [rating[0] for rating, seated in zip(after, line_up, strict=True) if seated == agent]
            rated[agent] = model.rating(mu=fmean(r.mu for r in own), sigma=fmean(r.sigma for r in own))
    return [(float(r.mu), float(r.sigma)) for r in rated]
