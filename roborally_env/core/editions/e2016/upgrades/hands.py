"""Upgrades of the programming phase: before the registers are filled, and for the cards left over after it."""

from roborally_env.core import cards, log, upgrades
from roborally_env.core.choices import DONE, DRAW_FIRST, NO, UPGRADE, YES, choose
from roborally_env.core.editions.e2016.steps import PREPARE_HANDS
from roborally_env.core.editions.e2016.upgrades.more import more_in_hand
from roborally_env.core.editions.e2016.upgrades.policy import (
    cards_to_cache,
    least_wanted_card,
    worst_damage_card,
    worth_recompiling,
)
from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics.energy import gain_energy
from roborally_env.core.mechanics.owned_upgrades import has_turn, is_locked, owned_by_any, sets, usable, use, use_up
from roborally_env.core.mechanics.piles import discard_hand, fill_hand, put_on_top, return_damage
from roborally_env.core.rule import rule
from roborally_env.core.state import REGISTERS
from roborally_env.core.steps import PROGRAM
from roborally_env.core.traits import with_upgrades

YES_OR_NO = 0b11


@with_upgrades(PROGRAM)
def after_drawing(game):
    """The step after the hands were drawn."""
    game.turn = 0
    return PREPARE_HANDS if owned_by_any(game) & sets(game).in_hand else PROGRAM


@kernel
def prepare_hand(game):
    """The next robot uses upgrades on its hand until it uses none any more."""
    r = int(game.order[game.turn])
    lies_ready = False  # a scenario's program
    for k in range(REGISTERS):
        lies_ready |= game.registers[r, k] != cards.NONE and not is_locked(game, r, k)
    used = True
    while used and has_turn(game, r) and usable(game, r) & sets(game).in_hand:
        spare = int(game.held[r]) - (0 if lies_ready else registers_to_fill(game, r))
        used = cache_memory(game, r, spare, lies_ready)
        used |= defrag_gizmo(game, r)
        used |= memory_swap(game, r)
        used |= recharge(game, r)
        used |= recompile(game, r)
        used |= spam_blocker(game, r)
        used |= more_in_hand(game, r)
    game.turn += 1


@rule
def registers_to_fill(game, r):
    """How many cards of its hand robot r needs for its program."""
    return REGISTERS


@kernel
def store_hand(game, keeps):
    """The next robot may put left-over cards on top of its deck; the rest is discarded, unless `keeps`."""
    r = int(game.order[game.turn])
    cache_memory(game, r, int(game.held[r]), True)
    if not keeps:
        discard_hand(game, r)
    game.turn += 1


@kernel
def cache_memory(game, r, most, left_over):
    """Put up to `most` cards of the hand on top of the deck, the first chosen uppermost. True if any was put there."""
    if most <= 0 or not usable(game, r) >> upgrades.CACHE_MEMORY & 1:
        return False
    # the default policy's cards; before programming it keeps its hand
    wanted = cards_to_cache(game, r) if left_over else 0
    chosen = 0  # cards, five bits each, the last chosen lowest
    count = 0
    while count < most:
        stop = NO if count == 0 else DONE
        kinds = kinds_in_hand(game, r)
        default = wanted & 31  # unless the player has taken that card before
        if not default or not kinds >> default & 1:
            default = stop
        card = choose(game, r, UPGRADE + upgrades.CACHE_MEMORY, 1 << stop | kinds, default)
        if card == stop:
            break
        wanted >>= 5
        take_from_hand(game, r, card)
        chosen = chosen << 5 | int(card)
        count += 1
    if count == 0:
        return False
    use(game, r, upgrades.CACHE_MEMORY)
    put_back(game, r, chosen, count)
    return True


@kernel
def put_back(game, r, chosen, count):
    """Put `count` cards of five bits each on top of robot r's deck, the lowest bits first."""
    for _ in range(count):
        put_on_top(game, r, chosen & 31)
        log.log(game, log.TOP, r, chosen & 31)
        chosen >>= 5


@kernel
def defrag_gizmo(game, r):
    """Once per round: return one damage card of the hand to its pile and draw one card."""
    damage = kinds_in_hand(game, r) & cards.DAMAGE_BITS
    if damage == 0 or not (usable(game, r) & ~game.used[r]) >> upgrades.DEFRAG_GIZMO & 1:
        return False
    card = choose(game, r, UPGRADE + upgrades.DEFRAG_GIZMO, 1 | damage, worst_damage_card(damage))
    if card == NO:
        return False
    use(game, r, upgrades.DEFRAG_GIZMO)
    take_from_hand(game, r, card)
    return_damage(game, r, card)
    fill_hand(game, r, int(game.held[r]) + 1)
    return True


@kernel
def memory_swap(game, r):
    """Draw three cards, then put three cards of the hand on top of the deck, the first chosen uppermost."""
    if not usable(game, r) >> upgrades.MEMORY_SWAP & 1:
        return False
    if choose(game, r, UPGRADE + upgrades.MEMORY_SWAP, 1 | 1 << DRAW_FIRST, DRAW_FIRST) == NO:
        return False
    use_up(game, r, upgrades.MEMORY_SWAP)
    fill_hand(game, r, int(game.held[r]) + 3)
    count = min(3, int(game.held[r]))
    chosen = 0
    for _ in range(count):
        kinds = kinds_in_hand(game, r)
        card = choose(game, r, UPGRADE + upgrades.MEMORY_SWAP, kinds, least_wanted_card(kinds))
        take_from_hand(game, r, card)
        chosen = chosen << 5 | int(card)
    put_back(game, r, chosen, count)
    return True


@kernel
def recharge(game, r):
    """Gain three energy cubes."""
    if not usable(game, r) >> upgrades.RECHARGE & 1:
        return False
    if choose(game, r, UPGRADE + upgrades.RECHARGE, YES_OR_NO, YES) == NO:
        return False
    use_up(game, r, upgrades.RECHARGE)
    gain_energy(game, r, 3)
    return True


@kernel
def recompile(game, r):
    """Discard the hand and draw as many cards."""
    if game.held[r] == 0 or not usable(game, r) >> upgrades.RECOMPILE & 1:
        return False
    default = YES if worth_recompiling(game, r) else NO
    if choose(game, r, UPGRADE + upgrades.RECOMPILE, YES_OR_NO, default) == NO:
        return False
    size = int(game.held[r])
    discard_hand(game, r)
    use_up(game, r, upgrades.RECOMPILE)
    fill_hand(game, r, size)
    return True


@kernel
def spam_blocker(game, r):
    """Return all SPAM of the hand to the pile and draw as many cards; SPAM among those stays."""
    spam = count_in_hand(game, r, cards.SPAM)
    if spam == 0 or not usable(game, r) >> upgrades.SPAM_BLOCKER & 1:
        return False
    if choose(game, r, UPGRADE + upgrades.SPAM_BLOCKER, YES_OR_NO, YES if spam >= 2 else NO) == NO:
        return False
    use_up(game, r, upgrades.SPAM_BLOCKER)
    for _ in range(spam):
        take_from_hand(game, r, cards.SPAM)
        return_damage(game, r, cards.SPAM)
    fill_hand(game, r, int(game.held[r]) + spam)
    return True


@kernel
def kinds_in_hand(game, r):
    """The kinds of cards in robot r's hand, as bits."""
    kinds = 0
    for i in range(game.held[r]):
        kinds |= 1 << int(game.hand[r, i])
    return kinds


@kernel
def count_in_hand(game, r, card):
    """How many cards of a kind robot r holds."""
    count = 0
    for i in range(game.held[r]):
        count += game.hand[r, i] == card
    return count


@kernel
def take_from_hand(game, r, card):
    """Take the first card of a kind out of robot r's hand; those behind it move up."""
    held = int(game.held[r])
    at = 0
    while game.hand[r, at] != card:
        at += 1
    for i in range(at, held - 1):
        game.hand[r, i] = game.hand[r, i + 1]
    game.hand[r, held - 1] = cards.NONE
    game.held[r] = held - 1
