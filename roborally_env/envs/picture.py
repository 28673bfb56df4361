"""A race of a batch as drawings take it: as text for the terminal, and as what a frame shows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from roborally_env.arguments import check_whole
from roborally_env.batch import BatchRace
from roborally_env.batch.views import ramps_on
from roborally_env.core.cards import SPAM, TROJAN_HORSE
from roborally_env.core.options import TABLE as OPTIONS
from roborally_env.core.state import CLASSIC, COMMUNITY
from roborally_env.courses import Course, turned_course
from roborally_env.courses.tables import WIDTH
from roborally_env.render.ansi import draw
from roborally_env.render.figures import Figure
from roborally_env.render.frames import Shown, frame

# fields with a bit a robot, and what players say of one that is set
_STATES = (("down", "powered down"), ("announced", "powers down next"), ("destroyed", "off the board"))
_COMMUNITY_STATES = (*_STATES[:2], ("virtual", "virtual"), ("stomped", "acts last in the next register"))
# on these courses flags are reached in no order
_UNORDERED = frozenset({"claims", "capture_the_flag"})


def picture(batch: BatchRace, color: bool = True, index: int = 0) -> str:
    """One of the batch's races as text: a headline, a line a robot, and the board."""
    game, course = batch.games[index], course_of(batch, index)
    tell = {CLASSIC: _told_2005, COMMUNITY: _told_community}.get(batch.game, _told_2016)
    lines = [f"{course.title}, {moment_of(batch, index)}"]
    lines += [f"  robot {r}: {tell(game, r, len(course.checkpoints))}" for r in range(batch.players)]
    robots = [robot for robot in figures_of(batch, index) if robot.on_board]
    # a mark on the robot; in 2005 and by community rules it stands for one that is powered down
    marked = [robot._replace(rebooted=robot.rebooted or robot.powered_down) for robot in robots]
    places, cubes, ramps = checkpoints_of(batch, index), cubes_of(batch, index), ramps_of(batch, index)
    return "\n".join([*lines, "", draw(course, marked, color=color, checkpoints=places, cubes=cubes, ramps=ramps)])


def check_size(size: int) -> int:
    """The size itself. Raises RoboRallyError where a frame cannot be that large."""
    return check_whole(size, "render_size", 200, 4000)


def rendered(
    batch: BatchRace, mode: str, size: int, names: Sequence[str] = (), index: int = 0
) -> str | NDArray[np.uint8]:
    """One of the batch's races for render_mode "ansi" or "rgb_array". names: of the robots in a frame."""
    if mode == "ansi":
        return picture(batch, index=index)
    return frame(shown_by(batch, names, index), size=size)


def shown_by(batch: BatchRace, names: Sequence[str] = (), index: int = 0) -> Shown:
    """What a frame shows of one of the batch's races. names: of the robots; without them "robot 0" and so on."""
    robots = figures_of(batch, index)
    if names:
        robots = [robot._replace(name=name) for robot, name in zip(robots, names, strict=True)]
    places, cubes, ramps = checkpoints_of(batch, index), cubes_of(batch, index), ramps_of(batch, index)
    return Shown(course_of(batch, index), moment_of(batch, index), tuple(robots), tuple(places), tuple(cubes), ramps)


def course_of(batch: BatchRace, index: int = 0) -> Course:
    """The course of a race, its boards as they lie now."""
    game = batch.games[index]
    course = batch.courses[int(game["course"])]
    if batch.game != CLASSIC:
        return course
    return turned_course(course, tuple(int(n) for n in game["turned"][: len(course.boards)]))


def moment_of(batch: BatchRace, index: int = 0) -> str:
    """ "round 3", or in 2005 "turn 3"."""
    return f"{'turn' if batch.game == CLASSIC else 'round'} {int(batch.games[index]['round_number'])}"


def checkpoints_of(batch: BatchRace, index: int = 0) -> list[tuple[int, int, int]]:
    """(number, x, y) of each checkpoint where it is now; one that is nowhere is left out."""
    cells = enumerate(batch.games[index]["checkpoint"])
    return [(i + 1, int(cell) % WIDTH, int(cell) // WIDTH) for i, cell in cells if cell >= 0]


def cubes_of(batch: BatchRace, index: int = 0) -> list[tuple[int, int]]:
    """Cells of the energy cubes that are left."""
    if batch.game == CLASSIC:
        return []
    game = batch.games[index]
    tables = batch.maps.courses[int(game["course"])]
    cells = [int(cell) for cell in tables["energy_cell"][: int(tables["energy_spaces"])]]
    return [(cell % WIDTH, cell // WIDTH) for i, cell in enumerate(cells) if int(game["cubes"]) >> i & 1]


def ramps_of(batch: BatchRace, index: int = 0) -> tuple[tuple[int, int], ...] | None:
    """Cells of the ramps that are on; None in editions that have none."""
    if batch.game != COMMUNITY:
        return None
    game = batch.games[index]
    return ramps_on(batch.maps.courses[int(game["course"])], int(game["ramps"]))


def figures_of(batch: BatchRace, index: int = 0) -> list[Figure]:
    """The robots of a race."""
    game, course = batch.games[index], batch.courses[int(batch.games[index]["course"])]
    read = {CLASSIC: _figure_2005, COMMUNITY: _figure_community}.get(batch.game, _figure_2016)
    ordered = not _UNORDERED & set(course.special_rules)
    found = []
    for r in range(batch.players):
        cell, blocker = int(game["cell"][r]), course.robots_each > 1 and r % 2
        robot = Figure(
            number=r,
            x=cell % WIDTH if cell >= 0 else -1,  # below 0 while it falls
            y=cell // WIDTH if cell >= 0 else -1,
            facing=int(game["facing"][r]),
            checkpoint=int(game["reached"][r]) if ordered and not blocker else None,
        )
        found.append(read(robot, game))
    return found


def _figure_2016(robot: Figure, game: Any) -> Figure:
    r = robot.number
    own = np.concatenate([game[where][r] for where in ("hand", "registers", "laid_on", "pile")])
    return robot._replace(
        damage=int(((own >= SPAM) & (own <= TROJAN_HORSE)).sum()),
        energy=int(game["energy"][r]),
        rebooted=bool(int(game["rebooted"]) >> r & 1),
    )


def _figure_community(robot: Figure, game: Any) -> Figure:
    r = robot.number
    return robot._replace(
        damage=int(game["damage"][r]),
        energy=int(game["energy"][r]),
        powered_down=bool(int(game["down"]) >> r & 1),
        virtual=bool(int(game["virtual"]) >> r & 1),
        out=int(game["cell"][r]) < 0 and int(game["place"][r]) > 0,
    )


def _figure_2005(robot: Figure, game: Any) -> Figure:
    r, archive = robot.number, int(game["archive"][robot.number])
    return robot._replace(
        damage=int(game["damage"][r]),
        lives=int(game["lives"][r]),
        archive=(archive % WIDTH, archive // WIDTH) if archive >= 0 else None,
        powered_down=bool(int(game["down"]) >> r & 1),
        out=int(game["lives"][r]) == 0,
    )


def _told_2016(game: Any, r: int, many: int) -> str:
    """A robot of the 2016 game in words."""
    return (
        f"checkpoint {int(game['reached'][r])} of {many}, "
        f"energy {int(game['energy'][r])}, damage cards taken {int(game['taken'][r].sum())}, "
        f"reboots {int(game['reboots'][r])}"
    )


def _told_community(game: Any, r: int, many: int) -> str:
    """A robot of a game by community rules in words."""
    off = "at the goal" if game["place"][r] else "destroyed"
    parts = [
        f"checkpoint {int(game['reached'][r])} of {many}",
        f"damage {int(game['damage'][r])}",
        f"energy {int(game['energy'][r])}",
        f"destroyed {int(game['reboots'][r])} times",
        off if game["cell"][r] < 0 else "",
        *(words for bits, words in _COMMUNITY_STATES if int(game[bits]) >> r & 1),
    ]
    return ", ".join(part for part in parts if part)


def _told_2005(game: Any, r: int, many: int) -> str:
    """A robot of the 2005 game in words."""
    archive = int(game["archive"][r])
    parts = [
        f"flag {int(game['reached'][r])} of {many}" if many else "",
        f"damage {int(game['damage'][r])}",
        f"lives {int(game['lives'][r])}",
        f"archive {archive % WIDTH},{archive // WIDTH}" if archive >= 0 else "",
        *(words for bits, words in _STATES if int(game[bits]) >> r & 1),
        "the SuperBot" if int(game["superbot"]) == r else "",
        *(OPTIONS[o - 1].title for o in range(1, len(OPTIONS) + 1) if int(game["options"][r]) >> o & 1),
    ]
    return ", ".join(part for part in parts if part)
