"""The start of a race of the 2016 games (2016 rulebook, Setup)."""

from roborally_env.core import cards, upgrades
from roborally_env.core.editions.e2016.steps import DRAW_HANDS, UPGRADE_PHASE
from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics import setup
from roborally_env.core.mechanics.energy import START_ENERGY, less_energy
from roborally_env.core.mechanics.mats import deck_of, plays_upgrades
from roborally_env.core.mechanics.setup import clear_common, draw_course, place_robots
from roborally_env.core.rule import rule
from roborally_env.core.state import PILE, REGISTERS
from roborally_env.core.traits import with_upgrades
from roborally_env.courses.tables import MAX_CHECKPOINTS


@kernel
def begin_race(courses, game):
    """See `setup.begin_race`."""
    draw_course(courses, game, courses.shape[0])
    course = courses[game.course]
    setup.clear(game)
    game.cubes = course.cubes
    for i in range(MAX_CHECKPOINTS):
        game.checkpoint[i] = course.checkpoint[i]
    place_robots(course, game)
    for r in range(game.players):
        game.energy[r] = START_ENERGY - less_energy(game)
        new_deck(game, r)


@kernel
def new_deck(game, r):
    """Twenty programming cards in robot r's draw pile."""
    for i in range(cards.DECK_SIZE):
        game.pile[r, i] = cards.DECK[i]
    game.drawable[r] = cards.DECK_SIZE


@kernel
def clear(game):
    """See `setup.clear`."""
    clear_common(game)
    for r in range(game.cell.shape[0]):
        game.energy[r] = 0
        game.damaged[r] = game.drawable[r] = game.discarded[r] = game.known[r] = 0
        for k in range(REGISTERS):
            game.done[r, k] = cards.NONE
        for i in range(PILE):
            game.pile[r, i] = cards.NONE
        for kind in range(cards.DAMAGE_KINDS):
            game.taken[r, kind] = 0
    for kind in range(cards.DAMAGE_KINDS):
        game.damage_pile[kind] = cards.DAMAGE_BOX[kind]
    game.rebooted = 0
    game.step = UPGRADE_PHASE if plays_upgrades(game) else DRAW_HANDS
    clear_upgrades(game)


@with_upgrades()
def clear_upgrades(game):
    """Bare mats, all upgrade cards in the deck, an empty shop."""
    seats = game.cell.shape[0]
    for r in range(seats):
        game.owned[r] = game.used[r] = game.bought[r] = game.had[r] = 0
        game.instead[r] = cards.NONE
        game.given_order[r] = r
        for t in range(seats):
            game.shots[r, t] = 0
    game.on_mats = 0
    game.admins = game.sorters = game.shielded = game.howitzers = 0
    game.upgrades_left = deck_of(game).shape[0]
    for i in range(game.upgrade_deck.shape[0]):
        game.upgrade_deck[i] = deck_of(game)[i] if i < game.upgrades_left else upgrades.NONE
    for slot in range(game.shop.shape[0]):
        game.shop[slot] = upgrades.NONE
    game.sold = 1
    clear_collection(game)


@rule
def clear_collection(game):
    """Empty collections, an empty discard pile."""
