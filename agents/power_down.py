"""When `greedy` and `planner` power down (2005 and community edition)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from roborally_env.agents.base import Info

from roborally_env.core.choices import POWER_DOWN

FROM_TOKENS = 5  # damage tokens from which a register is locked


def announce_when_locked(info: Info, tokens: int = FROM_TOKENS) -> NDArray[np.int8]:
    """1 for each row whose robot has at least `tokens` damage tokens."""
    return np.asarray(info.batch.games["damage"][info.games, info.seats] >= tokens, np.int8)


def power_down_or(choices: NDArray[np.int8], info: Info, tokens: int = FROM_TOKENS) -> NDArray[np.int8]:
    """The choices, with `power_down` answered by the same rule if it is open (decisions="all")."""
    asked = info.batch.games["ask_kind"][info.games] == POWER_DOWN
    return np.where(asked, 1 + announce_when_locked(info, tokens), choices).astype(np.int8)
