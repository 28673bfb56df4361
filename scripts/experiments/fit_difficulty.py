"""Fit the rounds that `generated.difficulty` foretells to those that agents need, and say how well they fit.

    python scripts/experiments/fit_difficulty.py --out out/fit_difficulty
    python scripts/experiments/fit_difficulty.py --editions 2005 --courses 240 --ways arranged

On generated courses of every band, and of none, four `greedy` race each other, and so do four `random` and (on fewer)
four `planner`. A line is kept of each course, so that a stopped run goes on. At the end the numbers for
`CourseStyle.rounds` are printed, with rank correlations, residuals and the overlap of neighbouring bands in the rounds
of `greedy`. With --docs the picture in docs/pictures and its data are written anew.
"""

import argparse
import csv
import json
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from roborally_env import RoboRallyError
from roborally_env.evaluation.grades import plain
from roborally_env.evaluation.grades.estimates import distances
from roborally_env.evaluation.grades.races import ROBOTS, alone, together
from roborally_env.generated import Generator, Specification
from roborally_env.generated.difficulty import BANDS, ROUND, band_of, rounds_of, way_of

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
AGENTS = ("greedy", "planner", "random")
PLANNER = "planner:simulations=100"
MOST_ROUNDS = {"greedy": 100, "planner": 100, "random": 300}
FINISHED = 0.9  # courses on which fewer races end by their rules are not fitted: their rounds are those of the cut
COLOURS = ("#4c78a8", "#72b7b2", "#54a24b", "#eeca3b", "#e45756")


@dataclass(frozen=True)
class Options:
    """The options of the command line."""

    editions: tuple[str, ...] = ("2016", "2005", "community")
    ways: tuple[str, ...] = ("arranged", "made")
    courses: int = 1020  # an edition
    greedy: int = 48  # races on each course
    random: int = 8
    planner: int = 4
    planner_every: int = 6  # courses, of which planner races on one
    seed: int = 123  # of the specifications
    out: str = "out/fit_difficulty"
    docs: bool = False


@dataclass(frozen=True)
class Row:
    """What was measured on a course."""

    edition: str
    course: str  # its specification
    band: int  # asked for; 0: none
    way: float  # quarter registers, see `difficulty.way_of`
    checkpoints: int
    alone: float  # rounds of one greedy
    finished: float  # share of greedy's races
    greedy: float  # rounds of four
    random: float
    planner: float | None


def specifications(options: Options, edition: str) -> Iterator[Specification]:
    """The courses of an edition, every band and way in turn."""
    kinds = [{} if band is None else {"difficulty": band} for band in (None, *BANDS)]
    kinds = [{**kind, "way": way} for kind in kinds for way in options.ways]
    for number in range(options.courses):
        kind = kinds[number % len(kinds)]
        yield Specification(edition=edition, seed=options.seed, number=number // len(kinds), **kind)


def measured(spec: Specification, options: Options, with_planner: bool) -> Row:
    """Races on a course."""
    course = plain(Generator(spec).course())
    first, between = distances(course)

    def rounds(agent: str, spec: str, races: int) -> float:
        return together(course, ROBOTS, races, options.seed, spec, MOST_ROUNDS[agent]).rounds

    greedy = together(course, ROBOTS, options.greedy, options.seed)
    return Row(
        edition=spec.edition,
        course=str(spec),
        band=spec.difficulty or 0,
        way=way_of(first, between),
        checkpoints=len(course.checkpoints),
        alone=alone(course, options.greedy, options.seed).rounds,
        finished=greedy.finished,
        greedy=greedy.rounds,
        random=rounds("random", "random", options.random),
        planner=rounds("planner", PLANNER, options.planner) if with_planner else None,
    )


def measure(options: Options, edition: str) -> list[Row]:
    """The rows of an edition: those of the file, and what it lacks, which is appended."""
    path = Path(options.out) / f"{edition}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = [Row(**json.loads(line)) for line in path.read_text().splitlines()] if path.exists() else []
    known = {row.course: row for row in rows}
    for row in rows[:1]:
        check_same(path, row)
    found = []
    with path.open("a", encoding="utf-8") as file:
        for number, spec in enumerate(specifications(options, edition)):
            row = known.get(str(spec))
            if row is None:
                row = measured(spec, options, (spec.number or 0) % options.planner_every == 0)
                file.write(json.dumps(asdict(row)) + "\n")
                file.flush()
            found.append(row)
            print(f"\r{edition}: {number + 1} of {options.courses} courses", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return found


def check_same(path: Path, row: Row) -> None:
    """Raise an error if the specification of a row now gives another course."""
    course = plain(Generator(row.course).course())
    if (way_of(*distances(course)), len(course.checkpoints)) != (row.way, row.checkpoints):
        raise RoboRallyError(f"{path}: {row.course} is another course now; choose another --out, or delete the file")


def fitted(rows: list[Row]) -> tuple[float, float, float]:
    """The numbers of `CourseStyle.rounds`, by least squares of the logarithms."""
    rows = [row for row in rows if row.finished >= FINISHED]
    columns = [np.ones(len(rows)), np.log([row.way / ROUND for row in rows]), np.log([row.checkpoints for row in rows])]
    numbers = np.linalg.lstsq(np.stack(columns, 1), np.log([row.greedy for row in rows]), rcond=None)[0]
    a, b, c = (round(float(number), 3) for number in numbers)
    return a, b, c


def ranks(values: Any) -> Any:
    """The rank of each value; equal ones share the mean of their ranks."""
    _, place, count = np.unique(values, return_inverse=True, return_counts=True)
    return (np.cumsum(count) - (count - 1) / 2)[place]


def correlation(rows: list[Row], agent: str) -> float:
    """The rank correlation (Spearman's) of the estimated rounds and those of an agent; nan if those are all equal."""
    rows = [row for row in rows if getattr(row, agent) is not None]
    estimates, needed = ranks(estimated(rows)), ranks([getattr(row, agent) for row in rows])
    with np.errstate(invalid="ignore"):
        return float(np.corrcoef(estimates, needed)[0, 1])


def estimated(rows: list[Row], numbers: tuple[float, float, float] | None = None) -> Any:
    """The rounds that `rounds_of` foretells, with the package's numbers or with others."""
    return np.array([rounds_of(row.edition, row.way, row.checkpoints, numbers) for row in rows])


def residuals(rows: list[Row], numbers: tuple[float, float, float] | None = None) -> Any:
    """log(rounds / estimated rounds) of the courses on which races end."""
    rows = [row for row in rows if row.finished >= FINISHED]
    return np.log([row.greedy for row in rows]) - np.log(estimated(rows, numbers))


def in_band(rows: list[Row], numbers: tuple[float, float, float] | None = None) -> float:
    """The share of courses whose estimated rounds and whose rounds are nearest to the same band."""
    pairs = zip(estimated(rows, numbers), rows, strict=True)
    return float(np.mean([band_of(rounds) == band_of(row.greedy) for rounds, row in pairs]))


def overlap(lower: Any, upper: Any) -> float:
    """The overlap coefficient of two samples, the common area of their densities: the share of both that lies on the
    wrong side of the best threshold between them."""
    edges = np.unique(np.concatenate([lower, upper]))
    return float(min((lower > edge).mean() + (upper <= edge).mean() for edge in edges))


def rounds_by_band(rows: list[Row]) -> dict[int, Any]:
    """Greedy's mean rounds on the courses of each band."""
    return {band: np.array([row.greedy for row in rows if row.band == band]) for band in BANDS}


def print_fit(edition: str, rows: list[Row]) -> None:
    """Print what was found."""
    numbers = fitted(rows)
    print(f'    "{edition}": {numbers},')
    residual, anew = residuals(rows), residuals(rows, numbers)
    print(f"  rank correlations: {', '.join(f'{agent} {correlation(rows, agent):.3f}' for agent in AGENTS)}")
    print(f"  log(rounds / estimate): mean {residual.mean():+.3f}, standard deviation {residual.std():.3f}")
    print(f"    with the numbers above: standard deviation {anew.std():.3f}")
    print(f"  in the band of the estimate: {in_band(rows):.3f}, with the numbers above {in_band(rows, numbers):.3f}")
    print(f"  races of greedy finished: {np.mean([row.finished for row in rows]):.2%}", end="")
    print(f"; courses with all of them: {np.mean([row.finished == 1 for row in rows]):.2%}")
    by_band = rounds_by_band(rows)
    for band, rounds in by_band.items():
        low, middle, high = np.percentile(rounds, (5, 50, 95))
        line = f"  band {band}: {len(rounds)} courses, median {middle:.1f}, nine in ten {low:.1f} to {high:.1f} rounds"
        more = f", overlap with band {band + 1}: {overlap(rounds, by_band[band + 1]):.2f}" if band + 1 in BANDS else ""
        print(line + more)


def write_data(rows: list[Row], path: Path) -> None:
    """The data of the picture."""
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow([field.name for field in fields(Row)])
        table.writerows([shown(value) for value in asdict(row).values()] for row in rows)


def read_row(line: dict[str, str]) -> Row:
    """A line of the data."""
    texts = ("edition", "course")
    whole = ("band", "checkpoints")
    kinds = {key: str if key in texts else int if key in whole else float for key in line}
    return Row(**{key: kinds[key](value) if value else None for key, value in line.items()})  # type: ignore[arg-type]


def shown(value: Any) -> Any:
    """Numbers with four digits."""
    return f"{value:.4g}" if isinstance(value, float) else value


def draw(by_edition: dict[str, list[Row]], path: Path) -> None:
    """The estimated rounds and those of greedy, and how the bands lie."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(4 * len(by_edition), 7), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots(2, len(by_edition), squeeze=False, height_ratios=(3, 2))
    for column, (edition, rows) in enumerate(by_edition.items()):
        draw_rounds(axes[0, column], rows)
        title = f"{edition}: {len(rows)} courses, rank correlation {correlation(rows, 'greedy'):.2f}"
        axes[0, column].set_title(title, fontsize=10)
        draw_bands(axes[1, column], rows)
    axes[0, 0].set_ylabel("rounds of four greedy")
    axes[1, 0].set_ylabel("courses of the band")
    figure.savefig(path, dpi=110, metadata={"Software": None})


def draw_rounds(axes: Any, rows: list[Row]) -> None:
    """A dot for each course."""
    estimates = estimated(rows)
    for band, colour in zip((0, *BANDS), ("#bab0ac", *COLOURS), strict=True):
        chosen = [i for i, row in enumerate(rows) if row.band == band]
        label = f"band {band}" if band else "any"
        axes.scatter(estimates[chosen], [rows[i].greedy for i in chosen], s=5, color=colour, label=label)
    axes.plot((1, 60), (1, 60), color="gray", linewidth=1, linestyle="--")
    log_scale(axes)
    axes.set_yscale("log")
    axes.set_ylim(1, 60)
    axes.set_yticks((1, 2, 5, 10, 20, 50), labels=("1", "2", "5", "10", "20", "50"))
    axes.set_xlabel("estimated rounds")
    axes.legend(frameon=False, markerscale=3, fontsize=8)


def draw_bands(axes: Any, rows: list[Row]) -> None:
    """How greedy's rounds are distributed in each band."""
    edges = np.geomspace(1, 60, 50)
    for (band, rounds), colour in zip(rounds_by_band(rows).items(), COLOURS, strict=True):
        axes.hist(rounds, edges, color=colour, alpha=0.8, label=f"band {band}")
    log_scale(axes)
    axes.set_xlabel("rounds of four greedy")


def log_scale(axes: Any) -> None:
    """Rounds along x."""
    axes.set_xscale("log")
    axes.set_xlim(1, 60)
    axes.set_xticks((1, 2, 5, 10, 20, 50), labels=("1", "2", "5", "10", "20", "50"))
    axes.spines[["top", "right"]].set_visible(False)


def read_options() -> Options:
    """The options of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for field in fields(Options):
        name = f"--{field.name.replace('_', '-')}"
        if isinstance(field.default, bool):
            parser.add_argument(name, action="store_true")
        elif isinstance(field.default, tuple):
            parser.add_argument(name, nargs="+", default=field.default)
        else:
            parser.add_argument(name, type=type(field.default), default=field.default)
    return Options(**vars(parser.parse_args()))


def main() -> None:
    """Measure, print, and with --docs draw."""
    options = read_options()
    by_edition = {edition: measure(options, edition) for edition in options.editions}
    for edition, rows in by_edition.items():
        print_fit(edition, rows)
    if options.docs:
        write_data([row for rows in by_edition.values() for row in rows], PICTURES / "difficulty.csv")
        draw(by_edition, PICTURES / "difficulty.png")


if __name__ == "__main__":
    try:
        main()
    except RoboRallyError as error:
        sys.exit(f"fit_difficulty: {error}")
    except KeyboardInterrupt:
        sys.exit("\nfit_difficulty: stopped; the same command resumes")
