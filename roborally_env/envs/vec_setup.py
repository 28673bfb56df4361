"""Checks of the vector interfaces' arguments, and the rows that a learner plays."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any, Unpack

from gymnasium.vector import AutoresetMode

from roborally_env.arguments import Courses, CourseSource, check_players, course_source
from roborally_env.base.checks import check_choice, check_whole, shown
from roborally_env.base.errors import RoboRallyError
from roborally_env.batch import BatchRace
from roborally_env.batch.options import RaceOptions
from roborally_env.envs.make import ACTIONS
from roborally_env.envs.spaces import check_observation
from roborally_env.envs.vec_forms import check_ghost, make_form
from roborally_env.envs.vec_opponents import Opponents, OpponentSeats
from roborally_env.envs.vec_races import MAX_SEED, Races, SeatRaces, SelfPlayRaces
from roborally_env.envs.vec_rows import Rows

MAX_ENVS = 1_000_000


def check_mode(mode: Any) -> AutoresetMode:
    """The mode, given as an AutoresetMode, its name ("NEXT_STEP") or its value ("NextStep")."""
    for known in AutoresetMode:
        if mode is known or (isinstance(mode, str) and mode in (known.name, known.value)):
            return known
    names = ", ".join(known.name for known in AutoresetMode)
    raise RoboRallyError(f"autoreset_mode: expected one of {names}, got {shown(mode)}")


def check_seed(seed: Any, count: int) -> int:
    """The checked seed of the first of `count` sub-envs; the others have the seeds that follow it."""
    return check_whole(seed, "seed", 0, MAX_SEED + 1 - count)


def players_for(opponents: Any, players: int | None, source: CourseSource) -> int:
    """The number of players of races with these opponents; each seat is a robot.

    Raises:
        RoboRallyError: if they do not fit each other or the course.
    """
    each = source.robots_each
    if players is not None:
        check_players(players, source.courses)
    if isinstance(opponents, str) or not isinstance(opponents, Sequence) or not opponents:
        return 4 if players is None else players  # one agent for all other seats, or a wrong value that raises later
    seats = 1 + len(opponents)
    if players is not None and players * each != seats:
        raise RoboRallyError(f"opponents: expected {players * each - 1} for {players} players, got {len(opponents)}")
    if seats % each:
        raise RoboRallyError(f"opponents: expected {each} robots a player, got {seats} in all")
    return seats // each


def races_behind(num_envs: Any, opponents: Any, players: int | None, source: CourseSource) -> int:
    """The number of races of `num_envs` sub-envs. Without opponents every seat is a sub-env; else one of each race is.

    Raises:
        RoboRallyError: for a number that leaves a race with only some of its seats, and as `players_for`.
    """
    count = check_whole(num_envs, "num_envs", 1, MAX_ENVS)
    if opponents is not None:
        return count
    seats = players_for(None, players, source) * source.robots_each
    if count % seats:
        raise RoboRallyError(
            f"num_envs: expected a multiple of {seats}, one for each seat (there are no opponents), got {count}"
        )
    return count // seats


def make_seat_races(batch: BatchRace, opponents: Opponents, seat: Any, seed: int) -> SeatRaces:
    """Races with one seat for the learner."""
    if isinstance(seat, str):
        check_choice(seat, "seat", ("random",))
        return SeatRaces(batch, OpponentSeats(batch, opponents), None, seed)
    own = check_whole(seat, "seat", 0, batch.players - 1)
    return SeatRaces(batch, OpponentSeats(batch, opponents), own, seed)


def make_learner_rows(
    num_games: int,
    course: Courses | None,
    *,
    copy: bool,
    opponents: Opponents | None,
    seat: int | str,
    players: int | None,
    seed: int | None,
    threads: int,
    action: str,
    ghost: bool,
    observation: str = "symbolic",
    dtype: str = "float32",
    observations: Sequence[str] = ("symbolic", "planes", "vector"),
    **options: Unpack[RaceOptions],
) -> tuple[Rows, int]:
    """The rows of a learner that plays every seat, or with `opponents` one seat of each game, and the seed of row 0.

    Args:
        num_games, course: as BatchRace.
        copy: as Rows.
        observations: those that there are.
        opponents, seat, players, seed, threads, action, ghost, observation, dtype, options: see `envs.options`.

    Raises:
        RoboRallyError: for any value outside these.
    """
    check_whole(num_games, "num_games", 1, MAX_ENVS)
    check_observation(observation, observations)
    check_choice(action, "action", ACTIONS)
    check_ghost(ghost, action)
    if opponents is None:
        if not isinstance(seat, str) or seat != "random":
            raise RoboRallyError(f"seat: expected none without opponents (every seat learns), got {shown(seat)}")
    source = course_source(course, options["edition"])
    players = players_for(opponents, players, source)
    seen = "planes" if observation == "planes" else "symbolic"
    # with opponents the learner's one seat is shown when it decides, and at the end of a race
    every = opponents is None
    batch = BatchRace(
        num_games, source, players=players, observation=seen, observe_idle=every, threads=threads, **options
    )
    count = num_games * (batch.players if opponents is None else 1)
    first = secrets.randbits(32) if seed is None else check_seed(seed, count)
    races: Races
    races = SelfPlayRaces(batch) if opponents is None else make_seat_races(batch, opponents, seat, first)
    return Rows(races, make_form(action, batch, count, ghost), observation, copy, dtype), first
