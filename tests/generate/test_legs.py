"""Legs that distances call short and that yet take long, and the distances to many checkpoints at once."""

import dataclasses
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from roborally_env.core.searching.distances import FAR, STATES, CourseMaps, registers_that_differ
from roborally_env.courses import load_course
from roborally_env.courses.similarity import whole_turned
from roborally_env.generated import Generator, attempts, placement
from roborally_env.generated.attempt import HITS, LATE_SHARE
from roborally_env.generated.proof import maps_for, robots_alone


def test_a_checkpoint_in_a_corner_is_hard():
    """Belts carry robots past checkpoint 4, which lies in a corner: four `greedy` went around it for up to forty
    rounds."""
    course = load_course(Path(__file__).parent / "hard_leg.toml")
    assert robots_alone(course, maps_for(course), 0.2)[0][-1] > LATE_SHARE
    checkpoints = ((4, 6, 8) if number == 4 else (number, x, y) for number, x, y in course.checkpoints)
    moved = dataclasses.replace(course, checkpoints=tuple(checkpoints))
    assert max(robots_alone(moved, maps_for(moved), 0.2)[0]) <= LATE_SHARE


def test_beams_on_the_way_are_counted():
    """Checkpoint 3 lies in two beams, in a corner that belts lead robots away from: an eighth of the races of four
    `greedy` ended without a winner, because none had a life left."""
    course = load_course(Path(__file__).parent / "many_hits.toml")
    assert robots_alone(course, maps_for(course), 0.2)[1] > 1.5 * HITS
    unlit = dataclasses.replace(course, elements=tuple(e for e in course.elements if e.kind != "laser"))
    assert robots_alone(unlit, maps_for(unlit), 0.2)[1] == 0.0


def test_a_hard_leg_is_not_chosen_again_on_the_same_ground(monkeypatch):
    """In 2005 other checkpoints are tried there, none with that leg."""
    choose, chosen = placement.choose, []

    def noted(*arguments):
        order = choose(*arguments)
        chosen.append((set(arguments[5]), order))
        return order

    monkeypatch.setattr(placement, "choose", noted)
    for number in range(20):
        attempts("generated:edition=2005,difficulty=5", number)
    again = [(hard, order) for hard, order in chosen if hard and order]
    assert len(again) > 2
    for hard, order in again:
        assert not hard & set(pairwise([placement.START, *order]))


def plainly(maps: CourseMaps, i: int) -> np.ndarray:
    """The distances [places, STATES] to checkpoint i + 1 by value iteration, without a thought of speed."""
    length, loop = maps.follow(i)
    registers = registers_that_differ(maps.tables)
    work = np.full((registers, length, STATES), FAR)
    while True:
        before = work.copy()
        for k in range(registers - 1, -1, -1):
            moves = maps.solo[k][maps.states].astype(np.int64)
            ends, costs = np.where(moves < 0, ~moves, moves), maps.costs + maps.fall * (moves < 0)
            for place in range(length - 1, -1, -1):
                then = place + 1 if place + 1 < length else loop
                arrived = ends >> 2 == maps.track[i, then]
                further = work[(k + 1) % registers, then][ends]
                work[k, place, maps.states] = np.minimum(FAR, (costs + np.where(arrived, 0, further)).min(axis=1))
        if (work == before).all():
            return work[0]


COURSES = ["gear_stripper", "dodge_this", "2005/checkmate", "2005/option_world", "summit_works", "terraces"]
COURSES += [f"generated:edition={edition},number=3" for edition in ("2016", "2005", "community")]
RIDING = ["generated:moving=true,number=4", "generated:edition=community,difficulty=4,number=2"]


@pytest.mark.parametrize("name", [*COURSES, *RIDING])
@pytest.mark.parametrize("still", [False, True])
def test_distances_are_those_of_plain_value_iteration(name, still):
    """`lanes`, and `tracks` where checkpoints ride on belts, are beside it only faster."""
    maps = maps_for(load_course(name), still=still)
    assert still or name not in RIDING or max(maps.follow(i)[0] for i in range(len(maps.blocks))) > 1
    for i, block in zip(np.flatnonzero(maps.starts >= 0), maps.blocks, strict=True):
        np.testing.assert_array_equal(plainly(maps, i).ravel(), block)


@pytest.mark.parametrize("edition", ["2016", "2005", "community"])
def test_no_two_courses_of_the_lowest_band_are_alike(edition):
    """With few printed boards and one checkpoint, courses are most likely to be drawn twice."""
    generator = Generator(edition=edition, way="arranged", difficulty=1)
    courses = [generator.course(number) for number in range(60)]
    marks = set()
    for course in courses:
        turns = (whole_turned(course, quarters) for quarters in range(4))
        marks.add(min(repr((t.elements, t.docks, t.checkpoints, t.reboots, t.antenna)) for t in turns))
    assert len(marks) == len(courses)
