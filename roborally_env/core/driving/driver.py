"""The batch driver: reset, step, observe over many games. Results go into arrays that the caller owns."""

from collections import namedtuple

import numpy as np

from roborally_env.core.chance import course_word, key_of
from roborally_env.core.driving.advance import advance, advance_asking, answer, submit_programs, tables_at
from roborally_env.core.driving.rewards import note_before, potential, settle_rewards, write_result
from roborally_env.core.kernel import kernel
from roborally_env.core.log import begin_log, end_log
from roborally_env.core.mechanics.setup import begin_race
from roborally_env.core.seeing.masks import write_masks
from roborally_env.core.seeing.narrow import narrow
from roborally_env.core.seeing.observe import (
    draw_static,
    draw_static_community,
    observe_planes,
    observe_symbolic,
)
from roborally_env.core.state import ASK_ALL, NOBODY
from roborally_env.core.steps import OVER, PROGRAM

# the players' actions in a step, for B games of P players
# programs i1 [B * P, 5] hand slots; choices i1 [B, P] 0 or 1 + option; opened u1 [B, P] registers that the timer caught
# open, as bits
Actions = namedtuple("Actions", "programs choices opened")

# outputs; arrays of length 0 are not written
# symbolic f4 [B, P, size]; bytes u1, halves u2 [B, P, size]: the same in fewer bytes
# planes u1 [B, P, 13, 13 * depth]; masks i1 [B, P, 5, slots]
# choice_masks i1 [B, P, 1 + options]
# rewards f4 [B, P]; parts f4 [B, P, 3]; terminated, truncated b1 [B]
# submitted i1 [B * P, 5] hand slots after correction; corrected i2 [B, P] how many were illegal
# results [B] of the last finished race; final_symbolic .. final_planes: the observation at its end
# events i2 [B, LOG_ROWS, 6] of the last step or reset, the first `logged` i2 [B] of them
# frames records [B, LOG_ROWS]: the game after each of them
Out = namedtuple(
    "Out",
    "symbolic bytes halves planes masks choice_masks rewards parts terminated truncated submitted corrected results"
    " events logged frames final_symbolic final_bytes final_halves final_planes",
)

# counts u1 [B, P, 3, KINDS]; ranks i8 [B, P, 2]; before f8 [B, P, 2]; kept records [B] if choices are open;
# sheets u1 [K, 4, rows, columns * depth] if planes are observed; shown u1 [B]: how many sets of outputs show the game
# as it is, counted while its race is over; steps, zeros f4 [size]: how `bytes` are encoded
Scratch = namedtuple("Scratch", "counts ranks before kept sheets shown steps zeros")

# auto_reset 0/1, or 2: the caller lets the next race begin by NEXT; reward 0 race, 1 progress, 2 shaped; discount of
# the shaping; shaping 0/1: compute it
# observe_idle 0/1: also write the observations of seats with nothing to decide while another seat buys
# wide 0/1: where vectors are written in fewer bytes, keep those of all games as float32 too
Config = namedtuple("Config", "auto_reset reward discount shaping observe_idle wide")


@kernel
def draw_sheets(courses, sheets):
    """Draw the static planes of every course in four orientations."""
    for k in range(courses.shape[0]):
        for facing in range(4):
            draw_static(courses, k, facing, sheets[k, facing])


@kernel
def draw_sheets_community(courses, sheets):
    """As draw_sheets, with the planes' meanings in the community edition."""
    for k in range(courses.shape[0]):
        for facing in range(4):
            draw_static_community(courses, k, facing, sheets[k, facing])


# Inlined: their many arrays would otherwise be copied at every call
inlined = kernel(inline=True)


@inlined
def observe_game(maps, games, i, row, scratch, symbolic, planes, out, observe_idle):
    """Write the observation and masks of one game into those arrays that have rows; the vectors as row `row`."""
    game = games[i]
    only = NOBODY if observe_idle or game.step == PROGRAM or game.step == OVER else game.ask_seat
    if symbolic.shape[0]:
        observe_symbolic(
            maps.courses[tables_at(game)], maps.distance, game, row, scratch.counts, scratch.ranks, only, symbolic
        )
    if planes.shape[0]:
        observe_planes(maps.courses[tables_at(game)], game, i, scratch.sheets, only, planes)
    if out.masks.shape[0]:
        write_masks(game, i, out.masks, out.choice_masks)


@kernel
def answer_choice(game, i, choices, corrected):
    """Answer the open choice; an illegal option is replaced by the default and counted."""
    seat = int(game.ask_seat)
    option = int(choices[i, seat]) - 1
    for r in range(game.players):
        corrected[i, r] = 0
    if option < 0 or not game.ask_options >> option & 1:
        corrected[i, seat] = 1
        option = int(game.ask_default)
    answer(game, option)


@kernel
def close_race(game, i, over, terminated, truncated, results):
    """Write the flags of the step, and the result if the race is over.

    A separate function: inlined into the parallel loop, it would read `game.cut` after the next race has cleared it.
    """
    terminated[i] = over and game.cut == 0
    truncated[i] = over and game.cut == 1
    if over:
        write_result(game, results[i])


@kernel
def play_on(courses, games, i, kept):
    """Play game i up to the next decision or its end."""
    if games[i].asking == ASK_ALL:
        advance_asking(courses, games, i, kept)
    else:
        advance(courses, games[i])


@kernel
def start_game(courses, games, i, kept):
    """Begin a new race as game i and play it up to the first decision."""
    begin_race(courses, games[i])
    play_on(courses, games, i, kept)


@inlined
def step_game(maps, games, i, actions, out, scratch, config):
    """One step of one game: actions, play, rewards, result, and a new race after one that is over.

    A race that is already over does not change.
    """
    game = games[i]
    if game.step == OVER:
        out.terminated[i] = game.cut == 0  # as at its end, which the other set of outputs shows
        out.truncated[i] = game.cut == 1
        for r in range(game.players):
            out.rewards[i, r] = 0.0
            out.corrected[i, r] = 0
            for part in range(out.parts.shape[2]):
                out.parts[i, r, part] = 0.0
    else:
        course = maps.courses[tables_at(game)]
        note_before(course, maps.distance, game, i, config.shaping, scratch.before)
        if game.step == PROGRAM:
            submit_programs(game, i, actions, out.submitted, out.corrected)
        else:
            answer_choice(game, i, actions.choices, out.corrected)
        play_on(maps.courses, games, i, scratch.kept)
        over = game.step == OVER
        course = maps.courses[tables_at(game)]  # boards may have turned
        settle_rewards(course, maps.distance, game, i, scratch.before, over, config, out.parts, out.rewards)
        close_race(game, i, over, out.terminated, out.truncated, out.results)
        if over and config.auto_reset:
            observe_game(maps, games, i, i, scratch, out.final_symbolic, out.final_planes, out, 1)
            narrow(out.final_symbolic, i, scratch.steps, scratch.zeros, out.final_bytes, out.final_halves, i)
            if config.auto_reset == 1:
                game.episode += np.uint64(1)
                start_game(maps.courses, games, i, scratch.kept)


STEP, RESET, OBSERVE, NEXT = 0, 1, 2, 3  # what `drive` does
SETS = 2  # of outputs, which steps write alternately: each must show the end of a race
# number of games played before their observations are written: the code of both together is more than the first cache
# holds, and the records of these games are still in the second one, with the vectors that are asked for ahead
TOGETHER = 32


@kernel
def drive(maps, games, first, last, task, chosen, actions, out, scratch, config):
    """Run `task` on games `first`..`last` - 1, and write their observations.

    STEP: one step of every game. RESET: a new race where `chosen` [B] is set, by the seed and episode in the record.
    OBSERVE: only the observations. NEXT: as RESET, in the same step: flags, rewards and log are kept. One kernel for
    all, because each kernel would contain the whole game again.
    """
    observe_idle = config.observe_idle if task == STEP else 1
    # where only their codes are kept, the vectors of all games are written into one row, which stays in the first cache
    wide = config.wide or not (out.bytes.shape[0] or out.halves.shape[0])
    for begin in range(first, last, TOGETHER):
        end = begin + TOGETHER if begin + TOGETHER < last else last
        for i in range(begin, end):
            if task == NEXT and not chosen[i]:
                continue
            end_log(games[i])
            if out.events.shape[0] and (task == STEP or chosen[i]):
                begin_log(games[i], out.events, out.frames, i)
                if task == NEXT:
                    games[i].logged = out.logged[i]
            if games[i].step != OVER or task != STEP:
                scratch.shown[i] = 0
            if task == STEP:
                step_game(maps, games, i, actions, out, scratch, config)
            elif task == RESET and chosen[i]:
                start_game(maps.courses, games, i, scratch.kept)
                out.terminated[i] = False
                out.truncated[i] = False
                for r in range(games[i].players):
                    out.rewards[i, r] = 0.0
            elif task == NEXT:
                start_game(maps.courses, games, i, scratch.kept)
            if out.events.shape[0] and (task == STEP or chosen[i]):
                out.logged[i] = games[i].logged
                end_log(games[i])
        for i in range(begin, end):
            if scratch.shown[i] < SETS and (task != NEXT or chosen[i]):
                row = i if wide else last - 1
                observe_game(maps, games, i, row, scratch, out.symbolic, out.planes, out, observe_idle)
                narrow(out.symbolic, row, scratch.steps, scratch.zeros, out.bytes, out.halves, i)
                scratch.shown[i] += 1


@kernel
def write_potentials(maps, games, out):
    """The potential of each seat: `out` f8 [B, P]; 0 after a finished race."""
    for i in range(games.shape[0]):
        game = games[i]
        course = maps.courses[tables_at(game)]
        for r in range(game.players):
            finished = game.step == OVER and game.winner != NOBODY
            out[i, r] = 0.0 if finished else potential(course, maps.distance, game, r)


@kernel
def game_seeds(seed, numbers, out):
    """The seed of each game by its number: `out` [B] from `numbers` [B]; all uint64."""
    for i in range(numbers.shape[0]):
        out[i] = key_of(seed, numbers[i])


@kernel
def course_words(games, later, out):
    """The word that says on which generated course each game races, `later` episodes from now: `out` u8 [B]."""
    for i in range(games.shape[0]):
        out[i] = course_word(games[i].seed, games[i].episode + np.uint64(later))


@kernel
def restore_results(games, out):
    """Write flags and results of the games that are over, after the caller has set their records."""
    for i in range(games.shape[0]):
        close_race(games[i], i, games[i].step == OVER, out.terminated, out.truncated, out.results)
