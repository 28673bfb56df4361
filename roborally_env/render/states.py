"""A state of a game on its course as SVG: moved pieces, robots, and marks with their states."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from roborally_env.courses import EDITIONS, Course
from roborally_env.courses.glyphs import text_svg
from roborally_env.courses.pictures import at, moved
from roborally_env.courses.scene import Scene
from roborally_env.render.figures import Figure, figures
from roborally_env.render.robots import archive_svg, checkpoint_svg, cube_svg, robot_svg
from roborally_env.render.svg import board_svg, document, inner, laser_beams, tagged
from roborally_env.render.theme import PAGE, color, resolved


class Piece(NamedTuple):
    """A drawing round (0, 0) that lies on a cell."""

    kind: str
    x: int
    y: int
    content: str


def state_svg(
    course: Course,
    robots: Iterable[object] | None = None,
    *,
    checkpoints: Iterable[tuple[int, int, int]] | None = None,
    cubes: Iterable[tuple[int, int]] | None = None,
    ramps: Iterable[tuple[int, int]] | None = None,
    theme: str = "light",
) -> str:
    """A course with robots on it as one SVG document.

    robots: mappings or objects with x, y, facing (0..3 or a letter of NESW) and, if they have them, the other fields of
    `render.figures.Figure`; those off the board are left out. checkpoints: (number, x, y) where they are now; cubes:
    (x, y) of the energy cubes that are left; ramps: (x, y) of those that are on; left out: as at the start. Beams end
    at the robots in them.

    Raises RoboRallyError for wrong values of robots, or an unknown theme.
    """
    seen = figures(robots)
    scene = Scene(course, in_the_way(seen), ramps)
    on = scene.heights.on
    board = board_svg(course, checkpoints=False, cubes=False, beams=False, ramps=on, theme=PAGE)
    parts = [inner(board), *laser_beams(scene)]
    moved = course.checkpoints if checkpoints is None else tuple(checkpoints)
    left = course.energy if cubes is None else tuple(cubes)
    parts += (placed(piece) for piece in pieces(course, seen, moved, left))
    return resolved(document(course, "".join(parts)), theme)


def in_the_way(robots: Iterable[Figure]) -> Iterator[tuple[int, int]]:
    """The cells of the robots that stop beams."""
    return ((f.x, f.y) for f in robots if f.on_board and not f.virtual)


def placed(piece: Piece) -> str:
    """The piece on its cell."""
    return tagged(piece.kind, piece.x, piece.y, at(piece.x, piece.y, piece.content))


def pieces(
    course: Course,
    robots: list[Figure],
    checkpoints: Iterable[tuple[int, int, int]],
    cubes: Iterable[tuple[int, int]],
) -> Iterator[Piece]:
    """All that lies on the board, from below: cubes, checkpoints, archive markers, robots, and marks over them."""
    word, total = EDITIONS[course.edition].checkpoint, len(course.checkpoints)
    checkpoints, cubes = tuple(checkpoints), tuple(cubes)
    standing = [f for f in robots if f.on_board]
    covered = {(f.x, f.y) for f in standing}
    flags = {(x, y) for _, x, y in checkpoints}
    for x, y in cubes:
        if (x, y) not in covered | flags:
            yield Piece("cube", x, y, cube_svg())
    for number, x, y in checkpoints:
        yield Piece("checkpoint", x, y, checkpoint_svg(number, word))
    for f in robots:
        if f.archive is not None and not f.out:
            yield Piece("archive", *f.archive, archive_svg(f.number))
    real = [f for f in standing if not f.virtual]
    for f in real:
        yield Piece("robot", f.x, f.y, robot_svg(f.number, turn=f.facing))
    for f in real:
        yield from (Piece("mark", f.x, f.y, mark) for mark in marks(f, total))
    yield from _ghosts([f for f in standing if f.virtual])
    # pieces that a robot or a checkpoint hides are drawn small at a corner
    for number, x, y in checkpoints:
        if (x, y) in covered:
            yield Piece("checkpoint", x, y, moved(checkpoint_svg(number, word), 35, -35, 0.34))
    for x, y in cubes:
        if (x, y) in covered | flags:
            yield Piece("cube", x, y, moved(cube_svg(), -36, -34, 0.62))


def _ghosts(robots: list[Figure]) -> Iterator[Piece]:
    """Robots in virtual mode: small, pale, in a dashed ring, each at another corner of the cell that they share."""
    seen: dict[tuple[int, int], int] = {}
    for f in robots:
        i = seen[f.x, f.y] = seen.get((f.x, f.y), -1) + 1
        yield Piece("robot", f.x, f.y, ghost_svg(robot_svg(f.number, turn=f.facing), i))


def ghost_svg(robot: str, place: int) -> str:
    """A robot in virtual mode, at one of the corners of its cell."""
    x, y = _CORNERS[place % len(_CORNERS)]
    return (
        f'<g transform="translate({x} {y}) scale(.42)"><circle r="47" fill="{color("floor")}" fill-opacity=".75" '
        f'stroke="{color("ghost")}" stroke-width="6" stroke-dasharray="11 8"/><g opacity=".75">{robot}</g></g>'
    )


def marks(robot: Figure, total: int) -> Iterator[str]:
    """Marks around a robot: its next checkpoint, damage, lives, whether it is powered down or has rebooted."""
    if total and robot.checkpoint is not None:
        yield _next(robot.checkpoint + 1 if robot.checkpoint < total else 0)
    if robot.damage:
        yield _damage(robot.damage)
    if robot.lives is not None:
        yield _lives(robot.lives)
    if robot.powered_down:
        yield _disc(-36, -36, '<path d="M0 -8V0M-5.5 -5A8 8 0 1 0 5.5 -5"/>')
    if robot.rebooted:
        yield _disc(36, -36, '<path d="M-7 2A7.5 7.5 0 1 0 -3 -6.5M-8 -8L-2.5 -6.8 -5 -1"/>')


def _next(number: int) -> str:
    """0: it has reached them all."""
    what = text_svg(str(number), 0, 0, 15, color("flag-line"), weight=0.2) if number else _CHEQUERS
    return (
        f'<g transform="translate(-36 36)"><circle r="13" fill="{color("flag")}" stroke="{color("flag-line")}" '
        f'stroke-width="3"/>{what}</g>'
    )


def _damage(number: int) -> str:
    wide = 12 if number < 10 else 16
    return (
        f'<g transform="translate({48 - wide} 36)"><rect x="{-wide}" y="-12" width="{2 * wide}" height="24" rx="7" '
        f'fill="{color("damage")}" stroke="{color("on-dark")}" stroke-width="2.5"/>'
        f"{text_svg(str(number), 0, 0, 15, color('on-dark'), weight=0.2)}</g>"
    )


def _lives(number: int) -> str:
    discs = "".join(f'<circle cx="{12 * (i - (number - 1) / 2):g}" r="4.5"/>' for i in range(number))
    style = f'fill="{color("cube")}" stroke="{color("robot-line")}" stroke-width="2"'
    return f'<g transform="translate(0 43)" {style}>{discs}</g>'


def _disc(x: int, y: int, sign: str) -> str:
    return (
        f'<g transform="translate({x} {y})"><circle r="13" fill="{color("token-line")}" stroke="{color("on-dark")}" '
        f'stroke-width="2.5"/><g fill="none" stroke="{color("token")}" stroke-width="3.5" stroke-linecap="round" '
        f'stroke-linejoin="round">{sign}</g></g>'
    )


_CORNERS = ((28, -28), (-28, -28), (-28, 28), (28, 28), (0, 0))
_CHEQUERS = '<path d="M-7 -7H0V0H-7ZM0 0H7V7H0Z"/>'
