"""The default policy of the 2005 edition: the answers of decisions="program" to choices that it does not ask."""

import numpy as np

from roborally_env.core import cards
from roborally_env.core.cards2005 import ACTION, NONE
from roborally_env.core.kernel import kernel


@kernel
def saves_itself(course, game, r):
    """Abort Switch: 1 if the revealed card would move the robot off the board or into a pit from its place, else 0."""
    card = np.int64(game.registers[r, game.register])
    action = ACTION[card]
    if card == NONE or action > cards.BACK_UP:
        return 0
    direction = (np.int64(game.facing[r]) + (2 if action == cards.BACK_UP else 0)) & 3
    cell = np.int64(game.cell[r])
    for _ in range(1 if action == cards.BACK_UP else action):
        to = np.int64(course.next[cell, direction])
        if to < 0:
            return 1 if to < -1 else 0
        cell = to
    return 0


@kernel
def spare_slot(game, r):
    """The slot of the card to set aside: the lowest number of the most frequent kind of card in the hand."""
    best, most = 0, 0
    for i in range(np.int64(game.held[r])):
        same = 0
        for j in range(np.int64(game.held[r])):
            same += ACTION[game.hand[r, j]] == ACTION[game.hand[r, i]]
        if same > most or (same == most and game.hand[r, i] < game.hand[r, best]):
            best, most = i, same
    return best


@kernel
def slot_for_flywheel(game, r):
    """1 + the slot of the farthest move that is left over, 0 without a Move 2 or Move 3."""
    best = 0
    for i in range(np.int64(game.held[r])):
        action = ACTION[game.hand[r, i]]
        if (action == cards.MOVE_2 or action == cards.MOVE_3) and (
            best == 0 or game.hand[r, i] > game.hand[r, best - 1]
        ):
            best = 1 + i
    return best
