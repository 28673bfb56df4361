"""The priority antenna (2016 rulebook, Determining Priority; R41, R42)."""

from roborally_env.core.kernel import kernel

LAST = 32_000  # rank of an empty seat


@kernel
def rank_of(course, game, r, cell):
    """Robot r's priority if it stood on `cell`: lower goes first; ties (no antenna) by seat."""
    if game.fixed_order:
        for place in range(game.players):
            if game.order[place] == r:
                return place
    return course.rank[cell] * 16 + r


@kernel
def set_order(course, game):
    """Measure the turn order of a register; a given order stays (R42)."""
    if game.fixed_order:
        return
    seats = game.cell.shape[0]
    for r in range(seats):
        game.want[r] = course.rank[game.cell[r]] * 16 + r if game.cell[r] >= 0 else LAST + r
    for r in range(seats):  # each robot's place is the number of those before it
        place = 0
        for q in range(seats):
            place += game.want[q] < game.want[r]
        game.order[place] = r
    for r in range(seats):
        game.want[r] = 0
