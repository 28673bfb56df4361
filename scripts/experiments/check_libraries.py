"""Check the environment in every library that is installed, and write the rows of the table in docs/libraries.md.

    python scripts/experiments/check_libraries.py                   # all that are installed, a minute of training each
    python scripts/experiments/check_libraries.py TorchRL Tianshou --seconds 30

For each library it makes an environment by the lines that a user writes, runs the library's own check, trains a policy
with the library's own learner (libraries.py), and races it against three `random` of the lighter game on
short_yard.toml, counting illegal actions. Rows of libraries that are not installed stay as they are, so several
installations can fill one file. Exits 1 if a check fails, an action is illegal, or a policy does not beat `random`.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import traceback
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")  # torch reads it when it is imported; small networks are faster so

import numpy as np
from libraries import CLOCK, LIBRARIES, RACES, Library, Policy, share_of_batch
from numpy.typing import NDArray
from rich.console import Console

from roborally_env import make_vec

RESULTS = Path(__file__).parents[2] / "results" / "learning" / "libraries.json"
EQUAL = 2.5  # mean place of four equal players, whatever races end without a winner
Z95 = 1.96


@dataclass
class Row:
    """A row of the table: what one library did."""

    library: str
    version: str
    lines: int  # that a user writes for an env
    check: str  # the name of the library's own check, which has passed; empty: it has none
    learner: str  # empty: it has none
    repairs: int  # illegal actions, while racing or, without a learner, in masked random play
    seconds: int  # of training or play
    decisions_per_second: int  # programs, learning included
    races: int = 0
    place: float = 0.0  # mean of these races
    error: float = 0.0  # half its 95% interval

    @property
    def beats_random(self) -> bool:
        """Whether the 95% interval of the mean place lies before that of equals."""
        return self.races > 0 and self.place + self.error < EQUAL


def race(policy: Policy, action: str, races: int, seat: int | str = "random") -> tuple[NDArray[np.float64], int]:
    """The places of a policy in its seat against three `random`, and its illegal actions."""
    envs = make_vec(races, opponents="random", seat=seat, action=action, seed=2, **RACES)
    seen, infos = envs.reset()
    running, places, repairs = np.ones(races, np.bool_), np.zeros(races), 0
    while running.any():
        seen, _, over, cut, infos = envs.step(policy(seen["observation"], seen["action_mask"].astype(np.bool_)))
        repairs += int(infos["corrected"][running].sum())
        ended = running & (over | cut)
        if ended.any():
            places[ended] = infos["place"][ended]
        running &= ~ended
    return places, repairs


def check(library: Library, seconds: float, races: int) -> Row:
    """Everything about one library; raises what the library's check raises."""
    env = library.make()
    library.run_check(env)
    began = CLOCK()
    played = library.play(env, seconds)
    spent = CLOCK() - began
    row = Row(
        library.name,
        library.version,
        len(library.lines.strip().splitlines()),
        library.check,
        library.learner,
        played.repairs,
        round(spent),
        round(played.decisions / spent),
    )
    if played.policy:
        places, row.repairs = race(played.policy, played.action, races)
    elif played.seats:
        share = races // len(played.seats)
        raced = [race(policy, played.action, share, seat) for seat, policy in enumerate(played.seats)]
        places, row.repairs = np.concatenate([its for its, _ in raced]), sum(repairs for _, repairs in raced)
        races = len(places)
    if library.learner:
        row.races, row.place = races, round(float(places.mean()), 3)
        row.error = round(float(Z95 * places.std() / races**0.5), 3)
    return row


def write(rows: Sequence[Row], path: Path) -> None:
    """Put these rows in the place of those of the same libraries."""
    known = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    known |= {row.library: asdict(row) for row in rows}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def main() -> None:
    """Read the options, check, write."""
    names = [library.name for library in LIBRARIES]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(names)} (all that are installed)")
    parser.add_argument("--seconds", type=float, default=60.0, help="of training (60)")
    parser.add_argument("--races", type=int, default=400, help="against random (400)")
    parser.add_argument(
        "--share", type=int, metavar="GAMES", help="only print how much of BatchRace's rate TorchRL keeps"
    )
    parser.add_argument("--out", type=Path, default=RESULTS, help="file of the rows (results/learning/libraries.json)")
    options = parser.parse_args()
    if unknown := sorted(set(options.names) - set(names)):
        parser.error(f"no such library: {', '.join(unknown)}; there are {', '.join(names)}")
    console, failed = Console(), []
    if options.share:
        console.print(f"{share_of_batch(options.share, options.seconds):.2f} of BatchRace's rate")
        return
    for library in LIBRARIES:
        if options.names and library.name not in options.names:
            continue
        if not library.version:
            console.print(f"{library.name}: not installed")
            continue
        try:
            row = check(library, options.seconds, options.races)
        except Exception:  # whatever a library's check raises: the others are checked nevertheless
            traceback.print_exc()
            failed.append(library.name)
            continue
        console.print(row, highlight=False)
        write([row], options.out)
        if row.repairs or not (row.beats_random or not library.learner):
            failed.append(library.name)
    if failed:
        sys.exit(f"not as it should be: {', '.join(failed)}")


if __name__ == "__main__":
    main()
