"""The rewards of a step for each seat, and the result of a race."""

from typing import Any

import numpy as np

from roborally_env.core import cards
from roborally_env.core.kernel import kernel
from roborally_env.core.rule import rule
from roborally_env.core.searching.distances import remaining
from roborally_env.core.state import MAX_ROBOTS, NOBODY
from roborally_env.core.traits import with_upgrades

# columns of the reward components, in this order everywhere
COMPONENTS = ("race", "progress", "shaping")
RACE, PROGRESS, SHAPING = range(3)
POTENTIAL_UNIT = 1.0 / 128.0  # one unit of potential is 32 registers of distance


def result_dtype(players=MAX_ROBOTS):
    """The record of a finished race; kernels write those for the most players."""
    fields = [
        ("episode", "u8"),
        ("course", "i2"),
        ("rounds", "i2"),
        ("winner", "i1"),  # seat, -1 where nobody won
        ("cut", "u1"),
        ("place", "f4", (players,)),  # 1 is first; robots that tie share the mean of their places; a team has one place
        ("reached", "i1", (players,)),
        ("reboots", "u2", (players,)),  # 2005, community: times that it was destroyed
        # damage cards by kind; 2005, community: damage tokens first, then zeros
        ("taken", "u2", (players, cards.DAMAGE_KINDS)),
        ("bought", "i8", (players,)),  # bit u: bought upgrade u; 0 in the lighter game; 2005: as `had`
        ("had", "i8", (players,)),  # bit u: owned upgrade (option) u at some time, or bought its routine
    ]
    return np.dtype((np.record, np.dtype(fields, align=True)))


def results_of(records, players):
    """A view of records of finished races with this many seats: the same memory, without the empty seats."""
    whole, narrow = result_dtype(), result_dtype(players)
    seen: Any = {
        "names": whole.names,
        "formats": [narrow[name] for name in whole.names],
        "offsets": [whole.fields[name][1] for name in whole.names],
        "itemsize": whole.itemsize,
    }
    return records.view(np.dtype((np.record, np.dtype(seen))))


@kernel
def potential(course, distance, game, r):
    """Minus the remaining distance over all checkpoints, belts included (see `distances`)."""
    return -POTENTIAL_UNIT * remaining(course, distance, game, r)


@rule
def finishing_place(game, r):
    """1 + the number of players (teams) ahead + half of those that tie: the winner first, then by checkpoints
    reached."""
    if game.winner == r:
        return 1.0
    place = 1.0
    for q in range(game.players):
        if q == r:
            continue
        if game.winner == q or game.reached[q] > game.reached[r]:
            place += 1.0
        elif game.reached[q] == game.reached[r]:
            place += 0.5
    return place


@rule
def contenders(game):
    """The number of players that play against each other, or of teams."""
    return int(game.players)


@kernel
def note_before(course, distance, game, i, shaping, before):
    """Keep each seat's checkpoint and potential from before the step: `before` [B, players, 2], row i."""
    for r in range(game.players):
        before[i, r, 0] = game.reached[r]
        before[i, r, 1] = potential(course, distance, game, r) if shaping else 0.0


@kernel
def settle_rewards(course, distance, game, i, before, over, config, parts, rewards):
    """Write row i of the components `parts` [B, players, 3] and of the `rewards` [B, players] of the configured kind.

    race: at the end, from 1 for the first to -1 for the last, zero in sum; a team shares it. progress: checkpoints
    reached, as a part of the course. shaping: discount * potential after - potential before, with potential 0 after a
    finished race. shaped = race + shaping.
    """
    count = max(1, int(course.checkpoints))
    rivals = contenders(game) if over else 1
    for r in range(game.players):
        race = 0.0
        if rivals > 1:
            race = (rivals + 1 - 2.0 * finishing_place(game, r)) / (rivals - 1)
        progress = (game.reached[r] - before[i, r, 0]) / count
        shaping = 0.0
        if config.shaping:
            after = 0.0 if over and game.winner != NOBODY else potential(course, distance, game, r)
            shaping = config.discount * after - before[i, r, 1]
        parts[i, r, RACE] = race
        parts[i, r, PROGRESS] = progress
        parts[i, r, SHAPING] = shaping
        rewards[i, r] = race if config.reward == 0 else progress if config.reward == 1 else race + shaping


@kernel
def write_result(game, result):
    """Fill the record of a race that is over."""
    result.episode = game.episode
    result.course = game.course
    result.rounds = game.round_number
    result.winner = game.winner
    result.cut = game.cut
    for r in range(game.players):
        result.place[r] = finishing_place(game, r)
        result.reached[r] = game.reached[r]
        result.reboots[r] = game.reboots[r]
    write_counters(game, result)


@rule
def write_counters(game, result):
    """Write the damage that each seat took and the upgrades that it owned."""
    for r in range(game.players):
        for kind in range(cards.DAMAGE_KINDS):
            result.taken[r, kind] = game.taken[r, kind]
    write_upgrades_result(game, result)


@with_upgrades()
def write_upgrades_result(game, result):
    """Write the upgrades of each seat."""
    for r in range(game.players):
        result.bought[r] = game.bought[r]
        result.had[r] = game.had[r]
