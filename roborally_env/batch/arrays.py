"""The arrays of a BatchRace: inputs, outputs and scratch memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from roborally_env.core.driving import driver
from roborally_env.core.driving.rewards import COMPONENTS, result_dtype
from roborally_env.core.log import EVENT
from roborally_env.core.seeing import observe
from roborally_env.core.state import LOG_ROWS, REGISTERS
from roborally_env.courses import MAX_HEIGHT, MAX_WIDTH
from roborally_env.courses.rotation import turn_codes, turned_by

if TYPE_CHECKING:
    from roborally_env.batch import BatchRace


def new_buffers(batch: BatchRace) -> list[driver.Out]:
    """Two sets of output arrays, which steps write alternately; arrays that the batch does not need have no rows."""
    b, p, size = batch.num_games, batch.players, batch.symbolic_size
    wanted = b if batch.observation != "none" else 0
    planes = b if batch.observation == "planes" else 0
    masks = b if batch.masks else 0
    window = (observe.WINDOW, observe.WINDOW * observe.DEPTH)
    final = _narrow(batch, wanted * batch.auto_reset)
    shared = {
        "submitted": np.zeros((b * p, REGISTERS), np.int8),
        "corrected": np.zeros((b, p), np.int16),
        "results": np.zeros(b, result_dtype()),
        "events": np.zeros((b if batch.logging else 0, LOG_ROWS, EVENT), np.int16),
        "logged": np.zeros(b if batch.logging else 0, np.int16),
        "frames": np.zeros((b if batch.framing else 0, LOG_ROWS), batch.dtype),
        "final_symbolic": np.zeros((wanted if batch.auto_reset else 0, p, size), np.float32),
        "final_bytes": final[0],
        "final_halves": final[1],
        "final_planes": np.zeros((planes if batch.auto_reset else 0, p, *window), np.uint8),
    }
    # as another dtype, vectors are written from one set of float32 ones
    vectors = [np.zeros((wanted, p, size), np.float32) for _ in range(2 if batch.encoding.name == "float32" else 1)]
    sets = [(vectors[turn % len(vectors)], *_narrow(batch, wanted)) for turn in range(2)]
    return [
        driver.Out(
            symbolic=symbolic,
            bytes=codes,
            halves=halves,
            planes=np.zeros((planes, p, *window), np.uint8),
            masks=np.zeros((masks, p, REGISTERS, batch.hand_slots), np.int8),
            choice_masks=np.zeros((masks, p, 1 + batch.options), np.int8),
            rewards=np.zeros((b, p), np.float32),
            parts=np.zeros((b, p, len(COMPONENTS)), np.float32),
            terminated=np.zeros(b, np.bool_),
            truncated=np.zeros(b, np.bool_),
            **shared,
        )
        for symbolic, codes, halves in sets
    ]


def _narrow(batch: BatchRace, games: int) -> tuple[NDArray[np.uint8], NDArray[np.uint16]]:
    """Vectors of n games as bytes and as bits of halves, all numbers 0; those of another dtype have no rows."""
    vectors = np.empty((games, batch.players, batch.symbolic_size), batch.encoding.dtype)
    vectors[...] = batch.encoding.zeros
    return batch.encoding.split(vectors)


def new_actions(batch: BatchRace) -> driver.Actions:
    """The arrays of the players' actions in a step."""
    b, p = batch.num_games, batch.players
    return driver.Actions(np.zeros((b * p, REGISTERS), np.int8), np.zeros((b, p), np.int8), np.zeros((b, p), np.uint8))


def new_scratch(batch: BatchRace) -> driver.Scratch:
    """Scratch memory of the kernels."""
    b, p = batch.num_games, batch.players
    return driver.Scratch(
        counts=np.zeros((b, p, 3, observe.count_columns(batch.game)), np.uint8),
        ranks=np.zeros((b, p, 2), np.int64),
        before=np.zeros((b, p, 2), np.float64),
        kept=np.zeros(b if batch.decisions == "all" else 0, batch.dtype),
        sheets=_sheets(batch),
        shown=np.zeros(b, np.uint8),
        steps=batch.encoding.steps.copy(),  # unpickled ones may be read-only, which numba takes for another type
        zeros=batch.encoding.zeros.copy(),
    )


def _sheets(batch: BatchRace) -> NDArray[np.uint8]:
    """The static planes of each course, and of each rotation of its boards, in the four orientations of a viewer."""
    if batch.observation != "planes":
        return np.zeros((0, 4, 1, observe.DEPTH), np.uint8)
    if batch.generator is not None:  # drawn when a course is put in; courses to come may have any size
        side = max(MAX_WIDTH, MAX_HEIGHT) + 2 * observe.MIDDLE
        return np.zeros((len(batch.courses), 4, side, side * observe.DEPTH), np.uint8)
    side = max(max(c.width, c.height) for c in batch.courses) + 2 * observe.MIDDLE
    sheets = np.zeros((len(batch.maps.courses), 4, side, side * observe.DEPTH), np.uint8)
    for k in range(len(sheets)):
        draw_sheet(batch, k, sheets)
    return sheets


def draw_sheet(batch: BatchRace, k: int, sheets: NDArray[np.uint8]) -> None:
    """Draw the static planes of the tables with index k into `sheets` [K, 4, rows, columns * DEPTH]."""
    sheets[k] = 0
    draw = driver.draw_sheets_community if batch.kind.has("ramps") else driver.draw_sheets
    draw(batch.maps.courses[k : k + 1], sheets[k : k + 1])
    tables = batch.maps.courses[k]
    course, number = batch.courses[tables["unturned"]], max(k - int(tables["first_tables"]), 0)
    observe.draw_tiles(turned_by(course, turn_codes(course), number) if number else course, batch.game, sheets[k])


def as_window(planes: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """[B, P, 13, 13 * depth] seen as [B, P, 13, 13, depth]."""
    return planes.reshape(*planes.shape[:2], observe.WINDOW, observe.WINDOW, observe.DEPTH)
