"""The compiled entry points of the scenario runner, which play single games step by step."""

from roborally_env.core.driving.advance import answer, step_asking, tables_at
from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics import programs
from roborally_env.core.mechanics.owned_upgrades import locked
from roborally_env.core.mechanics.priority import set_order
from roborally_env.core.mechanics.setup import clear
from roborally_env.core.state import REGISTERS
from roborally_env.core.steps import OVER, PROGRAM

PLAYED, ASKS, STOPS = 0, 1, 2
_LOG_FILLED = 128  # a log with this many rows is read out first; one step never fills the rest


@kernel
def clear_game(games):
    """Set the only game of the array to a race's start, without robots or decks."""
    clear(games[0])


@kernel
def play_on(courses, games, kept, last_register, clean_up, begins):
    """Play steps up to an open question (ASKS), or some of them (PLAYED): at most to the end of a register, or until a
    board turns.

    STOPS at programming, where a round begins (at one of the steps `begins`, as bits), the game is over or
    register `last_register` (0..4) is done; 5: the clean-up, which begins at the step `clean_up`, is played too.
    """
    game = games[0]
    register, tables = game.register, tables_at(game)
    while game.register == register and tables_at(game) == tables and game.logged < _LOG_FILLED:
        if game.step in (PROGRAM, OVER):
            return STOPS
        if not step_asking(courses, games, 0, kept):
            return ASKS
        step = game.step
        if step in (PROGRAM, OVER) or begins >> step & 1 or game.register > last_register:
            return STOPS
        if step == clean_up and last_register < REGISTERS:
            return STOPS
    return PLAYED


@kernel
def give_answer(games, option):
    """Answer the open question; the step is played again by the next play_on."""
    answer(games[0], option)


@kernel
def programs_now(games, r):
    """Whether robot r submits a program in this round."""
    return programs.programs_now(games[0], r)


@kernel
def closed_now(games, r):
    """The registers in which robot r cannot place a card, as bits."""
    return programs.closed(games[0], r)


@kernel
def locked_now(games, r):
    """The locked registers of robot r, as bits."""
    return locked(games[0], r)


@kernel
def is_legal(games, r, slot, k):
    """Whether the card in a hand slot may go into register k (0..4)."""
    return programs.legal_slot(games[0], r, slot, k, 0)


@kernel
def measure_order(courses, games):
    """Set the turn order from the robots' positions."""
    set_order(courses[0], games[0])
