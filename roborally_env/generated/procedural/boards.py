"""`make_board`: a board of the generator's own, painted motif by motif."""

from __future__ import annotations

from roborally_env.base.errors import CourseError
from roborally_env.courses.model import Board, E, N, S, W
from roborally_env.generated.draws import Draws
from roborally_env.generated.procedural import alongside, passes
from roborally_env.generated.procedural.belts import paint_belts
from roborally_env.generated.procedural.canvas import SYMMETRIES, Canvas
from roborally_env.generated.procedural.floors import paint_buttons, paint_plateaus
from roborally_env.generated.procedural.machines import paint_gears, paint_lasers, paint_pushers
from roborally_env.generated.procedural.scatter import (
    paint_energy,
    paint_hazards,
    paint_one_ways,
    paint_own,
    paint_pits,
    paint_repairs,
    paint_walls,
)
from roborally_env.generated.procedural.targets import Targets, draw_targets
from roborally_env.generated.procedural.ways import holds_together
from roborally_env.generated.specification import Specification
from roborally_env.generated.style import STYLES

_TRIES = 50


def make_board(
    home: str, width: int, height: int, specification: Specification, draws: Draws, band: int | None = None
) -> Board:
    """`paint_board`, as a board."""
    return paint_board(home, width, height, specification, draws, band).board()


def paint_board(
    home: str,
    width: int,
    height: int,
    specification: Specification,
    draws: Draws,
    band: int | None = None,
    pits: int = 400,
) -> Canvas:
    """A board that no factory has yet, painted; `Canvas.board` makes its elements.

    Args:
        home: the edition that it is of.
        width, height: its cells, 6 to 20.
        specification: given densities are met as closely as the board has room; others are drawn.
        draws: where all choices come from.
        band: 1 to 5: higher ones have more pits, lasers, pushers and hazards.
        pits: the most of them, if their share was not given.

    Raises:
        CourseError: if no try gave a board whose floor is in one piece.
    """
    weights = STYLES[home].symmetries if width == height else (*STYLES[home].symmetries[:2], 0)
    for _ in range(_TRIES):
        targets = draw_targets(home, width, height, specification, draws, band, pits)
        canvas = Canvas(home, width, height, draws.weighted(tuple(SYMMETRIES), weights))
        if min(width, height) > 8:
            _wall_rim(canvas)
        if specification.version == 1:
            _strew(canvas, targets, draws)
        else:
            _compose(canvas, targets.in_images(len(canvas.turns), draws), draws)
        paint_own(canvas, draws)
        if holds_together(canvas):
            return canvas
    raise CourseError(f"made board: no floor in one piece for {specification}; ask for fewer walls, pits or heights")


def _compose(canvas: Canvas, targets: Targets, draws: Draws) -> None:
    """Tiles belong to ways: belts first, then what stands along them, then what is in between."""
    asked = targets.asked
    groups, tops = paint_plateaus(canvas, targets["heights"], draws, "heights" in asked)
    paint_belts(canvas, targets["belts"], draws, "belts" in asked, tops, inward=True)
    alongside.paint_gears(canvas, targets["gears"], draws, "gears" in asked)
    passes.paint_pits(canvas, targets["pits"], draws, "pits" in asked)
    alongside.paint_pushers(canvas, targets["pushers"], targets.walls_for("pushers"), draws, "pushers" in asked)
    alongside.paint_lasers(canvas, targets["lasers"], targets.walls_for("lasers"), draws, "lasers" in asked)
    paint_one_ways(canvas, targets["one_ways"], targets["walls"], draws)
    passes.paint_walls(canvas, targets["walls"], draws, "walls" in asked)
    paint_buttons(canvas, groups, draws)
    paint_repairs(canvas, targets["repairs"], draws)
    passes.paint_energy(canvas, targets["energy"], draws, "energy" in asked)
    passes.paint_hazards(canvas, targets["hazards"], draws, "hazards" in asked)


def _strew(canvas: Canvas, targets: Targets, draws: Draws) -> None:
    """As in version 1 of the generator: tiles lie where there is room, at random."""
    groups, tops = paint_plateaus(canvas, targets["heights"], draws, "heights" in targets.asked)
    paint_belts(canvas, targets["belts"], draws, "belts" in targets.asked, tops)
    paint_gears(canvas, targets["gears"], draws)
    paint_pits(canvas, targets["pits"], draws)
    paint_pushers(canvas, targets["pushers"], targets.walls_for("pushers"), draws)
    paint_lasers(canvas, targets["lasers"], targets.walls_for("lasers"), draws, "lasers" in targets.asked)
    paint_one_ways(canvas, targets["one_ways"], targets["walls"], draws)
    paint_walls(canvas, targets["walls"], draws)
    paint_buttons(canvas, groups, draws)
    paint_repairs(canvas, targets["repairs"], draws)
    paint_energy(canvas, targets["energy"], draws)
    paint_hazards(canvas, targets["hazards"], draws)


def _wall_rim(canvas: Canvas) -> None:
    """The walls at the rim that each board of some editions has."""
    for place in canvas.style.rim:
        x, y = place % canvas.width, place % canvas.height
        canvas.wall(x, N)
        canvas.wall(canvas.cells - canvas.width + x, S)
        canvas.wall(y * canvas.width, W)
        canvas.wall(y * canvas.width + canvas.width - 1, E)
