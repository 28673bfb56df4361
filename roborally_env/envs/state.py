"""The whole state of a race as one vector, for critics that see everything."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from roborally_env.batch import BatchRace
from roborally_env.core import upgrades
from roborally_env.core.editions.steps2016 import STEP_NAMES
from roborally_env.core.observe import layout_of
from roborally_env.core.state import REGISTERS
from roborally_env.courses.tables import MAX_CHECKPOINTS, WIDTH

_CUBES = 64
_ANSWERS = 8
_UPGRADES = np.arange(1, upgrades.COUNT + 1)
_BITS = np.arange(_CUBES, dtype=np.uint64)


def state_parts(batch: BatchRace) -> dict[str, tuple[int, ...]]:
    """Name and shape of each part of the state vector, in its order.

    seats        the symbolic vector of every seat: hands, piles, places, what is asked
    registers    one-hot: the card in each seat's register, face-down ones too
    done         one-hot: the action carried out in it so far
    phase        one-hot: the step of the round
    register     one-hot: the register that is played
    acted        1 for each robot that had its turn in this register
    rebooted     1 for each robot that rebooted in this round
    order        seats in turn order / 8
    checkpoints  column and row of each checkpoint now, / 32; -1 where there is none
    cubes        1 for each energy space that still has its cube
    answers      the first choices answered since the step began: (1 + option) / 8
    course       one-hot: which of the env's courses

    With upgrades also

    known_top    cards that lie known on top of each seat's deck / 8
    used         1 for each upgrade that a seat has used in this round and that serves once a round
    deck         1 for each upgrade that is still in the deck
    shields      1 for each robot whose Deflector Shield is up
    """
    p = batch.players
    kinds = int(layout_of(batch.upgrades).kinds)
    parts: dict[str, tuple[int, ...]] = {
        "seats": (p, batch.symbolic_size),
        "registers": (p, REGISTERS, kinds),
        "done": (p, REGISTERS, kinds),
        "phase": (len(STEP_NAMES),),
        "register": (REGISTERS,),
        "acted": (p,),
        "rebooted": (p,),
        "order": (p,),
        "checkpoints": (MAX_CHECKPOINTS, 2),
        "cubes": (_CUBES,),
        "answers": (_ANSWERS,),
        "course": (len(batch.courses),),
    }
    if batch.upgrades:
        parts |= {
            "known_top": (p,),
            "used": (p, upgrades.COUNT),
            "deck": (upgrades.COUNT,),
            "shields": (p,),
        }
    return parts


def write_state(batch: BatchRace) -> NDArray[np.float32]:
    """The state of the batch's first race, flat float32 [sum of the parts]."""
    p, game = batch.players, batch.games[0]
    cells = game["checkpoint"].astype(np.float32)
    places = np.stack([cells % WIDTH, cells // WIDTH], axis=1) / 32.0
    places[cells < 0] = -1.0
    kinds = np.arange(1, 1 + int(layout_of(batch.upgrades).kinds))
    answered = np.arange(_ANSWERS) < game["answered"]
    values: dict[str, Any] = {
        "seats": batch.observations["symbolic"][0],
        "registers": game["registers"][:p, :, None] == kinds,
        "done": game["done"][:p, :, None] == kinds,
        "phase": np.arange(len(STEP_NAMES)) == game["step"],
        "register": np.arange(REGISTERS) == game["register"],
        "acted": game["acted"] >> np.arange(p) & 1,
        "rebooted": game["rebooted"] >> np.arange(p) & 1,
        "order": game["order"][:p] / 8.0,
        "checkpoints": places,
        "cubes": game["cubes"] >> _BITS & np.uint64(1),
        "answers": np.where(answered, (1 + game["answers"][:_ANSWERS]) / 8.0, 0.0),
        "course": np.arange(len(batch.courses)) == game["course"],
    }
    if batch.upgrades:
        values |= {
            "known_top": game["known"][:p] / 8.0,
            "used": game["used"][:p, None] >> _UPGRADES & 1,
            "deck": np.isin(_UPGRADES, game["upgrade_deck"]),
            "shields": game["shielded"] >> np.arange(p) & 1,
        }
    return np.concatenate([np.asarray(values[name], np.float32).ravel() for name in state_parts(batch)])
