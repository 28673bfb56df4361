"""Modules and names that are imported at their first use: collecting tests does not wait for heavy libraries."""

from __future__ import annotations

import builtins
import importlib
import importlib.util
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

import pytest

_completed: set[str] = set()  # modules whose names are the real ones by now


class Later:
    """Stands for a module, or for a name of it: attributes and calls are those of the real one, which they import."""

    _mock_name = None  # pytest looks every name of a test file up for this one

    def __init__(self, module: str, name: str = "") -> None:
        self._module = module
        self._name = name

    def _real(self) -> Any:
        module = importlib.import_module(self._module)
        return getattr(module, self._name) if self._name else module

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # and for these
            raise AttributeError(name)
        return getattr(self._real(), name)

    def __call__(self, *args: Any, **options: Any) -> Any:
        return self._real()(*args, **options)


class _Names:
    """A module in `from module import name`."""

    def __init__(self, module: str) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Later:
        return Later(self._module, name)


def later(name: str) -> Any:
    """The module of that name, which is imported when the first test of the file begins.

    Where its library is missing the tests of the file are skipped.
    """
    _expect(name)
    return Later(name)


@contextmanager
def imported_later(*libraries: str) -> Iterator[None]:
    """What is imported in this context is imported when the first test of the file begins.

    Where one of the libraries is missing the tests of the file are skipped.
    """
    for library in libraries:
        _expect(library)

    def stand_in(name: str, _: Any = None, __: Any = None, names: Any = (), level: int = 0) -> Any:
        return _Names(name) if names else Later(name)

    before = builtins.__import__
    builtins.__import__ = stand_in  # type: ignore[assignment]
    try:
        yield
    finally:
        builtins.__import__ = before


def complete(module: ModuleType) -> None:
    """Import what a test file imports later, and what the test files do from which it imports."""
    if module.__name__ in _completed:
        return
    _completed.add(module.__name__)
    for name, value in list(vars(module).items()):
        of = getattr(value, "__module__", None)
        if isinstance(value, Later):
            setattr(module, name, value._real())
        elif isinstance(of, str) and of.startswith("tests.") and of in sys.modules:
            complete(sys.modules[of])


def _expect(library: str) -> None:
    if importlib.util.find_spec(library.partition(".")[0]) is None:
        pytest.skip(f"could not import {library!r}", allow_module_level=True)
