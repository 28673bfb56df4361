"""The processor for which machine code is made: the one at hand, or a level that many processors have."""

from __future__ import annotations

import functools
import os
from typing import Any, NamedTuple

import llvmlite.binding as llvm
from numba.core import config

from roborally_env.base.errors import RoboRallyError

VARIABLE = "ROBORALLY_CPU"
PORTABLE = "x86-64-v3"  # the level of code that travels: processors from 2015 on
_V2 = ("cx16", "popcnt", "sahf", "sse3", "sse4.1", "sse4.2", "ssse3")
_V3 = (*_V2, "avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe")
_V4 = (*_V3, "avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl")
LEVELS: dict[str, tuple[str, ...]] = {
    "x86-64": (),
    "x86-64-v2": _V2,
    "x86-64-v3": _V3,
    "x86-64-v4": _V4,
}  # with the features that each needs


class Processor(NamedTuple):
    """A processor as LLVM names it."""

    name: str
    features: str


def processor(codegen: Any) -> Processor:
    """The processor for which `codegen` makes machine code: numba's choice, or the level in `ROBORALLY_CPU`.

    Raises:
        RoboRallyError: for an unknown level, or one that the processor at hand does not have.
    """
    level = os.environ.get(VARIABLE)
    if not level:
        _, name, features = codegen.magic_tuple()
        return Processor(name, features)
    return _level(level)


def portable() -> Processor | None:
    """The level of code that travels, or None if the processor at hand does not have it."""
    return None if _missing(PORTABLE) else Processor(PORTABLE, "")


def travels(codegen: Any) -> bool:
    """Whether what `codegen` makes is for the level of code that travels."""
    return processor(codegen) == portable()


def _level(name: str) -> Processor:
    if name not in LEVELS:
        raise RoboRallyError(f"{VARIABLE}: expected one of {', '.join(LEVELS)}, got {name!r}")
    if missing := _missing(name):
        raise RoboRallyError(f"{VARIABLE}: this processor does not have the level {name} (missing: {missing})")
    return Processor(name, "")


@functools.cache
def _missing(level: str) -> str:
    """What the processor at hand lacks for a level; "" if it has it."""
    if not llvm.get_process_triple().startswith("x86_64"):
        return "x86-64"
    has = llvm.get_host_cpu_features()
    return ", ".join(feature for feature in LEVELS[level] if not has.get(feature))


@functools.cache
def target_machine(processor: Processor) -> Any:
    """LLVM's target machine for a processor, with numba's options for code that is loaded into a process."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    triple = llvm.get_process_triple()
    reloc = "static" if triple.startswith(("x86", "i386", "i686")) else "default"
    return llvm.Target.from_triple(triple).create_target_machine(
        processor.name, processor.features, opt=int(config.OPT), reloc=reloc, codemodel="jitdefault", jit=True
    )
