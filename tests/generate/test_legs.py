"""Legs that distances call short and that yet take long, and the distances to many checkpoints at once."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from roborally_env.core.searching.distances import REGISTERS, STATES, fill_distance
from roborally_env.courses import load_course
from roborally_env.courses.alike import whole_turned
from roborally_env.courses.generate import Generator
from roborally_env.courses.generate.proof import has_hard_leg, maps_for


def test_a_checkpoint_in_a_corner_is_hard():
    """Belts carry robots past checkpoint 4, which lies in a corner: four `greedy` went around it for up to forty
    rounds."""
    course = load_course(Path(__file__).parent / "hard_leg.toml")
    assert has_hard_leg(course, maps_for(course), 0.2)
    checkpoints = ((4, 6, 8) if number == 4 else (number, x, y) for number, x, y in course.checkpoints)
    moved = dataclasses.replace(course, checkpoints=tuple(checkpoints))
    assert not has_hard_leg(moved, maps_for(moved), 0.2)


COURSES = ["gear_stripper", "dodge_this", "2005/checkmate", "2005/option_world", "summit_works", "terraces"]
COURSES += [f"generated:edition={edition},number=3" for edition in ("2016", "2005", "community")]


@pytest.mark.parametrize("name", COURSES)
@pytest.mark.parametrize("still", [False, True])
def test_distances_to_several_checkpoints_are_those_to_each(name, still):
    """`lanes` beside plain value iteration, one checkpoint after the other."""
    maps = maps_for(load_course(name), still=still)
    seen = 0
    for i, block in zip(np.flatnonzero(maps.starts >= 0), maps.blocks, strict=True):
        length, loop = maps.follow(i)
        if length == 1:
            work, alone = np.empty((REGISTERS, 1, STATES), np.uint16), np.empty((1, STATES), np.uint16)
            fill_distance(maps.tables, maps.solo, maps.costs, maps.fall, maps.track[i], 1, loop, work, alone)
            np.testing.assert_array_equal(alone.ravel(), block)
            seen += 1
    assert seen or not still


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
