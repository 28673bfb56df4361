"""The fields of a Specification, as commands and docs describe them."""

from __future__ import annotations

import dataclasses
import inspect
import re
from types import NoneType
from typing import NamedTuple, get_args, get_type_hints

from roborally_env.base.types import Json
from roborally_env.generated.specification import Specification


class Field(NamedTuple):
    """kind: str, int, float or bool. optional: whether None is a value. meaning: one line of the class's docstring."""

    name: str
    kind: type
    optional: bool
    default: Json
    meaning: str


def specification_fields() -> list[Field]:
    """All fields in their order; without docstrings (python -OO) meanings are empty."""
    hints = get_type_hints(Specification)
    meanings = _meanings(inspect.getdoc(Specification) or "")
    found = []
    for field in dataclasses.fields(Specification):
        kinds = get_args(hints[field.name]) or (hints[field.name],)
        kind = next(each for each in kinds if each is not NoneType)
        found.append(Field(field.name, kind, NoneType in kinds, field.default, meanings.get(field.name, "")))
    return found


def _meanings(text: str) -> dict[str, str]:
    """Name -> what the section `Attributes` says of it; several names may share a line."""
    entries = re.split(r"\n    (?! )", text.partition("Attributes:")[2])
    found = {}
    for entry in entries:
        names, _, meaning = " ".join(entry.split()).partition(": ")
        found.update(dict.fromkeys(names.split(", "), meaning))
    return found
