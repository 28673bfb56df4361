"""What the planes show of the course in the 2005 edition; see `core.seeing.planes`."""

from roborally_env.core.editions.e2005.observation import cell_of_flag, still_wanted
from roborally_env.core.editions.e2005.specials import next_flag
from roborally_env.core.kernel import kernel
from roborally_env.core.seeing import planes
from roborally_env.core.seeing.planes import (
    _ANTENNA_PLANE,
    _LATER_PLANE,
    _NEXT_PLANE,
    _TOKEN_PLANE,
    HIGHEST,
    mark,
    noted,
)

# the planes that mean something else in the 2005 edition
_OTHERS = {
    "antenna": ("own_archive", "1: the own archive marker", 1),
    "reboot_token": ("other_archive", "1: another's archive marker", 1),
    "energy_space": ("repair_site", "1 wrench, 2 wrench and hammer", 2),
    "next_checkpoint": ("next_flag", "1", 1),
    "later_checkpoint": ("later_flag", "1: another flag that the robot still goes for", 1),
}
PLANES = noted(*(_OTHERS.get(row[0], (*row, HIGHEST[row])) for row in planes.PLANES))


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
