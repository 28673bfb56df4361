"""Special rules about pushes: Day of the SuperBot, Capture the Flag (2005 course manual p. 25 and 31)."""

import numpy as np

from roborally_env.core.editions.e2005.flags import drop_flag, drop_flags
from roborally_env.core.editions.e2005.superbot import note_hit
from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics.gears_and_panels import push_panels
from roborally_env.core.mechanics.movement import robot_at
from roborally_env.core.state import NOBODY
from roborally_env.courses.special import CAPTURE_THE_FLAG, SUPERBOT


@kernel
def note_push(course, game, r, touched, direction):
    """Robot r is about to push the robot next to it, if the line can move."""
    if not game.special & (SUPERBOT | CAPTURE_THE_FLAG) or not line_moves(course, game, touched, direction):
        return
    if game.special & SUPERBOT:
        note_hit(game, touched, r)
    if game.special & CAPTURE_THE_FLAG:
        note_line(course, game, r, touched, direction)


@kernel
def note_shift(course, game, r, target, direction):
    """A weapon of robot r is about to push its target, if the line can move."""
    if game.special & CAPTURE_THE_FLAG and line_moves(course, game, target, direction):
        note_line(course, game, r, target, direction)


@kernel
def line_moves(course, game, first, direction):
    """Whether a push of robot `first` moves it and those in line before it."""
    cell = np.int64(game.cell[first])
    while True:
        to = np.int64(course.next[cell, direction])
        if to < 0:
            return to < -1
        if robot_at(game, to) == NOBODY:
            return True
        cell = to


@kernel
def note_line(course, game, r, first, direction):
    """Capture the Flag, for all robots in the line (R10): carriers on enemy boards lose their flags, and enemies pushed
    on robot r's home board will leave the board."""
    at_home = on_own_board(course, game, r)
    q = first
    while q != NOBODY:
        if not on_own_board(course, game, q):
            drop_flags(course, game, q)
        if at_home and game.team[q] != game.team[r]:
            game.pushers[q] |= 1 << r
        to = np.int64(course.next[game.cell[q], direction])
        q = robot_at(game, to) if to >= 0 else NOBODY


@kernel
def on_own_board(course, game, r):
    """Whether robot r is on its team's home board."""
    return course.board[game.cell[r]] == game.home[game.team[r]]


@kernel
def push_by_panels(course, game):
    """The pushers of the board push; carriers on enemy boards lose their flags where they were pushed."""
    if not game.special & CAPTURE_THE_FLAG:
        push_panels(course, game)
        return
    first, second = cell_of_carrier(game, 0), cell_of_carrier(game, 1)
    push_panels(course, game)
    for flag in range(2):
        r, before = np.int64(game.carrier[flag]), first if flag == 0 else second
        if r != NOBODY and game.cell[r] != before and course.board[before] != game.home[game.team[r]]:
            drop_flag(course, game, flag, before)


@kernel
def cell_of_carrier(game, flag):
    """The cell of the robot that carries a flag; the cell of robot 0 if nobody does."""
    return np.int64(game.cell[max(0, np.int64(game.carrier[flag]))])
