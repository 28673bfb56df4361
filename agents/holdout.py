"""`shooter`, `blocker` and `cautious`: opponents by hand that no training of the package races against.

They are for tests of what was trained: a policy that only knows its own kind may fail against another way of playing.
Each takes the best programs of the solo search, imagines in a few deals of the hidden cards where the other robots go,
and submits, among programs that are not much slower than the best, the one that suits its style.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from roborally_env.agents.base import Info
from roborally_env.agents.candidates import card_in, step_alone
from roborally_env.agents.greedy import BuysAsGreedy
from roborally_env.agents.power_down import FROM_TOKENS, announce_when_locked, power_down_or
from roborally_env.agents.settle import cover

from roborally_env.core import cards
from roborally_env.core.chance import key_of, stream_word
from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics.places import column_of as column
from roborally_env.core.mechanics.places import row_of as row
from roborally_env.core.searching.alone import best_programs, column_of, kind_of_card
from roborally_env.core.searching.among_others import is_with, redeal_for
from roborally_env.core.searching.best_list import FIVE, WAIT, copy_row, follow_tracks, not_to_fill
from roborally_env.core.searching.distances import next_checkpoint, next_in_order, remaining
from roborally_env.core.searching.plan_tables import planned_at
from roborally_env.core.state import NOBODY
from roborally_env.courses.tables import HEIGHT, MAX_CHECKPOINTS, WIDTH

SHOOT, BLOCK, AVOID = 0, 1, 2  # the styles
# By style, in quarter registers: how much slower than the best a program may be, and what a unit of `suits` is worth
SLACK = np.array([8.0, 10.0, 10.0])
WORTH = np.array([2.5, 4.0, 2.0])
PROGRAMS = 64  # of the solo search, among which is chosen
DEALS = 3
EARLY = 3  # damage tokens from which `cautious` powers down; the others wait for a locked register
OFF = -1  # a state: not on the board, or at the goal
_SALT = 0x484F4C44  # separates its random stream from others with the same key
_WORDS = 16  # random words of a round


@kernel
def styled_programs(maps, games, rows, seats, seed, style, out):
    """The program of seat seats[k] in game rows[k] by a style: `out` i1 [n, 5]."""
    values, programs = np.zeros(PROGRAMS), np.zeros((PROGRAMS, FIVE), np.int8)
    own = np.zeros(FIVE + 1, np.int64)
    theirs = np.zeros((DEALS, games["cell"].shape[1], FIVE + 1), np.int64)
    for k in range(rows.shape[0]):
        game, seat = games[rows[k]], seats[k]
        found = best_programs(maps, game, seat, values, programs)
        copy_row(programs, 0, out, k)
        if found < 2 or game.cell[seat] < 0:
            continue
        imagine(maps, games[rows[k] : rows[k] + 1].copy(), seat, seed, theirs)
        course = maps.courses[planned_at(maps, game)]
        places = np.zeros((FIVE + 1, MAX_CHECKPOINTS), np.int64)
        follow_tracks(course, game, places)
        shut, ahead = not_to_fill(game, seat), leader(maps, course, game, seat)
        most = -np.inf
        for i in range(found):
            if values[i] < values[0] - SLACK[style]:
                break
            follow(maps, course, game, seat, programs[i], shut, places, own)
            worth = values[i] + WORTH[style] * suits(course, game, seat, style, ahead, own, theirs)
            if worth > most:
                most = worth
                copy_row(programs, i, out, k)


@kernel
def imagine(maps, trial, seat, seed, theirs):
    """Fill `theirs` i8 [DEALS, S, 6] with the states of the other robots at the start of the round and after each
    register, each alone with its best program in a deal of what the seat cannot know; OFF where it is not on the board.

    `trial` [1] is a copy of the game, which is used up.
    """
    values, programs = np.zeros(1), np.zeros((1, FIVE), np.int8)
    places = np.zeros((FIVE + 1, MAX_CHECKPOINTS), np.int64)
    key = key_of(trial[0].key, seed)
    word = np.uint64(trial[0].round_number) * np.uint64(_WORDS)
    cover(trial[0], seat)
    course = maps.courses[planned_at(maps, trial[0])]
    follow_tracks(course, trial[0], places)
    theirs[:] = OFF
    for d in range(DEALS):
        redeal_for(trial[0], seat, stream_word(key, word + np.uint64(d)))
        game = trial[0]
        for r in range(game.players):
            if game.cell[r] >= 0 and not is_with(game, r, seat):
                best_programs(maps, game, r, values, programs)
                follow(maps, course, game, r, programs[0], not_to_fill(game, r), places, theirs[d, r])


@kernel
def follow(maps, course, game, r, program, shut, places, states):
    """Fill `states` i8 [6] with the states of robot r alone on the course, at the start and after each register of a
    program; OFF from where it falls or finishes."""
    states[:] = OFF
    state = np.int64(game.cell[r]) * 4 + game.facing[r]
    goal = np.int64(next_checkpoint(course, game, r))
    in_order = next_in_order(course, game, r) != NOBODY
    states[0] = state
    before = np.int64(WAIT)
    for k in range(FIVE):
        card = card_in(game, r, program, shut, k)
        if card == cards.NONE:
            before = np.int64(WAIT)
        else:
            before = np.int64(column_of(course, game, kind_of_card(game, card), before, state, goal))
        had = goal
        state, goal, fell = step_alone(maps, course, game, r, places, k, state, goal, in_order, before)
        if fell or (had != NOBODY and goal == NOBODY):
            return
        states[k + 1] = state


@kernel
def leader(maps, course, game, seat):
    """The other robot that has least to go, or NOBODY."""
    first, least = NOBODY, np.inf
    for r in range(game.players):
        if game.cell[r] >= 0 and not is_with(game, r, seat):
            left = float(remaining(course, maps.distance, game, r))
            if left < least:
                first, least = r, left
    return first


@kernel
def suits(course, game, seat, style, ahead, own, theirs):
    """How well a way through the round suits a style: shots, registers in the leader's way, or dangers below 0.

    `own` i8 [6] are the robot's states, `theirs` those of the others in each deal; `ahead` is the leader.
    """
    among, board = 0.0, 0.0
    for k in range(1, FIVE + 1):
        if own[k] == OFF:
            break
        if style == AVOID:
            board -= danger_of(course, own[k] >> 2)
        for d in range(theirs.shape[0]):
            for r in range(game.players):
                if theirs[d, r, k] == OFF:
                    continue
                if style == SHOOT:
                    among += shoots(course, own[k], theirs[d, r, k] >> 2)
                elif style == AVOID:
                    among -= shoots(course, theirs[d, r, k], own[k] >> 2) + beside(own[k] >> 2, theirs[d, r, k] >> 2)
                elif r == ahead:
                    after = theirs[d, r, k + 1] if k < FIVE else OFF
                    here = theirs[d, r, k] >> 2
                    among += is_between(own[k] >> 2, here, after >> 2 if after != OFF else here)
    return among / theirs.shape[0] + board


@kernel
def shoots(course, state, target):
    """1.0 if a robot in a state has the cell `target` in its line of fire, else 0.0."""
    cell = state >> 2
    end = np.int64(course.ray_end[cell, state & 3])
    if target == cell or (column(target) != column(cell) and row(target) != row(cell)):
        return 0.0
    return 1.0 if is_between(target, cell, end) > 0.0 else 0.0


@kernel
def is_between(cell, first, last):
    """1.0 if a cell lies on the straight line from one cell to another, their cells included, else 0.0."""
    within_columns = min(column(first), column(last)) <= column(cell) <= max(column(first), column(last))
    within_rows = min(row(first), row(last)) <= row(cell) <= max(row(first), row(last))
    straight = column(first) == column(last) or row(first) == row(last)
    return 1.0 if straight and within_columns and within_rows else 0.0


@kernel
def beside(cell, other):
    """1.0 for cells that are the same or next to each other, 0.5 for cells two steps apart, else 0.0."""
    apart = abs(column(cell) - column(other)) + abs(row(cell) - row(other))
    return 1.0 if apart <= 1 else 0.5 if apart == 2 else 0.0


@kernel
def danger_of(course, cell):
    """The dangers of a cell of the board: half for each side without floor, and one for each beam."""
    danger = float(course.beams_on[cell])
    for side in range(4):
        x = column(cell) + (1 if side == 1 else -1 if side == 3 else 0)
        y = row(cell) + (1 if side == 2 else -1 if side == 0 else 0)
        floor = 0 <= x < WIDTH and 0 <= y < HEIGHT
        if floor:
            floor = course.on_board[y * WIDTH + x] and not course.pit[y * WIDTH + x]
        danger += 0.0 if floor else 0.5
    return danger


class _HoldOutAgent(BuysAsGreedy):
    """What the three have in common: they buy and use upgrades as `greedy` does."""

    name = ""
    style = SHOOT
    tokens = FROM_TOKENS  # damage tokens from which it powers down

    def __init__(self, seed: int = 0) -> None:
        self.seed = np.uint64(seed) ^ np.uint64(_SALT)

    def act(self, observations: NDArray[np.float32] | None, masks: NDArray[np.int8], info: Info) -> NDArray[np.int8]:
        """See Agent.act."""
        programs = np.zeros((len(info.games), masks.shape[1]), np.int8)
        batch = info.batch
        styled_programs(batch.maps, batch.games, info.games, info.seats, self.seed, self.style, programs)
        return programs

    def announce(self, observations: NDArray[np.float32] | None, info: Info) -> NDArray[np.int8]:
        """See Agent; `power_down.announce_when_locked`."""
        return np.asarray(announce_when_locked(info, self.tokens))

    def choose(
        self, observations: NDArray[np.float32] | None, choice_masks: NDArray[np.int8], info: Info
    ) -> NDArray[np.int8]:
        """As `greedy`, and power downs as `announce`."""
        choices = super().choose(observations, choice_masks, info)
        return np.asarray(power_down_or(choices, info, self.tokens)) if info.batch.kind.has("announced") else choices


class ShooterAgent(_HoldOutAgent):
    """Prefers programs that end registers with other robots in its line of fire, and turns to them."""

    name = "shooter"
    style = SHOOT


class BlockerAgent(_HoldOutAgent):
    """Prefers programs that end registers in the way of the robot that leads, or on its cell, to push it off."""

    name = "blocker"
    style = BLOCK


class CautiousAgent(_HoldOutAgent):
    """Keeps away from pits, beams, lines of fire and other robots, even if that is slower; it powers down early."""

    name = "cautious"
    style = AVOID
    tokens = EARLY
