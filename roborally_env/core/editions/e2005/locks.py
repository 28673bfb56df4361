"""Damage tokens and the registers that they lock (2005 rulebook p. 9 and 10; R66)."""

import numpy as np

from roborally_env.core import log
from roborally_env.core.cards2005 import NONE, PACE
from roborally_env.core.editions.e2005.deck import draw_card
from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics.programs import ALL
from roborally_env.core.state import REGISTERS

DESTRUCTION = 10
FULL_HAND = 9
# [tokens]: the registers that they lock, as bits: five tokens register 5, six 4 and 5, .. nine all
LOCKS = np.array([ALL & ~((1 << max(0, 9 - tokens)) - 1) if tokens > 4 else 0 for tokens in range(11)], np.int64)


@kernel
def locked(game, r):
    """The locked registers of robot r, as bits."""
    return np.int64(LOCKS[game.damage[r]]) | np.int64(game.jammed[r])


@kernel
def programs_now(game, r):
    """Whether robot r is programmed in this turn: it is on the board and not powered down."""
    return game.cell[r] >= 0 and not game.down >> r & 1


@kernel
def closed(game, r):
    """The registers that robot r cannot program, as bits: locked, with a card in them; all without a program."""
    if not programs_now(game, r):
        return np.int64(ALL)
    bits = locked(game, r)
    for k in range(REGISTERS):
        if game.registers[r, k] == NONE:
            bits &= ~(1 << k)
    return bits


@kernel
def wipe(game, r, registers):
    """Discard the cards of a bit set of registers."""
    for k in range(REGISTERS):
        if registers >> k & 1:
            game.registers[r, k] = NONE
            game.laid_on[r, k] = NONE
            game.pace[r, k] = 0


@kernel
def lay_from_deck(game, r, k):
    """Lay the top card of the deck in register k."""
    card = draw_card(game)
    game.registers[r, k] = card
    game.laid_on[r, k] = NONE
    game.pace[r, k] = PACE[card]
    log.log(game, log.REPLACED, r, k + 1, card)


@kernel
def note_locked(game, r, k):
    """Register k is locked now; the register of a powered-down robot gets a card from the deck (p. 10)."""
    log.log(game, log.LOCKED, r, k + 1)
    if game.down >> r & 1 and game.registers[r, k] == NONE:
        lay_from_deck(game, r, k)


@kernel
def jam(game, r, k):
    """Fire Control locks register k until the next repair (R66)."""
    game.jammed[r] |= 1 << k
    note_locked(game, r, k)


@kernel
def add_token(game, r):
    """One damage token more on the program sheet."""
    before = locked(game, r)
    game.damage[r] += 1
    game.tokens[r] += 1
    log.log(game, log.TOKEN, r, game.damage[r])
    new = locked(game, r) & ~before
    if new == 0:
        return
    for k in range(REGISTERS - 1, -1, -1):
        if new >> k & 1:
            note_locked(game, r, k)


@kernel
def repair(game, r):
    """Discard one damage token, and the cards in registers that this unlocks; a register locked by Fire Control is
    unlocked too (R66)."""
    if game.damage[r] == 0:
        return
    before = locked(game, r)
    game.damage[r] -= 1
    game.jammed[r] = 0
    wipe(game, r, before & ~locked(game, r))
    log.log(game, log.REPAIRED, r, game.damage[r])


@kernel
def repair_all(game, r):
    """Discard all damage tokens, and the cards in locked registers."""
    if game.damage[r] == 0:
        return
    before = locked(game, r)
    game.damage[r] = 0
    game.jammed[r] = 0
    wipe(game, r, before)
    log.log(game, log.REPAIRED, r, 0)
