"""Pictures of courses as files."""

from pathlib import Path

from roborally_env.base.errors import RoboRallyError
from roborally_env.base.files import write_whole
from roborally_env.courses import Course
from roborally_env.render.png import to_png
from roborally_env.render.svg import board_svg
from roborally_env.render.theme import THEMES, check_theme

WIDTH = 1200  # pixels of a PNG


def save_pictures(
    course: Course,
    *,
    svg: str | Path | None = None,
    png: str | Path | None = None,
    width: int = WIDTH,
    theme: str = "light",
) -> None:
    """Write a course as an SVG file, as a PNG file `width` pixels wide, or as both.

    Raises:
        RoboRallyError: for a name that does not end in .svg or .png, a width outside 1 to 8000, an unknown theme, a
            file that cannot be written, or a PNG where resvg_py is not installed. Both are drawn before one is written.
    """
    check_theme(theme, THEMES)
    for path, ending in ((svg, ".svg"), (png, ".png")):
        if path is not None and Path(path).suffix.lower() != ending:
            raise RoboRallyError(f"{str(path)!r}: expected a file name that ends in {ending}")
    drawn: list[tuple[str | Path, bytes]] = []
    if svg is not None:
        drawn.append((svg, board_svg(course, theme=theme).encode()))
    if png is not None:
        drawn.append((png, to_png(board_svg(course), width, theme=theme)))
    for path, content in drawn:
        write_whole(Path(path), content)
