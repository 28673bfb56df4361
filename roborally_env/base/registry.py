"""The registered editions by name, and what each layer asks of them.

An edition is one value (`roborally_env.editions.Edition`). Layers below that class look up their own part of it:

    EDITIONS: Part[Edition] = Part("courses")  # in `courses.model`; EDITIONS[name].players

The package's editions are registered when somebody first looks, so importing the package stays light.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, MutableMapping
from functools import _lru_cache_wrapper, lru_cache
from threading import RLock
from typing import Any, TypeVar

_Value = TypeVar("_Value")
_caches: list[_lru_cache_wrapper[Any]] = []
_lock = RLock()  # one thread loads, the others wait for it


class Late(MutableMapping[str, _Value]):
    """A dict that is filled at the first look, by the functions given to `later`; `after` is filled before it.

    One that was interrupted is called again at the next look.
    """

    def __init__(self, after: Late[Any] | None = None) -> None:
        self._after = after
        self._items: dict[str, _Value] = {}
        self._waiting: list[Callable[[], None]] = []
        self._loading = self._loaded = False

    def later(self, load: Callable[[], None]) -> None:
        """Call `load`, which sets items, once and not before somebody looks."""
        self._waiting.append(load)
        self._loaded = False

    def filled(self) -> dict[str, _Value]:
        """The items, all of them loaded."""
        if self._loaded:
            return self._items
        if self._after is not None:
            self._after.filled()
        with _lock:
            while self._waiting and not self._loading:
                self._loading = True
                try:
                    self._waiting[0]()
                    self._waiting.pop(0)
                finally:
                    self._loading = False
            self._loaded = not self._loading
        return self._items

    def __getitem__(self, name: str) -> _Value:
        return self.filled()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.filled())

    def __len__(self) -> int:
        return len(self.filled())

    def __setitem__(self, name: str, value: _Value) -> None:
        self._items[name] = value

    def __delitem__(self, name: str) -> None:
        del self._items[name]


REGISTERED: Late[Any] = Late()  # editions by name, those of the package first; the first is the default


class Part(Mapping[str, _Value]):
    """One attribute of every registered edition that has it (is not None), by the edition's name."""

    def __init__(self, attribute: str) -> None:
        self._attribute = attribute

    def __getitem__(self, name: str) -> _Value:
        found: _Value | None = getattr(REGISTERED[name], self._attribute)
        if found is None:
            raise KeyError(name)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter([name for name, edition in REGISTERED.items() if getattr(edition, self._attribute) is not None])

    def __len__(self) -> int:
        return sum(1 for _ in self)


def cache_until_registered(maxsize: int | None = None) -> Callable[[Callable[..., _Value]], _lru_cache_wrapper[_Value]]:
    """Decorator: `lru_cache` of a function whose results depend on the registered editions."""

    def cached(function: Callable[..., _Value]) -> _lru_cache_wrapper[_Value]:
        _caches.append(lru_cache(maxsize)(function))
        return _caches[-1]

    return cached


def forget() -> None:
    """Clear the caches of `cache_until_registered`."""
    for each in _caches:
        each.cache_clear()
