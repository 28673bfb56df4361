"""Programs with small hands and locked registers, and the announcement (community rules, Programming Phase)."""

import numpy as np

from roborally_env.core import cards
from roborally_env.core.chance import below
from roborally_env.core.choices import POWER_DOWN, YES, choose
from roborally_env.core.driving.advance import wants_to_store
from roborally_env.core.editions.community.damage import announce, locked, may_announce, programs_now
from roborally_env.core.editions.e2016.steps import BEGIN_REGISTER, STORE_HANDS
from roborally_env.core.editions.e2016.upgrades.hands import cache_memory
from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics.piles import discard_hand, is_again
from roborally_env.core.mechanics.programs import ALL, legal_slot, log_program
from roborally_env.core.state import ASK_ALL, NOBODY, REGISTERS

NO_OR_YES = 0b11


@kernel
def closed(game, r):
    """The registers that robot r does not program, as bits: locked ones, all where it is powered down."""
    return locked(game, r) if programs_now(game, r) else ALL


@kernel
def only_agains(game, r):
    """Whether robot r holds no card but Agains."""
    for i in range(np.int64(game.held[r])):
        if game.hand[r, i] != cards.NONE and not is_again(game.hand[r, i]):
            return False
    return True


@kernel
def legal_card(game, r, card, register):
    """See `programs.legal_card`: an Again goes into the first register only of a hand that has no other card."""
    return register > 0 or not is_again(card) or only_agains(game, r)


@kernel
def announces_with_program(game, r):
    """See `programs.announces_with_program`."""
    return game.asking != ASK_ALL and may_announce(game, r)


@kernel
def submit_programs(game, i, actions, submitted, corrected):
    """Submit all programs. If programs are the only decisions, power downs are announced with them."""
    row = i * int(game.players)
    for r in range(game.players):
        corrected[i, r] = submit_program(game, r, actions.programs, row + r, np.int64(actions.opened[i, r]), submitted)
        if game.asking != ASK_ALL and actions.choices[i, r] == 1:
            if may_announce(game, r):
                announce(game, r)
            else:
                corrected[i, r] += 1
    begin_registers(game)


@kernel
def begin_registers(game):
    """Programming is over: go on to announcements and left-over cards, if anybody has to decide about them."""
    game.register = 0
    game.turn = 0
    if game.asking == ASK_ALL or wants_to_store(game):
        game.step = STORE_HANDS
        return
    for r in range(game.players):
        discard_hand(game, r)
    game.step = BEGIN_REGISTER


@kernel
def submit_program(game, r, wishes, row, opened, submitted):
    """Put the hand slots `wishes[row]` [5] into robot r's open registers; the rest stays in the hand.

    An illegal slot is replaced by the next legal one; `submitted[row]` receives the slots used, 0 where none was.
    Registers in the bit set `opened` were caught by the timer: cards that are left go there at random.
    Returns how many were replaced.
    """
    for k in range(REGISTERS):
        submitted[row, k] = 0
    shut = closed(game, r)
    used = 0
    filled = 0
    replaced = 0
    for k in range(REGISTERS):
        if (shut | opened) >> k & 1:
            continue
        slot = next_legal(game, r, np.int64(wishes[row, k]), k, used)
        if slot == NOBODY:
            break
        replaced += slot != wishes[row, k]
        used |= 1 << slot
        filled |= 1 << k
        place_card(game, r, k, slot, submitted, row)
    caught = 0
    for k in range(REGISTERS):
        if opened & ~shut & 1 << k:
            slot = random_slot(game, r, k, used)
            if slot == NOBODY:
                break
            used |= 1 << slot
            caught |= 1 << k
            place_card(game, r, k, slot, submitted, row)
    close_gaps(game, r, used)
    log_program(game, r, filled)
    log_program(game, r, caught)
    return replaced


@kernel
def next_legal(game, r, wish, k, used):
    """The wished slot if it may go into register k, else the next that may (cyclic); NOBODY without any."""
    held = np.int64(game.held[r])
    if wish < held and legal_slot(game, r, wish, k, used):
        return wish
    for i in range(held):
        slot = (wish + i) % held if wish < held else i
        if legal_slot(game, r, slot, k, used):
            return slot
    return NOBODY


@kernel
def random_slot(game, r, k, used):
    """A slot drawn from those that may go into register k, or NOBODY."""
    count = 0
    for slot in range(np.int64(game.held[r])):
        count += legal_slot(game, r, slot, k, used)
    if count == 0:
        return NOBODY
    pick = below(game, count)
    for slot in range(np.int64(game.held[r])):
        if legal_slot(game, r, slot, k, used):
            if pick == 0:
                return slot
            pick -= 1
    return NOBODY


@kernel
def place_card(game, r, k, slot, submitted, row):
    """Place the card of a hand slot in register k; it is taken out of the hand when the program is complete."""
    game.registers[r, k] = game.hand[r, slot]
    submitted[row, k] = slot


@kernel
def close_gaps(game, r, used):
    """Take the cards of a bit set of slots out of the hand; those behind them move up."""
    left = 0
    held = np.int64(game.held[r])
    for slot in range(held):  # which are left cannot be foreseen, so nothing is tested
        game.hand[r, left] = game.hand[r, slot]
        left += 1 - (used >> slot & 1)
    for slot in range(left, held):
        game.hand[r, slot] = cards.NONE
    game.held[r] = left


@kernel
def submit_one(game, r, programs, i):
    """Submit program `programs[i]` [5] of a search for robot r; the other cards stay in the hand."""
    shut = closed(game, r)
    used = 0
    for k in range(REGISTERS):
        if shut >> k & 1:
            continue
        slot = next_legal(game, r, np.int64(programs[i, k]), k, used)
        if slot == NOBODY:
            break
        used |= 1 << slot
        game.registers[r, k] = game.hand[r, slot]
    close_gaps(game, r, used)


@kernel
def store_and_announce(game):
    """The next robot in turn order may store left-over cards; the rest is discarded. After all robots each player, in
    seat order, announces a power down or not. True when all is done."""
    turn = int(game.turn)
    if turn < game.players:
        r = int(game.order[turn])
        if programs_now(game, r):
            cache_memory(game, r, int(game.held[r]), True)
        discard_hand(game, r)
    else:
        r = turn - int(game.players)
        if may_announce(game, r) and choose(game, r, POWER_DOWN, NO_OR_YES, 0) == YES:
            announce(game, r)
    game.turn = turn + 1
    return turn + 1 == 2 * int(game.players)
