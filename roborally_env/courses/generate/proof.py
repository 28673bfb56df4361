"""Whether a race on a course can always be finished, proved on the solo tables.

Proved is: a robot alone that starts on any start space, whatever it does, can from then on reach every checkpoint (and
so all in order), with some cards. Falling counts as a way, because the robot comes back. Of ramps with buttons more is
proved than needed: in every state of the ramps that buttons can bring about, robots get from wherever they can be to
every checkpoint without switching a ramp, so nothing that others press can shut them out.

Without reboot tokens (2005) a robot that falls is back on its archive marker. It may lie on any start space, flag or
repair site, and from each of them robots must get to every checkpoint without another fall.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from roborally_env.core.cards import DECK_COUNTS
from roborally_env.core.editions import game_dtype
from roborally_env.core.rule_options import game_of, rule_values
from roborally_env.core.searching.arriving import share_standing, share_underway
from roborally_env.core.searching.distances import (
    ACTIONS,
    COSTS,
    STATES,
    CourseMaps,
    costs_of_actions,
    registers_alike,
    states_of_ramps,
    with_ramps,
)
from roborally_env.core.searching.reaching import fill_reached, fill_safe, fill_safe_at_once, share_falling
from roborally_env.core.state import REGISTERS
from roborally_env.courses.model import EDITIONS, Course
from roborally_env.courses.tables import HAS_BUTTONS, MOST_RAMP_STATES, WIDTH, compile_tables, tables_of

_WAIT = ACTIONS - 1
CHOICE = 3  # cards for a register: about what nine cards for five registers leave to choose from
LATE = 12  # rounds


class Proof(NamedTuple):
    """What has been found.

    problem: "" if the course is solvable, else what is wrong. maps: those of the course as it is at the start.
    falls: the share of cards after which a robot falls, over all places and facings that it gets into while ramps are
        as at the start.
    moves: maps with the solo moves of each other state of the ramps, in the order of `states_of_ramps`, as far as the
        proof has come to them.
    """

    problem: str
    maps: CourseMaps
    falls: float = 0.0
    moves: tuple[CourseMaps, ...] = ()


def proof_of(course: Course, maps: CourseMaps | None = None, alone: NDArray[np.bool_] | None = None) -> Proof:
    """Whether robots can always finish on a course, which has docks and checkpoints; `maps`: its own, if known, and
    `alone`: what `reached_alone` tells of them."""
    maps = maps or maps_for(course)
    tables, actions = maps.tables, _actions(maps.dtype)
    ramps = states_of_ramps(tables[0])
    if len(ramps) > MOST_RAMP_STATES:
        return Proof(f"buttons bring about more than {MOST_RAMP_STATES} states of the ramps", maps)
    archives = [] if EDITIONS[course.edition].tokens else _archives(course)
    if alone is None or archives:
        alone = _reached([maps.solo], tables[0], actions, archives)
    reached = alone
    falls = float(share_falling(maps.solo, reached, actions))
    if len(ramps) > 1:
        moves = _moves_by_ramps(maps, ramps)
        return Proof(_shut_out(maps, moves, actions), maps, falls, moves[1:])
    problem = _stuck(maps, reached, actions) or (_falls_again(maps, reached, archives, actions) if archives else "")
    return Proof(problem, maps, falls)


def reached_alone(maps: CourseMaps) -> NDArray[np.bool_]:
    """b1 [5, STATES]: the states that a robot alone gets into, which comes back on start spaces and tokens."""
    return _reached([maps.solo], maps.tables[0], _actions(maps.dtype))


def share_of_falls(maps: CourseMaps, alone: NDArray[np.bool_]) -> float:
    """`Proof.falls`, which does not depend on where checkpoints lie where there are reboot tokens."""
    return float(share_falling(maps.solo, alone, _actions(maps.dtype)))


def chance_to_stand(course: Course, maps: CourseMaps) -> float:
    """The chance that a robot which comes back on a reboot token, with any facing, has not fallen again after two
    rounds of random cards; ramps are as at the start."""
    cells = np.array([(y * WIDTH + x) * 4 for x, y, _ in course.reboots])
    tokens = np.unique(cells[:, None] + np.arange(4))
    return float(share_standing(maps.solo, maps.states, tokens, _actions(maps.dtype), 2 * REGISTERS))


def has_hard_leg(course: Course, maps: CourseMaps, most: float) -> bool:
    """Whether more than this share of robots, each alone and with few cards to choose from, has not got from one
    checkpoint to the next after LATE rounds. Each leg begins in a round, with checkpoints and ramps as at the start."""
    cards, alike = cards_of_actions(maps), registers_alike(maps.tables)
    start: NDArray[np.float64] = np.zeros(STATES)
    start[[(y * WIDTH + x) * 4 + course.start_facing for _, x, y in course.docks]] = 1 / len(course.docks)
    for i, (block, (_, x, y)) in enumerate(zip(maps.blocks, course.checkpoints, strict=True)):
        length, loop = maps.follow(i)
        leg = (block.reshape(length, STATES), maps.track[i], loop, maps.costs, maps.fall)
        if share_underway(maps.solo, alike, *leg, cards, CHOICE, maps.states, start, LATE, most) > most:
            return True
        start[:] = 0.0
        start[(y * WIDTH + x) * 4 : (y * WIDTH + x) * 4 + 4] = 0.25
    return False


def cards_of_actions(maps: CourseMaps) -> NDArray[np.int64]:
    """i8 [ACTIONS]: how many cards of a deck carry out each action."""
    cards: NDArray[np.int64] = DECK_COUNTS[1 : ACTIONS + 1].astype(np.int64)
    cards[_actions(maps.dtype) :] = 0
    return cards


def _archives(course: Course) -> list[int]:
    """The cells of start spaces, flags and repair sites."""
    sites = [(e.x, e.y) for e in course.elements if e.kind == "repair"]
    flags = [(x, y) for _, x, y in (*course.docks, *course.checkpoints)]
    return [y * WIDTH + x for x, y in (*flags, *sites)]


def _falls_again(maps: CourseMaps, reached: NDArray[np.bool_], archives: list[int], actions: int) -> str:
    """A problem if a robot that comes back on one of these cells could only fall again."""
    bare = copy(maps)
    bare.solo = _without_falls(maps)
    back = reached.copy()
    back[0] = np.isin(np.arange(STATES) >> 2, archives)
    return _stuck(bare, back, actions)


def _without_falls(maps: CourseMaps) -> NDArray[np.int16]:
    """The solo moves, those with a fall into a cell where nobody is and from where there is no way."""
    solo = maps.solo.copy()
    solo.ravel()[np.flatnonzero(solo < 0)] = _nowhere(maps.tables[0])
    return solo


def _nowhere(course: Any) -> int:
    """A state in which nobody is, and from where there is no way."""
    return int(np.flatnonzero((course.on_board == 0) | (course.pit != 0))[-1]) * 4


def maps_for(course: Course, *, still: bool = False) -> CourseMaps:
    """The solo moves and distances of a course, by its edition's rules without options; see `CourseMaps`."""
    return CourseMaps(tables_of(course), _dtype(course.edition), still=still)


def moves_for(course: Course) -> CourseMaps:
    """The solo moves alone, and which of them switch ramps, if there are buttons."""
    tables = compile_tables(course)
    switched = bool(tables["has"][0] & HAS_BUTTONS)
    return CourseMaps(tables, _dtype(course.edition), checkpoints=False, switched=switched)


def _dtype(edition: str) -> np.dtype[Any]:
    return game_dtype(game_of(edition, rule_values(edition, {})))


def _actions(dtype: np.dtype[Any]) -> int:
    """How many of the actions a card can carry out: in 2005 no card waits."""
    costs = costs_of_actions(np.zeros(1, dtype))
    return ACTIONS if costs[_WAIT] <= COSTS[_WAIT] else ACTIONS - 1


def _reached(
    solos: list[NDArray[np.int16]], course: Any, actions: int, archives: Sequence[int] = ()
) -> NDArray[np.bool_]:
    """b1 [5, STATES]: the states that a robot alone gets into, by the moves of any of the solo tables.

    `archives`: cells on which it may come back, the start spaces among them; none: on these and tokens.
    """
    docks = np.array(archives or course.dock[: course.docks], np.int16)
    reached = np.zeros((REGISTERS, STATES), np.bool_)
    moves = np.stack(solos) if len(solos) > 1 else solos[0][None]
    fill_reached(moves, docks, int(course.start_facing), actions, reached)
    return reached


def _stuck(maps: CourseMaps, reached: NDArray[np.bool_], actions: int) -> str:
    """A problem if from one of the states, at the start of a round, a checkpoint cannot be reached."""
    states = np.flatnonzero(reached.any(axis=0)).astype(np.int16)
    numbers = range(int(maps.tables["checkpoints"][0]))
    at_once = np.zeros((maps.registers, STATES), np.uint8)  # the checkpoints that lie still, as bits
    goals = np.array([maps.track[number, 0] if maps.follow(number)[0] == 1 else -1 for number in numbers], np.int64)
    if (goals >= 0).any():
        fill_safe_at_once(maps.solo, states, actions, goals, at_once)
    for number in numbers:
        if goals[number] >= 0:
            safe = (at_once[0] >> number & 1).astype(np.bool_)
        else:
            safe = _safe_on_track(maps, number, states, actions)
        lost = np.flatnonzero(reached[0] & ~safe)
        if len(lost):
            return f"checkpoint {number + 1} cannot be reached from {_cell(lost[0] >> 2)}"
    return ""


def _safe_on_track(maps: CourseMaps, number: int, states: NDArray[np.int16], actions: int) -> NDArray[np.bool_]:
    """b1 [STATES]: from where a checkpoint that belts carry is reached, whatever the round."""
    moments = _moments(maps, number)
    safe = np.zeros((len(moments.goals), STATES), np.bool_)
    fill_safe(maps.solo, states, actions, moments.registers, moments.goals, moments.loop, safe)
    return np.asarray(safe[moments.rounds].all(axis=0), np.bool_)


class _Moments(NamedTuple):
    """The registers of a race until all is as it was before: see `fill_safe`.

    rounds: those with which a round begins.
    """

    registers: NDArray[np.int64]
    goals: NDArray[np.int64]
    loop: int
    rounds: list[int]


def _moments(maps: CourseMaps, number: int) -> _Moments:
    length, loop = maps.follow(number)
    count = maps.registers
    seen: dict[tuple[int, int], int] = {}  # (register, place of the checkpoint) -> moment
    register = place = 0
    goals = []
    while (register, place) not in seen:
        seen[register, place] = len(seen)
        place = place + 1 if place + 1 < length else loop
        register = (register + 1) % count
        goals.append(int(maps.track[number, place]))
    back, moment, rounds = seen[register, place], 0, []
    while moment not in rounds:
        rounds.append(moment)
        for _ in range(REGISTERS):
            moment = moment + 1 if moment + 1 < len(seen) else back
    return _Moments(np.array([k for k, _ in seen]), np.array(goals), back, rounds)


def _moves_by_ramps(maps: CourseMaps, ramps: list[int]) -> tuple[CourseMaps, ...]:
    """Maps with the solo moves in each state of the ramps, the first of which is that of `maps`."""
    first = [maps] if maps.switched.size else []
    more = ramps[len(first) :]
    options: dict[str, Any] = {"checkpoints": False, "switched": True}
    return (*first, *(CourseMaps(with_ramps(maps.tables, on), maps.dtype, **options) for on in more))


def _shut_out(maps: CourseMaps, variants: Sequence[CourseMaps], actions: int) -> str:
    """A problem if in some state of the ramps a robot could not go on without switching one."""
    solos = [variant.solo for variant in variants]
    reached = _reached(solos, maps.tables[0], actions)
    buttons = np.flatnonzero(maps.tables[0].button)
    on_button = np.isin(np.arange(STATES) >> 2, buttons)
    if not all(_leaves_buttons(solo, reached[0] & on_button, buttons) for solo in solos):
        return "a robot on a button cannot leave it"
    nowhere = _nowhere(maps.tables[0])
    for variant in variants:
        shut = copy(variant)
        shut.solo = variant.solo.copy()
        shut.solo.ravel()[np.flatnonzero(variant.switched)] = nowhere
        problem = _stuck(shut, reached & ~on_button, actions)
        if problem:
            return f"{problem} without switching a ramp"
    return ""


def _leaves_buttons(solo: NDArray[np.int16], states: NDArray[np.bool_], buttons: NDArray[np.int64]) -> bool:
    """Whether robots in these states on buttons get off them, by a step or after turns on the spot."""
    standing = np.flatnonzero(states)
    ends = solo[0][standing].astype(np.int64)
    turns = ends >> 2 == standing[:, None] >> 2
    off = ((ends >= 0) & ~np.isin(ends >> 2, buttons)).any(axis=1)
    good = np.zeros(STATES, np.bool_)
    good[standing] = off
    for _ in range(3):
        good[standing] = off | (turns & good[np.maximum(ends, 0)]).any(axis=1)
    return bool(good[standing].all())


def _cell(cell: int) -> str:
    return f"x={cell % WIDTH}, y={cell // WIDTH}"
