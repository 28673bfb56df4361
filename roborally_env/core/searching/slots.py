"""Maps whose courses change: a number of slots, each of which holds one course at a time."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from roborally_env.core.searching.distances import ACTIONS, STATES, CourseMaps, Maps, complete, note_variant
from roborally_env.core.state import REGISTERS
from roborally_env.courses.model import EDITIONS
from roborally_env.courses.tables import HEIGHT, MOST_RAMP_STATES, WIDTH, course_dtype

MOST_SLOTS = 2**15 - 1  # the field `course` of a game's record is an i2
_ROW = WIDTH * 4  # states of a row of cells


class MapSlots:
    """`count` slots for the maps of courses of an edition.

    A slot takes 0.1 MB for the tables, 2 kB for each row of the tallest course so far and each register that differs,
    and 10 kB for each checkpoint (of a moving one: for each place of its track); and as much again for each other state
    of the ramps. Memory is taken when a course is put in.

    Attributes:
        maps: the Maps, in which slot k has index k. `put` may replace it by another one, if a course needs more room;
            slots that were filled before stay as they are in the old one.
    """

    def __init__(self, edition: str, count: int) -> None:
        self.count = count
        self._each = MOST_RAMP_STATES if "ramp" in EDITIONS[edition].kinds else 1  # places for a slot's maps
        self._records = np.zeros(count * self._each, course_dtype(edition))
        self._solo = np.empty((len(self._records) * REGISTERS, 0, ACTIONS), np.int16)
        self._distance = np.empty(0, np.uint16)
        self._spans: dict[int, tuple[int, int]] = {}  # place -> its part of the distances, from and to
        self._show()

    def put(self, k: int, part: CourseMaps) -> None:
        """Put a course into slot k, in place of the one that was there."""
        self._put_one(k, part)
        for i, variant in enumerate(part.variants):
            at = self.count + k * (self._each - 1) + i
            self._put_one(at, variant)
            note_variant(self._records, k, at)

    def _put_one(self, k: int, part: CourseMaps) -> None:
        self._make_room(k, int(part.tables[0]["height"]), len(part.distance))
        first, last = self._spans[k]
        self._records[k] = part.tables[0]
        # all slots' tables of a register lie together, so that those that few courses need take no memory
        complete(self._records[k], part, k, part.alike * len(self._records) + k, first)
        self._solo[self._tables_of(k)] = part.solo[np.unique(part.alike), : self._solo.shape[1]]
        self._distance[first:last] = part.distance

    def copy(self) -> MapSlots:
        """Slots of their own with the same courses."""
        other = object.__new__(MapSlots)
        other.count, other._each = self.count, self._each
        other._records, other._solo = np.zeros_like(self._records), np.empty_like(self._solo)
        for place in self._spans:  # only these: the rest takes no memory yet
            other._records[place] = self._records[place]
            other._solo[self._tables_of(place)] = self._solo[self._tables_of(place)]
        other._distance, other._spans = self._distance.copy(), dict(self._spans)
        other._show()
        return other

    def _tables_of(self, k: int) -> np.ndarray:
        """Which solo tables slot k has: one for each register that differs."""
        return np.unique(self._records[k]["solo_at"])

    def _show(self) -> None:
        """Make `maps` anew. Its records are a read-only view, the type for which kernels are compiled."""
        records = self._records.view()
        records.setflags(write=False)
        self.maps = Maps(records, self._solo, self._distance)

    def _make_room(self, k: int, height: int, length: int) -> None:
        """Let the solo moves have rows for a course of that height, and slot k as many distances."""
        if height * _ROW > self._solo.shape[1]:
            taller = np.empty((len(self._solo), min(height + 4, HEIGHT) * _ROW, ACTIONS), np.int16)
            for place in self._spans:  # only these
                taller[self._tables_of(place), : self._solo.shape[1]] = self._solo[self._tables_of(place)]
            self._solo = taller
            self._show()
        self._spans.pop(k, None)
        first = self._gap(length)
        if first + length > len(self._distance):
            longer = np.empty(max(first + length, len(self._distance) * 3 // 2, 8 * STATES), np.uint16)
            longer[: len(self._distance)] = self._distance
            self._distance = longer
            self._show()
        self._spans[k] = (first, first + length)

    def _gap(self, length: int) -> int:
        """Where n distances fit between those of the slots, else behind them."""
        spans = [(0, 0), *sorted(self._spans.values())]
        for (_, end), (start, _) in pairwise(spans):
            if start - end >= length:
                return end
        return spans[-1][1]
