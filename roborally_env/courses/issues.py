"""The issues that the checks of a whole course yield."""

from typing import NamedTuple

Cell = tuple[int, int]


class Issue(NamedTuple):
    """Something wrong with a course, and its place: an element on a cell, or an entry of a course file's key."""

    message: str
    key: str = ""  # of the course file
    entry: tuple[int, ...] | None = None  # the entry of Course.<key>, where it is a list
    cell: Cell | None = None  # of the element, on a board
    kind: str = ""

    def __str__(self) -> str:
        if self.cell is not None:
            return f"x={self.cell[0]}, y={self.cell[1]}: {self.message}"
        return f"{self.key}: {self.message}"
