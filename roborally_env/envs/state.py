"""The whole state of races as vectors, for centralised critics."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from roborally_env.base.types import NamedValues
from roborally_env.batch import BatchRace
from roborally_env.core import cards, options
from roborally_env.core.cards2005 import ACTION, DECK_SIZE, PACE
from roborally_env.core.seeing.observe import layout_of
from roborally_env.core.seeing.parts import POSITION
from roborally_env.core.state import MAX_ROBOTS, PILE, REGISTERS
from roborally_env.courses.tables import MAX_BOARDS, MAX_CHECKPOINTS, MAX_RAMPS, WIDTH
from roborally_env.envs.spaces import joined, part_boxes

_CUBES = 64
_ANSWERS = 8
_OPTIONS = np.arange(1, options.COUNT + 1)
_NUMBERED_KINDS = np.arange(1, cards.U_TURN + 1)
_BITS = np.arange(_CUBES, dtype=np.uint64)
_OWN_FIELDS = ("done", "rebooted", "cubes")  # parts that copy a field, which only some kinds of records have


def state_parts(batch: BatchRace) -> dict[str, tuple[int, ...]]:
    """Name and shape of each part of the state vector, in its order.

    seats        the symbolic vector of every seat: hands, piles, places, pending decisions
    registers    one-hot: the card in each seat's register, face-down ones too; in 2005 its number / 840 after it
    done         one-hot: the action carried out in it so far (2016)
    phase        one-hot: the next step of the round
    register     one-hot: the register that is played
    acted        1 for each robot that had its turn in this register
    rebooted     1 for each robot that rebooted in this round (2016)
    order        seats in turn order / 8
    checkpoints  column and row of each checkpoint (flag) now, / 32; -1 where there is none
    cubes        1 for each energy space that still has its cube (2016)
    answers      the first choices answered since the step began: (1 + option) / 8
    course       one-hot: which of the env's courses

    With upgrades also

    known_top    number of known cards on top of each seat's deck / 8
    used         1 for each once-per-round upgrade that a seat has used in this round
    deck         1 for each upgrade that is still in the deck
    shields      1 for each robot whose Deflector Shield is up

    In 2005 also

    second       the second card in each register, as in `registers`
    laid_by      the cards on each seat's Conditional Program and Flywheel, as in `registers`
    deck         1 for each program card that is still in the deck
    option_deck  1 for each option that is still in its deck
    tokens       damage tokens on Ablative Coat / 3, uses of Mini Howitzer / 5
    jammed       1 for each register that is locked by Fire Control
    controller   one-hot: the seat whose program a robot plays; the last entry: its own
    marks        of each robot: Abort Switch thrown, Gyroscopic Stabilizer active, Recompile decided, its Power-Down
                 Shield used up from N E S W
    waiting      of each robot: its place in the order of destruction / 8, turns that it sits out / 2, sent home
    boards       one-hot: quarter turns of each board

    By community rules the parts of a game with upgrades, and

    ramps        1 for each ramp of the course that is on
    left_from    column and row of the cell where a robot that is off the board was, / 32; -1 for the others
    unhurt       1 for each robot that comes back without damage
    """
    p = batch.players
    kinds = int(layout_of(batch.game).kinds)
    parts: dict[str, tuple[int, ...]] = {
        "seats": (p, batch.symbolic_size),
        "registers": (p, REGISTERS, kinds),
        "done": (p, REGISTERS, kinds),
        "phase": (len(batch.kind.step_names),),
        "register": (REGISTERS,),
        "acted": (p,),
        "rebooted": (p,),
        "order": (p,),
        "checkpoints": (MAX_CHECKPOINTS, 2),
        "cubes": (_CUBES,),
        "answers": (_ANSWERS,),
        "course": (len(batch.courses),),
    }
    parts = {name: shape for name, shape in parts.items() if name not in _OWN_FIELDS or batch.kind.has(name)}
    if batch.kind.has("options"):
        parts |= {
            "second": (p, REGISTERS, kinds),
            "laid_by": (p, 2, kinds),
            "deck": (DECK_SIZE,),
            "option_deck": (options.COUNT,),
            "tokens": (p, 2),
            "jammed": (p, REGISTERS),
            "controller": (p, p + 1),
            "marks": (p, 7),
            "waiting": (p, 3),
            "boards": (MAX_BOARDS, 4),
        }
    if batch.upgrades:
        count = len(_upgrades_of(batch))
        parts |= {"known_top": (p,), "used": (p, count), "deck": (count,), "shields": (p,)}
    if batch.kind.has("ramps"):
        parts |= {"ramps": (MAX_RAMPS,), "left_from": (p, 2), "unhurt": (p,)}
    return parts


# the parts whose numbers do not lie between 0 and 1, with their bounds
_BOUNDS: dict[str, tuple[Any, Any]] = {
    "order": (0.0, (MAX_ROBOTS - 1) / 8),
    "checkpoints": (-1.0, POSITION[1]),
    "left_from": (-1.0, POSITION[1]),
    "answers": (0.0, 64 / 8),  # options are bits of a 64-bit number
    "known_top": (0.0, PILE / 8),
}


def state_boxes(batch: BatchRace, seat: spaces.Box) -> dict[str, spaces.Box]:
    """Name and space of each part of the state vector; `seat` is the space of a seat's symbolic vector."""
    found: dict[str, spaces.Box] = {}
    for name, shape in state_parts(batch).items():
        low, high = (seat.low, seat.high) if name == "seats" else _BOUNDS.get(name, (0.0, 1.0))
        low, high = (np.broadcast_to(np.asarray(bound, np.float32), shape) for bound in (low, high))
        found[name] = spaces.Box(low, high, dtype=np.float32)
    return found


def state_space_of(batch: BatchRace) -> spaces.Box:
    """The space of the state of one race."""
    return joined(state_boxes(batch, joined(part_boxes(batch))))


def _upgrades_of(batch: BatchRace) -> NDArray[np.int64]:
    """All upgrade numbers up to the highest one in the game."""
    return np.arange(1, 1 + max(batch.kind.upgrade_numbers))


def write_states(batch: BatchRace) -> NDArray[np.float32]:
    """The state of each race of a batch: float32 [B, sum of the parts]."""
    p, games = batch.players, batch.games
    seats, parts = np.arange(p), state_parts(batch)
    cells = games["checkpoint"].astype(np.float32)
    places = np.stack([cells % WIDTH, cells // WIDTH], axis=-1) / 32.0
    places[cells < 0] = -1.0
    answered = np.arange(_ANSWERS) < games["answered"][:, None]
    values: NamedValues = {
        "seats": batch.vectors,
        "phase": np.arange(*parts["phase"]) == games["step"][:, None],
        "register": np.arange(REGISTERS) == games["register"][:, None],
        "acted": games["acted"][:, None] >> seats & 1,
        "order": games["order"][:, :p] / 8.0,
        "checkpoints": places,
        "answers": np.where(answered, (1 + games["answers"][:, :_ANSWERS].astype(np.float32)) / 8.0, 0.0),
        "course": np.arange(len(batch.courses)) == games["course"][:, None],
    }
    if batch.kind.has("pile"):
        values |= _values_of_piles(batch, games, seats)
    if batch.kind.has("options"):
        values |= _values_of_options(games, seats)
    if batch.kind.has("ramps"):
        values |= _values_of_ramps(games, seats)
    return np.concatenate([np.asarray(values[name], np.float32).reshape(len(games), -1) for name in parts], axis=1)


def _has(piles: NDArray[Any], cards: NDArray[np.int64]) -> NDArray[np.bool_]:
    """[B, cards]: which of the cards are in the piles [B, n]."""
    return np.asarray((piles[:, None] == cards[:, None]).any(axis=-1))


def _values_of_piles(batch: BatchRace, games: Any, seats: NDArray[np.int64]) -> NamedValues:
    """The parts of games in which each robot has piles of its own."""
    p, kinds = len(seats), np.arange(1, 1 + int(layout_of(batch.game).kinds))
    values = {
        "registers": games["registers"][:, :p, :, None] == kinds,
        "done": games["done"][:, :p, :, None] == kinds,
        "rebooted": games["rebooted"][:, None] >> seats & 1,
        "cubes": games["cubes"][:, None] >> _BITS & np.uint64(1),
    }
    if batch.upgrades:
        numbers = _upgrades_of(batch)
        values |= {
            "known_top": games["known"][:, :p] / 8.0,
            "used": games["used"][:, :p, None] >> numbers & 1,
            "deck": _has(games["upgrade_deck"], numbers),
            "shields": games["shielded"][:, None] >> seats & 1,
        }
    return values


def _values_of_ramps(games: Any, seats: NDArray[np.int64]) -> NamedValues:
    """The parts of games with ramps (community rules)."""
    cells = games["cell"][:, : len(seats)].astype(np.int64)
    last = -2 - cells
    places = np.stack([last % WIDTH, last // WIDTH], axis=-1) / 32.0
    places[cells >= 0] = -1.0
    return {
        "ramps": games["ramps"][:, None] >> _BITS & np.uint64(1),
        "left_from": places,
        "unhurt": games["unhurt"][:, None] >> seats & 1,
    }


def _values_of_options(games: Any, seats: NDArray[np.int64]) -> NamedValues:
    """The parts of games with option cards and one deck of numbered cards (2005)."""
    p = len(seats)
    own = {name: games[name][:, :p] for name in ("coat", "howitzer", "controller", "dead_since", "sits_out")}
    bits = np.stack([games[name][:, None] >> seats & 1 for name in ("aborted", "stabilized", "recompiled")], axis=-1)
    left = np.arange(games["deck"].shape[1]) < games["deck_left"][:, None]
    laid_by = np.stack([games["conditional"][:, :p], games["flywheel"][:, :p]], axis=-1)
    sent_home = games["sent_home"][:, None] >> seats & 1
    return {
        "registers": _cards(games["registers"][:, :p]),
        "second": _cards(games["laid_on"][:, :p]),
        "laid_by": _cards(laid_by),
        "deck": _has(np.where(left, games["deck"], 0), np.arange(1, DECK_SIZE + 1)),
        "option_deck": _has(games["option_deck"], _OPTIONS),
        "tokens": np.stack([own["coat"] / options.COAT_TOKENS, own["howitzer"] / options.HOWITZER_USES], axis=-1),
        "jammed": games["jammed"][:, :p, None] >> np.arange(REGISTERS) & 1,
        "controller": np.where(own["controller"] < 0, p, own["controller"])[..., None] == np.arange(p + 1),
        "marks": np.concatenate([bits, games["shield"][:, :p, None] >> np.arange(4) & 1], axis=-1),
        "waiting": np.stack([own["dead_since"] / 8.0, own["sits_out"] / 2.0, sent_home], axis=-1),
        "boards": np.arange(4) == games["turned"][..., None],
    }


def _cards(found: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Cards as in the part `hand`: one-hot of the kind, then number / 840."""
    kinds = ACTION[found][..., None] == _NUMBERED_KINDS
    return np.concatenate([kinds, PACE[found][..., None] / DECK_SIZE], axis=-1).astype(np.float32)
