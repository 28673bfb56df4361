"""What is learned on generated courses, measured on others: the curve of Procgen (Cobbe et al., "Leveraging Procedural
Generation to Benchmark Reinforcement Learning", ICML 2020).

    python scripts/experiments/generalisation.py

For each number of training courses (`--levels`, 0: without end) `roborally train value` learns the chance to win,
purchases and power downs, and `roborally train selfplay --begin` the choice of programs, each from as many positions.
Both are measured on the courses that were trained on, on generated ones of another seed, and on the printed ones of
RoboRally-Bench:

    value   by how much the log loss of the network is below that of the distances alone
    learned how often one `learned` wins against three `greedy`
    search  how often one `learned-search` does that trusts its network alone and has no policy (`--simulations`)

What is measured is written to `--data` at once; run it again to go on where it was stopped. `--plot` draws the picture.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import math
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from roborally_env.agents.features import Features
from roborally_env.agents.network import SCORE, net_of, read_weights, save_weights

from roborally_env import RoboRallyError
from roborally_env.evaluation.benchmark import PROTOCOLS
from roborally_env.evaluation.statistics import Z95, wilson
from roborally_env.evaluation.tournament import Race, evaluate
from roborally_env.generated.mixture import Mixture
from roborally_env.generated.specification import parse_specification
from roborally_env.training.value.network import Samples, ValueNetwork
from roborally_env.training.value.options import Options as ValueOptions
from roborally_env.training.value.races import Races

GENERATOR = 1  # version of the generator; arranged courses have been the same since
SETS = ("training", "unseen", "printed")
MEASURES = ("value", "learned", "search")
UNTRAINED = -1  # instead of a number of training courses: a network that has learned nothing
RIVALS = ["greedy"] * 3
OTHER_SEED = 1_000_003  # added to the seed of the training courses, and to that of the races
TOGETHER, BATCH = 25, 1000  # courses and races in a batch by which the value is measured
# of `roborally train selfplay`, as the weights of the package were made
POLICY = (
    "--games 88 --steps 16 --minibatch 2048 --lr 1e-4 --epochs 2 --policy-weight 0 --expert 1.0 --expert-deals 12 "
    "--deals 0 1 1 1 --ahead 0 --league greedy --snapshot-every 60000 --evaluate-every 0 --max-rounds 60 "
    "--change-every 4 --opponents"
)
OF_THE_MACHINE = ("out", "data", "picture", "plot", "measures", "levels")  # may differ where a run goes on


@dataclass(frozen=True)
class Options:
    """The options of the command line."""

    levels: tuple[int, ...] = (1, 10, 100, 1000, 0)  # training courses; 0: without end
    measures: tuple[str, ...] = MEASURES
    specification: str = "generated:way=arranged,seed=1"  # of the training courses
    positions: int = 1_500_000  # from which the value is learned
    games: int = 1024  # races at once while it is
    at_once: int = 64  # courses of these
    decisions: int = 25_000  # from which the choice of programs is learned
    courses: int = 200  # of a set that is measured, at most
    value_races: int = 8000  # on the courses of a set
    learned_races: int = 3200
    search_races: int = 800
    simulations: int = 1000
    seed: int = 1
    out: str = "out/generalisation"
    data: str = "results/learning/generalisation.json"
    picture: str = "docs/pictures/generalisation.png"
    plot: bool = False  # draw what was measured, and do nothing else


class Courses(NamedTuple):
    """Courses on which something is measured."""

    name: str
    texts: tuple[str, ...]
    sampled: bool  # they stand for many more


@dataclass(frozen=True)
class Row:
    """One point of the curve."""

    measure: str
    levels: int
    set: str
    courses: int
    races: int
    value: float
    low: float  # 95% interval; over courses if they are drawn from many more, else over races
    high: float
    loss: float | None = None  # of the network
    loss_of_prior: float | None = None


# -- the courses


def courses_of(options: Options, name: str, levels: int) -> Courses:
    """A set of courses for the networks that were trained on `levels` courses."""
    if name == "printed":
        return Courses(name, PROTOCOLS["2016"].courses, False)
    if name == "unseen":
        spec = parse_specification(options.specification)
        other = Mixture([str(dataclasses.replace(spec, seed=spec.seed + OTHER_SEED))])
        return Courses(name, tuple(other.examples(options.courses)), True)
    return Courses(name, tuple(trained_on(options, levels)), not 0 < levels <= options.courses)


def training(options: Options, levels: int) -> str:
    """The specification of the training courses."""
    return str(dataclasses.replace(parse_specification(options.specification), levels=max(0, levels)))


def trained_on(options: Options, levels: int) -> list[str]:
    """The first courses that the value was learned on."""
    settings = value_options(options, levels)
    races = Races(settings)
    found: dict[str, None] = {}
    batches = settings.positions // settings.games + 1  # more than there are, with many positions in a race
    for number in (n for n in range(batches) if n % settings.held_out):
        found.update(dict.fromkeys(races.courses_of(number)))
        if len(found) >= min(options.courses, levels or options.courses):
            break
    return list(found)[: options.courses]


# -- training


def value_options(options: Options, levels: int) -> Any:
    """The options of `roborally train value`."""
    return ValueOptions(
        out=str(Path(options.out) / f"value_{levels}"), courses=[training(options, levels)], games=options.games,
        at_once=options.at_once, positions=options.positions, seed=options.seed,
    )  # fmt: skip


def train_the_value(options: Options, levels: int) -> Path:
    """Weights of kind "value"; what is trained already is kept."""
    settings = value_options(options, levels)
    weights = Path(settings.out) / "weights.npz"
    learned = read_weights(weights)[1]["count"]["positions"] if weights.exists() else 0
    if learned < options.positions:
        names = ("out", "courses", "games", "at_once", "positions", "seed")
        run_training("value", {name: getattr(settings, name) for name in names})
    return weights


def untrained_value(options: Options) -> Path:
    """Weights of kind "value" that add nothing to the distances."""
    path = Path(options.out) / "untrained.npz"
    races = Races(value_options(options, 1))
    path.parent.mkdir(parents=True, exist_ok=True)
    about = {"edition": races.batch.edition, "kind": "value", "prior": 1.0}
    save_weights(path, value_network(races, None).arrays(), about)
    return path


def train_the_policy(options: Options, levels: int) -> Path:
    """Weights with a choice of programs; without training courses those of a network that has learned nothing."""
    folder = Path(options.out) / f"policy_{levels}"
    weights = folder / "weights.npz"
    wanted = 0 if levels == UNTRAINED else options.decisions
    given: dict[str, Any] = {"out": folder, "courses": [training(options, levels)], "decisions": wanted}
    if levels != UNTRAINED:
        given["begin"] = train_the_value(options, levels)
    if not weights.exists() or read_weights(weights)[1]["count"]["decisions"] < wanted:
        run_training("selfplay", given | {"at_once": options.at_once, "seed": options.seed}, POLICY.split())
    return weights


def run_training(kind: str, given: dict[str, Any], more: Sequence[str] = ()) -> None:
    """Run `roborally train` to its end, in a process of its own.

    Raises:
        RoboRallyError: if it fails. KeyboardInterrupt: if it was stopped.
    """
    command = ["train", kind]
    for key, value in given.items():
        command += [f"--{key.replace('_', '-')}", *map(str, value if isinstance(value, list) else [value])]
    print(" ".join(["roborally", *command, *more]), flush=True)
    code = subprocess.run([sys.executable, "-m", "roborally_env", *command, *more], check=False).returncode
    if code == 130:
        raise KeyboardInterrupt
    if code:
        raise RoboRallyError(f"roborally train {kind}: it ended with exit code {code}; what it wrote above says why")


# -- measuring


def measure_values(options: Options, found: Courses, weights: dict[int, Path]) -> Iterator[Row]:
    """The networks' log loss on the same races on a set of courses: those of `roborally train value`, another seed."""
    races = Races(dataclasses.replace(value_options(options, 0), games=BATCH, seed=options.seed + OTHER_SEED))
    untrained = net_of(value_network(races, None).arrays())
    nets = {levels: value_network(races, path) for levels, path in weights.items()}
    parts: dict[int, list[np.ndarray]] = {levels: [] for levels in nets}
    batches, together = max(1, options.value_races // BATCH), min(TOGETHER, len(found.texts))
    for number in range(batches):
        places = (number * together + np.arange(together)) % len(found.texts)
        batch = races.new_on([found.texts[place] for place in places], number)
        samples, games = races.play_batch(batch, number, untrained)
        course = places[batch.games["course"]]
        for levels, net in nets.items():
            parts[levels].append(np.column_stack([course, losses_by_race(net, samples, games, batch.num_games)]))
        print(f"\r  log loss, {found.name}: {(number + 1) * BATCH:,} races", end="", flush=True)
    print(flush=True)
    for levels, tables in parts.items():
        yield value_row(found, levels, np.concatenate(tables))


def value_network(races: Any, path: Path | None) -> Any:
    """A network of `roborally train value` with the weights of a file; without one it adds nothing to the prior."""
    at = Features(races.batch).layout
    arrays = read_weights(path)[0] if path else {}
    net = ValueNetwork(at, len(arrays["own_b"]) if path else races.options.hidden)
    for name, module in net.named_children() if path else ():
        scale = SCORE if name in ("buy", "down") else 1.0
        module.weight.data = torch.as_tensor(arrays[f"{name}_w"].T.astype(np.float32) * scale)
        if module.bias is not None:
            module.bias.data = torch.as_tensor(arrays[f"{name}_b"].astype(np.float32) * scale)
    return net


def losses_by_race(net: Any, samples: Any, games: np.ndarray, count: int) -> np.ndarray:
    """[races, 3]: positions, sum of the network's log losses, sum of the prior's."""
    data = Samples(*(torch.as_tensor(part) for part in samples))
    with torch.no_grad():
        logits = torch.stack([net(data), data.prior])
        losses = torch.nn.functional.binary_cross_entropy_with_logits(logits, data.won.expand(2, -1), reduction="none")
    sums = [np.bincount(games, weights, count) for weights in (None, *losses.numpy().astype(float))]
    return np.column_stack(sums)


def value_row(found: Courses, levels: int, table: np.ndarray) -> Row:
    """A point from rows of races: course, positions, sums of the log losses of network and prior."""
    means, errors, losses = [], [], []
    for course in np.unique(table[:, 0]):
        positions, net, prior = table[table[:, 0] == course, 1:].T
        gain = (prior - net).sum() / positions.sum()
        means.append(gain)
        losses.append([net.sum() / positions.sum(), prior.sum() / positions.sum()])
        residuals = (prior - net) - gain * positions  # of a ratio of sums over races
        errors.append((residuals**2).sum() / positions.sum() ** 2)
    value, half = mean_and_half_interval(means, errors, found.sampled)
    loss, of_prior = np.mean(losses, axis=0)
    return Row(
        "value", levels, found.name, len(means), len(table), value, value - half, value + half, float(loss),
        float(of_prior),
    )  # fmt: skip


def mean_and_half_interval(means: Sequence[float], errors: Sequence[float], sampled: bool) -> tuple[float, float]:
    """The mean over courses, and half of its 95% interval.

    `errors` are the variances of the courses' means. They count where the courses are all there are; where the courses
    are drawn from many more, the scatter of the means has them in it.
    """
    count = len(means)
    variance = float(np.var(means, ddof=1)) / count if sampled and count > 1 else float(np.sum(errors)) / count**2
    return float(np.mean(means)), Z95 * math.sqrt(variance)


def measure_agent(options: Options, measure: str, found: Courses, levels: int, weights: Path) -> Row:
    """How often one agent with these weights wins against three `greedy`."""
    races = options.learned_races if measure == "learned" else options.search_races
    each = max(4, 4 * round(races / len(found.texts) / 4))
    began = time.perf_counter()

    def progress(done: int, of: int) -> None:
        print(f"\r  {measure}, {levels}, {found.name}: {done} of {of} races", end="", flush=True)

    mixture = Mixture(found.texts)
    result = evaluate(
        [spec_of(options, measure, weights), *RIVALS], [mixture.course(text) for text in found.texts],
        games=each, players=4, seed=options.seed + OTHER_SEED, progress=progress,
    )  # fmt: skip
    if not result.complete:
        raise KeyboardInterrupt
    print(f", {time.perf_counter() - began:.0f} s", flush=True)
    return agent_row(measure, levels, found, result.races)


def spec_of(options: Options, measure: str, weights: Path) -> str:
    """The agent that is measured."""
    if measure == "learned":
        return f"learned:weights={weights}"
    return f"learned-search:simulations={options.simulations},trust=1,weights={weights}"


def weights_of(options: Options, measure: str, levels: int) -> Path:
    """The agent's weights, trained if need be."""
    if measure == "learned":
        return train_the_policy(options, levels)
    return untrained_value(options) if levels == UNTRAINED else train_the_value(options, levels)


def agent_row(measure: str, levels: int, found: Courses, races: Sequence[Race]) -> Row:
    """A point from races in which the agent is number 0."""
    won = np.array([race.won(race.line_up.index(0)) for race in races])
    course = np.array([race.course for race in races])
    means = [float(won[course == number].mean()) for number in np.unique(course)]
    value, half = mean_and_half_interval(means, [], True) if found.sampled else (float(won.mean()), 0.0)
    low, high = (value - half, value + half) if found.sampled else wilson(int(won.sum()), len(won))
    return Row(measure, levels, found.name, len(means), len(won), value, low, high)


# -- the data


def kept_options(options: Options) -> dict[str, Any]:
    """What a file of results must agree with."""
    kept = {key: value for key, value in dataclasses.asdict(options).items() if key not in OF_THE_MACHINE}
    return kept | {"generator": GENERATOR}


def read_rows(options: Options) -> list[Row]:
    """What has been measured.

    Raises:
        RoboRallyError: for a file of other options.
    """
    path = Path(options.data)
    if not path.exists():
        return []
    content = json.loads(path.read_text(encoding="utf-8"))
    for key, mine in kept_options(options).items():
        if (its := content["options"].get(key)) != mine:
            raise RoboRallyError(f"{path}: measured with {key} {its!r}, this run has {mine!r}; give another --data")
    return [Row(**row) for row in content["rows"]]


def write_rows(options: Options, rows: list[Row]) -> None:
    """The file of results, under another name first."""
    rows = sorted(rows, key=lambda row: (MEASURES.index(row.measure), row.levels or math.inf, SETS.index(row.set)))
    content = {"options": kept_options(options), "rows": [dataclasses.asdict(row) for row in rows]}
    path = Path(options.data)
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    os.replace(part, path)


def measure_all(options: Options, rows: list[Row]) -> None:
    """Train and measure what is missing, and write it."""
    done = {(row.measure, row.levels, row.set) for row in rows}

    def keep(row: Row) -> None:
        rows.append(row)
        write_rows(options, rows)

    if "value" in options.measures:
        for name in SETS:
            groups = [(each,) for each in options.levels] if name == "training" else [options.levels]
            for group in groups:
                missing = [levels for levels in group if ("value", levels, name) not in done]
                weights = {levels: train_the_value(options, levels) for levels in missing}
                for row in measure_values(options, courses_of(options, name, group[0]), weights) if missing else ():
                    keep(row)
    for measure in (each for each in ("learned", "search") if each in options.measures):
        for levels in (UNTRAINED, *options.levels):
            for name in SETS if levels != UNTRAINED else ("unseen", "printed"):
                if (measure, levels, name) not in done:
                    weights = weights_of(options, measure, levels)
                    keep(measure_agent(options, measure, courses_of(options, name, levels), levels, weights))


# -- the picture

TITLES = {
    "value": "log loss below that of the distances",
    "learned": "`learned` against three `greedy`: won",
    "search": "`learned-search:trust=1`: won",
}
COLOURS = {"training": "#54a24b", "unseen": "#4c78a8", "printed": "#e45756"}
WORDS = {"training": "training courses", "unseen": "unseen generated courses", "printed": "printed courses"}


def draw(options: Options, rows: list[Row]) -> None:
    """The picture: a panel for each measure, a line for each set of courses. Needs matplotlib."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    measures = [measure for measure in MEASURES if any(row.measure == measure for row in rows)]
    figure = Figure(figsize=(4.6 * len(measures), 4.0), layout="constrained")
    FigureCanvasAgg(figure)
    levels = sorted({row.levels for row in rows} - {UNTRAINED}, key=lambda n: n or math.inf)
    for axes, measure in zip(figure.subplots(1, len(measures), squeeze=False)[0], measures, strict=True):
        draw_panel(axes, measure, levels, [row for row in rows if row.measure == measure])
    path = Path(options.picture)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=110, metadata={"Software": None})


def draw_panel(axes: Any, measure: str, levels: list[int], rows: list[Row]) -> None:
    """One measure over the number of training courses."""
    for name in SETS:
        line = [row for number in levels for row in rows if (row.set, row.levels) == (name, number)]
        places = [levels.index(row.levels) for row in line]
        spread = [[row.value - row.low for row in line], [row.high - row.value for row in line]]
        values = [row.value for row in line]
        axes.errorbar(places, values, yerr=spread, color=COLOURS[name], marker="o", capsize=4, label=WORDS[name])
        for row in (row for row in rows if row.set == name and row.levels == UNTRAINED):
            axes.axhline(row.value, color=COLOURS[name], linestyle=":", linewidth=1)
    axes.set_xticks(range(len(levels)), [f"{n:,}" if n else "without end" for n in levels])
    axes.set_xlabel("training courses")
    axes.set_title(TITLES[measure].replace("`", ""), fontsize=10)
    axes.axhline(0.0 if measure == "value" else 0.25, color="gray", linestyle="--", linewidth=1)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, fontsize=8)


# -- the command


def read_options(arguments: list[str] | None = None) -> Options:
    """The options from the command line.

    Raises:
        RoboRallyError: for an unknown measure, or a number out of range.
    """
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for option in dataclasses.fields(Options):
        flag = "--" + option.name.replace("_", "-")
        if isinstance(option.default, bool):
            parser.add_argument(flag, action="store_true")
            continue
        many = isinstance(option.default, tuple)
        kind = type(option.default[0] if many else option.default)
        parser.add_argument(flag, nargs="+" if many else None, type=kind, default=option.default)
    values = vars(parser.parse_args(arguments))
    options = Options(**{name: tuple(value) if isinstance(value, list) else value for name, value in values.items()})
    for measure in options.measures:
        if measure not in MEASURES:
            raise RoboRallyError(f"--measures: expected some of {', '.join(MEASURES)}, got {measure!r}")
    if min(options.levels) < 0:
        raise RoboRallyError(f"--levels: expected at least 0, got {min(options.levels)}")
    return options


def main(arguments: list[str] | None = None) -> int:
    """Measure what is missing and draw the picture; the exit code."""
    try:
        options = read_options(arguments)
        rows = read_rows(options)
        if not options.plot:
            measure_all(options, rows)
        draw(options, rows)
    except RoboRallyError as error:
        raise SystemExit(f"generalisation: {error}") from None
    except KeyboardInterrupt:
        print("\nstopped; run it again to go on", flush=True)
        return 130
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
