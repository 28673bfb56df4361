"""The replay of a race, made from its rows."""

from __future__ import annotations

import json

from roborally_env.base.errors import RoboRallyError
from roborally_env.base.types import JsonObject
from roborally_env.core.state import REGISTERS
from roborally_env.courses.catalogue import GENERATED
from roborally_env.generated.resolve import load_course
from roborally_env.generated.specification import VERSION, of_version
from roborally_env.replay import Replay
from roborally_env.replay.reader import replay_from
from roborally_env.replay.writer import FORMAT, course_as_json


def replay_of(manifest: JsonObject, rows: list[JsonObject], ended: JsonObject, where: str) -> Replay:
    """The replay of a race from its rows of `steps` and its row of `episodes`, `ended`.

    It is assembled as the contents of a replay file and read with the same checks. `where` begins each error message.
    """
    config = manifest["config"]
    course = _course(config["courses"][ended["episode"] // config["games"]], ended["course"], where)
    opening, rounds = _rounds(rows, ended, where)
    data = {
        "format": FORMAT,
        "versions": {**{key: manifest["versions"][key] for key in ("package", "rules")}, "record": course["record"]},
        "config": {
            "edition": config["edition"],
            "players": course["players"],
            "robots_each": course["robots_each"],
            "decisions": config["decisions"],
            "max_rounds": config["max_rounds"],
            "rules": config["rules"],
            "courses": [{key: course[key] for key in ("name", "digest", "course") if key in course}],
        },
        "seed": config["seed"],
        "game": ended["game"],
        "episode": 0,
        "agents": ended["agents"],
        "start": _hex(ended["hashes"][0]),
        "opening": opening,
        "rounds": rounds,
    }
    return replay_from(data, where)


def _course(course: JsonObject, name: str, where: str) -> JsonObject:
    """A course of the manifest; of generated ones the race's own, made again by its name."""
    if "generator" not in course:
        return course
    if course["generator"] not in range(1, VERSION + 1):
        raise RoboRallyError(
            f"{where}: its course was made by version {course['generator']} of the generator, this is {VERSION}; play "
            "it with the version of roborally_env that made it"
        )
    if name.partition(":")[0] != GENERATED:  # anything else may be the path of a file
        raise RoboRallyError(f"{where}: damaged: expected the name of a generated course, got {name!r}")
    return {
        **course,
        **json.loads(json.dumps(course_as_json(load_course(of_version(name, course["generator"]))))),
    }  # lists, as in a file


def _rounds(rows: list[JsonObject], ended: JsonObject, where: str) -> tuple[list[list[int]], list[JsonObject]]:
    """The choices before the first programs, and the rounds as in a replay file. A step without rows is a round in
    which no robot was programmed."""
    steps, robots = ended["steps"], ended["players"]
    if steps > len(rows) + len(ended["hashes"]) or robots != len(ended["agents"]):
        raise RoboRallyError(f"{where}: damaged: {steps} steps of {robots} robots, which its rows do not have")
    by_step: dict[int, list[JsonObject]] = {step: [] for step in range(steps)}
    for row in sorted(rows, key=lambda row: row["seat"]):
        by_step.setdefault(row["step"], []).append(row)
    opening: list[list[int]] = []
    rounds: list[JsonObject] = []
    for asked in by_step.values():
        if asked and asked[0]["options"]:
            (rounds[-1]["choices"] if rounds else opening).extend([row["seat"], row["option"]] for row in asked)
        else:
            rounds.append(_round(asked, robots))
    hashes = ended["hashes"][1:]
    if len(hashes) != len(rounds) or len(by_step) != steps:
        raise RoboRallyError(f"{where}: damaged: {len(rounds)} rounds in its rows, {len(hashes)} in its hashes")
    return opening, [{**each, "hash": _hex(number)} for each, number in zip(rounds, hashes, strict=True)]


def _round(asked: list[JsonObject], robots: int) -> JsonObject:
    """A round by its programs; a robot without a decision has none."""
    programs = [[0] * REGISTERS for _ in range(robots)]
    for row in asked:
        programs[row["seat"]] = list(row["program"])
    return {"programs": programs, "choices": [], "announced": [row["seat"] for row in asked if row["power_down"]]}


def _hex(number: int) -> str:
    return f"{number:016x}"
