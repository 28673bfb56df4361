"""Values of an object that are computed when they are first asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, Self, TypeVar, overload

_Value = TypeVar("_Value")


class lazily(Generic[_Value]):
    """`functools.cached_property` as it is since Python 3.12: without a lock. With that of 3.11 the child of a fork
    waits forever if another thread was computing a value. Two threads may compute the same value."""

    def __init__(self, function: Callable[[Any], _Value]) -> None:
        self.function = function
        self.__doc__ = function.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, instance: None, owner: type | None = None) -> Self: ...

    @overload
    def __get__(self, instance: object, owner: type | None = None) -> _Value: ...

    def __get__(self, instance: object | None, owner: type | None = None) -> Self | _Value:
        if instance is None:
            return self
        found = instance.__dict__[self.name] = self.function(instance)  # which is found first from now on
        return found
