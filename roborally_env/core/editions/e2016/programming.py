"""Laying programs in the 2016 games."""

from roborally_env.core.driving.advance import wants_to_store
from roborally_env.core.editions.e2016.steps import BEGIN_REGISTER, STORE_HANDS
from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics.programs import program, repair_program
from roborally_env.core.rule_options import RULE_ADVANCED


@kernel
def lay_programs(game, i, actions, laid, repairs):
    """See `advance.lay_programs`."""
    wishes, opened = actions.programs, actions.opened
    row = i * int(game.players)
    stores = wants_to_store(game)
    for r in range(game.players):
        bits = int(opened[i, r])
        repairs[i, r] = repair_program(game, r, wishes, laid, row + r, bits)
        program(game, r, laid, row + r, bits, stores or game.rules & RULE_ADVANCED)
    game.register = 0
    game.turn = 0
    game.step = STORE_HANDS if stores else BEGIN_REGISTER
