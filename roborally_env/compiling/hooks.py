"""Names that stand for one function in each edition: the records among the arguments of a call select it.

A compiled call is typed and lowered as a call of the selected kernel, so no edition's code contains another's.
"""

from __future__ import annotations

import functools
from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numba import typeof, types
from numba.core import typing
from numba.extending import lower_builtin, models, register_model

from roborally_env.base.types import DType, NamedValues


@functools.lru_cache(maxsize=256)
def fields_of(dtypes: tuple[DType, ...]) -> frozenset[str]:
    """The names of all fields of records of these dtypes."""
    return frozenset(name for dtype in dtypes for name in dtype.names or ())


class Constant(NamedTuple):
    """A value that a hook returns without a call, for editions in which it has nothing to do."""

    value: object


class Hook(ABC):
    """A name that calls one of several functions; `chosen_for` selects it by the records among the arguments."""

    def __init__(self, function: Any) -> None:
        functools.update_wrapper(self, function)

    @abstractmethod
    def chosen_for(self, fields: Any) -> Any:
        """The kernel or Constant for records with these fields."""

    def chosen_by(self, arguments: Iterable[Any]) -> Any:
        """The kernel or Constant for the records among the arguments of a call from Python."""
        dtypes = [argument.dtype for argument in arguments if hasattr(argument, "dtype")]
        return self.chosen_for(fields_of(tuple([dtype for dtype in dtypes if dtype.names])))

    def __call__(self, *arguments: Any) -> Any:
        """Call the selected function from Python."""
        target = self.chosen_by(arguments)
        return target.value if isinstance(target, Constant) else target(*arguments)

    @property
    def _numba_type_(self) -> Any:
        return HookType(self)


class HookType(types.Callable, types.Opaque):  # type: ignore[misc]
    """numba's type of a hook: a call gets the signature and the code of the selected kernel."""

    def __init__(self, hook: Hook) -> None:
        self.hook = hook
        super().__init__(f"hook({hook.__module__}.{hook.__qualname__} {id(hook)})")  # type: ignore[attr-defined]

    def get_call_type(self, context: Any, args: Any, kws: Any) -> Any:
        target = self.hook.chosen_for(record_fields([*args, *kws.values()]))
        if isinstance(target, Constant):
            return typing.signature(types.unliteral(typeof(target.value)), *args)
        return target._numba_type_.get_call_type(context, args, kws)

    def get_call_signatures(self) -> Any:
        return [], True

    def get_impl_key(self, sig: Any) -> Any:
        target = self.hook.chosen_for(record_fields(sig.args))
        return _constant_key(target) if isinstance(target, Constant) else target._numba_type_.get_impl_key(sig)


register_model(HookType)(models.OpaqueModel)


def record_fields(kinds: Iterable[Any]) -> frozenset[str]:
    """The names of all fields of the records among numba types, including records in arrays and tuples."""
    fields: set[str] = set()
    for kind in kinds:
        if isinstance(kind, types.Array):
            kind = kind.dtype
        if isinstance(kind, types.Record):
            fields.update(kind.fields)
        elif isinstance(kind, types.BaseTuple):
            fields |= record_fields(kind.types)
    return frozenset(fields)


_constant_keys: NamedValues = {}


def _constant_key(constant: Constant) -> Any:
    """The key under which numba finds the code of a constant: it takes any arguments and gives the value."""
    value = constant.value
    name = f"{type(value)} {value.tobytes() + str(value.dtype).encode() if isinstance(value, np.ndarray) else value!r}"
    if name not in _constant_keys:
        key = _constant_keys[name] = object()

        @lower_builtin(key, types.VarArg(types.Any))  # type: ignore[untyped-decorator]
        def _give(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            return context.get_constant_generic(builder, sig.return_type, constant.value)

        from numba.core.registry import cpu_target

        cpu_target.target_context.refresh()
    return _constant_keys[name]
