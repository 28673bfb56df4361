"""The priority antenna (2016 rulebook, Determining Priority; R41, R42)."""

from roborally_env.core.kernel import kernel
from roborally_env.core.traits import with_upgrades

LAST = 32_000  # rank of an empty seat


@with_upgrades(-1)
def given_place(game, r):
    """The place of robot r in the given order, which upgrades do not change."""
    for place in range(game.players):
        if game.given_order[place] == r:
            return place
    return -1


@kernel
def rank_of(course, game, r, cell):
    """Robot r's priority if it stood on `cell`: lower goes first; ties (no antenna) by seat."""
    if game.fixed_order:
        restored = given_place(game, r)
        if restored >= 0:
            return restored
        for place in range(game.players):
            if game.order[place] == r:
                return place
    return course.rank[cell] * 16 + r


@with_upgrades()
def restore_order(game):
    """Restore the given order, which upgrades may have changed in the last register."""
    for place in range(game.players):
        game.order[place] = game.given_order[place]


@kernel
def set_order(course, game):
    """Set the turn order of a register by distance to the antenna; a given order stays (R42)."""
    if game.fixed_order:
        restore_order(game)
        return
    seats = game.cell.shape[0]
    for r in range(seats):
        game.want[r] = course.rank[game.cell[r]] * 16 + r if game.cell[r] >= 0 else LAST + r
    for r in range(seats):  # each robot's place is the number of robots before it
        place = 0
        for q in range(seats):
            place += game.want[q] < game.want[r]
        game.order[place] = r
    for r in range(seats):
        game.want[r] = 0
