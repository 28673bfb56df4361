"""What the tests of the learning interfaces share."""

from typing import Any

import numpy as np

from roborally_env.core.searching.ghost import AFTER, AROUND, CARDS, SIZE

CREW = ["greedy", "random:seed=1", "random:seed=2"]  # agents that go the same way in any env


def same(a: Any, b: Any, path: str = "") -> None:
    """Assert that two nested values are equal, with shapes and dtypes; says where they are not."""
    if isinstance(a, dict):
        assert set(a) == set(b), (path, set(a) ^ set(b))
        for key in a:
            same(a[key], b[key], f"{path}/{key}")
    elif isinstance(a, tuple):
        assert len(a) == len(b), path
        for k, (x, y) in enumerate(zip(a, b, strict=True)):
            same(x, y, f"{path}/{k}")
    elif isinstance(a, np.ndarray):
        assert (a.shape, a.dtype) == (b.shape, b.dtype), path
        if a.dtype == object:
            for x, y in zip(a.reshape(-1).tolist(), b.reshape(-1).tolist(), strict=True):
                same(x, y, path)
        else:
            assert np.array_equal(a, b), (path, a, b)
    else:
        assert a == b, (path, a, b)


def row_of(value: Any, row: int) -> Any:
    """One sub-env's part of a batched observation."""
    if isinstance(value, dict):
        return {name: row_of(part, row) for name, part in value.items()}
    return tuple(part[row] for part in value) if isinstance(value, tuple) else value[row]


def random_rows(masks: np.ndarray, sizes: list[int], rng: np.random.Generator) -> np.ndarray:
    """A value that its mask allows for each component of each row: [n, components] from flat masks [n, sum(sizes)]."""
    parts = np.split(masks, np.cumsum(sizes)[:-1], axis=1)
    return np.stack([(part * (1 + rng.random(part.shape))).argmax(1) for part in parts], axis=1)


def parts_of_ghosts(seen: Any) -> Any:
    """What Network.choose takes, from the ghosts' vectors with the cards left [.., SIZE + KINDS]."""
    import torch

    near = torch.cat([seen[..., :AROUND], seen[..., SIZE:]], -1)
    left = near[..., AROUND : AROUND + CARDS].flatten() > 0
    led = torch.cat([seen[..., AROUND:SIZE].reshape(-1, AFTER), torch.eye(CARDS).repeat(len(left) // CARDS, 1)], 1)
    return near, led[left], left.nonzero().squeeze(1)
