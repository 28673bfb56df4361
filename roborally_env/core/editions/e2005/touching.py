"""E. Touch flags and repair sites (2005 rulebook p. 8; R60, R62, R65)."""

import numpy as np

from roborally_env.core import log, options
from roborally_env.core.chance import below
from roborally_env.core.editions.e2005.flags import take_or_return
from roborally_env.core.editions.e2005.specials import is_blocker, touches_flags
from roborally_env.core.editions.e2005.table import has, on_any_table
from roborally_env.core.kernel import kernel
from roborally_env.core.state import NOBODY
from roborally_env.courses.special import CAPTURE_THE_FLAG, CLAIMS, SHARED_FLAGS, TURNING_BOARDS
from roborally_env.courses.tables import WIDTH

BY_ROWS = (7, 0, 1, 6, 2, 5, 4, 3)  # the cells around (clockwise from north) by row, then column
FLAG, SITE, OPTION_SITE, NEXT_FLAG = 1, 1, 2, 3  # the value of a space for a Mechanical Arm


@kernel
def flag_on(game, r, cell):
    """The flag (from 0) that robot r touches on a cell, its next one before others; NOBODY if the cell has none."""
    found = NOBODY
    for flag in range(game.checkpoint.shape[0]):
        if game.checkpoint[flag] == cell and (found == NOBODY or flag == game.reached[r]):
            found = flag
    return NOBODY if is_blocker(game, r) else found


@kernel
def wants(game, r, flag):
    """Whether a flag does something for robot r, or its team, beyond moving the archive marker."""
    if game.special & CAPTURE_THE_FLAG:
        return flag != game.home[game.team[r]]
    if game.special & CLAIMS:
        return game.claim[flag] != game.team[r]
    return touches_flags(game, r) and flag == game.reached[r]


@kernel
def worth(course, game, r, cell):
    """The value of what robot r can touch on a cell: 0 for nothing, else FLAG, SITE, OPTION_SITE or NEXT_FLAG."""
    flag = flag_on(game, r, cell)
    if flag != NOBODY and wants(game, r, flag):
        return NEXT_FLAG
    return max(np.int64(course.repair[cell]), FLAG if flag != NOBODY else 0)


@kernel
def touched_cell(course, game, r):
    """The cell whose flag or repair site robot r touches: its own, or with Mechanical Arm the best in reach (R65)."""
    here = np.int64(game.cell[r])
    if not on_any_table(game, options.MECHANICAL_ARM) or not has(game, r, options.MECHANICAL_ARM):
        return here
    best, best_worth = here, worth(course, game, r, here)
    for i in range(8):
        cell = neighbour(course, here, BY_ROWS[i])
        if cell >= 0 and worth(course, game, r, cell) > best_worth:
            best, best_worth = cell, worth(course, game, r, cell)
    return best


@kernel
def neighbour(course, cell, around):
    """A neighbour of a cell (`around` 0..7 clockwise from north); -1 off the boards or behind a wall.

    A diagonal neighbour can be reached if one of the two ways around the corner is free of walls.
    """
    direction = around >> 1
    if around & 1 == 0:
        return beyond(course, cell, direction)
    other = (direction + 1) & 3
    for turn in range(2):
        first, second = (direction, other) if turn == 0 else (other, direction)
        middle = beyond(course, cell, first)
        if middle >= 0:
            corner = beyond(course, middle, second)
            if corner >= 0:
                return corner
    return -1


@kernel
def beyond(course, cell, direction):
    """The next cell in a direction; -1 off the boards or behind a wall. Pits do not matter."""
    if course.walls[cell] >> direction & 1:
        return -1
    x, y = cell % WIDTH, cell // WIDTH
    x += (direction == 1) - (direction == 3)
    y += (direction == 2) - (direction == 0)
    if x < 0 or y < 0 or x >= course.width or y >= course.height:
        return -1
    to = y * WIDTH + x
    return to if course.on_board[to] else -1


@kernel
def touch(course, game):
    """Each robot touches one flag or repair site and moves its archive marker there."""
    credited = 0
    for place in range(game.players):
        r = np.int64(game.order[place])
        if game.cell[r] < 0:
            continue
        cell = touched_cell(course, game, r)
        flag = flag_on(game, r, cell)
        if flag == NOBODY and not course.repair[cell]:
            continue
        if game.archive[r] != cell:
            game.archive[r] = cell
            log.log(game, log.ARCHIVE, r, cell)
        if flag != NOBODY:
            credited |= touch_flag(course, game, r, flag) << r
    credit(course, game, credited)


@kernel
def touch_flag(course, game, r, flag):
    """Robot r touches a flag. Returns 1 if this counts: the flag is its next one, or is claimed; else 0."""
    if game.special & TURNING_BOARDS and below(game, 2) == 1:
        turn_board(course, game, r)
    if game.special & CAPTURE_THE_FLAG:
        take_or_return(course, game, r, flag)
        return 0
    if game.special & CLAIMS:
        if game.claim[flag] != game.team[r]:
            game.claim[flag] = game.team[r]
            log.log(game, log.CLAIMED, r, flag + 1)
        return 1
    return 1 if wants(game, r, flag) else 0


@kernel
def turn_board(course, game, r):
    """The board that robot r is on turns a quarter clockwise; robots and flags stay (Frenetic Factory)."""
    board = np.int64(course.board[game.cell[r]])
    code = np.int64(course.turn_code[board])
    if code == 0:
        return  # a board that cannot turn: the docking bay
    turned = (game.turned[board] + 1) & 3
    game.tables_at += code * (turned - np.int64(game.turned[board]))
    game.turned[board] = turned
    log.log(game, log.BOARD_TURNED, r, board, turned)


@kernel
def credit(course, game, credited):
    """Credit the robots of a bit set with their next flags; of several that touch the last flag the fastest wins
    (R62)."""
    if game.special & CLAIMS:
        count_claims(course, game, credited)
        return
    for place in range(game.players):
        r = np.int64(game.order[place])
        if not credited >> r & 1:
            continue
        number = np.int64(game.reached[r]) + 1
        for q in range(game.players):
            if q == r or (game.special & SHARED_FLAGS and game.team[q] == game.team[r]):
                game.reached[q] = number
                credited &= ~(1 << q)
        log.log(game, log.CHECKPOINT, r, number)
        if number == course.checkpoints and game.winner == NOBODY:
            game.winner = r
            log.log(game, log.WIN, r)


@kernel
def count_claims(course, game, touching):
    """Toggle Boggle: count each team's flags; a team with all flags wins, by its first robot that touches one now."""
    for place in range(game.players):
        r = np.int64(game.order[place])
        held = 0
        for flag in range(course.checkpoints):
            held += game.claim[flag] == game.team[r]
        game.reached[r] = held
        if held == course.checkpoints and touching >> r & 1 and game.winner == NOBODY:
            game.winner = r
            log.log(game, log.WIN, r)
