"""Searches keep the best programs of hands: the key of a hand has everything that its program depends on."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from roborally_env.agents.greedy_round import hand_word, new_hands

from roborally_env import BatchRace
from roborally_env.core.kernel import kernel
from roborally_env.core.searching.alone import best_programs, hand_tells
from roborally_env.core.searching.best_list import FIVE

COURSES = (
    ("2016", "dizzy_highway"),
    ("2016", "gear_stripper"),
    ("2023", "dizzy_highway"),
    ("2005", "risky_exchange"),
    ("2005", "island_hop"),
    ("community", "rain_yard"),
    ("community", "terraces"),
)


@kernel
def look_up(table, games, seats, words, complete, programs):
    """The key of each game's hand, whether it is complete, and the best program by search."""
    values = np.zeros(1)
    for i in range(games.shape[0]):
        words[i] = hand_word(table.maps, games[i], seats[i])
        complete[i] = hand_tells(games[i])
        best_programs(table.maps, games[i], seats[i], values, programs[i : i + 1])


def looked_up(batch: BatchRace, games: Any, seats: Any) -> tuple[Any, Any, Any]:
    """(keys, whether they are complete, programs) of seats in games."""
    words, complete = np.zeros(len(games), np.uint64), np.zeros(len(games), np.bool_)
    programs = np.zeros((len(games), FIVE), np.int8)
    look_up(new_hands(batch, 16), games, seats, words, complete, programs)
    return words, complete, programs


def started(course: str, edition: str) -> tuple[BatchRace, Any]:
    """A batch after a few decisions by chance, and a copy of its games."""
    batch = BatchRace(48, course, edition=edition, players=4, observation="none", seed=3)
    for _ in range(8):
        batch.step(*batch.sample())
    return batch, batch.games.copy()


@pytest.mark.parametrize(("edition", "course"), COURSES)
def test_a_program_is_another_only_where_the_word_is(edition: str, course: str) -> None:
    """Each part of a position in turn is replaced by that of another one."""
    batch, now = started(course, edition)
    for _ in range(12):
        batch.step(*batch.sample())
    seats = np.arange(len(now)) % 4
    words, complete, programs = looked_up(batch, now, seats)
    assert complete.all()
    other, moved = 0, set()
    for field in now.dtype.names or ():
        mixed = now.copy()
        mixed[field] = batch.games[field]
        if field in ("hand", "held"):
            mixed[["hand", "held"]] = batch.games[["hand", "held"]]
        again, _, found = looked_up(batch, mixed, seats)
        same = again == words
        assert (found[same] == programs[same]).all(), field
        if not same.all():
            moved.add(field)
        other += (found != programs).any(axis=1).sum()
    assert {"cell", "facing", "hand"} <= moved
    assert other > 20


@pytest.mark.parametrize(("edition", "course"), [("2005", "risky_exchange"), ("community", "terraces")])
def test_damage_and_closed_registers_are_part_of_the_word(edition: str, course: str) -> None:
    batch, games = started(course, edition)
    seats = np.zeros(len(games), np.int64)
    words, _, _ = looked_up(batch, games, seats)
    hurt = games.copy()
    hurt["damage"][:, 0] = 7  # locks registers in both editions
    again, _, _ = looked_up(batch, hurt, seats)
    hurt["registers"][:, 0, 4] = 3
    locked, _, _ = looked_up(batch, hurt, seats)
    assert (words != again).all()
    assert (again != locked).any()


def test_the_archive_marker_is_part_of_the_word_in_2005() -> None:
    """On it a robot goes on that falls."""
    batch, games = started("risky_exchange", "2005")
    seats = np.zeros(len(games), np.int64)
    words, _, _ = looked_up(batch, games, seats)
    games["archive"][:, 0] = np.where(games["archive"][:, 0] == 40, 41, 40)
    again, _, _ = looked_up(batch, games, seats)
    assert (words != again).all()


def test_a_robot_that_hunts_another_is_not_told_by_its_hand() -> None:
    batch, games = started("risky_exchange", "2005")
    games["special"] = 1
    _, complete, _ = looked_up(batch, games, np.zeros(len(games), np.int64))
    assert not complete.any()
