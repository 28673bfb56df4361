"""A hash of all that machine code depends on: the code of every function that a kernel reaches, and its constants.

`sources_of` is the same of their text: what kernels compute depends on it, with every version of Python and numba.

Comments, docstrings, line numbers and file paths do not count; an edit in a function that a kernel never reaches leaves
the kernel's machine code valid. The functions are found by following names: global values of a function, its closure
and its defaults. A `Hook`, which stands for one function in each edition, leads to the function that the records in the
signature select.
"""

from __future__ import annotations

import dis
import hashlib
import linecache
import types as python_types
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from roborally_env.base.types import NamedValues

_FOREIGN = ("numpy", "numba", "math", "builtins", "llvmlite")  # their versions are part of the key
_HAS_DOCSTRING = 0x4000000  # a flag of Python 3.13's code objects
_HAS_CONSTANT = frozenset(dis.hasconst)


class Reach(NamedTuple):
    """All kernels that a kernel reaches, and the hash of their code."""

    digest: str  # 32 hex digits
    kernels: NamedValues  # kernels by name, with the first one


def name_of(function: Any) -> str:
    """The module and qualified name of a Python function."""
    return f"{function.__module__}.{function.__qualname__}"


def reach_of(kernel: Any, fields: frozenset[str]) -> Reach:
    """The functions that `kernel` reaches when the records of its signature have, together, these fields."""
    kernels: NamedValues = {}
    lines: list[str] = []
    for one, function, (local, _) in _reached([kernel], fields, _local):
        if function is not one:
            kernels[name_of(function)] = one
        name = name_of(function) if isinstance(function, python_types.FunctionType) else "value"
        how = sorted(getattr(one, "targetoptions", {}).items()), getattr(one, "attribute", ""), getattr(one, "apart", 0)
        lines.append(f"{name} {how} {local}")
    return Reach(hashlib.sha256("\n".join(sorted(lines)).encode()).hexdigest()[:32], kernels)


def sources_of(kernels: Iterable[Any], fields: frozenset[str]) -> str:
    """A hash, 32 hex digits, of the lines of all functions that these kernels reach, and of their constants.

    `fields` as in `reach_of`. An edit of any of these functions changes it, also of a comment in one; another version
    of Python or numba does not.
    """
    lines = {text for _, _, (text, _) in _reached(kernels, fields, _source)}
    return hashlib.sha256("\n".join(sorted(lines)).encode()).hexdigest()[:32]


_Local: TypeAlias = tuple[str, list[Any]]  # what stands in one function, as text, and the functions that it names


def _reached(
    kernels: Iterable[Any], fields: frozenset[str], local: Callable[[Any], _Local]
) -> Iterator[tuple[Any, Any, _Local]]:
    """All that the kernels reach, also themselves: as found, as a function of Python, and what `local` makes of it."""
    waiting = list(kernels)
    seen: dict[int, Any] = {}  # by id; the references keep the ids in use
    while waiting:
        one = waiting.pop()
        if id(one) in seen:
            continue
        seen[id(one)] = one
        if hasattr(one, "chosen_for"):  # a hook
            waiting.append(one.chosen_for(fields))
            continue
        function = getattr(one, "py_func", one)
        here = local(function)
        yield one, function, here
        waiting.extend(here[1])


_locals: dict[int, tuple[Any, str, list[Any]]] = {}  # by id; the reference to the function keeps its id in use


def _local(function: Any) -> _Local:
    """The hash of one function's own code and constants, and a list of the functions that it names."""
    known = _locals.get(id(function))
    if known is None:
        found: list[Any] = []
        digest = hashlib.sha256()
        if isinstance(function, python_types.FunctionType):
            for part in _function_parts(function, found):
                digest.update(part.encode() + b"\0")
        else:
            digest.update(_value(function, found).encode())
        known = _locals[id(function)] = (function, digest.hexdigest(), found)
    return known[1], known[2]


def _source(function: Any) -> _Local:
    """The lines and constants of one function, and a list of the functions that it names."""
    found: list[Any] = []
    if not isinstance(function, python_types.FunctionType):
        return _value(function, found), found
    code = function.__code__
    lines = linecache.getlines(code.co_filename)[code.co_firstlineno - 1 : _last_line(code)]
    return "\0".join([name_of(function), *lines, *_constants(function, found)]), found


def _last_line(code: python_types.CodeType) -> int:
    inner = [each for each in code.co_consts if isinstance(each, python_types.CodeType)]
    ends = [end for _, end, _, _ in code.co_positions() if end is not None]
    return max([*ends, *map(_last_line, inner)], default=code.co_firstlineno)


def _function_parts(function: python_types.FunctionType, found: list[Any]) -> Iterator[str]:
    yield from _code_parts(function.__code__)
    yield from _constants(function, found)


def _constants(function: python_types.FunctionType, found: list[Any]) -> Iterator[str]:
    """The values of the names in a function, as text; functions among them are added to `found`."""
    for name in sorted(_names(function.__code__)):
        if name in function.__globals__:
            value = function.__globals__[name]
            if isinstance(value, python_types.ModuleType):
                yield from _module_parts(value, name, _names(function.__code__), found)
            else:
                yield f"{name}={_value(value, found)}"
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        yield f"{name}={_value(cell.cell_contents, found)}"
    yield _value(function.__defaults__, found)


def _module_parts(module: Any, name: str, names: Iterable[str], found: list[Any]) -> Iterator[str]:
    """The values of a module that a function may use as `module.name`, as text."""
    if module.__name__.partition(".")[0] in _FOREIGN:
        yield name
        return
    for attribute in sorted(names):
        if attribute in module.__dict__:
            value = module.__dict__[attribute]
            if not isinstance(value, python_types.ModuleType):
                yield f"{name}.{attribute}={_value(value, found)}"


def _names(code: python_types.CodeType) -> set[str]:
    """Global names and attributes in a function and in its nested functions."""
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, python_types.CodeType):
            names |= _names(constant)
    return names


def _code_parts(code: python_types.CodeType) -> Iterator[str]:
    """The instructions, with each constant in place of its index: a docstring shifts the indices."""
    names = (code.co_varnames, code.co_cellvars, code.co_freevars, code.co_names)
    yield f"{code.co_argcount} {code.co_flags & ~_HAS_DOCSTRING} {names}"
    yield code.co_exceptiontable.hex()
    code_bytes = code.co_code
    high = 0
    parts: list[str] = []
    for at in range(0, len(code_bytes), 2):
        operation, number = code_bytes[at], code_bytes[at + 1] | high
        high = number << 8 if operation == dis.EXTENDED_ARG else 0
        if operation in _HAS_CONSTANT:
            constant = code.co_consts[number]
            if isinstance(constant, python_types.CodeType):
                parts.extend(_code_parts(constant))
            else:
                parts.append(f"{operation} {type(constant).__name__} {constant!r}")
        elif operation != dis.EXTENDED_ARG:
            parts.append(f"{operation} {number}")
    yield " ".join(parts)


def _value(value: object, found: list[Any]) -> str:
    """A value that a function uses, as text; functions are added to `found`."""
    if value is None or isinstance(value, (bool, int, float, str, bytes, np.generic)):
        return f"{type(value).__name__} {value!r}"
    if isinstance(value, (tuple, list)):
        names = getattr(value, "_fields", "")
        return f"{type(value).__name__}{names}({', '.join(_value(v, found) for v in value)})"
    if isinstance(value, np.ndarray):
        return f"array {value.dtype.descr} {value.shape} {hashlib.sha256(value.tobytes()).hexdigest()}"
    if isinstance(value, np.dtype):
        return f"dtype {value.descr}"
    if isinstance(value, type):
        return f"class {value.__module__}.{value.__qualname__} {getattr(value, '_fields', '')}"
    if hasattr(value, "chosen_for"):
        found.append(value)
        return f"hook {name_of(value)}"
    value = getattr(value, "_defn", value)  # the function that generates the code of an intrinsic
    function = getattr(value, "py_func", value)
    module = getattr(function, "__module__", None) or ""
    if isinstance(function, python_types.FunctionType) and module.partition(".")[0] not in _FOREIGN:
        found.append(value)
        return f"function {name_of(function)}"
    return f"{type(value).__name__} {module}.{getattr(value, '__qualname__', '')}"
