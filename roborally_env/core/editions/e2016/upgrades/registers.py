"""Upgrades at the start of a register: claims to act first, and shields (R47, R52)."""

from roborally_env.core import cards, upgrades
from roborally_env.core.choices import NO, UPGRADE, YES, choose
from roborally_env.core.editions.e2016.upgrades.more import more_at_register
from roborally_env.core.editions.e2016.upgrades.policy import under_fire
from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics.owned_upgrades import has_turn, is_stomped, owned_by_any, sets, usable, use, use_up
from roborally_env.core.traits import with_upgrades

YES_OR_NO = 0b11


@with_upgrades()
def claim_register(course, game):
    """Ask each robot in the measured order; then move those that claim the register to the front."""
    game.admins = game.sorters = game.shielded = game.howitzers = 0
    if not owned_by_any(game) & sets(game).at_register:
        return
    for place in range(game.players):
        r = int(game.order[place])
        if usable(game, r) & sets(game).at_register:
            admin_privilege(game, r, place)
            deflector_shield(course, game, r)
            manual_sort(game, r, place)
            more_at_register(course, game, r)
    if game.admins | game.sorters:
        move_claimants_up(game)


@kernel
def can_claim(game, r):
    """Whether robot r can still claim this register."""
    own = usable(game, r) if has_turn(game, r) else 0
    return bool(own >> upgrades.MANUAL_SORT & 1) or bool((own & ~game.used[r]) >> upgrades.ADMIN_PRIVILEGE & 1)


@kernel
def can_gain(game, r, place):
    """Whether a claim could change anything: a robot is before robot r, or could still move before it (R53). Robots
    that act last anyway are behind all others; a claim brings them forward only among themselves."""
    late = is_stomped(game, r)
    for other in range(game.players):
        q = int(game.order[other])
        if q != r and is_stomped(game, q) == late and (other < place or can_claim(game, q)):
            return True
    return False


@kernel
def wants_first(game, r, place):
    """The default policy: whether the robot's card is a move and another robot would act before it."""
    card = game.registers[r, game.register]
    return (
        place > 0
        and not is_stomped(game, r)
        and ((card >= cards.MOVE_1 and card <= cards.BACK_UP) or card == cards.SPEED_ROUTINE)
    )


@kernel
def admin_privilege(game, r, place):
    """Once per round: act first in one register."""
    own = usable(game, r) & ~game.used[r] if has_turn(game, r) else 0
    if not own >> upgrades.ADMIN_PRIVILEGE & 1 or not can_gain(game, r, place):
        return
    default = YES if wants_first(game, r, place) else NO
    if choose(game, r, UPGRADE + upgrades.ADMIN_PRIVILEGE, YES_OR_NO, default) == YES:
        use(game, r, upgrades.ADMIN_PRIVILEGE)
        game.admins |= 1 << r


@kernel
def deflector_shield(course, game, r):
    """For one energy no robot's shot hits the robot in this register."""
    own = usable(game, r) if has_turn(game, r) else 0
    if not own >> upgrades.DEFLECTOR_SHIELD & 1 or game.energy[r] < 1 or not can_be_shot(game, r):
        return
    default = YES if under_fire(course, game, r) else NO
    if choose(game, r, UPGRADE + upgrades.DEFLECTOR_SHIELD, YES_OR_NO, default) == YES:
        game.energy[r] -= 1
        use(game, r, upgrades.DEFLECTOR_SHIELD)
        game.shielded |= 1 << r


@kernel
def can_be_shot(game, r):
    """Whether another robot may shoot in this register (R53)."""
    for q in range(game.players):
        if q != r and game.cell[q] >= 0 and not game.rebooted >> q & 1 and has_turn(game, q):
            return True
    return False


@kernel
def manual_sort(game, r, place):
    """Act first in this register, ahead of Admin Privilege."""
    own = usable(game, r) if has_turn(game, r) else 0
    if not own >> upgrades.MANUAL_SORT & 1 or not can_gain(game, r, place):
        return
    default = YES if wants_first(game, r, place) and not game.admins >> r & 1 else NO
    if choose(game, r, UPGRADE + upgrades.MANUAL_SORT, YES_OR_NO, default) == YES:
        use_up(game, r, upgrades.MANUAL_SORT)
        game.sorters |= 1 << r


@kernel
def move_claimants_up(game):
    """Sort the order: Manual Sort first, then Admin Privilege, then the other robots; each group keeps its order."""
    measured = 0
    for place in range(game.players):
        measured |= int(game.order[place]) << 4 * place
    filled = 0
    for group in range(3):
        for place in range(game.players):
            r = measured >> 4 * place & 15
            own = 0 if game.sorters >> r & 1 else 1 if game.admins >> r & 1 else 2
            if own == group:
                game.order[filled] = r
                filled += 1
