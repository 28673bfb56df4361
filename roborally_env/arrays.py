"""Arrays that have been unpickled."""

from __future__ import annotations

import copy
from typing import Any, Self

import numpy as np


def writable(value: Any) -> Any:
    """The array, copied if it is read-only; a list, tuple or dict with each entry treated likewise."""
    if isinstance(value, np.ndarray):
        return value if value.flags.writeable else value.copy()
    if isinstance(value, dict):
        return {key: writable(each) for key, each in value.items()}
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*map(writable, value))
    if isinstance(value, (list, tuple)):
        return type(value)(map(writable, value))
    return value


class Thawed:
    """Base of classes that write to their arrays, also after unpickling.

    Object stores return the arrays of a pickle (protocol 5, with buffers) read-only. Such arrays are copied. A copy is
    independent, a shallow one too: two envs with one batch would play each other's races.
    """

    def __copy__(self) -> Self:
        return copy.deepcopy(self)

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update({name: writable(value) for name, value in state.items()})
