"""The tables of a course whose boards turn during a race, each made at first use."""

from functools import lru_cache

import numpy as np

from roborally_env.courses import Course
from roborally_env.courses.rotation import turn_codes, turned_by
from roborally_env.courses.tables import compile_tables, tables_of


class TurningTables:
    """The tables of a course for every way in which its boards can lie; `tables` is read-only, for kernels."""

    def __init__(self, course: Course) -> None:
        self.course = course
        self.codes = turn_codes(course)
        unturned = tables_of(course)
        self._records = np.zeros(4 ** sum(code > 0 for code in self.codes), unturned.dtype)
        self._made: set[int] = set()
        self.tables = self._records.view()
        self.tables.setflags(write=False)
        self.make(0)

    def make(self, number: int) -> None:
        """Fill in the tables of that number."""
        if number not in self._made:
            self._made.add(number)
            self._records[number] = compile_tables(turned_by(self.course, self.codes, number))[0]
            self._records[number]["turn_code"][: len(self.codes)] = self.codes


@lru_cache(maxsize=8)
def turning_tables(course: Course) -> TurningTables | None:
    """The tables for a course with boards that turn; None for other courses."""
    return TurningTables(course) if "turning_boards" in course.special_rules else None
