"""The turn order of a register phase (2005 rulebook p. 6; R66, R67)."""

import numpy as np

from roborally_env.core.kernel import kernel
from roborally_env.core.state import NOBODY


@kernel
def plays(game, r):
    """Whether robot r is on the board and not powered down."""
    return game.cell[r] >= 0 and not game.down >> r & 1


@kernel
def place_of(game, r):
    """A number that sorts the robots: higher priority numbers first, then robots without one in list order; a robot
    that plays another's program comes right after it. A given order replaces the priority numbers."""
    own = r
    if r < game.players and game.controller[r] != NOBODY:
        own = np.int64(game.controller[r])
    pace = np.int64(game.pace[own, game.register]) if own < game.players and plays(game, own) else 0
    rank = pace * 8 + 7 - own
    if game.fixed_order:
        for place in range(game.players):
            if game.given_order[place] == own:
                rank = 7 - place
    return r - rank * 32 - (16 if own == r else 0)


@kernel
def set_order(game):
    """The order of this register."""
    seats = game.cell.shape[0]
    for r in range(seats):
        game.want[r] = place_of(game, r)
    for r in range(seats):
        place = 0
        for q in range(seats):
            place += game.want[q] < game.want[r]
        game.order[place] = r
    for r in range(seats):
        game.want[r] = 0


@kernel
def reorder_rest(game):
    """Sort the robots that have not moved yet again, because a robot plays its own program again."""
    for i in range(game.turn + 2, game.players):
        r = np.int64(game.order[i])
        at = i
        while at > game.turn + 1 and place_of(game, np.int64(game.order[at - 1])) > place_of(game, r):
            game.order[at] = game.order[at - 1]
            at -= 1
        game.order[at] = r
