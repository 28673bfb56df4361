"""Which code has to count references to arrays."""

from __future__ import annotations

import dis
from typing import Any

import numpy as np
from numba import types

# numba's errors for code that needs reference counting: an array is copied, or a part of one is returned
COUNTING_NEEDED = ("NRT required", "Only accept returning of array passed into the function as argument")
# names of NumPy that a kernel may use without making an array
SCALARS = frozenset((
    "bool_", "int8", "int16", "int32", "int64", "intp", "uint8", "uint16", "uint32", "uint64", "float32", "float64",
    "inf", "nan", "pi", "exp", "log", "sqrt", "tanh", "floor",
))  # fmt: skip
ARRAY_METHODS = frozenset(name for name in dir(np.ndarray) if not name.startswith("_")) - {
    "shape",
    "size",
    "ctypes",
    "data",
    "flags",
}


def may_make_arrays(function: Any) -> bool:
    """Whether a function may make an array, by the attributes in it: NumPy's functions, and methods of arrays."""
    of_numpy: set[str] = set()
    of_others: set[str] = set()
    before = None
    for instruction in dis.get_instructions(function):
        if instruction.opname in ("LOAD_ATTR", "LOAD_METHOD"):
            from_numpy = before is not None and before.opname == "LOAD_GLOBAL" and before.argval == "np"
            (of_numpy if from_numpy else of_others).add(instruction.argval)
        before = instruction
    return bool(of_numpy - SCALARS or of_others & ARRAY_METHODS)


def holds_arrays(kind: Any) -> bool:
    """Whether values of a type refer to memory that may have to be freed."""
    if isinstance(kind, types.BaseTuple):
        return any(map(holds_arrays, kind.types))
    return not isinstance(kind, (types.Number, types.Boolean, types.NoneType, types.Record))
