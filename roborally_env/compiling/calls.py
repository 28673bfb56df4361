"""Calls of functions that never fail: without the code that hands an error on.

Every compiled function of numba returns a code, and each call of it is followed by some twenty instructions that look
at the code and hand on what was raised. Few kernels of a game raise anything, which LLVM finds out after a while.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import Any

from llvmlite import ir
from numba.core import base, cgutils, imputils
from numba.core.callconv import CPUCallConv, Status

NEVER_FAIL: set[str] = set()  # the symbols of functions of this process that return no other code than 0

_status_of = CPUCallConv._get_return_status
_user_function = imputils.user_function
_called = base.BaseContext.call_internal


def note(function: Any) -> None:
    """Note a function that has been lowered, if all its returns are those of success."""
    returns = [end for end in _ends(function) if isinstance(end, ir.Ret)]
    if returns and all(_is_success(end) for end in returns):
        NEVER_FAIL.add(function.name)


def _ends(function: Any) -> Iterator[Any]:
    """The last instructions of the blocks that can be reached. `range` asks whether its step is 0, also if it is 1."""
    waiting = [function.entry_basic_block]
    seen = set(waiting)
    while waiting:
        end = waiting.pop().terminator
        yield end
        if isinstance(end, ir.ConditionalBranch):
            condition, then, other = end.operands
            known = _known(condition)
            ways = [then, other] if known is None else [then] if known else [other]
        elif isinstance(end, ir.Branch):
            ways = list(end.operands)
        elif isinstance(end, (ir.Ret, ir.Unreachable)):
            ways = []
        else:
            ways = list(function.blocks)  # all of them, which is never wrong
        for way in ways:
            if way not in seen:
                seen.add(way)
                waiting.append(way)


_COMPARED: dict[str, Callable[[int, int], bool]] = {"eq": operator.eq, "ne": operator.ne}


def _known(condition: Any) -> bool | None:
    """What a comparison of two constants gives; None for others."""
    if isinstance(condition, ir.ICMPInstr) and condition.op in _COMPARED:
        left, right = condition.operands
        if type(left) is type(right) is ir.Constant and isinstance(left.constant, int):
            return _COMPARED[condition.op](left.constant, right.constant)
    return None


def _is_success(end: Any) -> bool:
    return len(end.operands) == 1 and type(end.operands[0]) is ir.Constant and end.operands[0].constant == 0


def status(self: Any, builder: Any, code: Any, excinfoptr: Any) -> Any:
    """The status of a call."""
    if code.callee.name not in NEVER_FAIL:
        return _status_of(self, builder, code, excinfoptr)
    no, yes = cgutils.false_bit, cgutils.true_bit
    return Status(code=code, is_ok=yes, is_none=no, is_error=no, is_python_exc=no, is_stop_iteration=no, is_user_exc=no,
                  excinfoptr=excinfoptr)  # fmt: skip


def user_function(fndesc: Any, libs: Any) -> Any:
    """What lowers a call of a compiled function."""
    checked = _user_function(fndesc, libs)

    def call(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        if fndesc.llvm_func_name not in NEVER_FAIL:
            return checked(context, builder, sig, args)
        function = context.declare_function(builder.module, fndesc)
        _, value = context.call_conv.call_function(builder, function, fndesc.restype, fndesc.argtypes, args)
        return imputils.impl_ret_new_ref(context, builder, fndesc.restype, value)

    call.signature = checked.signature  # type: ignore[attr-defined]
    call.libs = checked.libs  # type: ignore[attr-defined]
    return call


def call_internal(self: Any, builder: Any, fndesc: Any, sig: Any, args: Any) -> Any:
    """A call of one of numba's own functions."""
    if fndesc.llvm_func_name not in NEVER_FAIL:
        return _called(self, builder, fndesc, sig, args)
    return self.call_internal_no_propagate(builder, fndesc, sig, args)[1]
