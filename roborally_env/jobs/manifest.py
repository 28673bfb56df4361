"""manifest.json: the config and the versions of a job in a folder, which can be resumed with the same ones only."""

from __future__ import annotations

import json
from collections.abc import Callable

from roborally_env.base.errors import RoboRallyError
from roborally_env.base.types import Json, JsonObject
from roborally_env.batch import LAYOUT_VERSION, RULES_VERSION
from roborally_env.evaluation.setup import Setup
from roborally_env.generated.specification import VERSION
from roborally_env.jobs.storage import LOCK, PARTIAL, Storage
from roborally_env.replay.writer import course_as_json, package_version, versions

MANIFEST = "manifest.json"
_SHOWN = 60  # characters of a value in a message


def versions_here() -> JsonObject:
    """The versions on which results depend."""
    return {"package": package_version(), "rules": RULES_VERSION, "layout": LAYOUT_VERSION}


def courses_of(setup: Setup) -> list[JsonObject]:
    """The courses of a tournament in the form of replays, each with its number of players and the fields of the state
    record for that number. In place of generated courses, one for each race, stands their specification and what makes
    them."""
    return [_course(setup, number) for number in range(len(setup.courses))]


def _course(setup: Setup, number: int) -> JsonObject:
    course, players = setup.courses[number], setup.counts[number]
    generated = setup.generator is not None
    return {
        **({"name": course.slug, "generator": VERSION} if generated else course_as_json(course)),
        "players": players,
        "robots_each": course.robots_each,
        "record": versions(players * course.robots_each, setup.kind.name)["record"],
    }


def refuse_other_things(place: Storage, what: str) -> None:
    """Raise a RoboRallyError for a folder with anything but a job, `what` in words; the folder is not changed."""
    strange = [name for name in place.names() if name not in (PARTIAL, LOCK)]
    if strange and MANIFEST not in strange:
        raise RoboRallyError(
            f"{place}: expected a new or empty folder, or one with {what} to go on with, found {strange[0]}"
        )


def prepare(place: Storage, wanted: JsonObject, is_known: Callable[[JsonObject], bool], what: str) -> None:
    """Write the manifest of a new folder, or check that an existing one belongs to the same job.

    Args:
        place: the folder.
        wanted: the manifest, with `config` and `versions`.
        is_known: whether a manifest is of this kind of job.
        what: the kind of job, in words.

    Raises:
        RoboRallyError: for another job, or the same one with another config or version.
    """
    wanted = json.loads(json.dumps(wanted))  # in the form in which it is read back
    if MANIFEST not in place.names():
        place.put(MANIFEST, json.dumps(wanted, indent=1) + "\n")
        return
    try:
        there = place.read_json(MANIFEST)
        known = isinstance(there, dict) and {"config", "versions"} <= set(there) and is_known(there)
    except (RoboRallyError, TypeError, KeyError):
        known = False
    if not known:
        raise RoboRallyError(f"{place.at(MANIFEST)}: expected the manifest of {what}; write into another folder")
    check_same(there, wanted, place)


def check_same(there: JsonObject, wanted: JsonObject, place: Storage) -> None:
    """Raise a RoboRallyError that names the first difference of two manifests in config or versions."""
    for part, words, advice in (
        ("config", "it was started with", "repeat its options"),
        ("versions", "it was written with", "go on with that version"),
    ):
        its, mine = there[part], wanted[part]
        for key in (key for key in mine if key != "pyarrow"):
            if not isinstance(its, dict) or its.get(key) != mine[key]:
                old = its.get(key) if isinstance(its, dict) else its
                at, old, new = _difference(f"{part}.{key}", old, mine[key])
                raise RoboRallyError(
                    f"{place}: {words} {at} {shown(old)}, not {shown(new)}; {advice}, or choose another folder"
                )


def _difference(at: str, old: Json, new: Json) -> tuple[str, Json, Json]:
    """A text about the first difference of two values, in the words of the file."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in {**new, **old}:
            if old.get(key) != new.get(key):
                return _difference(f"{at}.{key}", old.get(key), new.get(key))
    if isinstance(old, list) and isinstance(new, list) and shown(old) == shown(new):
        for i, (a, b) in enumerate(zip(old, new, strict=False)):
            if a != b:
                return _difference(f"{at}[{i}]", a, b)
        return f"{at}: entries", len(old), len(new)
    return at, old, new


def shown(value: object) -> str:
    """A value of a manifest in a message."""
    if isinstance(value, list) and all(isinstance(each, dict) and "name" in each for each in value):
        value = [each["name"] for each in value]
    text = json.dumps(value)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "..."
