"""A race as text for the terminal."""

from __future__ import annotations

from typing import Any

from roborally_env.batch import BatchRace
from roborally_env.courses.tables import WIDTH
from roborally_env.render.ansi import draw


def picture(batch: BatchRace, color: bool = True) -> str:
    """The batch's first race: a headline, a line a robot, and the board."""
    game = batch.games[0]
    course = batch.courses[int(game["course"])]
    robots = [_robot(game, r) for r in range(batch.players)]
    checkpoints = [
        (i + 1, int(cell) % WIDTH, int(cell) // WIDTH) for i, cell in enumerate(game["checkpoint"]) if cell >= 0
    ]
    lines = [f"{course.title}, round {int(game['round_number'])}"]
    lines += [
        f"  robot {r}: checkpoint {int(game['reached'][r])} of {len(course.checkpoints)}, "
        f"energy {int(game['energy'][r])}, damage cards taken {int(game['taken'][r].sum())}, "
        f"reboots {int(game['reboots'][r])}"
        for r in range(batch.players)
    ]
    on_board = [robot for robot in robots if robot["y"] >= 0]
    board = draw(course, on_board, color=color, checkpoints=checkpoints, cubes=_cubes(batch, game))
    return "\n".join([*lines, "", board])


def _robot(game: Any, r: int) -> dict[str, Any]:
    cell = int(game["cell"][r])
    return {
        "number": r,
        "x": cell % WIDTH,
        "y": cell // WIDTH,  # below 0 while it falls
        "facing": int(game["facing"][r]),
        "rebooted": bool(int(game["rebooted"]) >> r & 1),
    }


def _cubes(batch: BatchRace, game: Any) -> list[tuple[int, int]]:
    """Cells of the energy cubes that are left."""
    tables = batch.maps.courses[int(game["course"])]
    cells = [int(cell) for cell in tables["energy_cell"][: int(tables["energy_spaces"])]]
    return [(cell % WIDTH, cell // WIDTH) for i, cell in enumerate(cells) if int(game["cubes"]) >> i & 1]
