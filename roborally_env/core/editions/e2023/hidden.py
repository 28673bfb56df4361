"""Redealing what a seat cannot know of other players' collections and the upgrade deck.

A card in a collection was drawn between the last shuffle that contained it and the next one, which comes only when the
deck is empty. Everybody has seen the shuffled cards. So a seat knows for each card of another player after which
shuffle it was drawn, and such a card may change places only with cards of the same shuffle.
"""

from roborally_env.core.chance import below
from roborally_env.core.choices import INSTALL_UPGRADE
from roborally_env.core.editions.e2023.phase import installable
from roborally_env.core.editions.e2023.policy import wanted_upgrade
from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics.owned_upgrades import count_bits
from roborally_env.core.state import NOBODY


@kernel
def redeal_collections(game, seat):
    """Draw the other players' collections, in their sizes, and the order of the deck from the game's stream."""
    game.upgrade_tops = 0
    for shuffle in range(int(game.shuffles) + 1):
        redeal_shuffle(game, seat, cards_of_shuffle(game, shuffle))
    ask_again(game, seat)


@kernel
def cards_of_shuffle(game, shuffle):
    """The cards whose last shuffle has this number (0: never shuffled), as bits."""
    found = 0
    for i in range(game.shuffled.shape[0]):
        if game.shuffled[i] == shuffle:
            found |= 2 << i
    return found


@kernel
def redeal_shuffle(game, seat, cards):
    """Of the bit set `cards`, deal anew those that lie in the deck or in another player's collection."""
    pool = 0
    for i in range(game.upgrades_left):
        pool |= 1 << int(game.upgrade_deck[i])
    pool &= cards
    for r in range(game.players):
        if r != seat:
            pool |= game.collection[r] & cards
    for r in range(game.players):
        if r != seat and game.collection[r] & cards:
            dealt = some_of(game, pool, count_bits(game.collection[r] & cards))
            game.collection[r] = game.collection[r] & ~cards | dealt
            pool &= ~dealt
    for i in range(game.upgrades_left):
        if cards >> int(game.upgrade_deck[i]) & 1:
            game.upgrade_deck[i] = lowest(pool)
            pool &= pool - 1


@kernel
def some_of(game, pool, count):
    """A random selection of `count` cards of a bit set, as bits."""
    drawn = 0
    for _ in range(count):
        pick = below(game, count_bits(pool & ~drawn))
        left = pool & ~drawn
        for _ in range(pick):
            left &= left - 1
        drawn |= left & -left
    return drawn


@kernel
def lowest(cards):
    """The lowest card of a bit set."""
    card = 0
    while not cards >> card & 1:
        card += 1
    return card


@kernel
def ask_again(game, seat):
    """Rewrite an open question about another player's collection for the collection dealt anew."""
    r = int(game.ask_seat)
    if r != NOBODY and r != seat and game.ask_kind == INSTALL_UPGRADE:
        game.ask_options = installable(game, r)
        game.ask_default = wanted_upgrade(game, r, installable(game, r))
