"""The steps that only a game with upgrades has."""

from roborally_env.core.editions.e2016.steps import (
    BEGIN_REGISTER,
    BUY_UPGRADES,
    DRAW_HANDS,
    PREPARE_HANDS,
    STORE_HANDS,
    UPGRADE_PHASE,
)
from roborally_env.core.editions.e2016.upgrades.hands import prepare_hand, store_hand
from roborally_env.core.editions.e2016.upgrades.shop import affordable, begin_round_of_upgrades, buy_upgrade, fill_shop
from roborally_env.core.kernel import kernel
from roborally_env.core.rule import rule
from roborally_env.core.rule_options import RULE_ADVANCED
from roborally_env.core.state import NOBODY
from roborally_env.core.steps import PROGRAM
from roborally_env.core.traits import with_upgrades


@with_upgrades(PROGRAM)
def play_upgrade_step(course, game):
    """Play a step of the upgrade or the programming phase and return the following step."""
    step = game.step
    if step <= BUY_UPGRADES:
        return play_upgrade_phase(course, game)
    if step == PREPARE_HANDS:
        prepare_hand(game)
        return PREPARE_HANDS if game.turn < game.players else PROGRAM
    if step == STORE_HANDS:
        store_hand(game, game.rules & RULE_ADVANCED)
        return STORE_HANDS if game.turn < game.players else BEGIN_REGISTER
    return PROGRAM


@rule
def play_upgrade_phase(course, game):
    """Play a step of the upgrade phase and return the following step."""
    if game.step == UPGRADE_PHASE:
        begin_upgrade_phase(course, game)
        return next_buyer(game)
    buy_upgrade(game)
    return BUY_UPGRADES if game.ask_seat != NOBODY else next_buyer(game)


@kernel
def begin_upgrade_phase(course, game):
    """Begin a new round: measure priority (R42) and fill the shop."""
    begin_round_of_upgrades(course, game)
    fill_shop(game)


@kernel
def next_buyer(game):
    """Skip robots that can buy nothing; return the next step."""
    while game.turn < game.players:
        if affordable(game, int(game.order[game.turn])) > 1:
            return BUY_UPGRADES
        game.turn += 1
    return DRAW_HANDS


@with_upgrades()
def close_round(game):
    """Make once-per-round upgrades usable again."""
    for r in range(game.players):
        game.used[r] = 0
    game.admins = game.sorters = game.shielded = game.howitzers = 0
