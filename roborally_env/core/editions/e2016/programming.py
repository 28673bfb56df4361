"""Programming in the 2016 games."""

from roborally_env.core.driving.advance import wants_to_store
from roborally_env.core.editions.e2016.steps import BEGIN_REGISTER, STORE_HANDS
from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics.programs import correct_program, program
from roborally_env.core.rule_options import RULE_ADVANCED


@kernel
def submit_programs(game, i, actions, submitted, corrected):
    """See `advance.submit_programs`."""
    wishes, opened = actions.programs, actions.opened
    row = i * int(game.players)
    stores = wants_to_store(game)
    for r in range(game.players):
        bits = int(opened[i, r])
        corrected[i, r] = correct_program(game, r, wishes, submitted, row + r, bits)
        program(game, r, submitted, row + r, bits, stores or game.rules & RULE_ADVANCED)
    game.register = 0
    game.turn = 0
    game.step = STORE_HANDS if stores else BEGIN_REGISTER
