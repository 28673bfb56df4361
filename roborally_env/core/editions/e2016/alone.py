"""One robot alone on a 2016 course, for the solo tables and distances of `core.searching.distances`."""

from roborally_env.core.editions.e2016.cards import carry_out
from roborally_env.core.editions.e2016.race import acting_step, play_step
from roborally_env.core.editions.e2016.steps import BLUE_BELTS_1, BOARD_LASERS
from roborally_env.core.kernel import kernel
from roborally_env.core.state import NOBODY


@kernel
def activate(course, game):
    """The register's board elements up to the lasers."""
    game.step = acting_step(course, game, BLUE_BELTS_1)
    while game.step < BOARD_LASERS:
        play_step(course, game)


@kernel
def play_alone(course, game, cell, facing, k, action):
    """See `distances.play_alone`. There are no damage cards: the piles are empty."""
    for kind in range(game.damage_pile.shape[0]):
        game.damage_pile[kind] = 0
    game.cell[0] = cell
    game.start[0] = course.dock[0] if course.docks > 0 else cell
    game.facing[0] = facing
    game.rebooted = 0
    game.acted = 1
    game.register = k
    carry_out(course, game, 0, action)
    activate(course, game)
    state = int(game.cell[0]) * 4 + int(game.facing[0])
    return ~state if game.rebooted & 1 else state


@kernel
def next_checkpoint(course, game, r):
    """Checkpoints are reached in order."""
    return int(game.reached[r]) if game.reached[r] < course.checkpoints else NOBODY


next_in_order = next_checkpoint


@kernel
def cell_to_go_from(game, r):
    """Robots are always on the board."""
    return int(game.cell[r])
