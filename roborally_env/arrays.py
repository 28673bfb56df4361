"""Arrays that come back from a pickle."""

from __future__ import annotations

from typing import Any

import numpy as np


def writable(value: Any) -> Any:
    """An array, or a copy of one that is read-only; of a list, tuple or dict, the same of each entry."""
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
    """A class whose arrays are written to, also after a pickle.

    Object stores hand out the arrays of a pickle (protocol 5, with buffers) read-only; they are copied then.
    """

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update({name: writable(value) for name, value in state.items()})
