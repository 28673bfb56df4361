"""Damage tokens and the registers that they lock (2005 rulebook p. 9 and 10; R66, R91)."""

import numpy as np

from roborally_env.core import log, options
from roborally_env.core.cards2005 import NONE, PACE
from roborally_env.core.editions.e2005.deck import draw_card
from roborally_env.core.editions.e2005.table import has
from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics.owned_upgrades import count_bits
from roborally_env.core.mechanics.programs import ALL
from roborally_env.core.rule_options import RULE_FIRE_CONTROL_TOKEN
from roborally_env.core.state import REGISTERS

DESTRUCTION = 10
FULL_HAND = 9
UNLOCKING = 4  # the first four tokens lock no register
# [tokens]: the registers that they lock, as bits: five tokens register 5, six 4 and 5, .. nine all
LOCKS = np.array([ALL & ~((1 << min(REGISTERS, max(0, 9 - tokens))) - 1) for tokens in range(11)], np.int64)


@kernel
def locked(game, r):
    """The locked registers of robot r, as bits."""
    jammed = np.int64(game.jammed[r])
    if jammed and game.rules & RULE_FIRE_CONTROL_TOKEN:
        return locked_beside(jammed, np.int64(game.damage[r]))
    return np.int64(LOCKS[game.damage[r]]) | jammed


@kernel
def locked_beside(jammed, tokens):
    """The registers locked by `tokens` damage tokens in all, of which one lies on each register of `jammed` (R91): the
    others lock the highest registers without one."""
    bits = jammed
    left = tokens - count_bits(jammed) - UNLOCKING
    for k in range(REGISTERS - 1, -1, -1):
        if left > 0 and not bits >> k & 1:
            bits |= 1 << k
            left -= 1
    return bits


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
            set_register(game, r, k, NONE)


@kernel
def set_register(game, r, k, card):
    """Place a card alone in register k, with its number for the priority; NONE: the register is empty."""
    game.registers[r, k] = card
    game.laid_on[r, k] = NONE
    game.with_legs[r] = np.int64(game.with_legs[r]) & ~(1 << k)
    game.pace[r, k] = PACE[card]


@kernel
def place_beside(game, r, k, card):
    """Place a rotation card beside the move card in register k.

    The game also notes whether the player has Crab Legs, because the two cards keep their meaning if options are lost.
    """
    game.laid_on[r, k] = card
    if has(game, r, options.CRAB_LEGS):
        game.with_legs[r] |= 1 << k


@kernel
def place_from_deck(game, r, k):
    """Place the top card of the deck in register k."""
    card = draw_card(game)
    set_register(game, r, k, card)
    log.log(game, log.REPLACED, r, k + 1, card)


@kernel
def note_locked(game, r, k):
    """Register k is locked now; the register of a powered-down robot gets a card from the deck (p. 10)."""
    log.log(game, log.LOCKED, r, k + 1)
    if game.down >> r & 1 and game.registers[r, k] == NONE:
        place_from_deck(game, r, k)


@kernel
def jam(game, r, k):
    """Fire Control locks register k until the next repair (R66), by option with a damage token (R91)."""
    if game.rules & RULE_FIRE_CONTROL_TOKEN:
        if game.damage[r] >= DESTRUCTION:
            return
        if locked(game, r) >> k & 1:  # a token that came earlier in this phase has locked it
            add_token(game, r)
            return
        count_token(game, r)
    game.jammed[r] |= 1 << k
    note_locked(game, r, k)


@kernel
def count_token(game, r):
    """Count one damage token more; the caller sees to the registers."""
    game.damage[r] += 1
    game.tokens[r] += 1
    log.log(game, log.TOKEN, r, game.damage[r])


@kernel
def add_token(game, r):
    """One damage token more on the program sheet."""
    before = locked(game, r)
    count_token(game, r)
    new = locked(game, r) & ~before
    if new == 0:
        return
    for k in range(REGISTERS - 1, -1, -1):
        if new >> k & 1:
            note_locked(game, r, k)


@kernel
def repair(game, r):
    """Discard one damage token, and the cards in registers that this unlocks; a register locked by Fire Control is
    unlocked too (R66). Where such locks are tokens the lowest of them is the one discarded (R91)."""
    if game.damage[r] == 0:
        return
    before = locked(game, r)
    game.damage[r] -= 1
    jammed = np.int64(game.jammed[r])
    game.jammed[r] = jammed & (jammed - 1) if game.rules & RULE_FIRE_CONTROL_TOKEN else 0
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
