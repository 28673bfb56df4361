"""1 to 3. Dealing, programming, announcing power down (2005 rulebook p. 4, 5, 10)."""

import numpy as np

from roborally_env.core import cards, log, options
from roborally_env.core.cards2005 import ACTION, NONE
from roborally_env.core.chance import below
from roborally_env.core.choices import NO, OPTION, POWER_DOWN, SET_ASIDE, USE, YES, choose
from roborally_env.core.editions.e2005.damage import NOWHENCE, hurt
from roborally_env.core.editions.e2005.deck import deck_is_empty, draw_card
from roborally_env.core.editions.e2005.locks import FULL_HAND, closed, locked, place_beside, programs_now, set_register
from roborally_env.core.editions.e2005.policy import slot_for_flywheel, spare_slot
from roborally_env.core.editions.e2005.steps import LEFTOVERS
from roborally_env.core.editions.e2005.table import NO_OR_YES, has, uses
from roborally_env.core.kernel import kernel
from roborally_env.core.state import ASK_ALL, HAND, NOBODY, REGISTERS
from roborally_env.courses.special import NO_POWER_DOWN


@kernel
def deal_hand(game, r):
    """Deal up to nine cards less one for each damage token (p. 9); cards already in the hand count."""
    if not programs_now(game, r):
        return
    deal_up_to(game, r, max(0, FULL_HAND - np.int64(game.damage[r])) + has(game, r, options.EXTRA_MEMORY))


@kernel
def deal_up_to(game, r, size):
    """Deal robot r cards until it holds `size`, or there are none."""
    held = np.int64(game.held[r])
    unlogged = held
    while held < size:
        if deck_is_empty(game):
            log.log_cards(game, log.DEAL, r, game.hand, unlogged, held)
            unlogged = held
        card = draw_card(game)
        if card == NONE:
            break
        game.hand[r, held] = card
        held += 1
        game.held[r] = held
    log.log_cards(game, log.DEAL, r, game.hand, unlogged, held)


@kernel
def drop_card(game, r, slot):
    """Discard a card of the hand; the others move up."""
    for i in range(slot, np.int64(game.held[r]) - 1):
        game.hand[r, i] = game.hand[r, i + 1]
    game.held[r] -= 1
    game.hand[r, game.held[r]] = NONE


@kernel
def drop_hand(game, r):
    """Discard the whole hand."""
    for i in range(np.int64(game.held[r])):
        game.hand[r, i] = NONE
    game.held[r] = 0


@kernel
def prepare_hand(course, game, r):
    """Decisions about the hand before programming: Recompile, Flywheel, and in environments setting aside extra cards.

    True if the step must be played again: each change of the hand ends the step, because an open question shows the
    hand as it was when the step began.
    """
    if not programs_now(game, r):
        return False
    if has(game, r, options.RECOMPILE) and not game.recompiled >> r & 1 and game.held[r] > 0:
        game.recompiled |= 1 << r
        if uses(game, r, options.RECOMPILE, 0):
            recompile(course, game, r)
            return True
    if game.flywheel[r] != NONE:
        kind = OPTION + options.FLYWHEEL
        if choose(game, r, kind, 1 | 1 << USE, USE if game.held[r] < FULL_HAND else NO) == USE:
            game.hand[r, game.held[r]] = game.flywheel[r]
            game.held[r] += 1
            game.flywheel[r] = NONE
            log.log(game, log.OPTION_USED, r, options.FLYWHEEL)
            return True
    if game.lays_aside and game.held[r] > HAND:
        slots = ((1 << np.int64(game.held[r])) - 1) << 1
        drop_card(game, r, choose(game, r, SET_ASIDE, slots, 1 + spare_slot(game, r)) - 1)
        return game.held[r] > HAND
    return False


@kernel
def recompile(course, game, r):
    """The hand of robot r is discarded for a new one of as many cards, and one damage is due."""
    size = np.int64(game.held[r])
    drop_hand(game, r)
    deal_up_to(game, r, size)
    hurt(course, game, r, NOWHENCE)


@kernel
def submit_programs(game, i, actions, submitted, corrected):
    """Submit all programs. If programs are the only decisions, power downs are announced with them."""
    row = i * int(game.players)
    for r in range(game.players):
        corrected[i, r] = submit_program(game, r, actions.programs, row + r, np.int64(actions.opened[i, r]), submitted)
        if game.asking != ASK_ALL:
            if actions.choices[i, r] == 1:
                if may_power_down(game, r):
                    announce(game, r)
                else:
                    corrected[i, r] += 1
    game.register = 0
    game.turn = 0
    game.step = LEFTOVERS


@kernel
def submit_program(game, r, wishes, row, opened, submitted):
    """Put the hand slots `wishes[row]` [5] into robot r's open registers.

    An empty or used slot is replaced by the next free one; `submitted[row]` receives the slots used, 0 where none was.
    Registers in the bit set `opened` were caught by the timer: the cards that are left go there at random.
    Returns how many were replaced.
    """
    for k in range(REGISTERS):
        submitted[row, k] = 0
    if not programs_now(game, r):
        return 0
    shut = closed(game, r)
    used = 0
    filled = 0
    held = np.int64(game.held[r])
    replaced = 0
    for k in range(REGISTERS):
        if shut >> k & 1 or opened >> k & 1:
            continue
        slot = free_slot(held, used, np.int64(wishes[row, k]))
        if slot == NOBODY:
            break
        replaced += slot != wishes[row, k]
        used |= 1 << slot
        filled |= 1 << k
        place_card(game, r, k, slot)
        submitted[row, k] = slot
    for k in range(REGISTERS):
        if opened >> k & 1 and not shut >> k & 1:
            left = held
            for slot in range(held):
                left -= used >> slot & 1
            if left == 0:
                break
            slot = free_slot(held, used, 0)
            for _ in range(below(game, left)):
                slot = free_slot(held, used, slot + 1)
            used |= 1 << slot
            filled |= 1 << k
            place_card(game, r, k, slot)
            submitted[row, k] = slot
    for slot in range(held - 1, -1, -1):
        if used >> slot & 1:
            drop_card(game, r, slot)
    if game.log_at:
        log_program(game, r, filled & ~opened)
        log_program(game, r, filled & opened)
    return replaced


@kernel(seldom=True)
def log_program(game, r, registers):
    """Log the cards that robot r programmed in a bit set of registers."""
    for k in range(REGISTERS):
        if registers >> k & 1:
            log.log(game, log.PROGRAM, r, k + 1, ACTION[game.registers[r, k]])


@kernel
def free_slot(held, used, wish):
    """The wished slot of a hand of `held` cards if it is free, else the next free one; NOBODY without any."""
    for i in range(held):
        slot = (wish + i) % held if wish < held else i
        if not used >> slot & 1:
            return slot
    return NOBODY


@kernel
def place_card(game, r, k, slot):
    """Place the card of a hand slot in register k; it stays in the hand until the program is complete."""
    set_register(game, r, k, np.int64(game.hand[r, slot]))


@kernel
def leave_cards(game, r):
    """Decisions about left-over cards: pairs (in environments), Conditional Program, Flywheel; the rest is
    discarded."""
    if not programs_now(game, r):
        drop_hand(game, r)
        return
    if game.lays_aside:
        place_pairs(game, r)
    left = slots_of_hand(game, r)
    if has(game, r, options.CONDITIONAL_PROGRAM) and left > 1:
        slot = choose(game, r, OPTION + options.CONDITIONAL_PROGRAM, left, NO)
        if slot != NO:
            game.conditional[r] = take_card(game, r, slot)
    left = slots_of_hand(game, r)
    if has(game, r, options.FLYWHEEL) and game.flywheel[r] == NONE and left > 1:
        slot = choose(game, r, OPTION + options.FLYWHEEL, left, slot_for_flywheel(game, r))
        if slot != NO:
            game.flywheel[r] = take_card(game, r, slot)
    drop_hand(game, r)


@kernel
def slots_of_hand(game, r):
    """`no` and every slot of the hand that has a card, as options."""
    slots = 1
    for i in range(np.int64(game.held[r])):
        if game.hand[r, i] != NONE:
            slots |= 1 << 1 + i
    return slots


@kernel
def take_card(game, r, slot):
    """Take the card of option 1 + slot out of the hand. Other cards keep their slots, because further questions of this
    step name them by the slots at its start."""
    card = np.int64(game.hand[r, slot - 1])
    game.hand[r, slot - 1] = NONE
    return card


@kernel
def place_pairs(game, r):
    """Crab Legs and Dual Processor: a left-over rotation card may join a move card in its register."""
    crab, dual = has(game, r, options.CRAB_LEGS), has(game, r, options.DUAL_PROCESSOR)
    if not crab and not dual:
        return
    for k in range(REGISTERS):
        action = ACTION[game.registers[r, k]]
        if locked(game, r) >> k & 1 or action == cards.NONE or action > cards.BACK_UP:
            continue
        by_crab = 0
        by_dual = 0
        for i in range(np.int64(game.held[r])):
            rotation = ACTION[game.hand[r, i]]
            if rotation > cards.BACK_UP:
                by_dual |= 1 << 1 + i
                if action == cards.MOVE_1 and rotation != cards.U_TURN:
                    by_crab |= 1 << 1 + i
        slot = NO
        if crab and by_crab:
            slot = choose(game, r, OPTION + options.CRAB_LEGS, 1 | by_crab, NO)
        if slot == NO and dual and by_dual:
            slot = choose(game, r, OPTION + options.DUAL_PROCESSOR, 1 | by_dual, NO)
        if slot != NO:
            place_beside(game, r, k, take_card(game, r, slot))


@kernel
def may_power_down(game, r):
    """Whether player r may announce a power down: its robot is damaged and not powered down (R60)."""
    allowed = not game.special & NO_POWER_DOWN and game.damage[r] > 0
    return allowed and programs_now(game, r) and not game.announced >> r & 1


@kernel
def announces_with_program(game, r):
    """See `programs.announces_with_program`."""
    return game.asking != ASK_ALL and may_power_down(game, r)


@kernel
def announce(game, r):
    """Robot r powers down in the next turn."""
    game.announced |= 1 << r
    log.log(game, log.ANNOUNCED, r)


@kernel
def announce_power_down(game, r):
    """The player of robot r announces a power down or passes."""
    if may_power_down(game, r) and choose(game, r, POWER_DOWN, NO_OR_YES, NO) == YES:
        announce(game, r)


@kernel
def turned_tables(game):
    """See `advance.turned_tables`."""
    return int(game.tables_at)
