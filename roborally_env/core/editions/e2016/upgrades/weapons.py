"""Robot lasers in registers in which weapons or shields can act (R32, R45 to R50).

First all hits are found, then the shooters decide, damage is dealt, and targets are pushed or pulled.
"""

import numpy as np

from roborally_env.core import cards, log, upgrades
from roborally_env.core.choices import NO, UPGRADE, YES, choose
from roborally_env.core.editions.e2016.upgrades.more import more_on_hit
from roborally_env.core.editions.e2016.upgrades.moving import (
    TROJAN_HORSE,
    WORM,
    blue_screen_of_death,
    corruption_wave,
    is_blocked,
)
from roborally_env.core.editions.e2016.upgrades.policy import apart, worth_shifting
from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics.lasers import robots_aiming, shoot, silent, target_in
from roborally_env.core.mechanics.movement import MOVED, is_gone, robot_at, shift_line, way
from roborally_env.core.mechanics.owned_upgrades import can_use, is_locked, owned_by_any, sets, usable, use
from roborally_env.core.mechanics.piles import discard, place_top, take_damage, take_damage_on_top
from roborally_env.core.mechanics.places import column_of, row_of
from roborally_env.core.mechanics.reboot import reboot
from roborally_env.core.rule import rule
from roborally_env.core.state import NOBODY, REGISTERS
from roborally_env.core.traits import with_upgrades
from roborally_env.courses.tables import BLOCKED

YES_OR_NO = 0b11
# shots[shooter, target]: the facts of a hit as bits; from bit RANK on, its place among the shooter's hits
HIT, BEHIND, ADJACENT, WORMED, WAVED, PUSHED = (1 << i for i in range(6))
RANK = 8


@with_upgrades(False)
def fire_weapons(course, game):
    """Fire the robot lasers of this register if a card could act on them; else do nothing and return False."""
    if not owned_by_any(game) & sets(game).by_shot and game.shielded == 0:
        return False
    shooters = robots_aiming(game, rear_lasers(game)) & ~(np.int64(game.rebooted) | silent(game))
    if shooters == 0:
        return True
    if not game.log_at and not can_act(game, shooters):
        shoot(course, game, shooters, int(game.shielded))
        return True
    reboots = reboot_counts(game)
    hits = find_hits(course, game, shooters)
    if hits == 0:
        return True
    for place in range(game.players):
        if shooters >> int(game.order[place]) & 1:
            ask_about_hits(game, int(game.order[place]))
    for place in range(game.players):
        deal_hits(game, int(game.order[place]))
    for place in range(game.players):
        r = int(game.order[place])
        if shooters >> r & 1 and usable(game, r) & SHIFTS:
            shift_targets(course, game, r, reboots)
    for r in range(game.players):
        for t in range(game.players):
            game.shots[r, t] = 0
    return True


@kernel
def rear_lasers(game):
    """The robots with a Rear Laser, as bits."""
    armed = 0
    if owned_by_any(game) >> upgrades.REAR_LASER & 1:
        for r in range(game.players):
            armed |= (int(game.owned[r]) >> upgrades.REAR_LASER & 1) << r
    return armed


@kernel
def can_act(game, shooters):
    """Whether a card can act on a shot: one of the shooters', or any card from outside, which may be its target's."""
    own = owned_by_any(game) & OUTSIDE
    for r in range(game.players):
        if shooters >> r & 1:
            own |= int(game.owned[r])
    return bool(own & sets(game).by_shot)


OUTSIDE = upgrades.bits(*upgrades.FREE)
SHIFTS = upgrades.bits(upgrades.MINI_HOWITZER, upgrades.PRESSOR_BEAM, upgrades.TRACTOR_BEAM)


# -- finding


@kernel
def find_hits(course, game, shooters):
    """Fill `shots`, shooters in turn order. Returns the number of hits."""
    hits = 0
    for place in range(game.players):
        r = int(game.order[place])
        if not shooters >> r & 1:
            continue
        ahead = int(game.facing[r])
        behind = (ahead + 2) & 3
        through = rail_gun(course, game, r, ahead, behind)
        hits += note_hits(game, r, targets(course, game, r, ahead, through), 0)
        if can_use(game, r, upgrades.REAR_LASER):
            bits = targets(course, game, r, behind, through)
            if bits and rear_laser(game, r):
                hits += note_hits(game, r, bits, BEHIND)
    return hits


@kernel
def rail_gun(course, game, r, ahead, behind):
    """Whether the shot goes through walls and robots, by the player's choice; open if it changes who is hit."""
    if not can_use(game, r, upgrades.RAIL_GUN):
        return False
    changes = targets(course, game, r, ahead, True) != targets(course, game, r, ahead, False)
    if can_use(game, r, upgrades.REAR_LASER):
        changes |= targets(course, game, r, behind, True) != targets(course, game, r, behind, False)
    if not changes or choose(game, r, UPGRADE + upgrades.RAIL_GUN, YES_OR_NO, YES) == NO:
        return False
    use(game, r, upgrades.RAIL_GUN)
    return True


@kernel
def rear_laser(game, r):
    """Whether the robot also shoots backward, by the player's choice; open if the shot hits somebody."""
    if choose(game, r, UPGRADE + upgrades.REAR_LASER, YES_OR_NO, YES) == NO:
        return False
    use(game, r, upgrades.REAR_LASER)
    return True


@kernel
def targets(course, game, shooter, direction, through):
    """The robots that a shot hits, as bits: the first robot in its line, or all up to the antenna (R50)."""
    if not through:
        target = target_in(course, game, shooter, direction)
        return 0 if target == NOBODY else 1 << target
    hit = 0
    here = int(game.cell[shooter])
    for t in range(game.players):
        if t != shooter and in_direction(here, int(game.cell[t]), direction) and can_hit(course, game, shooter, t):
            antenna = int(course.antenna)
            stopped = antenna >= 0 and in_direction(here, antenna, direction)
            if not stopped or apart(here, int(game.cell[t])) < apart(here, antenna):
                hit |= 1 << t
    return hit


@rule
def can_hit(course, game, shooter, t):
    """Whether a shot through walls and robots can hit robot t."""
    return True


@kernel
def in_direction(here, there, direction):
    """Whether a cell lies straight in a direction from another, at any distance."""
    if there < 0 or there == here:
        return False
    if direction & 1:
        return row_of(there) == row_of(here) and (there > here) == (direction == 1)
    return column_of(there) == column_of(here) and (there > here) == (direction == 2)


@kernel
def note_hits(game, r, hit, side):
    """Append hits to `shots`, nearest first; shielded robots are not hit. Returns the number of hits added."""
    hit &= ~int(game.shielded)
    rank = 0
    for t in range(game.players):
        rank += game.shots[r, t] != 0
    first = rank
    while hit:
        nearest, least = 0, 1 << 20
        for t in range(game.players):
            if hit >> t & 1 and apart(int(game.cell[r]), int(game.cell[t])) < least:
                nearest, least = t, apart(int(game.cell[r]), int(game.cell[t]))
        hit &= ~(1 << nearest)
        game.shots[r, nearest] = HIT | side | (ADJACENT if least == 1 else 0) | rank << RANK
        log.log(game, log.ROBOT_LASER, nearest, r)
        rank += 1
    return rank - first


@kernel
def hit_number(game, r, rank):
    """The target of robot r's hit number `rank`, or NOBODY."""
    for t in range(game.players):
        if game.shots[r, t] & HIT and game.shots[r, t] >> RANK == rank:
            return t
    return NOBODY


# -- asking and dealing


@kernel
def ask_about_hits(game, r):
    """Ask the questions about each hit of robot r: Worm, Howitzer, Corruption Wave."""
    own = usable(game, r)
    if not own & ASKED:
        return
    for rank in range(game.players):
        t = hit_number(game, r, rank)
        if t == NOBODY:
            return
        shot = int(game.shots[r, t])
        if own >> upgrades.BLUE_SCREEN_OF_DEATH & 1 and shot & ADJACENT and blue_screen_of_death(game, r, t):
            shot |= WORMED
        if own >> upgrades.MINI_HOWITZER & 1 and mini_howitzer(game, r, t):
            shot |= PUSHED
        if own >> upgrades.CORRUPTION_WAVE & 1 and spam_of(own, shot) and corruption_wave(game, r, t):
            shot |= WAVED
        game.shots[r, t] = shot


ASKED = upgrades.bits(upgrades.BLUE_SCREEN_OF_DEATH, upgrades.MINI_HOWITZER, upgrades.CORRUPTION_WAVE)


@kernel
def mini_howitzer(game, r, t):
    """Once per register, for one energy: two more SPAM and a push."""
    if game.howitzers >> r & 1 or game.energy[r] < 1:
        return False
    if choose(game, r, UPGRADE + upgrades.MINI_HOWITZER, YES_OR_NO, YES, t) == NO:
        return False
    game.energy[r] -= 1
    use(game, r, upgrades.MINI_HOWITZER)
    game.howitzers |= 1 << r
    return True


@kernel
def first_card_of(own, shot):
    """The kind of the first damage card of a hit: Worm, Trojan Horse or SPAM (R46)."""
    if shot & WORMED:
        return WORM
    return TROJAN_HORSE if own >> upgrades.TROJAN_NEEDLER & 1 else 0


@kernel
def spam_of(own, shot):
    """How many SPAM a hit deals."""
    spam = 1 if first_card_of(own, shot) == 0 else 0
    spam += int(own >> upgrades.DOUBLE_BARREL_LASER & 1)
    return spam + 2 if shot & PUSHED else spam


@kernel
def deal_hits(game, t):
    """Robot t takes the damage of all hits, shooters in turn order, each followed by the shooter's Scrambler."""
    for place in range(game.players):
        r = int(game.order[place])
        shot = int(game.shots[r, t])
        if not shot & HIT:
            continue
        own = int(game.owned[r])  # the upgrades with which it fired, even if its robot has rebooted since
        first = first_card_of(own, shot)
        cards_left = spam_of(own, shot) + (1 if first else 0)
        while cards_left > 0:
            if shot & WAVED:
                take_damage_on_top(game, t, first)
            else:
                take_damage(game, t, first)
            first = 0
            cards_left -= 1
        if own >> upgrades.SCRAMBLER & 1:
            scrambler(game, r, t)
        more_on_hit(game, r, t)


@kernel
def scrambler(game, r, t):
    """The card in the target's next register is replaced by the top card of its deck, not after register five (R47)."""
    k = int(game.register) + 1
    if k >= REGISTERS or game.registers[t, k] == cards.NONE or is_locked(game, t, k):
        return
    use(game, r, upgrades.SCRAMBLER)
    card = int(game.registers[t, k])
    discard(game, t, card)
    game.registers[t, k] = cards.NONE
    log.log(game, log.DISCARD, t, card)
    place_top(game, t, game.registers, k)


# -- shifting


@kernel
def reboot_counts(game):
    """How often each robot has rebooted, eight bits for each robot."""
    counts = np.int64(0)
    for r in range(game.players):
        counts |= (np.int64(game.reboots[r]) & 255) << (8 * r)
    return counts


@kernel
def shift_targets(course, game, r, reboots):
    """Push or pull the targets of robot r's hits in their order, by one of the three weapons for each hit (R50)."""
    for rank in range(game.players):
        t = hit_number(game, r, rank)
        if t == NOBODY or game.rebooted >> r & 1:
            return
        if is_gone(game, t):
            continue
        if reboots >> (8 * t) & 255 != np.int64(game.reboots[t]) & 255:
            continue  # it has been put down elsewhere
        shot = int(game.shots[r, t])
        direction = (int(game.facing[r]) + (2 if shot & BEHIND else 0)) & 3
        if shot & PUSHED:
            push_along(course, game, t, direction)
        elif not pressor_beam(course, game, r, t, direction) and not shot & ADJACENT:
            tractor_beam(course, game, r, t, direction)


@kernel
def push_along(course, game, t, direction):
    """An ordinary push of one space; who falls reboots."""
    fell = shift_line(course, game, t, direction, 0, log.PUSH)
    if fell > MOVED:
        reboot(course, game, fell - 1)


@kernel
def pressor_beam(course, game, r, t, direction):
    """The target may be pushed one space along the shot."""
    if not can_use(game, r, upgrades.PRESSOR_BEAM) or is_blocked(course, game, int(game.cell[t]), direction):
        return False
    default = YES if worth_shifting(course, game, t, direction) else NO
    if choose(game, r, UPGRADE + upgrades.PRESSOR_BEAM, YES_OR_NO, default, t) == NO:
        return False
    use(game, r, upgrades.PRESSOR_BEAM)
    push_along(course, game, t, direction)
    return True


@kernel
def tractor_beam(course, game, r, t, direction):
    """The target may be pulled one space towards the shooter; it pushes nobody."""
    if not can_use(game, r, upgrades.TRACTOR_BEAM):
        return
    back = (direction + 2) & 3
    to = way(course, game, int(game.cell[t]), back)
    if to == BLOCKED or (to >= 0 and robot_at(game, to) != NOBODY):
        return
    default = YES if worth_shifting(course, game, t, back) else NO
    if choose(game, r, UPGRADE + upgrades.TRACTOR_BEAM, YES_OR_NO, default, t) == NO:
        return
    use(game, r, upgrades.TRACTOR_BEAM)
    push_along(course, game, t, back)
