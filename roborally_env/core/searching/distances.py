"""The maps of a set of courses: tables, solo moves, and distances that take belts into account.

The distance of a position (cell and facing at the start of a round) is the least cost of registers that bring a robot,
alone on the course, to its next checkpoint at the end of a register; belts, panels and gears act after each. The unit
is a quarter of a register: common cards cost 4, rare ones 5, a fall FALL_COST more; in 2005, where a robot comes back
at its archive marker, a fall is not a way. For a checkpoint that rides on belts the distance also depends on the
checkpoint's place on its track, which is periodic.
"""

import inspect
from collections import namedtuple
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from roborally_env.base.lazily import lazily
from roborally_env.base.registry import cache_until_registered
from roborally_env.compiling.fingerprint import sources_of
from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics.setup import clear
from roborally_env.core.rule import rule
from roborally_env.core.searching import shipped_maps
from roborally_env.core.searching.lanes import fill_distances
from roborally_env.core.state import LIGHTER, NOBODY, NOWHERE, REGISTERS, game_dtype, kind_of, kind_of_record
from roborally_env.courses.rotation import turn_codes, turned_by
from roborally_env.courses.tables import (
    CELLS,
    COURSE_DTYPE,
    HAS_BLUE,
    HAS_BUTTONS,
    HAS_GEARS,
    HAS_GREEN,
    HAS_MOVING,
    HAS_PANELS,
    HAS_RAMPS,
    HAS_TRAPDOORS,
    MAX_CHECKPOINTS,
    MOST_RAMP_STATES,
    TRACK,
    WIDTH,
    copied,
    tables_of,
)

# actions of the solo table: the eight cards that do something on the board or wait
ACTIONS = 8  # MOVE_1 .. U_TURN are cards 1..7, POWER_UP is 8: column = card - 1
WAIT = ACTIONS - 1
TURNS = (0, 0, 0, 0, 3, 1, 2, 0)  # quarter turns of the cards that do nothing else
MOVERS = HAS_BLUE | HAS_GREEN | HAS_PANELS | HAS_GEARS | HAS_RAMPS | HAS_TRAPDOORS  # the machines that move robots
NOT_ALONE = -1
CARD, MACHINES, BOTH = 1, 2, 4  # of a move; BOTH: those that cannot be taken apart
STEPS = (3, 5)  # of a robot by a card, and then by machines: three belts, a pusher, a ramp; at most
COSTS = np.array([4, 4, 5, 5, 4, 4, 5, 4], dtype=np.int64)  # quarters of a register
FALL_COST = 24  # added to the register's cost: the rest of the round, two SPAM or two damage tokens and a life
FAR = 60_000  # no way
MOST_PLACES = 64  # of checkpoints whose distances are made together: more take more cache than they save

STATES = CELLS * 4  # cell * 4 + facing

# courses    records [K], with the fields that this module fills in
# solo       i2 [S, STATES, 8]: the state after a register's card and elements; ~state if the robot fell. Registers in
#            which the same acts share a table; a record's `solo_at` has each register's
# distance   u2 [..]: all distance tables one after the other, each STATES long; if registers differ, those of a course
#            for a round's start, then those after one register, after two, three and four
Maps = namedtuple("Maps", "courses solo distance")


@kernel
def clear_scratch(game):
    """An empty course in register one: no robots, checkpoints or damage cards."""
    clear(game)
    game.players = 1
    for r in range(game.cell.shape[0]):
        game.cell[r] = NOWHERE
    for i in range(MAX_CHECKPOINTS):
        game.checkpoint[i] = NOWHERE


@rule
def set_ramps(course, game):
    """Set the ramps as at the start of a race."""


@rule(required=True)
def activate_belts_and_machines(course, game):
    """Let the register's board elements act, up to the lasers."""


@rule(required=True)
def play_alone(course, game, cell, facing, k, action):
    """Put robot 0, alone on the course, on a cell, let it do an action (a card 1..8) in register k (0..4), then let the
    board elements act. Returns its state after that; ~state if it fell."""


def registers_that_differ(tables):
    """How many registers differ: one if nothing on the course acts in some of them only."""
    return REGISTERS if int(tables["has"][0]) & (HAS_PANELS | HAS_TRAPDOORS) else 1


def registers_alike(tables):
    """For each register the first one in which the same acts on a robot alone: i8 [5]."""
    if registers_that_differ(tables) == 1:
        return np.zeros(REGISTERS, np.int64)
    if tables.dtype.names != COURSE_DTYPE.names:  # tiles from outside may act in any registers
        return np.arange(REGISTERS)
    acting = np.concatenate([each[each > 0] for each in (tables["panel"][0], tables["trapdoor"][0])])
    patterns = [(acting >> k & 1).tobytes() for k in range(REGISTERS)]
    return np.array([patterns.index(pattern) for pattern in patterns])


def states_of(tables):
    """The states in which a robot can be, ascending: i8 [n]."""
    on_board, pits, antenna = (tables[name][0] for name in ("on_board", "pit", "antenna"))
    cells = np.flatnonzero((on_board != 0) & (pits == 0))
    return np.add.outer(cells[cells != antenna] * 4, np.arange(4)).ravel()


def lying_somewhere(tables):
    """The numbers, from 0, of the checkpoints that lie on a cell."""
    return [i for i in range(int(tables["checkpoints"][0])) if tables["checkpoint"][0, i] >= 0]


def in_two_parts(tables, dtype):
    """The tables of a course, and again without its machines, if a register alone on it is a card and then the
    machines, which do not ask what was played: so it is where cards are those of the package, and cells have no tiles
    from outside."""
    known = _is_shipped(dtype) and tables.dtype.names == COURSE_DTYPE.names
    if not known or not tables["docks"][0]:  # without start spaces a robot comes back where its register began
        return tables
    both = copied(tables, 2)
    both["machines"][1] = 0
    both["has"][1] &= ~np.uint16(HAS_MOVING)
    both.setflags(write=False)
    return both


def around_ramps(tables, other, dtype):
    """What is played again, see `fill_solo`, where a course has other ramps on than it had: u1 [CELLS]."""
    if not _is_shipped(dtype) or tables.dtype.names != COURSE_DTYPE.names:
        return np.full(CELLS, CARD | MACHINES | BOTH, np.uint8)
    changed = int(tables["ramps_on"][0] ^ other["ramps_on"][0])
    ramps = [cell for i, cell in enumerate(tables["ramp_cell"][0].tolist()) if changed >> i & 1]
    down, across = np.divmod(np.arange(CELLS), WIDTH)
    steps = np.full(CELLS, WIDTH + CELLS)  # to the nearest of these ramps
    for y, x in (divmod(ramp, WIDTH) for ramp in ramps):
        np.minimum(steps, abs(down - y) + abs(across - x), out=steps)
    card, machines = STEPS
    moved = tables["machines"][0] & MOVERS != 0
    anew = CARD * (steps <= card) + MACHINES * (moved & (steps <= machines)) + BOTH * (steps <= card + machines)
    return anew.astype(np.uint8)


SHIPPED: set[str] = set()  # the kinds of records of the package; its editions put them in


@lru_cache(maxsize=64)
def _is_shipped(dtype):
    """Whether a dtype is that of one of the package's kinds of records."""
    return kind_of_record(np.zeros(1, dtype)) in SHIPPED


@lru_cache(maxsize=64)
def has_maps_like(dtype, other):
    """Whether the maps of a course are the same for records of two dtypes: the package's kinds of one edition differ in
    cards that a robot alone does not have."""
    if dtype == other:
        return True
    kinds = [kind_of_record(np.zeros(1, each)) for each in (dtype, other)]
    return all(kind in SHIPPED for kind in kinds) and len({kind_of(kind).edition for kind in kinds}) == 1


@rule
def switches_ramps(course, game):
    """Whether ramps are not as the tables have them, after `play_alone`."""
    return False


@kernel
def fill_solo(courses, games, alike, anew, alone, solo, switched):
    """Fill `solo` [5, STATES, 8] for the first course, with `games` [1] as scratch; `alike`: see `registers_alike`.
    `switched` b1 of that shape, or empty if it is not wanted: whether the move switches ramps. A second course, if
    there is one, is the first without machines: see `in_two_parts`.

    `anew` u1 [CELLS]: what is played again from each cell, CARD, MACHINES and BOTH as bits; the rest stays. `alone` i2
    [STATES, 8]: what `card_alone` returns for each move, or NOT_ALONE.
    """
    course, game = courses[0], games[0]
    clear_scratch(game)
    two_parts = courses.shape[0] > 1
    for cell in range(CELLS):
        if not course.on_board[cell] or course.pit[cell] or cell == course.antenna:
            continue
        for at in range(cell * 4, cell * 4 + 4):
            if anew[cell] & MACHINES:
                if two_parts and not course.machines[cell] & MOVERS:
                    for k in range(REGISTERS):
                        solo[k, at, WAIT] = at
                else:
                    play_move(course, game, alike, at, WAIT, solo, switched)
            if anew[cell] & CARD:
                for action in range(WAIT):
                    alone[at, action] = card_alone(courses[1], game, at, action) if two_parts else NOT_ALONE
    for cell in range(CELLS):
        if not course.on_board[cell] or course.pit[cell] or cell == course.antenna:
            continue
        for at in range(cell * 4, cell * 4 + 4):
            for action in range(WAIT):
                end = np.int64(alone[at, action])
                if end == NOT_ALONE:
                    if anew[cell] & BOTH:
                        play_move(course, game, alike, at, action, solo, switched)
                    continue
                for k in range(REGISTERS):
                    if alike[k] == k:
                        solo[k, at, action] = solo[k, end, WAIT]
                        if switched.size > 0:
                            switched[k, at, action] = switched[k, end, WAIT]
    for k in range(REGISTERS):
        if alike[k] != k:
            for at in range(STATES):
                for action in range(ACTIONS):
                    solo[k, at, action] = solo[alike[k], at, action]
                    if switched.size > 0:
                        switched[k, at, action] = switched[alike[k], at, action]


@kernel
def play_move(course, game, alike, at, action, solo, switched):
    """Play a move in each register that differs."""
    for k in range(REGISTERS):
        if alike[k] == k:
            solo[k, at, action] = play_alone(course, game, at >> 2, at & 3, k, action + 1)
            if switched.size > 0:
                switched[k, at, action] = switches_ramps(course, game)


@kernel
def card_alone(course, game, at, action):
    """The state into which a card alone brings a robot, on a course without machines; NOT_ALONE if it falls or switches
    ramps, so that more depends on it than where it then stands."""
    if TURNS[action]:
        return (at & ~3) | ((at + TURNS[action]) & 3)
    end = play_alone(course, game, at >> 2, at & 3, 0, action + 1)
    return NOT_ALONE if end < 0 or switches_ramps(course, game) else end


@kernel
def follow_checkpoint(courses, games, number, track):
    """The cells of checkpoint `number` at the start of successive registers, in `track`.

    Returns (length, index to which the track loops back).
    """
    course, game = courses[0], games[0]
    clear_scratch(game)
    set_ramps(course, game)
    game.checkpoint[number - 1] = course.checkpoint[number - 1]
    period = registers_of_tracks(course, game)
    length = 0
    while length < track.shape[0]:
        cell = game.checkpoint[number - 1]
        for i in range(length % period, length, period):
            if track[i] == cell:
                return (1, 0) if stands_still(track, length) else (length, i)
        track[length] = cell
        if not course.has & HAS_MOVING:
            return 1, 0
        game.register = length % period
        length += 1
        activate_belts_and_machines(course, game)
    return length, 0


@rule
def registers_of_tracks(course, game):
    """The period in registers after which a checkpoint on the same cell moves the same way again: five with pushers."""
    return 1


@kernel
def stands_still(track, length):
    """Whether the cells of a track are all the same."""
    for i in range(1, length):  # noqa: SIM110  numba compiles no generators into kernels
        if track[i] != track[0]:
            return False
    return True


@kernel
def explore(courses, games, number, alike, anew, alone, solo, switched, track):
    """`fill_solo` (number 0) or `follow_checkpoint`: one kernel, because two would contain the mechanics twice."""
    if number == 0:
        fill_solo(courses, games, alike, anew, alone, solo, switched)
        return 0, 0
    return follow_checkpoint(courses, games, number, track)


@rule(required=True)
def next_checkpoint(course, game, r):
    """The number, from 0, of robot r's next checkpoint, or NOBODY."""


@rule(required=True)
def next_in_order(course, game, r):
    """The number, from 0, of the checkpoint from which robot r takes the rest of the course in order, or NOBODY."""


@rule(required=True)
def cell_to_go_from(game, r):
    """The cell from which robot r will go on; below 0 if there is none."""


@kernel
def distance_of(course, distance, game, r):
    """Robot r's distance to its next checkpoint, in quarter registers; 0 without one."""
    number = next_checkpoint(course, game, r)
    if number == NOBODY or number >= course.checkpoints:
        return 0
    state = state_of_reentry(course, game, r)
    if state < 0:
        cell = cell_to_go_from(game, r)
        if cell < 0:
            return 0
        state = cell * 4 + int(game.facing[r])
    at = course.distance_at[number]
    goal = game.checkpoint[number]
    if at < 0:
        return 0
    place = np.int64(course.place_of[number, goal]) if goal >= 0 else 0
    return int(distance[at + place * STATES + state])


@rule
def state_of_reentry(course, game, r):
    """Where a destroyed robot of the community edition will come back, as cell * 4 + facing; -1 on the board."""
    return -1


@kernel
def remaining(course, distance, game, r):
    """Robot r's distance to the last checkpoint by way of the next ones, in quarter registers."""
    number = next_in_order(course, game, r)
    later = course.to_go[number + 1] if number != NOBODY and number < course.checkpoints else 0
    return distance_of(course, distance, game, r) + later


@rule
def costs_of_actions(game):
    """The cost of each action in the distances: [ACTIONS] quarters of a register."""
    return COSTS


@rule
def cost_of_falls(game):
    """What a fall costs in the distances, beside its action."""
    return FALL_COST


@lru_cache(maxsize=64)
def costs_for(dtype):
    """The costs of the actions, and of falls, for records of a dtype."""
    scratch = np.zeros(1, dtype)
    return costs_of_actions(scratch), int(cost_of_falls(scratch))


class CourseMaps:
    """The Maps of one course, as built by `course_maps`.

    Args:
        tables: of the course, [1].
        dtype: of a game's record.
        costs: [8] quarter registers of each action; None: those of the edition.
        checkpoints: whether to compute distances.
        still: whether to compute distances to the starting places of checkpoints that move.
        switched: whether it is wanted which of the solo moves switch ramps, as `switched`, b1 of the shape of `solo`.
        moves: the maps of a course that is the same but for its checkpoints: its solo moves are taken.
        other_ramps: the maps of the course with other ramps on: moves that do not come near these ramps are taken.
        lying: u2 [STATES] by checkpoint, the distances to where it lies at the start, if they are known.
        made: what was made beforehand, see `made_before`; then nothing is computed.

    Attributes:
        solo, distance: see `Maps`. states: in which robots can be, ascending. registers: see `registers_that_differ`.
        alike: see `registers_alike`.
    """

    def __init__(
        self,
        tables: np.ndarray,
        dtype: np.dtype,
        *,
        costs: np.ndarray | None = None,
        checkpoints: bool = True,
        still: bool = False,
        switched: bool = False,
        moves: "CourseMaps | None" = None,
        other_ramps: "CourseMaps | None" = None,
        lying: Sequence[np.ndarray] = (),
        made: shipped_maps.Moves | None = None,
    ) -> None:
        marks = tables["checkpoint"][0]
        self.dtype = dtype
        self.costs, self.fall = costs_for(dtype)
        if costs is not None:
            self.costs = costs
        self.tables = tables
        self.still = still
        self.place_of = np.zeros((MAX_CHECKPOINTS, CELLS), np.uint8)
        self.track = np.full((MAX_CHECKPOINTS, TRACK), NOWHERE, np.int16)
        self._tracks: dict[int, tuple[int, int]] = {}  # checkpoint - 1 -> what `follow` returns
        self.variants: list[CourseMaps] = []  # for the other states of its ramps: see `with_variants`
        known = moves or other_ramps
        self.states: np.ndarray = known.states if known else states_of(tables)
        self.alike: np.ndarray = known.alike if known else registers_alike(tables)
        self.switched: np.ndarray
        self.alone: np.ndarray
        if made is not None:
            self.solo: np.ndarray = np.full((REGISTERS, STATES, ACTIONS), -1, np.int16)
            self.solo[:, self.states] = made.solo
            self.switched = np.zeros((0, 0, 0), np.bool_)
            self.alone = np.full((STATES, ACTIONS), NOT_ALONE, np.int16)
            self._take_tracks(made)
        elif moves is not None:
            self.solo = moves.solo
            self.switched, self.alone = moves.switched, moves.alone
            if not still and not moves.still and (marks == moves.tables["checkpoint"][0]).all():
                self.track, self._tracks = moves.track, moves._tracks
        elif other_ramps is not None:
            self.solo, self.switched = other_ramps.solo.copy(), other_ramps.switched.copy()
            self.alone = other_ramps.alone.copy()
            self._fill_solo(around_ramps(tables, other_ramps.tables, dtype))
        else:
            self.solo = np.full((REGISTERS, STATES, ACTIONS), -1, np.int16)
            self.switched = np.zeros(self.solo.shape if switched else (0, 0, 0), np.bool_)
            self.alone = np.empty((STATES, ACTIONS), np.int16)
            self._fill_solo(np.full(CELLS, CARD | MACHINES | BOTH, np.uint8))
        self.registers = registers_that_differ(tables)
        self.next_place = np.zeros((MAX_CHECKPOINTS, TRACK), np.uint8)
        self.blocks: list[np.ndarray] = []
        self.starts = np.full(MAX_CHECKPOINTS, -1, np.int64)
        at = 0
        wanted = lying_somewhere(tables) if checkpoints else []
        self._note_tracks(wanted)
        lengths = [self.follow(i)[0] for i in wanted]
        self.distance = np.empty(sum(lengths) * STATES, np.uint16)
        for i, length in zip(wanted, lengths, strict=True):
            self.starts[i], at = at, at + length * STATES
            self.blocks.append(self.distance[self.starts[i] : at])
        if made is None:
            self._fill_blocks(dict(zip(wanted, self.blocks, strict=True)), lying)
        else:
            places = self.distance.reshape(-1, STATES)
            places[:] = FAR
            places[:, self.states] = made.distance

    def _take_tracks(self, made: shipped_maps.Moves) -> None:
        at = 0
        for i, (length, loop) in zip(lying_somewhere(self.tables), made.ends.tolist(), strict=True):
            self._tracks[i] = length, loop
            self.track[i, :length] = made.tracks[at : at + length]
            at += length

    def as_made(self) -> shipped_maps.Moves:
        """What `made` takes to make these maps again."""
        wanted = lying_somewhere(self.tables)
        ends = np.array([self.follow(i) for i in wanted], np.int64).reshape(-1, 2)
        tracks = [self.track[i, :length] for i, (length, _) in zip(wanted, ends.tolist(), strict=True)]
        differ = self.solo[: registers_that_differ(self.tables), self.states]
        distance = self.distance.reshape(-1, STATES)[:, self.states]
        return shipped_maps.Moves(differ, np.concatenate([np.zeros(0, np.int16), *tracks]), ends, distance)

    def _fill_solo(self, anew: np.ndarray) -> None:
        courses, scratch = in_two_parts(self.tables, self.dtype), np.zeros(1, self.dtype)
        explore(courses, scratch, 0, self.alike, anew, self.alone, self.solo, self.switched, self.track[0])

    def follow(self, i: int) -> tuple[int, int]:
        """Fill the track of checkpoint i + 1; returns its length and the place to which it loops back."""
        if i not in self._tracks:
            self._tracks[i] = self._followed(i)
        return self._tracks[i]

    def _followed(self, i: int) -> tuple[int, int]:
        if self.still or not self._may_move(i):
            self.track[i, 0] = self.tables["checkpoint"][0, i]
            return 1, 0
        none, scratch = np.zeros(CELLS, np.uint8), np.zeros(1, self.dtype)
        moves = self.alike, none, self.alone, self.solo, self.switched
        length, loop = explore(self.tables, scratch, i + 1, *moves, self.track[i])
        return int(length), int(loop)

    def _may_move(self, i: int) -> bool:
        """Whether something moves checkpoint i + 1: on a course with nothing from outside only belts and pushers do."""
        tables = self.tables[0]
        if not tables["has"] & HAS_MOVING:
            return False
        cell = tables["checkpoint"][i]
        own = _is_shipped(self.dtype) and self.tables.dtype.names == COURSE_DTYPE.names
        return not own or bool(tables["belt"][cell] or tables["panel"][cell])

    def _note_tracks(self, wanted: Sequence[int]) -> None:
        for i in wanted:
            length, loop = self.follow(i)
            for place in range(length - 1, -1, -1):  # of several places in a cell the first: the one at a round's start
                self.place_of[i, self.track[i, place]] = place
                self.next_place[i, place] = place + 1 if place + 1 < length else loop
            self._note_round_starts(i, length)

    @lazily
    def _registers_of_tracks(self) -> int:
        return int(registers_of_tracks(self.tables[0], np.zeros(1, self.dtype)[0]))

    def _fill_blocks(self, blocks: dict[int, np.ndarray], lying: Sequence[np.ndarray]) -> None:
        """Fill in the distances to some checkpoints, u2 [places of its track * STATES] each."""
        known = {i for i in blocks if i < len(lying) and self.follow(i) == (1, 0)}
        for i in known:
            blocks[i][:] = lying[i]
        for some in self._side_by_side([i for i in blocks if i not in known]):
            self._fill_together({i: blocks[i].reshape(-1, STATES) for i in some})

    def _side_by_side(self, wanted: Sequence[int]) -> list[list[int]]:
        """The checkpoints in groups, of which the distances are made together: those that lie still come first."""
        groups: list[list[int]] = [[]]
        places = 0
        for i in sorted(wanted, key=lambda i: self.follow(i) != (1, 0)):
            length, _ = self._shortest(i)
            if groups[-1] and places + length > MOST_PLACES:
                groups.append([])
                places = 0
            groups[-1].append(i)
            places += length
        return groups if groups[0] else []

    def _shortest(self, i: int) -> tuple[int, int]:
        """`follow`, as far as only the cells of the track count. A track is as long as it takes until pushers do again
        what they did, so a ring of twelve belts makes one of sixty places, of which the last 48 are as the first."""
        length, loop = self.follow(i)
        cells = self.track[i, loop:length].tolist()
        period = next(n for n in range(1, len(cells) + 1) if len(cells) % n == 0 and cells[n:] == cells[:-n])
        while loop and self.track[i, loop - 1] == self.track[i, loop + period - 1]:
            loop -= 1
        return loop + period, loop

    def _fill_together(self, blocks: dict[int, np.ndarray]) -> None:
        """Fill in distances to checkpoints that are made together."""
        numbers = list(blocks)
        lengths, loops = np.array([self._shortest(i) for i in numbers], np.int64).T.copy()
        ends = np.cumsum(lengths)
        distance = np.empty((ends[-1], STATES), np.uint16)
        legs = self.solo, self.registers, self.states, self.costs, self.fall
        fill_distances(*legs, self.track[numbers], lengths, loops, FAR, distance)
        for block, end, length, loop in zip(blocks.values(), ends, lengths, loops, strict=True):
            places = np.arange(len(block))
            places[length:] = loop + (places[length:] - loop) % (length - loop)
            np.take(distance, end - length + places, axis=0, out=block, mode="clip")

    def _note_round_starts(self, i: int, length: int) -> None:
        """Where pushers carry a checkpoint its next place depends on the register: store the place for a round's
        start."""
        if length > 1 and self._registers_of_tracks > 1:
            for place in range(0, length, REGISTERS):
                self.place_of[i, self.track[i][place]] = place

    @lazily
    def later(self) -> np.ndarray:
        """The distances after one to four registers of a round, if registers differ: u2 [0 or 4, places * STATES]."""
        if self.registers == 1:
            return np.zeros((0, len(self.distance)), np.uint16)
        later = np.full((REGISTERS - 1, len(self.distance)), FAR, np.uint16)
        for i in lying_somewhere(self.tables):
            length, _ = self.follow(i)
            next_place = self.next_place[i, :length]
            rows = slice(int(self.starts[i]), int(self.starts[i]) + length * STATES)
            after = self.distance[rows].reshape(length, STATES)
            for k in range(REGISTERS - 1, 0, -1):
                after = self._register_before(k, after[next_place], self.track[i, next_place])
                later[k - 1, rows] = after.ravel()
        return later

    def _register_before(self, k: int, after: np.ndarray, goals: np.ndarray) -> np.ndarray:
        """Distances u2 [places, STATES] before register k (0..4) from those after it, to goals that then are on cells
        [places]."""
        there = after.astype(np.int64)
        facings = goals[:, None].astype(np.int64) * 4 + np.arange(4)
        there[np.arange(len(goals))[:, None], facings] = 0
        end = self.solo[k, self.states].astype(np.int64)
        paid = self.costs + self.fall * (end < 0)
        least = (there[:, np.where(end < 0, ~end, end)] + paid).min(axis=2)
        before = np.full(after.shape, FAR, np.uint16)
        before[:, self.states] = np.minimum(least, FAR)
        return before

    @lazily
    def to_go(self) -> np.ndarray:
        """Sums of the legs between checkpoints, each from its best facing: i8 [MAX_CHECKPOINTS + 1]."""
        to_go = np.zeros(MAX_CHECKPOINTS + 1, np.int64)
        for i in range(int(self.tables["checkpoints"][0]) - 1, 0, -1):
            cell = int(self.tables["checkpoint"][0, i - 1])
            leg = 0
            if self.starts[i] >= 0 and cell >= 0:
                at = int(self.starts[i]) + cell * 4
                leg = int(self.distance[at : at + 4].min())
            to_go[i] = to_go[i + 1] + leg
        return to_go


@cache_until_registered(64)
def course_maps(course, game):
    """The maps of one Course for a kind of game."""
    tables, dtype = tables_of(course), game_dtype(game)
    return with_variants(CourseMaps(tables, dtype, made=made_before(tables, dtype)))


@lru_cache(maxsize=16)
def code_of_maps(dtype):
    """The hash of the code that makes maps for records of a dtype."""
    around = [each for each in vars(CourseMaps).values() if inspect.isfunction(each)]
    kernels = [explore, fill_distances, costs_of_actions, cost_of_falls, registers_of_tracks, *around]
    return sources_of(kernels, frozenset((*dtype.names, *(COURSE_DTYPE.names or ()))))


def made_before(tables, dtype):
    """The solo moves and distances of a shipped course by the package's rules, or None: see `shipped_maps`."""
    if not _is_shipped(dtype) or tables.dtype.names != COURSE_DTYPE.names:
        return None
    edition = kind_of(kind_of_record(np.zeros(1, dtype))).edition
    found = shipped_maps.find(edition, code_of_maps(dtype), tables)
    if found is None:
        return None
    states = states_of(tables)
    return shipped_maps.unpacked(found, states, registers_that_differ(tables), ACTIONS, len(lying_somewhere(tables)))


def with_variants(maps: CourseMaps, moves: Sequence[CourseMaps] = ()) -> CourseMaps:
    """The CourseMaps with one for each other state of the ramps in its `variants`, if buttons bring about a few.

    `moves`: CourseMaps with the solo moves of these states, in their order, if they are known.
    """
    states = states_of_ramps(maps.tables[0])
    if len(states) <= MOST_RAMP_STATES:
        known: Sequence[CourseMaps | None] = moves or [None] * len(states[1:])
        for on, each in zip(states[1:], known, strict=True):
            tables, other = with_ramps(maps.tables, on), maps if each is None else None
            made = made_before(tables, maps.dtype) if each is None else None
            maps.variants.append(CourseMaps(tables, maps.dtype, moves=each, other_ramps=other, made=made))
    return maps


def states_of_ramps(course):
    """The sets of ramps, as bits, that can be on: what buttons make of those that are on at the start, which come
    first. More than MOST_RAMP_STATES are not looked for."""
    masks = sorted({int(mask) for mask in course.button if mask}) if course.has & HAS_BUTTONS else []
    found = [int(course.ramps_on)]
    for on in found:  # grows as it goes on
        found += [on ^ mask for mask in masks if on ^ mask not in found]
        if len(found) > MOST_RAMP_STATES:
            break
    return found


def with_ramps(tables, on):
    """The tables of the course with these ramps on at the start."""
    variant = copied(tables)
    variant["ramps_on"] = on
    variant.setflags(write=False)
    return variant


_OF_DISTANCES = ("distance_at", "later_tables", "to_go", "track", "next_place", "place_of")  # what maps_of fills in


def _turned_tables(course, k, first, records):
    """The tables of course k with its boards turned in every way, in the order of `turn_code`.

    Solo moves and distances remain those of the boards at the start.
    """
    codes = turn_codes(course)
    records[k]["first_tables"] = first
    records[k]["turn_code"][: len(codes)] = codes
    variants = []
    for number in range(max(1, 4 * max(codes))):
        variant = copied(tables_of(turned_by(course, codes, number)))
        for name in (*_OF_DISTANCES, "unturned", "solo_at", "first_tables", "turn_code"):
            variant[name] = records[k][name]
        variants.append(variant)
    return np.concatenate(variants).view(records.dtype)


def complete(record, part, k, solo_at, offset):
    """Fill in the fields of record `k` that belong to its CourseMaps; the solo moves of its registers are at `solo_at`,
    and its distances begin at `offset`."""
    record["unturned"] = record["first_tables"] = k
    record["solo_at"] = solo_at
    record["distance_at"] = np.where(part.starts >= 0, part.starts + offset, -1)
    record["later_tables"] = 0
    record["to_go"] = part.to_go
    record["track"] = part.track
    record["next_place"] = part.next_place
    record["place_of"] = part.place_of
    record["variants"] = 0


def note_variant(records, k, at):
    """Note that the completed record `at` is that of course k with other ramps on."""
    records[at]["unturned"] = k
    count = records[k]["variants"]
    records[k]["variant_ramps"][count], records[k]["variant_at"][count] = records[at]["ramps_on"], at
    records[k]["variants"] = count + 1


@cache_until_registered(16)
def maps_of(courses, game=LIGHTER):
    """The Maps of a tuple of Courses."""
    parts = [course_maps(course, game) for course in courses]
    owners = [(k, variant) for k, part in enumerate(parts) for variant in part.variants]
    parts += [variant for _, variant in owners]
    records = np.concatenate([part.tables for part in parts])
    offset = 0
    solo: list[np.ndarray] = []
    for k, (record, part) in enumerate(zip(records, parts, strict=True)):
        different, which = np.unique(part.alike, return_inverse=True)
        complete(record, part, k, len(solo) + which, offset)
        solo += [part.solo[register] for register in different]
        record["later_tables"] = len(part.distance) if len(part.later) else 0
        offset += len(part.distance) + part.later.size
    for at, (k, _) in enumerate(owners, len(courses)):
        note_variant(records, k, at)
    for k, course in enumerate(courses):
        if "turning_boards" in course.special_rules:
            turned = _turned_tables(course, k, len(records), records)
            records = np.concatenate([records, turned]).view(records.dtype)
    records.setflags(write=False)
    return Maps(records, np.stack(solo), np.concatenate([np.append(p.distance, p.later) for p in parts]))
