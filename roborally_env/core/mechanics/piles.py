"""Programming decks, hands and the shared damage piles.

A robot's cards that are neither in its hand nor in its registers lie in one array:

    [ draw pile, in no order | discard pile, in no order | 0 0 0 ... | known top, topmost first ]
      drawable                 discarded                               known

A draw pile is a bag: drawing picks at random, which equals a shuffled pile. Shuffling the discard pile in only moves
the border between the two.
"""

import numpy as np

from roborally_env.core import cards, log
from roborally_env.core.chance import below, scaled, stream_word
from roborally_env.core.choices import DAMAGE_KIND, choose
from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics.owned_upgrades import can_use
from roborally_env.core.rule import rule
from roborally_env.core.state import HAND, HAND_WITH_UPGRADES, PILE, REGISTERS
from roborally_env.core.traits import with_upgrades
from roborally_env.core.upgrades import MEMORY_STICK

_ONE = np.uint64(1)


@kernel
def end_of_pile(game, r):
    """Where the next card of robot r's discard pile comes to lie."""
    return np.int64(game.drawable[r]) + np.int64(game.discarded[r])


@kernel
def discard(game, r, card):
    """Put a card on robot r's discard pile."""
    game.pile[r, end_of_pile(game, r)] = card
    game.discarded[r] += 1


@kernel
def take_top(game, r):
    """Take the top card of robot r's deck, shuffling the discard pile in when needed; NONE if both are empty (R26)."""
    if deck_is_empty(game, r) and not shuffle(game, r):
        return cards.NONE
    return _draw(game, r)


@kernel
def place_top(game, r, places, k):
    """Draw the top card of robot r's deck into `places[r, k]`, NONE if there is none. Returns the card."""
    card = take_top(game, r)
    places[r, k] = card
    if card != cards.NONE:
        log.log(game, log.DRAW, r, card)
    return card


@kernel
def deck_is_empty(game, r):
    """Whether robot r must shuffle before it can draw."""
    return game.known[r] == 0 and game.drawable[r] == 0


@kernel
def shuffle(game, r):
    """Make robot r's discard pile its deck; False if the discard pile is empty too."""
    if game.discarded[r] == 0:
        return False
    game.drawable[r] = game.discarded[r]
    game.discarded[r] = 0
    log.log(game, log.SHUFFLE, r, game.drawable[r])
    return True


@kernel
def _draw(game, r):
    """Draw the top card of a deck that is not empty, without logging it."""
    if game.known[r] > 0:
        at = PILE - game.known[r]
        card = game.pile[r, at]
        game.pile[r, at] = cards.NONE
        game.known[r] -= 1
        return int(card)
    bag = int(game.drawable[r])
    pool = bag + int(game.discarded[r])
    i = below(game, bag)
    card = game.pile[r, i]
    # the bag's last card fills the hole, and the discard pile's last card fills the place of that one
    game.pile[r, i] = game.pile[r, bag - 1]
    game.pile[r, bag - 1] = game.pile[r, pool - 1]
    game.pile[r, pool - 1] = cards.NONE
    game.drawable[r] = bag - 1
    return int(card)


@kernel
def _draw_many(game, r, held, most):
    """Draw up to `most` cards of the first part of robot r's pile into its hand, from slot `held` on; returns how many.

    As `_draw` for each of them. What changes from card to card is kept apart from the record: a processor can then
    prepare a draw while others are under way.
    """
    bag, pool = np.int64(game.drawable[r]), end_of_pile(game, r)
    drawn = min(most, bag)
    key, draws = game.key, game.draws
    for k in range(held, held + drawn):
        draws += _ONE
        i = scaled(stream_word(key, draws), bag)
        bag -= 1
        pool -= 1
        game.hand[r, k] = game.pile[r, i]
        game.pile[r, i] = game.pile[r, bag]
        game.pile[r, bag] = game.pile[r, pool]
        game.pile[r, pool] = cards.NONE
    game.draws = draws
    game.drawable[r] = bag
    return drawn


@kernel
def put_on_top(game, r, card):
    """Put a card on top of robot r's deck; it is drawn next."""
    game.known[r] += 1
    game.pile[r, PILE - game.known[r]] = card


@kernel
def fill_hand(game, r, size):
    """Draw until robot r holds `size` cards: the rest of the pile first, then the shuffled discards (R30)."""
    held = int(game.held[r])
    unlogged = held
    while held < size:
        if deck_is_empty(game, r):
            game.held[r] = held
            log.log_cards(game, log.DRAW, r, game.hand, unlogged, held)
            unlogged = held
            if not shuffle(game, r):
                break
        if game.known[r] > 0:
            game.hand[r, held] = _draw(game, r)
            held += 1
        else:
            held += _draw_many(game, r, held, size - held)
    game.held[r] = held
    log.log_cards(game, log.DRAW, r, game.hand, unlogged, held)


@kernel
def discard_hand(game, r):
    """Put robot r's whole hand on its discard pile."""
    at = end_of_pile(game, r)
    for i in range(np.int64(game.held[r])):
        game.pile[r, at + i] = game.hand[r, i]
        game.hand[r, i] = cards.NONE
    game.discarded[r] += game.held[r]
    game.held[r] = 0


@kernel
def discard_registers(game, r, first):
    """Put the cards of robot r's registers `first`..4 on its discard pile."""
    at = first_at = end_of_pile(game, r)
    for k in range(first, REGISTERS):
        if game.registers[r, k] != cards.NONE:
            game.pile[r, at] = game.registers[r, k]
            game.registers[r, k] = cards.NONE
            at += 1
        if game.laid_on[r, k] != cards.NONE:
            game.pile[r, at] = game.laid_on[r, k]
            game.laid_on[r, k] = cards.NONE
            at += 1
    game.discarded[r] += at - first_at


@kernel
def is_again(card):
    """Whether a card is Again, or Repeat Routine, which counts as an Again in every way (R51)."""
    return card == cards.AGAIN or card == cards.REPEAT_ROUTINE


@kernel
def only_agains_left(game, r):
    """Whether each card that robot r could draw is an Again, so that drawing until another card came would never
    end."""
    for i in range(game.drawable[r] + game.discarded[r]):
        if not is_again(game.pile[r, i]):
            return False
    for i in range(PILE - game.known[r], PILE):  # noqa: SIM110  numba compiles no generators into kernels
        if not is_again(game.pile[r, i]):
            return False
    return True


@rule
def take_damage(game, r, kind):
    """Deal robot r one damage: a card of `kind` (0..3), in the community edition a token."""
    if game.damage_pile[kind] == 0:
        kind = other_damage_kind(game, r)
        if kind < 0:
            return
    game.damage_pile[kind] -= 1
    game.taken[r, kind] += 1
    discard(game, r, cards.SPAM + kind)
    log.log(game, log.DAMAGE, r, cards.SPAM + kind)


@kernel
def take_damage_on_top(game, r, kind):
    """As take_damage, for a hit with Corruption Wave: if the card taken is SPAM it goes on top of the deck (R46)."""
    if game.damage_pile[kind] == 0:
        kind = other_damage_kind(game, r)
        if kind < 0:
            return
    game.damage_pile[kind] -= 1
    game.taken[r, kind] += 1
    if kind == 0:
        put_on_top(game, r, cards.SPAM)
    else:
        discard(game, r, cards.SPAM + kind)
    log.log(game, log.DAMAGE, r, cards.SPAM + kind)


@kernel
def take_from_discard(game, r, card):
    """Take a card of a kind out of robot r's discard pile. False where there is none."""
    first = int(game.drawable[r])
    last = first + int(game.discarded[r]) - 1
    for i in range(first, last + 1):
        if game.pile[r, i] == card:
            game.pile[r, i] = game.pile[r, last]
            game.pile[r, last] = cards.NONE
            game.discarded[r] -= 1
            return True
    return False


@kernel
def other_damage_kind(game, r):
    """The damage kind that player r takes instead of one whose pile is empty; -1 if all piles are empty (R27)."""
    options = 0
    default = -1
    piles = 0
    for kind in cards.DAMAGE_DEFAULT_ORDER:
        if game.damage_pile[kind] > 0:
            options |= 1 << kind
            piles += 1
            if default < 0:
                default = kind
    if piles < 2:
        return default
    return choose(game, r, DAMAGE_KIND, options, default)


@kernel
def return_damage(game, r, card):
    """A damage card that was played goes back to its pile in the box."""
    game.damage_pile[card - cards.SPAM] += 1
    log.log(game, log.RETURNED, r, card)


@with_upgrades(HAND)
def hand_size(game, r):
    """The hand size up to which robot r draws: one more with Memory Stick."""
    return (HAND_WITH_UPGRADES if can_use(game, r, MEMORY_STICK) else HAND) - cards_lost(game, r)


@rule
def cards_lost(game, r):
    """How many cards fewer robot r draws: one for each damage."""
    return 0


@kernel
def draw_hand(game, r):
    """The programming phase's draw: up to nine cards, ten with Memory Stick."""
    fill_hand(game, r, hand_size(game, r))


@kernel
def add_to_draw_pile(game, r, card):
    """Add a card to the bag; the first card of the discard pile moves to its end to make room."""
    at = int(game.drawable[r])
    game.pile[r, at + game.discarded[r]] = game.pile[r, at]
    game.pile[r, at] = card
    game.drawable[r] = at + 1
