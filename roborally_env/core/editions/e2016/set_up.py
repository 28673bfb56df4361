"""The start of a race of the 2016 games (2016 rulebook, Setup)."""

from roborally_env.core import cards
from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics.energy import START_ENERGY, less_energy
from roborally_env.core.mechanics.setup import clear, draw_course, place_robots
from roborally_env.courses.tables import MAX_CHECKPOINTS


@kernel
def begin_race(courses, game):
    """See `setup.begin_race`."""
    draw_course(courses, game)
    course = courses[game.course]
    clear(game)
    game.cubes = course.cubes
    for i in range(MAX_CHECKPOINTS):
        game.checkpoint[i] = course.checkpoint[i]
    place_robots(course, game, int(course.docks))
    for r in range(game.players):
        game.energy[r] = START_ENERGY - less_energy(game)
        new_deck(game, r)


@kernel
def new_deck(game, r):
    """Twenty programming cards in robot r's draw pile."""
    for i in range(cards.DECK_SIZE):
        game.pile[r, i] = cards.DECK[i]
    game.drawable[r] = cards.DECK_SIZE
