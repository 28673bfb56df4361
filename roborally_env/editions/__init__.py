"""Editions: the class `Edition`, and `register`, which adds one.

The package's own four lie in the folders beside this file, one `edition.py` each, and are registered like those from
outside (`built_in`):

    from roborally_env import editions

    editions.register(editions.Edition(name="sprint", ...))
    BatchRace(64, "dizzy_highway", edition="sprint")

docs/editions.md is a tutorial.
"""

from __future__ import annotations

import importlib
import os

from roborally_env.base.errors import RoboRallyError
from roborally_env.core.rule_options import Option
from roborally_env.core.state import Kind
from roborally_env.core.upgrades import Upgrade
from roborally_env.courses.model import Edition as CourseRules
from roborally_env.courses.tile_kinds import TileKind
from roborally_env.editions.edition import Edition, Learned, StartPage
from roborally_env.editions.registration import edition_of, is_from_outside, register, unregister
from roborally_env.generated.style import CourseStyle

__all__ = [
    "CourseRules",
    "CourseStyle",
    "Edition",
    "Kind",
    "Learned",
    "Option",
    "StartPage",
    "TileKind",
    "Upgrade",
    "edition_of",
    "is_from_outside",
    "load_named",
    "register",
    "unregister",
]

NAMED = "ROBORALLY_EDITIONS"  # environment variable: modules that commands and worker processes import


def load_named() -> None:
    """Import the modules that the environment variable ROBORALLY_EDITIONS names, with commas between; they register
    editions. `roborally --load` sets it, and worker processes inherit it.

    Raises a RoboRallyError for a module that cannot be imported.
    """
    for name in filter(None, map(str.strip, os.environ.get(NAMED, "").split(","))):
        try:
            importlib.import_module(name)
        except Exception as error:  # a user's module may raise anything
            raise RoboRallyError(f"edition module {name}: cannot import it: {type(error).__name__}: {error}") from error
