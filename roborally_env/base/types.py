"""Names for types that a checker cannot see into: records, arrays of any kind, and what is read from JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[Any]  # of any dtype
DType: TypeAlias = np.dtype[Any]
Records: TypeAlias = np.recarray[Any, Any]  # of games or courses: a field is an attribute, `games.cell[i, seat]`
Json: TypeAlias = Any  # a value of JSON or TOML, as it is read or before it is written
JsonObject: TypeAlias = dict[str, Any]  # an object of JSON, or a table of TOML
NamedValues: TypeAlias = dict[str, Any]  # values of several types: keyword arguments, rows of tables, states
Fields: TypeAlias = Mapping[str, Any]  # the same two for a function that only reads them
OptionValue: TypeAlias = Any  # of an option by name, which somebody else checks
Function: TypeAlias = Callable[..., Any]


class Record(Protocol):
    """One record of `Records`, such as the state of a game: a field is an attribute or an item."""

    def __getattr__(self, name: str) -> Any: ...

    def __setattr__(self, name: str, value: Any, /) -> None: ...

    def __getitem__(self, name: str) -> Any: ...

    def __setitem__(self, name: str, value: Any) -> None: ...
