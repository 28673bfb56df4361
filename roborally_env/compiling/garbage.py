"""Python's garbage collector while much is compiled."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator


@contextlib.contextmanager
def rare_collections() -> Iterator[None]:
    """Within it Python looks for unused cycles rarely: numba makes many objects that stay, and looking at them
    again and again was an eighth of all compiling."""
    before = gc.get_threshold()
    gc.set_threshold(max(before[0], 100_000), max(before[1], 50), before[2])
    try:
        yield
    finally:
        gc.set_threshold(*before)
