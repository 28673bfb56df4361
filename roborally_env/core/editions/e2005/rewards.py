"""How a race of the 2005 edition ended; see `core.driving.rewards`."""

from roborally_env.core.kernel import kernel
from roborally_env.courses.special import LAST_TEAM_STANDING


@kernel
def finishing_place(game, r):
    """Teams share a place."""
    own = standing(game, game.team[r])
    place = 1.0
    for q in range(game.players):
        if game.team[q] != game.team[r] and is_first_of_team(game, q):
            other = standing(game, game.team[q])
            place += 1.0 if other > own else 0.5 if other == own else 0.0
    return place


@kernel
def contenders(game):
    """The number of teams."""
    count = 0
    for r in range(game.players):
        count += is_first_of_team(game, r)
    return count


@kernel
def write_counters(game, result):
    """Damage tokens and options."""
    for r in range(game.players):
        result.taken[r, 0] = game.tokens[r]
        result.bought[r] = result.had[r] = game.had[r]


@kernel
def standing(game, team):
    """A number that sorts teams: winning, then the most flags of one of its robots, or its lives if no flags are
    needed."""
    best = 0
    lives = 0
    for q in range(game.players):
        if game.team[q] == team:
            if game.winner == q:
                return 1000
            best = max(best, int(game.reached[q]))
            lives += game.lives[q]
    return lives if game.special & LAST_TEAM_STANDING else best


@kernel
def is_first_of_team(game, r):
    """Whether no earlier seat is in the team of robot r."""
    first = True
    for q in range(r):
        first &= game.team[q] != game.team[r]
    return first
