"""Playing on until a player must decide: a fast way without choices, and a way that asks choices."""

from roborally_env.core.choices import ChoiceOpen, note_about
from roborally_env.core.kernel import JIT, kernel
from roborally_env.core.mechanics.owned_upgrades import owned_by_any
from roborally_env.core.mechanics.setup import clear_question
from roborally_env.core.rule import rule
from roborally_env.core.state import NOBODY
from roborally_env.core.steps import OVER, PROGRAM
from roborally_env.core.traits import with_questions, with_upgrades
from roborally_env.core.upgrades import CACHE_MEMORY


@rule(required=True)
def play_step(course, game):
    """Play the game's next step and set the following one. Must not be called at PROGRAM (the players' step) or
    OVER."""


@rule
def turned_tables(game):
    """The index of the present course tables if boards can turn; -1 in editions whose boards do not turn."""
    return -1


@kernel
def tables_at(game):
    """The index of the game's present course tables."""
    at = turned_tables(game)
    return at if at >= 0 else int(game.course)


@kernel
def advance(courses, game):
    """Play steps up to programming, a purchase or the end of the race. For games without other
    choices."""
    while game.step != PROGRAM and game.step != OVER:
        play_step(courses[tables_at(game)], game)
        if waits_for_purchase(game):
            return


@kernel
def play_steps(courses, game, least):
    """For searches: with `least` 0 as `advance`, else without a look at purchases up to a step with a lower number."""
    while game.step >= least and game.step != PROGRAM and game.step != OVER:
        play_step(courses[tables_at(game)], game)
        if least == 0 and waits_for_purchase(game):
            return


@with_questions(NOBODY)
def about_whom(game):
    """The robot that the open question concerns."""
    return int(game.ask_about)


if JIT:

    @kernel
    def asks(course, game):
        """Play one step; True if a player must choose and it stopped in the middle."""
        stopped = False
        try:
            play_step(course, game)
        except Exception:  # numba supports no narrower clause
            stopped = True
        if stopped and game.ask_seat == NOBODY:  # no question was opened: something else went wrong
            raise RuntimeError("a step of the simulator failed")
        return stopped

else:

    def asks(course, game):
        try:
            play_step(course, game)
        except ChoiceOpen:
            return True
        return False


@kernel
def step_asking(courses, games, i, kept):
    """Play one step of game i. If it asks, reset the game to the step's start with the question open and return False.

    `kept` is a scratch array of as many records as `games`.
    """
    game = games[i]
    game.answers_read = 0
    kept[i] = games[i]
    if not asks(courses[tables_at(game)], game):
        clear_question(game)
        return True
    seat, kind, options, default = game.ask_seat, game.ask_kind, game.ask_options, game.ask_default
    about = about_whom(game)
    games[i] = kept[i]
    game.ask_seat = seat
    game.ask_kind = kind
    game.ask_options = options
    game.ask_default = default
    note_about(game, about)
    return False


@kernel
def advance_asking(courses, games, i, kept):
    """Play steps of game i up to programming, an open choice or the end of the race."""
    while games[i].step != PROGRAM and games[i].step != OVER:
        if not step_asking(courses, games, i, kept):
            return


@kernel
def answer(game, option):
    """Store the answer to the open question: a legal option number."""
    game.answers[game.answered] = option
    game.answered += 1
    game.ask_seat = NOBODY
    game.ask_kind = 0
    game.ask_default = 0
    game.ask_options = 0
    note_about(game, NOBODY)


@with_upgrades(False)
def wants_to_store(game):
    """Whether a robot may keep cards that are left over after programming."""
    return bool(owned_by_any(game) >> CACHE_MEMORY & 1)


@rule(required=True)
def submit_programs(game, i, actions, submitted, corrected):
    """Submit the programs of game i: fills `submitted` [B * P, 5], the corrected hand slots, and `corrected` [B, P]."""


@with_upgrades(False)
def waits_for_purchase(game):
    """Whether a game that asks only for purchases waits for one."""
    return game.ask_seat != NOBODY
