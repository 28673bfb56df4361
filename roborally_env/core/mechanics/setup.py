"""A new race: robots on start spaces, shuffled decks, full damage piles (2016 rulebook, Setup)."""

from roborally_env.core import cards
from roborally_env.core.chance import below, key_of
from roborally_env.core.choices import note_about
from roborally_env.core.kernel import kernel
from roborally_env.core.rule import rule
from roborally_env.core.rule_options import RULE_FIXED_STARTS
from roborally_env.core.state import NOBODY, NOWHERE, REGISTERS


@rule(required=True)
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


@rule(required=True)
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
def clear_question(game):
    """No choice is open and no answer lies ready."""
    game.ask_seat = NOBODY
    game.ask_kind = game.ask_default = 0
    game.ask_options = 0
    note_about(game, NOBODY)
    for i in range(game.answered):
        game.answers[i] = 0
    game.answered = game.answers_read = 0
