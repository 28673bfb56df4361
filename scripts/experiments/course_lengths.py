"""Measure how many rounds a race takes on each course, for the start page of `roborally play`.

    python scripts/experiments/course_lengths.py

Four `greedy` race on every course of every edition, or the nearest number of robots that the course allows. The means
go to `roborally_env/play/course_lengths.json`, by edition and course. A run goes on with the file that it finds.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import numpy as np

import roborally_env.play
from roborally_env import RoboRallyError
from roborally_env.core.rule_options import editions
from roborally_env.courses import Course, list_courses
from roborally_env.evaluation.tournament import evaluate

FILE = Path(roborally_env.play.__file__).parent / "course_lengths.json"
ROBOTS = 4
MOST_ROUNDS = 200


def rounds_on(course: Course, edition: str, races: int) -> float:
    """The mean number of rounds."""
    players = min(course.counts, key=lambda count: (abs(count - ROBOTS), count))
    result = evaluate(["greedy"], course, edition=edition, players=players, games=races, seed=1, max_rounds=MOST_ROUNDS)
    return round(float(np.mean([race.rounds for race in result.races])), 1)


def main(arguments: list[str] | None = None) -> int:
    """Measure the courses that are not in the file; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--races", type=int, default=60)
    parser.add_argument("--out", type=Path, default=FILE)
    options = parser.parse_args(arguments)
    found = json.loads(options.out.read_text(encoding="utf-8")) if options.out.is_file() else {}
    for edition in editions():
        known = found.setdefault(edition, {})
        for course in list_courses(edition):
            if course.slug not in known:
                known[course.slug] = rounds_on(course, edition, options.races)
                print(edition, course.slug, known[course.slug], flush=True)
                options.out.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
    except RoboRallyError as error:
        sys.exit(f"course lengths: {error}")
