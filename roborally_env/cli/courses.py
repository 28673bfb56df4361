"""`roborally courses`, `roborally draw` and `roborally check`."""

import os
from pathlib import Path

import click

from roborally_env.base.errors import CourseError, RoboRallyError, nearest
from roborally_env.base.terminal import has_color, print_lines
from roborally_env.base.types import JsonObject
from roborally_env.cli.console import print_json
from roborally_env.cli.options import ManyValues, ManyValuesCommand, some_path
from roborally_env.cli.tables import Column, note_width, print_table
from roborally_env.core.rule_options import check_edition
from roborally_env.courses import (
    EDITIONS,
    KINDS,
    SPECIAL_RULES,
    Course,
    Problem,
    check_file,
    course_head,
    course_names,
    list_courses,
)
from roborally_env.courses.reader import slugify
from roborally_env.generated.by_name import course_as_dict
from roborally_env.generated.resolve import load_course
from roborally_env.render.ansi import draw as draw_course
from roborally_env.render.export import WIDTH, save_pictures
from roborally_env.render.png import MAX_WIDTH
from roborally_env.render.theme import THEMES


@click.command(cls=ManyValuesCommand)
@click.option("--edition", metavar="E", help="List only the courses of this edition.")
@click.option(
    "--rate", "rated", cls=ManyValues, metavar="C...", help="Grade these courses: names, files, generated:difficulty=3."
)
@click.option("--tiles", "as_tiles", is_flag=True, help="List the kinds of tiles instead, as written in drawings.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON and nothing else.")
def courses(edition: str | None, rated: tuple[str, ...], as_tiles: bool, as_json: bool) -> None:
    """List the courses that come with the package, or grade courses with --rate: the difficulty from 1 to 5, rounds
    for four greedy robots (and an estimate from distances) and for one robot alone, how often programs end in a fall,
    how many rounds apart start spaces are, how often robots meet, and whether robots can provably always finish."""
    if rated:
        if as_tiles:
            raise click.UsageError("expected either --rate or --tiles, not both")
        _rate(rated, edition, as_json)
        return
    if as_tiles:
        _list_tiles(edition, as_json)
        return
    found = list_courses(edition)
    if as_json:
        print_json([_summary(course) for course in found])
        return
    print_table(COLUMNS, [_cells(course) for course in found])


COLUMNS = (
    Column("name", left=True),
    Column("title", rank=8, left=True),
    Column("edition", rank=1, left=True),
    Column("difficulty", rank=4, left=True),
    Column("length", rank=3, left=True),
    Column("players", rank=2, left=True),
    Column("size", rank=6, left=True),
    Column("checkpoints", rank=5, left=True),
    Column("special rules", rank=7, left=True, wrap=True),
)


def _cells(course: Course) -> tuple[str, ...]:
    """The row of a course."""
    players = ", ".join(map(str, course.player_counts)) or f"{course.players[0]}-{course.players[1]}"
    size = f"{course.width} x {course.height}"
    names = (course.slug, course.title, course.edition, ", ".join(_difficulty(course)), course.length)
    return (*names, players, size, str(len(course.checkpoints)), ", ".join(_rule_tags(course)))


def _rate(names: tuple[str, ...], edition: str | None, as_json: bool) -> None:
    """Grade courses; all are loaded before one is graded."""
    from roborally_env.cli import grades  # only then: it compiles

    found = [load_course(name, edition) for name in names]
    grades.show([grades.Row(course, grades.grade(course)) for course in found], as_json)


def _list_tiles(edition: str | None, as_json: bool) -> None:
    """The kinds of tiles of an edition, or of all."""
    names = KINDS if edition is None else EDITIONS[check_edition(edition)].kinds
    found = [kind for kind in KINDS.values() if kind.name in names]
    if as_json:
        print_json([{"kind": kind.name, "tokens": kind.examples, "meaning": kind.meaning} for kind in found])
        return
    columns = (Column("kind", left=True), Column("tokens", left=True), Column("meaning", left=True, wrap=True))
    print_table(columns, [(kind.name, " ".join(kind.examples), kind.meaning.replace("`", "")) for kind in found])


def _difficulty(course: Course) -> list[str]:
    """The section of the manual and the difficulty, if the course has both."""
    return [word for word in dict.fromkeys((course.section, course.difficulty)) if word]


def _summary(course: Course) -> JsonObject:
    return {
        **course_head(course),
        "width": course.width,
        "height": course.height,
        "checkpoints": len(course.checkpoints),
        "boards": [board.name for board in course.boards],
        "special_rules": list(course.special_rules),
    }


def _rule_tags(course: Course) -> list[str]:
    """The special rules of a course, in two or three words each."""
    if EDITIONS[course.edition].special:
        return list(course.special_rules)
    start_boards = {course.board_at[y][x] for _, x, y in course.docks}
    common = any(course.board_at[y][x] in start_boards for x, y, _ in course.reboots)
    moving = course.moving_checkpoints and not EDITIONS[course.edition].riding
    return ["moving checkpoints"] * moving + ["one reboot token for all"] * common


@click.command()
@click.argument("course")
@click.option("--edition", metavar="E", help="Edition, if several have a course of that name.")
@click.option("--color/--no-color", default=None, help="Use colours or not.  [default: if the terminal supports them]")
@click.option("--svg", metavar="FILE", help="Draw to an SVG file instead.")
@click.option("--png", metavar="FILE", help="Draw to a PNG file instead.")
@click.option("--width", type=click.IntRange(1, MAX_WIDTH), help=f"Width of the PNG in pixels.  [default: {WIDTH}]")
@click.option("--theme", type=click.Choice(THEMES), help="Colours of the files.  [default: light]")
@click.option("--json", "as_json", is_flag=True, help="Print the course as JSON and nothing else.")
def draw(
    course: str,
    edition: str | None,
    color: bool | None,
    svg: str | None,
    png: str | None,
    width: int | None,
    theme: str | None,
    as_json: bool,
) -> None:
    """Draw COURSE, given by name or file, in the terminal or to a picture file."""
    loaded = load_course(course, edition)
    files = [file for file in (svg, png) if file is not None]
    _check_options(files, png, width, theme, as_json)
    if files:
        save_pictures(loaded, svg=svg, png=png, width=width or WIDTH, theme=theme or "light")
        print_lines(*files)
        return
    if as_json:
        print_json(course_as_dict(loaded))
        return
    if color is None:
        color = has_color()
    print_lines(headline(loaded), "")
    drawing = draw_course(loaded, color=color)
    click.echo(drawing, color=True, nl=False)
    for rule in loaded.special_rules:
        print_lines(f"   * {rule}: {SPECIAL_RULES[rule]}" if rule in SPECIAL_RULES else f"   * {rule}")
    note_width(drawing, "--svg FILE draws a picture")


def _check_options(files: list[str], png: str | None, width: int | None, theme: str | None, as_json: bool) -> None:
    """Raise an error for options that exclude each other."""
    if as_json and files:
        raise click.UsageError("--json prints the course; leave it out with --svg or --png")
    if width is not None and png is None:
        raise click.UsageError("--width is that of a PNG; give --png FILE with it")
    if theme is not None and not files:
        raise click.UsageError("--theme is that of a picture; give --svg FILE or --png FILE with it")


def headline(course: Course) -> str:
    """What is said of a course above its picture."""
    few, many = course.players
    *most, last = course.player_counts or (few, many)
    counts = f"{', '.join(map(str, most))} or {last}" if course.player_counts else f"{few} to {many}"
    flags, word = len(course.checkpoints), EDITIONS[course.edition].checkpoint
    difficulty = [f"difficulty {word}" if word.isdigit() else word for word in _difficulty(course)]
    parts = [f"edition {course.edition}", *difficulty, course.length, f"{counts} players"]
    parts.append(f"{flags or 'no'} {word}{'s' * (flags != 1)}")
    return f"{course.title} ({', '.join(part for part in parts if part)})"


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...", callback=some_path)
@click.option("--json", "as_json", is_flag=True, help="Print JSON and nothing else.")
def check(files: tuple[str, ...], as_json: bool) -> int:
    """Check course files: report every mistake with file, line and column. Exit code 1 if there is one, 2 if a file
    cannot be read."""
    results = [(file, *_checked(file)) for file in files]
    if as_json:
        print_json([_report(*result) for result in results])
    else:
        for result in results:
            _print_checked(*result)
    if any(problem.line == 0 for _, _, problems in results for problem in problems):
        return 2
    return int(any(course is None for _, course, _ in results))


def _print_checked(file: str, course: Course | None, problems: list[Problem]) -> None:
    """A line for a file without mistakes, or for each mistake; on stderr that a file cannot be read."""
    if course is not None:
        print_lines(f"{file}: ok ({_short(course)})")
    for problem in problems:
        unread = problem.line == 0
        print_lines(f"roborally: {problem.message}" if unread else str(problem), err=unread)


def _checked(file: str) -> tuple[Course | None, list[Problem]]:
    """The course of a file, or None, and its mistakes by place; that of a file that cannot be read is in line 0."""
    try:
        if not os.path.exists(file):
            raise CourseError(f"{file}: there is no such file{_instead_of(file)}")
        course, problems = check_file(file)
    except RoboRallyError as error:
        return None, [Problem(file, 0, 0, str(error))]
    return course, sorted(problems, key=lambda problem: problem[:3])


def _instead_of(file: str) -> str:
    """What to do about a file that does not exist, as the end of a message."""
    name = slugify(file.rpartition("/")[2])
    if name in course_names():
        return f"; it is a course of the package, and those are checked: `roborally draw {name}` shows it"
    beside = [each.stem for each in Path(file).parent.glob("*.toml")]
    return nearest(Path(file).stem, beside) or "; check takes course files, such as my_course.toml"


def _short(course: Course) -> str:
    count = len(course.checkpoints)
    plural = "s" * (count != 1)
    size = f"{course.width} x {course.height}"
    return f"{course.title}, {size}, {count} checkpoint{plural}, {len(course.docks)} start spaces"


def _report(file: str, course: Course | None, problems: list[Problem]) -> JsonObject:
    return {"file": file, "ok": course is not None, "problems": [problem._asdict() for problem in problems]}
