"""The card of results as JSON values, and the files of a benchmark's folder."""

from __future__ import annotations

import csv
import json
from dataclasses import asdict
from io import StringIO

from roborally_env.base.types import JsonObject
from roborally_env.batch import RULES_VERSION
from roborally_env.evaluation.benchmark.page import card_page
from roborally_env.evaluation.benchmark.parts import Outcome
from roborally_env.evaluation.benchmark.protocol import NAME, TIME_CLASSES, time_class
from roborally_env.evaluation.benchmark.run import Measured
from roborally_env.evaluation.benchmark.scores import Score, score_of
from roborally_env.jobs.storage import Folder
from roborally_env.replay.writer import package_version
from roborally_env.speed import machine

CARD, PAGE, RACES, TRACEBACK = "card.json", "card.html", "races.csv", "traceback.txt"
EVERYTHING = "all"  # the score over all sets of courses
SHOWN = 5  # messages of errors in a card


def card_of(measured: Measured, *, command: str = "", asked_class: str = "") -> JsonObject:
    """The card of a benchmark. All but `run` depends on the agent, the package and the protocol alone.

    Args:
        measured: what was played.
        command: the command line that made it.
        asked_class: the time class that the agent is meant for; "" for none.
    """
    plan = measured.plan
    played = [(i, each) for i, each in enumerate(plan.protocol.opponents) if any(measured.races(i).values())]
    return {
        "protocol": NAME,
        "agent": plan.agent,
        "edition": plan.protocol.edition,
        "quick": plan.quick,
        "complete": measured.complete,
        "files": measured.files,
        "versions": {"package": package_version(), "rules": RULES_VERSION},
        "against": {each.name: _against(measured, number, each.spec) for number, each in played},
        "crashes": list(dict.fromkeys(measured.crashes))[:SHOWN],
        "run": _run(measured, command, asked_class),
    }


def _against(measured: Measured, opponent: int, spec: str) -> JsonObject:
    """Scores against three of one opponent."""
    races, protocol = measured.races(opponent), measured.plan.protocol
    sets = {EVERYTHING: protocol.courses, **{each.name: each.courses for each in protocol.sets}}
    scores = {name: score_of({course: races[course] for course in courses}) for name, courses in sets.items()}
    return {
        "opponent": spec,
        "scores": {name: _rounded(score) for name, score in scores.items() if score is not None},
        "courses": [
            {"course": course, "set": protocol.set_of(course), **_rounded(score)}
            for course in protocol.courses
            if (score := score_of({course: races[course]})) is not None
        ],
    }


def _rounded(score: Score) -> JsonObject:
    return {name: round(value, 6) if isinstance(value, float) else value for name, value in asdict(score).items()}


def _run(measured: Measured, command: str, asked_class: str) -> JsonObject:
    """What differs from run to run: the machine and the times."""
    times = measured.times
    found = time_class(times.median_ms / 1e3) if times else None
    run: JsonObject = {"command": command, "machine": machine(), "time_class": found}
    if asked_class:
        held = found is not None and TIME_CLASSES[found] <= TIME_CLASSES[asked_class]
        run |= {"class_asked": asked_class, "class_held": held}
    return run | {"times": {name: round(value, 4) for name, value in asdict(times).items()} if times else None}


def write_files(measured: Measured, card: JsonObject) -> None:
    """Write the card, its page and the table of races into the folder.

    Raises:
        RoboRallyError: if they cannot be written.
    """
    folder = Folder(measured.folder)
    with folder.only_writer():
        folder.put(CARD, json.dumps(card, indent=1) + "\n")
        folder.put(RACES, _table_of_races(measured))
        folder.put(PAGE, card_page(card, time_line(card)))
        if measured.traceback:
            folder.put(TRACEBACK, measured.traceback)
        folder.clear_partial()


COLUMNS = ("opponent", "course", "set", "seed", *Outcome._fields)


def _table_of_races(measured: Measured) -> str:
    """One line for each race, the same races in the same order for every agent."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    plan = measured.plan
    for number, opponent in enumerate(plan.protocol.opponents):
        for course, (slug, races) in enumerate(measured.races(number).items()):
            seed = plan.design(course).seed if races else 0
            head = (opponent.name, slug, plan.protocol.set_of(slug), seed)
            writer.writerows([*head, *map(int, race)] for race in races)  # True and False as 1 and 0
    return text.getvalue()


def percent(row: JsonObject) -> str:
    """A score with its interval, as text: `45.3% (43.4 - 47.1)`."""
    return f"{100 * row['score']:.1f}% ({100 * row['low']:.1f} - {100 * row['high']:.1f})"


def time_line(card: JsonObject) -> str:
    """The time class and the times, in a line."""
    run = card["run"]
    if not run["times"]:
        line = "no decision was measured"
    else:
        times = run["times"]
        more = f"mean {_ms(times['mean_ms'])}, 95% within {_ms(times['within_95_percent_ms'])}"
        line = f"time class {run['time_class']}: median {_ms(times['median_ms'])} a decision ({more})"
    if "class_asked" in run:
        line += f"; class {run['class_asked']} {'holds' if run['class_held'] else 'does not hold'}"
    return line


def _ms(value: float) -> str:
    return f"{value:.3g} ms"
