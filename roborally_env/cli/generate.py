"""`roborally generate`: new courses from a specification, as files with their grades."""

from __future__ import annotations

import hashlib
import os
import re
import sys
import textwrap
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from roborally_env.arguments import check_whole
from roborally_env.cli.courses import headline
from roborally_env.cli.grades import Row, grade, show
from roborally_env.cli.races import progress_bar
from roborally_env.cli.tables import note_width
from roborally_env.courses import Course, write_course
from roborally_env.courses.generate import Generator, Specification
from roborally_env.courses.generate.fields import Field, specification_fields
from roborally_env.courses.reading import read_text, slugify
from roborally_env.errors import RoboRallyError
from roborally_env.grading import Grade
from roborally_env.render.ansi import draw as draw_course
from roborally_env.render.saving import save_pictures

MOST = 100_000  # courses of one command
_WORDS = {int: "N", float: "SHARE", str: "NAME"}


def _specification_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """An option for each field of a specification; fields with a common meaning refer to the first of them."""
    fields = specification_fields()
    first = {field.meaning: field for field in reversed(fields)}
    for field in reversed(fields):
        alone = first[field.meaning] == field
        command = _option(field, _help(field) if alone else f"See --{first[field.meaning].name}.")(command)
    return command


def _help(field: Field) -> str:
    """The meaning of a field in the words of a command line."""
    text = re.sub(r"None: ([^;.]*)", r"\1, if not given", field.meaning.replace("`", ""))
    return text[:1].upper() + text[1:]


def _option(field: Field, shown: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    name = f"--{field.name.replace('_', '-')}"
    if field.kind is bool:
        both = f"{name}/--no-{name[2:]}" if field.optional else name
        return click.option(both, field.name, is_flag=True, default=field.default, help=shown)
    return click.option(
        name, field.name, type=field.kind, default=field.default, metavar=_WORDS[field.kind], help=shown
    )


@click.command()
@_specification_options
@click.option("--count", default=1, show_default=True, metavar="N", help="How many courses: number, number + 1, ..")
@click.option("--out", type=click.Path(), metavar="FILE|DIR", help="A file ending in .toml; else a folder.")
@click.option("--svg", is_flag=True, help="A picture beside each file.")
@click.option("--png", is_flag=True, help="The same as PNG.")
@click.option("--force", is_flag=True, help="Write over files that are there.")
@click.option("--json", "as_json", is_flag=True, help="Print courses and grades as JSON and nothing else.")
def generate(count: int, out: str | None, svg: bool, png: bool, force: bool, as_json: bool, **options: Any) -> int:
    """Make courses that can be raced and finished, from a specification, and grade them.

    Equal options give equal courses. --out my.toml writes a file that people can go on editing; --count 100 --out DIR
    a file for each course, under a name that no other course has. Without --out one course is drawn here. Ctrl-C keeps
    the files that are done, and the same command goes on.
    """
    spec = Specification(**options)
    left = spec.levels - (spec.number or 0) if spec.levels else MOST
    check_whole(count, "--count", 1, min(MOST, left))
    if (svg or png) and out is None:
        raise click.UsageError("--svg and --png lie beside the course's file; give --out with them")
    if count > 1 and out is not None and _is_file(out):
        raise click.UsageError(f"--out {out}: expected a folder for {count} courses, got a file's name")
    rows, complete = _rows(spec, count, out, svg, png, force)
    if count == 1 and rows and out is None and not as_json:
        _draw(rows[0])
    elif rows or as_json:
        show(rows, as_json)
    if not complete:
        click.echo(f"roborally: stopped after {len(rows)} of {count} courses; the same command goes on", err=True)
        return 130
    return 0


def _is_file(out: str) -> bool:
    return out.lower().endswith(".toml")


def _rows(
    spec: Specification, count: int, out: str | None, svg: bool, png: bool, force: bool
) -> tuple[list[Row], bool]:
    """The courses with their grades, each written as soon as it is graded; and whether that are all."""
    rows: list[Row] = []
    with progress_bar(count, "courses") if count > 1 and sys.stderr.isatty() else nullcontext() as progress:
        try:
            for course in _courses(spec, count):
                rows.append(_written(course, out, svg, png, force))
                if progress is not None:
                    progress(len(rows), count)
        except KeyboardInterrupt:
            return rows, False
    return rows, True


def _courses(spec: Specification, count: int) -> Iterator[Course]:
    """The courses from the specification's number on."""
    generator = Generator(replace(spec, number=None))
    first = spec.number or 0
    yield from (generator.course(number) for number in range(first, first + count))


def _written(course: Course, out: str | None, svg: bool, png: bool, force: bool) -> Row:
    """A course with its grade, and with its file, where files are wanted."""
    if out is None:
        return Row(course, grade(course))
    path = Path(out) if _is_file(out) else Path(out) / f"{_file_name(course)}.toml"
    pictures = [path.with_suffix(ending) for ending, wanted in ((".svg", svg), (".png", png)) if wanted]
    kept = not force and _is_kept(path, pictures, course, alone=_is_file(out))
    found = grade(course)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if not kept:
            path.write_text(write_course(course, _comments(found)), encoding="utf-8")
    except OSError as error:
        raise RoboRallyError(f"{path}: cannot be written: {error.strerror or error}") from None
    _draw_files(course, [picture for picture in pictures if not kept or not picture.exists()])
    return Row(course, found, str(path))


def _file_name(course: Course) -> str:
    """Of a course in a folder: its title, which others may have too, and a digest of its slug, which none has."""
    return f"{slugify(course.title)}_{hashlib.sha256(course.slug.encode()).hexdigest()[:12]}"


def _draw_files(course: Course, pictures: list[Path]) -> None:
    by_ending = {picture.suffix: picture for picture in pictures}
    save_pictures(course, svg=by_ending.get(".svg"), png=by_ending.get(".png"))


def _comments(found: Grade) -> list[str]:
    """The grade as lines of a file's comments."""
    return textwrap.wrap(f"grade: {found}", 110, subsequent_indent="  ")


def _is_kept(path: Path, pictures: list[Path], course: Course, alone: bool) -> bool:
    """Whether there is a file in a folder that an earlier call wrote for this course; an error for any other file."""
    if not alone and path.is_file() and f"# source: {course.source}\n" in read_text(path):
        return True
    for file in (path, *pictures):
        if os.path.lexists(file):
            raise RoboRallyError(f"{file} is there already; --force writes over it")
    return False


def _draw(row: Row) -> None:
    """The course and its grade in the terminal."""
    color = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    click.echo(headline(row.course) + "\n")
    drawing = draw_course(row.course, color=color)
    click.echo(drawing, color=True, nl=False)
    click.echo(f"\n{row.course.source}")
    click.echo("\n".join(f"   {part}" for part in str(row.grade).split("; ")))
    note_width(drawing, "--out FILE --svg draws a picture")
