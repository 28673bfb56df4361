"""The upgrade deck, its discard pile, and their state at the start (2023 rulebook, The upgrade phase)."""

from roborally_env.core import log, upgrades
from roborally_env.core.chance import below
from roborally_env.core.kernel import kernel
from roborally_env.core.state import NOBODY


@kernel
def discard_upgrade(game, upgrade):
    """Put an upgrade on the upgrade discard pile."""
    game.upgrade_discard |= 1 << upgrade


@kernel
def shuffle_discarded(game):
    """Make the upgrade discard pile the deck. Everybody has seen which cards these are; nobody knows their order."""
    game.shuffles += 1
    left = 0
    for card in range(1, game.shuffled.shape[0] + 1):
        if game.upgrade_discard >> card & 1:
            game.upgrade_deck[left] = card
            game.shuffled[card - 1] = game.shuffles
            left += 1
    game.upgrades_left = left
    game.upgrade_discard = 0
    log.log(game, log.UPGRADES_SHUFFLED, NOBODY, left)


@kernel
def take_top_upgrade(game):
    """Draw the top card of the upgrade deck, made from the discard pile if it is empty; both must not be empty."""
    if game.upgrades_left == 0:
        shuffle_discarded(game)
    last = int(game.upgrades_left) - 1
    at = last
    if game.upgrade_tops > 0:
        game.upgrade_tops -= 1
    else:
        at = below(game, last + 1)
    card = int(game.upgrade_deck[at])
    game.upgrade_deck[at] = game.upgrade_deck[last]
    game.upgrade_deck[last] = upgrades.NONE
    game.upgrades_left = last
    return card
