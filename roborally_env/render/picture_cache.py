"""A cache of drawn pictures whose size is limited in bytes: how large a picture is depends on what users ask for."""

from __future__ import annotations

import functools
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, Generic, TypeVar

Picture = TypeVar("Picture")


class PictureCache(Generic[Picture]):
    """A function that draws, and its newest results up to `max_bytes` in all; those unused for longest are discarded.

    Args:
        draw: draws a picture; its arguments are hashable.
        size_of: the bytes of a picture, to which those of the texts among its arguments are added. A picture that is
            larger than `max_bytes` is not cached.
        max_bytes: the limit.
    """

    def __init__(self, draw: Callable[..., Picture], size_of: Callable[[Picture], int], max_bytes: int) -> None:
        self._draw, self._size_of, self._max_bytes = draw, size_of, max_bytes
        self._pictures: OrderedDict[tuple[Hashable, ...], tuple[Picture, int]] = OrderedDict()
        self._bytes = 0
        self._lock = threading.Lock()
        functools.update_wrapper(self, draw)

    def __call__(self, *key: Hashable) -> Picture:
        """The picture of these arguments."""
        with self._lock:
            if key in self._pictures:
                self._pictures.move_to_end(key)
                return self._pictures[key][0]
        picture = self._draw(*key)
        with self._lock:
            self._add(key, picture)
        return picture

    def _add(self, key: tuple[Hashable, ...], picture: Picture) -> None:
        size = self._size_of(picture) + sum(len(part) for part in key if isinstance(part, str))
        if key in self._pictures or size > self._max_bytes:  # another thread has drawn it meanwhile
            return
        self._pictures[key] = picture, size
        self._bytes += size
        while self._bytes > self._max_bytes:
            _, (_, oldest) = self._pictures.popitem(last=False)
            self._bytes -= oldest


def cache_pictures(
    size_of: Callable[[Any], int], max_bytes: int
) -> Callable[[Callable[..., Picture]], PictureCache[Picture]]:
    """A decorator that makes a PictureCache of a function that draws."""
    return lambda draw: PictureCache(draw, size_of, max_bytes)
