"""Replays: the config, the seed and the programs of a race, with a hash of the state after each round.

A replay is small and exact: playing it runs the race again and compares each hash. The file is JSON, a round a line:

    {
    "format": 1,                    of this file
    "versions": {"package", "rules", "record"},   rules and state record that the hashes belong to
    "config": {"edition", "players", "decisions", "max_rounds", "rules", "courses"},
    "seed": 1, "game": 7, "episode": 0,   the batch's seed, the game's number in it, the race in that place
    "agents": ["planner", ...],     a name a seat, for people
    "start": "b0e2...",             hash before the first round
    "rounds": [
    {"programs": [[0, 4, 2, 8, 1], ...], "choices": [[seat, option]], "open": [0, ...], "hash": "91ac..."},
    ...]}

Programs are hand slots, five a seat, as they were laid. `choices` (only where every choice is asked) are the answers in
their order; `open` (only with the timer) the registers that it caught, as bits. A hash is the first eight bytes of the
SHA-256 of the game's whole record, in hex. A course that does not come with the package is in the file as a whole.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from roborally_env.batch import DECISIONS, RULES_VERSION, BatchRace, check_whole
from roborally_env.core.cards import NAMES as CARD_NAMES
from roborally_env.core.chance import key_of
from roborally_env.core.choices import NAMES as DECISION_NAMES
from roborally_env.core.choices import OPTION_NAMES
from roborally_env.core.rules import EDITIONS
from roborally_env.core.state import HAND, REGISTERS, game_dtype, seats_for
from roborally_env.courses import Course, Placement, course_as_dict, course_from_map, course_names, load_course
from roborally_env.courses.tables import WIDTH, course_digest, tables_of
from roborally_env.errors import RoboRallyError, nearest

FORMAT = 1


@dataclass(frozen=True)
class Round:
    """What the players did in a round, and the hash of the state after it."""

    programs: tuple[tuple[int, ...], ...]  # [P][5] hand slots
    choices: tuple[tuple[int, int], ...]  # (seat, option) in the order asked
    opened: tuple[int, ...]  # [P] registers that the timer caught, as bits; empty without the timer
    hash: str


@dataclass(frozen=True)
class Replay:
    """A recorded race."""

    edition: str
    courses: tuple[Course, ...]  # more than one where the race's seed draws the course
    players: int
    decisions: str
    max_rounds: int | None
    rules: Mapping[str, Any]
    seed: int
    game: int
    episode: int
    agents: tuple[str, ...]
    start: str
    rounds: tuple[Round, ...]

    def batch(self) -> BatchRace:
        """A batch of this one game at its start."""
        batch = BatchRace(
            1,
            list(self.courses),
            edition=self.edition,
            players=self.players,
            decisions=self.decisions,
            observation="none",
            max_rounds=self.max_rounds,
            rules=self.rules,
            seed=self.seed,
            first_game=self.game,
            auto_reset=False,
        )
        if self.episode:
            batch.games["episode"] = self.episode - 1
            batch.reset()
        return batch


@dataclass(frozen=True)
class Played:
    """A round of a replay that has been played again and checked. Tuples have an entry a seat; round 0 is the start."""

    number: int
    course: Course
    programs: tuple[tuple[str | None, ...], ...]  # card names; None where the timer caught the register
    choices: tuple[tuple[int, str, str], ...]  # (seat, decision, option)
    robots: tuple[dict[str, Any], ...]  # number, x, y, facing, checkpoint, energy, reboots so far
    rebooted: tuple[int, ...]  # times in this round
    checkpoints: tuple[tuple[int, int, int], ...]  # (number, x, y) where they are now
    cubes: tuple[tuple[int, int], ...]  # (x, y) of the energy cubes that are left
    winner: int | None
    over: bool


class Recorder:
    """Plays one game of a batch through and notes what it takes to play it again.

    Args:
        batch: a batch without auto-reset, at its start.
        seed: the one that the batch was made with.
        agents: a name a seat.
        index: which game of the batch.
    """

    def __init__(self, batch: BatchRace, seed: int, agents: Sequence[str] = (), index: int = 0) -> None:
        if _game_seed(seed, batch.first_game + index) != int(batch.games[index]["seed"]):
            raise RoboRallyError(f"replay: expected the seed that the batch was made with, got {seed!r}")
        if batch.auto_reset:
            raise RoboRallyError("replay: expected a batch with auto_reset=False, so that the last state can be seen")
        if int(batch.games[index]["round_number"]) > 1 or not batch.programming[index]:
            raise RoboRallyError("replay: expected a game at its start")
        if agents and len(agents) != batch.players:
            raise RoboRallyError(f"replay: expected {batch.players} names of agents, got {len(agents)}")
        self.batch, self.index, self.seed = batch, index, int(seed)
        self.agents = tuple(agents) or tuple(f"robot_{seat}" for seat in range(batch.players))
        self._start = state_hash(batch.games[index])
        self._rounds: list[Round] = []
        self._programs: tuple[tuple[int, ...], ...] = ()
        self._opened: tuple[int, ...] = ()
        self._choices: list[tuple[int, int]] = []

    def step(
        self, programs: ArrayLike, choices: ArrayLike | None = None, open_registers: ArrayLike | None = None
    ) -> None:
        """`BatchRace.step`, noted."""
        batch, i = self.batch, self.index
        if batch.over[i]:
            batch.step(programs, choices, open_registers)
            return
        programming, asked = bool(batch.programming[i]), int(batch.games[i]["ask_seat"])
        default = int(batch.games[i]["ask_default"])
        batch.step(programs, choices, open_registers)
        if programming:
            self._programs = tuple(tuple(row) for row in batch.programs_laid[i].tolist())
            self._opened = () if open_registers is None else tuple(np.asarray(open_registers)[i].tolist())
        else:
            chosen = 0 if choices is None else int(np.asarray(choices)[i, asked])
            legal = chosen > 0 and not batch.repairs[i, asked]
            self._choices.append((asked, chosen - 1 if legal else default))
        if batch.over[i] or batch.programming[i]:
            self._end_round()

    def _end_round(self) -> None:
        digest = state_hash(self.batch.games[self.index])
        self._rounds.append(Round(self._programs, tuple(self._choices), self._opened, digest))
        self._choices = []

    def replay(self) -> Replay:
        """The rounds played so far as a replay."""
        batch = self.batch
        return Replay(
            edition=batch.edition,
            courses=batch.courses,
            players=batch.players,
            decisions=batch.decisions,
            max_rounds=batch.max_rounds or None,
            rules=dict(batch.rules),
            seed=self.seed,
            game=batch.first_game + self.index,
            episode=int(batch.games[self.index]["episode"]),
            agents=self.agents,
            start=self._start,
            rounds=tuple(self._rounds),
        )


def record(
    batch: BatchRace,
    seed: int,
    decide: Callable[[BatchRace], tuple[ArrayLike, ArrayLike | None]],
    agents: Sequence[str] = (),
) -> Replay:
    """Play the only game of a batch, made with `seed`, to its end by `decide(batch) -> (programs, choices)`; its replay."""
    if batch.num_games != 1:
        raise RoboRallyError(f"replay: expected a batch of one game, got {batch.num_games}")
    recorder = Recorder(batch, seed, agents)
    while not batch.over.all():
        recorder.step(*decide(batch))
    return recorder.replay()


def _game_seed(seed: int, game: int) -> int:
    """The seed in the record of a batch's game, by the batch's seed."""
    return int(key_of(np.uint64(check_whole(seed, "seed", 0, 2**64 - 1)), np.uint64(game)))


def state_hash(game: Any) -> str:
    """The first eight bytes of the SHA-256 of a game's record, in hex."""
    return hashlib.sha256(game.tobytes()).hexdigest()[:16]


# -- playing


def play(replay: Replay) -> Iterator[Played]:
    """Play a replay again, round by round, beginning with round 0, the start.

    Raises:
        RoboRallyError: at the first round whose state is not the recorded one.
    """
    batch = replay.batch()
    _compare(batch, replay.start, "the start")
    yield _played(batch, 0, (), (), [0] * replay.players)
    for number, told in enumerate(replay.rounds, 1):
        if batch.over[0]:
            raise RoboRallyError(f"replay: round {number}: the race was over after round {number - 1}")
        reboots = batch.games[0]["reboots"].tolist()
        programs = _programs_in_words(batch, told)
        choices = _play_round(batch, told, number)
        _compare(batch, told.hash, f"round {number}")
        yield _played(batch, number, programs, choices, reboots)


def _compare(batch: BatchRace, expected: str, where: str) -> None:
    found = state_hash(batch.games[0])
    if found != expected:
        raise RoboRallyError(f"replay: {where}: the state is {found}, the replay has {expected}; it was changed, or the rules were")


def _play_round(batch: BatchRace, told: Round, number: int) -> tuple[tuple[int, str, str], ...]:
    opened = np.array([told.opened], np.uint8) if told.opened else None
    batch.step(np.array([told.programs], np.int8), _no_choices(batch), opened)
    made = []
    for seat, option in told.choices:
        game = batch.games[0]
        kind = int(game["ask_kind"])
        if batch.programming[0] or batch.over[0] or int(game["ask_seat"]) != seat:
            raise RoboRallyError(f"replay: round {number}: robot {seat} has an answer that is not asked for")
        if not int(game["ask_options"]) >> option & 1:
            raise RoboRallyError(f"replay: round {number}: robot {seat} gives an answer that is not legal")
        choices = _no_choices(batch)
        assert choices is not None
        choices[0, seat] = 1 + option
        batch.step(np.zeros((1, batch.players, REGISTERS), np.int8), choices)
        made.append((seat, DECISION_NAMES[kind], OPTION_NAMES[kind][option]))
    if not (batch.programming[0] or batch.over[0]):
        raise RoboRallyError(f"replay: round {number}: an answer of robot {int(batch.games[0]['ask_seat'])} is missing")
    return tuple(made)


def _no_choices(batch: BatchRace) -> NDArray[np.int8] | None:
    return np.zeros((1, batch.players), np.int8) if batch.decisions == "all" else None


def _programs_in_words(batch: BatchRace, told: Round) -> tuple[tuple[str | None, ...], ...]:
    hands = batch.games[0]["hand"]
    opened = told.opened or (0,) * batch.players
    return tuple(
        tuple(None if opened[seat] >> k & 1 else CARD_NAMES[hands[seat, slot]] for k, slot in enumerate(slots))
        for seat, slots in enumerate(told.programs)
    )


def _played(batch: BatchRace, number: int, programs: Any, choices: Any, reboots: Sequence[int]) -> Played:
    game = batch.games[0]
    course = batch.courses[int(game["course"])]
    return Played(
        number=number,
        course=course,
        programs=programs,
        choices=choices,
        robots=tuple(_robot(game, seat) for seat in range(batch.players)),
        rebooted=tuple(int(game["reboots"][seat]) - reboots[seat] for seat in range(batch.players)),
        checkpoints=tuple((i + 1, *_xy(cell)) for i, cell in enumerate(game["checkpoint"].tolist()) if cell >= 0),
        cubes=_cubes_left(course, int(game["cubes"])),
        winner=int(game["winner"]) if game["winner"] >= 0 else None,
        over=bool(batch.over[0]),
    )


def _robot(game: Any, seat: int) -> dict[str, Any]:
    x, y = _xy(int(game["cell"][seat]))
    return {
        "number": seat,
        "x": x,
        "y": y,
        "facing": "NESW"[int(game["facing"][seat])],
        "checkpoint": int(game["reached"][seat]),
        "energy": int(game["energy"][seat]),
        "reboots": int(game["reboots"][seat]),
    }


def _cubes_left(course: Course, cubes: int) -> tuple[tuple[int, int], ...]:
    spaces = tables_of(course)[0]
    return tuple(_xy(int(spaces.energy_cell[i])) for i in range(int(spaces.energy_spaces)) if cubes >> i & 1)


def _xy(cell: int) -> tuple[int, int]:
    return cell % WIDTH, cell // WIDTH


# -- saving


def save(replay: Replay, path: str | Path) -> None:
    """Write a replay file. Raises RoboRallyError where it cannot be written."""
    head = {
        "format": FORMAT,
        "versions": _versions(replay.players),
        "config": {
            "edition": replay.edition,
            "players": replay.players,
            "decisions": replay.decisions,
            "max_rounds": replay.max_rounds,
            "rules": dict(replay.rules),
            "courses": [_course_as_json(course) for course in replay.courses],
        },
        "seed": replay.seed,
        "game": replay.game,
        "episode": replay.episode,
        "agents": list(replay.agents),
        "start": replay.start,
    }
    lines = [f"{json.dumps(key)}: {json.dumps(value)}," for key, value in head.items()]
    rounds = ",\n".join(json.dumps(_round_as_json(each)) for each in replay.rounds)
    try:
        Path(path).write_text("\n".join(["{", *lines, '"rounds": [', rounds, "]}"]) + "\n", encoding="utf-8")
    except OSError as error:
        raise RoboRallyError(f"{path}: cannot be written: {error.strerror or error}") from None


def _versions(players: int) -> dict[str, Any]:
    """What the hashes belong to: the rules, and the fields of the record."""
    fields = repr(game_dtype(seats_for(players)).descr).encode()
    return {"package": package_version(), "rules": RULES_VERSION, "record": hashlib.sha256(fields).hexdigest()[:8]}


def package_version() -> str:
    """The version of the installed package."""
    try:
        return version("roborally_env")
    except PackageNotFoundError:
        return "unknown"


def _round_as_json(each: Round) -> dict[str, Any]:
    found: dict[str, Any] = {"programs": each.programs}
    if each.choices:
        found["choices"] = each.choices
    if each.opened:
        found["open"] = each.opened
    return {**found, "hash": each.hash}


def _course_as_json(course: Course) -> dict[str, Any]:
    """Name and digest; of a course that does not come with the package, everything."""
    found: dict[str, Any] = {"name": course.slug, "digest": course_digest(course)}
    if _is_shipped(course):
        return found
    boards = [[b.name, b.x, b.y, b.rotation, b.width, b.height] for b in course.boards]
    return {**found, "course": {**course_as_dict(course), "boards": boards, "board_at": course.board_at}}


def _is_shipped(course: Course) -> bool:
    known = course.slug in course_names(course.edition)
    return known and course_digest(load_course(course.slug, course.edition)) == course_digest(course)


# -- loading


def load(path: str | Path) -> Replay:
    """The replay of a file.

    Raises:
        RoboRallyError: for a file that cannot be read, is damaged, belongs to other rules, or names a course that has
            changed since.
    """
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise RoboRallyError(f"{path}: cannot be read: {error.strerror or error}") from None
    except (ValueError, RecursionError) as error:
        raise RoboRallyError(f"{path}: not a replay: not JSON: {error}") from None
    try:
        return _read(_Part(data, ""))
    except RoboRallyError as error:
        raise RoboRallyError(f"{path}: {error}") from None


class _Part:
    """An object of a replay file; its values are taken out with their checks."""

    def __init__(self, value: Any, where: str) -> None:
        if not isinstance(value, dict):
            raise RoboRallyError(f"{where or 'not a replay'}: expected an object, got {_shown(value)}")
        self.value, self.where = value, f"{where}." if where else ""

    def known(self, *keys: str) -> None:
        """Refuse other keys."""
        for key in self.value:
            if key not in keys:
                raise RoboRallyError(f"{self.where}{key}: unknown key; expected {', '.join(keys)}")

    def take(self, key: str, expected: str, good: Callable[[Any], bool], *default: Any) -> Any:
        """The value of a key, if it is good."""
        if key not in self.value and default:
            return default[0]
        if key not in self.value or not good(self.value[key]):
            got = _shown(self.value[key]) if key in self.value else "nothing"
            raise RoboRallyError(f"{self.where}{key}: expected {expected}, got {got}")
        return self.value[key]

    def whole(self, key: str, low: int, high: int) -> int:
        """A whole number within bounds."""
        return int(self.take(key, f"a whole number from {low} to {high}", lambda v: _whole(v, low, high)))

    def part(self, key: str) -> _Part:
        """An object."""
        return _Part(self.take(key, "an object", lambda v: isinstance(v, dict)), self.where + key)

    def items(self, key: str) -> list[Any]:
        """A list."""
        return list(self.take(key, "a list", lambda v: isinstance(v, list)))


def _shown(value: Any) -> str:
    text = json.dumps(value, default=str)
    return text if len(text) <= 60 else text[:57] + "..."


def _whole(value: Any, low: int, high: int) -> bool:
    return type(value) is int and low <= value <= high


def _is_hash(value: Any) -> bool:
    return isinstance(value, str) and len(value) == 16 and set(value) <= set("0123456789abcdef")


def _read(data: _Part) -> Replay:
    if data.value.get("format") != FORMAT:
        got = _shown(data.value["format"]) if "format" in data.value else "nothing"
        raise RoboRallyError(f"not a replay of this version: format: expected {FORMAT}, got {got}")
    data.known("format", "versions", "config", "seed", "game", "episode", "agents", "start", "rounds")
    config = data.part("config")
    config.known("edition", "players", "decisions", "max_rounds", "rules", "courses")
    players = config.whole("players", 2, 6)
    _check_versions(data.part("versions"), players)
    names = data.take("agents", f"a list of {players} names", lambda v: _names(v, players))
    edition = config.take("edition", f"one of {', '.join(EDITIONS)}", lambda v: isinstance(v, str) and v in EDITIONS)
    courses = [_read_course(_Part(c, f"config.courses[{i}]"), edition) for i, c in enumerate(config.items("courses"))]
    rounds = [_read_round(_Part(r, f"rounds[{i}]"), players) for i, r in enumerate(data.items("rounds"))]
    return Replay(
        edition=edition,
        courses=tuple(courses),
        players=players,
        decisions=config.take("decisions", f"one of {', '.join(DECISIONS)}", lambda v: v in DECISIONS),
        max_rounds=config.take("max_rounds", "a whole number or null", lambda v: v is None or _whole(v, 1, 30_000)),
        rules=config.part("rules").value,
        seed=data.whole("seed", 0, 2**64 - 1),
        game=data.whole("game", 0, 2**62),
        episode=data.whole("episode", 0, 2**62),
        agents=tuple(names),
        start=data.take("start", "sixteen hex digits", _is_hash),
        rounds=tuple(rounds),
    )


def _names(value: Any, players: int) -> bool:
    return isinstance(value, list) and len(value) == players and all(isinstance(name, str) for name in value)


def _check_versions(made: _Part, players: int) -> None:
    made.known("package", "rules", "record")
    mine = _versions(players)
    package = made.take("package", "a version", lambda v: isinstance(v, str))
    for key, words in (("rules", "rules version"), ("record", "state record")):
        its = made.value.get(key)
        if its != mine[key]:
            raise RoboRallyError(
                f"versions.{key}: it was made with {words} {_shown(its)} (roborally_env {package}), this is {words} "
                f"{_shown(mine[key])} (roborally_env {mine['package']}); play it with the version that made it"
            )


def _read_course(data: _Part, edition: str) -> Course:
    data.known("name", "digest", "course")
    name = data.take("name", "a course's name", lambda v: isinstance(v, str))
    digest = data.take("digest", "sixteen hex digits", _is_hash)
    if "course" in data.value:
        course = _whole_course(data.part("course"), edition, name)
    elif name in course_names(edition):
        course = load_course(name, edition)
    else:
        raise RoboRallyError(f"{data.where}name: unknown course {name!r}{nearest(name, course_names(edition))}")
    if course_digest(course) != digest:
        raise RoboRallyError(f"{data.where}digest: the course {name} has changed: expected {course_digest(course)}, got {digest}")
    return course


def _whole_course(data: _Part, edition: str, name: str) -> Course:
    """A course that is in the file as a whole: its map is checked as a scenario's, the rest by the digest."""
    course = course_from_map(data.part("map").value, edition, name)
    size = (course.height, course.width)
    rows = data.take("board_at", f"{size[0]} rows of {size[1]} numbers", lambda v: np.shape(v) == size)
    try:
        boards = tuple(Placement(*(str(board[0]), *map(int, board[1:]))) for board in data.items("boards"))
        board_at = tuple(tuple(int(n) for n in row) for row in rows)
        few, many = (int(n) for n in data.items("players"))
    except (TypeError, ValueError, IndexError) as error:
        raise RoboRallyError(f"{data.where}boards: damaged: {error}") from None
    return replace(
        course,
        title=str(data.value.get("title", name)),
        players=(few, many),
        board_at=board_at,
        boards=boards,
        special_rules=tuple(map(str, data.value.get("special_rules", ()))),
    )


def _read_round(data: _Part, players: int) -> Round:
    data.known("programs", "choices", "open", "hash")
    slots = f"{players} lists of {REGISTERS} hand slots 0..{HAND - 1}"
    programs = data.take("programs", slots, lambda v: _table(v, players, REGISTERS, HAND - 1))
    choices = data.take("choices", "a list of [seat, option]", lambda v: _table(v, None, 2, 63), [])
    opened = data.take("open", f"{players} numbers 0..31", lambda v: _table([v], 1, players, 31), [])
    if any(seat >= players for seat, _ in choices):
        raise RoboRallyError(f"{data.where}choices: expected seats 0..{players - 1}, got {_shown(choices)}")
    return Round(
        programs=tuple(map(tuple, programs)),
        choices=tuple((seat, option) for seat, option in choices),
        opened=tuple(opened),
        hash=data.take("hash", "sixteen hex digits", _is_hash),
    )


def _table(value: Any, rows: int | None, columns: int, most: int) -> bool:
    """Whether a value is a list of so many rows (None: any number) of so many whole numbers 0..most."""
    if not isinstance(value, list) or rows is not None and len(value) != rows:
        return False
    return all(isinstance(row, list) and len(row) == columns and all(_whole(n, 0, most) for n in row) for row in value)
