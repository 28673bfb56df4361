"""Races that outlive their server: what a file keeps of a race that is not over, and how such a race goes on.

The file is a replay with one more key, `play`:

    "play": {"people": ["Ann"], "opponents": ["greedy"], "timer": {"seconds": 30, "bots": 60} or null,
             "keys": {...},          what the server keeps with it: the links' tokens
             "rounds": 3,            of the file's rounds those that the race goes on from
             "begun": {...} or null, the decisions so far of the round after them, with the hash of the state
             "said": {"power_down": [[0, true]], "rest": [[0, "deflector_shield"]]}}     said in advance

A file of a race that is over does not have it.

The file may come from anybody, so its opponents are registered agents with plain options. Others, such as those named
by a file of Python, are made only if the command that resumes the race names them too.
"""

from __future__ import annotations

import dataclasses
import shlex
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from roborally_env.agents import check_editions, check_from_file
from roborally_env.base.documents import check_regular
from roborally_env.base.errors import ReplayError, RoboRallyError
from roborally_env.base.files import write_whole
from roborally_env.base.types import Fields, Json, JsonObject
from roborally_env.core.rule_options import rule_values
from roborally_env.courses import raced_by
from roborally_env.play.clock import Timer
from roborally_env.play.setup import MOST_PEOPLE, PlaySetup, check_names
from roborally_env.replay import Replay, Round
from roborally_env.replay.reader import read_json, replay_from, round_from
from roborally_env.replay.writer import FORMAT, GOING, as_text, round_as_json

_KEYS = {"people", "opponents", "timer", "keys", "rounds", "begun", "said"}
_LONGEST = 300  # characters of a command in a message
_LOOKED_AT = 200  # files of a folder, the newest ones
_HEAD = f'{{\n"format": {FORMAT},\n"{GOING}": {{'  # how the file of a race that is not over begins


@dataclass(frozen=True)
class SavedRace:
    """A race that can go on: the setup, the complete rounds, the decisions of the round after them, the server's keys,
    and what people have said in advance: power downs, and which questions rest in this round."""

    setup: PlaySetup
    replay: Replay
    partial: Round | None
    keys: Fields
    said: Mapping[str, list[list[Json]]]


def save_race(path: Path, kept: SavedRace, shown: Replay | None = None) -> None:
    """Write the file of a race that is not over, readable by its owner alone: it has the links' tokens.

    Args:
        path: the path of the file.
        kept: the race.
        shown: the replay in the file, if it has another last round than that from which the race goes on.

    Raises:
        RoboRallyError: if it cannot be written.
    """
    setup = kept.setup
    going = {
        "people": setup.people,
        "opponents": setup.opponents,
        "timer": None if setup.timer is None else dataclasses.asdict(setup.timer),
        "keys": dict(kept.keys),
        "rounds": len(kept.replay.rounds),
        "begun": None if kept.partial is None else round_as_json(kept.partial),
        "said": kept.said,
    }
    write_whole(path, as_text(shown or kept.replay, going), private=True)


def resumable(path: str | Path, opponents: Sequence[str] | None = None) -> SavedRace:
    """The race of a file that `save_race` has written; its states are checked when it is played.

    Args:
        path: of the file.
        opponents: the race's opponents, named again by the caller; None: the file may name registered agents with
            plain options only (`agents.check_from_file`).

    Raises:
        ReplayError: for a file that cannot be read, is damaged, belongs to other rules or a course that has changed,
            is no race of `roborally play`, or one that is over; for opponents that are not those of the file, or that
            must be repeated.
    """
    data = read_json(path)
    replay = replay_from(data, str(path))
    if GOING not in data:
        raise ReplayError(
            f"{path}: this race is over, or was not one of `roborally play`: there is nothing to resume; "
            f"`roborally watch {path}` shows it"
        )
    try:
        return _kept(data[GOING], replay, str(path), opponents)
    except RoboRallyError as error:
        raise ReplayError(f"{path}: {GOING}: {error}") from None
    except (KeyError, TypeError, ValueError) as error:
        raise ReplayError(f"{path}: {GOING}: damaged: {error}") from None


def resume_command(path: str, opponents: Sequence[str] = ()) -> str:
    """The command that goes on with the race of a file. It repeats opponents that a file may not name."""
    words = ["roborally", "play", "--resume", path]
    try:
        for spec in opponents:
            check_from_file(spec)
    except RoboRallyError:
        command = shlex.join([*words, "--opponents", *opponents])
        return command if len(command) <= _LONGEST else shlex.join([*words, "--opponents", "SPEC..."])
    return shlex.join(words)


def _check_opponents(found: Sequence[str], repeated: Sequence[str] | None, path: str) -> None:
    """Raise a ReplayError for opponents that must not be made."""
    if repeated is not None:
        if list(repeated) != list(found):
            raise ReplayError(f"opponents: expected those of the race, {shlex.join(found)}, got {shlex.join(repeated)}")
        return
    try:
        for spec in found:
            check_from_file(spec)
    except RoboRallyError as error:
        raise ReplayError(
            f"opponents: {error}; if you trust its code, repeat them all: {resume_command(path, found)}"
        ) from None


def _kept(going: Json, replay: Replay, path: str, repeated: Sequence[str] | None) -> SavedRace:
    if not isinstance(going, dict) or set(going) != _KEYS:
        raise ReplayError(f"expected an object with {', '.join(sorted(_KEYS))}")
    people, opponents, rounds = going["people"], going["opponents"], going["rounds"]
    if not (isinstance(people, list) and 1 <= len(people) <= MOST_PEOPLE):
        raise ReplayError(f"people: expected 1 to {MOST_PEOPLE} names")
    if not (isinstance(opponents, list) and all(isinstance(spec, str) for spec in opponents)):
        raise ReplayError("opponents: expected a list of agents")
    if len(people) + len(opponents) != replay.players:
        raise ReplayError(f"expected {replay.players} players, got {len(people) + len(opponents)}")
    _check_opponents(opponents, repeated, path)
    if type(rounds) is not int or not 0 <= rounds <= len(replay.rounds):
        raise ReplayError(f"rounds: expected a whole number from 0 to {len(replay.rounds)}, got {rounds!r}")
    if replay.game or replay.episode or len(replay.courses) != 1 or replay.decisions != "all":
        raise ReplayError("this file is not a race of `roborally play`")
    setup = PlaySetup(
        course=raced_by(replay.courses[0], replay.edition),
        people=check_names(people, len(people)),
        opponents=tuple(opponents),
        rules=rule_values(replay.edition, replay.rules),
        seed=replay.seed,
        max_rounds=replay.max_rounds,
        timer=None if going["timer"] is None else Timer(**going["timer"]),
    )
    check_editions(setup.make_agents(), replay.edition)
    if not isinstance(going["keys"], dict):
        raise ReplayError("keys: expected an object")
    partial = None if going["begun"] is None else _partial_round(going["begun"], replay.robots)
    said = {"power_down": _pairs(going, "power_down", bool), "rest": _pairs(going, "rest", str)}
    return SavedRace(setup, dataclasses.replace(replay, rounds=replay.rounds[:rounds]), partial, going["keys"], said)


def _pairs(going: JsonObject, name: str, kind: type) -> list[list[Json]]:
    """Pairs of a robot and a value, of what was said in advance."""
    found: list[list[Json]] = going["said"][name]
    if not all(type(robot) is int and type(value) is kind for robot, value in found):
        raise ReplayError(f"said.{name}: expected pairs of a robot and a value")
    return found


def _partial_round(data: Json, robots: int) -> Round:
    """The decisions of a round that is not over; before the first programs it has none."""
    if isinstance(data, dict) and data.get("programs") == []:
        blank = [[0] * 5] * robots
        return dataclasses.replace(round_from({**data, "programs": blank}, "begun", robots), programs=())
    return round_from(data, "begun", robots)


def unfinished(folder: Path) -> list[Path]:
    """The files in a folder, newest first, of races of `roborally play` that are not over."""
    found = []
    with suppress(OSError):  # no such folder
        for file in folder.glob("*.json"):
            with suppress(OSError):  # a link that leads nowhere
                found.append((file.stat().st_mtime, file))
    return [file for _, file in sorted(found, reverse=True)[:_LOOKED_AT] if _is_going(file)]


def _is_going(file: Path) -> bool:
    """Whether a file begins as that of a race that is not over."""
    try:
        check_regular(file)
        with file.open(encoding="utf-8") as text:
            return text.read(len(_HEAD)) == _HEAD
    except (OSError, ValueError):
        return False
