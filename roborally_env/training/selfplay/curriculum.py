"""What a curriculum scores courses by, and leaving out what is not learned from."""

from __future__ import annotations

import dataclasses

import numpy as np

from roborally_env.base.types import Json
from roborally_env.generated.level_replay import REGRETS
from roborally_env.training.selfplay.gameplay import Moment
from roborally_env.training.selfplay.options import Options


def regrets(moment: Moment, targets: np.ndarray, expert: bool) -> tuple[np.ndarray, np.ndarray]:
    """(games, values) of the programs of a moment: what the policy gave away.

    With labels of the expert: how far the best candidate's chance to win is above that of the submitted program.
    Without: by how much the chance to win was underestimated, the positive value loss. `targets` are its `advantages`.
    """
    drawn = moment.programs
    assert drawn is not None
    if not expert:
        return moment.games, np.maximum(targets[2] - drawn.win, 0.0)
    rows = np.flatnonzero((drawn.expert[:, 0] >= 0) & (drawn.choice >= 0))
    chances = drawn.expert[rows]
    return moment.games[rows], chances.max(1) - chances[np.arange(len(rows)), drawn.choice[rows]]


def values_of(
    options: Options, played: list[tuple[Moment, dict[str, np.ndarray]]], courses: int
) -> tuple[np.ndarray, np.ndarray]:
    """(sums, counts) [courses] of what the curriculum scores the courses of a table by."""
    sums, counts = np.zeros(courses), np.zeros(courses)
    for moment, found in played:
        if options.curriculum in REGRETS:
            if "program" not in found:
                continue
            games, values = regrets(moment, found["program"], options.expert > 0)
        else:
            games = np.flatnonzero(~np.isnan(moment.ahead))
            values = moment.ahead[games]
        sums += np.bincount(moment.courses[games], values, courses)
        counts += np.bincount(moment.courses[games], minlength=courses)
    return sums, counts


def learned_from(
    moment: Moment, found: dict[str, np.ndarray], learns: np.ndarray
) -> tuple[Moment, dict[str, np.ndarray]]:
    """A moment and its advantages without the decisions on courses that are not learned from; `learns` [courses]."""
    kept = {}
    parts: Json = (("program", moment.games, moment.programs), ("purchase", moment.buyers, moment.purchases))
    for name, games, data in parts:
        rows = np.flatnonzero(learns[moment.courses[games]])
        if name in found and len(rows):
            some = {each.name: getattr(data, each.name)[rows] for each in dataclasses.fields(data)}
            moment = dataclasses.replace(moment, **{name + "s": dataclasses.replace(data, **some)})
            kept[name] = found[name][:, rows]
    return moment, kept
