"""Which numba compiles, with which options, and the name of a kernel's file: a hash of all that its code depends on."""

from __future__ import annotations

import hashlib
import os
import pickle
import sys
from collections.abc import Iterable, Iterator
from typing import Any

import llvmlite
import numba
import numpy as np
from numba import types
from numba.core import config

from roborally_env.compiling import cache
from roborally_env.compiling.fingerprint import reach_of
from roborally_env.compiling.hooks import record_fields
from roborally_env.compiling.machine import portable, processor

KNOWN = ((0, 63), (0, 68))  # first and last version of numba, both included
FORMAT = 9  # raised with each change of the cached data, or of how code is made
OPTIONS = {
    "nopython": True,
    "nogil": True,
    "error_model": "numpy",
    "boundscheck": None,
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
}
OPAQUE = "linkonce"  # linkage that keeps LLVM from inlining: the linker may replace the function

made: list[str] = []  # names of what this process has compiled, in order
loaded: list[str] = []  # names of what this process has loaded from the cache


_version = tuple(int(part) for part in numba.__version__.split(".")[:2])
KNOWN_VERSION = KNOWN[0] <= _version <= KNOWN[1]
WHOLE = KNOWN_VERSION and os.environ.get("ROBORALLY_COMPILE") != "plain"
UNKNOWN = "numba {} is not a version from {}.{} to {}.{}: compiling takes about three times as long"


def wide(kind: Any) -> Any:
    """The type for which a kernel is compiled when a kernel calls it: one type for all whole numbers.

    numba would compile it anew for each mix of int8, int64, uint8 and each constant: three times the code.
    """
    kind = types.unliteral(kind)
    return types.int64 if isinstance(kind, types.Integer) and kind != types.uint64 else kind


def _system(codegen: Any, made_for: Iterable[str]) -> str:
    """All that code depends on besides the sources: versions, numba's settings, and for machine code the processor."""
    settings = (int(config.OPT), config.LOOP_VECTORIZE, config.SLP_VECTORIZE, config.BOUNDSCHECK, config.USING_SVML)
    versions = (numba.__version__, llvmlite.__version__, np.__version__.partition(".")[0], sys.version_info[:2])
    triple = codegen.magic_tuple()[0]
    return repr((FORMAT, WHOLE, versions, triple, tuple(made_for), settings))


def key_of(kernel: Any, args: tuple[Any, ...], what: str) -> str:
    """The name of a kernel's file: a readable part, then a hash of all that the machine code depends on."""
    if what in ("entry", "apart"):
        return code_keys(kernel, args, what)[0]
    return _keys(kernel, args, what, ["any" if what == "inner" else kernel.targetctx.codegen().magic_tuple()])[0]


def code_keys(kernel: Any, args: tuple[Any, ...], what: str) -> list[str]:
    """The names of the files that machine code may come from: of the processor at hand, and of the level that travels.
    `what`: "entry", or "apart" for the code of a kernel apart."""
    kinds = [processor(kernel.targetctx.codegen()), portable()]
    return _keys(kernel, args, what, [kind for kind in dict.fromkeys(kinds) if kind])


def optimised_key(kernel: Any, args: tuple[Any, ...], what: str) -> str:
    """The name of the file with the optimised bitcode of such code. It may come from another processor."""
    return _keys(kernel, args, f"optimised_{what}", ["any"])[0]


def _keys(kernel: Any, args: tuple[Any, ...], what: str, processors: Iterable[Iterable[str]]) -> list[str]:
    reach, codegen = reach_of(kernel, record_fields(args)), kernel.targetctx.codegen()
    known = [what, reach.digest, *map(str, args), *_classes(args)]
    texts = ["\n".join([*known, _system(codegen, made_for)]) for made_for in processors]
    return [f"{what}-{kernel.py_func.__name__}-{hashlib.sha256(text.encode()).hexdigest()[:32]}" for text in texts]


def _classes(kinds: Iterable[Any]) -> Iterator[str]:
    """The classes of named tuples among numba types, also nested ones: numba's type names leave their modules out."""
    for kind in kinds:
        if isinstance(kind, types.BaseTuple):
            of = getattr(kind, "instance_class", tuple)
            yield f"{of.__module__}.{of.__qualname__} {getattr(kind, 'fields', '')}"
            yield from _classes(kind.types)


def kept_under(name: str) -> Any:
    """The object that the cache has under a name, or None."""
    data = cache.load(name)
    if data is None:
        return None
    loaded.append(name)
    return pickle.loads(data)
