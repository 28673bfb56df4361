"""manifest.json: the config and the versions of a run. A folder can be resumed only with the same config and
versions."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from roborally_env.base.errors import RoboRallyError
from roborally_env.jobs.arrow import import_pyarrow
from roborally_env.jobs.manifest import MANIFEST, check_same, courses_of, shown, versions_here
from roborally_env.jobs.storage import Storage
from roborally_env.selfplay.plan import Plan
from roborally_env.selfplay.schema import SCHEMA_VERSION


def manifest_of(plan: Plan) -> dict[str, Any]:
    """The manifest of a plan for this version."""
    setup = plan.setup
    return {
        "schema": SCHEMA_VERSION,
        "config": {
            "agents": list(setup.agents),
            "edition": setup.edition,
            "games": setup.games,
            "seed": setup.seed,
            "max_rounds": setup.max_rounds,
            "rules": setup.rules,
            "decisions": setup.decisions,
            "observations": plan.observations,
            "shard_games": plan.shard_games,
            "courses": courses_of(setup),
        },
        "versions": {**versions_here(), "pyarrow": import_pyarrow().__version__},
        "names": setup.names,
        "episodes": plan.episodes,
        "shards": len(plan.shards()),
        "cards": list(setup.kind.card_names),
    }


def read_manifest(place: Storage) -> dict[str, Any]:
    """The manifest of a folder.

    Raises:
        RoboRallyError: for a folder without one, a damaged one, or one of another schema.
    """
    path = place.at(MANIFEST)
    if MANIFEST not in place.names():
        raise RoboRallyError(f"{place}: no self-play data: it has no {MANIFEST}")
    try:
        found = place.read_json(MANIFEST)
    except RoboRallyError as error:
        why = str(error).removeprefix(f"{path}: ")  # as of a file that cannot be read
        raise RoboRallyError(f"{path}: damaged: {why}") from None
    parts = ("config", "versions", "names", "episodes", "shards", "cards")
    if not isinstance(found, dict) or found.get("schema") != SCHEMA_VERSION or any(part not in found for part in parts):
        got = shown(found.get("schema")) if isinstance(found, dict) else shown(found)
        raise RoboRallyError(f"{path}: expected self-play data of schema {SCHEMA_VERSION}, got {got}")
    _check_parts(path, found)
    return found


def _is_count(value: Any) -> bool:
    return type(value) is int and 0 <= value < 2**63


def _is_positive(value: Any) -> bool:
    return _is_count(value) and value > 0


def _is_object(value: Any) -> bool:
    return isinstance(value, dict)


def _is_flag(value: Any) -> bool:
    return type(value) is bool


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


def _are_objects(value: Any) -> bool:
    return isinstance(value, list) and len(value) > 0 and all(map(_is_object, value))


# the keys of a manifest whose values are used without further checks: what they must be, in words
_PARTS: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "config": ("an object", _is_object),
    "versions": ("an object", _is_object),
    "names": ("a list of texts", _are_texts),
    "episodes": ("a whole number", _is_count),
    "shards": ("a whole number", _is_count),
    "cards": ("a list of texts", _are_texts),
    "config.agents": ("a list of texts", _are_texts),
    "config.edition": ("a text", _is_text),
    "config.games": ("a whole number from 1", _is_positive),
    "config.shard_games": ("a whole number from 1", _is_positive),
    "config.courses": ("a list of objects", _are_objects),
    "config.rules": ("an object", _is_object),
    "config.observations": ("true or false", _is_flag),
    "config.decisions": ("a text", _is_text),
}
_OF_COURSE: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "name": ("a text", _is_text),
    "players": ("a whole number from 1", _is_positive),
    "robots_each": ("a whole number from 1", _is_positive),
    "record": ("a text", _is_text),
}


def _check_parts(path: str, manifest: dict[str, Any]) -> None:
    """Raise a RoboRallyError for a part of a manifest that is missing or of another type."""
    for name, (expected, good) in _PARTS.items():
        part, _, key = name.rpartition(".")
        holder = manifest[part] if part else manifest
        _check(path, holder, key, name, expected, good)
    for i, course in enumerate(manifest["config"]["courses"]):
        for key, (expected, good) in _OF_COURSE.items():
            _check(path, course, key, f"config.courses[{i}].{key}", expected, good)


def _check(path: str, holder: dict[str, Any], key: str, name: str, expected: str, good: Callable[[Any], bool]) -> None:
    if key not in holder or not good(holder[key]):
        got = shown(holder[key]) if key in holder else "nothing"
        raise RoboRallyError(f"{path}: damaged: {name}: expected {expected}, got {got}")


def prepare(place: Storage, plan: Plan) -> None:
    """Write the manifest of a new folder, or check that an existing one belongs to the plan.

    Raises:
        RoboRallyError: for data of another config or version.
    """
    wanted = json.loads(json.dumps(manifest_of(plan)))  # in the form in which it is read back
    if MANIFEST in place.names():
        check_same(read_manifest(place), wanted, place)
        return
    place.put(MANIFEST, json.dumps(wanted, indent=1) + "\n")
