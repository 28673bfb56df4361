"""Sizes of tests that could go on for ever: small ones for `make test`, large ones for `make test-all`."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeVar

import pytest

Size = TypeVar("Size")
SLOW = os.environ.get("ROBORALLY_SLOW") == "1"


def size(usual: Size, slow: Size) -> Size:
    """The size of this run: `slow` with ROBORALLY_SLOW=1."""
    return slow if SLOW else usual


def each_path(paths: Iterable[Path], slowly: Iterable[str]) -> list[Any]:
    """Files as parameters of a test, named by their stems; those of `slowly` are marked as slow."""
    return [pytest.param(path, id=path.stem, marks=pytest.mark.slow if path.stem in slowly else ()) for path in paths]
