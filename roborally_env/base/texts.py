"""Texts for readers, kept in TOML files beside the code, where a translator or a native speaker can mend them."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

from roborally_env.base.documents import parse_toml
from roborally_env.base.errors import RoboRallyError
from roborally_env.base.types import NamedValues


def read_tables(path: Path) -> NamedValues:
    """A TOML file; raises a RoboRallyError that names the file."""
    try:
        return parse_toml(path.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise RoboRallyError(f"{path}: {error}") from None


@cache
def read_texts(path: Path) -> dict[str, dict[str, str]]:
    """The tables of a TOML file, with a text for each key; raises a RoboRallyError that names the file and the key."""
    found = read_tables(path)
    for name, table in found.items():
        if not isinstance(table, dict):
            raise RoboRallyError(f"{path}: {name}: expected a table of texts, got {table!r}")
        for key, text in table.items():
            if not isinstance(text, str):
                raise RoboRallyError(f"{path}: {name}.{key}: expected a text, got {text!r}")
    return found
