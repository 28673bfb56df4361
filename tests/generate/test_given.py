"""Functions of courses take a Course, a name or a file; anything else raises a one-line error."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from roborally_env.base.errors import CourseError
from roborally_env.courses import check_course, course_as_dict, distance, load_course, write_course
from roborally_env.evaluation.grades import estimate, grade
from roborally_env.generated import mutate, proof_of

FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "check_course": check_course,
    "course_as_dict": course_as_dict,
    "write_course": write_course,
    "distance": lambda course: (distance(course, "twister"), distance("twister", course)),
    "mutate": lambda course: mutate(course, 3).elements,
    "proof_of": lambda course: proof_of(course).problem,
    "estimate": estimate,
    "grade": lambda course: grade(course, races=2),
}
RACING = ("proof_of", "estimate", "grade")
every = pytest.mark.parametrize("name", FUNCTIONS)


@every
def test_a_course_may_be_given_by_name(name: str, tmp_path: Path) -> None:
    function = FUNCTIONS[name]
    assert function("risky_crossing") == function("Risky Crossing") == function(load_course("risky_crossing"))
    path = tmp_path / "my.toml"
    path.write_text(write_course("risky_crossing"), encoding="utf-8")
    assert function(path) == function(str(path)) == function(load_course(path))


@every
@pytest.mark.parametrize("wrong", [3, None, b"twister", ["twister"]])
def test_values_that_are_not_courses_raise_a_one_line_error(name: str, wrong: Any) -> None:
    message = f"expected a Course, the name of a course or the path of a course file, got {wrong!r}"
    with pytest.raises(CourseError, match=rf"^{re.escape(message)}$"):
        FUNCTIONS[name](wrong)


@every
def test_an_unknown_name_is_told_with_the_nearest(name: str) -> None:
    with pytest.raises(CourseError, match=r"'risky_crosing'.*risky_crossing"):
        FUNCTIONS[name]("risky_crosing")


@pytest.mark.parametrize("name", RACING)
@pytest.mark.parametrize(
    ("course", "message"),
    [
        ("2005/war_zone", "course war_zone has no flags; expected one on which robots race to them"),
        ("2005/capture_the_flag", "course capture_the_flag has no start spaces; expected one on which robots start"),
    ],
)
def test_a_course_without_a_race_to_checkpoints_is_refused(name: str, course: str, message: str) -> None:
    with pytest.raises(CourseError, match=rf"^{message}"):
        FUNCTIONS[name](course)
