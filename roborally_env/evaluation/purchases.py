"""Which upgrades were bought in a tournament (in 2005 which options were drawn), and how often their owners won."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from roborally_env.core import options, upgrades
from roborally_env.core.state import Kind
from roborally_env.evaluation.races import Race
from roborally_env.evaluation.statistics import wilson


@dataclass(frozen=True)
class CardRow:
    """The figures of one upgrade or option. A seat is one robot in one race."""

    upgrade: str
    kind: str  # "permanent", "temporary" or "option"
    cost: int  # 0 of an option
    bought: int  # purchases
    bought_by: dict[str, int]  # by each agent
    owned: int  # seats that owned it at some time, bought or taken
    wins: int  # of those
    win_rate: float | None  # None if nobody owned it
    win_low: float  # 95 % Wilson interval
    win_high: float


def card_table(names: Sequence[str], races: Sequence[Race], kind: Kind) -> list[CardRow]:
    """One row for each upgrade (option), in printed order."""
    if kind.has("options"):
        return [_row(o, row.name, "option", 0, names, races) for o, row in enumerate(options.TABLE, 1)]
    return [
        _row(row.number, row.name, row.type, row.cost, names, races)
        for row in map(upgrades.upgrade, kind.upgrade_numbers)
    ]


def _row(number: int, name: str, kind: str, cost: int, names: Sequence[str], races: Sequence[Race]) -> CardRow:
    bought_by = dict.fromkeys(names, 0)
    owned = wins = 0
    for race in races:
        for seat, agent in enumerate(race.line_up):
            if kind != "option":
                bought_by[names[agent]] += race.bought[seat] >> number & 1
            if race.had[seat] >> number & 1:
                owned += 1
                wins += race.won(seat)
    low, high = wilson(wins, owned)
    return CardRow(
        upgrade=name,
        kind=kind,
        cost=cost,
        bought=sum(bought_by.values()),
        bought_by=bought_by,
        owned=owned,
        wins=wins,
        win_rate=wins / owned if owned else None,
        win_low=low,
        win_high=high,
    )
