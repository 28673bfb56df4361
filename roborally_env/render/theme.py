"""The colours of drawings, by name, light and dark.

A drawing names its colours as CSS custom properties with the light value as fallback, so that one source serves pages
and pictures: a page sets the properties (`theme_css`), and in a picture plain colours replace them (`resolved`).
"""

import re
from collections import ChainMap
from typing import Final

from roborally_env.courses import tile_kinds
from roborally_env.errors import RoboRallyError, nearest

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
    "belt1":      ("#a9d3ad", "#3c6b4b"),
    "rail1":      ("#5f9a69", "#63a476"),
    "arrow1":     ("#27683a", "#b9e8c2"),
    "belt2":      ("#a5c8ee", "#345b8e"),
    "rail2":      ("#5688c0", "#6d9fdc"),
    "arrow2":     ("#1b4f8c", "#c9e1ff"),
    "gear":       ("#c3c2bf", "#575d67"),
    "gear-line":  ("#77767a", "#8e95a1"),
    "cw":         ("#1f7a45", "#7ddc9d"),
    "ccw":        ("#a8362b", "#ff9d8f"),
    "panel":      ("#f3c64b", "#d8a92c"),
    "panel-line": ("#5c4510", "#2a1f06"),
    "push":       ("#8a6a1d", "#f0cf77"),
    "crusher":    ("#6c7079", "#868d99"),
    "teeth":      ("#3a3d44", "#c6cbd4"),
    "pit":        ("#44484f", "#15171b"),
    "pit-deep":   ("#17181b", "#000000"),
    "pit-rim":    ("#23262b", "#59606b"),
    "wall":       ("#e0a21f", "#e9b13a"),
    "wall-line":  ("#54400f", "#171307"),
    "laser":      ("#8f2a2a", "#b23a3a"),
    "laser-line": ("#4a1212", "#f3b0b0"),
    "beam":       ("#e23b3b", "#ff5c5c"),
    "cube":       ("#46c264", "#57d678"),
    "cube-top":   ("#a8efb6", "#b9f7c6"),
    "cube-side":  ("#26853e", "#2f9a4b"),
    "cube-line":  ("#12512a", "#0d3319"),
    "dock":       ("#f4f5f7", "#3f4754"),
    "dock-line":  ("#6d7787", "#a3aebf"),
    "level1":     ("#e2d3ad", "#463f2f"),  # floors above level 0, darker light or lighter dark the higher
    "level2":     ("#d3b67c", "#63563a"),
    "level3":     ("#bb9450", "#836e43"),
    "ledge":      ("#5a4526", "#12100b"),
    "shade":      ("#3b2c14", "#000000"),  # at the foot of ledges
    "ramp":       ("#7a5a24", "#f0d9a4"),
    "ramp-off":   ("#8f8a80", "#7c838f"),
    "link":       ("#8e3aa8", "#d79bea"),  # from buttons to their ramps
    "link-ink":   ("#ffffff", "#2a0a34"),
    "ghost":      ("#3b4252", "#e8eaee"),  # ring round robots in virtual mode
    "button":     ("#d64541", "#e8625d"),
    "button-line": ("#5f1512", "#2c0908"),
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
