"""Measure how often a player beats three opponents of each level of `roborally play`.

    python scripts/experiments/levels.py --out results/levels.json
    python scripts/experiments/levels.py --levels easy --players hints --editions 2016 --races 20 --out out/levels.json

The players:

    hints        plays the program of the Hint button every round
    some hints   plays it every other round, otherwise what seems obvious
    ghost        plays the program that gets it farthest alone, as the ghost shows it
    obvious      the same, but counts only its cards: it forgets belts, gears, pushers and lasers
    random       plays cards at random

Each edition has six courses, from easy to hard. A run goes on with the file that it finds.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
from pathlib import Path

import numpy as np
from roborally_env.agents import Info, make_agent

from roborally_env import BatchRace, RoboRallyError
from roborally_env.core.searching.alone import greedy_programs
from roborally_env.courses import Course
from roborally_env.evaluation.statistics import wilson
from roborally_env.evaluation.tournament import evaluate
from roborally_env.generated.resolve import load_course
from roborally_env.play.hint import SIMULATIONS
from roborally_env.play.levels import LEVELS, level_of

COURSES = {
    "2016": ("dizzy_highway", "fractionation", "sprint_cramp", "twister", "dodge_this", "chop_shop_challenge"),
    "2005": ("dizzy_dash", "risky_exchange", "island_hop", "chop_shop_challenge", "pilgrimage", "vault_assault"),
    "2023": ("dizzy_highway", "fractionation", "sprint_cramp", "twister", "dodge_this", "chop_shop_challenge"),
    "community": ("rain_yard", "hot_floor", "terraces", "summit_works", "fractionation", "twister"),
}

OTHERS = 3
# what a player forgets who counts only its own cards
FORGOTTEN = {"belt", "gear", "panel", "laser", "crusher", "stomper", "trapdoor", "puddle", "radiation"}


class Obvious:
    """Plays the best program for its robot alone on a board without machines."""

    name = "obvious"
    needs_observation = False

    def __init__(self, course: Course, seed: int) -> None:
        elements = tuple(each for each in course.elements if each.kind not in FORGOTTEN)
        bare = dataclasses.replace(course, elements=elements, moving_checkpoints=False)
        self.maps = BatchRace(1, bare, edition=course.edition, players=OTHERS + 1, observation="none").maps
        self.greedy = make_agent("greedy", seed)

    def act(self, observations, masks, info: Info):
        """See Agent.act."""
        programs = np.zeros((len(info.games), masks.shape[1]), np.int8)
        greedy_programs(self.maps, info.batch.games, info.games, info.seats, programs)
        return programs

    def __getattr__(self, name: str):
        return getattr(self.greedy, name)  # purchases and power downs


class SomeHints:
    """Plays a hint in odd rounds, and the obvious program in even rounds."""

    name = "some hints"
    needs_observation = False

    def __init__(self, course: Course, seed: int) -> None:
        self.obvious, self.hints = Obvious(course, seed), make_agent(f"planner:simulations={SIMULATIONS}", seed)

    def act(self, observations, masks, info: Info):
        """See Agent.act."""
        programs = self.obvious.act(None, masks, info)
        odd = info.batch.games["round_number"][info.games] % 2 == 1
        if odd.any():
            hinted = Info(info.batch, info.games[odd], info.seats[odd])
            programs[odd] = self.hints.act(None, masks[odd], hinted)
        return programs

    def __getattr__(self, name: str):
        return getattr(self.hints, name)


def player(name: str, course: Course, seed: int):
    """An agent, or its spec, that plays as a player of the table."""
    if name == "obvious":
        return Obvious(course, seed)
    if name == "some hints":
        return SomeHints(course, seed)
    return {"hints": f"planner:simulations={SIMULATIONS}", "ghost": "greedy", "random": "random"}[name]


PLAYERS = ("hints", "some hints", "ghost", "obvious", "random")


def measure(edition: str, slug: str, level: str, name: str, races: int, seed: int) -> dict:
    """One player against three opponents of a level on one course."""
    course = load_course(slug, edition)
    line_up = [player(name, course, seed), *level_of(edition, level, OTHERS)]
    result = evaluate(line_up, course, edition=edition, games=races, seed=seed)
    own = result.rows[0]
    rounds = float(np.mean([race.rounds for race in result.races]))
    return {
        "edition": edition, "course": slug, "level": level, "player": name,
        "races": own.races, "wins": own.wins, "rounds": round(rounds, 2),
    }  # fmt: skip


def summary(rows: list[dict]) -> list[dict]:
    """Each player against each level, over the courses of an edition, in percent with 95 % Wilson intervals."""
    found: dict[tuple[str, str, str], list[dict]] = {}
    for row in rows:
        found.setdefault((row["edition"], row["level"], row["player"]), []).append(row)
    table = []
    for (edition, level, name), group in found.items():
        races, wins = sum(row["races"] for row in group), sum(row["wins"] for row in group)
        low, high = wilson(wins, races)
        table.append({
            "name": f"{edition} {level} {name}", "edition": edition, "level": level, "player": name, "races": races,
            "won": round(100 * wins / races, 1), "low": round(100 * low, 1), "high": round(100 * high, 1),
            "courses": len(group), "rounds": round(sum(row["rounds"] for row in group) / len(group), 1),
        })  # fmt: skip
    return table


def main(arguments: list[str] | None = None) -> int:
    """Measure what is missing in the file; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--editions", nargs="+", default=list(COURSES), choices=list(COURSES))
    parser.add_argument("--levels", nargs="+", default=list(LEVELS), choices=LEVELS)
    parser.add_argument("--players", nargs="+", default=list(PLAYERS), choices=PLAYERS)
    parser.add_argument("--races", type=int, default=100, help="races on each course")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("out/levels.json"))
    options = parser.parse_args(arguments)
    rows = json.loads(options.out.read_text(encoding="utf-8"))["rows"] if options.out.is_file() else []
    known = {(row["edition"], row["course"], row["level"], row["player"]) for row in rows}
    options.out.parent.mkdir(parents=True, exist_ok=True)
    for level in options.levels:
        for name in options.players:
            for edition in options.editions:
                for slug in COURSES[edition]:
                    if (edition, slug, level, name) in known:
                        continue
                    row = measure(edition, slug, level, name, options.races, options.seed)
                    print(*row.values(), flush=True)
                    rows.append(row)
                    content = {"seed": options.seed, "against": OTHERS, "summary": summary(rows), "rows": rows}
                    options.out.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
    except RoboRallyError as error:
        sys.exit(f"levels: {error}")
