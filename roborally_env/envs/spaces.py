"""The spaces of observations, actions and states. Names and shapes come from the tables of `core.seeing.observe`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces

from roborally_env.batch import BatchRace
from roborally_env.core.seeing.observe import DEPTH, WINDOW, parts_of

OBSERVATIONS = ("symbolic", "planes", "dict")
LOW, HIGH = -8.0, 4096.0  # bounds of all values of observations and states
PLANES_SHAPE = (WINDOW, WINDOW, DEPTH)

Shapes = Mapping[str, tuple[int, ...]]


def part_shapes(batch: BatchRace) -> dict[str, tuple[int, ...]]:
    """Name and shape of each part of a seat's symbolic vector, in its order."""
    parts = parts_of(batch.game, batch.decisions == "all")
    return {name: tuple(batch.players - 1 if n < 0 else n for n in shape) for name, shape, _ in parts}


def part_slices(shapes: Shapes) -> list[tuple[int, int, tuple[int, ...]]]:
    """Where each part begins and ends in the vector, and its shape."""
    ends = np.cumsum([int(np.prod(shape)) for shape in shapes.values()]).tolist()
    return list(zip([0, *ends[:-1]], ends, shapes.values(), strict=True))


def box(*shape: int) -> spaces.Box:
    """A float32 Box that holds any part of an observation or state."""
    return spaces.Box(LOW, HIGH, shape, np.float32)


def observation_part(kind: str, shapes: Shapes) -> spaces.Space[Any]:
    """The space of `"observation"` for a symbolic vector with these parts; `kind` is the observation's kind."""
    size = sum(int(np.prod(shape)) for shape in shapes.values())
    if kind == "symbolic":
        return box(size)
    if kind == "planes":
        return spaces.Dict({"planes": spaces.Box(0, 255, PLANES_SHAPE, np.uint8), "features": box(size)})
    return spaces.Dict({name: box(*shape) for name, shape in shapes.items()})


def mask_part(sizes: Sequence[int]) -> spaces.Tuple[Any]:
    """The space of `"action_mask"` of the `program` action form: one int8 array for each component."""
    return spaces.Tuple([spaces.MultiBinary(size) for size in sizes])


def agent_space(kind: str, shapes: Shapes, mask: spaces.Space[Any]) -> spaces.Dict:
    """The space of an agent's whole observation."""
    return spaces.Dict({"observation": observation_part(kind, shapes), "action_mask": mask})


def program_space(sizes: Sequence[int]) -> spaces.MultiDiscrete:
    """The action space of the `program` form."""
    return spaces.MultiDiscrete(list(sizes))
