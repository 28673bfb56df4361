"""The upgrade phase: the shop and the purchases (2016 rulebook, The Upgrade Phase; R44)."""

from roborally_env.core import cards, log, upgrades
from roborally_env.core.chance import below
from roborally_env.core.choices import BUY_UPGRADE, REPLACE_UPGRADE, choose, open_question
from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics.movement import is_gone
from roborally_env.core.mechanics.owned_upgrades import (
    cards_of_type,
    cheapest,
    costs,
    count_bits,
    install,
    lose,
    special_cards,
)
from roborally_env.core.mechanics.piles import discard
from roborally_env.core.mechanics.priority import set_order
from roborally_env.core.mechanics.setup import clear_question
from roborally_env.core.state import ASK_ALL, ASK_PURCHASES, NOBODY

WAITS = -1


@kernel
def begin_round_of_upgrades(course, game):
    """Count the new round and measure priority (R42)."""
    game.round_number += 1
    log.log(game, log.ROUND, NOBODY, game.round_number)
    set_order(course, game)
    game.turn = 0


@kernel
def fill_shop(game):
    """Fill the shop to as many cards as players; if nothing was bought, all its cards are dealt anew."""
    for slot in range(game.players):
        if game.shop[slot] != upgrades.NONE and not game.sold:
            unsold = int(game.shop[slot])
            game.shop[slot] = upgrades.NONE
            log.log(game, log.GONE, NOBODY, unsold)
        if game.shop[slot] == upgrades.NONE and game.upgrades_left > 0:
            game.shop[slot] = draw_upgrade(game)
            log.log(game, log.SHOP, NOBODY, game.shop[slot])
    game.sold = 0


@kernel
def draw_upgrade(game):
    """Draw the top card of the upgrade deck, which must not be empty."""
    i = below(game, int(game.upgrades_left))
    last = int(game.upgrades_left) - 1
    card = game.upgrade_deck[i]
    game.upgrade_deck[i] = game.upgrade_deck[last]
    game.upgrade_deck[last] = upgrades.NONE
    game.upgrades_left = last
    return card


@kernel
def buy_upgrade(game):
    """The next robot in turn order may buy one card; while the game waits for the answer the step does not change."""
    r = int(game.order[game.turn])
    options = affordable(game, r)
    if options > 1:
        upgrade = ask_purchase(game, r, options)
        if upgrade == WAITS:
            return
        if upgrade != upgrades.NONE:
            purchase(game, r, upgrade)
    game.turn += 1


@kernel
def affordable(game, r):
    """The legal answers of player r to `buy_upgrade`, as bits: no, and each card of the shop that it can pay."""
    options = 1
    if is_gone(game, r):
        return options
    for slot in range(game.players):
        card = int(game.shop[slot])
        if card != upgrades.NONE and costs(game)[card] <= game.energy[r]:
            options |= 1 << card
    return options


@kernel
def ask_purchase(game, r, options):
    """The upgrade that player r buys, or WAITS. If only purchases are open, the step need not be played again."""
    if game.asking == ASK_PURCHASES:
        if game.answered == 0:
            open_question(game, r, BUY_UPGRADE, options, upgrades.NONE, NOBODY)
            return WAITS
        upgrade = int(game.answers[0])
        clear_question(game)
        return upgrade if options >> upgrade & 1 else upgrades.NONE
    if game.asking == ASK_ALL:
        return choose(game, r, BUY_UPGRADE, options, upgrades.NONE)
    return upgrades.NONE


@kernel
def purchase(game, r, upgrade):
    """Pay for a card of the shop and take it; a player with three cards of its type gives one up."""
    same = cards_of_type(game, r, upgrade)
    if count_bits(same) >= upgrades.MOST_OF_A_TYPE:
        replaced = choose(game, r, REPLACE_UPGRADE, same, cheapest(game, same))
        lose(game, r, replaced)
        log.log(game, log.GONE, r, replaced)
    for slot in range(game.players):
        if game.shop[slot] == upgrade:
            game.shop[slot] = upgrades.NONE
    game.energy[r] -= costs(game)[upgrade]
    game.sold = 1
    game.bought[r] |= 1 << upgrade
    take_upgrade(game, r, upgrade)
    log.log(game, log.BUY, r, upgrade, costs(game)[upgrade])


@kernel
def take_upgrade(game, r, upgrade):
    """Place an upgrade on robot r's mat; a routine puts its special card into the discard pile and leaves the game."""
    game.had[r] |= 1 << upgrade
    special = special_cards(game)[upgrade]
    if special != cards.NONE:
        discard(game, r, special)
    else:
        install(game, r, upgrade)
