"""`roborally generate`: new courses from a specification, as files with their grades."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import click

from roborally_env.base.checks import check_whole
from roborally_env.base.errors import CourseError
from roborally_env.base.terminal import has_color, print_lines
from roborally_env.base.types import Function, OptionValue
from roborally_env.cli.course_files import Files
from roborally_env.cli.courses import headline
from roborally_env.cli.grades import Row, grade, show
from roborally_env.cli.options import resumable
from roborally_env.cli.races import progress_bar
from roborally_env.cli.tables import note_width
from roborally_env.generated import Generator, Specification
from roborally_env.generated.fields import Field, specification_fields
from roborally_env.render.ansi import draw as draw_course

MOST = 100_000  # courses of one command
_WORDS = {int: "N", float: "SHARE", str: "NAME"}


def _specification_options(command: Function) -> Function:
    """An option for each field of a specification; fields with a common meaning refer to the first of them."""
    fields = specification_fields()
    first = {field.meaning: field for field in reversed(fields)}
    for field in reversed(fields):
        alone = first[field.meaning] == field
        command = _option(field, _help(field) if alone else f"See --{first[field.meaning].name}.")(command)
    return command


def _help(field: Field) -> str:
    """The meaning of a field in the words of a command line."""
    text = re.sub(r"None: ([^;.]*)", r"\1 by default", field.meaning.replace("`", ""))
    return text[:1].upper() + text[1:]


def _option(field: Field, shown: str) -> Callable[[Function], Function]:
    name = f"--{field.name.replace('_', '-')}"
    if field.kind is bool:
        both = f"{name}/--no-{name[2:]}" if field.optional else name
        return click.option(both, field.name, is_flag=True, default=field.default, help=shown)
    return click.option(
        name, field.name, type=field.kind, default=field.default, metavar=_WORDS[field.kind], help=shown
    )


@click.command()
@_specification_options
@click.option("--count", default=1, show_default=True, metavar="N", help="Number of courses, starting from --number.")
@click.option("--out", type=click.Path(), metavar="FILE|DIR", help="File ending in .toml, or a folder.")
@click.option("--svg", is_flag=True, help="Also write a picture of each course as SVG.")
@click.option("--png", is_flag=True, help="Also write a picture of each course as PNG.")
@click.option("--force", is_flag=True, help="Overwrite existing files and their pictures.")
@click.option("--json", "as_json", is_flag=True, help="Print courses and grades as JSON and nothing else.")
def generate(
    count: int, out: str | None, svg: bool, png: bool, force: bool, as_json: bool, **options: OptionValue
) -> int:
    """Generate courses from a specification and grade them. Every course can be finished.

    The same options give the same courses. --out my.toml writes a file that you can edit; --count 100 --out DIR writes
    a file with a unique name for each course. Without --out the command draws one course in the terminal. After Ctrl-C
    the finished files stay, and the same command continues: it keeps existing files, grades edited files as they are,
    and reports files that it cannot read (exit code 1).
    """
    spec = Specification(**options)
    _check_count(count, spec)
    if out is not None and not out.strip():
        raise click.UsageError(f"--out: expected a file ending in .toml or a folder, got {out!r}")
    if out is not None and _is_of_another_kind(out):
        raise click.UsageError(
            f"--out {out}: expected a file ending in .toml or a folder; for a new folder of this name write {out}/"
        )
    if (svg or png) and out is None:
        raise click.UsageError("--svg and --png lie beside the course's file; give --out with them")
    endings = [ending for ending, wanted in ((".svg", svg), (".png", png)) if wanted]
    files = None if out is None else Files(Path(out), tuple(endings), force)
    if files is not None and files.single and count > 1:
        raise click.UsageError(f"--out {out}: expected a folder for {count} courses, got a file's name")
    with resumable(files):
        rows, notes, complete = _rows(spec, count, files)
    if count == 1 and rows and out is None and not as_json:
        _draw(rows[0])
    elif rows or as_json:
        show(rows, as_json)
    for line in notes:
        print_lines(f"roborally: {line}", err=True)
    if not complete:
        print_lines(f"roborally: stopped after {len(rows):,} of {count:,} courses; the same command resumes", err=True)
        return 130
    return int(len(rows) < count)


def _is_of_another_kind(out: str) -> bool:
    """Whether a path looks like a file that no course is written into: one with an ending such as .txt."""
    path = Path(out)
    if path.suffix.lower() == ".toml" or out.endswith(("/", os.sep)) or path.is_dir():
        return False
    return re.fullmatch(r"\.[^\W\d]\w*", path.suffix) is not None


def _check_count(count: int, spec: Specification) -> None:
    """Raise an error if there are fewer courses from the first number on."""
    first = spec.number or 0
    left = (spec.levels or 2**32) - first
    check_whole(count, "--count" if left >= MOST else f"--count from number {first} on", 1, min(MOST, left))


def _rows(spec: Specification, count: int, files: Files | None) -> tuple[list[Row], list[str], bool]:
    """The courses with their grades, each written as soon as it is graded; notes about files; and whether
    none is missing because somebody has stopped."""
    rows: list[Row] = []
    notes: list[str] = []
    with progress_bar(count, "courses") if count > 1 else nullcontext() as progress:
        try:
            for done, one in enumerate(_each(spec, count), 1):
                _add_row(one, files, rows, notes)
                if progress is not None:
                    progress(done, count)
        except KeyboardInterrupt:
            return rows, notes, False
    return rows, notes, True


def _each(spec: Specification, count: int) -> Iterator[Specification]:
    """The specifications of single courses, from the number on."""
    first = spec.number or 0
    yield from (replace(spec, levels=0, number=number) for number in range(first, first + count))


def _add_row(one: Specification, files: Files | None, rows: list[Row], notes: list[str]) -> None:
    """Add a course to the rows, or say why a file in its place stays as it is."""
    if files is None:
        course = Generator(one).course()
        rows.append(Row(course, grade(course)))
        return
    found = files.row(one)
    if isinstance(found, Row):
        rows.append(found)
        notes += [f"{picture} was there already: it shows the new course now" for picture in files.drawn_anew(one)]
    elif files.single:
        raise CourseError(found)
    else:
        notes.append(found)


def _draw(row: Row) -> None:
    """The course and its grade in the terminal."""
    color = has_color()
    print_lines(headline(row.course), "")
    drawing = draw_course(row.course, color=color)
    click.echo(drawing, color=True, nl=False)
    print_lines("", row.course.source)
    print_lines(*(f"   {part}" for part in str(row.grade).split("; ")))
    note_width(drawing, "--out FILE --svg draws a picture")
