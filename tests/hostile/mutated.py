"""Mutations of files of each kind: each is used or refused with one line, within limits of time and memory.

    python -m tests.hostile.mutated KIND COUNT [SEED]

`tests/hostile/test_mutated_files.py` runs this in a process for each kind.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import random
import resource
import sys
import tempfile
import time
import traceback
import zipfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from roborally_env.base.errors import RoboRallyError

SECONDS, MEGABYTES, LONGEST = 1.0, 200, 600
ODD: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 5, 255, 2**31, 2**63, 2**64, -(2**63), 10**60, 0.5, -0.0, 1e308, float("inf"),
    float("nan"), "", "x", "\x00", "\x1b[2J", "a" * 5000, "é" * 300, [], {}, [[]], {"": None}, [None] * 50,
    "2016/twister", "../../x", "/dev/zero", [1, 2, 3], {"a": {"b": [1]}}, "\ud800", "program", "2005",
)  # fmt: skip
PIECES = (
    b"[" * 5000, b"{" * 3000, b'{"a":' * 3000, b"9" * 10000, b"null", b"-1", b"1e999", b"NaN", b'"', b"\\",
    b"\x00", b"\xff\xfe",
    b"'''", b'"""', b"a.b.c.d", b"=", b"\n", b"#", b",,", b"[[x]]", b"\\ud800", b"true", b"99999999999999999999",
)  # fmt: skip


# -- mutations


def mutate_bytes(content: bytes, rng: random.Random) -> bytes:
    """Change some bytes: flip, cut, repeat or insert."""
    data = bytearray(content)
    for _ in range(rng.choice((1, 1, 2, 5, 20))):
        at = rng.randrange(len(data) + 1)
        length = rng.choice((1, 1, 4, 50, 500))
        way = rng.randrange(5)
        if way == 0 and at < len(data):
            data[at] = rng.randrange(256)
        elif way == 1:
            del data[at : at + length]
        elif way == 2:
            data[at:at] = data[at : at + length] * rng.choice((1, 2, 10))
        elif way == 3:
            data[at:at] = rng.choice(PIECES)
        else:
            data[at : at + length] = rng.randbytes(min(length, 50))
    return bytes(data[: rng.randrange(len(data) + 1)] if rng.random() < 0.1 else data)


def mutate_value(value: Any, rng: random.Random) -> Any:
    """A JSON value with something in it changed: a value, a key or a number of entries."""
    if isinstance(value, dict) and value and rng.random() < 0.9:
        changed = dict(value)
        key = rng.choice(list(changed))
        way = rng.randrange(8)
        if way == 0:
            del changed[key]
        elif way == 1:
            changed[rng.choice(("x", "", key + "s", key.upper(), "a" * 3000))] = changed.pop(key)
        else:
            changed[key] = mutate_value(changed[key], rng)
        return changed
    if isinstance(value, list) and value and rng.random() < 0.9:
        entries = list(value)
        at = rng.randrange(len(entries))
        way = rng.randrange(6)
        if way == 0:
            del entries[at]
        elif way == 1:
            entries[at:at] = [entries[at]] * rng.choice((1, 3, 1000))
        else:
            entries[at] = mutate_value(entries[at], rng)
        return entries
    if type(value) is int and rng.random() < 0.6:
        return value + rng.choice((-1, 1, 2, 10, 100, -1000, 1 << 16))
    return rng.choice(ODD)


def mutate_json(content: bytes, rng: random.Random) -> bytes:
    """A JSON text that is changed as a value, or as bytes."""
    if rng.random() < 0.4:
        return mutate_bytes(content, rng)
    value = json.loads(content)
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        value = mutate_value(value, rng)
    return json.dumps(value).encode()


def mutate_npz(content: bytes, rng: random.Random) -> bytes:
    """An .npz file with changed bytes, or with arrays of other names, types and shapes."""
    if rng.random() < 0.5:
        return mutate_bytes(content, rng)
    with np.load(io.BytesIO(content)) as found:
        arrays = {name: found[name] for name in found.files}
    name = rng.choice(list(arrays))
    way = rng.randrange(7)
    if way == 0:
        del arrays[name]
    elif way == 1:
        arrays[rng.choice(("x", "a/b", "../up"))] = arrays.pop(name)
    elif way == 2:
        arrays[name] = np.zeros(
            rng.choice(((), (1,), (3, 3), (0, 5), (2, 3, 4), (5000, 1))), rng.choice(("f4", "i8", "U3"))
        )
    elif way == 3:
        arrays[name] = arrays[name].astype(rng.choice(("f2", "f8", "c8", "U4"))) if name != "about" else arrays["own_b"]
    elif way == 4:
        arrays[name] = np.array(arrays[name])[..., :-1] if arrays[name].ndim else np.array("[" * 5000)
    elif way == 5:
        arrays["about"] = np.array(mutate_json(str(arrays["about"]).encode(), rng).decode("utf-8", "replace"))
    else:
        arrays[name] = np.full_like(arrays[name], np.nan) if arrays[name].dtype.kind == "f" else np.array("{}")
    file = io.BytesIO()
    rng.choice((np.savez, np.savez_compressed))(file, **arrays)
    if rng.random() < 0.1:
        file = _bomb(rng)
    return file.getvalue()


def _bomb(rng: random.Random) -> io.BytesIO:
    file, header = io.BytesIO(), io.BytesIO()
    size = rng.choice((1 << 26, 1 << 28, 10**12))
    np.lib.format.write_array_header_1_0(header, {"descr": "<f4", "fortran_order": False, "shape": (size,)})
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("own_w.npy", header.getvalue() + bytes(1 << 26))
    return file


def mutate_snapshot(content: bytes, rng: random.Random) -> bytes:
    """A snapshot of a batch with a right check sum: another head, or other bytes of records."""
    magic, _, rest = content.partition(b"\n")
    head, _, rest = rest.partition(b"\n")
    body = rest[32:]
    if rng.random() < 0.5:
        head = mutate_json(head, rng).replace(b"\n", b" ")
    if rng.random() < 0.6:
        body = mutate_bytes(body, rng) if rng.random() < 0.3 else _some_bytes(body, rng)
    return magic + b"\n" + head + b"\n" + hashlib.sha256(head + body).digest() + body


def mutate_env_snapshot(content: bytes, rng: random.Random) -> bytes:
    """The same of an env with a form of actions."""
    magic, _, rest = content.partition(b"\n")
    head, _, inner = rest[32:].partition(b"\n")
    if rng.random() < 0.6:
        head = mutate_json(head, rng).replace(b"\n", b" ")
    else:
        inner = (
            mutate_snapshot(inner, rng) if inner.startswith(b"roborally-snapshot") else mutate_env_snapshot(inner, rng)
        )
    body = head + b"\n" + inner
    return magic + b"\n" + hashlib.sha256(body).digest() + body


def _some_bytes(body: bytes, rng: random.Random) -> bytes:
    data = bytearray(body)
    for _ in range(rng.choice((1, 1, 2, 3))):
        data[rng.randrange(len(data))] = rng.choice((0, 1, 2, 3, 255, rng.randrange(256)))
    return bytes(data)


# -- kinds of files: what gives an original, what mutates it, what uses it


class Kind:
    """A kind of file: `originals`, and `use`, which reads a mutation of one of them."""

    def __init__(
        self, originals: list[bytes], mutate: Callable[..., bytes], use: Callable[[Path], Any], name: str
    ) -> None:
        self.originals, self.mutate, self.use, self.name = originals, mutate, use, name


def course(folder: Path) -> Kind:
    from roborally_env.courses.catalogue import check_file
    from roborally_env.courses.reader import SHIPPED

    files = ("2005/risky_exchange", "2016/dizzy_highway", "community/terraces", "2005/capture_the_flag")
    originals = [(SHIPPED / f"{name}.toml").read_bytes() for name in files]
    boards = next(iter(sorted((SHIPPED / "2016" / "boards").glob("*.txt")))).read_text(encoding="utf-8")
    drawn = f'title = "x"\n[[boards]]\ndrawing = """\n{boards}"""\n'
    return Kind([*originals, drawn.encode()], mutate_bytes, check_file, "course.toml")


def _race(decisions: str = "all") -> bytes:
    from roborally_env.batch import BatchRace
    from roborally_env.replay import record
    from roborally_env.replay.writer import as_text

    batch = BatchRace(
        1, "risky_exchange", edition="2005", players=3, decisions=decisions, max_rounds=4, auto_reset=False, seed=3
    )
    return as_text(record(batch, 3, lambda batch: batch.sample(1), ["greedy", "random", "you"])).encode()


def replay(folder: Path) -> Kind:
    from roborally_env.replay import load, play

    return Kind([_race(), _race("program")], mutate_json, lambda path: play(load(path)), "race.json")


def race(folder: Path) -> Kind:
    from roborally_env.play.saved_race import resumable

    whole = json.loads(_race())
    whole["play"] = {
        "people": ["you"], "opponents": ["greedy", "random"], "timer": None,
        "keys": {"seats": ["gGgvKaLx1aEjgx1e"], "watch": "pfYJe3grQpxxEAd1", "start": "p21OP12hCdFnLtBH"},
        "rounds": len(whole["rounds"]), "begun": None, "said": {"power_down": [], "rest": []},
    }  # fmt: skip
    return Kind([json.dumps(whole).encode()], mutate_json, resumable, "race.json")


SCENARIOS: tuple[dict[str, Any], ...] = (
    {
        "edition": "2016", "course": "twister", "robots": [
            {"x": 4, "y": 3, "facing": "E", "draw": ["move_1", "turn_left", "spam", "again"], "energy": 3},
            {"x": 6, "y": 3, "facing": "N", "hand": ["move_2", "move_1", "move_1", "turn_left", "again"],
             "upgrades": ["rear_laser"]},
        ],
        "play": {"rounds": 1}, "answers": [
            {"robot": 1, "decision": "program", "choice": ["move_2", "move_1", "move_1", "turn_left", "again"]}],
        "seed": 5,
        "expect": {"winner": None, "robots": [{"x": 5}, {}]},
    },
    {
        "edition": "2005", "map": {"width": 6, "height": 4, "elements": [
            {"kind": "belt", "x": 1, "y": 1, "speed": 1, "out": "E", "in": []}, {"kind": "pit", "x": 5, "y": 2},
            {"kind": "repair", "x": 0, "y": 3, "level": 1},
            {"kind": "laser", "x": 0, "y": 0, "fires": "E", "beams": 1}]},
        "robots": [{"x": 1, "y": 1, "facing": "E", "damage": 2, "options": ["brakes"], "registers": ["move_1:650"]},
                   {"x": 2, "y": 1, "locked": [5], "registers": [None, None, None, None, "u_turn:10"], "damage": 5}],
        "rules": {"lives": 3}, "play": {"rounds": 1},
    },
    {
        "edition": "community", "course": "terraces", "robots": [{"x": 3, "y": 3, "damage": 3}], "play": {"rounds": 1},
        "shop": [], "answers": [{"robot": 0, "decision": "power_down", "choice": "no"}],
    },
    {
        "edition": "2023", "course": "dizzy_highway", "robots": [{"x": 3, "y": 3, "collection": ["rear_laser"]}],
        "play": {"rounds": 1, "start": "upgrade"}, "upgrade_deck": ["brakes"], "upgrade_discard": [],
    },
)  # fmt: skip


def scenario(folder: Path) -> Kind:
    from roborally_env.scenario import differences, load

    def use(path: Path) -> None:
        loaded = load(path)
        outcome = loaded.run()
        for line in differences(loaded.expect, outcome) if loaded.expect is not None else []:
            if len(line) > 400:
                raise AssertionError(f"a line of {len(line)} characters")

    return Kind([json.dumps(each).encode() for each in SCENARIOS], mutate_json, use, "scene.json")


def weights(folder: Path) -> Kind:
    from roborally_env.agents.learned import shipped_weights
    from roborally_env.agents.network import load_weights

    original = Path(shipped_weights("learned", "2005")).read_bytes()
    return Kind([original], mutate_npz, lambda path: load_weights(path, "2005"), "w.npz")


def manifest(folder: Path) -> Kind:
    from roborally_env.selfplay import load
    from roborally_env.selfplay.run import selfplay

    place = folder / "data"
    selfplay(["random"], ["risky_exchange"], edition="2005", out=place, games=4, max_rounds=3, seed=1)

    def use(path: Path) -> None:
        data = load(path.parent)
        assert isinstance(data.complete, bool)
        data.check_columns(["hand"], None)
        data.replay(2)

    return Kind([(place / "manifest.json").read_bytes()], mutate_json, use, "data/manifest.json")


def part(folder: Path) -> Kind:
    from roborally_env.evaluation.tournament import evaluate

    given: dict[str, Any] = {"edition": "2005", "games": 2, "max_rounds": 3, "workers": 1, "out": folder / "out"}

    def use(path: Path) -> None:
        evaluate(["random", "greedy"], ["risky_exchange"], **given).to_dict()

    use(folder)
    name = "out/parts/000-00000000.json"
    return Kind([(folder / name).read_bytes()], mutate_json, use, name)


def snapshot(folder: Path) -> Kind:
    from roborally_env.batch import BatchRace
    from roborally_env.envs import RoboRallyEnv, parallel_env

    batch = BatchRace(2, "twister", players=3, decisions="all", seed=1, rules={"upgrades": False}, max_rounds=20)
    env = parallel_env(players=3, action="register", rules={"upgrades": False})
    env.reset(seed=1)
    seat = RoboRallyEnv(["random", "random"], action="register", rules={"upgrades": False})
    seat.reset(seed=1)
    seat.step(0)  # so that it has programs of the others

    def use(path: Path) -> None:
        content = path.read_bytes()
        if b'"form": "seat"' in content[:100]:
            seat.restore(content)
            for _ in range(6):
                if seat.race.agents:
                    seat.step(0)
            return
        if content.startswith(b"roborally-env-snapshot"):
            env.restore(content)
            for _ in range(6):
                if env.agents:
                    env.step(dict.fromkeys(env.agents, 0))
            return
        batch.restore(content)
        for step in range(3):
            batch.sample(step)
            batch.step_prepared()

    def mutate(content: bytes, rng: random.Random) -> bytes:
        if rng.random() < 0.1:
            return mutate_bytes(content, rng)
        return (mutate_env_snapshot if content.startswith(b"roborally-env-snapshot") else mutate_snapshot)(content, rng)

    return Kind([batch.snapshot(), env.snapshot(), seat.snapshot()], mutate, use, "snapshot")


def card(folder: Path) -> Kind:
    from roborally_env.speed.rows import read_report

    original = Path(__file__).parents[2].joinpath("results", "speed", "bench.json").read_bytes()
    return Kind([original], mutate_json, read_report, "card.json")


KINDS = {each.__name__: each for each in (course, replay, race, scenario, weights, manifest, part, snapshot, card)}


# -- running


def run(name: str, count: int, seed: int = 0) -> tuple[Counter[str], list[str]]:
    """(how many mutations were used and refused, what went wrong)."""
    found, failures = Counter[str](), []
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        os.chdir(folder)
        kind = KINDS[name](folder)
        path = folder / kind.name
        for original in kind.originals:  # compiles, and must be good
            path.write_bytes(original)
            kind.use(path)
        for number in range(count):
            rng = random.Random(f"{name} {seed} {number}")
            path.write_bytes(kind.mutate(rng.choice(kind.originals), rng))
            problem = _problem(kind, path, found)
            if problem:
                kept = Path(tempfile.gettempdir()) / f"mutated-{name}-{seed}-{number}"
                kept.write_bytes(path.read_bytes())
                failures.append(f"{number}: {problem} ({kept})")
    return found, failures


def _problem(kind: Kind, path: Path, found: Counter[str]) -> str:
    """What is wrong with how a file was used; "" if nothing is."""
    before, started = _memory(), time.process_time()
    problem = ""
    try:
        kind.use(path)
        found["used"] += 1
    except RoboRallyError as error:
        found["refused"] += 1
        message = str(error).replace(str(path), "")
        if "\n" in message or len(message) > LONGEST:
            problem = f"a message of {len(message)} characters: {message[:200]!r}"
    except BaseException as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        problem = f"{type(error).__name__}: {str(error)[:200]} ({Path(where.filename).name}:{where.lineno})"
    spent = time.process_time() - started
    if spent > SECONDS:
        problem += f" took {spent:.1f} s"
    if _memory() - before > MEGABYTES:
        problem += f" took {_memory() - before} MB"
    return problem


def _memory() -> int:
    """The most memory that this process has had, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10


if __name__ == "__main__":
    counts, wrong = run(sys.argv[1], int(sys.argv[2]), int((sys.argv[3:] or ["0"])[0]))
    print(dict(counts))
    for line in wrong:
        print(line)
    sys.exit(bool(wrong))
