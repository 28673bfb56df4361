"""Upgrades that act when a robot moves by its own card: Brakes to Teleporter, and effects of pushes (R45, R46, R49)."""

from roborally_env.core import cards, log, upgrades
from roborally_env.core.choices import LEFT, NO, RIGHT, UPGRADE, YES, choose
from roborally_env.core.editions.e2016.upgrades.more import more_on_move, more_on_push
from roborally_env.core.editions.e2016.upgrades.policy import (
    dearest,
    side_to_push,
    side_to_step,
    steps_to_brake,
    worth_teleporting,
)
from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics.movement import STOPPED, cost_of_step, falling_from, is_gone, line_over_pits, robot_at
from roborally_env.core.mechanics.owned_upgrades import (
    can_use,
    count_bits,
    hand_over,
    owned_by_any,
    sets,
    usable,
    use,
)
from roborally_env.core.mechanics.piles import take_damage, take_damage_on_top
from roborally_env.core.mechanics.reboot import reboot
from roborally_env.core.rule import rule
from roborally_env.core.state import NOBODY, NOWHERE
from roborally_env.core.traits import with_upgrades
from roborally_env.courses.tables import BLOCKED, EDGE, PIT, WIDTH

YES_OR_NO = 0b11
ENDED = -1  # a step that was stopped, or in which the mover fell
TOUCHED = 8  # bit of `met`: robot r was touched is bit TOUCHED + r; bit r: a step of this card met it
WORM, VIRUS, TROJAN_HORSE = (card - cards.SPAM for card in (cards.WORM, cards.VIRUS, cards.TROJAN_HORSE))


@with_upgrades(False)
def move_with_upgrades(course, game, r, card, steps, direction):
    """Play a move card of robot r if an upgrade could act on it; else do nothing and return False."""
    own = usable(game, r)
    if not own & sets(game).by_move and not owned_by_any(game) >> upgrades.HOVER_UNIT & 1:
        return False
    waste = cost_of_step(course, game, r) - 1
    if (
        card == cards.MOVE_1
        and own & OF_MOVE_1
        and waste == 0
        and can_step_or_push_aside(course, game, r, int(game.facing[r]))
    ):
        if brakes(course, game, r):
            return True
        if crab_legs(course, game, r):
            drop_into_pits(course, game)
            return True
    if steps > waste and teleporter(course, game, r, steps - waste, direction):
        return True
    if more_on_move(course, game, r, card, steps, direction):
        return True
    met = 0
    alone = True  # nobody else moved, and nobody can have come above a pit
    while steps > 0 and met != ENDED:
        steps -= cost_of_step(course, game, r)
        if steps >= 0:
            to = free_cell(course, game, r, direction)
            if to >= 0:
                enter(game, r, to, log.MOVE)
            else:
                met = step(course, game, r, direction, met)
                alone = False
    if not alone:
        drop_into_pits(course, game)
    return True


OF_MOVE_1 = upgrades.bits(upgrades.BRAKES, upgrades.CRAB_LEGS)


@kernel
def brakes(course, game, r):
    """The Move 1 may be a Move 0."""
    if not can_use(game, r, upgrades.BRAKES):
        return False
    default = YES if steps_to_brake(course, game, r) else NO
    if choose(game, r, UPGRADE + upgrades.BRAKES, YES_OR_NO, default) == NO:
        return False
    use(game, r, upgrades.BRAKES)
    return True


@kernel
def crab_legs(course, game, r):
    """One step ahead, one aside without turning, one ahead; a blocked step ends the move (R49)."""
    if not can_use(game, r, upgrades.CRAB_LEGS):
        return False
    side = choose(game, r, UPGRADE + upgrades.CRAB_LEGS, 0b111, side_to_step(course, game, r))
    if side == NO:
        return False
    use(game, r, upgrades.CRAB_LEGS)
    ahead = int(game.facing[r])
    aside = (ahead + (3 if side == LEFT else 1)) & 3
    met = 0
    left = 3
    for i in range(3):
        left -= cost_of_step(course, game, r)
        if left < 0:
            break
        met = step(course, game, r, aside if i == 1 else ahead, met)
        if met == ENDED:
            break
    return True


@kernel
def teleporter(course, game, r, steps, direction):
    """For one energy the move ignores all that is in its way; a robot on the cell where it ends changes places with
    it."""
    if not can_use(game, r, upgrades.TELEPORTER) or game.energy[r] < 1:
        return False
    to = landing(course, int(game.cell[r]), direction, steps)
    if to < 0:
        return False
    default = YES if worth_teleporting(course, game, r, to, direction, steps) else NO
    if choose(game, r, UPGRADE + upgrades.TELEPORTER, YES_OR_NO, default) == NO:
        return False
    game.energy[r] -= 1
    use(game, r, upgrades.TELEPORTER)
    left = game.cell[r]
    other = robot_at(game, to) if takes_part(game, r) else NOBODY
    game.cell[r] = to
    log.log(game, log.TELEPORT, r, left, to)
    if other != NOBODY:
        game.cell[other] = left
        log.log(game, log.TELEPORT, other, to, left)
    arrive(course, game, r, other)
    return True


@rule
def takes_part(game, r):
    """Whether robot r and the others push and hit each other: not in virtual mode."""
    return True


@rule
def arrive(course, game, r, other):
    """Effects of the cells on a teleported robot, and on the robot that it changed places with."""


@kernel
def landing(course, cell, direction, steps):
    """The cell `steps` spaces away in a straight line, if a robot can stand there; else -1."""
    width, height = int(course.width), int(course.height)
    x, y = cell % WIDTH, cell // WIDTH
    x += steps * ((direction == 1) - (direction == 3))
    y += steps * ((direction == 2) - (direction == 0))
    if x < 0 or y < 0 or x >= width or y >= height:
        return -1
    to = y * WIDTH + x
    if not course.on_board[to] or course.pit[to] or to == course.antenna:
        return -1
    return to


@rule
def robot_before(course, game, cell, direction):
    """The robot that a step from a cell would touch, or NOBODY."""
    to = int(course.next[cell, direction])
    if to in (BLOCKED, EDGE):
        return NOBODY
    return robot_at(game, PIT - to if to <= PIT else to)


@rule
def is_blocked(course, game, cell, direction):
    """Whether the line of robots from a cell on cannot be moved by one cell."""
    while True:
        to = int(course.next[cell, direction])
        if to == BLOCKED:
            return True
        if to == EDGE:
            return False
        cell = PIT - to if to <= PIT else to
        if robot_at(game, cell) == NOBODY:
            return False


@rule
def can_step(course, game, r, direction):
    """Whether robot r, with those that it would push, can go one cell in a direction."""
    return not is_blocked(course, game, int(game.cell[r]), direction)


@kernel
def can_step_or_push_aside(course, game, r, direction):
    """Whether a step in a direction is possible, also by pushing a robot aside with Side Arms, ahead or back (R45)."""
    cell, facing = int(game.cell[r]), int(game.facing[r])
    if can_step(course, game, r, direction):
        return True
    if (direction ^ facing) & 1 or not can_use(game, r, upgrades.SIDE_ARMS):
        return False
    other = robot_before(course, game, cell, direction)
    if other == NOBODY:
        return False
    beside = int(game.cell[other])
    return not is_blocked(course, game, beside, (facing + 3) & 3) or not is_blocked(
        course, game, beside, (facing + 1) & 3
    )


@kernel
def step(course, game, r, direction, met):
    """One step of robot r by its own card, with pushes. Returns `met` with the robots met by this step added, or
    ENDED."""
    other = robot_before(course, game, int(game.cell[r]), direction) if takes_part(game, r) else NOBODY
    fell = STOPPED
    if other != NOBODY and not met >> other & 1:
        met |= 1 << other
        if can_use(game, r, upgrades.SIDE_ARMS) and (direction ^ game.facing[r]) & 1 == 0:  # ahead or back
            fell = side_arms(course, game, r, other, direction)
    if fell == STOPPED:
        fell = shift_by_card(course, game, r, direction, log.MOVE)
    if fell == STOPPED:
        return ENDED
    if other != NOBODY and not met >> (TOUCHED + other) & 1:
        met |= 1 << (TOUCHED + other)
        push_effects(game, r, other)
    if fell:
        reboot_those(course, game, fell)
        if game.rebooted >> r & 1:
            return ENDED
    return ENDED if is_gone(game, r) else met


@rule
def free_cell(course, game, r, direction):
    """The cell of a step of robot r that moves this robot and has no other effect; negative for any other step."""
    to = int(course.next[game.cell[r], direction])
    return to if to >= 0 and robot_at(game, to) == NOBODY else NOWHERE


@kernel
def enter(game, r, to, kind):
    """Robot r goes to a cell of `free_cell`. `kind` is the event logged."""
    left = game.cell[r]
    game.cell[r] = to
    log.log(game, kind, r, left, to)


@rule
def shift_by_card(course, game, first, direction, kind):
    """As shift_line, for a step of a card: robots with Hover Unit cross pits. STOPPED, or who fell as bits."""
    line = line_over_pits(course, game, first, direction, 0)
    if line == STOPPED:
        return STOPPED
    fell = 0
    while True:  # from the far end back to `first`
        r = line & 15
        left = int(game.cell[r])
        to = int(course.next[left, direction])
        if to == EDGE or (to <= PIT and not can_use(game, r, upgrades.HOVER_UNIT)):
            fell |= 1 << r
            game.cell[r] = falling_from(PIT - to if to <= PIT else left)
            log.log(game, log.FALL, r, left, PIT - to if to <= PIT else -1)
        else:
            game.cell[r] = PIT - to if to <= PIT else to
            log.log(game, kind if r == first else log.PUSH, r, left, game.cell[r])
        if r == first:
            return fell
        line >>= 4


@rule
def push_aside(course, game, r, direction):
    """The first half of Side Arms: robot r is pushed. STOPPED, or the fallen robots as bits."""
    return shift_by_card(course, game, r, direction, log.PUSH)


@rule
def end_act(game):
    """What follows from where robots stand at the end of an act, where its second half was stopped."""


@kernel
def side_arms(course, game, r, other, direction):
    """Push the robot in the way to a side and step into its cell, as one act. STOPPED if this is not done."""
    facing = int(game.facing[r])
    cell = int(game.cell[other])
    left = not is_blocked(course, game, cell, (facing + 3) & 3)
    right = not is_blocked(course, game, cell, (facing + 1) & 3)
    if not (left or right):
        return STOPPED
    options = 1 | left << LEFT | right << RIGHT
    default = side_to_push(course, game, r, other, left, right, is_blocked(course, game, cell, direction))
    side = choose(game, r, UPGRADE + upgrades.SIDE_ARMS, options, default, other)
    if side == NO:
        return STOPPED
    use(game, r, upgrades.SIDE_ARMS)
    fell = push_aside(course, game, other, (facing + (3 if side == LEFT else 1)) & 3)
    ahead = STOPPED if is_gone(game, r) else shift_by_card(course, game, r, direction, log.MOVE)
    if ahead == STOPPED:
        end_act(game)
        return fell
    return fell | ahead


@kernel
def reboot_those(course, game, fell):
    """Reboot the robots of a bit set that fell, in turn order."""
    for place in range(game.players):
        r = int(game.order[place])
        if fell >> r & 1:
            reboot(course, game, r)


@kernel
def drop_into_pits(course, game):
    """At the end of a card robots with Hover Unit fall into the pits below; all fallen robots are put down."""
    fell = 0
    for r in range(game.players):
        cell = int(game.cell[r])
        if is_gone(game, r):
            continue
        if cell < NOWHERE:
            fell |= 1 << r
        elif course.pit[cell]:
            fell |= 1 << r
            game.cell[r] = falling_from(cell)
            log.log(game, log.FALL, r, cell, cell)
    if fell:
        reboot_those(course, game, fell)


# -- effects of a push


@kernel
def push_effects(game, r, other):
    """Apply the cards of robot r to a robot that it pushed, once for each card and robot (R45, R46)."""
    own = usable(game, r)  # the upgrades at the time of the touch
    if not own & sets(game).by_push:
        return
    worm = bool(own >> upgrades.BLUE_SCREEN_OF_DEATH & 1) and blue_screen_of_death(game, r, other)
    if worm:
        take_damage(game, other, WORM)
    if own >> upgrades.MODULAR_CHASSIS & 1:
        modular_chassis(game, r, other)
    needle = bool(own >> upgrades.TROJAN_NEEDLER & 1) and not worm
    if own >> upgrades.RAMMING_GEAR & 1 and not needle:
        ramming_gear(game, r, other, own)
    if needle:
        take_damage(game, other, TROJAN_HORSE)
    if own >> upgrades.VIRUS_MODULE & 1:
        take_damage(game, other, VIRUS)
    more_on_push(game, r, other)


@kernel
def blue_screen_of_death(game, r, other):
    """Deal a Worm, if the player wants it."""
    if choose(game, r, UPGRADE + upgrades.BLUE_SCREEN_OF_DEATH, YES_OR_NO, YES, other) == NO:
        return False
    use(game, r, upgrades.BLUE_SCREEN_OF_DEATH)
    return True


@kernel
def ramming_gear(game, r, other, own):
    """Deal one SPAM, with Corruption Wave on top of the deck if the player wants it."""
    if own >> upgrades.CORRUPTION_WAVE & 1 and corruption_wave(game, r, other):
        take_damage_on_top(game, other, 0)
    else:
        take_damage(game, other, 0)


@kernel
def corruption_wave(game, r, other):
    """Whether the SPAM goes on top of the deck, by the player's choice; not open if no SPAM is left."""
    if game.damage_pile[0] == 0 or choose(game, r, UPGRADE + upgrades.CORRUPTION_WAVE, YES_OR_NO, YES, other) == NO:
        return False
    use(game, r, upgrades.CORRUPTION_WAVE)
    return True


@kernel
def modular_chassis(game, r, other):
    """Exchange this card for one of the pushed player's upgrades, within the limits of three (R52)."""
    offered = takeable(game, r, other)
    if offered == 0:
        return
    taken = choose(game, r, UPGRADE + upgrades.MODULAR_CHASSIS, 1 | offered, dearest(game, offered), other)
    if taken == NO:
        return
    use(game, r, upgrades.MODULAR_CHASSIS)
    hand_over(game, other, r, taken)
    hand_over(game, r, other, upgrades.MODULAR_CHASSIS)


@kernel
def takeable(game, r, other):
    """The upgrades of the other player that Modular Chassis may take, as bits."""
    offered = int(game.owned[other]) & ~int(game.owned[r])
    if game.owned[other] >> upgrades.MODULAR_CHASSIS & 1:
        return 0
    limit = upgrades.MOST_OF_A_TYPE
    full = count_bits(game.owned[r] & sets(game).temporary) >= limit
    if full or count_bits(game.owned[other] & sets(game).permanent) >= limit:
        offered &= sets(game).permanent
    return offered
