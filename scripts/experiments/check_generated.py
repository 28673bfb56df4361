"""Check many generated courses: can they be finished, by `greedy` too, are they fair, and are no two alike?

    python scripts/experiments/check_generated.py --edition 2016 --courses 10000 --workers 2 --out out/generated

Bands of difficulty take turns. A file of results grows in the folder, a line for each course; the same command resumes
where it stopped, and first of all where `results/generated` stops (`--anew`: from course 0), as long as the generator
gives the courses that were checked there; `--keep` writes what is known by now there. At the end it writes a report as
JSON, prints it as a table, and exits 1 if the claim does not hold.
Every course is played by four `greedy`, about `--races` times (each race draws one of a block of courses), and 1,000
times more where fewer than 99% of those were finished, or, of fair courses, one start space won 45% of them. It is
searched by the package's optimistic `courses.reach`.
With `--slow N` every N-th is also played through by the slow references of the rules, which takes seconds to minutes.
They are beside the tests: for this, run `python -m tests.generate.check_slowly` with the same options.
Half of the community courses have no ramps with buttons; with `--heights 0.25` nearly all have some.
"""

import argparse
import gzip
import hashlib
import json
import multiprocessing
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from roborally_env.agents import make_agent

from roborally_env.base.errors import RoboRallyError
from roborally_env.batch import BatchRace
from roborally_env.courses import EDITIONS, Course
from roborally_env.courses.reach import unreachable
from roborally_env.courses.similarity import whole_turned
from roborally_env.evaluation.races import play_races
from roborally_env.generated import Specification, attempts
from roborally_env.generated.specification import VERSION

KEPT = Path(__file__).parents[2] / "results" / "generated"
SAMPLE = 12  # kept courses that are made anew, to see whether the generator still gives them
PLAYERS = 4
ROUNDS = 60  # in which races must be finished
AGAIN = 1000  # more races of a course that misses what is claimed in its first ones: some do by bad luck
BANDS = (1, 2, 3, 4, 5)
# what is claimed
FINISHED = 0.99  # of a course's races
BEST_START = 0.45  # share of the races that the best start space wins, at most, ..
FAIR_COURSES = 0.9  # .. on this share of the fair courses
OVERLAP = 0.25  # of neighbouring bands in their rounds

Row = dict[str, Any]
Proof = Callable[[Course], str]  # what is wrong with a course; "" if nothing is


@dataclass(frozen=True)
class Options:
    """The options of the command line."""

    edition: str = "2016"
    way: str = "any"
    fair: bool = False
    heights: float | None = None
    seed: int = 0  # of the generator
    version: int = VERSION  # of the generator
    courses: int = 10_000
    races: int = 100  # on each course
    slow: int = 0  # the slow check runs on every n-th course; 0: never
    block: int = 20  # courses that a process takes at once
    workers: int = 1  # processes
    out: Path = Path("out/generated")
    anew: bool = False
    keep: bool = False
    proof: Proof | None = None  # the slow check

    def specification(self, number: int) -> Specification:
        """That of a course: its band by its number."""
        band = BANDS[number % len(BANDS)]
        given = {"way": self.way, "fair": self.fair, "heights": self.heights, "seed": self.seed}
        given["version"] = self.version
        return Specification(edition=self.edition, difficulty=band, **given)

    @property
    def name(self) -> str:
        """Of the files."""
        asked = f"{'-fair' if self.fair else ''}{'' if self.heights is None else f'-heights-{self.heights:g}'}"
        version = "" if self.version == 1 else f"-v{self.version}"
        return f"{self.edition}-{self.way}{asked}-{self.seed}{version}"


def read_options(arguments: list[str] | None = None, proof: Proof | None = None) -> Options:
    """The options from the command line, with the slow check that `--slow` asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--edition", choices=("2016", "2005", "community"), default=Options.edition)
    parser.add_argument("--way", choices=("any", "arranged", "made"), default=Options.way)
    parser.add_argument("--fair", action="store_true", help="courses whose start spaces must be equally good")
    parser.add_argument("--heights", type=float, metavar="SHARE", help="of higher floor (community): ramps and buttons")
    numbers = {"seed": 0, "version": 1, "courses": 1, "races": 1, "slow": 0, "block": 1, "workers": 1}
    for name in numbers:
        parser.add_argument(f"--{name}", type=int, default=getattr(Options, name))
    parser.add_argument("--out", type=Path, default=Options.out, help="folder")
    parser.add_argument("--anew", action="store_true", help="do not go on from results/generated")
    parser.add_argument("--keep", action="store_true", help="write what is known at the end to results/generated")
    options = Options(**vars(parser.parse_args(arguments)), proof=proof)
    for name, least in numbers.items():
        if getattr(options, name) < least:
            parser.error(f"--{name}: expected a whole number from {least}, got {getattr(options, name)}")
    if options.slow and not proof:
        parser.error("--slow needs the references of the rules: run python -m tests.generate.check_slowly")
    return options


# ---- One block of courses ------------------------------------------------------------------------------------------


def check_block(block: tuple[Options, list[int]]) -> list[Row]:
    """What is found of some courses."""
    options, numbers = block
    rows, made = [], []
    for number in numbers:
        row = {"number": number}
        began = time.perf_counter()
        try:
            course, thrown = attempts(options.specification(number), number)
        except RoboRallyError as error:
            rows.append({**row, "error": str(error)})
            continue
        row["milliseconds"] = round((time.perf_counter() - began) * 1000, 2)
        made.append((course, {**row, "thrown_away": dict(thrown), **judged(course, options, number)}))
    raced = race([course for course, _ in made], options) if made else []
    for (course, _), found in zip(made, raced, strict=True):
        found.update(raced_again(course, found, options))
    return rows + [{**row, **found} for (_, row), found in zip(made, raced, strict=True)]


def raced_again(course: Course, found: Row, options: Options) -> Row:
    """What more races of a course say that misses what is claimed in its first ones; nothing of others."""
    unfair = options.fair and found["best_start"] >= BEST_START
    if found["finished"] >= FINISHED and not unfair:
        return {}
    more = race([course], replace(options, races=AGAIN))[0]
    return {"again": more["finished"], **({"best_start_again": more["best_start"]} if unfair else {})}


def finished(row: Row) -> float:
    """The share of a course's races that were finished, of the most that were raced."""
    return float(row.get("again", row["finished"]))


def best_start(row: Row) -> float:
    """The share of a course's races that its best start space won, of the most that were raced. Of a hundred races it
    is too large: some start space also was the luckiest."""
    return float(row.get("best_start_again", row["best_start"]))


def judged(course: Course, options: Options, number: int) -> Row:
    """What can be said of a course without races."""
    proof = options.proof if options.slow and number % options.slow == 0 else None
    return {
        "band": int(course.difficulty),
        "checkpoints": len(course.checkpoints),
        "kinds": sorted({e.kind for e in course.elements}),
        "mark": mark(course),
        "unreachable": [list(each) for each in unreachable(course)],
        "lost": proof(course) if proof else None,
    }


def mark(course: Course) -> str:
    """The same for courses that are raced alike, turned or not."""
    turns = (whole_turned(course, quarters) for quarters in range(4))
    parts = [(t.width, t.height, t.elements, t.docks, t.checkpoints, t.reboots, t.antenna) for t in turns]
    return min(hashlib.sha256(repr(part).encode()).hexdigest()[:20] for part in parts)


def race(courses: list[Course], options: Options) -> list[Row]:
    """What comes of the races of four `greedy` on each course."""
    batch = BatchRace(
        options.races * len(courses),
        courses,
        players=PLAYERS,
        edition=options.edition,
        observation="none",
        auto_reset=False,
        seed=options.seed,
        max_rounds=ROUNDS,
    )
    starts = batch.games["start"][:, :PLAYERS].copy()
    line_ups = np.zeros((batch.num_games, PLAYERS), np.int64)
    play_races(batch, [make_agent("greedy", options.seed)], line_ups)
    results = batch.results
    return [summary(results[results["course"] == k], starts[results["course"] == k]) for k in range(len(courses))]


def summary(results: Any, starts: Any) -> Row:
    """The rounds of a course's races, how many were finished, how often its best start space won."""
    winner = results["winner"]
    finished = winner >= 0
    won = Counter(starts[finished, winner[finished]].tolist())
    used = Counter(starts.ravel().tolist())
    return {
        "rounds": round(float(results["rounds"].mean()), 3),
        "finished": round(float(finished.mean()), 4),
        "cut": int((~finished & (results["rounds"] >= ROUNDS)).sum()),
        "best_start": round(max((won[cell] / used[cell] for cell in used), default=0.0), 4),
    }


# ---- All courses ---------------------------------------------------------------------------------------------------


def read_rows(path: Path) -> list[Row]:
    """The lines of a file of results; one that was not written to its end does not count."""
    rows = []
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        try:
            rows.append(json.loads(line))
        except json.JSONDecodeError:
            break
    return rows


def path_of_kept(options: Options) -> Path:
    """The file in results/generated."""
    return KEPT / f"{options.name}.jsonl.gz"


def kept(options: Options) -> list[Row]:
    """The rows in results/generated, as they are."""
    return [json.loads(line) for line in gzip.decompress(path_of_kept(options).read_bytes()).decode().splitlines()]


def kept_rows(options: Options) -> list[Row]:
    """The rows in results/generated, if the generator still makes their courses."""
    path = path_of_kept(options)
    if options.anew or not path.exists():
        return []
    rows = kept(options)
    for row in rows[:: max(1, len(rows) // SAMPLE)]:
        course, _ = attempts(options.specification(row["number"]), row["number"])
        if mark(course) != row["mark"]:
            print(f"course {row['number']} is not that of {path}: all are checked anew", file=sys.stderr)
            return []
    return rows


def keep(rows: list[Row], options: Options) -> None:
    """Write rows to results/generated, for later runs to go on from; the same rows give the same bytes."""
    KEPT.mkdir(parents=True, exist_ok=True)
    lines = (json.dumps(row) + "\n" for row in sorted(rows, key=lambda row: row["number"]))
    path_of_kept(options).write_bytes(gzip.compress("".join(lines).encode(), mtime=0))


def run(options: Options) -> list[Row]:
    """Check all courses that the file of results does not have yet; after Ctrl-C those that are done."""
    options.out.mkdir(parents=True, exist_ok=True)
    path = options.out / f"{options.name}.jsonl"
    known = read_rows(path) if path.exists() else kept_rows(options)
    rows = [row for row in known if row["number"] < options.courses]
    done = {row["number"] for row in rows}
    left = [number for number in range(options.courses) if number not in done]
    blocks = [(options, left[at : at + options.block]) for at in range(0, len(left), options.block)]
    path.write_text("".join(json.dumps(row) + "\n" for row in known), encoding="utf-8")
    with path.open("a", encoding="utf-8") as file, progress() as bar:
        task = bar.add_task(options.name, total=options.courses, completed=len(rows))
        try:
            for found in spread(blocks, options.workers):
                file.writelines(json.dumps(row) + "\n" for row in found)
                file.flush()
                rows += found
                bar.advance(task, len(found))
        except KeyboardInterrupt:
            print("stopped; the same command resumes", file=sys.stderr)
    return rows


def progress() -> Progress:
    """A bar on stderr."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=Console(stderr=True))


def spread(blocks: list[tuple[Options, list[int]]], workers: int) -> Iterator[list[Row]]:
    """The results of the blocks as they come, from `workers` processes."""
    if workers == 1:
        yield from map(check_block, blocks)
        return
    with multiprocessing.get_context("spawn").Pool(workers, ignore_interrupts) as pool:
        yield from pool.imap_unordered(check_block, blocks)


def ignore_interrupts() -> None:
    """Leave Ctrl-C to the first process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


# ---- The report ----------------------------------------------------------------------------------------------------


def report(rows: list[Row], options: Options) -> dict[str, Any]:
    """What is claimed, and what was found."""
    failed = sorted(row["number"] for row in rows if "error" in row)
    rows = [row for row in rows if "error" not in row]
    thrown = sum((Counter(row["thrown_away"]) for row in rows), Counter())
    kinds = Counter(kind for row in rows for kind in row["kinds"])
    marks = Counter(row["mark"] for row in rows)
    unfinished = [row["number"] for row in rows if finished(row) < FINISHED]
    found = {
        "options": {
            **{key: value for key, value in asdict(options).items() if key != "proof"},
            "out": str(options.out),
        },
        "courses": len(rows),
        "not_made": failed,
        "unreachable": [row["number"] for row in rows if row["unreachable"]],
        "slow_checks": sum(row["lost"] is not None for row in rows),
        "slow_checks_with_buttons": sum(row["lost"] is not None and "button" in row["kinds"] for row in rows),
        "lost": [row["number"] for row in rows if row["lost"]],
        "unfinished": sorted(unfinished),
        "raced_again": {row["number"]: row["again"] for row in rows if "again" in row},
        "races_without_winner": float(np.mean([1 - row["finished"] for row in rows])),
        "races_cut": sum(row["cut"] for row in rows) / (len(rows) * options.races),
        "alike": sum(count - 1 for count in marks.values()),
        "kinds": dict(kinds.most_common()),
        "kinds_never_used": sorted(EDITIONS[options.edition].kinds - set(kinds)),
        "fair": float(np.mean([best_start(row) < BEST_START for row in rows])),
        "best_start": quantiles([best_start(row) for row in rows]),
        "milliseconds": quantiles([row["milliseconds"] for row in rows]),
        "thrown_away": {reason: count / len(rows) for reason, count in thrown.most_common()},
        "bands": {band: band_of(rows, band) for band in BANDS},
        "overlaps": overlaps(rows),
    }
    return {**found, "wrong": wrong(found, options)}


def wrong(found: dict[str, Any], options: Options) -> list[str]:
    """The parts of the claim that do not hold."""
    checks = {
        "specifications without a course": found["not_made"],
        "courses whose checkpoints cannot be reached": found["unreachable"] or found["lost"],
        f"courses that greedy does not finish in {ROUNDS} rounds in {FINISHED:.0%} of its races": found["unfinished"],
        # few start boards are fair; with one of them, one board and one checkpoint some courses are drawn twice
        "courses that are alike": found["alike"] and not options.fair,
        "kinds of tiles that no course has": found["kinds_never_used"],
        f"best start wins {BEST_START:.0%} too often": options.fair and found["fair"] < FAIR_COURSES,
        f"bands overlap by {OVERLAP:.0%} or more": any(share >= OVERLAP for share in found["overlaps"].values()),
    }
    return [text for text, holds in checks.items() if holds]


def quantiles(values: list[float]) -> dict[str, float]:
    """Mean, median, and the ninth tenth."""
    return {"mean": float(np.mean(values)), "median": float(np.median(values)), "p90": float(np.quantile(values, 0.9))}


def band_of(rows: list[Row], band: int) -> Row:
    """Rounds and shares of one band."""
    mine = [row for row in rows if row["band"] == band]
    if not mine:
        return {"courses": 0}
    rounds = quantiles([row["rounds"] for row in mine])
    shares = {
        "without_winner": float(np.mean([1 - row["finished"] for row in mine])),
        "unfinished": sum(finished(row) < FINISHED for row in mine),
        "fair": float(np.mean([best_start(row) < BEST_START for row in mine])),
    }
    return {"courses": len(mine), "rounds": rounds, **shares}


def overlaps(rows: list[Row]) -> dict[str, float]:
    """Of neighbouring bands, the share of courses on the wrong side of the number of rounds that parts them best."""
    found = {}
    for low, high in pairwise(BANDS):
        below, above = (np.array([row["rounds"] for row in rows if row["band"] == band]) for band in (low, high))
        if len(below) and len(above):
            cuts = np.concatenate([below, above])
            found[f"{low}-{high}"] = float(min((below > cut).mean() + (above <= cut).mean() for cut in cuts))
    return found


def show(found: dict[str, Any]) -> None:
    """The report as a table."""
    table = Table("", "found", title=f"{found['courses']} courses")
    for name in ("not_made", "unreachable", "lost", "unfinished"):
        table.add_row(name, f"{len(found[name])}: {found[name][:8]}")
    for name in ("slow_checks", "slow_checks_with_buttons", "alike", "races_without_winner", "races_cut"):
        table.add_row(name, plain(found[name]))
    for name in ("raced_again", "fair", "best_start", "milliseconds", "kinds_never_used", "thrown_away", "overlaps"):
        table.add_row(name, plain(found[name]))
    for band, numbers in found["bands"].items():
        table.add_row(f"band {band}", plain(numbers))
    console = Console()
    console.print(table)
    console.print("the claim holds" if not found["wrong"] else f"the claim fails: {'; '.join(found['wrong'])}")


def plain(value: Any) -> str:
    """A value in few letters."""
    if isinstance(value, dict):
        return ", ".join(f"{key} {plain(each)}" for key, each in value.items())
    return f"{value:.3g}" if isinstance(value, float) else str(value)


def main(arguments: list[str] | None = None, proof: Proof | None = None) -> int:
    """Check, write the report; 1 if the claim does not hold or was not checked to the end."""
    options = read_options(arguments, proof)
    rows = run(options)
    if all("error" in row for row in rows):
        return 1
    found = report(rows, options)
    (options.out / f"{options.name}.json").write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    show(found)
    if options.keep:
        keep(read_rows(options.out / f"{options.name}.jsonl"), options)
    return int(bool(found["wrong"]) or len(rows) < options.courses)


if __name__ == "__main__":
    sys.exit(main())
