"""The maps that the generator hands on, and their short cuts."""

import dataclasses
import zipfile
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from roborally_env.core.editions import KINDS, game_dtype
from roborally_env.core.kernel import JIT
from roborally_env.core.searching import distances, shipped_maps
from roborally_env.core.searching.distances import (
    CourseMaps,
    course_maps,
    made_before,
    maps_of,
    states_of_ramps,
    with_ramps,
    with_variants,
)
from roborally_env.core.searching.slots import MapSlots
from roborally_env.core.state import kind_of
from roborally_env.courses import list_courses, load_course
from roborally_env.courses.tables import MOST_RAMP_STATES, compile_tables, tables_of, with_checkpoints
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


def test_a_course_that_is_taken_again_has_the_same_maps():
    """Its ramps have as many other states each time, so any number of batches can race on it."""
    generator, dtype = Generator("generated:edition=community,difficulty=1"), game_dtype("community")
    first = generator.maps(number := 4204499714, dtype)
    count = len(first.variants)
    assert count > 2
    for _ in range(MOST_RAMP_STATES):
        assert_equal(generator.maps(number, dtype), first)
    assert len(first.variants) == count


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


def shipped(game: str) -> Iterator[tuple[str, NDArray[Any]]]:
    """The name and tables of each course that the package ships for a game, and of each with other ramps on."""
    for course in list_courses(kind_of(game).edition):
        tables = tables_of(course)
        yield course.title, tables
        on = states_of_ramps(tables[0])
        for ramps in on[1:] if len(on) <= MOST_RAMP_STATES else []:
            yield f"{course.title} with ramps {ramps}", with_ramps(tables, ramps)


@pytest.mark.skipif(not JIT, reason="without numba other code makes the maps")
@pytest.mark.parametrize("game", KINDS)
def test_shipped_courses_have_their_maps_made_before(game):
    """So a first race does not compile what makes maps."""
    dtype = game_dtype(game)
    for name, tables in shipped(game):
        made = made_before(tables, dtype)
        assert made is not None, f"{name}: run python scripts/course_maps.py"
        assert_equal(CourseMaps(tables, dtype, made=made), CourseMaps(tables, dtype))


@pytest.mark.skipif(not JIT, reason="without numba other code makes the maps")
def test_maps_that_other_code_made_are_not_taken(monkeypatch):
    tables, dtype = tables_of(load_course("dizzy_highway")), game_dtype("lighter")
    assert made_before(tables, dtype) is not None
    monkeypatch.setattr(distances, "code_of_maps", lambda dtype: "0" * 32)
    assert made_before(tables, dtype) is None


def test_a_course_that_is_not_shipped_has_none():
    tables = tables_of(load_course("dizzy_highway")).copy()
    tables["walls"][0, 100] ^= 1
    assert made_before(tables, game_dtype("lighter")) is None


@pytest.mark.parametrize(
    "damage", ["no index", "index of another format", "no arrays", "half of the arrays", "zeros in the arrays"]
)
def test_without_the_files_maps_are_made_as_for_any_course(damage, tmp_path, monkeypatch):
    for name in (shipped_maps.INDEX, shipped_maps.ARRAYS):
        (tmp_path / name).write_bytes((shipped_maps.SHIPPED / name).read_bytes())
    index, arrays = tmp_path / shipped_maps.INDEX, tmp_path / shipped_maps.ARRAYS
    if damage == "no index":
        index.unlink()
    elif damage == "index of another format":
        index.write_text(index.read_text().replace('"format": 1', '"format": 99'))
    elif damage == "no arrays":
        arrays.unlink()
    elif damage == "half of the arrays":
        arrays.write_bytes(arrays.read_bytes()[: arrays.stat().st_size // 2])
    else:
        content = bytearray(arrays.read_bytes())
        with zipfile.ZipFile(arrays) as archive:
            for entry in archive.infolist():  # its data begins after a header of less than 200 bytes
                content[entry.header_offset + 200 : entry.header_offset + entry.compress_size] = bytes(
                    max(0, entry.compress_size - 200)
                )
        arrays.write_bytes(content)
    monkeypatch.setattr(shipped_maps, "SHIPPED", tmp_path)
    shipped_maps.forget()
    try:
        tables, dtype = tables_of(load_course("dizzy_highway")), game_dtype("lighter")
        assert made_before(tables, dtype) is None
        assert_equal(course_maps.__wrapped__(load_course("dizzy_highway"), "lighter"), CourseMaps(tables, dtype))
    finally:
        shipped_maps.forget()


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


@pytest.mark.parametrize(
    ("name", "game", "tables"),
    [("dizzy_highway", "lighter", 1), ("pilgrimage", "lighter", 2), ("2005/capture_the_flag", "2005", 2)],
)
def test_registers_in_which_the_same_acts_share_a_table(name, game, tables):
    course = load_course(name)
    part = course_maps(course, game)
    slots = MapSlots(course.edition, 3)
    slots.put(0, course_maps(load_course(f"{course.edition}/death_trap"), game))
    slots.put(2, part)
    for maps, k in ((maps_of((course,), game), 0), (slots.maps, 2), (slots.copy().maps, 2)):
        at = maps.courses["solo_at"][k]
        assert len(set(at.tolist())) == tables
        for register in range(5):
            moves = maps.solo[at[register]]
            np.testing.assert_array_equal(moves[part.states], part.solo[register, part.states])
