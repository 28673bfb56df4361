"""The spaces of observations, actions and states. Names and shapes come from the tables of `core.seeing.observe`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from roborally_env.base.checks import check_choice
from roborally_env.base.errors import RoboRallyError
from roborally_env.batch import BatchRace
from roborally_env.batch.encoding import Encoding
from roborally_env.core.seeing.observe import DEPTH, WINDOW, bounds_of, most_on_planes, parts_of
from roborally_env.core.state import REGISTERS

SEEN = ("symbolic", "planes", "dict")  # what "observation" may be beside a mask
OBSERVATIONS = (*SEEN, "vector")  # "vector": "symbolic" without its mask
MASKS = ("flat", "tuple", "registers")
PLANES_SHAPE = (WINDOW, WINDOW, DEPTH)

Shapes = Mapping[str, tuple[int, ...]]
Boxes = Mapping[str, spaces.Box]


def part_boxes(batch: BatchRace) -> dict[str, spaces.Box]:
    """Name and space of each part of a seat's symbolic vector, in its order."""
    found: dict[str, spaces.Box] = {}
    for part in parts_of(batch.game, batch.decisions == "all"):
        low, high = bounds_of(part, batch.players)
        found[part.name] = spaces.Box(low, high, dtype=np.float32)
    return found


def unit_boxes(shapes: Shapes) -> dict[str, spaces.Box]:
    """The spaces of parts whose numbers lie between 0 and 1."""
    return {name: spaces.Box(0.0, 1.0, shape, np.float32) for name, shape in shapes.items()}


def shapes_of(boxes: Boxes) -> dict[str, tuple[int, ...]]:
    """The shape of each part."""
    return {name: box.shape for name, box in boxes.items()}


def part_slices(shapes: Shapes) -> list[tuple[int, int, tuple[int, ...]]]:
    """Where each part begins and ends in the vector, and its shape."""
    ends = np.cumsum([int(np.prod(shape)) for shape in shapes.values()]).tolist()
    return list(zip([0, *ends[:-1]], ends, shapes.values(), strict=True))


def record_of(shapes: Iterable[tuple[int, ...]], dtype: type[np.generic]) -> np.dtype[Any]:
    """The record that has arrays of these shapes one after the other; see `cut`."""
    return np.dtype([(str(i), dtype, shape) for i, shape in enumerate(shapes)])


def with_parts(rows: NDArray[np.float32], parts: Mapping[str, NDArray[np.float32]]) -> NDArray[np.float32]:
    """The vectors [N, n] with these parts, each [N, ..], after them."""
    return np.concatenate([rows, *(part.reshape(len(rows), -1) for part in parts.values())], axis=1)


def cut(rows: NDArray[Any], record: np.dtype[Any]) -> list[tuple[NDArray[Any], ...]]:
    """The parts of each row of contiguous `rows` [N, n] that a `record_of` has, in the memory of `rows`.

    `tolist` makes all these arrays at once, in half the time of an index for each.
    """
    found: list[tuple[NDArray[Any], ...]] = rows.view(record)[:, 0].tolist()
    return found


def _ends(boxes: Boxes) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The bounds of the vector that has these parts one after the other."""
    low, high = (np.concatenate([getattr(box, at).ravel() for box in boxes.values()]) for at in ("low", "high"))
    return low, high


def encoding_of(boxes: Boxes, dtype: str) -> Encoding:
    """How the vector that has these parts one after the other is written as `dtype`."""
    return Encoding(dtype, *_ends(boxes))


def joined(boxes: Boxes, dtype: str = "float32") -> spaces.Box:
    """The space of the vector that has these parts one after the other, as `dtype`."""
    encoding = encoding_of(boxes, dtype)
    low, high = (encoding.encode(end) for end in _ends(boxes))
    return spaces.Box(low, high, dtype=encoding.dtype.type)


def observation_part(kind: str, boxes: Boxes, game: str, dtype: str = "float32") -> spaces.Space[Any]:
    """The space of `"observation"` for a symbolic vector with these parts in that kind of game; `kind` is the
    observation's kind, `dtype` the vector's."""
    vector = joined(boxes, dtype)
    if kind in ("symbolic", "vector"):
        return vector
    if kind == "planes":
        most = np.broadcast_to(most_on_planes(game), PLANES_SHAPE)
        planes = spaces.Box(np.zeros_like(most), most, dtype=np.uint8)
        return spaces.Dict({"planes": planes, "features": vector})
    found: dict[str, spaces.Space[Any]] = {}
    for name, (start, end, shape) in zip(boxes, part_slices(shapes_of(boxes)), strict=True):
        low, high = vector.low[start:end].reshape(shape), vector.high[start:end].reshape(shape)
        found[name] = spaces.Box(low, high, dtype=vector.dtype.type)
    return spaces.Dict(found)


def mask_part(sizes: Sequence[int], masks: str = "flat") -> spaces.Space[Any]:
    """The space of `"action_mask"` for actions with components of these sizes, in the layout that MASKS names."""
    if masks == "registers":
        return spaces.Box(0, 1, (len(sizes), sizes[0]), np.int8)  # TorchRL takes no MultiBinary with two dimensions
    if masks == "flat" or len(sizes) == 1:
        return spaces.MultiBinary(sum(sizes))
    return spaces.Tuple([spaces.MultiBinary(size) for size in sizes])


def laid_out(flat: NDArray[np.int8], sizes: Sequence[int], masks: str) -> Any:
    """Masks int8 [.., n], of components of these sizes one after the other, in the layout of `mask_part`."""
    if masks == "registers":
        return flat.reshape(*flat.shape[:-1], len(sizes), sizes[0])
    if masks == "flat" or len(sizes) == 1:
        return flat
    return tuple(np.split(flat, np.cumsum(sizes)[:-1], axis=-1))


def check_observation(observation: object, known: Sequence[str]) -> str:
    """The checked argument `observation`, or a RoboRallyError; for "text" the message names TextRace."""
    if isinstance(observation, str) and observation == "text":
        raise RoboRallyError(
            f'observation: expected one of {", ".join(known)}, got "text"; races in words are '
            "roborally_env.text.TextRace"
        )
    return check_choice(observation, "observation", known)


def check_masks(masks: Any, observation: str, sizes: Sequence[int]) -> str:
    """The checked argument `masks`, or a RoboRallyError.

    "registers" needs as many values in each of five components, and "vector" has no mask.
    """
    check_choice(masks, "masks", MASKS)
    if masks == "registers" and observation == "vector":
        raise RoboRallyError('masks: with observation="vector" there is none in the observation; expected no `masks`')
    if masks == "registers" and (len(sizes) != REGISTERS or len(set(sizes)) > 1):
        raise RoboRallyError(
            f'masks: "registers" needs five components of one size, here they are {list(sizes)}: expected '
            'action="program" and decisions="program", in 2016 without upgrades or in 2023; else "tuple" or "flat"'
        )
    return str(masks)


def agent_space(kind: str, boxes: Boxes, game: str, mask: spaces.Space[Any]) -> spaces.Dict:
    """The space of an agent's whole observation."""
    return spaces.Dict({"observation": observation_part(kind, boxes, game), "action_mask": mask})


class MaskedMultiDiscrete(spaces.MultiDiscrete):
    """A MultiDiscrete that also samples by a mask that is one array: flat, or a row for each component.

    PettingZoo's checks, and others, give the mask that they find in an observation or an info to `sample`.
    """

    def sample(self, mask: Any = None, probability: Any = None) -> NDArray[Any]:
        """As MultiDiscrete.sample; `mask` may be int8 [n] or [components, values] in place of a tuple."""
        if isinstance(mask, np.ndarray):
            mask = laid_out(mask.reshape(-1), self.nvec.tolist(), "tuple")
        return super().sample(mask, probability)


def component_sizes(space: spaces.Space[Any]) -> list[int]:
    """How many values each component of an action has."""
    if isinstance(space, spaces.MultiDiscrete):
        return [int(n) for n in space.nvec]
    assert isinstance(space, spaces.Discrete)
    return [int(space.n)]


def program_space(sizes: Sequence[int]) -> MaskedMultiDiscrete:
    """The action space of the `program` form."""
    return MaskedMultiDiscrete(list(sizes))
