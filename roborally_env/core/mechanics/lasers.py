"""Lasers: all hits of a group are found first, then dealt (R32 to R35)."""

import numpy as np

from roborally_env.core import log
from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics.piles import take_damage
from roborally_env.core.mechanics.places import COLUMN, column_of, row_of
from roborally_env.core.rule import rule
from roborally_env.core.rule_options import RULE_TWO_ENDED_BOTH
from roborally_env.core.state import NOBODY


@kernel
def fire_board_lasers(course, game):
    """Each board laser hits the first robot in its line, once for each beam. Fills `hits`."""
    seats = game.cell.shape[0]
    beams = 0
    for r in range(seats):
        if game.cell[r] >= 0:
            beams |= int(course.beams_at[game.cell[r]])
    if beams == 0:
        return
    for i in range(course.lasers):
        if not beams >> i & 1:
            continue
        r = first_in_beam(course, game, i)
        if r == NOBODY:  # the robots in line with the laser are on other levels
            continue
        other_end = int(course.laser_pair[i])
        if other_end >= 0 and other_end < i and not game.rules & RULE_TWO_ENDED_BOTH:
            if first_in_beam(course, game, other_end) == r:
                continue
        game.hits[r] += course.laser_beams[i]
        note_direction(game, r, course.laser_out[i], course.laser_beams[i])
        log.log_long(game, log.BOARD_LASER, r, course.laser_cell[i], course.laser_out[i], course.laser_beams[i])


@rule
def note_direction(game, r, direction, beams):
    """Store the direction from which the beams come."""


@rule
def first_in_beam(course, game, laser):
    """The robot nearest to the emitter of a laser, among those in its beam, or NOBODY."""
    first, nearest = NOBODY, 1 << 30
    for r in range(game.cell.shape[0]):
        cell = game.cell[r]
        if cell >= 0 and int(course.beams_at[cell]) >> laser & 1:
            away = abs(cell - course.laser_cell[laser])
            if away < nearest:
                first, nearest = r, away
    return first


@rule
def target_in(course, game, shooter, facing):
    """The first robot that a robot's shot in a direction hits, or NOBODY."""
    cell = int(game.cell[shooter])
    end = int(course.ray_end[cell, facing])
    low, high = (cell, end) if end > cell else (end, cell)
    upright = facing & 1 == 0
    target, nearest = NOBODY, 1 << 30
    for r in range(game.cell.shape[0]):
        at = int(game.cell[r])
        if at >= low and at <= high and r != shooter and not (upright and column_of(at - cell) != 0):
            away = abs(at - cell)
            if away < nearest:
                target, nearest = r, away
    return target


@kernel
def robots_in_line(game):
    """The robots that share a row or a column with another robot, as bits: no others can shoot or be shot."""
    seats = game.cell.shape[0]
    lined = 0
    for r in range(seats):
        for q in range(r + 1, seats):
            apart = game.cell[r] ^ game.cell[q]
            if (column_of(apart) == 0 or row_of(apart) == 0) and game.cell[q] >= 0:
                lined |= 1 << r | 1 << q
    return lined


@kernel
def robots_aiming(game, around):
    """The robots that have another robot straight ahead at any distance, as bits: no others can hit one.

    Those of the bit set `around` may also have it behind them.
    """
    aiming = 0
    for r in range(game.players):
        here, facing = int(game.cell[r]), int(game.facing[r])
        across = COLUMN if facing & 1 == 0 else ~COLUMN  # the bits in which cells of its line agree
        backward = (facing + 1 & 2) - 1 >> 1  # 0 to the east and south, where the numbers of cells grow; else -1
        both_ways = around >> r & 1
        for q in range(game.players):
            there = int(game.cell[q])
            away = (there - here ^ backward) - backward
            seen = (away > 0) | ((away < 0) & (both_ways != 0))
            aiming |= int(seen & ((here ^ there) & across == 0) & (there >= 0)) << r
    return aiming


@rule
def silent(game):
    """The robots that do not shoot, as bits: powered down, or in virtual mode."""
    return 0


@kernel
def fire_robot_lasers(course, game):
    """Each robot that has not rebooted in this round shoots the first robot ahead (R18, R35).

    Then the SPAM is dealt.
    """
    shooters = robots_aiming(game, 0) & ~(np.int64(game.rebooted) | silent(game))
    if shooters:
        shoot(course, game, shooters, 0)


@kernel
def shoot(course, game, shooters, spared):
    """The robots of a bit set shoot ahead; those of the bit set `spared` are not hit."""
    hit = 0
    for r in range(game.players):
        if shooters >> r & 1:
            target = target_in(course, game, r, game.facing[r])
            if target != NOBODY and not spared >> target & 1:
                hit = 1
                game.hits[target] += 1
                log.log(game, log.ROBOT_LASER, target, r)
    if hit:
        deal_spam_for_hits(game)


@kernel
def deal_spam_for_hits(game):
    """Deal one SPAM for each hit, in turn order, and clear `hits`."""
    for place in range(game.players):
        r = int(game.order[place])
        while game.hits[r] > 0:
            game.hits[r] -= 1
            take_damage(game, r, 0)
