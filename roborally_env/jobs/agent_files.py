"""The files that agents are made of, by which a job notices that an agent has changed."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from pathlib import Path

from roborally_env.agents import make_agent
from roborally_env.agents.base import parse_spec
from roborally_env.jobs.storage import one_line_errors


def files_of(specs: Sequence[str], game: str) -> dict[str, str]:
    """The sha256 of each file that agents are made of: their Python files, files in their options, weights of the
    package for a kind of game."""
    found: dict[str, str] = {}
    for spec in dict.fromkeys(specs):
        for path in _paths_of(spec, game):
            digest = _sha256(path.expanduser())
            found[path.name if found.get(path.name, digest) == digest else str(path)] = digest
    return found


def _paths_of(spec: str, game: str) -> list[Path]:
    place, options = parse_spec(spec)
    paths = [Path(place.rpartition(":")[0])] if place.rpartition(":")[0].endswith(".py") else []
    paths += [Path(value) for value in options.values() if isinstance(value, str) and os.path.isfile(value)]
    weights_for = getattr(make_agent(spec), "weights_for", None)
    return [*paths, weights_for(game)] if weights_for else paths


def _sha256(path: Path) -> str:
    with one_line_errors(path), path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
