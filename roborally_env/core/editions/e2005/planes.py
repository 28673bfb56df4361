"""What the planes show of the course in the 2005 edition; see `core.seeing.planes`."""

from roborally_env.core.editions.e2005.observation import cell_of_flag, still_wanted
from roborally_env.core.editions.e2005.specials import next_flag
from roborally_env.core.kernel import kernel
from roborally_env.core.seeing.planes import _ANTENNA_PLANE, _LATER_PLANE, _NEXT_PLANE, _TOKEN_PLANE, mark


@kernel
def marker_of(game, r):
    """The cell of robot r's archive marker, around which it sees while it is off the board."""
    return int(game.archive[r])


@kernel
def mark_course(course, game, r, row, column, facing, view):
    """Archive markers and flags."""
    for q in range(game.players):
        if game.archive[q] >= 0 and game.lives[q] > 0:
            mark(course, game.archive[q], row, column, facing, view, _ANTENNA_PLANE if q == r else _TOKEN_PLANE, 1)
    following = next_flag(course, game, r)
    for i in range(course.checkpoints):
        cell = cell_of_flag(game, i)
        if cell >= 0 and still_wanted(game, r, i):
            mark(course, cell, row, column, facing, view, _NEXT_PLANE if i == following else _LATER_PLANE, 1)
