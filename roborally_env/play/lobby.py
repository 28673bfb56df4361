"""The start page: what can be chosen there, and the race of what was chosen.

A choice of the page is JSON:

    {"edition": NAME, "course": "fractionation",       or "generated": {"difficulty": 1..5, "seed": 7}
     "players": 4, "people": ["Ann"],                     all players; the people's names, "" for the usual one
     "level": "easy",                                     or "opponents": ["planner", "greedy", "greedy"]
     "lighter": true, "timer": 30, "bot_time": 60, "seed": 1}     may be left out

    {"resume": "fractionation_2026-01-31_120000.json"}    one of the races that the page lists

It comes from a browser, so it names only courses and agents of the package (or registered ones), and no other files.
"""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from importlib import resources
from pathlib import Path

from roborally_env.agents import agent_names
from roborally_env.base.checks import check_whole
from roborally_env.base.errors import RoboRallyError, nearest
from roborally_env.base.text import counted
from roborally_env.base.types import Fields, Json, JsonObject
from roborally_env.core.rule_options import EDITION_RULES, editions
from roborally_env.courses import EDITIONS, SPECIAL_RULES, Course, course_names, list_courses
from roborally_env.courses.model import DEFAULT_EDITION
from roborally_env.courses.reader import slugify
from roborally_env.editions import edition_of
from roborally_env.generated.resolve import load_course
from roborally_env.generated.specification import BANDS, generates
from roborally_env.play.clock import BOTS, SECONDS
from roborally_env.play.levels import DEFAULT_LEVEL, LEVELS, level_of
from roborally_env.play.saved_race import unfinished
from roborally_env.play.setup import (
    LONGEST_NAME,
    MOST_PEOPLE,
    USUAL_PLAYERS,
    PlaySetup,
    check_play,
    plays,
)
from roborally_env.replay import load

# the rule option of an edition without which the game is lighter -> what that is called
LIGHTER = {"upgrades": "without upgrade cards", "options": "without option cards"}
_TEXT, _WHOLE = ((str,), "a text"), ((int,), "a whole number")
_WHOLE_OR_NONE = ((int, type(None)), "a whole number or null")
# each key of a choice: the types of its value, and how a message calls them
_KEYS: dict[str, tuple[tuple[type, ...], str]] = {
    "edition": _TEXT,
    "course": _TEXT,
    "generated": ((dict,), "an object with difficulty and seed"),
    "players": _WHOLE,
    "people": ((list,), "a list of texts"),
    "level": _TEXT,
    "opponents": ((list,), "a list of texts"),
    "lighter": ((bool,), "true or false"),
    "timer": _WHOLE_OR_NONE,
    "bot_time": _WHOLE,
    "seed": _WHOLE_OR_NONE,
}
_SEEDS = 2**32
_MOST_LISTED = 8  # races to go on with
_LENGTHS = "course_lengths.json"


class Lobby:
    """What the start page offers, and what it makes of a choice.

    Args:
        path: where replays go; None: files named by course and time in the current folder.
        say: called with each line for the terminal.
    """

    def __init__(self, path: Path | None = None, say: Callable[[str], None] = lambda line: None) -> None:
        self.path, self.say = path, say

    @property
    def folder(self) -> Path:
        """The folder of replays."""
        return self.path.parent if self.path is not None else Path()

    def place(self, setup: PlaySetup) -> Path:
        """The file of a race's replay."""
        return self.path or usual_path(setup)

    def choices(self) -> JsonObject:
        """All that can be chosen, for the page."""
        return {
            "edition": DEFAULT_EDITION,
            "editions": [_edition(name) for name in editions()],
            "agents": [name for name in agent_names() if any(plays(name, edition) for edition in editions())],
            "people": {"most": MOST_PEOPLE, "name": LONGEST_NAME},
            "timer": {"seconds": SECONDS, "bots": BOTS},
            "unfinished": self.unfinished(),
        }

    def unfinished(self) -> list[dict[str, str]]:
        """The races of the folder that can go on, newest first: the file, what race it is, and when it was played."""
        found = unfinished(self.folder)[:_MOST_LISTED]
        return [{"file": file.name, "about": _about(file), "when": _when(file)} for file in found]

    def setup_of(self, data: Json) -> PlaySetup:
        """The race of a page's choice.

        Raises:
            RoboRallyError: in one line, for whatever cannot be raced.
        """
        if not isinstance(data, dict):
            raise RoboRallyError("the choice: expected an object")
        _check_types(data)
        if "bot_time" in data and data.get("timer") is None:
            raise RoboRallyError("bot_time: expected a timer with it; leave it out without one")
        edition = data.get("edition", DEFAULT_EDITION)
        if edition not in editions():
            raise RoboRallyError(f"edition: expected one of {', '.join(editions())}, got {str(edition)[:40]!r}")
        people = _texts(data, "people")
        if not 1 <= len(people) <= MOST_PEOPLE:
            raise RoboRallyError(f"people: expected 1 to {MOST_PEOPLE}, got {len(people)}")
        players = check_whole(data.get("players", USUAL_PLAYERS), "players", 2, EDITIONS[edition].players[1])
        if len(people) > players:
            raise RoboRallyError(f"people: expected at most {players}, the number of players, got {len(people)}")
        return check_play(
            self.course_of(data, edition, players),
            _opponents(data, edition, players - len(people)) or ["none"],
            humans=len(people),
            edition=edition,
            rules=_rules(data, edition),
            seed=data.get("seed"),
            names=[name.strip() or f"player {i + 1}" for i, name in enumerate(people)],
            timer=data.get("timer"),
            bot_time=data.get("bot_time", BOTS),
            players=players,
        )

    def course_of(self, data: Fields, edition: str, players: int) -> Course:
        """The course of a choice: one that comes with the package, or a generated one.

        Raises:
            RoboRallyError: for any other.
        """
        if "generated" in data:
            asked = data["generated"]
            if not set(asked) <= {"difficulty", "seed"}:
                raise RoboRallyError("generated: expected an object with difficulty and seed")
            if not generates(edition):
                raise RoboRallyError(f"generated: there are no generated courses of edition {edition}")
            difficulty = check_whole(asked.get("difficulty", 2), "difficulty", BANDS[0], BANDS[-1])
            seed = asked.get("seed")
            seed = secrets.randbelow(_SEEDS) if seed is None else check_whole(seed, "seed of the course", 0, _SEEDS - 1)
            return generated(edition, difficulty, seed, players)
        return shipped(edition, data.get("course", first_course(edition)))

    def file_of(self, name: object) -> Path:
        """The file of a race of the list; raises RoboRallyError for any other name."""
        for file in unfinished(self.folder):
            if file.name == name:
                return file
        raise RoboRallyError(f"there is no race to go on with in {str(name)[:80]!r}")


def first_course(edition: str) -> str:
    """The course that is chosen where none was: three checkpoints or more, for beginners."""
    return edition_of(edition).start_page.course or EDITIONS[edition].default_course


def shipped(edition: str, name: object) -> Course:
    """A course of the package as an edition races it; raises RoboRallyError for any other name, and for files."""
    known = course_names(edition)
    if name not in known:
        raise RoboRallyError(f"unknown course {str(name)[:40]!r}{nearest(str(name), known)}")
    return load_course(name, edition)


@lru_cache(maxsize=16)
def generated(edition: str, difficulty: int, seed: int, players: int) -> Course:
    """The generated course of a seed, with start spaces for a number of players; this takes some seconds."""
    text = f"generated:difficulty={difficulty},seed={seed},players={players},number=0"
    return load_course(text, edition)


def usual_path(setup: PlaySetup, now: float | None = None) -> Path:
    """The default path of a replay: a name from the course and the time, in the current folder."""
    moment = time.strftime("%Y-%m-%d_%H%M%S", time.localtime(now))
    course = setup.course
    name = course.slug if slugify(course.slug) == course.slug else slugify(course.title)  # names may be long, or paths
    return Path(f"{name}_{moment}.json")


def _edition(name: str) -> JsonObject:
    """An edition for the page."""
    options = EDITION_RULES[name]
    return {
        "name": name,
        "plan": edition_of(name).start_page.plan,
        "players": EDITIONS[name].players,
        "checkpoint": EDITIONS[name].checkpoint,
        "course": first_course(name),
        "courses": [_course(course, name) for course in list_courses(name)],
        "generates": generates(name),
        "lighter": next((words for option, words in LIGHTER.items() if option in options), ""),
        "timer": "timer" in options,
        "levels": {level: level_of(name, level, 1)[0] for level in LEVELS},
    }


@cache
def _lengths() -> dict[str, dict[str, float]]:
    """The mean rounds of a race by edition and course, as `scripts/experiments/course_lengths.py` measured them."""
    found: dict[str, dict[str, float]] = json.loads(
        resources.files("roborally_env.play").joinpath(_LENGTHS).read_text()
    )
    return found


def _course(course: Course, edition: str) -> JsonObject:
    """A course for the page."""
    return {
        "name": course.slug,
        "title": course.title,
        "home": course.edition,
        "difficulty": course.difficulty,
        "length": course.length,
        "rounds": _lengths().get(edition, {}).get(course.slug),
        "counts": course.counts,
        "checkpoints": len(course.checkpoints),
        "width": course.width,
        "height": course.height,
        "rules": [SPECIAL_RULES.get(rule, rule) for rule in course.special_rules],
        "timed": any(rule.startswith("program_time") for rule in course.special_rules),
    }


def _check_types(data: Fields) -> None:
    """Raise a RoboRallyError for the first unknown key, or value of another type: the rest is checked by its use."""
    for key, value in data.items():
        if key not in _KEYS:
            raise RoboRallyError(f"the choice: unknown key {key[:40]!r}{nearest(key, _KEYS)}")
        types, expected = _KEYS[key]
        if type(value) not in types:  # True and False are not whole numbers
            raise RoboRallyError(f"{key}: expected {expected}, got {str(value)[:40]!r}")


def _rules(data: Fields, edition: str) -> JsonObject:
    return {option: False for option in LIGHTER if data.get("lighter") and option in EDITION_RULES[edition]}


def _opponents(data: Fields, edition: str, many: int) -> tuple[str, ...]:
    if "opponents" not in data:
        return level_of(edition, data.get("level", DEFAULT_LEVEL), many)
    given = _texts(data, "opponents")
    for name in given:
        if name not in agent_names():
            raise RoboRallyError(f"opponents: unknown agent {name[:40]!r}{nearest(name, agent_names())}")
    if len(given) != many:
        raise RoboRallyError(f"opponents: expected {many}, one for each seat without a person, got {len(given)}")
    return tuple(given)


def _texts(data: Fields, key: str) -> Sequence[str]:
    found: list[str] = data.get(key, [])
    if not all(isinstance(each, str) for each in found):
        raise RoboRallyError(f"{key}: expected a list of texts")
    return found


def _about(file: Path) -> str:
    """The course, edition and robots of an unfinished race, and its round; the file's name if it cannot be read."""
    try:
        found = load(file)
    except RoboRallyError:
        return file.name
    course = found.courses[0]
    return f"{course.title} ({found.edition}), {counted(found.robots, 'robot')}, round {len(found.rounds) + 1}"


def _when(file: Path) -> str:
    try:
        return time.strftime("%Y-%m-%d %H:%M", time.localtime(file.stat().st_mtime))
    except OSError:
        return ""
