"""The columns of both tables, from which the writer, the docs and the tests take them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from roborally_env.base.errors import cut
from roborally_env.base.types import DType, JsonObject

SCHEMA_VERSION = 1  # raised with each change of a column

# lengths of lists; those by seat and by round vary
HAND, REGISTERS, SYMBOLIC, SEATS, ROUNDS = "hand", "registers", "symbolic", "seats", "rounds"
VARYING = (SEATS, ROUNDS)
_WORDS = {str: "words", bool: "true or false", float: "numbers", int: "whole numbers"}


class Column(NamedTuple):
    """One column of a table."""

    name: str
    dtype: str  # of the values; of a column of names, of their numbers
    length: str  # of the list in each row; "" where a row has one value
    named: str  # what the numbers stand for, written as text; "" where they are written themselves
    meaning: str


# fmt: off
STEPS = (
    Column("episode",   "i8", "", "", "number of the race: place of its course in the manifest * games + game"),
    Column("course",    "i2", "", "course", "the course's name"),
    Column("round",     "i2", "", "", "the round, from 1"),
    Column("step",      "i4", "", "", "step of the race, from 0; all rows of a step were decided at once"),
    Column("seat",      "i1", "", "", "the robot that decides"),
    Column("agent",     "i2", "", "agent", "who decides for it"),
    Column("decision",  "i2", "", "decision", "the decision: `program`, `buy_upgrade`, or another choice by its name"),
    Column("hand",      "u1", HAND, "", "cards by number, 0 where there is none; names are in `cards` of the manifest"),
    Column("program",   "i1", REGISTERS, "", "hand slot in each register, after corrections; -1 for other decisions"),
    Column("cards",     "u1", REGISTERS, "", "the card in each register, locked ones too; 0 for other decisions"),
    Column("locked",    "u1", "", "", "bit k: register k + 1 takes no card of the hand (2005, community)"),
    Column("power_down", "?", "", "", "a power down was announced with the program (2005, community)"),
    Column("options",   "u8", "", "", "bit o: option o of the choice is legal; 0 for a program"),
    Column("option",    "i1", "", "", "the option taken; -1 for a program"),
    Column("answer",    "i4", "", "answer", "the option's name; null for a program"),
    Column("repairs",   "i2", "", "", "registers (options) that were illegal and replaced"),
    Column("reward_race", "f4", "", "", "by finishing place, 1 to -1, at the end; the reward `race` of `BatchRace`,"
           " summed from this decision to the robot's next"),
    Column("reward_progress", "f4", "", "", "checkpoints reached, as a share of the course's; summed in the same way"),
    Column("last",       "?", "", "", "the robot's last decision in the race"),
    Column("place",     "f4", "", "", "outcome: finishing place, 1 is first; robots that are level share the mean of"
           " their places"),
    Column("won",        "?", "", "", "outcome: the robot, or its team, has won"),
    Column("cut",        "?", "", "", "outcome: max_rounds cut the race"),
    Column("state_hash", "u8", "", "", "the replay's hash of the round: of the state when programs are next asked, or"
           " at the end; for purchases before the first programs, of the start"),
)
OBSERVATION = Column("observation", "f4", SYMBOLIC, "", "optional: the `symbolic` vector that the robot saw")
EPISODES = (
    Column("episode",   "i8", "", "", "as above"),
    Column("course",    "i2", "", "course", "the course's name"),
    Column("game",      "i8", "", "", "number of the game on its course: `BatchRace(1, course, first_game=game, ...)`"),
    Column("seed",      "u8", "", "", "the seed of the game, made of the manifest's seed and the game"),
    Column("players",   "i1", "", "", "robots in the race"),
    Column("rounds",    "i2", "", "", "rounds played"),
    Column("steps",     "i4", "", "", "steps played"),
    Column("winner",    "i1", "", "", "seat, -1 where nobody won"),
    Column("cut",        "?", "", "", "max_rounds cut the race"),
    Column("agents",    "i2", SEATS, "agent", "who sat in each seat"),
    Column("teams",     "i1", SEATS, "", "team of each seat; without teams the number of the seat"),
    Column("places",    "f4", SEATS, "", "finishing place of each seat"),
    Column("checkpoints", "i1", SEATS, "", "checkpoints (flags) that each reached"),
    Column("reboots",   "u2", SEATS, "", "times that each rebooted (was destroyed)"),
    Column("damage",    "u2", SEATS, "", "damage cards (tokens) that each took"),
    Column("hashes",    "u8", ROUNDS, "", "hashes of the replay: of the start, then after each of its rounds"),
)
# fmt: on


def steps_columns(observations: bool) -> tuple[Column, ...]:
    """The columns of `steps`."""
    return (*STEPS, OBSERVATION) if observations else STEPS


def check_ended(row: JsonObject, names: Sequence[str], columns: Sequence[str] | None = None) -> None:
    """Raise a ValueError for a row of `episodes`, or some of its columns, with values of other types.

    Args:
        row: the values by column.
        names: of the agents.
        columns: those that are wanted; None: all.
    """
    wanted = [column for column in EPISODES if columns is None or column.name in columns]
    for column in wanted:
        if column.name not in row:
            raise ValueError(f"no column {column.name}")
        value = row[column.name]
        values = value if column.length else [value]
        right = str if column.named else {"?": bool, "f4": float}.get(column.dtype, int)
        if not isinstance(values, list) or not all(type(each) is right for each in values):
            raise ValueError(f"column {column.name}: expected {_WORDS[right]}, got {cut(repr(value))}")
    seats = [(column.name, len(row[column.name])) for column in wanted if column.length == SEATS]
    for name, count in seats:
        if count != max(1, *(each for _, each in seats)):
            raise ValueError(f"column {name}: expected a value for each seat, got {count}")
    if "winner" in row and "agents" in row and not -1 <= row["winner"] < len(row["agents"]):
        raise ValueError(f"column winner: expected -1 to {len(row['agents']) - 1}, got {row['winner']}")
    for name in row.get("agents", ()):
        if name not in names:
            raise ValueError(f"column agents: expected {' or '.join(names)}, got {name!r}")


def row_dtype(columns: Sequence[Column], lengths: Mapping[str, int]) -> DType:
    """A record with one field for each column; lists by round are objects."""
    fields: list[tuple[object, ...]] = []
    for column in columns:
        length = (lengths[column.length],) if column.length not in ("", ROUNDS) else ()
        fields.append((column.name, "O" if column.length == ROUNDS else column.dtype, length))
    return np.dtype(fields)
