"""Courses without end: `Generator`."""

from __future__ import annotations

import dataclasses
from collections import Counter
from copy import copy
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from roborally_env.arguments import check_whole
from roborally_env.core.searching.distances import FAR, CourseMaps, has_maps_like, with_variants
from roborally_env.courses.checks import course_issues
from roborally_env.courses.generate import arranged, placing
from roborally_env.courses.generate.draws import Draws
from roborally_env.courses.generate.layout import (
    Ground,
    Sheet,
    StartBoard,
    clashes,
    falls_by_cards,
    open_share,
    share_beamed,
)
from roborally_env.courses.generate.limits import BOARDS, SIZES, why_impossible
from roborally_env.courses.generate.made import depth_of, make_start_board, paint_board, symmetry_of
from roborally_env.courses.generate.names import slug_of, title_of
from roborally_env.courses.generate.proof import (
    chances_to_stand,
    moves_for,
    proof_of,
    reached_alone,
    robots_alone,
    share_of_falls,
)
from roborally_env.courses.generate.specification import (
    DENSITIES,
    MOVING,
    Specification,
    parse_specification,
    specified,
)
from roborally_env.courses.model import EDITIONS, Course
from roborally_env.courses.tables import WIDTH, compile_tables, with_checkpoints
from roborally_env.errors import RoboRallyError

VERSION = 1  # raised with each release in which a specification gives other courses than before
MOST_WORKERS = 1024
_FALLS = "falls would cost too much"
_APART = "no checkpoints are as far apart as asked for"
_BESIDES = {  # what to ask for where most attempts end so
    _FALLS: "fewer pits and lasers, a lower difficulty or more checkpoints",
    _APART: "another number of checkpoints or boards, or another difficulty",
}
JOINTS = 6  # ways in which the same boards are put together
ATTEMPTS = 1000  # to make one course; nearly all need fewer than ten
# A robot with random cards falls so often as the share of cards that end in a fall, times the registers of the way.
# `scripts/check_generated.py` has shown up to where `greedy` finishes nearly always.
LOST = 24.0  # registers that it so loses by the ways back from reboot tokens, at most
FALLS = 2.8  # how often it so falls where robots have lives, at most
# Where robots have lives, others that push and shoot cost them too: the share of cards that end in a fall, and that of
# cells in a beam at this weight, are together so large at most, or the way is short.
DEADLY, BEAMS = 0.09, 0.3
SHORT = 70.0  # quarter registers
HARMS = 3.5  # both together, how often on the whole way, at most
DOOMED = 0.14  # both together on no way at all
HITS = 12.0  # how often beams of board lasers hit a robot on its way, at most; ten of them cost it a life
LIKELY = 1.1  # the share of cards that end in a fall is about so many times that of `falls_by_cards`
LATE_SHARE = 0.2  # of robots that have not got to a checkpoint after twelve rounds, at most
# The chance that it does not fall again within two rounds of a reboot, at least: the mean over all tokens (where robots
# have lives, over all flags), and that of one. With less a crowd of four may come back for ever.
STANDS, STANDS_ANYWHERE = 0.25, 0.12


class Generator:
    """The courses of a specification, by number. Equal generators give equal courses, on every machine.

    >>> Generator(difficulty=3, seed=7).course(0)
    >>> Generator("generated:difficulty=3,seed=7").course(0)

    Args:
        specification: a Specification, or its text.
        workers: how many processes make courses ahead while races go on; 0: a thread of this process. The courses do
            not depend on it.
        options: instead of these, the fields of a Specification.

    Raises:
        RoboRallyError: for a wrong specification.
    """

    def __init__(self, specification: Specification | str | None = None, *, workers: int = 0, **options: Any) -> None:
        if specification is not None and options:
            raise RoboRallyError("Generator: expected a specification or its fields, got both")
        if isinstance(specification, str):
            specification = parse_specification(specification)
        if specification is not None and not isinstance(specification, Specification):
            raise RoboRallyError(f"Generator: expected a specification or its text, got {specification!r}")
        self.specification = specified(options) if specification is None else specification
        self.workers = check_whole(workers, "workers", 0, MOST_WORKERS)

    @property
    def edition(self) -> str:
        """The edition that races on the courses."""
        return self.specification.edition

    def number(self, word: int) -> int:
        """The number of the course that a race takes which drew these random bits."""
        spec = self.specification
        if spec.number is not None:
            return spec.number
        return word % (spec.levels or 2**32)

    def course(self, number: int | None = None) -> Course:
        """Course `number`; None: that of the specification, else 0. It is kept for a while.

        Raises:
            RoboRallyError: for a wrong number, and if no course fits the specification.
        """
        return _course(*self._place(number))

    def maps(self, number: int, dtype: np.dtype[Any]) -> CourseMaps:
        """The maps of course `number` for records of this dtype, those of other states of its ramps among them.

        Raises:
            RoboRallyError: as for `course`.
        """
        drawn = _drawn(*self._place(number))
        if self.edition != self.specification.home or not has_maps_like(drawn.maps.dtype, dtype):
            return with_variants(CourseMaps(compile_tables(drawn.course), dtype))
        found = copy(drawn.maps)
        found.dtype = dtype
        found = with_variants(found, drawn.moves)
        for each in (found, *found.variants):
            each.switched = np.zeros((0, 0, 0), np.bool_)  # nobody needs it any more
        return found

    def _place(self, number: int | None) -> tuple[Specification, int]:
        """The specification without numbers, and a course's number, checked."""
        spec = self.specification
        number = check_whole(spec.number or 0 if number is None else number, "number", 0, (spec.levels or 2**32) - 1)
        return dataclasses.replace(spec, levels=0, number=None), number

    def __repr__(self) -> str:
        return f"Generator({str(self.specification)!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Generator) and other.specification == self.specification

    def __hash__(self) -> int:
        return hash(self.specification)


def generator_for(given: Generator | Specification | str, edition: str | None = None) -> Generator:
    """The Generator of a Generator, a Specification or its text, for races of an edition.

    Raises:
        RoboRallyError: for a wrong text, or another edition than `edition`.
    """
    if isinstance(given, str):
        given = parse_specification(given, edition)
    found = given if isinstance(given, Generator) else Generator(given)
    if edition is not None and found.edition != edition:
        raise RoboRallyError(
            f"course: {found.specification} is of edition {found.edition}, the race is played by {edition}"
        )
    return found


class Drawn(NamedTuple):
    """A course with its maps, by its edition's rules without options.

    moves: maps with the solo moves of each other state of the ramps; see `Proof`.
    """

    course: Course
    maps: CourseMaps
    moves: tuple[CourseMaps, ...]


@lru_cache(maxsize=256)
def _course(spec: Specification, number: int) -> Course:
    return _drawn(spec, number).course


@lru_cache(maxsize=2)  # who asks for a course may ask for its maps next
def _drawn(spec: Specification, number: int) -> Drawn:
    return _tried(spec, number)[0]


def attempts(given: Generator | Specification | str, number: int) -> tuple[Course, Counter[str]]:
    """A course of a Generator, a Specification or its text, and how often others were thrown away before, by reason.

    Raises:
        RoboRallyError: for a wrong text or number, and if none of many fits the specification.
    """
    drawn, reasons = _tried(*generator_for(given)._place(number))
    return drawn.course, reasons


def _tried(spec: Specification, number: int) -> tuple[Drawn, Counter[str]]:
    """See `attempts`."""
    reason = why_impossible(spec)
    if reason:
        raise RoboRallyError(f"{spec}: {reason}")
    reasons: Counter[str] = Counter()
    text = str(spec).encode()
    for attempt in range(ATTEMPTS):
        found = attempted(spec, Draws(VERSION, number, attempt, *text))
        if isinstance(found, Drawn):
            return found._replace(course=_named(found.course, spec, number)), reasons
        reasons[found] += 1
    reason, count = reasons.most_common(1)[0]
    wanted = _BESIDES.get(reason, "less")
    raise RoboRallyError(f"{spec}: no course found in {ATTEMPTS} attempts; {count} times: {reason}; ask for {wanted}")


def attempted(spec: Specification, draws: Draws) -> Drawn | str:
    """A course of the specification's home, or why it was thrown away."""
    most = 1.0 if spec.pits is not None else _OPEN[EDITIONS[spec.home].tokens].get(spec.difficulty or 3, 1.0)
    ground = _ground(spec, draws, most)
    if isinstance(ground, str):
        return ground
    moving = EDITIONS[spec.home].riding or bool(spec.moving)
    if spec.moving is None and spec.home in MOVING:
        moving = draws.chance(MOVING[spec.home])
    reboots = placing.tokens(ground, draws)
    if reboots is None:
        return "no room for reboot tokens"
    cells = placing.candidates(ground, reboots, moving, draws)
    if len(cells) < (spec.checkpoints or 1):
        return "no room for the checkpoints"
    trial = ground.course(reboots, tuple(cells), moving, spec.players, bare=True)
    moves = moves_for(trial, ground.grid)
    alone = reached_alone(moves)
    falls = share_of_falls(moves, alone)
    least = 0.0 if spec.difficulty is None else placing.least_way(spec)
    if not trial.reboots and _longest_way(trial, moves, falls) < least:  # which distances do not tell there
        return _FALLS
    maps = CourseMaps(moves.tables, moves.dtype, still=True, moves=moves)
    longest = _longest_way(trial, maps, falls)
    if longest < least:
        return _FALLS
    order = placing.choose(trial, maps, ground, spec, longest, draws)
    if order is None:
        return _APART
    course = ground.course(reboots, tuple(cells[i] for i in order), moving, spec.players)
    for issue in course_issues(course, reachability=False):
        return str(issue)
    tables = with_checkpoints(moves.tables, course)
    known = CourseMaps(tables, moves.dtype, moves=moves, lying=[maps.blocks[i] for i in order])
    if not placing.is_as_asked(course, known, ground, spec, longest):
        return _APART
    proof = proof_of(course, known, alone)
    if proof.problem:
        return "a robot could be lost"
    return _problem(course, known, proof.falls) or Drawn(course, known, proof.moves)


def _problem(course: Course, maps: CourseMaps, falls: float) -> str:
    """Why robots may not finish in time."""
    docks = [(y * WIDTH + x) * 4 + course.start_facing for _, x, y in course.docks]
    way = float(maps.blocks[0][docks].mean()) + float(maps.to_go[1])
    if way > _longest_way(course, maps, falls):
        return _FALLS
    late, hits = robots_alone(course, maps, LATE_SHARE)
    if late > LATE_SHARE:
        return "a checkpoint is hard to get to"
    if hits > HITS and not course.reboots:
        return "beams on the way would cost too much"
    stands = chances_to_stand(course, maps)
    if sum(stands) / len(stands) < STANDS or min(stands) < STANDS_ANYWHERE:
        return "reboots would lead to more falls"
    return ""


def _longest_way(course: Course, maps: CourseMaps, falls: float) -> float:
    """How many quarter registers the way to the last checkpoint may have, by the share of cards that end in a fall."""
    if not course.reboots:
        return _way_with_lives(falls, _beams(maps))
    return 4 * LOST / _way_back(course, maps) / falls if falls else float("inf")


def _looks_deadly(ground: Ground, spec: Specification) -> bool:
    """Whether `_longest_way`, where robots have lives, will hardly be as long as the way has to be. It needs no tables,
    which take longer than all before."""
    if EDITIONS[ground.edition].tokens or spec.difficulty is None or placing.least_way(spec) < SHORT:
        return False
    falls = LIKELY * falls_by_cards(ground)
    return _way_with_lives(falls, share_beamed(ground)) < placing.least_way(spec)


def _way_with_lives(falls: float, beams: float) -> float:
    """How many quarter registers the way to the last checkpoint may have where robots have lives, by the share of cards
    that end in a fall and that of cells in a beam."""
    harms = falls + BEAMS * beams
    if harms > DEADLY:
        return SHORT if harms <= DOOMED else 0.0
    return min((4 * most / share for most, share in ((FALLS, falls), (HARMS, harms)) if share), default=float("inf"))


def _beams(maps: CourseMaps) -> float:
    """The share of cells that a board laser's beam crosses, those that two cross counted twice."""
    beams, on_board = (maps.tables[name][0] for name in ("beams_on", "on_board"))
    return float(beams[on_board != 0].mean())


def _way_back(course: Course, maps: CourseMaps) -> float:
    """The mean registers from a reboot token to a checkpoint as it lies at the start, of those that have a way."""
    tokens = np.array([(y * WIDTH + x) * 4 for x, y, _ in course.reboots])[:, None] + np.arange(4)
    ways = np.array([block[tokens].min(axis=1) for block in maps.blocks])
    return float(ways[ways < FAR].mean()) / 4 if (ways < FAR).any() else float("inf")


def _ground(spec: Specification, draws: Draws, most: float) -> Ground | str:
    """Boards with a start board, or why there is none. It ends as soon as more than the share `most` of steps would end
    in a fall, whatever is drawn from then on: each attempt has draws of its own."""
    home = spec.home
    made = spec.way == "made" or (spec.way == "any" and (spec.asks_for_made or draws.chance(0.5)))
    count = spec.boards or draws.weighted((1, 2, 3, 4), BOARDS[spec.difficulty or 3])
    boards: list[Sheet] = []
    if made:
        width, height = _size(spec, draws)
        dangers = None if spec.difficulty is None else _DANGERS[spec.difficulty]
        for wish in _wishes(spec, count):
            room = arranged.room_for_pits(boards, count, width, height, depth_of(home), most)
            boards.append(paint_board(home, width, height, wish, draws, dangers, room))
            if arranged.least_open(boards, count, width, height, depth_of(home)) > most:
                return _FALLS
    else:
        boards += arranged.drawn_boards(home, count, draws, most)
        if not boards:
            return _FALLS
    players = spec.players or EDITIONS[spec.edition].players[1]

    def start_for(length: int) -> StartBoard:
        printed = [start for start in arranged.printed_starts(home) if start.length == length]
        printed = [start for start in printed if spec.symmetry in ("any", symmetry_of(start))]
        # with one board and one or two checkpoints, few courses with a printed start board differ
        few = count == 1 and not EDITIONS[home].tokens and spec.difficulty in (None, 2)
        own = 0.5 if made else 0.75 if few else 0.0
        if spec.fair or not printed or spec.difficulty == 1 or (own and draws.chance(own)):
            return make_start_board(home, players, draws, fair=spec.fair, length=length, symmetry=spec.symmetry)
        return draws.one(printed)

    for _ in range(JOINTS):
        ground = arranged.joined(home, boards, start_for, draws)
        if ground is not None and (open_share(ground) > most or _looks_deadly(ground, spec)):
            return _FALLS
        if ground is not None and not clashes(ground):
            return ground
    return "the boards do not fit together"


def _wishes(spec: Specification, count: int) -> list[Specification]:
    """The specifications of several boards: ramps lie on one, because a proof goes through all states of ramps."""
    if spec.home not in DENSITIES["heights"] or spec.heights is not None:
        return [spec] * count
    return [spec] + [dataclasses.replace(spec, heights=0.0, way="made")] * (count - 1)


def _size(spec: Specification, draws: Draws) -> tuple[int, int]:
    """Columns and rows of made boards: mostly those of printed ones."""
    usual = draws.weighted(*SIZES[spec.home])
    return spec.width or spec.height or usual[0], spec.height or spec.width or usual[1]


# for long ways, whether there are reboot tokens: the share of steps that end in a fall, at most. Above it hardly a
# course passes the limits of LOST and FALLS, which take tables and distances to know.
_OPEN = {True: {4: 0.11, 5: 0.09}, False: {3: 0.105, 4: 0.095, 5: 0.085}}
# by band: that of the boards' pits, lasers and pushers; long ways are difficult enough
_DANGERS = {1: 1, 2: 2, 3: 3, 4: 2, 5: 1}


def _named(course: Course, spec: Specification, number: int) -> Course:
    """The course with its name, as the specification's edition races it."""
    one = dataclasses.replace(spec, number=number)
    found = dataclasses.replace(
        course,
        slug=slug_of(one),
        title=title_of(one),
        source=str(one),
        difficulty="" if spec.difficulty is None else str(spec.difficulty),
    )
    return dataclasses.replace(found, edition=spec.edition)
