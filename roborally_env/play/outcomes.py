"""What each answer of a question would lead to now, in a few words.

A copy of the race goes on with each answer, up to the next card: so no answer shows anything that depends on a card
that is still hidden, or on what others decide.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from roborally_env.base.types import Record
from roborally_env.batch import BatchRace
from roborally_env.core.state import REGISTERS
from roborally_env.courses.tables import WIDTH
from roborally_env.play.text import joined

MOST_ANSWERS = 8  # more are not tried
ENDS = frozenset({"round", "register", "card", "draw", "drawn", "hand"})  # kinds of events at which a description stops
NOTHING = "nothing changes"
_FACINGS = ("north", "east", "south", "west")


def outcomes(batch: BatchRace, options: Sequence[int]) -> tuple[str, ...]:
    """What each option of the open choice leads to, for all robots; empty texts where all lead to the same.

    Args:
        batch: of one race, with frames, which asks for the choice; it does not change.
        options: the legal ones.
    """
    if not 2 <= len(options) <= MOST_ANSWERS:
        return ("",) * len(options)
    found = tuple(_outcome(batch, option) for option in options)
    return found if len(set(found)) > 1 else ("",) * len(options)


def _outcome(batch: BatchRace, option: int) -> str:
    led = batch.frames_of(0, partial=True)
    known = len(led) - len(batch.frames_of(0))
    before = led[-1] if known else batch.games[0].copy()  # the record is put back to where this part of the round began
    trial = batch.copy()
    choices = np.zeros((1, batch.players), np.int8)
    choices[0, int(batch.games[0]["ask_seat"])] = 1 + option
    trial.step(np.zeros((1, batch.players, REGISTERS), np.int8), choices)
    after = before
    events, frames = trial.events_of(0, partial=True)[known:], trial.frames_of(0, partial=True)[known:]
    for event, frame in zip(events, frames, strict=True):
        after = frame  # of the last event too: that card is only shown
        if event["kind"] in ENDS:
            break
    asked = int(batch.games[0]["ask_seat"])
    changes = []
    for robot in sorted(range(batch.players), key=lambda each: each != asked):
        if words := _changes(before, after, robot):
            changes.append(f"{'your robot' if robot == asked else f'robot {robot}'} {joined(words)}")
    return "; ".join(changes) or NOTHING


def _changes(before: Record, after: Record, robot: int) -> list[str]:
    """What changes for a robot, in a few words."""
    words = []
    if int(after["cell"][robot]) < 0 <= int(before["cell"][robot]):
        words.append("leaves the board")
    elif after["cell"][robot] != before["cell"][robot]:
        words.append(f"ends on {int(after['cell'][robot]) % WIDTH},{int(after['cell'][robot]) // WIDTH}")
    is_placed = int(before["cell"][robot]) < 0 <= int(after["cell"][robot])
    if int(after["cell"][robot]) >= 0 and (is_placed or after["facing"][robot] != before["facing"][robot]):
        words.append(f"faces {_FACINGS[int(after['facing'][robot])]}")
    damage = _damage(after, robot) - _damage(before, robot)
    if damage > 0:
        words.append(f"takes {damage} damage")
    return words


def _damage(game: Record, robot: int) -> int:
    """Damage tokens, or the damage cards that a robot has taken."""
    return int(game["damage"][robot] if "damage" in game.dtype.names else game["taken"][robot].sum())
