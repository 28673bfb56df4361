"""manifest.json: the config and the versions of a run. A folder can be resumed only with the same config and
versions."""

from __future__ import annotations

import json

from roborally_env.base.documents import CheckedObject
from roborally_env.base.errors import RoboRallyError
from roborally_env.base.types import JsonObject
from roborally_env.jobs.arrow import import_pyarrow
from roborally_env.jobs.manifest import MANIFEST, check_same, courses_of, shown, versions_here
from roborally_env.jobs.storage import Storage
from roborally_env.selfplay.plan import Plan
from roborally_env.selfplay.schema import SCHEMA_VERSION


def manifest_of(plan: Plan) -> JsonObject:
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


def read_manifest(place: Storage) -> JsonObject:
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
    if not isinstance(found, dict) or found.get("schema") != SCHEMA_VERSION:
        got = shown(found.get("schema")) if isinstance(found, dict) else shown(found)
        raise RoboRallyError(f"{path}: expected self-play data of schema {SCHEMA_VERSION}, got {got}")
    missing = [part for part in parts if part not in found]
    if missing:
        raise RoboRallyError(f"{path}: damaged: {missing[0]}: missing")
    try:
        _check(found)
    except RoboRallyError as error:
        raise RoboRallyError(f"{path}: damaged: {error}") from None
    return found


def _check(manifest: JsonObject) -> None:
    """Raise a RoboRallyError for a value of another type among those that are used without further checks."""
    whole = CheckedObject(manifest)
    config = whole.part("config")
    whole.part("versions")
    config.part("rules")
    for part, keys in ((whole, ("names", "cards")), (config, ("agents",))):
        for key in keys:
            part.texts(key)
    whole.whole("episodes")
    whole.whole("shards")
    for key in ("edition", "decisions"):
        config.text(key)
    for key in ("games", "shard_games"):
        config.whole(key, 1)
    config.flag("observations")
    config.take("courses", "a list of objects", bool)
    for course in config.parts("courses"):
        course.text("name")
        course.whole("players", 1)
        course.whole("robots_each", 1)
        course.text("record")
    courses, games = len(manifest["config"]["courses"]), manifest["config"]["games"]
    for key, count in (("episodes", games), ("shards", -(-games // manifest["config"]["shard_games"]))):
        if manifest[key] != courses * count:
            raise RoboRallyError(f"{key}: expected {courses * count}, as config says, got {manifest[key]}")


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
