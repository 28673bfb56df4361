"""Modules that are imported at their first use, so that collecting tests does not wait for heavy libraries."""

from __future__ import annotations

import importlib
import importlib.util
from typing import Any

import pytest


class Later:
    """Stands for a module: its attributes are those of the module, which the first of them imports."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        return getattr(importlib.import_module(self._name), name)


def later(name: str) -> Any:
    """The module of that name, not imported yet. Where its library is missing the tests of the file are skipped."""
    if importlib.util.find_spec(name.partition(".")[0]) is None:
        pytest.skip(f"could not import {name!r}", allow_module_level=True)
    return Later(name)
