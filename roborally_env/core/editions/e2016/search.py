"""The searches of the 2016 games; see `core.searching`."""

from roborally_env.core import cards
from roborally_env.core.driving.advance import play_steps, wants_to_store
from roborally_env.core.editions.e2016.steps import BEGIN_REGISTER, STORE_HANDS
from roborally_env.core.editions.e2016.upgrades.policy import best_action, best_turn
from roborally_env.core.kernel import kernel
from roborally_env.core.searching.among_others import submit_one
from roborally_env.core.searching.best_list import WAIT
from roborally_env.core.state import NOBODY, NOWHERE
from roborally_env.core.traits import with_upgrades


@with_upgrades(WAIT)
def special_column(course, game, card, state, goal):
    """See `alone.special_column`."""
    if card == cards.SPEED_ROUTINE:
        return cards.MOVE_3 - 1
    cell = int(game.checkpoint[goal]) if goal != NOBODY else NOWHERE
    if card == cards.WEASEL_ROUTINE:
        return best_turn(state >> 2, state & 3, cell) - 1
    if card == cards.SANDBOX_ROUTINE:
        return best_action(course, state >> 2, state & 3, cell) - 1
    return WAIT


@kernel
def play_round(maps, game, seat, candidates, c):
    """See `among_others.play_round`."""
    submit_one(game, seat, candidates, c)
    game.register = 0
    game.turn = 0
    game.step = STORE_HANDS if wants_to_store(game) else BEGIN_REGISTER
    play_steps(maps.courses, game, STORE_HANDS)
