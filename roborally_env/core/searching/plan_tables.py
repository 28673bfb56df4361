"""What bots plan by: the tables, and where a robot that falls comes back."""

import numpy as np

from roborally_env.core.driving.advance import tables_at
from roborally_env.core.rule import rule


@rule
def planned_at(maps, game):
    """The index of the tables by which bots plan; their `solo_at` is that of the solo moves."""
    return np.int64(tables_at(game))


@rule
def back_at(game, r, state):
    """The state in which robot r goes on after a fall; `state` is that of the solo table."""
    return state
