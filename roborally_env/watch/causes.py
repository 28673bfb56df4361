"""What led to an event that the log leaves out: what stopped a robot, who pushed or pulled it with a weapon."""

from __future__ import annotations

from collections.abc import Sequence

from roborally_env.base.types import JsonObject, Record
from roborally_env.courses.tables import BLOCKED, PIT, STEP, cell_of
from roborally_env.watch.state import Event

# upgrades and options that move the robot that they hit, and how
SHIFTING = {"tractor_beam": "pulled", "pressor_beam": "pushed", "mini_howitzer": "pushed"}
Weapon = tuple[int, str]  # who has used it, its name


def obstacle(event: Event, robots: Sequence[JsonObject], ground: Record) -> str:
    """What stopped a robot, in words: a wall, the antenna, a higher floor, or a robot and what stopped that.

    Args:
        event: of the kind `blocked`.
        robots: the robots in the state before it.
        ground: the course's tables.
    """
    direction = "NESW".index(event["direction"])
    standing = {cell_of(*r["at"]): seat for seat, r in enumerate(robots) if r["at"] and not r.get("virtual")}
    cell = cell_of(*event["cell"])
    before = ""
    for _ in robots:
        to = int(ground.next[cell, direction])
        if to == BLOCKED:
            thing = "the antenna" if cell + STEP[direction] == ground.antenna else "a wall"
            return f"{before}{thing}"
        cell = PIT - to if to <= PIT else to
        other = standing.get(cell)
        if other is None:
            break
        before = f"{{{other}}}, which cannot be pushed because of "
    return f"{before}a higher floor"


def weapon_of(event: Event, robots: Sequence[JsonObject], used: Sequence[Weapon]) -> Weapon | None:
    """Who moved a robot by a weapon: the latest user in line with it whose weapon moves robots that way; else None."""
    (x, y), (to_x, to_y) = event["from"], event["to"]
    for robot, weapon in reversed(used):
        if robots[robot]["at"] is None:
            continue
        at_x, at_y = robots[robot]["at"]
        away = (_sign(x - at_x), _sign(y - at_y))
        way = (to_x - x, to_y - y)
        if way == (away if SHIFTING[weapon] == "pushed" else (-away[0], -away[1])):
            return robot, weapon
    return None


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)
