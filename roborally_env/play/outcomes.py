"""What each answer of a question would lead to now, in a few words.

A copy of the race goes on with each answer, up to the next card: so no answer shows anything that depends on a card
that is still hidden, or on what others decide.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from roborally_env.base.text import joined
from roborally_env.base.types import Record
from roborally_env.batch import BatchRace
from roborally_env.core.state import NOBODY, REGISTERS
from roborally_env.courses.tables import WIDTH

MOST_ANSWERS = 8  # more are not tried
ENDS = frozenset({"round", "register", "card", "draw", "drawn", "hand"})  # kinds of events at which a description stops
NOTHING = "nothing changes"
QUESTION = "another question follows"
_FACINGS = ("north", "east", "south", "west")


def outcomes(batch: BatchRace, options: Sequence[int]) -> tuple[str, ...]:
    """What each option of the open choice leads to, for all robots; empty texts where all lead to the same. Where some
    lead to another question first, their texts say so: more may happen after it. Where options differ only in what they
    cost, which may pay off later, those without a cost have an empty text.

    Args:
        batch: of one race, with frames, which asks for the choice; it does not change.
        options: the legal ones.
    """
    if not 2 <= len(options) <= MOST_ANSWERS:
        return ("",) * len(options)
    found = [_outcome(batch, option) for option in options]
    if len(set(found)) == 1:
        return ("",) * len(options)
    differ = len({outcome.asks for outcome in found}) > 1
    nothing = NOTHING if any(outcome.changes for outcome in found) else ""
    return tuple("; ".join(_parts(outcome, differ)) or nothing for outcome in found)


def _parts(outcome: _Outcome, says_question: bool) -> tuple[str, ...]:
    follows = (QUESTION,) if says_question and outcome.asks else ()
    return outcome.changes + outcome.costs + follows


class _Outcome(NamedTuple):
    """What an option leads to before the next card."""

    changes: tuple[str, ...]
    costs: tuple[str, ...]
    asks: bool  # whether another question comes first


def _outcome(batch: BatchRace, option: int) -> _Outcome:
    led = batch.frames_of(0, partial=True)
    known = len(led) - len(batch.frames_of(0))
    before = led[-1] if known else batch.games[0].copy()  # the record is put back to where this part of the round began
    trial = batch.copy()
    choices = np.zeros((1, batch.players), np.int8)
    choices[0, int(batch.games[0]["ask_seat"])] = 1 + option
    trial.step(np.zeros((1, batch.players, REGISTERS), np.int8), choices)
    after, asks = before, int(trial.games[0]["ask_seat"]) != NOBODY
    events, frames = trial.events_of(0, partial=True)[known:], trial.frames_of(0, partial=True)[known:]
    for event, frame in zip(events, frames, strict=True):
        after = frame  # of the last event too: that card is only shown
        if event["kind"] in ENDS:
            asks = False
            break
    asked = int(batch.games[0]["ask_seat"])
    robots = sorted(range(batch.players), key=lambda each: each != asked)

    def of_all(found: Callable[[Record, Record, int], list[str]]) -> tuple[str, ...]:
        words = {"your robot" if robot == asked else f"robot {robot}": found(before, after, robot) for robot in robots}
        return tuple(f"{who} {joined(what)}" for who, what in words.items() if what)

    return _Outcome(of_all(_changes), of_all(_costs), asks)


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


def _costs(before: Record, after: Record, robot: int) -> list[str]:
    """The cubes that a robot pays or gains, and the upgrades or options that it discards, in a few words."""
    words, names = [], after.dtype.names
    if "energy" in names and (more := int(after["energy"][robot]) - int(before["energy"][robot])):
        words.append(f"{'gains' if more > 0 else 'pays'} {abs(more)} energy")
    for field, card in (("owned", "upgrade"), ("options", "option card")):
        if field in names and (lost := int(before[field][robot]) & ~int(after[field][robot])):
            words.append(f"discards {lost.bit_count()} {card}{'s' * (lost.bit_count() > 1)}")
    return words


def _damage(game: Record, robot: int) -> int:
    """Damage tokens, or the damage cards that a robot has taken."""
    return int(game["damage"][robot] if "damage" in game.dtype.names else game["taken"][robot].sum())
