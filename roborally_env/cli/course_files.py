"""The files of `roborally generate`: courses with their grades, from which the same command resumes."""

from __future__ import annotations

import hashlib
import json
import os
import re
import textwrap
from dataclasses import dataclass, fields, replace
from pathlib import Path

from roborally_env.base.documents import parse_json
from roborally_env.base.errors import RoboRallyError
from roborally_env.base.files import make_folder, write_whole
from roborally_env.base.types import Json
from roborally_env.cli.grades import Row, grade, numbers_of
from roborally_env.courses import Course
from roborally_env.courses.files import read_course
from roborally_env.courses.reader import read_text
from roborally_env.evaluation.grades import Grade
from roborally_env.generated import Generator, Specification
from roborally_env.generated.by_name import write_course
from roborally_env.generated.resolve import load_course
from roborally_env.render.export import save_pictures
from roborally_env.render.png import needed
from roborally_env.replay.writer import course_digest

_GRADED = re.compile(r"^# graded: (.*(?:\n#   .*)*)", re.MULTILINE)  # the comment that is read again


@dataclass(frozen=True)
class Files:
    """Where courses are written: into the folder `out`, or alone into a file of this name, ending in .toml.

    endings: of the pictures beside each file. force: whether files that are there are written over.
    """

    out: Path
    endings: tuple[str, ...] = ()
    force: bool = False

    @property
    def single(self) -> bool:
        """Whether `out` is the file of one course."""
        return self.out.name.lower().endswith(".toml")

    def path_of(self, spec: Specification) -> Path:
        """The file of the one course of a specification: in a folder it is named by its number and a digest of the
        specification, which no other one has."""
        if self.single:
            return self.out
        return self.out / f"course_{spec.number or 0}_{hashlib.sha256(str(spec).encode()).hexdigest()[:12]}.toml"

    def row(self, spec: Specification) -> Row | str:
        """The one course of a specification: as an earlier call has written it into the folder, else made, graded and
        written. Or why a file in its place stays as it is: it is another one, or cannot be read.

        Raises:
            RoboRallyError: where nothing can be written.
        """
        path = self.path_of(spec)
        wanted = [path.with_suffix(ending) for ending in self.endings]
        try:
            _check_no_folder([path, *wanted])
            row = None if self.force else self._before(path, wanted, spec)
        except RoboRallyError as error:
            return str(error)
        if row is None:
            return _write(path, spec, [*wanted, *self.drawn_anew(spec)])
        _draw(row.course, [picture for picture in wanted if row.edited or not picture.exists()])
        return row

    def _before(self, path: Path, wanted: list[Path], spec: Specification) -> Row | None:
        """What an earlier call has written, if it has; an error where something else would be written over."""
        row = None if self.single else _kept(path, spec)
        # in a folder, a file that is there and not kept was cut off: it is made again, and what was drawn of it
        if row is None and (self.single or not os.path.lexists(path)):
            for file in [path, *wanted]:
                if os.path.lexists(file):
                    raise _is_there(file)
        return row

    def drawn_anew(self, spec: Specification) -> list[Path]:
        """The pictures beside a file that is written over, for which nobody has asked: they would show another
        course."""
        path = self.path_of(spec)
        others = [path.with_suffix(ending) for ending in (".svg", ".png") if ending not in self.endings]
        return [picture for picture in others if self.force and picture.is_file()]


def _check_no_folder(files: list[Path]) -> None:
    """Raise an error where a folder has the name of a file that would be written, before any of them is."""
    for file in files:
        if os.path.isdir(file):
            raise RoboRallyError(f"{file} is a folder; expected a file's name: choose another --out or move the folder")


def _is_there(file: Path) -> RoboRallyError:
    return RoboRallyError(f"{file} is there already; --force writes over it")


def _stays(error: RoboRallyError, what: str) -> RoboRallyError:
    """The error of a file that an earlier call has not left so: what is wrong with it, and what to do."""
    return RoboRallyError(
        f"{error}; the file {what} and stays as it is: mend or delete it; --force would write over all edited files"
    )


def _write(path: Path, spec: Specification, pictures: list[Path]) -> Row:
    """Make, grade and write a course, with pictures."""
    if any(picture.suffix == ".png" for picture in pictures):
        with needed("resvg_py", "PNG"):  # before anything is written
            import resvg_py  # noqa: F401
    make_folder(path.parent)
    course = Generator(spec).course()
    found = grade(course)
    write_whole(path, write_course(course, _comments(course, found)))
    _draw(course, pictures)
    return Row(course, found, str(path))


def _draw(course: Course, pictures: list[Path]) -> None:
    by_ending = {picture.suffix: picture for picture in pictures}
    save_pictures(course, svg=by_ending.get(".svg"), png=by_ending.get(".png"))


def _comments(course: Course, found: Grade) -> list[str]:
    """The grade as lines of a file's comments: in words, and as it is read again, with a digest of what was graded."""
    again = json.dumps({"digest": course_digest(course), **numbers_of(found)})
    return [
        line
        for text in (f"grade: {found}", f"graded: {again}")
        for line in textwrap.wrap(text, 110, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
    ]


def _kept(path: Path, spec: Specification) -> Row | None:
    """The course of a file as it is now; None where there is none, or only the beginning of one.

    Raises:
        RoboRallyError: for another file, and one that cannot be read.
    """
    if not os.path.lexists(path):
        return None
    text, mine = _text_of(path), f"# source: {spec}\n"
    graded = _graded(text) if mine in text else None
    course, _ = read_course(path, reachability=False)
    if course is not None and graded is not None and course_digest(course) == graded[0]:
        return Row(replace(course, slug=str(spec), source=str(spec)), graded[1], str(path))
    made = Generator(spec).course()
    if _is_beginning(text, made):
        return None
    if course is not None and mine not in text:
        raise _is_there(path)
    return _read_again(path, made)


def _text_of(path: Path) -> str:
    try:
        return read_text(path)
    except RoboRallyError as error:
        raise _stays(error, "cannot be read") from None


def _read_again(path: Path, made: Course) -> Row:
    """The course of a file that was edited, or that says nothing of its grade."""
    try:
        course = load_course(path)
    except RoboRallyError as error:
        raise _stays(error, "cannot be read") from None
    try:
        found = grade(course)
    except RoboRallyError as error:
        raise _stays(RoboRallyError(f"{path}: {error}"), "cannot be graded") from None
    edited = course_digest(course) != course_digest(made)
    return Row(course if edited else replace(course, slug=made.slug), found, str(path), edited)


def _is_beginning(text: str, course: Course) -> bool:
    """Whether a text is that of the course's file up to some place, where a process was killed that wrote it."""
    whole = write_course(course)  # from the source on: the comments of its grade go before
    first, newline, _ = whole.partition("\n")
    _, mine, rest = text.partition(first + newline)
    if not mine:
        return all(not line or line.startswith("#") for line in text.splitlines())
    return whole.startswith(mine + rest) and whole != mine + rest


def _graded(text: str) -> tuple[str, Grade] | None:
    """The digest of the course that was graded and its grade, from the comments of a file; None where they are not
    there."""
    found = _GRADED.search(text)
    try:
        values: Json = parse_json(found[1].replace("\n#   ", " ")) if found else None
    except RoboRallyError:
        return None
    if not isinstance(values, dict) or set(values) != {"digest", *(field.name for field in fields(Grade))}:
        return None
    numbers = [value for name, value in values.items() if name not in ("digest", "problem")]
    if not all(isinstance(value, int | float) for value in numbers):
        return None
    return values.pop("digest"), Grade(**values)
