"""The facts about a race that the viewer needs first: the course's picture, the robots, the names of cards."""

from __future__ import annotations

from collections.abc import Sequence

from roborally_env.base.types import JsonObject
from roborally_env.batch import BatchRace
from roborally_env.cards.listing import list_cards
from roborally_env.courses import EDITIONS, Course
from roborally_env.courses.special import TEAMS
from roborally_env.render.svg import (
    ROBOT_COLORS,
    ROBOT_NAMES,
    archive_svg,
    board_svg,
    checkpoint_svg,
    cube_svg,
    robot_svg,
)

FORMAT = 1


def header_of(batch: BatchRace, agents: Sequence[str], *, index: int = 0, title: str = "") -> JsonObject:
    """The header of a game's timeline; docs/watch.md describes it."""
    course = batch.courses[int(batch.games[index]["course"])]
    word = EDITIONS[batch.edition].checkpoint
    many = len(course.checkpoints)
    cards = list_cards(batch.edition)
    header = {
        "format": FORMAT,
        "title": title or course.title,
        "course": course.slug,
        "course_title": course.title,
        "edition": batch.edition,
        "game": batch.game,
        "width": course.width,
        "height": course.height,
        "boards": {"0": board_picture(course)},
        "checkpoints": many,
        "checkpoint_word": word,
        "special_rules": list(course.special_rules),
        "robots": _robots(batch, agents, index),
        "symbols": {
            "checkpoints": [checkpoint_svg(number, word) for number in range(1, many + 1)],
            "cube": cube_svg(),
            "archives": [archive_svg(robot) for robot in range(batch.players)] if batch.kind.has("archive") else [],
        },
        "cards": {c.name: {"title": c.title, "rule": c.rule} for c in cards if c.type in _PLAYED},
    }
    if batch.upgrades:
        header["upgrades"] = {
            c.name: {"title": c.title, "rule": c.rule, "cost": c.cost, "type": c.type}
            for c in cards
            if c.cost is not None
        }
    if batch.kind.has("options"):
        header["options"] = {c.name: {"title": c.title, "rule": c.rule} for c in cards if c.type == "option"}
    return header


_PLAYED = ("programming", "special", "damage")


def board_picture(course: Course) -> str:
    """The picture of the course without moving pieces, with each ramp both on and off."""
    return board_svg(course, checkpoints=False, cubes=False, both_ramps=True)


def _robots(batch: BatchRace, agents: Sequence[str], index: int) -> list[JsonObject]:
    """The robots: one dict for each."""
    game = batch.games[index]
    teams = batch.kind.has("team") and int(game["special"]) & TEAMS
    robots = []
    for seat, agent in enumerate(agents):
        robot = {
            "number": seat,
            "name": ROBOT_NAMES[seat],
            "agent": str(agent).strip() or f"robot_{seat}",
            "color": ROBOT_COLORS[seat],
            "svg": robot_svg(seat),
        }
        if batch.robots_each > 1:
            robot |= {"player": seat // batch.robots_each, "role": ("racer", "blocker")[seat % 2]}
        if teams:
            robot["team"] = int(game["team"][seat])
        robots.append(robot)
    return robots
