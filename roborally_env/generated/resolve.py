"""Every way to name a course: of the package, of a file, generated, and changed by `mutate`."""

from __future__ import annotations

import os

from roborally_env.base.checks import shown
from roborally_env.base.errors import CourseError
from roborally_env.courses.catalogue import CourseOrName, find_course, is_changed, is_generated, unchanged
from roborally_env.courses.model import Course


def load_course(name_or_path: str | os.PathLike[str], edition: str | None = None) -> Course:
    """The course of that name, or of that file.

    Names are like `dizzy_highway`, `2005/twister` or "Dizzy Highway". If several editions have a course of that name,
    the prefix or `edition` selects one (default: 2016). An edition that races on another edition's courses has those
    too, and the course is then of that edition. A text like `generated:difficulty=3,seed=7,number=5` is a
    generated course, number 0 if it names none. A name with `~SEED` after it is that course as `mutate` changes it, as
    `dizzy_highway~7`, or several times, `dizzy_highway~7~7`. A pathlib.Path, a text with the suffix .toml, and a text
    with a slash that does not begin with an edition are files; so is a text that names no course where there is such a
    file. Raises CourseError for an unknown name (with the nearest ones), an unknown edition, or the first mistake of
    the file as `file:line:column: what is wrong`.
    """
    if isinstance(name_or_path, str) and is_changed(name_or_path):
        return _changed(name_or_path, edition)
    if isinstance(name_or_path, str) and is_generated(name_or_path):
        from roborally_env.generated.generator import generator_for  # needs compiled code, as no other course does

        return generator_for(name_or_path, edition).course()
    return find_course(name_or_path, edition)


def one_course(given: CourseOrName) -> Course:
    """The course itself, or that of a name or a file as `load_course` reads it.

    Raises:
        CourseError: for anything else, and as `load_course`.
    """
    if isinstance(given, Course):
        return given
    if not isinstance(given, str | os.PathLike):
        raise CourseError(f"expected a Course, the name of a course or the path of a course file, got {shown(given)}")
    return load_course(given)


def _changed(name: str, edition: str | None) -> Course:
    """The course of a name with changes: that without them, changed by each of the seeds in turn."""
    from roborally_env.generated.mutation import changed_course

    name, seeds = unchanged(name)
    course = load_course(name, edition)
    for seed in seeds:
        course = changed_course(course, seed)
    return course
