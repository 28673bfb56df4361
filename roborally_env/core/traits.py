"""Traits: properties that several kinds of record share, recognised by a common field.

`with_upgrades(otherwise)` decorates a function of games with upgrades on mats. For a record without that field a call
is the constant `otherwise`, so that other games contain neither the fields nor the code.
"""

from __future__ import annotations

from typing import Any

from roborally_env.compiling.hooks import Constant, Hook
from roborally_env.core.kernel import kernel


class Trait:
    """A field that several kinds of record have, and the decorator of functions that need it."""

    def __init__(self, field: str) -> None:
        self.field = field

    def __call__(self, otherwise: Any = None) -> Any:
        """Decorator of a function of games with this trait; in other games a call is the constant `otherwise`."""
        return lambda function: _OnlyWith(self.field, function, Constant(otherwise))

    def is_in(self, record: Any) -> bool:
        """Whether a record, or an array of records, has this trait."""
        return self.field in (record.dtype.names or ())


class _OnlyWith(Hook):
    def __init__(self, field: str, function: Any, otherwise: Constant) -> None:
        super().__init__(function)
        self.field = field
        self.kernel = kernel(function)
        self.otherwise = otherwise

    def chosen_for(self, fields: Any) -> Any:
        return self.kernel if self.field in fields else self.otherwise

    def __call__(self, *arguments: Any) -> Any:
        """Call the small function from Python, uncompiled."""
        target = self.chosen_by(arguments)
        return target.value if isinstance(target, Constant) else getattr(target, "py_func", target)(*arguments)


with_upgrades = Trait("owned")  # upgrade cards on mats: the complete 2016 game, 2023, community
with_piles = Trait("pile")  # a draw pile of its own for every robot: 2016, 2023, community
with_questions = Trait("ask_about")  # questions about another robot, or in the middle of a step
