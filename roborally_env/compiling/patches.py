"""What this package changes in numba, and only while one of its own kernels is typed and lowered."""

from __future__ import annotations

import contextlib
import dis
import functools
from collections.abc import Iterator
from types import CodeType
from typing import Any, NamedTuple

from numba import types
from numba.core import base, cgutils, errors, ir
from numba.core.callconv import CPUCallConv
from numba.core.datamodel import models
from numba.core.inline_closurecall import InlineClosureCallPass
from numba.core.lowering import Lower
from numba.core.postproc import PostProcessor
from numba.core.runtime import rtsys
from numba.core.targetconfig import ConfigStack
from numba.core.typing import typeof
from numba.np import arrayobj

from roborally_env.compiling import calls, structures
from roborally_env.compiling.libraries import Inner
from roborally_env.compiling.pipeline import post_process
from roborally_env.compiling.variables import find_values

KERNEL_SYMBOLS: set[str] = set()  # of the kernels that this process has lowered


class Patch(NamedTuple):
    """An attribute of numba, and its value while a kernel is compiled."""

    owner: Any
    name: str
    value: Any


# -- what is made

_from_either_end = arrayobj.fix_integer_index


def _index(context: Any, builder: Any, kind: Any, index: Any, size: Any) -> Any:
    """An index as a word. In a kernel it is from 0 on; elsewhere a negative one counts from the end."""
    if builder.function.name not in KERNEL_SYMBOLS:
        return _from_either_end(context, builder, kind, index, size)
    return context.cast(builder, index, kind, types.intp if kind.signed else types.uintp)


# -- how long it takes: each of these gives what numba's own gives

_call_type = types.BaseFunction.get_call_type
_call_types: dict[Any, list[tuple[Any, Any, Any]]] = {}  # the function, options, and signature of each call


def _known_call_type(function: Any, context: Any, args: Any, kws: Any) -> Any:
    """The signature of a call of one of numba's functions, which numba looks for anew at every call: it tries all that
    the function can be, NumPy's loops too. It depends on the options of what is being compiled."""
    options = getattr(ConfigStack.top_or_none(), "_values", {})
    known = _call_types.setdefault((id(function), tuple(args), tuple(kws.items())), [])
    for _, of, signature in known:
        if of == options:
            return signature
    signature = _call_type(function, context, args, kws)
    known.append((function, dict(options), signature))  # what holds the function keeps its id in use
    return signature


def _variables(self: Any, value: Any) -> list[Any]:
    """The variables in a part of an instruction, in order. Most parts are names, numbers and places in a file."""
    found: list[Any] = []
    _add_variables(value, found)
    return found


def _add_variables(value: Any, found: list[Any]) -> None:
    if type(value) is ir.Var:
        found.append(value)
    elif type(value) in _PLAIN:
        return
    elif isinstance(value, ir.Inst):
        found.extend(value.list_vars())
    elif isinstance(value, (list, tuple)):
        for part in value:
            _add_variables(part, found)
    elif isinstance(value, dict):
        for part in value.values():
            _add_variables(part, found)
    elif isinstance(value, ir.Var):
        found.append(value)


_PLAIN = frozenset((str, int, bool, float, type(None), ir.Loc, ir.Const, ir.Global, ir.FreeVar, ir.Arg))


_inline_closures = InlineClosureCallPass.run
_LIST_APPEND = dis.opmap["LIST_APPEND"]


def _inline_any_closures(self: Any) -> None:
    """Look for closures, comprehensions and `reduce` to be inlined, where there can be some."""
    code = self.func_ir.func_id.code
    inner = any(isinstance(constant, CodeType) for constant in code.co_consts)
    if inner or _LIST_APPEND in code.co_code[::2] or "reduce" in code.co_names:
        _inline_closures(self)


class _Uncoloured:
    """numba's colours for messages: none."""

    def __getattr__(self, name: str) -> Any:
        return str


_size_of = base.BaseContext.get_abi_sizeof
_sizes: dict[str, int] = {}


def _known_size(self: Any, kind: Any) -> int:
    """The size of a type of LLVM, for which llvmlite writes and parses a module. A literal type's text is all of it."""
    if "%" in (text := str(kind)):
        return int(_size_of(self, kind))
    if text not in _sizes:
        _sizes[text] = _size_of(self, kind)
    return _sizes[text]


_structure = cgutils.ValueStructProxy

PATCHES = [
    Patch(arrayobj, "fix_integer_index", _index),
    Patch(types.BaseFunction, "get_call_type", _known_call_type),
    Patch(ir.Inst, "_rec_list_vars", _variables),
    # the layout of each record among the arguments, as text, for an event that nobody listens to, in each of 30 passes
    Patch(types.Record, "__repr__", functools.lru_cache(maxsize=None)(types.Record.__repr__)),
    # errors that numba catches itself, as "no constant", take longer to colour than to find
    Patch(errors, "_termcolor_inst", _Uncoloured()),
    Patch(typeof, "_termcolor", _Uncoloured()),
    # whether a function that lowers a call takes a place in a file, asked at each call
    Patch(base, "_has_loc", functools.lru_cache(maxsize=None)(base._has_loc)),
    Patch(base.BaseContext, "get_abi_sizeof", _known_size),
    Patch(PostProcessor, "run", post_process),
    Patch(InlineClosureCallPass, "run", _inline_any_closures),
    Patch(_structure, "__init__", structures.begin),
    Patch(_structure, "_value", structures.slot_of("_value")),
    Patch(_structure, "_outer_ref", structures.slot_of("_outer_ref")),
    Patch(_structure, "__getitem__", structures.part),
    Patch(_structure, "__setitem__", structures.set_part),
    Patch(_structure, "_getvalue", structures.whole),
    Patch(_structure, "_setvalue", structures.set_whole),
    Patch(models.StructModel, "get", structures.get),
    Patch(models.StructModel, "set", structures.put),
    Patch(cgutils, "pack_array", structures.pack_array),
    Patch(cgutils, "unpack_tuple", structures.unpack_tuple),
    Patch(arrayobj, "make_array", structures.make_array),
    Patch(Lower, "_find_singly_assigned_variable", find_values),
    Patch(CPUCallConv, "_get_return_status", calls.status),
    Patch(base, "user_function", calls.user_function),
    Patch(base.BaseContext, "call_internal", calls.call_internal),
]


@contextlib.contextmanager
def compiling_kernels(context: Any) -> Iterator[None]:
    """Within it everything is compiled as inner code, also numba's own functions, but not numba's runtime.

    Who enters it holds numba's lock for compiling, so no other thread compiles with what is changed here.
    """
    rtsys.initialize(context)  # also where a function of plain numba calls a kernel
    codegen = context.codegen()
    with contextlib.ExitStack() as stack:
        if ir.Inst._rec_list_vars is not _variables:  # else this is within another kernel, which calls this one
            for patch in PATCHES:
                stack.enter_context(_changed(patch))
        if codegen._library_class is not Inner:
            stack.enter_context(_changed(Patch(codegen, "_library_class", Inner)))
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
