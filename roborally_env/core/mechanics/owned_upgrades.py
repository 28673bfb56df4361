"""Upgrades on the player mats: who owns which, and which may be used."""

from roborally_env.core import log, upgrades
from roborally_env.core.kernel import kernel
from roborally_env.core.rule import fact_of_kind, rule
from roborally_env.core.traits import with_upgrades


@fact_of_kind
def sets(kind):
    """The classes of cards in the game's upgrade deck, as bit sets: `upgrades.Sets`."""
    return upgrades.sets_of(kind.upgrade_numbers)


@fact_of_kind
def costs(kind):
    """The price in energy cubes of each card of the game's deck: [numbers]."""
    return upgrades.column_of(kind.upgrade_numbers, "cost")


@fact_of_kind
def values(kind):
    """The value that bots give to each card of the game's deck when they buy: [numbers]."""
    return upgrades.column_of(kind.upgrade_numbers, "value")


@fact_of_kind
def special_cards(kind):
    """The special programming card that each routine of the game's deck adds: [numbers]."""
    return upgrades.column_of(kind.upgrade_numbers, "special")


@with_upgrades(False)
def plays_upgrades(game):
    """Whether the record belongs to a game with upgrades: a constant at compile time."""
    return True


@with_upgrades(0)
def usable(game, r):
    """The upgrades that robot r may use, as bits: none from its reboot to the round's end (R18, R48)."""
    if game.rebooted >> r & 1:
        return 0
    return game.owned[r]


@with_upgrades(False)
def can_use(game, r, upgrade):
    """Whether robot r may use an upgrade now."""
    return not game.rebooted >> r & 1 and bool(game.owned[r] >> upgrade & 1)


@with_upgrades(0)
def owned_by_any(game):
    """The upgrades that lie on any mat, as bits."""
    return game.on_mats


@rule
def locked(game, r):
    """The locked registers of robot r, as bits: by damage tokens."""
    return 0


@kernel
def is_locked(game, r, k):
    """Whether register k (0..4) of robot r is locked."""
    return bool(locked(game, r) >> k & 1)


@rule
def has_turn(game, r):
    """Whether robot r plays its registers in this round: not while it is powered down. See `programs.programs_now`."""
    return True


@rule
def is_stomped(game, r):
    """Whether robot r acts last in this register, whatever it uses."""
    return False


@kernel
def install(game, r, upgrade):
    """Place an upgrade on robot r's mat."""
    game.owned[r] |= 1 << upgrade
    game.on_mats |= 1 << upgrade


@kernel
def lose(game, r, upgrade):
    """Take an upgrade off robot r's mat."""
    game.owned[r] &= ~(1 << upgrade)
    on_mats = 0
    for q in range(game.players):
        on_mats |= game.owned[q]
    game.on_mats = on_mats


@kernel
def cheapest(game, owned):
    """The cheapest card of a bit set, the first in printed order among equals."""
    best = 0
    for card in range(1, costs(game).shape[0]):
        if owned >> card & 1 and (best == 0 or costs(game)[card] < costs(game)[best]):
            best = card
    return best


@kernel
def count_bits(bits):
    """How many bits are set."""
    count = 0
    while bits:
        bits &= bits - 1
        count += 1
    return count


@kernel
def lowest_bit(bits):
    """The number of the lowest bit that is set; not for 0."""
    return count_bits((bits ^ (bits & (bits - 1))) - 1)


@kernel
def cards_of_type(game, r, upgrade):
    """The upgrades of robot r that are of the same type as `upgrade`, as bits."""
    permanent = sets(game).permanent
    return game.owned[r] & (permanent if permanent >> upgrade & 1 else sets(game).temporary)


@kernel
def use_up(game, r, upgrade):
    """A temporary upgrade was used: it leaves the game, in 2023 to the upgrade discard pile."""
    lose(game, r, upgrade)
    discard_upgrade(game, upgrade)
    log.log(game, log.USE, r, upgrade)


@kernel
def use(game, r, upgrade):
    """Record the use of a permanent upgrade; a once-per-round upgrade is spent until the next round."""
    if sets(game).once_a_round >> upgrade & 1:
        game.used[r] |= 1 << upgrade
    log.log(game, log.USE, r, upgrade)


@kernel
def hand_over(game, giver, taker, upgrade):
    """Move an upgrade from one robot to another; it stays used if it was used in this round."""
    bit = 1 << upgrade
    game.owned[giver] &= ~bit
    game.owned[taker] |= bit
    game.had[taker] |= bit
    game.used[taker] |= game.used[giver] & bit
    game.used[giver] &= ~bit
    log.log(game, log.HANDED, taker, upgrade, giver)


@rule
def discard_upgrade(game, upgrade):
    """Put an upgrade on the upgrade discard pile."""
