"""The parts of the symbolic vector of the 2023 edition."""

from typing import Any

from roborally_env.core import choices
from roborally_env.core.editions.e2016.parts import parts_with, row_with
from roborally_env.core.seeing.parts import new_layout


def parts(every_choice: bool) -> tuple[tuple[Any, ...], ...]:
    """The parts of the complete 2016 game, with collections in place of the shop."""
    return parts_with(True, every_choice, collects=True)


ROW = row_with(True, collects=True)
LAYOUT = new_layout("Layout", __name__, parts, ROW, choices.OPTIONS, absent=("options", "shop"))
Layout = type(LAYOUT)
