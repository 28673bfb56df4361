"""Editions that race on another edition's courses: 2023 and community on those of 2016."""

import dataclasses
from pathlib import Path

import pytest

from roborally_env.arguments import course_source
from roborally_env.base.errors import CourseError
from roborally_env.courses import check_course, check_file, course_names, list_courses, load_course, raced_by
from roborally_env.courses.reader import SHIPPED


def test_2023_races_on_all_courses_of_2016_and_no_others():
    assert course_names("2023") == course_names("2016")
    assert {course.edition for course in list_courses("2023")} == {"2023"}


def test_a_list_of_all_courses_names_each_once():
    own = ["hot_floor", "rain_yard", "summit_works", "terraces"]
    assert course_names() == course_names("2016") + course_names("2005") + own
    assert "2023" not in {course.edition for course in list_courses()}


def test_the_community_races_on_its_own_courses_and_those_of_2016():
    assert course_names("community")[4:] == course_names("2016")
    assert {course.edition for course in list_courses("community")} == {"community"}
    assert load_course("2016/dizzy_highway", edition="community") == load_course("community/dizzy_highway")


@pytest.mark.parametrize("name", course_names("2016"))
def test_by_community_rules_belts_carry_the_checkpoints_of_a_course_of_2016_which_can_be_finished(name):
    course = load_course(name, edition="community")
    as_it_was = dataclasses.replace(course, edition="2016", moving_checkpoints=load_course(name).moving_checkpoints)
    assert course.moving_checkpoints
    assert as_it_was == load_course(name)
    assert check_course(course) == []


def test_a_name_alone_stays_of_2016():
    assert load_course("dizzy_highway").edition == "2016"


def test_a_borrowed_course_is_the_same_but_for_the_edition():
    course = load_course("2023/dizzy_highway")
    assert course.edition == "2023"
    assert dataclasses.replace(course, edition="2016") == load_course("dizzy_highway")
    assert check_course(course) == []


@pytest.mark.parametrize("name", ["dizzy_highway", "2016/dizzy_highway", "2023/dizzy_highway", "Dizzy Highway"])
def test_every_name_of_it_works_where_the_edition_is_given(name):
    assert load_course(name, edition="2023") == load_course("2023/dizzy_highway")


def test_the_file_of_another_edition_is_raced_where_that_edition_lends_its_courses():
    path = Path(SHIPPED / "2016" / "dizzy_highway.toml")
    assert load_course(path, edition="2023") == load_course("2023/dizzy_highway")
    with pytest.raises(CourseError, match=r"dizzy_highway\.toml.*edition 2016.*2005"):
        load_course(path, edition="2005")


def test_a_course_file_may_be_of_2023_itself(tmp_path):
    text = (SHIPPED / "2016" / "dizzy_highway.toml").read_text(encoding="utf-8")
    path = tmp_path / "own.toml"
    path.write_text('edition = "2023"\n' + text.replace('edition = "2016"\n', ""), encoding="utf-8")
    course, problems = check_file(path)
    assert (course and course.edition, problems) == ("2023", [])
    with pytest.raises(CourseError, match=r"edition 2023.*2016"):
        load_course(path, edition="2016")


def test_a_course_of_an_edition_that_is_not_borrowed_is_refused():
    with pytest.raises(CourseError, match=r"checkmate.*edition 2005.*2023"):
        raced_by(load_course("checkmate"), "2023")


def test_a_list_of_courses_has_one_edition():
    with pytest.raises(CourseError, match=r"2023/twister.*'2016'"):
        course_source(["dizzy_highway", "2023/twister"])
