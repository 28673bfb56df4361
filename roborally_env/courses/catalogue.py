"""The courses that come with the package, and those of files."""

import difflib
import os
import re
from pathlib import Path
from typing import TypeAlias

from roborally_env.base.checks import shown
from roborally_env.base.errors import CourseError, nearest
from roborally_env.base.files import without_links
from roborally_env.base.registry import cache_until_registered
from roborally_env.courses.conversion import may_race, raced_by
from roborally_env.courses.files import read_course
from roborally_env.courses.model import EDITIONS, FROM_MAP, Course
from roborally_env.courses.reader import SHIPPED, Problem, is_shipped, slugify
from roborally_env.courses.values import Bad, edition_name

CourseOrName: TypeAlias = Course | str | os.PathLike[str]  # a name or a file as `load_course` takes it

GENERATED = "generated"  # how the names of generated courses begin
_CHANGE = re.compile(r"~[0-9]{1,19}$")  # of a name: the seed of its last change


def course_names(edition: str | int | None = None) -> list[str]:
    """The sorted names of the shipped courses that an edition races on; without an edition all, sorted by edition.

    Raises CourseError for an unknown edition.
    """
    return [name for _, name in _shipped(edition)]


def list_courses(edition: str | int | None = None) -> list[Course]:
    """The shipped courses, in the order of `course_names`. Raises CourseError for an unknown edition."""
    return [shipped_course(each, name, str(edition or each)) for each, name in _shipped(edition)]


def find_course(name_or_path: str | os.PathLike[str], edition: str | None = None) -> Course:
    """The course of that name, or of that file: as `load_course`, but for generated and changed courses.

    Raises:
        CourseError: as `load_course`.
    """
    if isinstance(name_or_path, str) and not _looks_like_path(name_or_path):
        return _named(name_or_path, edition)
    if not isinstance(name_or_path, str | os.PathLike):
        raise CourseError(f"expected the name of a course or the path of a course file, got {shown(name_or_path)}")
    return _from_file(Path(name_or_path), edition)


def is_generated(name: object) -> bool:
    """Whether this is the name of a generated course, `generated` or `generated:..`, and not of a change of one."""
    return isinstance(name, str) and name.partition(":")[0] == GENERATED and not is_changed(name)


def is_changed(name: str) -> bool:
    """Whether a name is that of a course with changes by `mutate`, as `dizzy_highway~7`, and not that of a file."""
    return bool(_CHANGE.search(name)) and not _is_file_alone(name)


def unchanged(name: str) -> tuple[str, list[int]]:
    """A name without its changes, and their seeds in the order in which they were made."""
    seeds: list[int] = []
    while is_changed(name):
        name, _, seed = name.rpartition("~")
        seeds.insert(0, int(seed))
    return name, seeds


def name_of(course: Course) -> str:
    """The name from which `load_course` makes a course that it has made: the slug, with the edition before it where
    the slug alone is another edition's course, or the path of its file.

    A course that a program has put together keeps its slug, and so does one of a file that another edition than the
    file's races: `load_course` then needs that edition too.
    """
    base, seeds = unchanged(course.slug)
    if not seeds and _is_of_file(course):
        return _as_path(course.source)
    home = next((each for each, name in _shipped(None) if name == base), course.edition)
    return course.slug if home == course.edition else f"{course.edition}/{course.slug}"


def _is_of_file(course: Course) -> bool:
    """Whether a course without changes was read from a file that does not come with the package."""
    if course.source in ("", FROM_MAP) or course.slug.partition(":")[0] == GENERATED:
        return False
    return not is_shipped(Path(course.source))


def _as_path(path: str) -> str:
    """The path, written so that `load_course` does not take it for a name."""
    return path if _looks_like_path(path) else os.path.join(os.curdir, path)


def check_file(path: str | os.PathLike[str]) -> tuple[Course | None, list[Problem]]:
    """The course of a file, or None, and everything that is wrong with the file.

    Raises CourseError if the file cannot be read.
    """
    return read_course(Path(path))


def _check_edition(edition: str | None) -> None:
    if edition is not None:
        try:
            edition_name(edition)
        except Bad as bad:
            raise CourseError(bad.message) from None


def _shipped(edition: str | int | None) -> list[tuple[str, str]]:
    """(own edition, name) of the shipped courses that an edition races on; without an edition each course once."""
    edition = None if edition is None else str(edition)  # a year as a whole number is taken too
    _check_edition(edition)
    editions = tuple(EDITIONS) if edition is None else (edition, *EDITIONS[edition].borrows)
    return [(each, path.stem) for each in editions for path in sorted((SHIPPED / each).glob("*.toml"))]


def _looks_like_path(name: str) -> bool:
    if name.lower().endswith(".toml"):
        return True
    first, slash, _ = name.replace(os.sep, "/").partition("/")
    # "1994/twister" is a course name too, of an unknown edition
    return bool(slash) and first not in EDITIONS and not re.fullmatch("[0-9]{4}", first)


def _is_file_alone(name: str) -> bool:
    """Whether there is a file of that name, and no course."""
    return "\0" not in name and os.path.isfile(name) and slugify(name) not in {slug for _, slug in _shipped(None)}


def _named(name: str, edition: str | None) -> Course:
    if _is_file_alone(name):
        return _from_file(Path(name), edition)
    if "/" in name:
        prefix, _, name = name.partition("/")
        _check_edition(edition)
        _check_edition(prefix)
        if edition is not None and not may_race(prefix, edition):
            raise CourseError(f"course {prefix}/{name} is not of edition {edition!r}")
        return raced_by(_found(name, prefix), edition or prefix)
    return _found(name, edition)


def _found(name: str, edition: str | None) -> Course:
    slug = slugify(name)
    known = _shipped(edition)
    if name.rstrip().endswith("~"):
        raise CourseError(f"unknown course {name!r}; a changed course has a number after ~, such as dizzy_highway~7")
    for each, found in known:  # editions come in their order of preference, 2016 first
        if found == slug:
            return shipped_course(each, found, edition or each)
    elsewhere = [each for each, found in _shipped(None) if found == slug]
    if elsewhere:
        raise CourseError(f"course {slug} is of edition {elsewhere[0]}, not {edition}")
    of = f" of edition {edition}" if edition else ""
    names = list(dict.fromkeys(found for _, found in known))
    raise CourseError(f"unknown course {name!r}{of}{_near_names(slug, names, edition)}")


def _near_names(slug: str, names: list[str], edition: str | None) -> str:
    """A hint with near names, else with names that contain a near word."""
    words = {word: name for name in reversed(names) for word in name.split("_")}
    hint = nearest(slug, names)
    if not hint:
        near = difflib.get_close_matches(slug, words, n=1, cutoff=0.6)
        hint = f" (did you mean {words[near[0]]}?)" if near else ""
    of = f" --edition {edition}" if edition else ""
    return hint or f"; `roborally courses{of}` lists them, and the path of a file ends in .toml"


@cache_until_registered(512)
def shipped_course(home: str, name: str, edition: str) -> Course:
    """A course of the edition `home`, as `edition` races it."""
    if home != edition:
        return raced_by(shipped_course(home, name, home), edition)
    # A test checks that each shipped course can be finished, so loading does not check it again.
    return _first_problem_or_course(SHIPPED / home / f"{name}.toml", reachability=False)


def _from_file(path: Path, edition: str | None) -> Course:
    _check_edition(edition)
    course = _first_problem_or_course(path, reachability=not is_shipped(without_links(path)))
    if edition is None:
        return course
    if not may_race(course.edition, edition):
        raise CourseError(f"{path}: the course is of edition {course.edition}, not {edition}")
    return raced_by(course, edition)


def _first_problem_or_course(path: Path, reachability: bool) -> Course:
    course, problems = read_course(path, reachability)
    if course is None:
        more = f" (and {len(problems) - 1} more; `roborally check` lists all)" if len(problems) > 1 else ""
        raise CourseError(f"{problems[0]}{more}")
    return course
