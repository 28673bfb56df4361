"""The colours of drawings, by name, light and dark.

A drawing names its colours as CSS custom properties with the light value as fallback, so that one source serves pages
and pictures: a page sets the properties (`theme_css`), and in a picture plain colours replace them (`resolved`).
"""

import re
from collections import ChainMap
from typing import Final

from roborally_env.base.errors import RoboRallyError, nearest
from roborally_env.courses import tile_kinds

THEMES = ("light", "dark")
PAGE = "page"  # colours stay custom properties, for an SVG inside an HTML page

# name -> light, dark
# fmt: off
_OWN: dict[str, tuple[str, str]] = {
    "paper":      ("#fbfaf8", "#16181c"),  # behind everything in a picture; a page has its own
    "text":       ("#2b2f36", "#e8eaee"),
    "muted":      ("#7d838d", "#8b929d"),
    "card":       ("#f1efea", "#202329"),  # behind a robot's line in a legend
    "floor":      ("#e9e6df", "#2a2e35"),
    "start":      ("#dfe3e8", "#333a45"),  # floor of start boards and docking bays
    "grid":       ("#d3cec3", "#3a3f48"),
    "rim":        ("#8f8a80", "#626975"),  # round each board
    "cube":       ("#46c264", "#57d678"),
    "cube-top":   ("#a8efb6", "#b9f7c6"),
    "cube-side":  ("#26853e", "#2f9a4b"),
    "cube-line":  ("#12512a", "#0d3319"),
    "ledge":      ("#5a4526", "#12100b"),
    "shade":      ("#3b2c14", "#000000"),  # at the foot of ledges
    "ghost":      ("#3b4252", "#e8eaee"),  # ring round robots in virtual mode
    "token":      ("#d8c8ef", "#4b3a6b"),
    "token-line": ("#5b3a97", "#d2bcff"),
    "antenna":    ("#4b5563", "#c9d1dc"),
    "antenna-dish": ("#f5f6f8", "#20242b"),
    "antenna-line": ("#252b34", "#4f5865"),
    "flag":       ("#ffffff", "#ffffff"),
    "flag-line":  ("#15171a", "#15171a"),
    "robot-line": ("#1b1d21", "#0b0c0e"),
    "tread":      ("#3d424b", "#626a77"),
    "damage":     ("#c62828", "#d63b3b"),
    "on-dark":    ("#ffffff", "#ffffff"),
    "on-light":   ("#15171a", "#15171a"),
}
# fmt: on
COLORS: Final = ChainMap(_OWN, tile_kinds.COLORS)  # and those of tiles, as they are registered
_IN_TILES = re.compile(r"\$([a-z0-9-]+)")
_PROPERTY = re.compile(r"var\(--rr-([a-z0-9-]+),[^()]*\)")


def color(name: str) -> str:
    """The colour of that name for an SVG attribute: a custom property with the light value to fall back on."""
    return f"var(--rr-{name},{COLORS[name][0]})"


def colored(drawing: str) -> str:
    """The drawing of a tile with a colour for each `$name`."""
    return _IN_TILES.sub(lambda found: color(found[1]), drawing)


def check_theme(theme: str, known: tuple[str, ...] = (*THEMES, PAGE)) -> str:
    """The theme itself; raises RoboRallyError for an unknown name."""
    if theme not in known:
        raise RoboRallyError(f"theme: expected one of {', '.join(known)}, got {theme!r}{nearest(str(theme), known)}")
    return theme


def resolved(svg: str, theme: str) -> str:
    """The drawing with plain colours in place of custom properties; for "page" as it is.

    Raises RoboRallyError for an unknown theme.
    """
    if check_theme(theme) == PAGE:
        return svg
    which = THEMES.index(theme)
    return _PROPERTY.sub(lambda found: COLORS[found[1]][which], svg)


def theme_css() -> str:
    """Style rules that set the custom properties: light, dark where the reader's system asks for it, and either by
    `data-theme="light"` or `"dark"` on an element."""
    light, dark = ("".join(f"--rr-{name}:{pair[i]};" for name, pair in COLORS.items()) for i in (0, 1))
    return (
        f":root,[data-theme=light]{{{light}}}\n"
        f"@media (prefers-color-scheme:dark){{:root:not([data-theme=light]){{{dark}}}}}\n"
        f"[data-theme=dark]{{{dark}}}\n"
    )
