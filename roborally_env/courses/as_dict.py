"""Courses as JSON values."""

from roborally_env.base.types import JsonObject
from roborally_env.courses.model import DIRECTIONS, EDITIONS, Course
from roborally_env.courses.values import element_as_map


def course_as_dict(course: Course) -> JsonObject:
    """The course as JSON values: the object that `course_from_map` reads, with names and numbers added."""
    return {
        **course_head(course),
        "boards": [
            {"board": board.name, "x": board.x, "y": board.y, "rotation": board.rotation} for board in course.boards
        ],
        "special_rules": list(course.special_rules),
        "map": _as_map(course),
    }


def course_head(course: Course) -> JsonObject:
    """What a list of courses says of it, as JSON values."""
    return {
        "name": course.slug,
        "title": course.title,
        "edition": course.edition,
        **({"section": course.section} if course.section else {}),
        "difficulty": course.difficulty,
        "length": course.length,
        "players": list(course.players),
        **({"player_counts": list(course.player_counts)} if course.player_counts else {}),
    }


def _as_map(course: Course) -> JsonObject:
    found: JsonObject = {
        "width": course.width,
        "height": course.height,
        "elements": [element_as_map(element) for element in course.elements],
        "reboots": [{"x": x, "y": y, "facing": DIRECTIONS[facing]} for x, y, facing in course.reboots],
        "checkpoints": [{"number": number, "x": x, "y": y} for number, x, y in course.checkpoints],
        "energy": [{"x": x, "y": y} for x, y in course.energy],
        "moving_checkpoints": course.moving_checkpoints,
        "start_facing": DIRECTIONS[course.start_facing],
    }
    if EDITIONS[course.edition].special:
        found["special_rules"] = list(course.special_rules)
    if course.antenna is not None:
        x, y, facing = course.antenna
        found["antenna"] = {"x": x, "y": y, "facing": DIRECTIONS[facing]}
    return found
