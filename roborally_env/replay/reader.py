"""Reading a replay file, every value checked."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from roborally_env.arguments import check_players
from roborally_env.base import documents
from roborally_env.base.checks import check_path
from roborally_env.base.documents import CheckedObject, is_whole, shown
from roborally_env.base.errors import ReplayError, RoboRallyError, cut, nearest, raised_as
from roborally_env.base.types import Json
from roborally_env.batch import DECISIONS
from roborally_env.core.rule_options import editions, game_of, rule_values
from roborally_env.core.state import HAND_WITH_UPGRADES, REGISTERS
from roborally_env.courses import EDITIONS as EDITIONS_OF_COURSES
from roborally_env.courses import Course, Placement, course_from_map, course_names
from roborally_env.generated.resolve import load_course
from roborally_env.replay.model import Replay, Round
from roborally_env.replay.writer import FORMAT, GOING, course_digest, versions


def load(path: str | Path, doubts: list[str] | None = None) -> Replay:
    """The replay of a file.

    Args:
        path: the path of the file.
        doubts: a list to which messages are added if the replay has other rules or a course that has changed since,
            instead of raising an error. Such a replay may go differently when it is played.

    Raises:
        ReplayError: for a file that cannot be read, is damaged, belongs to other rules, or names a course that has
            changed since.
    """
    return replay_from(read_json(path), str(path), doubts)


def read_json(path: str | Path) -> Json:
    """The JSON of a file. Raises ReplayError if it cannot be read or has none."""
    check_path(path, "path", ReplayError)
    try:
        return documents.read_json(path)
    except RoboRallyError as error:
        what = "" if str(error).startswith("cannot be read") else "not a replay: "
        raise ReplayError(f"{path}: {what}{error}") from None


def replay_from(data: Json, where: str, doubts: list[str] | None = None) -> Replay:
    """The replay of a file's contents; `where` begins each message.

    With a list `doubts`, other versions and a changed course are not errors: messages are added to the list.

    Raises:
        ReplayError: as `load`.
    """
    try:
        return _read(CheckedObject(data, whole="not a replay"), doubts)
    except RoboRallyError as error:
        raise ReplayError(f"{where}: {error}") from None


def _doubt(doubts: list[str] | None, message: str) -> None:
    """Add a message to `doubts`; without a list raise it as a ReplayError."""
    if doubts is None:
        raise ReplayError(message)
    doubts.append(message)


def _is_hash(value: object) -> bool:
    return isinstance(value, str) and len(value) == 16 and set(value) <= set("0123456789abcdef")


def _read(data: CheckedObject, doubts: list[str] | None) -> Replay:
    if data.value.get("format") != FORMAT:
        got = shown(data.value["format"]) if "format" in data.value else "nothing"
        raise ReplayError(f"not a replay of this version: format: expected {FORMAT}, got {got}")
    data.known("format", "versions", "config", "seed", "game", "episode", "agents", "start", "opening", GOING, "rounds")
    config = data.part("config")
    config.known("edition", "players", "robots_each", "decisions", "max_rounds", "rules", "courses")
    edition = config.take(
        "edition", f"one of {', '.join(editions())}", lambda v: isinstance(v, str) and v in editions()
    )
    rules = config.part("rules").value
    # check the versions before the courses: files of other versions need not be readable any further
    players = config.whole("players", *EDITIONS_OF_COURSES[edition].players)
    each = config.whole("robots_each", 1, 2) if "robots_each" in config.value else 1
    robots = players * each
    game = game_of(edition, rule_values(edition, rules, "config.rules"))
    _check_versions(data.part("versions"), robots, game, doubts)
    courses = [_read_course(course, edition, doubts) for course in config.parts("courses")]
    _check_players(players, each, courses)
    names = data.take("agents", f"a list of {robots} names", lambda v: _names(v, robots))
    rounds = [_read_round(each, robots) for each in data.parts("rounds")]
    return Replay(
        edition=edition,
        courses=tuple(courses),
        players=players,
        decisions=config.take("decisions", f"one of {', '.join(DECISIONS)}", lambda v: v in DECISIONS),
        max_rounds=config.take("max_rounds", "a whole number or null", lambda v: v is None or is_whole(v, 1, 30_000)),
        rules=rules,
        seed=data.whole("seed", 0, 2**64 - 1),
        game=data.whole("game", 0, 2**62),
        episode=data.whole("episode", 0, 2**62),
        agents=tuple(names),
        start=data.take("start", "sixteen hex digits", _is_hash),
        rounds=tuple(rounds),
        opening=_choices(data, "opening", robots),
    )


def _check_players(players: int, each: int, courses: list[Course]) -> None:
    """Raise a ReplayError for numbers of players that the courses do not allow."""
    if not courses:
        raise ReplayError("config.courses: expected at least one course, got an empty list")
    wanted = courses[0].robots_each
    if each != wanted:
        raise ReplayError(f"config.robots_each: expected {wanted} on {courses[0].slug}, got {each}")
    try:
        check_players(players, courses)
    except RoboRallyError as error:
        raise ReplayError(f"config.{error}") from None


def _names(value: object, players: int) -> bool:
    return isinstance(value, list) and len(value) == players and all(isinstance(name, str) for name in value)


def _choices(data: CheckedObject, key: str, players: int) -> tuple[tuple[int, int], ...]:
    choices = data.take(key, "a list of [seat, option]", lambda v: _table(v, None, 2, 63), [])
    if any(seat >= players for seat, _ in choices):
        raise ReplayError(f"{data.where}{key}: expected seats 0..{players - 1}, got {shown(choices)}")
    return tuple((seat, option) for seat, option in choices)


def _check_versions(made: CheckedObject, robots: int, game: str, doubts: list[str] | None) -> None:
    made.known("package", "rules", "record")
    mine = versions(robots, game)
    package = made.text("package", "a version")
    for key, words in (("rules", "rules version"), ("record", "state record")):
        its = made.value.get(key)
        if its != mine[key]:
            _doubt(
                doubts,
                f"versions.{key}: it was made with {words} {shown(its)} (roborally_env {package}), this is {words} "
                f"{shown(mine[key])} (roborally_env {mine['package']}); play it with the version that made it",
            )


def _read_course(data: CheckedObject, edition: str, doubts: list[str] | None = None) -> Course:
    data.known("name", "digest", "course")
    name = data.text("name", "a course's name")
    digest = data.take("digest", "sixteen hex digits", _is_hash)
    if "course" in data.value:
        course = _whole_course(data.part("course"), edition, name)
    elif name in course_names(edition):
        course = load_course(name, edition)
    else:
        raise ReplayError(f"{data.where}name: unknown course {cut(name)!r}{nearest(name, course_names(edition))}")
    if course_digest(course) != digest:
        found = course_digest(course)
        _doubt(doubts, f"{data.where}digest: the course {name} has changed: expected {found}, got {digest}")
    return course


def _whole_course(data: CheckedObject, edition: str, name: str) -> Course:
    """A course that is in the file as a whole: its map is checked as a scenario's, the rest by the digest."""
    course = course_from_map(data.part("map").value, edition, name)
    size = (course.height, course.width)
    last = len(data.items("boards")) - 1
    expected = f"{size[0]} rows of {size[1]} numbers -1..{last}"
    rows = data.take("board_at", expected, lambda v: _table(v, *size, last, least=-1))
    special = data.take("special_rules", "a list of names", lambda v: isinstance(v, list) and _names(v, len(v)), [])
    try:
        boards = tuple(_placement(*board) for board in data.items("boards"))
        few, many = (int(n) for n in data.items("players"))
    except (TypeError, ValueError, IndexError) as error:
        raise ReplayError(f"{data.where}boards: damaged: {error}") from None
    return replace(
        course,
        title=str(data.value.get("title", name)),
        players=(few, many),
        board_at=tuple(map(tuple, rows)),
        boards=boards,
        special_rules=tuple(special),
    )


def _placement(name: str, x: int, y: int, rotation: int, width: int, height: int) -> Placement:
    return Placement(str(name), int(x), int(y), int(rotation), int(width), int(height))


def round_from(data: Json, where: str, robots: int) -> Round:
    """The decisions of a round in a file; `where` begins each message. Raises ReplayError for what is none."""
    with raised_as(ReplayError):
        return _read_round(CheckedObject(data, where), robots)


def _read_round(data: CheckedObject, players: int) -> Round:
    data.known("programs", "choices", "announced", "open", "hash")
    last = HAND_WITH_UPGRADES - 1
    slots = f"{players} lists of {REGISTERS} hand slots 0..{last}"
    programs = data.take("programs", slots, lambda v: _table(v, players, REGISTERS, last))
    announced = data.take("announced", f"seats 0..{players - 1}", lambda v: _seats(v, players - 1), [])
    opened = data.take("open", f"{players} numbers 0..31", lambda v: _table([v], 1, players, 31), [])
    return Round(
        programs=tuple(map(tuple, programs)),
        choices=_choices(data, "choices", players),
        opened=tuple(opened),
        hash=data.take("hash", "sixteen hex digits", _is_hash),
        announced=tuple(announced),
    )


def _seats(value: object, last: int) -> bool:
    """Whether a value is a list of seats, each once."""
    return isinstance(value, list) and all(is_whole(seat, 0, last) for seat in value) and len(set(value)) == len(value)


def _table(value: object, rows: int | None, columns: int, most: int, least: int = 0) -> bool:
    """Whether a value is a list of `rows` rows (None: any number) of `columns` whole numbers least..most."""
    if not isinstance(value, list) or (rows is not None and len(value) != rows):
        return False
    return all(
        isinstance(row, list) and len(row) == columns and all(is_whole(n, least, most) for n in row) for row in value
    )
