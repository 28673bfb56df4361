"""The priority antenna (2016 rulebook, Determining Priority; R41, R42)."""

from roborally_env.core.kernel import kernel


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
    for r in range(game.players):
        rank = rank_of(course, game, r, game.cell[r])
        place = r
        while place > 0 and game.want[place - 1] > rank:  # insertion, by the ranks kept in the scratch field
            game.want[place] = game.want[place - 1]
            game.order[place] = game.order[place - 1]
            place -= 1
        game.want[place] = rank
        game.order[place] = r
    for r in range(game.players):
        game.want[r] = 0
