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
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from roborally_env.base.errors import CourseError
from roborally_env.base.types import DType, NamedValues
from roborally_env.core.cards import DECK_COUNTS
from roborally_env.core.editions import game_dtype
from roborally_env.core.rule_options import game_of, rule_values
from roborally_env.core.searching.arrival import follow_leg, share_standing
from roborally_env.core.searching.distances import (
    ACTIONS,
    COSTS,
    STATES,
    CourseMaps,
    costs_for,
    states_of_ramps,
    with_ramps,
)
from roborally_env.core.searching.reachability import fill_reached, fill_safe, share_falling
from roborally_env.core.state import REGISTERS
from roborally_env.courses.grids import Grid
from roborally_env.courses.model import EDITIONS, Course
from roborally_env.courses.tables import HAS_BUTTONS, MOST_RAMP_STATES, WIDTH, compile_tables, tables_of

_WAIT = ACTIONS - 1
_FIRST = np.uint8(1)  # the first register, as in `reached_alone`
_NONE: NDArray[np.bool_] = np.zeros((0, 0, 0), np.bool_)
_FACINGS = np.arange(4)
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


def proof_of(course: Course, maps: CourseMaps | None = None, alone: NDArray[np.uint8] | None = None) -> Proof:
    """Whether robots can always finish on a course, which has docks and checkpoints; `maps`: its own, if known, and
    `alone`: the result of `reached_alone` for them."""
    maps = maps or maps_for(course)
    tables, actions = maps.tables, _actions(maps.dtype)
    ramps = states_of_ramps(tables[0])
    if len(ramps) > MOST_RAMP_STATES:
        return Proof(f"buttons bring about more than {MOST_RAMP_STATES} states of the ramps", maps)
    archives = [] if EDITIONS[course.edition].tokens else _archives(course)
    if alone is None or archives:
        alone = _reached([maps], archives)
    reached = alone
    falls = share_of_falls(maps, reached)
    if len(ramps) > 1:
        moves = _moves_by_ramps(maps, ramps)
        return Proof(_shut_out(maps, moves, actions), maps, falls, moves[1:])
    problem = _stuck(maps, reached, actions)
    if archives and not problem:  # a robot that comes back on one of these cells must not only fall again
        back = np.isin(np.arange(STATES) >> 2, archives)
        problem = _stuck(maps, reached & ~_FIRST | back * _FIRST, actions, fall=False)
    return Proof(problem, maps, falls)


def reached_alone(maps: CourseMaps) -> NDArray[np.uint8]:
    """u1 [STATES]: at the start of which registers, as bits, a robot alone, which comes back on start spaces and
    tokens, can be in each state."""
    return _reached([maps])


def share_of_falls(maps: CourseMaps, alone: NDArray[np.uint8]) -> float:
    """`Proof.falls`, which does not depend on where checkpoints lie where there are reboot tokens."""
    return float(share_falling(maps.solo, maps.alike, alone, _actions(maps.dtype)))


def chances_to_stand(course: Course, maps: CourseMaps) -> list[float]:
    """For each reboot token, or each flag where there are none, the chance that a robot which comes back on it, with
    any facing, has not fallen again after two rounds of random cards; ramps are as at the start."""
    actions = _actions(maps.dtype)
    cells = [(x, y) for x, y, _ in course.reboots] or [(x, y) for _, x, y in course.checkpoints]
    return [
        float(share_standing(maps.solo, maps.states, (y * WIDTH + x) * 4 + _FACINGS, actions, 2 * REGISTERS))
        for x, y in cells
    ]


def robots_alone(course: Course, maps: CourseMaps, enough: float) -> tuple[list[float], float]:
    """Follow robots, each alone and with few cards to choose from, from one checkpoint to the next.

    Each leg begins in a round, with checkpoints and ramps as at the start. Returns by leg the share that has not
    arrived after LATE rounds, and how often board lasers hit a robot on the whole way, its mean. A leg is not followed
    further once the share is `enough` or less, nor are the legs after one on which it is more.
    """
    cards = cards_of_actions(maps)
    beams = maps.tables["beams_on"][0]
    start: NDArray[np.float64] = np.zeros(STATES)
    start[[(y * WIDTH + x) * 4 + course.start_facing for _, x, y in course.docks]] = 1 / len(course.docks)
    late: list[float] = []
    hits = 0.0
    for i, (block, (_, x, y)) in enumerate(zip(maps.blocks, course.checkpoints, strict=True)):
        length, loop = maps.follow(i)
        leg = (block.reshape(length, STATES), maps.track[i], loop, maps.costs, maps.fall)
        ahead = (cards, CHOICE, beams, maps.states, start, LATE, enough)
        left, hit = follow_leg(maps.solo, maps.alike, *leg, *ahead)
        late.append(left)
        hits += hit
        if left > enough:
            break
        start[:] = 0.0
        start[(y * WIDTH + x) * 4 : (y * WIDTH + x) * 4 + 4] = 0.25
    return late, hits


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


def maps_for(course: Course, *, still: bool = False) -> CourseMaps:
    """The solo moves and distances of a course, by its edition's rules without options; see `CourseMaps`."""
    return CourseMaps(tables_of(course), _dtype(course.edition), still=still)


def moves_for(course: Course, grid: Grid) -> CourseMaps:
    """The solo moves alone, and which of them switch ramps, if there are buttons; `grid`: what lies on the course."""
    tables = compile_tables(course, grid)
    switched = bool(tables["has"][0] & HAS_BUTTONS)
    return CourseMaps(tables, _dtype(course.edition), checkpoints=False, switched=switched)


def _dtype(edition: str) -> DType:
    return game_dtype(game_of(edition, rule_values(edition, {})))


def _actions(dtype: DType) -> int:
    """How many of the actions a card can carry out: in 2005 no card waits."""
    costs, _ = costs_for(dtype)
    return ACTIONS if costs[_WAIT] <= COSTS[_WAIT] else ACTIONS - 1


def _reached(variants: Sequence[CourseMaps], archives: Sequence[int] = ()) -> NDArray[np.uint8]:
    """`reached_alone`, by the moves of any of these maps of a course.

    `archives`: cells on which robots may come back, the start spaces among them; none: on these and tokens.
    """
    first = variants[0]
    course = first.tables[0]
    docks = np.array(archives or course.dock[: course.docks], np.int16)
    reached = np.zeros(STATES, np.uint8)
    moves = np.stack([each.solo for each in variants]) if len(variants) > 1 else first.solo[None]
    fill_reached(moves, first.alike, docks, int(course.start_facing), _actions(first.dtype), reached)
    return reached


def _stuck(
    maps: CourseMaps, reached: NDArray[np.uint8], actions: int, shut: NDArray[np.bool_] = _NONE, *, fall: bool = True
) -> str:
    """A problem if from one of the states, at the start of a round, a checkpoint cannot be reached; see `fill_safe`."""
    numbers = range(int(maps.tables["checkpoints"][0]))
    walks = [_walk(*maps.follow(number), maps.registers) for number in numbers]
    goals = [maps.track[number, walk.places] for number, walk in zip(numbers, walks, strict=True)]
    lengths = [len(each) for each in goals]
    ends = np.cumsum(lengths)
    starts = ends - lengths
    safe = np.zeros((STATES, -(-int(ends[-1]) // 64)), np.uint64)
    fill_safe(
        maps.solo, shut, fall, maps.alike, np.flatnonzero(reached).astype(np.int16), actions,
        np.concatenate([walk.registers for walk in walks]), np.concatenate(goals), ends - 1,
        starts + [walk.loop for walk in walks], safe,
    )  # fmt: skip
    first = np.flatnonzero(reached & _FIRST)
    ways = safe[first]
    everywhere = sum(word << 64 * i for i, word in enumerate(np.bitwise_and.reduce(ways, axis=0).tolist()))
    for number, start, walk in zip(numbers, starts.tolist(), walks, strict=True):
        missing = (walk.rounds << start) & ~everywhere
        if missing:
            at = (missing & -missing).bit_length() - 1  # in this moment
            lost = first[ways[:, at >> 6] >> np.uint64(at & 63) & np.uint64(1) == 0]
            return f"checkpoint {number + 1} cannot be reached from {_cell(lost[0] >> 2)}"
    return ""


class _Walk(NamedTuple):
    """The moments of a race, a register each, until all is as it was before: see `fill_safe`.

    registers: which is played. places: of a checkpoint on its track, at its end. loop: the moment after the last one.
    rounds: those with which a round begins, as bits.
    """

    registers: NDArray[np.int64]
    places: NDArray[np.int64]
    loop: int
    rounds: int


@lru_cache(maxsize=1024)
def _walk(length: int, loop: int, registers: int) -> _Walk:
    """The moments, if a checkpoint has a track as `CourseMaps.follow` returns it."""
    seen: dict[tuple[int, int], int] = {}  # (register, place of the checkpoint) -> moment
    register = place = 0
    places = []
    while (register, place) not in seen:
        seen[register, place] = len(seen)
        place = place + 1 if place + 1 < length else loop
        register = (register + 1) % registers
        places.append(place)
    back, moment, rounds = seen[register, place], 0, 0
    while not rounds >> moment & 1:
        rounds |= 1 << moment
        for _ in range(REGISTERS):
            moment = moment + 1 if moment + 1 < len(seen) else back
    return _Walk(np.array([k for k, _ in seen]), np.array(places), back, rounds)


def _moves_by_ramps(maps: CourseMaps, ramps: list[int]) -> tuple[CourseMaps, ...]:
    """Maps with the solo moves in each state of the ramps, the first of which is that of `maps`."""
    if not maps.switched.size:
        maps = CourseMaps(maps.tables, maps.dtype, checkpoints=False, switched=True)
    options: NamedValues = {"checkpoints": False, "other_ramps": maps}
    return (maps, *(CourseMaps(with_ramps(maps.tables, on), maps.dtype, **options) for on in ramps[1:]))


def _shut_out(maps: CourseMaps, variants: Sequence[CourseMaps], actions: int) -> str:
    """A problem if in some state of the ramps a robot could not go on without switching one."""
    reached = _reached(variants)
    buttons = np.flatnonzero(maps.tables[0].button)
    on_button = np.isin(np.arange(STATES) >> 2, buttons)
    standing = np.flatnonzero(on_button & (reached & _FIRST != 0))
    if not all(_leaves_buttons(variant.solo, standing, buttons) for variant in variants):
        return "a robot on a button cannot leave it"
    for variant in variants:
        problem = _stuck(variant, np.where(on_button, np.uint8(0), reached), actions, variant.switched)
        if problem:
            return f"{problem} without switching a ramp"
    return ""


def _leaves_buttons(solo: NDArray[np.int16], standing: NDArray[np.int64], buttons: NDArray[np.int64]) -> bool:
    """Whether robots that stand on buttons in these states get off them, by a step or after turns on the spot."""
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


def check_raced(course: Course) -> None:
    """Raise a CourseError for a course without start spaces or checkpoints."""
    if not course.docks:
        raise CourseError(f"course {course.slug} has no start spaces; expected one on which robots start from them")
    if not course.checkpoints:
        word = EDITIONS[course.edition].checkpoint
        raise CourseError(f"course {course.slug} has no {word}s; expected one on which robots race to them")
