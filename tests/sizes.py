"""Sizes of tests that could go on for ever: small ones for `make test`, large ones for `make test-all`."""

import os
from collections.abc import Callable, Hashable, Iterable, Mapping
from itertools import combinations, product
from pathlib import Path
from typing import Any, TypeVar

import pytest

Size = TypeVar("Size")
Item = TypeVar("Item")
SLOW = os.environ.get("ROBORALLY_SLOW") == "1"


def size(usual: Size, slow: Size) -> Size:
    """The size of this run: `slow` with ROBORALLY_SLOW=1."""
    return slow if SLOW else usual


def one_of_each(items: Iterable[Item], kind: Callable[[Item], Hashable]) -> list[Item]:
    """The first item of each kind; all items with ROBORALLY_SLOW=1."""
    every = list(items)
    first: dict[Hashable, Item] = {}
    for item in every:
        first.setdefault(kind(item), item)
    return size([*first.values()], every)


def pairs(*options: Iterable[Any]) -> list[tuple[Any, ...]]:
    """Combinations in which every two values of different options meet; all combinations with ROBORALLY_SLOW=1."""
    left, chosen, met = [*product(*options)], [], set[Any]()

    def new(combination: tuple[Any, ...]) -> set[Any]:
        """What meets in it first: two values, each with the place of its option."""
        named = [(place, repr(value)) for place, value in enumerate(combination)]
        return {*combinations(named, 2)} - met

    if SLOW:
        return left
    while new(best := max(left, key=lambda each: len(new(each)))):
        chosen.append(best)
        met |= new(best)
    return chosen


def each_once(*options: Iterable[Any]) -> list[tuple[Any, ...]]:
    """Combinations in which every value comes at least once; all combinations with ROBORALLY_SLOW=1."""
    values = [list(option) for option in options]
    rows = range(max(len(each) for each in values))
    return size([tuple(each[i % len(each)] for each in values) for i in rows], [*product(*values)])


def some(items: Mapping[str, Any], usual: Iterable[str]) -> list[Any]:
    """Items as parameters of a test, named by their keys; all but the usual ones are marked as slow."""
    chosen = set(usual)
    return [pytest.param(it, id=key, marks=() if key in chosen else pytest.mark.slow) for key, it in items.items()]


def some_rows(rows: Mapping[str, tuple[Any, ...]], usual: Iterable[str]) -> list[Any]:
    """`some` for tests with several parameters: a row for each key."""
    return [pytest.param(*it.values[0], id=it.id, marks=it.marks) for it in some(rows, usual)]


def each_path(paths: Iterable[Path], slowly: Iterable[str]) -> list[Any]:
    """Files as parameters of a test, named by their stems; those of `slowly` are marked as slow."""
    return [pytest.param(path, id=path.stem, marks=pytest.mark.slow if path.stem in slowly else ()) for path in paths]
