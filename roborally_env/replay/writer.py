"""Writing a replay file."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import roborally_env
from roborally_env.base.files import write_whole
from roborally_env.base.types import Fields, JsonObject
from roborally_env.batch import RULES_VERSION
from roborally_env.core.editions import portable_dtype
from roborally_env.core.rule_options import game_of, rule_values
from roborally_env.courses import Course, course_names
from roborally_env.courses.as_dict import course_as_dict
from roborally_env.generated.resolve import load_course
from roborally_env.replay.model import Replay, Round

FORMAT = 1
GOING = "play"  # the key of what only a race that is not over has


def save(replay: Replay, path: str | Path) -> None:
    """Write a replay file. Raises RoboRallyError if it cannot be written."""
    write_whole(Path(path), as_text(replay))


def as_text(replay: Replay, going: Fields | None = None) -> str:
    """The text of a replay file; `going`: what a race of `roborally play` that is not over needs to go on."""
    head = {
        "format": FORMAT,
        **({GOING: going} if going is not None else {}),
        "versions": versions(replay.robots, game_of(replay.edition, rule_values(replay.edition, replay.rules))),
        "config": {
            "edition": replay.edition,
            "players": replay.players,
            **({"robots_each": replay.courses[0].robots_each} if replay.courses[0].robots_each > 1 else {}),
            "decisions": replay.decisions,
            "max_rounds": replay.max_rounds,
            "rules": dict(replay.rules),
            "courses": [course_as_json(course) for course in replay.courses],
        },
        "seed": replay.seed,
        "game": replay.game,
        "episode": replay.episode,
        "agents": list(replay.agents),
        "start": replay.start,
        **({"opening": replay.opening} if replay.opening else {}),
    }
    lines = [f"{json.dumps(key)}: {json.dumps(value)}," for key, value in head.items()]
    rounds = ",\n".join(json.dumps(round_as_json(each)) for each in replay.rounds)
    return "\n".join(["{", *lines, '"rounds": [', rounds, "]}"]) + "\n"


def versions(robots: int, game: str) -> JsonObject:
    """The versions on which the hashes depend: the rules, and the fields of the record."""
    fields = repr(portable_dtype(robots, game).descr).encode()
    return {"package": package_version(), "rules": RULES_VERSION, "record": hashlib.sha256(fields).hexdigest()[:8]}


def package_version() -> str:
    """The version of the installed package."""
    return str(roborally_env.__version__)


def round_as_json(each: Round) -> JsonObject:
    """The decisions of a round in a file."""
    found: JsonObject = {"programs": each.programs}
    if each.choices:
        found["choices"] = each.choices
    if each.announced:
        found["announced"] = each.announced
    if each.opened:
        found["open"] = each.opened
    return {**found, "hash": each.hash}


def course_as_json(course: Course) -> JsonObject:
    """A course in a file: name and digest; a course that is not part of the package is written as a whole."""
    found: JsonObject = {"name": course.slug, "digest": course_digest(course)}
    if _is_shipped(course):
        return found
    boards = [[b.name, b.x, b.y, b.rotation, b.width, b.height] for b in course.boards]
    return {**found, "course": {**course_as_dict(course), "boards": boards, "board_at": course.board_at}}


def course_digest(course: Course) -> str:
    """A hash, sixteen hex digits, of all in a course that matters to the rules, independent of the core's tables."""
    seen = [course_as_dict(course)["map"], course.board_at, course.players]
    return hashlib.sha256(json.dumps(seen, sort_keys=True).encode()).hexdigest()[:16]


def _is_shipped(course: Course) -> bool:
    known = course.slug in course_names(course.edition)
    return known and course_digest(load_course(course.slug, course.edition)) == course_digest(course)
