"""The maps that the generator hands on, and their short cuts."""

import dataclasses

import numpy as np
import pytest

from roborally_env.core.editions import game_dtype
from roborally_env.core.searching import distances
from roborally_env.core.searching.distances import CourseMaps, states_of_ramps, with_ramps, with_variants
from roborally_env.courses import load_course
from roborally_env.courses.tables import compile_tables, with_checkpoints
from roborally_env.generated import Generator

PARTS = ("tables", "solo", "distance", "starts", "to_go", "track", "next_place", "place_of")


def assert_equal(one: CourseMaps, other: CourseMaps) -> None:
    """The maps are the same to the byte."""
    for part in PARTS:
        np.testing.assert_array_equal(getattr(one, part), getattr(other, part), err_msg=part)
    assert len(one.variants) == len(other.variants)
    for mine, its in zip(one.variants, other.variants, strict=True):
        assert_equal(mine, its)


@pytest.mark.parametrize(
    ("text", "game"),
    [
        ("generated", "lighter"),
        ("generated", "complete"),
        ("generated:moving=true", "lighter"),
        ("generated:edition=2005", "2005"),
        ("generated:edition=2023", "2023"),
        ("generated:edition=community,heights=0.25", "community"),
    ],
)
def test_a_generator_s_maps_are_those_of_its_courses(text, game):
    """Much of them is known when a course is made, for one kind of record."""
    generator, dtype, variants = Generator(text), game_dtype(game), 0
    for number in range(4):
        maps = generator.maps(number, dtype)
        assert_equal(maps, with_variants(CourseMaps(compile_tables(generator.course(number)), dtype)))
        variants += len(maps.variants)
    assert (variants > 0) == (game == "community")


@pytest.mark.parametrize("name", ["undertow", "2005/moving_targets", "summit_works", "hot_floor"])
def test_tables_with_other_checkpoints(name):
    course = load_course(name)
    few = dataclasses.replace(course, checkpoints=((1, *course.checkpoints[-1][1:]),))
    none = dataclasses.replace(course, checkpoints=(), moving_checkpoints=False)
    for one, other in ((course, few), (few, course), (course, none), (none, course)):
        np.testing.assert_array_equal(with_checkpoints(compile_tables(one), other), compile_tables(other))


MOVES = [("dizzy_highway", "lighter"), ("undertow", "complete"), ("gear_stripper", "2023"), ("2005/checkmate", "2005")]
MOVES += [("2005/capture_the_flag", "2005"), ("2005/option_world", "2005"), ("hot_floor", "community")]
MOVES += [("summit_works", "community"), ("generated:edition=community,heights=0.25,number=2", "community")]


@pytest.mark.parametrize(("name", "game"), MOVES)
def test_a_register_is_a_card_and_then_the_machines(name, game, monkeypatch):
    """Solo moves are put together of both; here they are compared with registers played in one piece."""
    tables, options = compile_tables(load_course(name)), {"checkpoints": False, "switched": True}
    quick = CourseMaps(tables, game_dtype(game), **options)
    monkeypatch.setattr(distances, "in_two_parts", lambda tables, dtype: tables)
    slow = CourseMaps(tables, game_dtype(game), **options)
    np.testing.assert_array_equal(quick.solo, slow.solo)
    np.testing.assert_array_equal(quick.switched, slow.switched)


WITH_BUTTONS = ["summit_works", "terraces"]
WITH_BUTTONS += [f"generated:edition=community,difficulty=5,number={number}" for number in range(12)]


@pytest.mark.parametrize("name", WITH_BUTTONS)
def test_moves_with_other_ramps_on_are_those_of_a_course_of_its_own(name):
    """Only what robots do near these ramps is played again."""
    tables, dtype = compile_tables(load_course(name)), game_dtype("community")
    maps = CourseMaps(tables, dtype, checkpoints=False, switched=True)
    for on in states_of_ramps(tables[0])[1:]:
        other = with_ramps(tables, on)
        quick = CourseMaps(other, dtype, checkpoints=False, other_ramps=maps)
        slow = CourseMaps(other, dtype, checkpoints=False, switched=True)
        np.testing.assert_array_equal(quick.solo, slow.solo)
        np.testing.assert_array_equal(quick.switched, slow.switched)
        assert (quick.solo != maps.solo).any()


def test_cards_of_records_from_outside_are_not_taken_apart():
    """Their machines may ask which card was played."""
    tables = compile_tables(load_course("dizzy_highway"))
    known = game_dtype("lighter")
    other = np.dtype([(name.replace("lighter", "other"), *known.fields[name][:1]) for name in known.names])
    assert len(distances.in_two_parts(tables, known)) == 2
    assert len(distances.in_two_parts(tables, other)) == 1
