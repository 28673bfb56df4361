"""SVG drawings as PNG, by resvg: no browser, no fonts of the machine."""

from collections.abc import Iterator
from contextlib import contextmanager

from roborally_env.base.checks import check_whole
from roborally_env.base.errors import RoboRallyError
from roborally_env.render.theme import THEMES, check_theme, color, resolved

MAX_WIDTH = 8000
INSTALL = 'pip install "roborally_env[render]"'


@contextmanager
def needed(module: str, what: str) -> Iterator[None]:
    """A context in which `what` imports a module of the extra `render`.

    Raises:
        RoboRallyError: where it is not installed, with what installs it.
    """
    try:
        yield
    except ImportError as error:
        raise RoboRallyError(f"{what}: {module} is not installed ({error}); {INSTALL} gives it") from None


def to_png(svg: str, width: int, *, theme: str = "light") -> bytes:
    """A drawing as a PNG, `width` pixels wide, on the theme's background.

    Raises:
        RoboRallyError: for a width that is no whole number from 1 to 8000, an unknown theme, text that is no SVG, or
            where resvg_py is not installed.
    """
    width = check_whole(width, "width", 1, MAX_WIDTH)
    check_theme(theme, THEMES)
    return rasterized(resolved(svg, theme), width, resolved(color("paper"), theme))


def rasterized(svg: str, width: int, background: str | None = None, height: int | None = None) -> bytes:
    """A drawing with plain colours as PNG. Raises as `to_png`."""
    with needed("resvg_py", "PNG"):
        import resvg_py
    try:
        png: bytes = resvg_py.svg_to_bytes(
            svg_string=svg, width=width, height=height, background=background, skip_system_fonts=True
        )
    except ValueError as error:
        raise RoboRallyError(f"svg: not a drawing that can be turned into a PNG ({error})") from None
    return png
