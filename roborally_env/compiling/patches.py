"""What this package changes in numba, and only while one of its own kernels is typed and lowered."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any, NamedTuple

from numba import types
from numba.core.runtime import rtsys
from numba.np import arrayobj

from roborally_env.compiling.libraries import Inner

KERNEL_SYMBOLS: set[str] = set()  # of the kernels that this process has lowered
_from_either_end = arrayobj.fix_integer_index


def _index(context: Any, builder: Any, kind: Any, index: Any, size: Any) -> Any:
    """An index as a word. In a kernel it is from 0 on; elsewhere a negative one counts from the end."""
    if builder.function.name not in KERNEL_SYMBOLS:
        return _from_either_end(context, builder, kind, index, size)
    return context.cast(builder, index, kind, types.intp if kind.signed else types.uintp)


class Patch(NamedTuple):
    """An attribute of numba, and its value while a kernel is compiled."""

    owner: Any
    name: str
    value: Any


PATCHES = [Patch(arrayobj, "fix_integer_index", _index)]


@contextlib.contextmanager
def compiling_kernels(context: Any) -> Iterator[None]:
    """Within it everything is compiled as inner code, also numba's own functions, but not numba's runtime.

    Who enters it holds numba's lock for compiling, so no other thread compiles with what is changed here.
    """
    rtsys.initialize(context)  # also where a function of plain numba calls a kernel
    with contextlib.ExitStack() as stack:
        for patch in (*PATCHES, Patch(context.codegen(), "_library_class", Inner)):
            stack.enter_context(_changed(patch))
        yield


@contextlib.contextmanager
def _changed(patch: Patch) -> Iterator[None]:
    missing = object()
    before = vars(patch.owner).get(patch.name, missing)
    setattr(patch.owner, patch.name, patch.value)
    try:
        yield
    finally:
        if before is missing:
            delattr(patch.owner, patch.name)
        else:
            setattr(patch.owner, patch.name, before)
