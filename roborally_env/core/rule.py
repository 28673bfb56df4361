"""Rules: a function whose body is the default, and what an edition plays in its place.

    @rule
    def way(course, game, cell, direction):
        return course.next[cell, direction]

An edition's `rules.py` lists all that it does differently, by function objects: `OVERRIDES = {way: heights.way, ...}`.
Compiled code that calls `way` calls the one function of the game that it is compiled for, so no game carries another's
code. The record among the arguments says which game it is: each kind of record has a field of its own, `mark_of` it.
"""

from __future__ import annotations

import dis
import inspect
from collections.abc import Callable, Mapping
from typing import Any

from roborally_env.compiling.hooks import Constant, Hook
from roborally_env.core.kernel import kernel
from roborally_env.core.state import MARK, Kind, kind_of, mark_of
from roborally_env.errors import RoboRallyError

RULES: list[Rule] = []  # all of them, in the order in which their modules were imported
_OVERRIDES: dict[str, Mapping[Any, Any]] = {}  # by mark
_WITHDRAWN: dict[str, Mapping[Any, Any]] = {}  # those that compiled code of this process may still play


class Rule(Hook):
    """A rule: its default, and by the record of a call what an edition plays in its place."""

    def __init__(self, function: Any, default: Any) -> None:
        super().__init__(function)
        self.function = function
        self.default = default  # a kernel, a Constant, or None where each edition has to have its own
        RULES.append(self)

    def chosen_for(self, fields: Any) -> Any:
        """What is played with records of these fields: a kernel or a Constant."""
        mark = next((name for name in fields if name.startswith(MARK)), None)
        if mark is not None and mark not in _OVERRIDES:
            raise RoboRallyError(f"no rules are registered for games of the kind {mark.removeprefix(MARK)!r}")
        target = self.default if mark is None else _OVERRIDES[mark].get(self, self.default)
        if target is None:
            raise RoboRallyError(
                f"{self!r}: the kind {(mark or '').removeprefix(MARK)!r} has no function for this rule"
            )
        return target

    def __repr__(self) -> str:
        return f"rule {self.function.__module__}.{self.function.__qualname__}"


def rule(function: Any = None, *, required: bool = False, **options: bool) -> Any:
    """Decorator of a rule; `options` are those of `kernel`. Where it is `required`, the body is left out."""
    if function is None:
        return lambda inner: rule(inner, required=required, **options)
    if required:
        return Rule(function, None)
    constant = _constant_of(function)
    return Rule(function, kernel(function, **options) if constant is None else constant)


class _FactOfKind(Hook):
    def __init__(self, function: Callable[[Kind], Any]) -> None:
        super().__init__(function)
        self.function = function

    def chosen_for(self, fields: Any) -> Constant:
        mark = next(name for name in fields if name.startswith(MARK))
        return Constant(self.function(kind_of(mark.removeprefix(MARK))))


def fact_of_kind(function: Callable[[Kind], Any]) -> Any:
    """Decorator of a function of a kind of record; a call with a record is the value for the kind of the record, which
    compiled code knows as a constant: a number, a tuple of numbers, an array."""
    return _FactOfKind(function)


def check_overrides(kind: str, overrides: Mapping[Any, Any]) -> None:
    """Raise a RoboRallyError that names what is no rule, or a function that does not fit its rule."""
    for of, by in overrides.items():
        if not isinstance(of, Rule):
            raise RoboRallyError(f"rules of {kind!r}: {of!r} is no rule, so nothing can be played in its place")
        if isinstance(by, Constant):
            continue
        wanted, given = (list(inspect.signature(_plain(each)).parameters) for each in (of, by))
        if wanted != given:
            raise RoboRallyError(
                f"rules of {kind!r}: {of!r} has the parameters ({', '.join(wanted)}), "
                f"what is to be played in its place has ({', '.join(given)})"
            )
    if dict(_WITHDRAWN.get(mark_of(kind), overrides)) != dict(overrides):
        raise RoboRallyError(
            f"rules of {kind!r}: compiled code of this process plays others; give the kind of record another name, or "
            "begin a new process"
        )


def override(kind: str, overrides: Mapping[Any, Any]) -> None:
    """Register what games of a kind of record play in place of defaults; a kind is registered once.

    Raises a RoboRallyError that names what is no rule, and a function whose parameters are others than its rule's.
    """
    check_overrides(kind, overrides)
    if mark_of(kind) in _OVERRIDES and dict(_OVERRIDES[mark_of(kind)]) != dict(overrides):
        raise RoboRallyError(f"rules of {kind!r}: another set of rules is registered for this kind")
    _OVERRIDES[mark_of(kind)] = dict(overrides)


def withdraw(kind: str) -> None:
    """Take back what `override` did."""
    _WITHDRAWN[mark_of(kind)] = _OVERRIDES.pop(mark_of(kind))


def overrides_of(kind: str) -> Mapping[Any, Any]:
    """What games of a kind of record play in place of defaults."""
    return _OVERRIDES[mark_of(kind)]


def _plain(function: Any) -> Any:
    return getattr(function, "py_func", getattr(function, "function", function))


_GIVING = ("RESUME", "NOP", "LOAD_CONST", "LOAD_GLOBAL", "LOAD_SMALL_INT", "RETURN_CONST", "RETURN_VALUE")


def _constant_of(function: Any) -> Constant | None:
    """The value of a function that does nothing but give one: no call is compiled for it."""
    names = [step.opname for step in dis.get_instructions(function)]
    if set(names) <= set(_GIVING) and sum(name.startswith("LOAD") or name == "RETURN_CONST" for name in names) == 1:
        return Constant(function(*[None] * function.__code__.co_argcount))
    return None
