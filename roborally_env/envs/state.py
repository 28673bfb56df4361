"""The whole state of a race as one vector, for centralised critics."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from roborally_env.batch import BatchRace
from roborally_env.core import cards, options
from roborally_env.core.cards2005 import ACTION, DECK_SIZE, PACE
from roborally_env.core.seeing.observe import layout_of
from roborally_env.core.seeing.parts import POSITION
from roborally_env.core.state import MAX_ROBOTS, PILE, REGISTERS
from roborally_env.courses.tables import MAX_BOARDS, MAX_CHECKPOINTS, MAX_RAMPS, WIDTH

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


def _upgrades_of(batch: BatchRace) -> NDArray[np.int64]:
    """All upgrade numbers up to the highest one in the game."""
    return np.arange(1, 1 + max(batch.kind.upgrade_numbers))


def write_state(batch: BatchRace) -> NDArray[np.float32]:
    """The state of the batch's first race, flat float32 [sum of the parts]."""
    p, game = batch.players, batch.games[0]
    cells = game["checkpoint"].astype(np.float32)
    places = np.stack([cells % WIDTH, cells // WIDTH], axis=1) / 32.0
    places[cells < 0] = -1.0
    answered = np.arange(_ANSWERS) < game["answered"]
    parts = state_parts(batch)
    values: dict[str, Any] = {
        "seats": batch.vectors[0],
        "phase": np.arange(*parts["phase"]) == game["step"],
        "register": np.arange(REGISTERS) == game["register"],
        "acted": game["acted"] >> np.arange(p) & 1,
        "order": game["order"][:p] / 8.0,
        "checkpoints": places,
        "answers": np.where(answered, (1 + game["answers"][:_ANSWERS].astype(np.float32)) / 8.0, 0.0),
        "course": np.arange(len(batch.courses)) == game["course"],
    }
    if batch.kind.has("pile"):
        values |= _values_of_piles(batch, game, p)
    if batch.kind.has("options"):
        values |= _values_of_options(game, p)
    if batch.kind.has("ramps"):
        values |= _values_of_ramps(game, p)
    return np.concatenate([np.asarray(values[name], np.float32).ravel() for name in parts])


def _values_of_piles(batch: BatchRace, game: Any, p: int) -> dict[str, Any]:
    """The parts of a game in which each robot has piles of its own."""
    kinds = np.arange(1, 1 + int(layout_of(batch.game).kinds))
    values = {
        "registers": game["registers"][:p, :, None] == kinds,
        "done": game["done"][:p, :, None] == kinds,
        "rebooted": game["rebooted"] >> np.arange(p) & 1,
        "cubes": game["cubes"] >> _BITS & np.uint64(1),
    }
    if batch.upgrades:
        numbers = _upgrades_of(batch)
        values |= {
            "known_top": game["known"][:p] / 8.0,
            "used": game["used"][:p, None] >> numbers & 1,
            "deck": np.isin(numbers, game["upgrade_deck"]),
            "shields": game["shielded"] >> np.arange(p) & 1,
        }
    return values


def _values_of_ramps(game: Any, p: int) -> dict[str, Any]:
    """The parts of a game with ramps (community rules)."""
    cells = game["cell"][:p].astype(np.int64)
    last = -2 - cells
    places = np.stack([last % WIDTH, last // WIDTH], axis=1) / 32.0
    places[cells >= 0] = -1.0
    return {
        "ramps": game["ramps"] >> _BITS & np.uint64(1),
        "left_from": places,
        "unhurt": game["unhurt"] >> np.arange(p) & 1,
    }


def _values_of_options(game: Any, p: int) -> dict[str, Any]:
    """The parts of a game with option cards and one deck of numbered cards (2005)."""
    seats = np.arange(p)
    bits = np.stack([game[name] >> seats & 1 for name in ("aborted", "stabilized", "recompiled")], axis=1)
    deck = set(game["deck"][: int(game["deck_left"])].tolist())
    boards = np.arange(4) == game["turned"][:, None]
    return {
        "registers": _cards(game["registers"][:p]),
        "second": _cards(game["laid_on"][:p]),
        "laid_by": _cards(np.stack([game["conditional"][:p], game["flywheel"][:p]], axis=1)),
        "deck": [card in deck for card in range(1, DECK_SIZE + 1)],
        "option_deck": np.isin(_OPTIONS, game["option_deck"]),
        "tokens": np.stack([game["coat"][:p] / options.COAT_TOKENS, game["howitzer"][:p] / options.HOWITZER_USES], 1),
        "jammed": game["jammed"][:p, None] >> np.arange(REGISTERS) & 1,
        "controller": np.where(game["controller"][:p] < 0, p, game["controller"][:p])[:, None] == np.arange(p + 1),
        "marks": np.concatenate([bits, game["shield"][:p, None] >> np.arange(4) & 1], axis=1),
        "waiting": np.stack(
            [game["dead_since"][:p] / 8.0, game["sits_out"][:p] / 2.0, game["sent_home"] >> seats & 1], axis=1
        ),
        "boards": boards,
    }


def _cards(found: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Cards as in the part `hand`: one-hot of the kind, then number / 840."""
    kinds = ACTION[found][..., None] == _NUMBERED_KINDS
    return np.concatenate([kinds, PACE[found][..., None] / DECK_SIZE], axis=-1).astype(np.float32)
