"""Collect an agent's decisions for imitation: what it saw, its hand, its program, how the race ended.

    python scripts/collect.py --out out/planner --games 500 --workers 2
    python scripts/collect.py --out out/planner --games 500 --workers 2 --format npz

Races on mixed courses are played by `roborally_env.selfplay` with observations, as Parquet; the same command resumes
where it was stopped. With `--format npz` the programs of the agent are then put together in OUT/decisions.npz, one
array a column with a row a program, all in the order of the episodes:

    observation float32 [n, size]   hand uint8 [n, slots]   program int8 [n, 5] hand slots   cards uint8 [n, 5]
    locked uint8 [n] (2005)   episode int64 [n]   seat int8 [n]   place float32 [n]   won bool [n]

Split by `episode` into what is learned from and what is tested on: rows of a race know its end.
"""

from __future__ import annotations

import argparse
import dataclasses
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from roborally_env import RoboRallyError
from roborally_env.selfplay import Data, selfplay

COLUMNS = ("observation", "hand", "program", "cards", "locked", "episode", "seat", "place", "won")
FORMATS = ("parquet", "npz")


@dataclass
class Options:
    """Everything that decides what comes out."""

    out: str = "out/collected"
    agent: str = "planner"  # whose decisions are wanted
    opponents: list[str] = field(default_factory=list)  # who sits beside it; none: it plays every seat
    courses: list[str] = field(
        default_factory=lambda: ["dizzy_highway", "risky_crossing", "twister", "gear_stripper", "chop_shop_challenge"]
    )
    edition: str | None = None
    players: int = 4
    lighter: bool = False  # the lighter game of 2016, without upgrades
    decisions: str = "program"
    games: int = 200  # races on each course
    max_rounds: int = 60
    seed: int = 1
    workers: int = 1  # what comes out does not depend on it
    format: str = "parquet"  # or npz: decisions.npz beside the Parquet files
    winners: bool = False  # npz: programs of winners alone


def parse(arguments: list[str] | None = None) -> Options:
    """The options from the command line: a flag for each field."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for each in dataclasses.fields(Options):
        flag, default = "--" + each.name.replace("_", "-"), getattr(Options(), each.name)
        if isinstance(default, bool):
            parser.add_argument(flag, action=argparse.BooleanOptionalAction, default=default)
        elif isinstance(default, list):
            parser.add_argument(flag, nargs="*", default=default, help=f"default {' '.join(default) or 'none'}")
        else:
            kind = str if default is None else type(default)
            parser.add_argument(flag, type=kind, default=default, help=f"default {default}")
    return Options(**vars(parser.parse_args(arguments)))


def collect(options: Options) -> Data:
    """Play the races, or what is left of them."""
    if options.format not in FORMATS:
        raise RoboRallyError(f"format: expected {' or '.join(FORMATS)}, got {options.format!r}")
    return selfplay(
        [options.agent, *options.opponents],
        options.courses,
        out=options.out,
        games=options.games,
        players=options.players,
        edition=options.edition,
        seed=options.seed,
        workers=options.workers,
        max_rounds=options.max_rounds,
        rules={"upgrades": False} if options.lighter else None,
        decisions=options.decisions,
        observations=True,
        shard_games=min(250, options.games),
        progress=ProgressLine(),
    )


class ProgressLine:
    """Races done and the time left, now and then, on stderr."""

    def __init__(self) -> None:
        self.started, self.first, self.reported = time.perf_counter(), -1, 0.0

    def __call__(self, done: int, races: int) -> None:
        now = time.perf_counter()
        self.first = done if self.first < 0 else self.first
        if now - self.reported < 5 or done == self.first:
            return
        self.reported = now
        left = (now - self.started) / (done - self.first) * (races - done)
        print(f"{done:,} of {races:,} races, about {left:,.0f} s left", file=sys.stderr, flush=True)


def write_arrays(data: Data, options: Options) -> Path:
    """The agent's programs as decisions.npz."""
    parts = []
    for part in data.arrays(COLUMNS, decision="program", agent=data.manifest["names"][0]):
        kept = part["won"] if options.winners else np.ones(len(part["won"]), np.bool_)
        parts.append({name: array[kept] for name, array in part.items()})
    whole = {name: np.concatenate([part[name] for part in parts]) for name in COLUMNS}
    order = np.lexsort((whole["seat"], whole["episode"]))  # stable: the programs of a seat stay in their order
    path = data.folder / "decisions.npz"
    try:
        np.savez_compressed(path, **{name: array[order] for name, array in whole.items()})
    except OSError as error:
        raise RoboRallyError(f"{path}: cannot be written: {error.strerror or error}") from None
    return path


def main(arguments: list[str] | None = None) -> int:
    """Collect, and say what is there."""
    try:
        options = parse(arguments)
        data = collect(options)
        print(f"{data.folder}: {data.races:,} races, {data.decisions:,} decisions, {data.size / 1e6:.1f} MB")
        if not data.complete:
            print("stopped; the same command resumes", file=sys.stderr)
            return 130
        if options.format == "npz":
            path = write_arrays(data, options)
            print(f"{path}: {path.stat().st_size / 1e6:.1f} MB")
    except RoboRallyError as error:
        raise SystemExit(f"collect: {error}") from None
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
