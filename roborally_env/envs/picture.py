"""A race as text for the terminal."""

from __future__ import annotations

from typing import Any

from roborally_env.batch import BatchRace
from roborally_env.core.options import TABLE as OPTIONS
from roborally_env.core.state import CLASSIC
from roborally_env.courses import turned_course
from roborally_env.courses.tables import WIDTH
from roborally_env.render.ansi import draw

# fields with a bit a robot, and what players say of one that is set
_STATES = (("down", "powered down"), ("announced", "powers down next"), ("destroyed", "off the board"))


def picture(batch: BatchRace, color: bool = True) -> str:
    """The batch's first race: a headline, a line a robot, and the board."""
    game = batch.games[0]
    course, classic = batch.courses[int(game["course"])], batch.game == CLASSIC
    if classic:
        course = turned_course(course, tuple(int(n) for n in game["turned"][: len(course.boards)]))
    robots = [_robot(game, r) for r in range(batch.players)]
    checkpoints = [
        (i + 1, int(cell) % WIDTH, int(cell) // WIDTH) for i, cell in enumerate(game["checkpoint"]) if cell >= 0
    ]
    lines = [f"{course.title}, {'turn' if classic else 'round'} {int(game['round_number'])}"]
    tell = _told_2005 if classic else _told_2016
    lines += [f"  robot {r}: {tell(game, r, len(course.checkpoints))}" for r in range(batch.players)]
    on_board = [robot for robot in robots if robot["y"] >= 0]
    cubes = () if classic else _cubes(batch, game)
    board = draw(course, on_board, color=color, checkpoints=checkpoints, cubes=cubes)
    return "\n".join([*lines, "", board])


def _told_2016(game: Any, r: int, many: int) -> str:
    """A robot of the 2016 game in words."""
    return (
        f"checkpoint {int(game['reached'][r])} of {many}, "
        f"energy {int(game['energy'][r])}, damage cards taken {int(game['taken'][r].sum())}, "
        f"reboots {int(game['reboots'][r])}"
    )


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


def _robot(game: Any, r: int) -> dict[str, Any]:
    cell = int(game["cell"][r])
    return {
        "number": r,
        "x": cell % WIDTH,
        "y": cell // WIDTH,  # below 0 while it falls
        "facing": int(game["facing"][r]),
        # a mark on the robot; in 2005 it stands for one that is powered down
        "rebooted": bool(int(game["rebooted" if "rebooted" in game.dtype.names else "down"]) >> r & 1),
    }


def _cubes(batch: BatchRace, game: Any) -> list[tuple[int, int]]:
    """Cells of the energy cubes that are left."""
    tables = batch.maps.courses[int(game["course"])]
    cells = [int(cell) for cell in tables["energy_cell"][: int(tables["energy_spaces"])]]
    return [(cell % WIDTH, cell // WIDTH) for i, cell in enumerate(cells) if int(game["cubes"]) >> i & 1]
