"""Playing an iteration: some steps at every table, and what came of each decision."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch

from roborally_env.training.selfplay.advantages import advantages
from roborally_env.training.selfplay.curriculum import learned_from, values_of
from roborally_env.training.selfplay.gameplay import Moment, Player
from roborally_env.training.selfplay.options import NO_CURRICULUM
from roborally_env.training.selfplay.tables import Table

Played = list[tuple[Moment, dict[str, np.ndarray]]]
Values = tuple[np.ndarray, np.ndarray]  # (sums, counts) by course: what a curriculum scores the courses of a table by


class Stopped(Exception):
    """A rollout ended before its time, because nobody wants it any more."""


def rollout(
    player: Player,
    tables: list[Table],
    generator: torch.Generator,
    rng: np.random.Generator,
    imitate: bool,
    stopped: Callable[[], bool] = lambda: False,
) -> tuple[Played, list[Values]]:
    """`steps` steps at every table, the teacher in all seats with `imitate`. What is learned from, and with a
    curriculum the values of each table.

    Raises:
        Stopped: when `stopped` returns True, which is called before every step.
    """
    options = player.options
    player.teach(imitate)
    played: Played = []
    values: list[Values] = []
    for table in tables:
        if imitate:
            table.line_ups[:] = 0
        moments = []
        for _ in range(options.steps):
            if stopped():
                raise Stopped
            moments.append(player.step(table, generator, rng))
        found = list(advantages(options, moments, player.last_values(table, generator)))
        if options.curriculum != NO_CURRICULUM and not imitate:
            values.append(values_of(options, found, len(table.learns)))
        played += found if table.learns.all() else [learned_from(*each, table.learns) for each in found]
    return played, values
