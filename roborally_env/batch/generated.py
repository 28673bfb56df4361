"""The courses of a batch whose races are on generated courses: each race on its own, by its seed and episode."""

from __future__ import annotations

import threading
import weakref
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from roborally_env.base.errors import RoboRallyError
from roborally_env.base.types import Array
from roborally_env.batch.supply import Made, Supply
from roborally_env.core.driving import driver
from roborally_env.core.searching.distances import Maps
from roborally_env.core.searching.slots import MOST_SLOTS, MapSlots
from roborally_env.courses import Course
from roborally_env.generated import Generator

HELD = 1024  # a generator with at most this number of courses (`levels`) has a slot for each


class Stock:
    """Courses of a generator in slots, with what makes them.

    Attributes:
        courses, slugs, numbers: what is in each slot [K]: the Course, its name as an object, and its number; -1 where
            nothing is yet (and the course is then any other).
        users: the `RaceCourses` that use it.
    """

    def __init__(self, generator: Generator, game: str, count: int, sample: Course) -> None:
        self.supply = Supply(generator, game)
        self.slots = MapSlots(generator.edition, count)
        self.courses = [sample] * count
        self.slugs = np.array([sample.slug] * count, object)
        self.numbers = np.full(count, -1, np.int64)
        self.users: weakref.WeakSet[RaceCourses] = weakref.WeakSet()
        self._lock = threading.Lock()

    def put(self, k: int, number: int, made: Made) -> None:
        """Put course `number` into slot k."""
        with self._lock:
            self.slots.put(k, made.maps)
            self.courses[k], self.slugs[k] = made.course, made.course.slug
            self.numbers[k] = number

    def copy(self) -> Stock:
        """A stock of its own with the same courses."""
        other = object.__new__(Stock)
        other.supply = Supply(self.supply.generator, self.supply.game)
        other.slots = self.slots.copy()
        other.courses, other.slugs, other.numbers = self.courses[:], self.slugs.copy(), self.numbers.copy()
        other.users, other._lock = weakref.WeakSet(), threading.Lock()
        return other


@lru_cache(maxsize=4)
def _held(generator: Generator, workers: int, game: str, sample: Course) -> Stock:
    """The stock of all batches of this process that race on the few courses of a generator: a slot for each course,
    where it stays."""
    return Stock(generator, game, generator.specification.levels, sample)


class RaceCourses:
    """Where the games of a batch race: which course is in which slot of the batch's maps, and which come next.

    With few courses (`levels` up to HELD) each has its slot, which all batches share. Else each game has one, into
    which its next course is put when its race is over. Courses that will be needed are made ahead.

    Args:
        generator: makes the courses.
        game: the kind of record.
        count: B, the number of games.
        players: robots need that many start spaces.
        goes_on: whether each game goes on to its next race by itself, so that it will need the course of that.
        sample: any course of the generator.

    Raises:
        RoboRallyError: for more games than there can be slots.
    """

    def __init__(
        self, generator: Generator, game: str, count: int, players: int, goes_on: bool, sample: Course
    ) -> None:
        self.generator, self.players, self.goes_on = generator, players, goes_on
        self.held = 0 < generator.specification.levels <= HELD
        if not self.held and count > MOST_SLOTS:
            raise RoboRallyError(
                f"num_games: expected at most {MOST_SLOTS} on generated courses without `levels`, got {count}"
            )
        self.stock = (
            _held(generator, generator.workers, game, sample) if self.held else Stock(generator, game, count, sample)
        )
        self.stock.users.add(self)
        self.at = np.full(count, -1, np.int16)  # [B] the slot of each game's course
        self._words = np.zeros(count, np.uint64)  # [B] the random words by which the courses were chosen
        self._next: dict[int, int] = {}  # game -> number of its next course; by when they began

    @property
    def maps(self) -> Maps:
        """The maps of the slots."""
        return self.stock.slots.maps

    def settle(self, games: Array) -> bool:
        """Put in the courses of all games' races, and write into the records in which slots they are.

        This waits for courses that are not made yet. It returns whether any course is new to this RaceCourses.
        """
        words = np.empty_like(self._words)
        driver.course_words(games, 0, words)
        rows = np.flatnonzero((words != self._words) | (self.at < 0))
        if len(rows):
            numbers = [self.generator.number(word) for word in words[rows].tolist()]
            self.at[rows] = self._put_in(rows, numbers)
            self._words[rows] = words[rows]
            self._look_ahead(games, rows)
        games["course"] = self.at
        return len(rows) > 0

    def copy(self) -> RaceCourses:
        """For a copy of the batch. Both use one stock until one of them needs another course."""
        other = object.__new__(RaceCourses)
        other.__dict__.update(self.__dict__)
        other.at, other._words, other._next = self.at.copy(), self._words.copy(), dict(self._next)
        other.stock.users.add(other)
        return other

    def close(self) -> None:
        """End the thread or the processes that make courses ahead."""
        self.stock.supply.close()

    def _put_in(self, rows: NDArray[np.int64], numbers: list[int]) -> list[int]:
        """The slots of these courses, which are put in where they are missing."""
        slots = numbers if self.held else rows.tolist()
        missing = [
            (slot, number)
            for slot, number in dict(zip(slots, numbers, strict=True)).items()
            if self.stock.numbers[slot] != number
        ]
        if missing and not self.held and len(self.stock.users) > 1:
            self._leave_stock()
        for done, (slot, number) in enumerate(missing):
            made = self.stock.supply.take(number)
            if done == 0 and len(missing) > 1:  # not before: a first course compiles what all others need
                self._want([number for _, number in missing[1:]])
            self.stock.put(slot, number, made)
        for slot in set(slots):
            self._check_players(self.stock.courses[slot])
        return slots

    def _leave_stock(self) -> None:
        """Take a stock of its own, because the slots of this one are those of copies too."""
        self.stock.users.discard(self)
        self.stock = self.stock.copy()
        self.stock.users.add(self)

    def _check_players(self, course: Course) -> None:
        if self.players // course.robots_each not in course.counts:
            raise RoboRallyError(f"players: expected {course.players[0]} to {course.players[1]} on {course.slug}")

    def _look_ahead(self, games: Array, rows: NDArray[np.int64]) -> None:
        """Let the courses that follow those of these games be made, if the games go on from race to race."""
        if self.held and (self.stock.numbers >= 0).all():
            return
        words = np.empty_like(self._words)
        driver.course_words(games, 1, words)
        for i in rows.tolist():
            self._next.pop(i, None)
            if self.goes_on or games["episode"][i] > 0:
                self._next[i] = self.generator.number(int(words[i]))
        self._want([])

    def _want(self, now: list[int]) -> None:
        """Let courses be made: those that are needed now, then the next ones, as far as they have no slot yet."""
        numbers = dict.fromkeys([*now, *self._next.values()])
        self.stock.supply.want(n for n in numbers if not self.held or self.stock.numbers[n] != n)
