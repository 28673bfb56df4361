"""The input of the learned agents: one vector for each seat, of the same length for every course and player count.

It consists of the seat's symbolic observation without its hand (whose cards count as still in the deck), a window of
7 x 7 cells around the robot with the distance to the next checkpoint gained there, the gain of each card and each pair
of cards alone on the course, and a row for each other robot. So it can value a position before or after the hand is
dealt. The candidate programs show what the hand can do (`candidates`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from roborally_env.base.errors import AgentError
from roborally_env.base.registry import cache_until_registered
from roborally_env.base.types import Array
from roborally_env.batch import BatchRace
from roborally_env.core import cards, state
from roborally_env.core.cards2005 import ACTION
from roborally_env.core.driving.advance import tables_at
from roborally_env.core.kernel import kernel
from roborally_env.core.searching.best_list import follow_tracks
from roborally_env.core.searching.distances import STATES, cell_to_go_from, next_checkpoint, next_in_order, remaining
from roborally_env.core.searching.ghost import after_column, left_to_go, place_at
from roborally_env.core.searching.plan_tables import planned_at
from roborally_env.core.seeing import observe
from roborally_env.core.seeing.observe import layout, observe_symbolic
from roborally_env.core.seeing.parts import parts_of
from roborally_env.core.state import NOBODY, REGISTERS
from roborally_env.core.traits import Trait
from roborally_env.core.upgrades import COUNT as SHOP
from roborally_env.courses.tables import HEIGHT, MAX_CHECKPOINTS, WIDTH
from roborally_env.editions import Learned, edition_of

VERSION = 1  # raised with each change of the layout; files of weights name the version that they need
REACH = 3  # cells of the window to each side
WINDOW = 2 * REACH + 1
CELL_PLANES = 3  # of the window: distance gained, no floor, another robot
COLUMNS = 8  # cards that do something on the board, or wait
GAIN = 1.0 / 16.0  # unit of gains, for a quarter register
MOST = 2.0  # gains are clipped to this
SCALARS = 4  # distance to the last checkpoint, lead over the best and the mean of the others, players
OTHER_EXTRA = 3  # for each other robot: distance behind the own, gain of its best card and pair
WINDOW_SIZE = WINDOW * WINDOW * CELL_PLANES
STEPS_SIZE = 3 * COLUMNS + COLUMNS * COLUMNS
with_one_deck = Trait("deck")  # one deck for all robots, whose cards are numbered by priority
OTHERS = "others"
_NOT_TAKEN = "hand"  # the candidate programs show what it can do


class Layout(NamedTuple):
    """Sizes of the vectors, and the places of the symbolic observation's numbers in them."""

    own: int  # length of the own vector
    row: int  # length of another robot's row
    card: int  # numbers that show a card of the hand
    own_map: NDArray[np.int64]  # [m, 2]: index in the symbolic vector, index in the own vector
    row_map: NDArray[np.int64]  # [m, 2]: the same for another robot's row
    deck: int  # index in the own vector at which the contents of the deck begin
    shop: int  # where the shop begins, -1 without one
    symbolic: int  # where the rest of the own vector begins


def _places(game: str) -> dict[str, tuple[int, int]]:
    """Where each part of the symbolic vector begins, and its length, up to the rows of the others."""
    at, places = 0, {}
    for name, shape, *_ in parts_of(game):
        length = int(np.prod([n for n in shape if n > 0]))
        places[name] = (at, length)
        at += length
        if name == OTHERS:
            break
    return places


def learned_of(game: str) -> Learned:
    """What the networks take of a game (`BatchRace.game`): parts and numbers that a later observation adds are not
    read, so the weights stay good."""
    known = edition_of(state.kind_of(game).edition).learned
    return known or Learned(game, _whole(game))


def _whole(game: str) -> dict[str, int]:
    """All of a game's symbolic vector but the hand, for networks of an edition that says nothing about them.

    Raises:
        AgentError: without the part that says which cards may still be drawn.
    """
    found = {name: length for name, (_, length) in _places(game).items() if name != _NOT_TAKEN}
    if not {"draw_pile", "unseen"} & set(found):
        edition = state.kind_of(game).edition
        raise AgentError(f"learned agents do not play edition {edition}: its observation has no part draw_pile")
    return found


@cache_until_registered()
def layout_for(game: str) -> Layout:
    """The layout of the vectors of a game (`BatchRace.game`).

    Raises:
        AgentError: for a game that the networks do not know.
    """
    learned = learned_of(game)
    taken, mine = learned.takes, _places(game)
    own_map, to, starts = [], 0, {}
    for name, length in taken.items():
        if name == OTHERS:
            continue
        starts[name] = to
        if name in mine:
            at, count = mine[name]
            own_map += [(at + i, to + i) for i in range(min(count, length))]
        to += length
    row_map = [(i, i) for i in range(min(mine[OTHERS][1], taken[OTHERS]))]
    return Layout(
        own=to + WINDOW_SIZE + STEPS_SIZE + SCALARS,
        row=taken[OTHERS] + OTHER_EXTRA,
        card=observe.layout_of(learned.kind).kinds,
        own_map=np.array(own_map, np.int64),
        row_map=np.array(row_map, np.int64),
        deck=starts["unseen" if state.kind_of(game).has("deck") else "draw_pile"],
        shop=starts.get("shop", -1) if "shop" in mine else -1,
        symbolic=to,
    )


# -- effects of cards for a robot alone on the course


@kernel
def gain_of(before, after, fell):
    """The distance gained, clipped; the cost of a fall is that of the distance table."""
    gain = (before - after) * GAIN - (1.5 if fell else 0.0)
    return max(-MOST, min(MOST, gain))


@kernel
def write_steps(maps, game, r, places, out, at, only_best):
    """Write the gain of each card, and of each pair of cards, into `out` from index `at` on; return the best of
    each."""
    course = maps.courses[planned_at(maps, game)]
    cell = np.int64(cell_to_go_from(game, r))
    best_card, best_pair = -MOST, -MOST
    if cell < 0:
        return 0.0, 0.0
    number = np.int64(next_checkpoint(course, game, r))
    in_order = next_in_order(course, game, r) != NOBODY
    state = cell * 4 + game.facing[r]
    before = left_to_go(maps, course, number, in_order, place_at(places, 0, number), state)
    for column in range(COLUMNS):
        first, then, fell = after_column(maps, course, game, r, 0, in_order, places, state, number, column)
        gain = gain_of(before, left_to_go(maps, course, then, in_order, place_at(places, 1, then), first), fell)
        best_card = max(best_card, gain)
        most = -MOST
        for second in range(COLUMNS):
            last, goal, falls = after_column(maps, course, game, r, 1, in_order, places, first, then, second)
            away = left_to_go(maps, course, goal, in_order, place_at(places, 2, goal), last)
            both = gain_of(before, away, fell or falls)
            most = max(most, both)
            if not only_best:
                out[at + 3 * COLUMNS + column * COLUMNS + second] = both
        best_pair = max(best_pair, most)
        if not only_best:
            out[at + column] = gain
            out[at + COLUMNS + column] = 1.0 if fell else 0.0
            out[at + 2 * COLUMNS + column] = most
    return best_card, best_pair


@kernel
def write_window(maps, game, r, places, out, at):
    """Write the window around robot r, which faces up: 7 x 7 cells of (distance gained, no floor, another robot)."""
    course = maps.courses[planned_at(maps, game)]
    cell = np.int64(cell_to_go_from(game, r))
    if cell < 0:
        return
    number = np.int64(next_checkpoint(course, game, r))
    facing = np.int64(game.facing[r])
    place = place_at(places, 0, number)
    base = np.int64(-1)
    if number != NOBODY and number < course.checkpoints:
        base = np.int64(course.distance_at[number])
    here = 0.0
    if base >= 0:
        here = float(maps.distance[base + place * STATES + cell * 4 + facing])
    x, y = cell % WIDTH, cell // WIDTH
    # ahead is north, east, south, west for facings 0 to 3
    dx = 1 if facing == 1 else -1 if facing == 3 else 0
    dy = -1 if facing == 0 else 1 if facing == 2 else 0
    for ahead in range(REACH, -REACH - 1, -1):
        for right in range(-REACH, REACH + 1):
            u = x + ahead * dx - right * dy
            v = y + ahead * dy + right * dx
            there = v * WIDTH + u
            if u < 0 or v < 0 or u >= WIDTH or v >= HEIGHT or not course.on_board[there] or course.pit[there]:
                out[at + 1] = 1.0
            elif base >= 0:
                nearest = 65535.0
                for f in range(4):
                    nearest = min(nearest, float(maps.distance[base + place * STATES + there * 4 + f]))
                out[at] = max(-MOST, min(MOST, (here - nearest) * GAIN))
            at += CELL_PLANES
    first = at - WINDOW_SIZE
    for q in range(game.players):
        if q == r or game.cell[q] < 0:
            continue
        u, v = game.cell[q] % WIDTH - x, game.cell[q] // WIDTH - y
        ahead = u * dx + v * dy
        right = v * dx - u * dy
        if abs(ahead) <= REACH and abs(right) <= REACH:
            out[first + ((REACH - ahead) * WINDOW + right + REACH) * CELL_PLANES + 2] = 1.0


@with_one_deck(otherwise=False)
def is_numbered(game):
    """Whether cards are identified by priority number, not by kind (2005)."""
    return True


@kernel
def kind_of(game, card):
    """The kind of a card of the hand: 2005 cards are numbered by priority."""
    return ACTION[card] if is_numbered(game) else np.int64(card)


@kernel(apart=True)
def write_seat(maps, game, r, at, symbolic, counts, ranks, own, others):
    """Write the vectors of robot r: `own` [own], `others` [players - 1, row]; both are zeroed first.

    `at` is the Layout; `symbolic` [1, P, size], `counts` and `ranks` are scratch of the observation.
    """
    course = maps.courses[tables_at(game)]
    observe_symbolic(course, maps.distance, game, 0, counts, ranks, r, symbolic)
    own[:] = 0.0
    others[:] = 0.0
    for i in range(at.own_map.shape[0]):
        own[at.own_map[i, 1]] = symbolic[0, r, at.own_map[i, 0]]
    classic = is_numbered(game)
    for i in range(layout(game).slots):
        card = game.hand[r, i]
        if card != cards.NONE:
            own[at.deck + kind_of(game, card) - 1] += 1.0 / 18.0 if classic else 0.25
    if at.shop >= 0:
        for i in range(at.shop, at.shop + SHOP):
            own[i] = min(own[i], np.float32(1.0))
    places = np.zeros((REGISTERS + 1, MAX_CHECKPOINTS), np.int64)
    follow_tracks(course, game, places)
    write_window(maps, game, r, places, own, at.symbolic)
    steps = at.symbolic + WINDOW_SIZE
    write_steps(maps, game, r, places, own, steps, False)
    mine = float(remaining(course, maps.distance, game, r))
    lead, mean = 4096.0, 0.0
    row, n = layout(game).others, 0
    for i in range(1, game.players):
        q = r + i if r + i < game.players else r + i - np.int64(game.players)
        for j in range(at.row_map.shape[0]):
            others[n, at.row_map[j, 1]] = symbolic[0, r, row + at.row_map[j, 0]]
        row += layout(game).row
        behind = float(remaining(course, maps.distance, game, q)) - mine
        best_card, best_pair = write_steps(maps, game, q, places, own, 0, True)
        extra = others.shape[1] - OTHER_EXTRA
        others[n, extra] = max(-MOST, min(MOST, behind * GAIN))
        others[n, extra + 1] = best_card
        others[n, extra + 2] = best_pair
        lead = min(lead, behind)
        mean += behind
        n += 1
    last = steps + STEPS_SIZE
    own[last] = min(4.0, mine / 64.0)
    own[last + 1] = max(-MOST, min(MOST, lead * GAIN))
    own[last + 2] = max(-MOST, min(MOST, mean / max(1, n) * GAIN))
    own[last + 3] = game.players * 0.125


@kernel
def write_rows(maps, games, rows, seats, at, symbolic, counts, ranks, own, others):
    """The vectors of seat seats[k] in game rows[k]: `own` [n, own], `others` [n, players - 1, row]."""
    for k in range(rows.shape[0]):
        write_seat(maps, games[rows[k]], seats[k], at, symbolic, counts, ranks, own[k], others[k])


# -- hands


@kernel
def write_hands(games, rows, seats, out):
    """The cards of the hand: `out` f4 [n, slots, card], one-hot by kind, in 2005 with the priority number / 84 last."""
    for k in range(rows.shape[0]):
        game, r = games[rows[k]], seats[k]
        out[k] = 0.0
        for i in range(layout(game).slots):
            card = game.hand[r, i]
            if card != cards.NONE:
                out[k, i, kind_of(game, card) - 1] = 1.0
                if is_numbered(game):
                    out[k, i, out.shape[2] - 1] = card / 84.0


class Features:
    """The vectors of a batch's seats, in arrays that are allocated once."""

    def __init__(self, batch: BatchRace) -> None:
        self.batch = batch
        self.layout = layout_for(batch.game)
        self.slots = batch.hand_slots
        self.scratch = new_scratch(batch)

    def positions(self, games: NDArray[np.int64], seats: NDArray[np.int64]) -> tuple[Array, Array]:
        """(own float32 [n, own], others float32 [n, players - 1, row]) of seat seats[k] in game games[k]."""
        games, seats = np.ascontiguousarray(games), np.ascontiguousarray(seats)  # one machine code for all of them
        own = np.empty((len(games), self.layout.own), np.float32)
        others = np.empty((len(games), self.batch.players - 1, self.layout.row), np.float32)
        write_rows(self.batch.maps, self.batch.games, games, seats, self.layout, *self.scratch, own, others)
        return own, others

    def hands(self, games: NDArray[np.int64], seats: NDArray[np.int64]) -> NDArray[np.float32]:
        """float32 [n, slots, card]: the cards of the hand; zeros for an empty slot."""
        games, seats = np.ascontiguousarray(games), np.ascontiguousarray(seats)
        out = np.empty((len(games), self.slots, self.layout.card), np.float32)
        write_hands(self.batch.games, games, seats, out)
        return out


def new_scratch(batch: BatchRace) -> tuple[Array, ...]:
    """(symbolic, counts, ranks): scratch memory of `write_rows`."""
    p = batch.players
    size = observe.symbolic_size(p, batch.game)
    return (
        np.zeros((1, p, size), np.float32),
        np.zeros((1, p, 3, observe.count_columns(batch.game)), np.uint8),
        np.zeros((1, p, 2), np.int64),
    )
