"""Checks of levels, ramps and buttons."""

from collections.abc import Iterator

from roborally_env.courses.heights import Heights, linked_ramps
from roborally_env.courses.issues import Issue
from roborally_env.courses.model import STEP, Course, Element

_PLACED = {"checkpoints": "checkpoint", "reboots": "reboot token"}


def climbing_issues(course: Course) -> Iterator[Issue]:
    """All that is wrong with levels, ramps and buttons."""
    heights = Heights(course.elements)
    for e in course.elements:
        if e.kind == "ramp":
            yield from _ramp(course, heights, e)
        elif e.kind == "button":
            yield from _button(heights, e)
    yield from _dead_ramps(course)
    yield from _on_ramps(course, heights)


def _ramp(course: Course, heights: Heights, ramp: Element) -> Iterator[Issue]:
    """Foot and top join floors, or other ramps, of the right height."""
    for end, way, needed in (("foot", (ramp.out + 2) & 3, ramp.level), ("top", ramp.out, ramp.level + 1)):
        x, y = ramp.x + STEP[way][0], ramp.y + STEP[way][1]
        cell = (ramp.x, ramp.y)
        if not course.on_board(x, y):
            message = f"the {end} of the ramp is at the edge of the board; it must join floor of level {needed}"
            yield Issue(message, cell=cell, kind="ramp")
            continue
        found = heights.side((x, y), (way + 2) & 3, on=True)
        if found != needed:
            has = f"level {found}" if found >= 0 else "the closed side of a ramp"
            message = (
                f"the ramp joins level {ramp.level} with {ramp.level + 1}, but at its {end}, x={x}, y={y}, is {has}"
            )
            yield Issue(message, cell=cell, kind="ramp")


def _button(heights: Heights, button: Element) -> Iterator[Issue]:
    cell = (button.x, button.y)
    if not button.ramps:
        yield Issue("the button switches no ramp; give it the letter of one, as Ba for R^0a", cell=cell, kind="button")
    for x, y in button.ramps:
        if (x, y) not in heights.ramps:
            yield Issue(f"the button switches a ramp at x={x}, y={y}, where none is", cell=cell, kind="button")


def _dead_ramps(course: Course) -> Iterator[Issue]:
    linked = linked_ramps(course.elements)
    for e in course.elements:
        if e.kind == "ramp" and not e.enabled and (e.x, e.y) not in linked:
            message = "the ramp is off and no button switches it; give it a button's letter, or take it out"
            yield Issue(message, cell=(e.x, e.y), kind="ramp")


def _on_ramps(course: Course, heights: Heights) -> Iterator[Issue]:
    """Reports things on ramps on which a robot should stand: it would slide off."""
    marks = [("checkpoints", (number, x, y), (x, y)) for number, x, y in course.checkpoints]
    marks += [("reboots", (x, y, facing), (x, y)) for x, y, facing in course.reboots]
    for key, entry, (x, y) in marks:
        if (x, y) in heights.ramps:
            message = f"the {_PLACED[key]} at x={x}, y={y} lies on a ramp, where no robot stays; move it to flat floor"
            yield Issue(message, key, entry)
    if course.antenna and course.antenna[:2] in heights.ramps:
        x, y, _ = course.antenna
        yield Issue(f"the antenna at x={x}, y={y} stands on a ramp; move it to a plain cell", "antenna", ())
