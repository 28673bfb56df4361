"""Board elements drawn with matplotlib; a cell is the square from (x, y) to (x + 1, y + 1), y downwards."""

from __future__ import annotations

from typing import Any

from roborally_env.courses import KINDS, STEP, Course, Element

BELTS = {1: ("#bfe3c0", "#2e7d32"), 2: ("#b9d4f1", "#1a56a8")}  # floor and arrows, by speed
LASER, WALL, PIT, METAL = "#e02020", "#c99700", "#2b2b2b", "#7a5195"
CIRCLING = {1: "↻", -1: "↺"}


def draw_element(ax: Any, course: Course, element: Element, faint: bool) -> None:
    """One element of a course; walls are drawn by `draw_walls`."""
    draw = {
        "pit": _pit,
        "belt": _belt,
        "gear": _gear,
        "panel": _panel,
        "repair": _repair,
        "energy": _energy,
        "dock": _dock,
    }.get(element.kind)
    strength = 0.45 if faint else 1.0
    if draw:
        draw(ax, element, strength)
    elif element.kind == "laser":
        _laser(ax, course, element, strength)
    elif KINDS[element.kind].style:
        _text(ax, element, KINDS[element.kind].letters(element), METAL, strength)


def _square(ax: Any, element: Element, color: str, strength: float) -> None:
    from matplotlib.patches import Rectangle

    corner = (element.x + 0.03, element.y + 0.03)
    ax.add_patch(Rectangle(corner, 0.94, 0.94, facecolor=color, alpha=strength, linewidth=0, zorder=1))


def _text(ax: Any, element: Element, text: str, color: str, strength: float, size: float = 8) -> None:
    middle = (element.x + 0.5, element.y + 0.5)
    ax.text(*middle, text, color=color, alpha=strength, ha="center", va="center", fontsize=size, zorder=3)


def _pit(ax: Any, pit: Element, strength: float) -> None:
    _square(ax, pit, PIT, strength)


def _belt(ax: Any, belt: Element, strength: float) -> None:
    """An arrow from the side that feeds the belt to the side where it leads."""
    floor, color = BELTS[belt.speed]
    _square(ax, belt, floor, strength)
    x, y = belt.x + 0.5, belt.y + 0.5
    for side in belt.feeds:
        dx, dy = STEP[side]
        ax.plot([x + 0.45 * dx, x], [y + 0.45 * dy, y], color=color, alpha=strength, linewidth=1.6, zorder=2)
    dx, dy = STEP[belt.out]
    style = {"arrowstyle": "-|>", "color": color, "alpha": strength, "shrinkA": 0, "shrinkB": 0, "linewidth": 1.6}
    ax.annotate("", (x + 0.45 * dx, y + 0.45 * dy), (x - 0.1 * dx, y - 0.1 * dy), arrowprops=style, zorder=2)


def _gear(ax: Any, gear: Element, strength: float) -> None:
    ax.plot(gear.x + 0.5, gear.y + 0.5, "o", color="#e7d9f0", markersize=18, alpha=strength, zorder=1)
    _text(ax, gear, CIRCLING[gear.turn], METAL, strength, 13)


def _panel(ax: Any, panel: Element, strength: float) -> None:
    """A bar on the side from which it pushes, and its registers."""
    dx, dy = STEP[panel.push]
    x, y = panel.x + 0.5 - 0.4 * dx, panel.y + 0.5 - 0.4 * dy
    ax.plot([x - 0.4 * dy, x + 0.4 * dy], [y - 0.4 * dx, y + 0.4 * dx], color=METAL, linewidth=4, alpha=strength,
            solid_capstyle="butt", zorder=3)  # fmt: skip
    _text(ax, panel, "".join(map(str, panel.registers)), METAL, strength, 7)


def _repair(ax: Any, repair: Element, strength: float) -> None:
    _text(ax, repair, "+" * repair.level, "#b03a2e", strength, 12)


def _energy(ax: Any, space: Element, strength: float) -> None:
    ax.plot(space.x + 0.5, space.y + 0.5, "D", color="#27ae60", markersize=5, alpha=strength, zorder=3)


def _dock(ax: Any, dock: Element, strength: float) -> None:
    ax.plot(dock.x + 0.5, dock.y + 0.5, "o", markerfacecolor="none", markeredgecolor="#888888", markersize=13,
            alpha=strength, zorder=1)  # fmt: skip
    if dock.number > 0:
        _text(ax, dock, str(dock.number), "#888888", strength, 7)


def walls_of(course: Course) -> set[tuple[int, int, int]]:
    """(x, y, side) of each wall, seen from both cells."""
    walls = set()
    for element in course.elements:
        for side in element.sides:
            dx, dy = STEP[side]
            walls |= {(element.x, element.y, side), (element.x + dx, element.y + dy, (side + 2) & 3)}
    return walls


def draw_walls(ax: Any, course: Course) -> None:
    """Thick lines on the edges of cells."""
    for x, y, side in walls_of(course):
        dx, dy = STEP[side]
        middle = (x + 0.5 + 0.5 * dx, y + 0.5 + 0.5 * dy)
        ax.plot([middle[0] - 0.5 * dy, middle[0] + 0.5 * dy], [middle[1] - 0.5 * dx, middle[1] + 0.5 * dx],
                color=WALL, linewidth=3, solid_capstyle="round", zorder=4)  # fmt: skip


def _laser(ax: Any, course: Course, laser: Element, strength: float) -> None:
    """The beams of a laser up to a wall, the antenna or the end of the boards."""
    walls, antenna = walls_of(course), course.antenna[:2] if course.antenna else None
    dx, dy = STEP[laser.fires]
    x, y = laser.x, laser.y
    while (x, y, laser.fires) not in walls and course.on_board(x + dx, y + dy) and (x + dx, y + dy) != antenna:
        x, y = x + dx, y + dy
    begin = (laser.x + 0.5 - 0.45 * dx, laser.y + 0.5 - 0.45 * dy)
    end = (x + 0.5 + 0.5 * dx, y + 0.5 + 0.5 * dy)
    for beam in range(laser.beams):
        aside = 0.16 * (beam - (laser.beams - 1) / 2)
        ax.plot([begin[0] + aside * dy, end[0] + aside * dy], [begin[1] + aside * dx, end[1] + aside * dx],
                color=LASER, linewidth=1, alpha=0.8 * strength, zorder=3)  # fmt: skip
    ax.plot(*begin, "o", color=LASER, markersize=5, alpha=strength, zorder=3)
