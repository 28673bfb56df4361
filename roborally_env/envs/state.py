"""The whole state of a race as one vector, for critics that see everything."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from roborally_env.batch import BatchRace
from roborally_env.core.editions.race2016 import STEP_NAMES
from roborally_env.core.observe import CARD_KINDS
from roborally_env.core.state import REGISTERS
from roborally_env.courses.tables import MAX_CHECKPOINTS, WIDTH

_CUBES = 64
_ANSWERS = 8
_KINDS = np.arange(1, CARD_KINDS + 1)
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
    answers      choices answered since the step began: (1 + option) / 8
    course       one-hot: which of the env's courses
    """
    p = batch.players
    return {
        "seats": (p, batch.symbolic_size),
        "registers": (p, REGISTERS, CARD_KINDS),
        "done": (p, REGISTERS, CARD_KINDS),
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


def write_state(batch: BatchRace) -> NDArray[np.float32]:
    """The state of the batch's first race, flat float32 [sum of the parts]."""
    p, game = batch.players, batch.games[0]
    cells = game["checkpoint"].astype(np.float32)
    places = np.stack([cells % WIDTH, cells // WIDTH], axis=1) / 32.0
    places[cells < 0] = -1.0
    answered = np.arange(_ANSWERS) < game["answered"]
    values: dict[str, Any] = {
        "seats": batch.observations["symbolic"][0],
        "registers": game["registers"][:p, :, None] == _KINDS,
        "done": game["done"][:p, :, None] == _KINDS,
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
    return np.concatenate([np.asarray(values[name], np.float32).ravel() for name in state_parts(batch)])
