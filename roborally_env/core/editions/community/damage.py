"""Damage tokens, locked registers, power down (community rules, Damage and destruction, Power-down-announce Phase)."""

import numpy as np

from roborally_env.core import log
from roborally_env.core.cards import NONE
from roborally_env.core.editions.community.destruction import remove
from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics.owned_upgrades import is_locked
from roborally_env.core.mechanics.piles import discard_registers, fill_hand, hand_size, place_top
from roborally_env.core.mechanics.programs import ALL
from roborally_env.core.state import REGISTERS

DESTRUCTION = 10


@kernel
def locked(game, r):
    """The locked registers of robot r, as bits: five damage lock register 5, six 4 and 5, .. nine all."""
    return ALL & ALL << max(0, 9 - int(game.damage[r]))


@kernel
def hurt(game, r, amount):
    """Robot r takes damage tokens one by one; the tenth destroys it. A robot in virtual mode takes none."""
    for _ in range(amount):
        if game.rebooted >> r & 1 or game.virtual >> r & 1:
            return
        before = locked(game, r)
        game.damage[r] += 1
        game.tokens[r] += 1
        log.log(game, log.HURT, r, game.damage[r])
        if game.damage[r] >= DESTRUCTION:
            remove(game, r)
            return
        note_locks(game, r, locked(game, r) & ~before)


@kernel
def note_locks(game, r, registers):
    """Log the registers that have locked."""
    for k in range(REGISTERS - 1, -1, -1):
        if registers >> k & 1:
            log.log(game, log.LOCKED, r, k + 1)


@kernel
def take_token(game, r, kind):
    """Robot r takes one damage token; all kinds of damage are tokens."""
    hurt(game, r, 1)


@kernel
def repair(game, r):
    """Remove one damage token; a register that this unlocks keeps its card until the registers are wiped."""
    if game.damage[r] > 0 and not game.rebooted >> r & 1:
        game.damage[r] -= 1
        log.log(game, log.REPAIRED, r, game.damage[r])


@kernel
def power_down(game):
    """Robots whose power down was announced discard all damage and the cards in their registers."""
    game.down = 0
    for r in range(game.players):
        bit = 1 << r
        if game.announced & bit:
            game.announced = int(game.announced) & ~bit
            game.down |= bit
            discard_registers(game, r, 0)
            log.log(game, log.POWERED_DOWN, r)
            if game.damage[r] > 0:
                game.damage[r] = 0
                log.log(game, log.REPAIRED, r, 0)


@kernel
def programs_now(game, r):
    """Whether robot r is programmed in this round: neither powered down nor off the board."""
    return not (np.int64(game.down) | np.int64(game.rebooted)) >> r & 1


@kernel
def may_announce(game, r):
    """Whether a power down can be announced for robot r: it is on the board."""
    return not (np.int64(game.announced) | np.int64(game.rebooted)) >> r & 1


@kernel
def announce(game, r):
    """Robot r powers down in the next round."""
    game.announced |= 1 << r
    log.log(game, log.ANNOUNCED, r)


@kernel
def deal_hand(game, r):
    """Place a card from the deck in each empty locked register, then draw a hand of nine cards less the damage."""
    for k in range(REGISTERS):
        if is_locked(game, r, k) and game.registers[r, k] == NONE:
            place_top(game, r, game.registers, k)
            log.log(game, log.PROGRAM, r, k + 1, game.registers[r, k])
    fill_hand(game, r, hand_size(game, r))


@kernel
def has_turn(game, r):
    """Whether robot r plays its registers in this round: not while it is powered down. See `programs.programs_now`."""
    return not game.down >> r & 1


@kernel
def is_stomped(game, r):
    """Whether robot r acts last in this register, whatever it uses."""
    return bool(game.stomped >> r & 1)


@kernel
def cards_lost(game, r):
    """How many cards fewer robot r draws: one for each damage."""
    return np.int64(game.damage[r])


@kernel
def registers_to_fill(game, r):
    """How many cards of its hand robot r needs for its program."""
    needed = 0
    for k in range(REGISTERS):
        needed += not is_locked(game, r, k)
    return needed
