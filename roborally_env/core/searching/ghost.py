"""The ghost: where the cards chosen so far take a robot alone, and what lies around that place.

A player who puts a card on the table sees where it leads before choosing the next one. The ghost is this look at open
information: the robot's own cards, the course and its machines. Other robots do not move, nothing is searched, and a
card whose effect depends on chance (a damage card) leaves the robot where it is.

Poses are rows of whole numbers, one for each robot, with the columns below. Windows are as seen by the ghost, which
faces up.
"""

import numpy as np

from roborally_env.core import cards
from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics.programs import closed, programs_now
from roborally_env.core.searching.alone import column_of, kind_of_card
from roborally_env.core.searching.best_list import FIVE, WAIT, follow_tracks
from roborally_env.core.searching.distances import STATES, cell_to_go_from, next_checkpoint, next_in_order
from roborally_env.core.searching.plan_tables import back_at, planned_at
from roborally_env.core.seeing.parts import FARTHEST, FARTHEST_PLACE, RowPart
from roborally_env.core.seeing.parts import MOST as MOST_SHOWN
from roborally_env.core.state import NOBODY
from roborally_env.courses.tables import HEIGHT, MAX_CHECKPOINTS, WIDTH

# columns of a pose
STATE, GOAL, BEFORE, ENDED, UNSURE, REACHED = range(6)  # cell * 4 + facing; next checkpoint, from 0, or NOBODY; column
# of the register before; 1 after a fall, 2 after the last checkpoint; cards of chance chosen; checkpoints reached
POSE = 6
ON, FELL, FINISHED = range(3)  # values of ENDED

AHEAD, BEHIND, SIDE = 4, 2, 3  # cells of the window in each direction
ROWS, COLUMNS = AHEAD + 1 + BEHIND, 2 * SIDE + 1
AREA = ROWS * COLUMNS
LINE = 3  # cells of the lines ahead, to the right, behind and to the left
LINES = 4 * LINE + 1  # with the ghost's own cell
CARDS = cards.AGAIN  # kinds of cards whose gain is shown, from 1
KINDS = 22  # of cards, from 1 to this, over all editions
FAR = 4096.0  # quarter registers: no way
UNIT = 1.0 / 16.0  # of gains, for a quarter register
MOST = 2.0  # gains are clipped to this

AFTER_LINES = 15 + CARDS  # numbers of where a card leads before the lines
AFTER = AFTER_LINES + 4 * LINES

_LOW = (0.0,) * 7 + (-2 * FARTHEST,) * 2 + (-MOST, 0.0, *FARTHEST_PLACE[0], 0.0) + (0.0,) * CARDS + (-MOST,) * 4 * LINES
_HIGH = (1.0,) * 7 + (2 * FARTHEST,) * 2 + (MOST, 4.0, *FARTHEST_PLACE[1], MOST_SHOWN) + (1.0,) * CARDS
_HIGH += (MOST,) * 4 * LINES

# parts of the ghost's vector, in their order
PARTS = tuple(RowPart(*part) for part in (
    ("register", FIVE, "one-hot: the register that is chosen for"),
    ("offset", 2, "cells ahead and to the right of the robot / 8, as the robot faces", -2 * FARTHEST, 2 * FARTHEST),
    ("heading", 4, "one-hot: heading relative to the robot's"),
    ("state", 4, "1 each: fell, finished, a card of chance was chosen; checkpoints reached by the program / 2",
     0.0, (1.0, 1.0, 1.0, FIVE / 2)),
    ("distance", 1, "quarter registers from the ghost to the last checkpoint / 64, at most 4", 0.0, 4.0),
    ("target", 3, "next checkpoint: cells ahead, right / 16, 1 if there is one", *FARTHEST_PLACE),
    ("cards", CARDS, "distance gained by a card, with the machines after it: move 1, 2, 3, back up, turn left, right, "
     "around, power up, again / 16 quarter registers, -2 where the robot falls", -MOST, MOST),
    ("lines", 4 * LINES, "distance gained where machines take a robot from the ghost's cell, and from the 3 cells "
     "ahead, right, behind and left of it, with each heading / 16 quarter registers, -2 where it falls", -MOST, MOST),
    ("gain", AREA, f"the same for the cells of a window with the ghost's heading: {AHEAD} ahead to {BEHIND} behind, "
     f"{SIDE} left to {SIDE} right, rows from ahead", -MOST, MOST),
    ("walls", 2 * AREA, "for each cell of the window 1 for a wall ahead of it; then 1 for a wall on its right"),
    ("beams", AREA, f"laser beams across each cell / 2 (at most {MOST_SHOWN:.0f})", 0.0, MOST_SHOWN),
    ("robots", AREA, "1 where another robot stands now"),
    ("after", CARDS * AFTER, f"for each of these cards that is left {AFTER} numbers of where it takes the ghost, zeros "
     "for others: 1 each if the robot falls, finishes, reaches a checkpoint; heading relative to the ghost's, one-hot; "
     "cells ahead and right of the ghost / 8; gain, distance, next checkpoint as above; beams / 2; 1 for each of these "
     "cards that is left then; and, but for the last register, lines as above to where a robot going straight stops",
     _LOW * CARDS, _HIGH * CARDS),
))  # fmt: skip
SIZE = sum(part.length for part in PARTS)
AROUND = SIZE - CARDS * AFTER  # numbers before what cards lead to


@kernel
def left_to_go(maps, course, number, in_order, place, state):
    """Quarter registers from a state to the last checkpoint; `number` is the next checkpoint, or NOBODY."""
    if number == NOBODY or number >= course.checkpoints:
        return 0.0
    base = course.distance_at[number]
    if base < 0:
        return 0.0
    away = float(maps.distance[base + place * STATES + state])
    return min(FAR, away + (course.to_go[number + 1] if in_order else 0.0))


@kernel
def after_column(maps, course, game, r, k, in_order, places, state, number, column):
    """A card's column of the solo table in register k: (state, next checkpoint, fell)."""
    after = np.int64(maps.solo[course.solo_at[k], state, column])
    fell = after < 0
    if fell:
        after = np.int64(back_at(game, r, ~after))
    if number != NOBODY and number < course.checkpoints and course.track[number, places[k + 1, number]] == after >> 2:
        number = number + 1 if in_order and number + 1 < course.checkpoints else np.int64(NOBODY)
    return after, number, fell


@kernel
def place_at(places, k, number):
    """Where along its track a checkpoint is after k registers."""
    return places[k, number] if number != NOBODY and number < places.shape[1] else np.int64(0)


@kernel
def begin_ghost(maps, game, r, pose):
    """Put robot r's ghost where it stands, before its first register: `pose` [POSE]."""
    course = maps.courses[planned_at(maps, game)]
    cell = np.int64(cell_to_go_from(game, r))
    pose[STATE] = cell * 4 + game.facing[r] if cell >= 0 else -1
    pose[GOAL] = next_checkpoint(course, game, r)
    pose[BEFORE] = WAIT
    pose[ENDED] = ON if cell >= 0 else FELL
    pose[UNSURE] = 0
    pose[REACHED] = 0


@kernel
def move_ghost(maps, game, r, k, card, places, pose):
    """Let robot r's ghost carry out a card of its hand in register k (0..4), and the machines act; NONE: no card."""
    course = maps.courses[planned_at(maps, game)]
    if pose[STATE] < 0 or pose[ENDED] == FINISHED:
        return
    kind = np.int64(kind_of_card(game, card)) if card != cards.NONE else np.int64(cards.NONE)
    goal = np.int64(pose[GOAL])
    column = np.int64(WAIT)
    if pose[ENDED] == ON and kind != cards.NONE:
        column = np.int64(column_of(course, game, kind, np.int64(pose[BEFORE]), np.int64(pose[STATE]), goal))
        if kind >= cards.SPAM and kind <= cards.TROJAN_HORSE:
            pose[UNSURE] += 1
    in_order = next_in_order(course, game, r) != NOBODY
    after, number, fell = after_column(maps, course, game, r, k, in_order, places, np.int64(pose[STATE]), goal, column)
    pose[STATE] = after
    pose[BEFORE] = column
    if fell:
        pose[ENDED] = FELL
    if number != goal:
        pose[REACHED] += 1
        pose[GOAL] = number
        if number == NOBODY:
            pose[ENDED] = FINISHED


@kernel
def gain_there(maps, course, game, r, k, in_order, places, state, goal, here, column):
    """The distance gained in register k from a state by a column of the solo table, clipped; -MOST if it falls."""
    after, number, fell = after_column(maps, course, game, r, k, in_order, places, state, goal, column)
    if fell:
        return -MOST
    gain = (here - left_to_go(maps, course, number, in_order, place_at(places, k + 1, number), after)) * UNIT
    return max(-MOST, min(MOST, gain))


@kernel
def stands(course, x, y):
    """Whether a robot can stand on a cell."""
    if x < 0 or y < 0 or x >= WIDTH or y >= HEIGHT:
        return False
    cell = y * WIDTH + x
    return course.on_board[cell] != 0 and course.pit[cell] == 0 and cell != course.antenna


@kernel
def line_cell(i):
    """Cell i of the lines: (cells ahead, cells to the right)."""
    if i == 0:
        return 0, 0
    side, step = (i - 1) // LINE, (i - 1) % LINE + 1
    if side == 0:
        return step, 0
    if side == 1:
        return 0, step
    return (-step, 0) if side == 2 else (0, -step)


@kernel
def write_target(course, places, k, goal, x, y, heading, out):
    """Write where the next checkpoint is after k registers, from a cell, as one faces there: `out` [3]."""
    if goal == NOBODY or goal >= course.checkpoints:
        return
    mark = np.int64(course.track[goal, places[k, goal]])
    if mark >= 0:
        dx, dy = ahead_of(heading)
        u, v = mark % WIDTH - x, mark // WIDTH - y
        out[0] = (u * dx + v * dy) * 0.0625
        out[1] = (v * dx - u * dy) * 0.0625
        out[2] = 1.0


@kernel
def ahead_of(heading):
    """The cell ahead: (to the right, down) on the map."""
    dx = 1 if heading == 1 else -1 if heading == 3 else 0
    dy = -1 if heading == 0 else 1 if heading == 2 else 0
    return dx, dy


@kernel
def step_straight(course, cell, direction):
    """Where a robot on a cell comes by a step: the same cell at a wall, -1 off the board and in a pit."""
    dx, dy = ahead_of(direction)
    x, y = cell % WIDTH + dx, cell // WIDTH + dy
    if course.walls[cell] >> direction & 1 or (y * WIDTH + x == course.antenna and 0 <= x < WIDTH):
        return cell
    return y * WIDTH + x if stands(course, x, y) else np.int64(-1)


@kernel
def write_after(maps, course, game, r, k, in_order, places, pose, here, card, counts, out):
    """Write what is seen of the place to which a card takes robot r's ghost in register k (0..4): `out` [AFTER]."""
    state, goal = np.int64(pose[STATE]), np.int64(pose[GOAL])
    column = np.int64(column_of(course, game, card, np.int64(pose[BEFORE]), state, goal))
    after, number, fell = after_column(maps, course, game, r, k, in_order, places, state, goal, column)
    cell, heading = after >> 2, after & 3
    finished = number != goal and number == NOBODY
    out[0] = fell
    out[1] = finished
    out[2] = number != goal
    out[3 + ((heading - state) & 3)] = 1.0
    dx, dy = ahead_of(state & 3)
    x, y = cell % WIDTH, cell // WIDTH
    u, v = x - (state >> 2) % WIDTH, y - (state >> 2) // WIDTH
    out[7] = (u * dx + v * dy) * 0.125
    out[8] = (v * dx - u * dy) * 0.125
    there = left_to_go(maps, course, number, in_order, place_at(places, k + 1, number), after)
    out[9] = -MOST if fell else max(-MOST, min(MOST, (here - there) * UNIT))
    out[10] = min(4.0, there / 64.0)
    write_target(course, places, k + 1, number, x, y, heading, out[11:14])
    out[14] = min(MOST_SHOWN, course.beams_on[cell] * 0.5)
    for kind in range(CARDS):
        out[15 + kind] = counts[kind] - (1.0 if kind + 1 == card else 0.0) > 0.5
    if fell or finished or k + 1 == FIVE:
        return
    for turn in range(4):
        facing = (heading + turn) & 3
        out[AFTER_LINES + turn] = gain_there(
            maps, course, game, r, k + 1, in_order, places, cell * 4 + facing, number, there, WAIT
        )
    for side in range(4):
        to = cell
        for step in range(LINE):
            at = AFTER_LINES + 4 * (1 + side * LINE + step)
            stopped = to
            if to >= 0:
                to = np.int64(step_straight(course, to, (heading + side) & 3))
            if to < 0:
                out[at : at + 4] = -MOST
            elif to == stopped:
                same = at - 4 if step > 0 else AFTER_LINES
                for turn in range(4):
                    out[at + turn] = out[same + turn]
            else:
                for turn in range(4):
                    facing = (heading + turn) & 3
                    out[at + turn] = gain_there(
                        maps, course, game, r, k + 1, in_order, places, to * 4 + facing, number, there, WAIT
                    )


@kernel
def write_ghost(maps, game, r, k, places, pose, counts, out):
    """Write the vector of robot r's ghost before register k (0..4) into `out` f4 [SIZE], which is zeroed first;
    `counts` f4 [KINDS] are the cards that are left."""
    out[:] = 0.0
    out[k] = 1.0
    at = FIVE
    course = maps.courses[planned_at(maps, game)]
    state = np.int64(pose[STATE])
    if state < 0:
        out[at + 6] = 1.0
        return
    own = np.int64(cell_to_go_from(game, r))
    facing = np.int64(game.facing[r])
    heading = state & 3
    x, y = (state >> 2) % WIDTH, (state >> 2) // WIDTH
    u, v = x - own % WIDTH, y - own // WIDTH
    dx, dy = ahead_of(facing)
    out[at] = (u * dx + v * dy) * 0.125
    out[at + 1] = (v * dx - u * dy) * 0.125
    at += 2
    out[at + ((heading - facing) & 3)] = 1.0
    at += 4
    out[at] = 1.0 if pose[ENDED] == FELL else 0.0
    out[at + 1] = 1.0 if pose[ENDED] == FINISHED else 0.0
    out[at + 2] = 1.0 if pose[UNSURE] > 0 else 0.0
    out[at + 3] = pose[REACHED] * 0.5
    at += 4
    goal = np.int64(pose[GOAL])
    in_order = next_in_order(course, game, r) != NOBODY
    here = left_to_go(maps, course, goal, in_order, place_at(places, k, goal), state)
    out[at] = min(4.0, here / 64.0)
    at += 1
    write_target(course, places, k, goal, x, y, heading, out[at : at + 3])
    dx, dy = ahead_of(heading)
    at += 3
    if pose[ENDED] != ON:
        return
    for card in range(1, CARDS + 1):
        taken = np.int64(column_of(course, game, card, np.int64(pose[BEFORE]), state, goal))
        out[at] = gain_there(maps, course, game, r, k, in_order, places, state, goal, here, taken)
        at += 1
    for i in range(LINES):
        ahead, right = line_cell(i)
        u, v = x + ahead * dx - right * dy, y + ahead * dy + right * dx
        if stands(course, u, v):
            cell = v * WIDTH + u
            for turn in range(4):
                out[at + turn] = gain_there(
                    maps, course, game, r, k, in_order, places, cell * 4 + ((heading + turn) & 3), goal, here, WAIT
                )
        else:
            for turn in range(4):
                out[at + turn] = -MOST
        at += 4
    for row in range(ROWS):
        for column in range(COLUMNS):
            ahead, right = AHEAD - row, column - SIDE
            u, v = x + ahead * dx - right * dy, y + ahead * dy + right * dx
            if stands(course, u, v):
                cell = v * WIDTH + u
                out[at] = gain_there(maps, course, game, r, k, in_order, places, cell * 4 + heading, goal, here, WAIT)
                out[at + AREA] = (course.walls[cell] >> heading) & 1
                out[at + 2 * AREA] = (course.walls[cell] >> ((heading + 1) & 3)) & 1
                out[at + 3 * AREA] = min(MOST_SHOWN, course.beams_on[cell] * 0.5)
            else:
                out[at] = -MOST
            at += 1
    at += 3 * AREA
    for q in range(game.players):
        if q == r or game.cell[q] < 0:
            continue
        u, v = game.cell[q] % WIDTH - x, game.cell[q] // WIDTH - y
        ahead = u * dx + v * dy
        right = v * dx - u * dy
        if ahead <= AHEAD and ahead >= -BEHIND and abs(right) <= SIDE:
            out[at + (AHEAD - ahead) * COLUMNS + right + SIDE] = 1.0
    at += AREA
    for card in range(1, CARDS + 1):
        if counts[card - 1] > 0.5:
            write_after(maps, course, game, r, k, in_order, places, pose, here, card, counts, out[at : at + AFTER])
        at += AFTER


@kernel
def replay_ghost(maps, game, r, slots, filled, pose, places):
    """Put robot r's ghost where the first `filled` of `slots` [5] take it: `pose` [POSE], `places` [6, 8]. In
    a closed register it carries out the card that lies there; a slot that is used already counts as no card. Returns
    the used slots as bits."""
    begin_ghost(maps, game, r, pose)
    follow_tracks(maps.courses[planned_at(maps, game)], game, places)
    shut, used = np.int64(closed(game, r)), np.int64(0)
    for k in range(filled):
        card = np.int64(cards.NONE)
        if shut >> k & 1:
            card = np.int64(game.registers[r, k])
        elif not used >> slots[k] & 1:
            card = np.int64(game.hand[r, slots[k]])
            used |= np.int64(1) << slots[k]
        move_ghost(maps, game, r, k, card, places, pose)
    return used


@kernel
def count_cards(game, r, used, counts):
    """Count robot r's hand by kind, without the slots of the bit set `used`: `counts` f4 [KINDS]."""
    counts[:] = 0.0
    for slot in range(game.hand.shape[1]):
        card = game.hand[r, slot]
        if card != cards.NONE and not used >> slot & 1:
            counts[np.int64(kind_of_card(game, card)) - 1] += 1.0


@kernel
def ghosts_of(maps, games, rows, seats, slots, filled, out):
    """Write the ghost's vectors of seats of games, `games[rows[i]]` and `seats[i]`, into `out` f4 [n, SIZE].

    `slots` i8 [n, 5] are the hand slots chosen so far, which fill `filled` i8 [n] registers. The vector is zeros
    unless `filled` is a register (0..4), and for robots that are not programmed.
    """
    pose, places = np.zeros(POSE, np.int32), np.zeros((FIVE + 1, MAX_CHECKPOINTS), np.int64)
    counts = np.empty(KINDS, np.float32)
    for i in range(rows.shape[0]):
        game, r, k = games[rows[i]], seats[i], filled[i]
        if k < 0 or k >= FIVE or not programs_now(game, r):
            out[i, :] = 0.0
            continue
        used = np.int64(replay_ghost(maps, game, r, slots[i], k, pose, places))
        count_cards(game, r, used, counts)
        write_ghost(maps, game, r, k, places, pose, counts, out[i])
