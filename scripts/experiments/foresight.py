"""What an agent that sees everything would win: a bound for every search.

It knows all hands, all draws to come, and the programs of the others: three `greedy`. It tries each of its candidate
programs, and each purchase, in the race itself, goes on as `greedy` to the end of the race, and takes what wins (of
several that win, the earliest win). What it wins beyond `learned-search` is what cannot be known.

    python scripts/experiments/foresight.py --course dizzy_highway twister --races 200
"""

from __future__ import annotations

import argparse
import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.progress import track
from roborally_env.agents import make_agent

from roborally_env import BatchRace
from roborally_env.base.errors import RoboRallyError
from roborally_env.core.searching.alone import best_programs
from roborally_env.evaluation.races import decide
from roborally_env.evaluation.statistics import wilson

PLAYERS = 4
MAX_ROUNDS = 100


class Foresight:
    """Plays one seat of a race against `greedy`.

    Args:
        course: its name.
        candidates: how many of the best programs for a robot alone are tried.
    """

    def __init__(self, course: str, candidates: int) -> None:
        self.race = BatchRace(1, course, players=PLAYERS, observation="none", auto_reset=False, max_rounds=MAX_ROUNDS)
        self.trials = BatchRace(
            candidates, course, players=PLAYERS, observation="none", auto_reset=False, max_rounds=MAX_ROUNDS
        )
        self.greedy = [make_agent("greedy")]
        self.one, self.all = np.zeros((1, PLAYERS), np.int64), np.zeros((candidates, PLAYERS), np.int64)

    def play(self, seed: int, seat: int) -> bool:
        """Whether the seat wins the race with this seed."""
        race = self.race
        race.reset(seed)
        while not race.over.all():
            programs, choices = decide(race, self.greedy, self.one)
            assert choices is not None
            if race.programming[0]:
                tried = self._programs(seat)
                best = self._best(np.repeat(programs, len(tried), 0), np.repeat(choices, len(tried), 0), seat, tried)
                programs[0, seat] = tried[best]
            elif int(race.games[0]["ask_seat"]) == seat:
                options = np.flatnonzero(race.observations["choice_masks"][0, seat])
                several = np.repeat(choices, len(options), 0)
                several[:, seat] = options
                choices[0, seat] = options[self._best(np.repeat(programs, len(options), 0), several, seat)]
            race.step(programs, choices)
        return bool(race.results["winner"][0] == seat)

    def _programs(self, seat: int) -> NDArray[np.int8]:
        """The candidates: int8 [n, 5] slots of the hand."""
        values, programs = np.zeros(len(self.all)), np.zeros((len(self.all), 5), np.int8)
        return programs[: best_programs(self.race.maps, self.race.games[0], seat, values, programs)]

    def _best(
        self,
        programs: NDArray[np.int8],
        choices: NDArray[np.int8],
        seat: int,
        tried: NDArray[np.int8] | None = None,
    ) -> int:
        """Which of the actions [n, P, ..] of all seats leads to the best end; `tried` [n, 5]: programs of the seat."""
        count, trials = len(programs), self.trials
        if tried is not None:
            programs[:, seat] = tried
        trials.games[:] = self.race.games[0]
        trials.observe()
        rest = len(self.all) - count  # these repeat the first
        trials.step(
            np.concatenate([programs, np.repeat(programs[:1], rest, 0)]),
            np.concatenate([choices, np.repeat(choices[:1], rest, 0)]),
        )
        while not trials.over.all():
            trials.step(*decide(trials, self.greedy, self.all))
        ends: Any = trials.results[:count]
        won = ends["winner"] == seat
        worth = np.where(won, 1000.0 - ends["rounds"], -ends["place"][:, seat].astype(float))
        return int(worth.argmax())


def read_options(arguments: list[str] | None = None) -> argparse.Namespace:
    """The options from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--course", nargs="+", default=["dizzy_highway", "twister"], help="names of courses")
    for name, default in {"races": 200, "candidates": 256, "seed": 1}.items():
        parser.add_argument(f"--{name}", type=int, default=default)
    options = parser.parse_args(arguments)
    for name, least in {"races": 1, "candidates": 32, "seed": 0}.items():
        if getattr(options, name) < least:
            parser.error(f"--{name}: expected a whole number from {least}, got {getattr(options, name)}")
    return options


def main(arguments: list[str] | None = None) -> int:
    """Race on each course, and print what was won."""
    options = read_options(arguments)
    try:
        for course in options.course:
            player = Foresight(course, options.candidates)
            races = track(range(options.races), course, transient=True)
            won = sum(player.play(options.seed + i, i % PLAYERS) for i in races)
            low, high = wilson(won, options.races)
            print(f"{course}: {100 * won / options.races:.0f}% ({100 * low:.0f} - {100 * high:.0f}) of {options.races}")
    except RoboRallyError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
