"""What a record that comes from outside must keep to in the 2016 edition; see `core.soundness`."""

from roborally_env.core.editions.e2016.steps import BUY_UPGRADES, PREPARE_HANDS, STORE_HANDS, TAKE_TURN
from roborally_env.core.kernel import kernel
from roborally_env.core.soundness import NO_TURNS


@kernel
def turns_of_step(game):
    """See `soundness.turns_of_step`."""
    step = game.step
    if step in (BUY_UPGRADES, PREPARE_HANDS, STORE_HANDS, TAKE_TURN):
        return int(game.players)
    return NO_TURNS
