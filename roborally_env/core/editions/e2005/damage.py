"""Taking damage, one token at a time (2005 rulebook p. 9 and 10; R61)."""

import numpy as np

from roborally_env.core import log, options
from roborally_env.core.choices import NO, OPTION_FOR_DAMAGE, choose
from roborally_env.core.editions.e2005.destruction import destroy
from roborally_env.core.editions.e2005.locks import DESTRUCTION, add_token
from roborally_env.core.editions.e2005.table import discard_option, has, least_option
from roborally_env.core.kernel import kernel

NOWHENCE = -1  # damage that comes from no direction


@kernel
def take_token(game, r, direction):
    """One damage token is due to robot r, from a shot in a direction (or NOWHENCE).

    Ablative Coat and Power-Down Shield stop it by themselves, any other option may be discarded instead.
    """
    if game.damage[r] >= DESTRUCTION or stopped(game, r, direction):
        return
    if game.options[r]:
        given = choose(game, r, OPTION_FOR_DAMAGE, 1 | np.int64(game.options[r]), option_to_give(game, r))
        if given != NO:
            discard_option(game, r, given)
            return
    add_token(game, r)


@kernel
def stopped(game, r, direction):
    """Whether Ablative Coat or Power-Down Shield takes the token."""
    if has(game, r, options.ABLATIVE_COAT):
        game.coat[r] += 1
        log.log(game, log.PROTECTED, r, options.ABLATIVE_COAT)
        if game.coat[r] == options.COAT_TOKENS:
            discard_option(game, r, options.ABLATIVE_COAT)
        return True
    shields = has(game, r, options.POWER_DOWN_SHIELD) and game.down >> r & 1 and direction >= 0
    if shields and not game.shield[r] >> direction & 1:
        game.shield[r] |= 1 << direction
        log.log(game, log.PROTECTED, r, options.POWER_DOWN_SHIELD)
        return True
    return False


@kernel
def option_to_give(game, r):
    """The default policy: the least valuable option from seven tokens on, else none."""
    return least_option(game, r) if game.damage[r] >= 7 else NO


@kernel
def hurt(course, game, r, direction):
    """One token is due outside the laser phase: the tenth destroys at once."""
    take_token(game, r, direction)
    if game.damage[r] >= DESTRUCTION and not game.destroyed >> r & 1:
        destroy(course, game, r)
