"""Programs: who is programmed, which hand slot may go into which register, and submitting it (R23, R31)."""

from roborally_env.core import cards, log
from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics.piles import end_of_pile, is_again, place_top
from roborally_env.core.rule import rule
from roborally_env.core.state import REGISTERS

ALL = (1 << REGISTERS) - 1


@rule
def programs_now(game, r):
    """Whether robot r is programmed in this round."""
    return True


@rule
def announces_with_program(game, r):
    """Whether a power down may be announced with robot r's program, if programs are the only decisions."""
    return False


@rule
def closed(game, r):
    """The registers of robot r that take no card, as bits: `ALL` if it is not programmed."""
    return 0


@rule
def legal_card(game, r, card, register):
    """Whether a card of robot r's hand may go into register 0..4: no Again first (R23). The rule is the same
    for all later registers."""
    return register > 0 or not is_again(card)


@kernel
def legal_slot(game, r, slot, register, used):
    """Whether hand slot `slot` may go into register 0..4. `used` is a bit set of slots already used."""
    card = game.hand[r, slot]
    return card != cards.NONE and not used >> slot & 1 and legal_card(game, r, card, register)


@kernel
def program(game, r, slots, i, open_registers, keep):
    """Place the hand's cards `slots[i]` [5] face down; `open_registers`: those left empty by the timer, as bits (R31).

    The rest of the hand is discarded, unless `keep` (advanced game). A caught player discards it in any case and fills
    the open registers from the top of the deck.
    """
    for k in range(REGISTERS):
        if not open_registers >> k & 1:
            slot = int(slots[i, k])
            card = game.hand[r, slot]
            game.registers[r, k] = card
            game.hand[r, slot] = cards.NONE
    if keep and open_registers == 0:
        keep_rest(game, r)
    else:
        discard_rest(game, r)
    log_program(game, r, ~open_registers)
    if open_registers:
        for k in range(REGISTERS):
            if open_registers >> k & 1:
                place_top(game, r, game.registers, k)
                log_program(game, r, 1 << k)


@kernel
def keep_rest(game, r):
    """Close the gaps in robot r's hand."""
    left = 0
    for at in range(game.held[r]):
        card = game.hand[r, at]
        if card != cards.NONE:
            game.hand[r, at] = cards.NONE
            game.hand[r, left] = card
            left += 1
    game.held[r] = left


@kernel
def discard_rest(game, r):
    """Discard the rest of robot r's hand.

    Which cards these are is unpredictable, so nothing is tested: an empty slot is written too, where there is no card.
    """
    end = first_end = end_of_pile(game, r)
    for at in range(game.held[r]):
        card = game.hand[r, at]
        game.pile[r, end] = card
        end += int(card != cards.NONE)
        game.hand[r, at] = cards.NONE
    game.discarded[r] += end - first_end
    game.held[r] = 0


@kernel(seldom=True)
def _write_program(game, r, registers):
    for k in range(REGISTERS):
        if registers >> k & 1:
            log.log(game, log.PROGRAM, r, k + 1, game.registers[r, k])


@kernel
def log_program(game, r, registers):
    """Log the cards that robot r programmed in a bit set of registers."""
    if game.log_at:
        _write_program(game, r, registers)


@kernel
def correct_program(game, r, wishes, slots, i, open_registers):
    """Copy the wished slots `wishes[i]` [5] to `slots[i]`, each illegal one replaced by the next legal slot (cyclic).

    Returns how many were replaced.
    """
    used = 0
    corrected = 0
    room = game.hand.shape[1]
    for k in range(REGISTERS):
        if open_registers >> k & 1:
            slots[i, k] = 0
            continue
        slot = int(wishes[i, k])
        if not legal_slot(game, r, slot, k, used):
            corrected += 1
            for step in range(1, room):
                other = (int(wishes[i, k]) + step) % room
                if legal_slot(game, r, other, k, used):
                    slot = other
                    break
        slots[i, k] = slot
        used |= 1 << slot
    return corrected
