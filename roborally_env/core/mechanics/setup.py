"""A new race: robots on start spaces, shuffled decks, full damage piles (2016 rulebook, Setup)."""

from roborally_env.core import cards, upgrades
from roborally_env.core.chance import below, key_of
from roborally_env.core.choices import note_about
from roborally_env.core.editions.e2016.steps import DRAW_HANDS, UPGRADE_PHASE
from roborally_env.core.editions.e2023.deck import clear_collection
from roborally_env.core.kernel import by_edition, kernel, with_upgrades
from roborally_env.core.mechanics.energy import START_ENERGY, less_energy
from roborally_env.core.mechanics.mats import plays_upgrades
from roborally_env.core.state import NOBODY, NOWHERE, PILE, REGISTERS, RULE_FIXED_STARTS
from roborally_env.courses.tables import MAX_CHECKPOINTS


@by_edition("mechanics.setup:begin_2016", "editions.e2005.set_up:begin_race", "editions.community.set_up:begin_race")
def begin_race(courses, game):
    """Set a game to the start of the race that its seed and episode give, on one of the courses.

    What the caller set stays: seed, episode, players, rules, asking, max_rounds.
    """


@kernel
def draw_course(courses, game, count):
    """The race's key, and one of the first `count` courses."""
    game.key = key_of(game.seed, game.episode)
    game.draws = 0
    game.course = below(game, count) if count > 1 else 0


@kernel
def begin_2016(courses, game):
    """The start of a 2016 race."""
    draw_course(courses, game, courses.shape[0])
    course = courses[game.course]
    clear(game)
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
def place_robots(course, game):
    """Robots take start spaces, drawn at random unless the rules fix them."""
    seats = game.cell.shape[0]
    free = (1 << int(course.docks)) - 1
    left = int(course.docks)
    for r in range(seats):
        if r >= game.players:
            game.cell[r] = NOWHERE
            game.start[r] = NOWHERE
            continue
        pick = 0 if game.rules & RULE_FIXED_STARTS else below(game, left)
        dock = 0
        while True:  # the pick-th of the free docks
            if free >> dock & 1:
                if pick == 0:
                    break
                pick -= 1
            dock += 1
        free &= ~(1 << dock)
        left -= 1
        game.cell[r] = course.dock[dock]
        game.start[r] = course.dock[dock]
        game.facing[r] = course.start_facing


@by_edition("mechanics.setup:clear_2016", "editions.e2005.set_up:clear", "editions.community.set_up:clear")
def clear(game):
    """Every field of a race to its value before the first round."""


@kernel
def clear_common(game):
    """The fields that every edition has."""
    for r in range(game.cell.shape[0]):
        game.want[r] = game.facing[r] = game.reached[r] = game.hits[r] = game.barred[r] = 0
        game.order[r] = r
        game.held[r] = game.reboots[r] = 0
        for i in range(game.hand.shape[1]):
            game.hand[r, i] = cards.NONE
        for k in range(REGISTERS):
            game.registers[r, k] = game.laid_on[r, k] = cards.NONE
    game.acted = game.rested = 0
    game.round_number = 0
    game.register = game.turn = 0
    game.winner = NOBODY
    game.cut = game.fixed_order = 0
    clear_question(game)


@kernel
def clear_2016(game):
    """The fields of the 2016 games."""
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
    """Bare mats, all forty cards in the deck, an empty shop."""
    seats = game.cell.shape[0]
    for r in range(seats):
        game.owned[r] = game.used[r] = game.bought[r] = game.had[r] = 0
        game.instead[r] = cards.NONE
        game.given_order[r] = r
        for t in range(seats):
            game.shots[r, t] = 0
    game.on_mats = 0
    game.admins = game.sorters = game.shielded = game.howitzers = 0
    for i in range(upgrades.COUNT):
        game.upgrade_deck[i] = i + 1
    game.upgrades_left = upgrades.COUNT
    for slot in range(game.shop.shape[0]):
        game.shop[slot] = upgrades.NONE
    game.sold = 1
    clear_collection(game)


@kernel
def clear_question(game):
    """No choice is open and no answer lies ready."""
    game.ask_seat = NOBODY
    game.ask_kind = game.ask_default = 0
    game.ask_options = 0
    note_about(game, NOBODY)
    for i in range(game.answered):
        game.answers[i] = 0
    game.answered = game.answers_read = 0
