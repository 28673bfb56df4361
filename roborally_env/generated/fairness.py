"""How equally good the start spaces of a course are, measured without races."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

import numpy as np
from numpy.typing import NDArray

from roborally_env.core.searching.arrival import fill_arrived
from roborally_env.core.searching.distances import STATES, CourseMaps
from roborally_env.courses.model import Course
from roborally_env.courses.tables import WIDTH
from roborally_env.generated.proof import cards_of_actions

ROBOTS = 4
CHOICE = 4  # cards for a register: with this number the chances are most like those of four `greedy`
UNDERWAY = 0.3  # share of robots on the way when hardly a race of four is still open
LONGEST = 200  # registers


def best_share(course: Course, maps: CourseMaps, order: Sequence[int]) -> float:
    """How often a robot on the best start space wins a race of four on random ones, as a multiple of its share: 1 if
    all are equally good.

    Each robot goes alone, with cards drawn at random from which it takes the best for each register; so others, who
    push and shoot, are left out.

    Args:
        course: with checkpoints that lie still.
        maps: of the course, with distances.
        order: numbers, from 0, of those of its checkpoints that are raced to, first one first.
    """
    docks = np.array([(y * WIDTH + x) * 4 + course.start_facing for _, x, y in course.docks])
    goals = np.array([course.checkpoints[i][2] * WIDTH + course.checkpoints[i][1] for i in order])
    distances = np.stack([maps.blocks[i][:STATES] for i in order])
    arrived = np.empty((len(docks), LONGEST))
    moves = (maps.costs, maps.fall, cards_of_actions(maps), CHOICE, maps.states)
    length = fill_arrived(maps.solo, maps.registers, distances, goals, *moves, docks, UNDERWAY, arrived)
    others = min(ROBOTS, len(docks)) - 1
    return float(chances(arrived[:, :length], others).max()) * (others + 1)


def chances(arrived: NDArray[np.float64], others: int) -> NDArray[np.float64]:
    """[n]: how often a robot on each start space is home before `others` that have drawn theirs among the other ones.

    `arrived` [n, moments]: the share of robots from each that are home at each moment.
    """
    behind = 1 - arrived.cumsum(axis=1) + arrived / 2  # of two that are home at once either is the first
    found = np.empty(len(arrived))
    for i in range(len(arrived)):
        # sums of the products over all sets of 0, 1, .. others
        sums = np.zeros((others + 1, arrived.shape[1]))
        sums[0] = 1
        for row in np.delete(behind, i, axis=0):
            sums[1:] += sums[:-1] * row
        found[i] = (arrived[i] * sums[others]).sum() / comb(len(arrived) - 1, others)
    return found
