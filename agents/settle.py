"""Normal forms of positions for a search: hidden information is removed, and equal positions are equal bytes."""

from __future__ import annotations

import numpy as np

from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics.piles import add_to_draw_pile, take_top
from roborally_env.core.traits import with_piles


@kernel
def settle(game, word):
    """Make later random numbers depend only on the position and on a random word."""
    game.key = word
    game.draws = 0
    sort_piles(game)


@with_piles()
def cover(game, seat):
    """Remove what the seat cannot know: the others' hands and the order of piles become those of one fixed deal, so
    that nothing can depend on them. The others' known tops go back into their piles, as in a redeal."""
    settle(game, np.uint64(0))
    for r in range(game.players):
        if r == seat:
            continue
        for i in range(game.held[r]):
            add_to_draw_pile(game, r, game.hand[r, i])
        while game.known[r] > 0:
            add_to_draw_pile(game, r, take_top(game, r))
        settle(game, np.uint64(r))
        for i in range(game.held[r]):
            game.hand[r, i] = take_top(game, r)
    settle(game, np.uint64(0))


@with_piles()
def sort_piles(game):
    """Sort each unordered pile, so that equal positions are equal bytes."""
    for r in range(game.players):
        border = np.int64(game.drawable[r])
        sort_cards(game, r, 0, border)
        sort_cards(game, r, border, border + np.int64(game.discarded[r]))


@kernel
def sort_cards(game, r, first, last):
    """Sort part of robot r's pile."""
    for i in range(first + 1, last):
        card = game.pile[r, i]
        at = i
        while at > first and game.pile[r, at - 1] > card:
            game.pile[r, at] = game.pile[r, at - 1]
            at -= 1
        game.pile[r, at] = card
