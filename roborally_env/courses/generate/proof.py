"""Whether a race on a course can always be finished, proved on the solo tables.

Proved is: a robot alone that starts on any start space, whatever it does, can from then on reach every checkpoint (and
so all in order), with some cards. Falling counts as a way, because the robot comes back. Of ramps with buttons more is
proved than needed: in every state of the ramps that buttons can bring about, robots get from wherever they can be to
every checkpoint without touching a button, so nothing that others press can shut them out.

Without reboot tokens (2005) a robot that falls is back on its archive marker. It may lie on any start space, flag or
repair site, and from each of them robots must get to every checkpoint without another fall.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from roborally_env.core.editions import game_dtype
from roborally_env.core.rule_options import game_of, rule_values
from roborally_env.core.searching.distances import (
    ACTIONS,
    COSTS,
    STATES,
    CourseMaps,
    costs_of_actions,
    registers_that_differ,
)
from roborally_env.core.searching.reaching import fill_reached, fill_safe
from roborally_env.core.state import REGISTERS
from roborally_env.courses.model import EDITIONS, Course
from roborally_env.courses.tables import MAX_TOKENS, PIT, WIDTH, tables_of

MOST_RAMPS = 8  # states of the ramps that a proof goes through
_WAIT = ACTIONS - 1


class Proof(NamedTuple):
    """What has been found.

    problem: "" if the course is solvable, else what is wrong. maps: those of the course as it is at the start.
    falls: the share of cards after which a robot falls, over all places and facings that it gets into while ramps are
        as at the start.
    """

    problem: str
    maps: CourseMaps
    falls: float = 0.0


def proof_of(course: Course, maps: CourseMaps | None = None) -> Proof:
    """Whether robots can always finish on a course, which has docks and checkpoints; `maps`: its own, if known."""
    maps = maps or maps_for(course)
    tables, actions = maps.tables, _actions(maps.dtype)
    ramps = _states_of_ramps(tables[0])
    if len(ramps) > MOST_RAMPS:
        return Proof(f"buttons bring about more than {MOST_RAMPS} states of the ramps", maps)
    archives = [] if EDITIONS[course.edition].tokens else _archives(course)
    reached = _reached([maps.solo], tables[0], actions, archives)
    falls = float((maps.solo[:, :, :actions] < 0)[reached].mean())
    if len(ramps) > 1:
        return Proof(_shut_out(maps, ramps, actions), maps, falls)
    problem = _stuck(maps, reached, actions) or (_falls_again(maps, reached, archives, actions) if archives else "")
    return Proof(problem, maps, falls)


def share_of_falls(course: Course, maps: CourseMaps) -> float:
    """`Proof.falls`, which does not depend on where checkpoints lie where there are reboot tokens."""
    actions = _actions(maps.dtype)
    reached = _reached([maps.solo], maps.tables[0], actions)
    return float((maps.solo[:, :, :actions] < 0)[reached].mean())


def falls_are_short_cuts(course: Course, maps: CourseMaps) -> bool:
    """Whether distances from a start space or a checkpoint to the next one are shorter with a fall.

    The distances of editions without reboot tokens have it that a robot then is on the first start space, but it is
    back on its archive marker. A bot that follows them falls again and again until it has no life left.
    """
    bare = CourseMaps(maps.tables, maps.dtype, solo=_without_falls(maps))
    marks = [y * WIDTH + x for _, x, y in course.checkpoints]
    places = [[y * WIDTH + x for _, x, y in course.docks], *([cell] for cell in marks)]
    for cells, way, dry in zip(places, maps.blocks, bare.blocks, strict=False):
        states = (np.array(cells)[:, None] * 4 + np.arange(4)).ravel()
        if (way[states] < dry[states]).any():
            return True
    return False


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
    free = maps.tables[0].on_board & (maps.tables[0].pit == 0)
    solo = maps.solo.copy()
    solo[solo < 0] = int(np.flatnonzero(free == 0)[-1]) * 4
    return solo


def maps_for(course: Course, *, still: bool = False, solo: NDArray[np.int16] | None = None) -> CourseMaps:
    """The solo moves and distances of a course, by its edition's rules without options; see `CourseMaps`."""
    return CourseMaps(tables_of(course), _dtype(course.edition), still=still, solo=solo)


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
    if len(solos) == 1:
        fill_reached(solos[0], docks, int(course.start_facing), actions, reached)
        return reached
    moves = np.concatenate([solo[:, :, :actions] for solo in solos], axis=2)
    fill_reached(moves, docks, int(course.start_facing), moves.shape[2], reached)
    return reached


def _stuck(maps: CourseMaps, reached: NDArray[np.bool_], actions: int) -> str:
    """A problem if from one of the states, at the start of a round, a checkpoint cannot be reached."""
    states = np.flatnonzero(reached.any(axis=0)).astype(np.int16)
    for number in range(int(maps.tables[0].checkpoints)):
        moments = _moments(maps, number)
        safe = np.zeros((len(moments.goals), STATES), np.bool_)
        fill_safe(maps.solo, states, actions, moments.registers, moments.goals, moments.loop, safe)
        lost = np.flatnonzero(reached[0] & ~safe[moments.rounds].all(axis=0))
        if len(lost):
            return f"checkpoint {number + 1} cannot be reached from {_cell(lost[0] >> 2)}"
    return ""


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
    count = int(registers_that_differ(maps.tables[0]))
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


def _states_of_ramps(course: Any) -> list[int]:
    """The sets of ramps, as bits, that can be on: what the buttons make of those that are on at the start."""
    masks = sorted({int(mask) for mask in course.button if mask})
    found = [int(course.ramps_on)]
    for on in found:  # grows as it goes on
        found += [on ^ mask for mask in masks if on ^ mask not in found]
        if len(found) > MOST_RAMPS:
            break
    return found


def _shut_out(maps: CourseMaps, ramps: list[int], actions: int) -> str:
    """A problem if in some state of the ramps a robot could not go on without touching a button."""
    variants = [_with_ramps(maps.tables, on) for on in ramps]
    solos = [CourseMaps(variant, maps.dtype, checkpoints=False).solo for variant in variants]
    reached = _reached(solos, maps.tables[0], actions)
    buttons = np.flatnonzero(maps.tables[0].button)
    on_button = np.isin(np.arange(STATES) >> 2, buttons)
    if not all(_leaves_buttons(solo, reached[0] & on_button, buttons) for solo in solos):
        return "a robot on a button cannot leave it"
    for variant in variants:
        shut = CourseMaps(_with_pits(variant, buttons), maps.dtype, checkpoints=False)
        touched = (shut.solo < 0) & np.isin(~shut.solo >> 2, buttons)
        shut.solo[touched] = buttons[0] * 4  # where nobody is, and from where there is no way
        problem = _stuck(shut, reached & ~on_button, actions)
        if problem:
            return f"{problem} without touching a button"
    return ""


def _leaves_buttons(solo: NDArray[np.int16], states: NDArray[np.bool_], buttons: NDArray[np.int64]) -> bool:
    """Whether robots in these states on buttons get off them, by a step or after turns on the spot."""
    standing = np.flatnonzero(states)
    ends = solo[0][standing].astype(np.int64)
    good = np.zeros(STATES, np.bool_)
    for _ in range(4):
        here = (ends >> 2 == standing[:, None] >> 2) & good[np.maximum(ends, 0)]
        off = (ends >= 0) & ~np.isin(ends >> 2, buttons)
        good[standing] = (here | off).any(axis=1)
    return bool(good[standing].all())


def _with_ramps(tables: NDArray[Any], on: int) -> NDArray[Any]:
    variant = tables.copy()
    variant["ramps_on"] = on
    return _closed(variant)


def _with_pits(tables: NDArray[Any], buttons: NDArray[np.int64]) -> NDArray[Any]:
    """Tables with pits in place of buttons, out of which robots come back in the pit itself: so they tell who touched
    a button."""
    variant = tables.copy()
    for cell in buttons:
        variant["pit"][0, cell] = 1
        for name in ("next", "belt_to"):
            ways = variant[name][0]
            ways[ways == cell] = PIT - cell
    variant["token"][0, buttons] = MAX_TOKENS - 1
    variant["token_cell"][0, MAX_TOKENS - 1] = buttons[0]
    return _closed(variant)


def _closed(tables: NDArray[Any]) -> NDArray[Any]:
    tables.setflags(write=False)
    return tables


def _cell(cell: int) -> str:
    return f"x={cell % WIDTH}, y={cell // WIDTH}"
