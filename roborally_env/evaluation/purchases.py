"""Which upgrades were bought in a tournament, and how often their owners won."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from roborally_env.core import upgrades
from roborally_env.evaluation.play import Race
from roborally_env.evaluation.statistics import wilson


@dataclass(frozen=True)
class CardRow:
    """What one upgrade did. A seat is one robot in one race."""

    upgrade: str
    kind: str  # "permanent" or "temporary"
    cost: int
    bought: int  # purchases
    bought_by: dict[str, int]  # by each agent
    owned: int  # seats that owned it at some time, bought or taken
    wins: int  # of those
    win_rate: float | None  # None where nobody owned it
    win_low: float  # 95 % Wilson interval
    win_high: float


def card_table(names: Sequence[str], races: Sequence[Race]) -> list[CardRow]:
    """One row an upgrade, in printed order."""
    return [_row(number, names, races) for number in range(1, upgrades.COUNT + 1)]


def _row(number: int, names: Sequence[str], races: Sequence[Race]) -> CardRow:
    facts = upgrades.TABLE[number - 1]
    bought_by = dict.fromkeys(names, 0)
    owned = wins = 0
    for race in races:
        for seat, agent in enumerate(race.line_up):
            bought_by[names[agent]] += race.bought[seat] >> number & 1
            if race.had[seat] >> number & 1:
                owned += 1
                wins += race.winner == seat
    low, high = wilson(wins, owned)
    return CardRow(
        upgrade=facts.name,
        kind="permanent" if number <= upgrades.PERMANENT else "temporary",
        cost=facts.cost,
        bought=sum(bought_by.values()),
        bought_by=bought_by,
        owned=owned,
        wins=wins,
        win_rate=wins / owned if owned else None,
        win_low=low,
        win_high=high,
    )
