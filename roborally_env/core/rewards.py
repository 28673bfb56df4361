"""What a step was worth to each seat, and how a race ended."""

import numpy as np

from roborally_env.core import cards
from roborally_env.core.kernel import kernel, with_upgrades
from roborally_env.core.maps import remaining
from roborally_env.core.state import NOBODY

# columns of the reward components, in this order everywhere
COMPONENTS = ("race", "progress", "shaping")
RACE, PROGRESS, SHAPING = range(3)
POTENTIAL_UNIT = 1.0 / 128.0  # one unit of potential is 32 registers of distance


def result_dtype(players):
    """The record of a finished race."""
    fields = [
        ("episode", "u8"),
        ("course", "i2"),
        ("rounds", "i2"),
        ("winner", "i1"),  # seat, -1 where the race was cut
        ("cut", "u1"),
        ("place", "f4", (players,)),  # 1 is first; those level share the mean of their places
        ("reached", "i1", (players,)),
        ("reboots", "u2", (players,)),
        ("taken", "u2", (players, cards.DAMAGE_KINDS)),
        ("bought", "i8", (players,)),  # bit u: bought upgrade u; 0 in the lighter game
        ("had", "i8", (players,)),  # bit u: owned upgrade u at some time, or bought its routine
    ]
    return np.dtype((np.record, np.dtype(fields, align=True)))


@kernel
def potential(course, distance, game, r):
    """Minus the belt-aware distance still to go, over all checkpoints."""
    return -POTENTIAL_UNIT * remaining(course, distance, game, r)


@kernel
def finishing_place(game, r):
    """1 + the players ahead + half of those level: the winner first, then by checkpoints reached."""
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


@kernel
def note_before(course, distance, game, i, shaping, before):
    """Keep each seat's checkpoint and potential from before the step: `before` [B, players, 2], row i."""
    for r in range(game.players):
        before[i, r, 0] = game.reached[r]
        before[i, r, 1] = potential(course, distance, game, r) if shaping else 0.0


@kernel
def settle_rewards(course, distance, game, i, before, over, config, parts, rewards):
    """Components `parts` [B, players, 3] and the reward of the configured kind of a step, row i.

    race: at the end, from 1 for the first to -1 for the last, zero in sum. progress: checkpoints reached, in parts of
    the
    course. shaping: discount * potential after - potential before, with potential 0 after a finished race.
    shaped = race + shaping.
    """
    count = course.checkpoints
    for r in range(game.players):
        race = 0.0
        if over and game.players > 1:
            race = (game.players + 1 - 2.0 * finishing_place(game, r)) / (game.players - 1)
        progress = (game.reached[r] - before[i, r, 0]) / count
        shaping = 0.0
        if config.shaping:
            after = 0.0 if game.winner != NOBODY else potential(course, distance, game, r)
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
        for kind in range(cards.DAMAGE_KINDS):
            result.taken[r, kind] = game.taken[r, kind]
    write_upgrades_result(game, result)


@with_upgrades()
def write_upgrades_result(game, result):
    """The upgrades of each seat."""
    for r in range(game.players):
        result.bought[r] = game.bought[r]
        result.had[r] = game.had[r]
