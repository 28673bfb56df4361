"""What came of each decision."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from roborally_env.training.selfplay.gameplay import Moment
from roborally_env.training.selfplay.options import Options


def advantages(
    options: Options, moments: list[Moment], last: tuple[np.ndarray, np.ndarray]
) -> Iterator[tuple[Moment, dict[str, np.ndarray]]]:
    """Generalised advantage estimates (Schulman et al. 2016) over each seat's own decisions, of the return and of the
    chance to win, from the last moment to the first."""
    next_value, next_win = last[0].copy(), last[1].copy()
    next_adv, next_wadv = np.zeros_like(next_value), np.zeros_like(next_value)
    earned, outcome = np.zeros_like(next_value), np.zeros_like(next_value)
    for m in reversed(moments):
        for kept in (next_value, next_win, next_adv, next_wadv, earned, outcome):
            kept[m.done] = 0.0
        earned += m.rewards
        outcome += m.won
        found = {}
        parts = (("program", m.games, m.seats, m.programs), ("purchase", m.buyers, m.buying, m.purchases))
        for name, games, seats, data in parts:
            if data is None:
                continue
            at = games, seats
            adv = earned[at] + options.gamma * next_value[at] - data.value + options.gamma * options.lam * next_adv[at]
            wadv = outcome[at] + next_win[at] - data.win + options.lam * next_wadv[at]
            found[name] = np.stack([adv, adv + data.value, np.clip(wadv + data.win, 0.0, 1.0)]).astype(np.float32)
            next_value[at], next_win[at] = data.value, data.win
            next_adv[at], next_wadv[at] = adv, wadv
            earned[at] = outcome[at] = 0.0
        yield m, found
