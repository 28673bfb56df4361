"""Measure how strong `planner` is for a number of simulations: one of it among three others.

    python scripts/strength.py --out out/strength
    python scripts/strength.py --courses twister --agents greedy planner:simulations=300 planner:budget=10ms --games 200

Writes strength.json and strength.md into the folder. A win rate of 25% is even.
"""

import argparse
import json
import sys
import time
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from roborally_env.agents import make_agent

from roborally_env import RoboRallyError
from roborally_env.evaluation.tournament import evaluate

OTHERS = 3


@dataclass(frozen=True)
class Options:
    """The options of the command line."""

    courses: tuple[str, ...] = ("dizzy_highway", "twister", "dodge_this")  # one, four and three checkpoints
    agents: tuple[str, ...] = ("greedy", *(f"planner:simulations={n}" for n in (30, 100, 300, 1000, 3000)))
    rival: str = "greedy"  # sits in the other three seats
    games: int = 400  # races of each agent on each course
    seed: int = 1
    out: str = "out/strength"


@dataclass(frozen=True)
class Measured:
    """One row of the table."""

    course: str
    agent: str
    races: int
    win_rate: float
    win_low: float  # 95 % Wilson interval
    win_high: float
    milliseconds: float  # of a decision, mean


class Timed:
    """An agent that measures how long its programs take."""

    def __init__(self, spec: str, seed: int) -> None:
        self._agent = make_agent(spec, seed)
        self.name = spec
        self.needs_observation = self._agent.needs_observation
        self.seconds = 0.0
        self.decisions = 0

    def __getattr__(self, name: str):
        return getattr(self._agent, name)  # announce and choose, where it has them

    def act(self, observations, masks, info):
        """See Agent.act."""
        started = time.perf_counter()
        programs = self._agent.act(observations, masks, info)
        self.seconds += time.perf_counter() - started
        self.decisions += len(programs)
        return programs


def measure(options: Options, course: str, spec: str) -> Measured:
    """One agent on one course."""
    line_up = [options.rival] * OTHERS
    evaluate([Timed(spec, options.seed), *line_up], course, games=4, max_rounds=2)  # what must be compiled
    agent = Timed(spec, options.seed)
    row = evaluate([agent, *line_up], course, games=options.games, seed=options.seed).rows[0]
    return Measured(
        course, spec, row.races, row.win_rate, row.win_low, row.win_high, 1e3 * agent.seconds / max(1, agent.decisions)
    )


def write(options: Options, rows: list[Measured]) -> str:
    """Both files; the Markdown table."""
    folder = Path(options.out)
    folder.mkdir(parents=True, exist_ok=True)
    lines = [
        f"One among {OTHERS} `{options.rival}`, {options.games} races each, seed {options.seed}; with 95% intervals.",
        "",
        "| course | agent | races won | ms a decision |",
        "| --- | --- | ---: | ---: |",
    ]
    for row in rows:
        won = f"{100 * row.win_rate:.1f}% ({100 * row.win_low:.1f} - {100 * row.win_high:.1f})"
        lines.append(f"| `{row.course}` | `{row.agent}` | {won} | {row.milliseconds:.1f} |")
    table = "\n".join(lines) + "\n"
    (folder / "strength.md").write_text(table, encoding="utf-8")
    content = {"options": asdict(options), "rows": [asdict(row) for row in rows]}
    (folder / "strength.json").write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    return table


def read_options(arguments: list[str] | None = None) -> Options:
    """The options from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for option in fields(Options):
        many = isinstance(option.default, tuple)
        kind = int if isinstance(option.default, int) else str
        parser.add_argument(f"--{option.name}", nargs="+" if many else None, type=kind, default=option.default)
    values = vars(parser.parse_args(arguments))
    return Options(**{name: tuple(value) if isinstance(value, list) else value for name, value in values.items()})


def main(arguments: list[str] | None = None) -> int:
    """Measure every agent on every course; the exit code."""
    options = read_options(arguments)
    rows: list[Measured] = []
    try:
        for course in options.courses:
            for spec in options.agents:
                rows.append(measure(options, course, spec))
                print(f"{course} {spec}: {rows[-1].win_rate:.1%}, {rows[-1].milliseconds:.1f} ms", file=sys.stderr)
                write(options, rows)  # what is measured is kept if the rest is stopped
    except (RoboRallyError, OSError) as error:
        print(f"strength: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
    print(write(options, rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
