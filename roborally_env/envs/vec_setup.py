"""Checks of the vector interfaces' arguments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gymnasium.vector import AutoresetMode

from roborally_env.arguments import Courses, check_choice, check_courses, check_players, check_whole
from roborally_env.batch import BatchRace
from roborally_env.envs.vec_crews import Crews, Opponents
from roborally_env.envs.vec_races import MAX_SEED, SeatRaces
from roborally_env.errors import RoboRallyError

MAX_ENVS = 1_000_000


def check_mode(mode: Any) -> AutoresetMode:
    """The mode, given as an AutoresetMode, its name ("NEXT_STEP") or its value ("NextStep")."""
    for known in AutoresetMode:
        if mode is known or mode in (known.name, known.value):
            return known
    names = ", ".join(known.name for known in AutoresetMode)
    raise RoboRallyError(f"autoreset_mode: expected one of {names}, got {mode!r}")


def check_seed(seed: Any, count: int) -> int:
    """The checked seed of the first of `count` sub-envs; the others have the seeds that follow it."""
    return check_whole(seed, "seed", 0, MAX_SEED + 1 - count)


def players_for(opponents: Any, players: int | None, course: Courses | None, edition: str | None) -> int:
    """The number of players of races with these opponents; each seat is a robot.

    Raises:
        RoboRallyError: if they do not fit each other or the course.
    """
    courses = check_courses(course, edition)
    each = courses[0].robots_each
    if players is not None:
        check_players(players, courses)
    if isinstance(opponents, str) or not isinstance(opponents, Sequence) or not opponents:
        return 4 if players is None else players  # one agent for all other seats, or a wrong value that raises later
    seats = 1 + len(opponents)
    if players is not None and players * each != seats:
        raise RoboRallyError(f"opponents: expected {players * each - 1} for {players} players, got {len(opponents)}")
    if seats % each:
        raise RoboRallyError(f"opponents: expected {each} robots a player, got {seats} in all")
    return seats // each


def make_seat_races(batch: BatchRace, opponents: Opponents, seat: Any, seed: int) -> SeatRaces:
    """Races with one seat for the learner."""
    if isinstance(seat, str):
        check_choice(seat, "seat", ("random",))
        return SeatRaces(batch, Crews(batch, opponents, seed), None, seed)
    own = check_whole(seat, "seat", 0, batch.players - 1)
    return SeatRaces(batch, Crews(batch, opponents, seed), own, seed)
