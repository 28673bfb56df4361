"""The candidate programs of a decision, and what each leads to: the input of the policy.

Candidates are the best programs of the solo search: the best for each cell and heading in which a program ends, then
the next best. Each has a row of features: what happens on the course without other robots (`FEATURES`), and the means
of what happens among other robots in a few deals of the hidden cards (`OUTCOMES`), where the best play more deals.
"""

from __future__ import annotations

from collections import namedtuple

import numpy as np
from numpy.typing import NDArray
from roborally_env.agents.features import is_numbered, kind_of
from roborally_env.agents.greedy_round import new_hands, play_on, submit_best
from roborally_env.agents.planner import weights_of
from roborally_env.agents.settle import cover

from roborally_env.base.types import Array
from roborally_env.batch import BatchRace
from roborally_env.core import cards
from roborally_env.core.chance import key_of, stream_word
from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics.piles import is_again
from roborally_env.core.searching.alone import best_programs, column_of, kind_of_card
from roborally_env.core.searching.among_others import (
    play_round,
    rank,
    redeal_for,
    standing,
    submit_others,
    worth,
)
from roborally_env.core.searching.best_list import FIVE, WAIT, copy_row, follow_tracks, not_to_fill
from roborally_env.core.searching.distances import STATES, next_checkpoint, next_in_order, remaining
from roborally_env.core.searching.plan_tables import back_at, planned_at
from roborally_env.core.state import NOBODY
from roborally_env.core.traits import Trait
from roborally_env.courses.special import OTHER_AIMS
from roborally_env.courses.tables import HEIGHT, MAX_CHECKPOINTS, WIDTH

with_special_rules = Trait("special")
MOST = 128  # candidates of a decision
LOOKED_AT = 192  # programs of the solo search from which they are chosen
DISTINCT = 80  # candidates with an end of their own come first, up to this number
UNIT = 1.0 / 16.0  # of distances, for a quarter register
FAR = 64.0  # quarter registers: distances left are in units of these
# heats: in each, 1 / PARTS of the candidates are left, and each plays DEALS times as many deals as in the first
PARTS = (1, 3, 8, 26)
DEALS = (1, 1, 2, 4)
AHEAD = 1  # heats, the last ones, that look one round further
LARGEST_LEAD = 512.0  # quarter registers
KEPT = 1024  # hands whose best programs are kept
NEARBY = 2  # cells: a robot no farther from the way is near it

# Places of a candidate's features
VALUE = 0  # of the solo search, behind the best candidate's
AWAY = 1  # distance left after the round
GAINED = 2  # distance gained
CHECKPOINTS = 3  # reached
FINISHED = 4  # the last checkpoint is reached
EARLY = 5  # if so: registers left / 5
FELL = 6
REST = 7  # if so: registers left / 5
BEAMS = 8  # lasers in which the robot stands, in all registers / 3
DAMAGED = 9  # registers with a damage card / 5
AGAIN = 10  # registers with Again / 5
PITS = 11  # neighbouring cells of the last without floor / 4
END = 12  # the last cell, seen from the first: to the right / 5, ahead / 5
TURNED = 14  # heading at the end, relative to that at the start: one-hot [4]
PRIORITY = 18  # 2005: the priority number of each register / 84 [5]
NEAR = 23  # robots that are near the cell at each register's end [5]
KINDS = 28  # cards of the program by kind / 2 [24]
FEATURES = KINDS + 24

# Places of a candidate's outcomes, means over the deals
DEALT = 0  # deals that the candidate played / 8
CHANCE = 1  # `planner`'s chance to win, beside that of the finalists in the same deals, times 4
ODDS = 2  # its log-odds / 4
LEFT = 3  # distance left
BESIDE = 4  # distance left beyond what the robot would have alone
LEAD = 5  # distance that the best other robot has more
FALLS = 6  # times destroyed or rebooted
STANDING = 7  # log of the own standing (`planner`'s measure)
THEIRS = 8  # log of the sum of the others' standings
WON = 9
LOST = 10
WORST = 11  # the lowest chance to win in a deal, beside the mean, times 4
ALONE = 12  # without deals: VALUE
OUTCOMES = 13

# The solo search: values f8 and programs i1 [LOOKED_AT, 5], the best first; ends and chosen i8 [LOOKED_AT]; order i8
# [MOST], the numbers of those that are candidates
Solo = namedtuple("Solo", "values programs ends chosen order")
# What candidates did in deals: their chances f8 [MOST, deals], the total f8 and number i8 of these, the candidates
# by_chance i8, the best first, and the number of one that did the same i8 [MOST]
Tally = namedtuple("Tally", "chances total played by_chance twin")
# Scratch: Solo, Tally, three records, `greedy_round.Hands`; `ahead`: how many of the last heats look one round further
Work = namedtuple("Work", "solo tally trial further ahead")


@kernel(apart=True)
def candidates_of(maps, game, r, solo):
    """Choose up to solo.order.shape[0] of robot r's best solo programs. Returns how many are chosen."""
    values, programs, ends, chosen, order = solo
    found = best_programs(maps, game, r, values, programs)
    places = np.zeros((FIVE + 1, MAX_CHECKPOINTS), np.int64)
    follow_tracks(maps.courses[planned_at(maps, game)], game, places)
    shut = not_to_fill(game, r)
    count = 0
    for i in range(found):
        ends[i] = end_of(maps, game, r, programs[i], shut, places)
        known = False
        for j in range(i):
            known |= ends[j] == ends[i]
        chosen[i] = 0
        if not known and count < min(DISTINCT, order.shape[0]):
            chosen[i] = 1
            count += 1
    for i in range(found):
        if chosen[i] == 0 and count < order.shape[0]:
            chosen[i] = 1
            count += 1
    at = 0
    for i in range(found):
        if chosen[i]:
            order[at] = i
            at += 1
    return count


@kernel
def card_in(game, r, program, shut, k):
    """The card that a program has in register k: of the hand, or the locked one; NONE in an empty register."""
    return np.int64(game.registers[r, k]) if shut >> k & 1 else np.int64(game.hand[r, program[k]])


@kernel
def step_alone(maps, course, game, r, places, k, state, goal, in_order, column):
    """A column of the solo table in register k: (state, next checkpoint or NOBODY, fell)."""
    after = np.int64(maps.solo[course.solo_at[k], state, column])
    if after < 0:
        return np.int64(back_at(game, r, ~after)), goal, True
    if goal != NOBODY and course.track[goal, places[k + 1, goal]] == after >> 2:
        goal = goal + 1 if in_order and goal + 1 < course.checkpoints else np.int64(NOBODY)
    return after, goal, False


@kernel
def end_of(maps, game, r, program, shut, places):
    """A number for the end of a program alone on the course: cell, heading, next checkpoint and whether it fell."""
    course = maps.courses[planned_at(maps, game)]
    if game.cell[r] < 0:
        return np.int64(-1)
    state = np.int64(game.cell[r]) * 4 + game.facing[r]
    goal = np.int64(next_checkpoint(course, game, r))
    in_order = next_in_order(course, game, r) != NOBODY
    before = np.int64(WAIT)
    for k in range(FIVE):
        card = card_in(game, r, program, shut, k)
        if card != cards.NONE:
            before = column_of(course, game, kind_of_card(game, card), before, state, goal)
        else:
            before = np.int64(WAIT)
        had = goal
        state, goal, fell = step_alone(maps, course, game, r, places, k, state, goal, in_order, before)
        if fell or (had != NOBODY and goal == NOBODY):
            return (state * 16 + (goal + 1)) * 16 + k + (8 if fell else 0)
    return (state * 16 + (goal + 1)) * 16 + FIVE


@kernel
def away_from(maps, course, goal, in_order, place, state):
    """Quarter registers from a state to the last checkpoint, alone on the course."""
    if goal == NOBODY or goal >= course.checkpoints or course.distance_at[goal] < 0:
        return 0.0
    away = float(maps.distance[course.distance_at[goal] + place * STATES + state])
    return away + (course.to_go[goal + 1] if in_order else 0.0)


@kernel
def describe(maps, game, r, program, shut, places, row):
    """Fill `row` f4 [FEATURES] with what a program leads to for a robot alone on the course, but for VALUE."""
    course = maps.courses[planned_at(maps, game)]
    row[:] = 0.0
    if game.cell[r] < 0:
        return
    first = np.int64(game.cell[r])
    state = first * 4 + game.facing[r]
    goal = np.int64(next_checkpoint(course, game, r))
    in_order = next_in_order(course, game, r) != NOBODY
    began = away_from(maps, course, goal, in_order, places[0, max(goal, 0)], state)
    before = np.int64(WAIT)
    ended = False
    for k in range(FIVE):
        card = card_in(game, r, program, shut, k)
        kind = np.int64(cards.NONE)
        if card != cards.NONE:
            kind = np.int64(kind_of(game, card))
            row[KINDS + kind] += 0.5
            if is_numbered(game):
                row[PRIORITY + k] = card / 84.0
            else:
                row[AGAIN] += 0.2 if is_again(kind) else 0.0
                row[DAMAGED] += 0.2 if cards.SPAM <= kind <= cards.TROJAN_HORSE else 0.0
        if ended:
            continue
        before = (
            np.int64(WAIT)
            if card == cards.NONE
            else column_of(course, game, kind_of_card(game, card), before, state, goal)
        )
        had = goal
        state, goal, fell = step_alone(maps, course, game, r, places, k, state, goal, in_order, before)
        if had != goal:
            row[CHECKPOINTS] += 1.0
            if goal == NOBODY:
                row[FINISHED] = 1.0
                row[EARLY] = (FIVE - k) / FIVE
                ended = True
        if fell or (not is_numbered(game) and kind == cards.WORM):
            row[FELL] = 1.0
            row[REST] = (FIVE - k) / FIVE
            ended = True
        cell = state >> 2
        row[BEAMS] += course.beams_on[cell] / 3.0
        for q in range(game.players):
            if q != r and game.cell[q] >= 0:
                right = abs(game.cell[q] % WIDTH - cell % WIDTH)
                down = abs(game.cell[q] // WIDTH - cell // WIDTH)
                row[NEAR + k] += 1.0 if right + down <= NEARBY else 0.0
    left = away_from(maps, course, goal, in_order, places[FIVE, max(goal, 0)], state)
    row[AWAY] = min(4.0, left / FAR)
    row[GAINED] = max(-4.0, min(4.0, (began - left) * UNIT))
    cell = state >> 2
    x, y = cell % WIDTH, cell // WIDTH
    for side in range(4):
        u = x + (1 if side == 1 else -1 if side == 3 else 0)
        v = y + (1 if side == 2 else -1 if side == 0 else 0)
        if (
            u < 0
            or v < 0
            or u >= WIDTH
            or v >= HEIGHT
            or not course.on_board[v * WIDTH + u]
            or course.pit[v * WIDTH + u]
        ):
            row[PITS] += 0.25
    facing = np.int64(game.facing[r])
    dx, dy = x - first % WIDTH, y - first // WIDTH
    ahead = -dy if facing == 0 else dx if facing == 1 else dy if facing == 2 else -dx
    right = dx if facing == 0 else dy if facing == 1 else -dx if facing == 2 else -dy
    row[END] = right / 5.0
    row[END + 1] = ahead / 5.0
    row[TURNED + ((state & 3) - facing & 3)] = 1.0


@with_special_rules(otherwise=False)
def has_other_aims(game):
    """Whether `worth` is a lead in quarter registers: races of 2005 that are not won by flags in order."""
    return game.special & OTHER_AIMS != 0


@kernel
def chance_after(maps, game, seat, weights):
    """`planner`'s chance to win from a position after a round; a lead becomes a number from 0 to 1 too."""
    value = worth(maps, game, seat, weights)
    if has_other_aims(game):
        return 1.0 / (1.0 + np.exp(-max(-LARGEST_LEAD, min(LARGEST_LEAD, value)) / FAR))
    return value


@kernel
def watch_outcomes(maps, game, seat, key, deals, count, work, weights, rows, out):
    """Play the candidates out and fill `out` f4 [count, OUTCOMES] with means over the deals that each of them played.

    All candidates play `deals` deals, then the best of them play more (`PARTS`, `DEALS`). `rows` are the candidates'
    features. In the last `work.ahead` heats the chance to win is the mean of that after the round and that after one
    more round by `greedy` for everybody: the first does not show who gets out of a crowd.
    """
    out[:] = 0.0
    if deals == 0:
        for i in range(count):
            out[i, ALONE] = rows[i, VALUE]
        return
    begin_heats(work.tally, count)
    d = 0
    for heat in range(len(PARTS)):
        more = deals * DEALS[heat]
        ahead = heat >= len(PARTS) - work.ahead
        play_heat(maps, game, seat, key, d, more, left_in(heat, count), ahead, work, weights, out)
        d += more
    sum_up(count, work.tally, rows, out)


@kernel
def left_in(heat, count):
    """How many of `count` candidates play in a heat."""
    return (count - 1) // PARTS[heat] + 1


@kernel
def begin_heats(tally, count):
    """Forget what candidates did in the deals of an earlier decision."""
    for i in range(tally.total.shape[0]):
        tally.twin[i] = -1
        tally.total[i] = 0.0
        tally.played[i] = 0
    for i in range(count):
        tally.by_chance[i] = i


@kernel
def play_heat(maps, game, seat, key, first, more, left, ahead, work, weights, out):
    """Let the best `left` candidates play `more` deals from number `first` on, in which the others program as `greedy`,
    with a further round by `greedy` if `ahead`; add to `out`, and sort them by what they did in all deals so far."""
    trial, tally, program = work.trial, work.tally, np.zeros((1, FIVE), np.int8)
    for k in range(left):
        tally.twin[tally.by_chance[k]] = -1
    for d in range(first, first + more):
        trial[0] = game
        word = stream_word(key, np.uint64(d))
        redeal_for(trial[0], seat, word)
        submit_best(work.further, trial[0], seat)
        for k in range(left):
            i = tally.by_chance[k]
            trial[1] = trial[0]
            play_round(maps, trial[1], seat, work.solo.programs, work.solo.order[i])
            chance = chance_after(maps, trial[1], seat, weights)
            add_outcome(maps, game, trial[1], seat, weights, out[i])
            if ahead and trial[1].winner == NOBODY:
                play_on(work.further, trial[1], seat, 1, word, program)
                chance = 0.5 * (chance + chance_after(maps, trial[1], seat, weights))
            tally.chances[i, d] = chance
            tally.total[i] += chance
            tally.played[i] += 1
    rank(tally.by_chance, left, tally.total)
    put_twins_last(tally, left)


@kernel
def put_twins_last(tally, left):
    """Move candidates that did the same as the one before them in all deals so far, its twins, behind the others of the
    first `left`, so that those that play on differ."""
    order, total, twin = tally.by_chance, tally.total, tally.twin
    kept = 0
    for k in range(left):
        i = order[k]
        if kept > 0 and total[order[kept - 1]] == total[i]:
            twin[i] = order[kept - 1]
        else:
            order[kept] = i
            kept += 1
    for i in range(total.shape[0]):
        # those that became twins in this heat have no place yet
        if twin[i] >= 0 and tally.played[i] == tally.played[order[0]] and kept < left:
            order[kept] = i
            kept += 1


@kernel
def be_as_twins(count, tally, out):
    """Give twins the outcomes of the candidate that played on for them: their own deals hide what later ones show."""
    for i in range(count):
        j = i
        while tally.twin[j] >= 0:
            j = tally.twin[j]
        if j != i:
            for k in range(OUTCOMES):
                out[i, k] = out[j, k]
            for d in range(tally.played[j]):
                tally.chances[i, d] = tally.chances[j, d]
            tally.total[i] = tally.total[j]
            tally.played[i] = tally.played[j]


@kernel
def sum_up(count, tally, rows, out):
    """Turn the sums in `out` into means, and add what compares the candidates."""
    chances, played = tally.chances, tally.played
    be_as_twins(count, tally, out)
    finalists = left_in(len(PARTS) - 1, count)
    for i in range(count):
        for k in range(OUTCOMES):
            out[i, k] /= played[i]
        ahead, lowest = 0.0, 1.0
        for d in range(played[i]):
            theirs = 0.0
            for k in range(finalists):
                theirs += chances[tally.by_chance[k], d]
            ahead += chances[i, d] - theirs / finalists
            lowest = min(lowest, chances[i, d])
        chance = max(0.002, min(0.998, tally.total[i] / played[i]))
        out[i, DEALT] = min(2.0, played[i] / 8.0)
        out[i, CHANCE] = 4.0 * ahead / played[i]
        out[i, WORST] = 4.0 * (lowest - tally.total[i] / played[i])
        out[i, ODDS] = 0.25 * np.log(chance / (1.0 - chance))
        out[i, BESIDE] = out[i, LEFT] - rows[i, AWAY]


@kernel
def add_outcome(maps, game, after, seat, weights, row):
    """Add what became of a seat from the round's start `game` to its end `after` to `row` f4 [OUTCOMES]."""
    course = maps.courses[planned_at(maps, after)]
    left = float(remaining(course, maps.distance, after, seat))
    nearest, theirs = 4.0 * FAR, 1e-30
    for q in range(game.players):
        if q != seat:
            nearest = min(nearest, float(remaining(course, maps.distance, after, q)))
            theirs += standing(maps, after, q, weights)
    row[LEFT] += min(4.0, left / FAR)
    row[LEAD] += max(-4.0, min(4.0, (nearest - left) * UNIT))
    row[FALLS] += np.int64(after.reboots[seat]) - np.int64(game.reboots[seat])
    row[STANDING] += 0.1 * np.log(standing(maps, after, seat, weights) + 1e-30)
    row[THEIRS] += 0.1 * np.log(theirs)
    if after.winner != NOBODY:
        row[WON if after.winner == seat else LOST] += 1.0


@kernel(apart=True)
def describe_all(maps, game, r, values, programs, order, count, rows):
    """Fill `rows` f4 [count, FEATURES] of robot r's programs order[:count], the best first, with solo `values`."""
    places = np.zeros((FIVE + 1, MAX_CHECKPOINTS), np.int64)
    follow_tracks(maps.courses[planned_at(maps, game)], game, places)
    shut = not_to_fill(game, r)
    for i in range(count):
        describe(maps, game, r, programs[order[i]], shut, places, rows[i])
        rows[i, VALUE] = max(-4.0, (values[order[i]] - values[order[0]]) * UNIT)


@kernel
def write_candidates(maps, games, row, seat, seed, deals, weights, work, rows, outcomes):
    """The candidates of a seat in game `row`: their features f4 [MOST, FEATURES] and outcomes f4 [MOST, OUTCOMES].

    `work` is `new_work`'s; afterwards its `solo.order` has the numbers of the candidates in `solo.programs`. Returns
    how many there are.
    """
    count = take_up(maps, games, row, seat, work, rows)
    key = key_of(games[row].key, seed + np.uint64(games[row].round_number))
    watch_outcomes(maps, work.trial[2], seat, key, deals, count, work, weights, rows, outcomes)
    return count


@kernel
def take_up(maps, games, row, seat, work, rows):
    """Choose the candidates of a seat in game `row`, and describe them in `rows` f4 [MOST, FEATURES]; work.trial[2] is
    then the game as the seat sees it. Returns how many there are."""
    game = games[row]
    solo = work.solo
    count = candidates_of(maps, game, seat, solo)
    describe_all(maps, game, seat, solo.values, solo.programs, solo.order, count, rows)
    work.trial[2] = game
    cover(work.trial[2], seat)
    work.further.hands[:] = np.uint64(0)  # the maps may have changed
    return count


def new_work(batch: BatchRace, deals: int, ahead: int = 0) -> Work:
    """The scratch of `write_candidates` for a batch and at most `deals` deals."""
    tally = Tally(
        np.zeros((MOST, sum(DEALS) * max(1, deals))),
        np.zeros(MOST),
        np.zeros(MOST, np.int64),
        np.zeros(MOST, np.int64),
        np.zeros(MOST, np.int64),
    )
    return Work(new_solo(MOST, LOOKED_AT), tally, np.zeros(3, batch.games.dtype), new_hands(batch, KEPT), ahead)


def new_solo(most: int, looked_at: int) -> Solo:
    """`Solo` for up to `most` candidates of `looked_at` programs."""
    return Solo(
        np.zeros(looked_at),
        np.zeros((looked_at, FIVE), np.int8),
        np.zeros(looked_at, np.int64),
        np.zeros(looked_at, np.int64),
        np.zeros(most, np.int64),
    )


@kernel
def write_decisions(maps, games, rows, seats, seed, deals, weights, work, features, outcomes, programs, counts):
    """The candidates of seat seats[k] in game rows[k]: `features` f4 [n, MOST, FEATURES], `outcomes` f4 [n, MOST,
    OUTCOMES] in deals[k] deals, `programs` i1 [n, MOST, 5] the programs, `counts` i8 [n] how many they are."""
    features[:] = 0.0
    outcomes[:] = 0.0
    for k in range(rows.shape[0]):
        counts[k] = write_candidates(
            maps, games, rows[k], seats[k], seed, deals[k], weights, work, features[k], outcomes[k]
        )
        for i in range(counts[k]):
            copy_row(work.solo.programs, work.solo.order[i], programs[k], i)


@kernel
def try_candidates(maps, games, rows, seats, seed, deals, further, weights, work, programs, counts, chances):
    """Play candidates `programs` i1 [n, MOST, 5] out in `deals` deals and for `further` more rounds, in which everybody
    buys and programs as `greedy`: `chances` f4 [n, MOST], the means of `planner`'s chance to win; zeros behind the last
    candidate."""
    trial, program = work.trial, np.zeros((1, FIVE), np.int8)
    work.further.hands[:] = np.uint64(0)  # the maps may have changed
    for k in range(rows.shape[0]):
        seat = seats[k]
        key = key_of(games[rows[k]].key, seed + np.uint64(games[rows[k]].round_number))
        trial[2] = games[rows[k]]
        cover(trial[2], seat)
        chances[k] = 0.0
        for d in range(deals):
            trial[0] = trial[2]
            word = stream_word(key, np.uint64(d))
            redeal_for(trial[0], seat, word)
            submit_others(maps, trial[0], seat)
            for i in range(counts[k]):
                trial[1] = trial[0]
                play_round(maps, trial[1], seat, programs[k], i)
                play_on(work.further, trial[1], seat, further, word, program)
                chances[k, i] += chance_after(maps, trial[1], seat, weights) / deals


class Candidates:
    """The candidates of a batch's seats, in arrays; `deals` is the most that `of` accepts, and in the last `ahead`
    heats candidates also play a further round."""

    def __init__(self, batch: BatchRace, seed: int = 0, deals: int = 8, ahead: int = 0) -> None:
        self.batch, self.seed = batch, np.uint64(seed)
        self.weights = weights_of(batch.game)
        self.work = new_work(batch, deals, ahead=ahead)

    def of(
        self, games: NDArray[np.int64], seats: NDArray[np.int64], deals: NDArray[np.int64]
    ) -> tuple[NDArray[np.float32], NDArray[np.int8], NDArray[np.int64]]:
        """(rows float32 [n, MOST, FEATURES + OUTCOMES], programs int8 [n, MOST, 5], counts int64 [n]), with deals[k]
        deals."""
        games, seats, deals = map(np.ascontiguousarray, (games, seats, deals))  # one machine code for all of them
        n = len(games)
        features = np.empty((n, MOST, FEATURES), np.float32)
        outcomes = np.empty((n, MOST, OUTCOMES), np.float32)
        programs, counts = np.zeros((n, MOST, FIVE), np.int8), np.zeros(n, np.int64)
        write_decisions(
            self.batch.maps, self.batch.games, games, seats, self.seed, deals, self.weights, self.work, features,
            outcomes, programs, counts,
        )  # fmt: skip
        return np.concatenate([features, outcomes], 2), programs, counts

    def chances(
        self, games: NDArray[np.int64], seats: NDArray[np.int64], deals: int, programs: NDArray[np.int8], counts: Array,
        further: int = 0,
    ) -> NDArray[np.float32]:  # fmt: skip
        """float32 [n, MOST]: the chance to win after each candidate and `further` rounds by `greedy`, the mean of
        `deals` deals other than those of `of`."""
        games, seats, programs, counts = map(np.ascontiguousarray, (games, seats, programs, counts))
        out = np.empty(programs.shape[:2], np.float32)
        seed = ~self.seed
        batch = self.batch
        try_candidates(
            batch.maps, batch.games, games, seats, seed, deals, further, self.weights, self.work, programs, counts, out
        )
        return out
