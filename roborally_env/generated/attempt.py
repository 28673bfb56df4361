"""One attempt at a course: a ground, tokens and checkpoints on it, and why most are thrown away."""

from __future__ import annotations

import dataclasses
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from roborally_env.core.searching.distances import FAR, CourseMaps
from roborally_env.courses.checks import course_issues
from roborally_env.courses.model import EDITIONS, Course
from roborally_env.courses.tables import WIDTH, with_checkpoints
from roborally_env.generated import placement, printed
from roborally_env.generated.draws import Draws
from roborally_env.generated.layout import (
    BoardSource,
    Layout,
    StartBoard,
    clashes,
    falls_by_cards,
    open_share,
    share_beamed,
)
from roborally_env.generated.limits import BOARDS
from roborally_env.generated.procedural import depth_of, make_start_board, paint_board, symmetry_of
from roborally_env.generated.proof import (
    chances_to_stand,
    moves_for,
    proof_of,
    reached_alone,
    robots_alone,
    share_of_falls,
)
from roborally_env.generated.specification import Specification
from roborally_env.generated.style import STYLES

FALLS = "falls would cost too much"
APART = "no checkpoints are as far apart as asked for"
JOINTS = 6  # ways in which the same boards are put together
# Checkpoints that are tried on the same ground where robots have lives: three grounds of four have too many pits and
# beams, and those that do not are worth more than one try.
ORDERS = 4
# A robot with random cards falls so often as the share of cards that end in a fall, times the registers of the way.
# `scripts/experiments/check_generated.py` has shown up to where `greedy` finishes nearly always.
LOST = 24.0  # registers that it so loses by the ways back from reboot tokens, at most
MOST_FALLS = 2.8  # how often it so falls where robots have lives, at most
# Where robots have lives, others that push and shoot cost them too: the share of cards that end in a fall, and that of
# cells in a beam at this weight, are together so large at most, or the way is short.
DEADLY, BEAMS = 0.09, 0.3
SHORT = 70.0  # quarter registers
HARMS = 3.5  # both together, how often on the whole way, at most
DOOMED = 0.14  # both together on no way at all
HITS = 12.0  # how often beams of board lasers hit a robot on its way, at most; ten of them cost it a life
LIKELY = 1.1  # the fraction of cards that end in a fall is about this multiple of `falls_by_cards`
LATE_SHARE = 0.2  # maximum fraction of robots that have not reached a checkpoint after twelve rounds
# Minimum probability of surviving two rounds after a reboot: the mean over all tokens, and the worst token. With less,
# a crowd of four may reboot for ever. In games with lives each flag must have the first: below it a crowd loses all its
# lives.
STANDS, STANDS_ANYWHERE = 0.25, 0.12


class Drawn(NamedTuple):
    """A course with its maps, by its edition's rules without options.

    moves: maps with the solo moves of each other state of the ramps; see `Proof`.
    """

    course: Course
    maps: CourseMaps
    moves: tuple[CourseMaps, ...]


def attempted(spec: Specification, draws: Draws) -> Drawn | str:
    """A course of the specification's home, or why it was thrown away."""
    most = 1.0 if spec.pits is not None else _OPEN[EDITIONS[spec.home].tokens].get(spec.difficulty or 3, 1.0)
    ground = _ground(spec, draws, most)
    if isinstance(ground, str):
        return ground
    moving = EDITIONS[spec.home].riding or bool(spec.moving)
    share = STYLES[spec.home].moving
    if spec.moving is None and share is not None:
        moving = draws.chance(share)
    reboots = placement.tokens(ground, draws)
    if reboots is None:
        return "no room for reboot tokens"
    cells = placement.candidates(ground, reboots, moving, draws)
    if len(cells) < (spec.checkpoints or 1):
        return "no room for the checkpoints"
    trial = ground.course(reboots, tuple(cells), moving, spec.players, bare=True)
    moves = moves_for(trial, ground.grid)
    alone = reached_alone(moves)
    falls = share_of_falls(moves, alone)
    least = 0.0 if spec.difficulty is None else placement.least_way(spec)
    if not trial.reboots and _longest_way(trial, moves, falls) < least:  # which distances do not show there
        return FALLS
    maps = CourseMaps(moves.tables, moves.dtype, still=True, moves=moves)
    longest = _longest_way(trial, maps, falls)
    if longest < least:
        return FALLS
    site = _Site(spec, ground, reboots, tuple(cells), moving, trial, maps, alone, longest)
    if trial.reboots:
        return _with_checkpoints(site, set(), draws)
    found, hard, apart = APART, set[tuple[int, int]](), False
    for _ in range(ORDERS):
        if apart:
            site, hard = _with_candidates(site, draws), set()
        result = _with_checkpoints(site, hard, draws)
        if isinstance(result, Drawn):
            return result
        apart = result == APART
        if apart and spec.fair:  # on another ground start spaces are more likely to be equally good
            break
        found = found if apart else result
    return found


class _Site(NamedTuple):
    """A ground on which checkpoints are looked for.

    cells: of the candidates. trial, maps: a course with all of them. alone: see `reached_alone`. longest: the most
    quarter registers of the way to the last checkpoint.
    """

    spec: Specification
    ground: Layout
    reboots: tuple[tuple[int, int, int], ...]
    cells: tuple[tuple[int, int], ...]
    moving: bool
    trial: Course
    maps: CourseMaps
    alone: NDArray[np.uint8]
    longest: float


def _with_candidates(site: _Site, draws: Draws) -> _Site:
    """Other candidates on the same ground, where robots have lives."""
    cells = tuple(placement.candidates(site.ground, site.reboots, site.moving, draws))
    trial = site.ground.course(site.reboots, cells, site.moving, site.spec.players, bare=True)
    known = site.maps
    maps = CourseMaps(with_checkpoints(known.tables, trial), known.dtype, still=True, moves=known)
    return site._replace(cells=cells, trial=trial, maps=maps)


def _with_checkpoints(site: _Site, hard: set[tuple[int, int]], draws: Draws) -> Drawn | str:
    """A course with some of the candidates as checkpoints, or why it is thrown away.

    `hard`: legs that are too hard, as `placement.choose` wants them; one that is found to be so is put into it.
    """
    spec, ground, maps = site.spec, site.ground, site.maps
    order = placement.choose(site.trial, maps, ground, spec, site.longest, hard, draws)
    if order is None:
        return APART
    course = ground.course(site.reboots, tuple(site.cells[i] for i in order), site.moving, spec.players)
    tables = with_checkpoints(maps.tables, course)
    known = CourseMaps(tables, maps.dtype, moves=maps, lying=[maps.blocks[i] for i in order])
    if not placement.meets_specification(course, known, ground, spec, site.longest):
        return APART
    late, hits = robots_alone(course, known, LATE_SHARE)
    if late[-1] > LATE_SHARE:
        leg = len(late) - 1
        hard.add((order[leg - 1] if leg else placement.START, order[leg]))
        return "a checkpoint is hard to get to"
    if hits > HITS and not course.reboots:
        return "beams on the way would cost too much"
    stands = chances_to_stand(course, known)
    if sum(stands) / len(stands) < STANDS or min(stands) < (STANDS_ANYWHERE if course.reboots else STANDS):
        return "reboots would lead to more falls"
    proof = proof_of(course, known, site.alone)
    if proof.problem:
        return "a robot could be lost"
    docks = [(y * WIDTH + x) * 4 + course.start_facing for _, x, y in course.docks]
    way = float(known.blocks[0][docks].mean()) + float(known.to_go[1])
    if way > _longest_way(course, known, proof.falls):
        return FALLS
    for issue in course_issues(course, reachability=False):
        return str(issue)
    return Drawn(course, known, proof.moves)


def _longest_way(course: Course, maps: CourseMaps, falls: float) -> float:
    """How many quarter registers the way to the last checkpoint may have, by the share of cards that end in a fall."""
    if not course.reboots:
        return _way_with_lives(falls, _beams(maps))
    return 4 * LOST / _way_back(course, maps) / falls if falls else float("inf")


def _looks_deadly(ground: Layout, spec: Specification) -> bool:
    """Whether `_longest_way`, where robots have lives, will hardly be as long as the way has to be. It needs no tables,
    which take longer than all before."""
    if EDITIONS[ground.edition].tokens or spec.difficulty is None or placement.least_way(spec) < SHORT:
        return False
    falls = LIKELY * falls_by_cards(ground)
    return _way_with_lives(falls, share_beamed(ground)) < placement.least_way(spec)


def _way_with_lives(falls: float, beams: float) -> float:
    """How many quarter registers the way to the last checkpoint may have where robots have lives, by the share of cards
    that end in a fall and that of cells in a beam."""
    harms = falls + BEAMS * beams
    if harms > DEADLY:
        return SHORT if harms <= DOOMED else 0.0
    ways = (4 * most / share for most, share in ((MOST_FALLS, falls), (HARMS, harms)) if share)
    return min(ways, default=float("inf"))


def _beams(maps: CourseMaps) -> float:
    """The share of cells that a board laser's beam crosses, those that two cross counted twice."""
    beams, on_board = (maps.tables[name][0] for name in ("beams_on", "on_board"))
    return float(beams[on_board != 0].mean())


def _way_back(course: Course, maps: CourseMaps) -> float:
    """The mean registers from a reboot token to a checkpoint as it lies at the start, of those that have a way."""
    tokens = np.array([(y * WIDTH + x) * 4 for x, y, _ in course.reboots])[:, None] + np.arange(4)
    ways = np.array([block[tokens].min(axis=1) for block in maps.blocks])
    return float(ways[ways < FAR].mean()) / 4 if (ways < FAR).any() else float("inf")


def _ground(spec: Specification, draws: Draws, most: float) -> Layout | str:
    """Boards with a start board, or why there is none. It ends as soon as more than the share `most` of steps would end
    in a fall, whatever is drawn from then on: each attempt has draws of its own."""
    home = spec.home
    only_made = spec.needs_made_boards or not STYLES[home].printed
    made = spec.way == "made" or (spec.way == "any" and (only_made or draws.chance(0.5)))
    count = spec.boards or draws.weighted((1, 2, 3, 4), BOARDS[spec.difficulty or 3])
    boards: list[BoardSource] = []
    if made:
        width, height = _size(spec, draws)
        dangers = None if spec.difficulty is None else _DANGERS[spec.difficulty]
        for wish in _wishes(spec, count):
            room = printed.room_for_pits(boards, count, width, height, depth_of(home), most)
            boards.append(paint_board(home, width, height, wish, draws, dangers, room))
            if printed.least_open(boards, count, width, height, depth_of(home)) > most:
                return FALLS
    else:
        boards += printed.drawn_boards(home, count, draws, most)
        if not boards:
            return FALLS
    players = spec.players or EDITIONS[spec.edition].players[1]

    def start_for(length: int) -> StartBoard:
        starts = [start for start in printed.printed_starts(home) if start.length == length]
        starts = [start for start in starts if spec.symmetry in ("any", symmetry_of(start))]
        # with one board and one or two checkpoints, few courses with a printed start board differ
        few = count == 1 and not EDITIONS[home].tokens and spec.difficulty in (None, 2)
        own = 0.5 if made else 0.75 if few else 0.0
        if spec.fair or not starts or spec.difficulty == 1 or (own and draws.chance(own)):
            return make_start_board(home, players, draws, fair=spec.fair, length=length, symmetry=spec.symmetry)
        return draws.one(starts)

    for _ in range(JOINTS):
        ground = printed.joined(home, boards, start_for, draws)
        if ground is not None and (open_share(ground) > most or _looks_deadly(ground, spec)):
            return FALLS
        if ground is not None and not clashes(ground):
            return ground
    return "the boards do not fit together"


def _wishes(spec: Specification, count: int) -> list[Specification]:
    """The specifications of several boards: ramps lie on one, because a proof goes through all states of ramps."""
    if "heights" not in STYLES[spec.home].shares or spec.heights is not None:
        return [spec] * count
    return [spec] + [dataclasses.replace(spec, heights=0.0, way="made")] * (count - 1)


def _size(spec: Specification, draws: Draws) -> tuple[int, int]:
    """Columns and rows of made boards: mostly those of printed ones."""
    usual = draws.weighted(*STYLES[spec.home].sizes)
    return spec.width or spec.height or usual[0], spec.height or spec.width or usual[1]


# for long ways, whether there are reboot tokens: the share of steps that end in a fall, at most. Above it hardly a
# course passes the limits of LOST and MOST_FALLS, which take tables and distances to know.
_OPEN = {True: {4: 0.11, 5: 0.09}, False: {3: 0.105, 4: 0.095, 5: 0.085}}
# by band: that of the boards' pits, lasers and pushers; long ways are difficult enough
_DANGERS = {1: 1, 2: 2, 3: 3, 4: 2, 5: 1}
