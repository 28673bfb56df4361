"""The upgrade phase of 2023: one player after the other, each in any order it chooses.

Each act of a player (draw, install, uninstall) is a step of its own. A step offers all possible acts in rulebook order
and ends with the first act; if the player takes none, its turn is over. So players can act in any order, and an act
that was declined is offered again after another act.
"""

import numpy as np

from roborally_env.core import log, upgrades
from roborally_env.core.choices import DRAW_UPGRADE, INSTALL_UPGRADE, NO, REPLACE_UPGRADE, UNINSTALL_UPGRADE, choose
from roborally_env.core.editions.e2016.steps import BUY_UPGRADES, DRAW_HANDS, UPGRADE_PHASE
from roborally_env.core.editions.e2016.upgrades.shop import begin_round_of_upgrades, take_upgrade
from roborally_env.core.editions.e2023.deck import discard_upgrade, take_top_upgrade
from roborally_env.core.editions.e2023.policy import least_valued, wanted_upgrade, wants_to_draw
from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics.owned_upgrades import cards_of_type, costs, count_bits, lose
from roborally_env.core.rule import fact_of_kind
from roborally_env.core.state import ASK_ALL

YES_OR_NO = 0b11


@kernel
def play_upgrade_phase(course, game):
    """Play a step of the upgrade phase and return the following step. If nobody decides, the phase is one step."""
    if game.step == UPGRADE_PHASE:
        begin_round_of_upgrades(course, game)
        game.drew = game.installed = 0
    elif not act(game, int(game.order[game.turn])):
        game.turn += 1
    while game.turn < game.players:
        r = int(game.order[game.turn])
        if game.asking == ASK_ALL and can_act(game, r):
            return BUY_UPGRADES
        if game.asking == ASK_ALL or not act(game, r):
            game.turn += 1
    return DRAW_HANDS


@kernel
def act(game, r):
    """Player r draws, installs or uninstalls one upgrade; False where it is done."""
    if may_draw(game, r) and choose(game, r, DRAW_UPGRADE, YES_OR_NO, wants_to_draw(game, r)) != NO:
        draw_upgrade(game, r)
        return True
    if may_install(game, r):
        options = installable(game, r)
        upgrade = choose(game, r, INSTALL_UPGRADE, options, wanted_upgrade(game, r, options))
        if upgrade != NO:
            install_upgrade(game, r, upgrade)
            return True
    if game.owned[r] != 0:
        upgrade = choose(game, r, UNINSTALL_UPGRADE, game.owned[r] | 1, NO)
        if upgrade != NO:
            uninstall_upgrade(game, r, upgrade)
            return True
    return False


@kernel
def can_act(game, r):
    """Whether player r decides anything in this phase."""
    return may_draw(game, r) or may_install(game, r) or game.owned[r] != 0


@kernel
def may_draw(game, r):
    """Whether player r may draw: once per phase, for one energy, while there are cards."""
    return not game.drew >> r & 1 and game.energy[r] >= 1 and (game.upgrades_left > 0 or game.upgrade_discard != 0)


@kernel
def may_install(game, r):
    """Whether player r decides `install_upgrade`: it has installed nothing in this phase, and has a card to install.

    What the card costs does not matter, because the number of decisions would reveal to the others a hidden card
    (R90).
    """
    return not game.installed >> r & 1 and game.collection[r] != 0


@kernel
def installable(game, r):
    """The legal answers of player r to `install_upgrade`, as bits: no, and each card of its collection that it can
    pay."""
    energy = min(int(game.energy[r]), payable(game).shape[0] - 1)
    return 1 | np.int64(game.collection[r]) & payable(game)[energy]


@fact_of_kind
def payable(kind):
    """The cards that each amount of energy can pay, as bits: [energy]; more than the last index pays for all."""
    prices = upgrades.column_of(kind.upgrade_numbers, "cost")
    affordable = [[u for u in kind.upgrade_numbers if prices[u] <= energy] for energy in range(prices.max() + 1)]
    return np.array([upgrades.bits(*numbers) for numbers in affordable], np.int64)


@kernel
def draw_upgrade(game, r):
    """One energy for the top card of the upgrade deck."""
    game.energy[r] -= 1
    game.drew |= 1 << r
    upgrade = take_top_upgrade(game)
    game.collection[r] |= 1 << upgrade
    log.log(game, log.UPGRADE_DRAWN, r, upgrade)


@kernel
def install_upgrade(game, r, upgrade):
    """Pay for a card of the collection and install it on the mat; a fourth card of a type replaces an installed one."""
    same = cards_of_type(game, r, upgrade)
    if count_bits(same) >= upgrades.MOST_OF_A_TYPE:
        uninstall_upgrade(game, r, choose(game, r, REPLACE_UPGRADE, same, least_valued(game, same)))
    game.collection[r] &= ~(1 << upgrade)
    game.energy[r] -= costs(game)[upgrade]
    game.installed |= 1 << r
    game.bought[r] |= 1 << upgrade
    take_upgrade(game, r, upgrade)
    log.log(game, log.INSTALLED, r, upgrade, costs(game)[upgrade])


@kernel
def uninstall_upgrade(game, r, upgrade):
    """Put an installed card on the upgrade discard pile."""
    lose(game, r, upgrade)
    discard_upgrade(game, upgrade)
    log.log(game, log.UNINSTALLED, r, upgrade)
