"""Rules: functions whose body is the default, and which an edition can override.

    @rule
    def way(course, game, cell, direction):
        return course.next[cell, direction]

An edition's `rules.py` lists its overrides by function objects: `OVERRIDES = {way: heights.way, ...}`. Compiled code
that calls `way` calls the function of the game that it is compiled for, so no game contains another game's code. The
record among the arguments determines the game: each kind of record has a field of its own, named by `mark_of`.
"""

from __future__ import annotations

import dis
import inspect
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from roborally_env.base.errors import RoboRallyError
from roborally_env.compiling.hooks import Constant, Hook
from roborally_env.core.kernel import kernel
from roborally_env.core.state import KINDS, MARK, Kind, kind_of, mark_of

RULES: list[Rule] = []  # all rules, in the order in which their modules were imported
_OVERRIDES: dict[str, Mapping[Any, Any]] = {}  # by mark
_WITHDRAWN: dict[str, Mapping[Any, Any]] = {}  # withdrawn overrides that compiled code of this process may still call


@lru_cache(maxsize=256)
def _mark_among(fields: frozenset[str]) -> str | None:
    """The field by which a kind of record is recognised."""
    return next((name for name in fields if name.startswith(MARK)), None)


class Rule(Hook):
    """A rule: calls its default or an edition's override, by the record among the arguments."""

    def __init__(self, function: Any, default: Any) -> None:
        super().__init__(function)
        self.function = function
        self.default = default  # a kernel, a Constant, or None if each edition must override it
        RULES.append(self)

    def chosen_for(self, fields: Any) -> Any:
        """The function for records with these fields: a kernel or a Constant."""
        mark = _mark_among(frozenset(fields))
        if mark is not None and mark not in _OVERRIDES and mark.removeprefix(MARK) not in KINDS:  # which loads it
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
    """Decorator of a rule; `options` are those of `kernel`. A `required` rule has no body, only overrides."""
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
        mark = _mark_among(frozenset(fields))
        assert mark is not None
        return Constant(self.function(kind_of(mark.removeprefix(MARK))))


def fact_of_kind(function: Callable[[Kind], Any]) -> Any:
    """Decorator of a function of a kind of record. A call with a record returns the value for the record's kind, a
    compile-time constant: a number, a tuple of numbers, or an array."""
    return _FactOfKind(function)


def check_overrides(kind: str, overrides: Mapping[Any, Any]) -> None:
    """Raise a RoboRallyError for a key that is not a rule, or for a function that does not fit its rule."""
    for of, by in overrides.items():
        if not isinstance(of, Rule):
            raise RoboRallyError(f"rules of {kind!r}: {of!r} is not a rule, so it cannot be replaced")
        if isinstance(by, Constant):
            continue
        wanted, given = (list(inspect.signature(_plain(each)).parameters) for each in (of, by))
        if wanted != given:
            raise RoboRallyError(
                f"rules of {kind!r}: {of!r} has the parameters ({', '.join(wanted)}), "
                f"its replacement has ({', '.join(given)})"
            )
    if dict(_WITHDRAWN.get(mark_of(kind), overrides)) != dict(overrides):
        raise RoboRallyError(
            f"rules of {kind!r}: compiled code of this process plays others; give the kind of record another name, or "
            "begin a new process"
        )


def override(kind: str, overrides: Mapping[Any, Any]) -> None:
    """Register the overrides of a kind of record; each kind can be registered once.

    Raises a RoboRallyError for a key that is not a rule, or for a function whose parameters differ from its rule's.
    """
    check_overrides(kind, overrides)
    if mark_of(kind) in _OVERRIDES and dict(_OVERRIDES[mark_of(kind)]) != dict(overrides):
        raise RoboRallyError(f"rules of {kind!r}: another set of rules is registered for this kind")
    _OVERRIDES[mark_of(kind)] = dict(overrides)


def withdraw(kind: str) -> None:
    """Undo `override`."""
    _WITHDRAWN[mark_of(kind)] = _OVERRIDES.pop(mark_of(kind))


def overrides_of(kind: str) -> Mapping[Any, Any]:
    """The overrides of a kind of record."""
    return _OVERRIDES[mark_of(kind)]


def _plain(function: Any) -> Any:
    return getattr(function, "py_func", getattr(function, "function", function))


_GIVING = ("RESUME", "NOP", "LOAD_CONST", "LOAD_GLOBAL", "LOAD_SMALL_INT", "RETURN_CONST", "RETURN_VALUE")


def _constant_of(function: Any) -> Constant | None:
    """The Constant of a function that only returns a constant, so that no call is compiled; else None."""
    names = [step.opname for step in dis.get_instructions(function)]
    if set(names) <= set(_GIVING) and sum(name.startswith("LOAD") or name == "RETURN_CONST" for name in names) == 1:
        return Constant(function(*[None] * function.__code__.co_argcount))
    return None
