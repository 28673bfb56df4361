"""Checks of values that users give: numbers, choices, arrays, names of arguments."""

from __future__ import annotations

import inspect
import os
from collections.abc import Iterable, Sequence
from typing import TypeGuard

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from roborally_env.base.errors import RoboRallyError, cut, nearest
from roborally_env.base.types import Array, Function


def named_arguments(function: Function) -> tuple[str, ...]:
    """The names of a function's arguments, without `self` and without those that stand for several."""
    several = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    found = inspect.signature(function).parameters.values()
    return tuple(each.name for each in found if each.kind not in several and each.name != "self")


def refuse_unknown_arguments(given: Iterable[str], known: Sequence[str], what: str) -> None:
    """Raise a RoboRallyError with the nearest name for the first of these names that is not known."""
    for name in given:
        if name not in known:
            hint = nearest(name, known)
            raise RoboRallyError(f"{what}: unknown argument {name!r}{hint}; expected {', '.join(known)}")


def check_whole(value: object, name: str, low: int, high: int) -> int:
    """The value as an int from `low` to `high`; raises a RoboRallyError that names the argument."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or not low <= value <= high:
        raise RoboRallyError(f"{name}: expected a whole number from {low} to {high}, got {shown(value)}")
    return int(value)


def check_share(value: object, name: str) -> float:
    """The value as a float from 0 to 1; raises a RoboRallyError that names the argument."""
    if not _is_number(value) or not 0 <= value <= 1:
        raise RoboRallyError(f"{name}: expected a number from 0 to 1, got {shown(value)}")
    return float(value)


def check_positive(value: object, name: str) -> float:
    """The value as a float over 0; raises a RoboRallyError that names the argument."""
    if not _is_number(value) or not value > 0:
        raise RoboRallyError(f"{name}: expected a number over 0, got {shown(value)}")
    return float(value)


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)


def check_choice(value: object, name: str, known: Sequence[str]) -> str:
    """The value itself; raises a RoboRallyError unless it is one of the known names."""
    if not isinstance(value, str) or value not in known:
        raise RoboRallyError(
            f"{name}: expected one of {', '.join(known)}, got {shown(value)}{nearest(str(value), known)}"
        )
    return str(value)


def check_flag(value: object, name: str) -> bool:
    """The value as a bool; raises a RoboRallyError that names the argument."""
    if not isinstance(value, (bool, np.bool_)):
        raise RoboRallyError(f"{name}: expected True or False, got {shown(value)}")
    return bool(value)


def check_path(value: object, name: str, kind: type[RoboRallyError] = RoboRallyError) -> str | os.PathLike[str]:
    """The value itself, if it is a path; else raises `kind`. A number would be taken for an open file."""
    if not isinstance(value, (str, os.PathLike)):
        raise kind(f"{name}: expected a path, got {shown(value)}")
    return value


def shown(value: object) -> str:
    """A value in one short line of a message."""
    return cut(" ".join(repr(value).split()))


def check_array(
    value: ArrayLike,
    name: str,
    shape: tuple[int, ...],
    dtype: DTypeLike,
    low: int,
    high: int,
    kind: type[RoboRallyError] = RoboRallyError,
) -> Array:
    """The value as an array of this shape and dtype, with whole numbers from `low` to `high`; else raises `kind`."""
    array = np.asarray(value)
    if array.shape != shape:
        raise kind(f"{name}: expected shape {shape}, got {array.shape}")
    if array.dtype.kind not in ("iub" if dtype is np.bool_ else "iu"):
        raise kind(f"{name}: expected whole numbers, got dtype {array.dtype}")
    if array.size and (array.min() < low or array.max() > high):
        at = tuple(int(i) for i in np.argwhere((array < low) | (array > high))[0])
        raise kind(f"{name}{list(at)}: expected {low} to {high}, got {int(array[at])}")
    return array if array.dtype == dtype else array.astype(dtype)
