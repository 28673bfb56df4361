"""How a race of the community edition ended; see `core.driving.rewards`."""

from roborally_env.core import cards
from roborally_env.core.driving.rewards import write_upgrades_result
from roborally_env.core.kernel import kernel


@kernel
def finishing_place(game, r):
    """See `rewards.finishing_place`: there are no teams; robots at the goal keep their places if others race on."""
    if game.place[r] > 0:
        return float(game.place[r])
    place = 1.0
    for q in range(game.players):
        if q == r:
            continue
        if game.place[q] > 0 or game.winner == q or game.reached[q] > game.reached[r]:
            place += 1.0
        elif game.reached[q] == game.reached[r]:
            place += 0.5
    return place


@kernel
def write_counters(game, result):
    """Damage tokens and upgrades."""
    for r in range(game.players):
        for kind in range(cards.DAMAGE_KINDS):
            result.taken[r, kind] = game.tokens[r] if kind == 0 else 0
    write_upgrades_result(game, result)
