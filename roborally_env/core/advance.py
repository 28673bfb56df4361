"""Playing on until a player is needed: the fast way, and the way that asks."""

from roborally_env.core.editions.race2016 import BEGIN_REGISTER, OVER, PROGRAM, play_step
from roborally_env.core.kernel import kernel
from roborally_env.core.piles import program, repair_program
from roborally_env.core.setup import clear_question
from roborally_env.core.state import NOBODY, RULE_ADVANCED


@kernel
def advance(course, game):
    """Play steps until programs are wanted or the race is over. For games that do not ask."""
    while game.step != PROGRAM and game.step != OVER:
        play_step(course, game)


@kernel
def step_asking(course, games, i, kept):
    """Play one step of game i. Where it asks, put the game back to the step's start with the question open; then False.

    `kept` is a scratch array of as many records as `games`.
    """
    game = games[i]
    game.answers_read = 0
    kept[i] = games[i]
    asked = False
    try:
        play_step(course, game)
    except Exception:  # numba knows no narrower clause; ChoiceOpen is all that a step can raise
        asked = True
    if not asked:
        clear_question(game)
        return True
    seat, kind, options, default = game.ask_seat, game.ask_kind, game.ask_options, game.ask_default
    games[i] = kept[i]
    game.ask_seat = seat
    game.ask_kind = kind
    game.ask_options = options
    game.ask_default = default
    return False


@kernel
def advance_asking(course, games, i, kept):
    """Play steps of game i until programs are wanted, a choice is open or the race is over."""
    while games[i].step != PROGRAM and games[i].step != OVER:
        if not step_asking(course, games, i, kept):
            return


@kernel
def answer(game, option):
    """Take the open question's answer: a legal option number."""
    game.answers[game.answered] = option
    game.answered += 1
    game.ask_seat = NOBODY
    game.ask_kind = 0
    game.ask_default = 0
    game.ask_options = 0


@kernel
def lay_programs(game, i, wishes, opened, laid, repairs):
    """All players of game i lay their programs: `wishes` and `laid` [B * P, 5] hand slots, `opened` and `repairs` [B,
    P]."""
    row = i * game.players
    for r in range(game.players):
        bits = int(opened[i, r])
        repairs[i, r] = repair_program(game, r, wishes, laid, row + r, bits)
        program(game, r, laid, row + r, bits, game.rules & RULE_ADVANCED)
    game.register = 0
    game.step = BEGIN_REGISTER
