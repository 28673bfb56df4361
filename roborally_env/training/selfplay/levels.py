"""Metrics of the courses that a run plays: columns of progress.csv, and levels.csv with all courses of a curriculum."""

from __future__ import annotations

from collections.abc import Container, Sequence
from statistics import fmean

from roborally_env.base.errors import RoboRallyError
from roborally_env.batch import BatchRace
from roborally_env.core.searching.distances import course_maps
from roborally_env.courses import Course
from roborally_env.evaluation.grades import estimate, plain
from roborally_env.generated.level_replay import LevelReplay
from roborally_env.training.folder import Folder

LEVELS = "levels.csv"
# what a curriculum knows, shares of what is played, and what that is like; without a curriculum only its rounds
COLUMNS = (
    "levels/known", "levels/draws", "levels/score_mean", "levels/score_max", "levels/new", "levels/edited",
    "levels/replayed", "levels/changes", "levels/rounds",
)  # fmt: skip
TABLE = ("level", "score", "times", "last_draw", "rounds", "changes")


def estimated_rounds(batch: BatchRace) -> list[float | None]:
    """The rounds of a race of four `greedy` on each course of a batch, estimated by distances; None where there is no
    estimate, as on courses where robots go for something else than checkpoints."""
    return [_estimated(course, batch.game) for course in batch.courses]


def _estimated(course: Course, game: str) -> float | None:
    try:
        return estimate(plain(course), course_maps(course, game)).rounds
    except RoboRallyError:
        return None


def level_metrics(
    replay: LevelReplay | None, names: Sequence[str], new: Container[str], rounds: Sequence[float | None]
) -> dict[str, float]:
    """`COLUMNS` of an iteration that was played on these courses.

    Args:
        replay: the curriculum, which gets to know the rounds.
        names: of the courses, one for each.
        new: those that had never come before.
        rounds: of each, as `estimated_rounds` returns them.
    """
    known = [number for number in rounds if number is not None]
    metrics = {"rounds": fmean(known)} if known else {}
    if replay is not None:
        for name, number in zip(names, rounds, strict=True):
            replay.note_rounds(name, number)
        changes = [replay.mixture.changes(name) for name in names]
        first = [name in new for name in names]
        metrics |= replay.summary() | {"changes": fmean(changes), "replayed": 1.0 - fmean(first)}
        metrics["edited"] = fmean(each and count > 0 for each, count in zip(first, changes, strict=True))
        metrics["new"] = fmean(first) - metrics["edited"]
    return {f"levels/{name}": number for name, number in metrics.items()}


def write_levels(folder: Folder, replay: LevelReplay) -> None:
    """Write levels.csv: a row for each course that the curriculum knows, those with the highest scores first."""
    folder.write(LEVELS, TABLE, replay.table())


def highest(replay: LevelReplay) -> str:
    """A line on the course with the highest score."""
    rows = replay.table()
    best = rows[0] if rows and rows[0]["score"] is not None else None
    score = f"; the highest score, {best['score']:.3g}, has {best['level']}" if best else ""
    return f"{LEVELS} has {len(rows)} courses{score}"
