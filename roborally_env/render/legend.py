"""The legend beside a board: a headline, and a card for each robot."""

from collections.abc import Iterator
from typing import Final

from roborally_env.courses.glyphs import shortened, text_svg, text_width
from roborally_env.render.figures import Figure
from roborally_env.render.robots import cube_svg, robot_svg
from roborally_env.render.theme import color

CARD_HEIGHT: Final = 44  # of a card in its own units; its width is the caller's
HEAD_HEIGHT: Final = 36
MIN_WIDTH: Final = 148  # room for the longest values that there are
_LINE = 9.0  # height of letters


def head_svg(title: str, moment: str, width: float) -> str:
    """The headline, in a strip `width` x HEAD_HEIGHT with its corner at (0, 0): on one line, or on two."""
    whole = f"{title}, {moment}"
    if text_width(whole, 12) <= width - 20:
        return text_svg(whole, 10, HEAD_HEIGHT / 2, 12, color("text"), anchor="start")
    return text_svg(shortened(title, 11, width - 20), 10, 10, 11, color("text"), anchor="start") + text_svg(
        shortened(moment, _LINE, width - 20), 10, 27, _LINE, color("muted"), anchor="start"
    )


def card_svg(robot: Figure, total: int, width: float) -> str:
    """A robot's card, `width` x CARD_HEIGHT with its corner at (0, 0): number, name, status, checkpoints of `total`,
    damage, and energy or lives."""
    faded = "" if robot.on_board else ' opacity=".45"'
    word, right = status(robot), width - 13
    room = right - 47 - (text_width(word, _LINE) + 6 if word else 0)
    name = shortened(robot.name or f"robot {robot.number}", _LINE, room)
    parts = [
        f'<rect x="4" y="2" width="{width - 8:g}" height="{CARD_HEIGHT - 4}" rx="7" fill="{color("card")}"/>',
        f'<g transform="translate(25 22) scale(.36)"{faded}>{robot_svg(robot.number)}</g>',
        text_svg(name, 47, 14, _LINE, color("text"), anchor="start"),
        text_svg(word, right, 14, _LINE, color("damage"), anchor="end", weight=0.17) if word else "",
        *_values(robot, total),
    ]
    return "".join(parts)


def status(robot: Figure) -> str:
    """The special status of a robot in a word or two, or an empty text."""
    if robot.out:
        return "out"
    if not robot.on_board:
        return "off board"
    if robot.virtual:
        return "virtual"
    return "down" if robot.powered_down else "rebooted" if robot.rebooted else ""


def _values(robot: Figure, total: int) -> Iterator[str]:
    """The second line: signs with numbers."""
    x = 47.0
    for sign, text in _shown(robot, total):
        yield f'<g transform="translate({x + 6:g} 31)">{sign}</g>'
        yield text_svg(text, x + 16, 31, _LINE, color("text"), anchor="start")
        x += 16 + text_width(text, _LINE) + 8


def _shown(robot: Figure, total: int) -> Iterator[tuple[str, str]]:
    """(sign round (0, 0) about 12 high, text) of each value."""
    if total and robot.checkpoint is not None:
        yield _FLAG, f"{robot.checkpoint}/{total}"
    yield _HIT, str(robot.damage)
    if robot.energy is not None:
        yield f'<g transform="scale(.24)">{cube_svg()}</g>', str(robot.energy)
    if robot.lives is not None:
        yield _HEART, str(robot.lives)


_FLAG = (
    f'<path d="M-4 7V-7" stroke="{color("text")}" stroke-width="1.8" stroke-linecap="round"/>'
    f'<path d="M-4 -7H6L3 -3.5 6 0H-4Z" fill="{color("text")}"/>'
)
_HIT = (
    '<path d="M0 -7L2 -2.4 7 -3 3.2 0 7 3.6 1.8 2.6 0 7 -1.8 2.6 -7 3.6 -3.2 0 -7 -3 -2 -2.4Z" '
    f'fill="{color("damage")}"/>'
)
_HEART = (
    '<path d="M0 6.5C-9 0 -6 -6.5 -2.6 -6 -1 -5.8 0 -4 0 -3.4 0 -4 1 -5.8 2.6 -6 6 -6.5 9 0 0 6.5Z" '
    f'fill="{color("cube")}"/>'
)
