"""Courses without end: `Generator`."""

from __future__ import annotations

from typing import Any

from roborally_env.courses.generate.arranged import arranged
from roborally_env.courses.generate.specification import Specification, parse_specification
from roborally_env.courses.model import Course


class Generator:
    """The courses of a specification, by number. Equal generators give equal courses, on every machine.

    >>> Generator(difficulty=3, seed=7).course(0)
    >>> Generator("generated:difficulty=3,seed=7").course(0)
    """

    def __init__(self, specification: Specification | str | None = None, **options: Any) -> None:
        if isinstance(specification, str):
            specification = parse_specification(specification)
        self.specification = specification or Specification(**options)

    @property
    def edition(self) -> str:
        """The edition that races on the courses."""
        return self.specification.edition

    def number(self, word: int) -> int:
        """The number of the course that a race takes which drew these random bits."""
        spec = self.specification
        if spec.number is not None:
            return spec.number
        return word % (spec.levels or 2**32)

    def course(self, number: int) -> Course:
        """Course `number`."""
        spec = self.specification
        return arranged(spec.edition, spec.seed, number)

    def __repr__(self) -> str:
        return f"Generator({str(self.specification)!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Generator) and other.specification == self.specification

    def __hash__(self) -> int:
        return hash(self.specification)
