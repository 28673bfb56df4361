"""The ghost of the vector: its pose is that of the play page's ghost, which plays the rules on a copy of the race."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from roborally_env.agents.registers import KINDS, begin_program, take_card

from roborally_env.batch import BatchRace
from roborally_env.core.searching import ghost
from roborally_env.core.searching.alone import kind_of_card
from roborally_env.core.state import REGISTERS
from roborally_env.courses.tables import MAX_CHECKPOINTS, WIDTH
from roborally_env.play.questions import Question
from tests.play.helpers import RACE_2005
from tests.play.test_ghost import EDITIONS, NAMES, programs_of
from tests.play.test_ghost import ghost as by_rules
from tests.sizes import some

each_game = pytest.mark.parametrize("given", some(dict(zip(NAMES, EDITIONS, strict=True)), usual=["complete"]))


class Drawn:
    """The program of seat 0, card by card, with the ghost's pose after each."""

    def __init__(self, batch: BatchRace) -> None:
        self.maps, self.game = batch.maps, batch.games[0]
        self.pose = np.zeros(ghost.POSE, np.int32)
        self.places = np.zeros((REGISTERS + 1, MAX_CHECKPOINTS), np.int64)
        self.counts = np.zeros(KINDS, np.float32)
        self.shut = begin_program(self.maps, self.game, 0, self.pose, self.places, self.counts)
        self.used = 0

    def take(self, k: int, slot: int | None) -> None:
        given, logits = -1 if slot is None else slot, np.zeros(KINDS, np.float32)
        found = take_card(
            self.maps, self.game, 0, k, logits, -1.0, given, self.pose, self.places, self.shut, self.counts, self.used
        )[0]
        self.used |= 0 if found < 0 else 1 << int(found)

    def look(self, k: int) -> np.ndarray:
        out = np.zeros(ghost.SIZE, np.float32)
        ghost.write_ghost(self.maps, self.game, 0, k, self.places, self.pose, self.counts, out)
        return out


def part(vector: np.ndarray, name: str) -> np.ndarray:
    at = 0
    for each in ghost.PARTS:
        if each.name == name:
            return vector[at : at + each.length]
        at += each.length
    raise KeyError(name)


def some_programs(given: dict[str, Any]) -> Any:
    """Programs of the first rounds of some races: later hands are full of damage cards."""
    for seed in range(4):
        yield from programs_of({**given, "seed": seed}, rounds=3, seed=seed)


def prefix(question: Question, program: list[int | None], cards: int) -> list[int | None]:
    """The program's first cards alone."""
    return [slot if k < cards else None for k, slot in enumerate(program)]


@each_game
def test_the_pose_after_each_card_is_where_the_rules_take_the_robot(given: dict[str, Any]) -> None:
    compared = 0
    for race, question, program in some_programs(given):
        drawn = Drawn(race.batch)
        for k in range(REGISTERS):
            drawn.take(k, program[k])
            seen = by_rules(race, question, prefix(question, program, k + 1))
            if seen.chance or seen.falls or seen.won:
                break
            if drawn.pose[ghost.UNSURE]:
                break
            end = seen.path[-1]
            state = int(drawn.pose[ghost.STATE])
            assert (state // 4 % WIDTH, state // 4 // WIDTH, state % 4) == (*(end.at or ()), end.facing)
            assert drawn.pose[ghost.REACHED] == len(seen.checkpoints)
            compared += 1
    assert compared > 20


@each_game
def test_falls_and_the_end_of_the_race_are_seen(given: dict[str, Any]) -> None:
    falls = 0
    for race, question, program in some_programs(given):
        drawn = Drawn(race.batch)
        for k in range(REGISTERS):
            drawn.take(k, program[k])
        seen = by_rules(race, question, program)
        if seen.chance or drawn.pose[ghost.UNSURE] or (seen.falls and seen.checkpoints):
            continue
        assert (drawn.pose[ghost.ENDED] == ghost.FINISHED) == seen.won
        assert (drawn.pose[ghost.ENDED] == ghost.FELL) == bool(seen.falls)
        falls += bool(seen.falls)
    assert falls or given is RACE_2005  # whose first spaces are far from pits and edges


def test_the_vector_shows_what_lies_around_the_ghost_as_it_faces() -> None:
    batch = BatchRace(1, "dizzy_highway", players=2, seed=3, rules={"upgrades": False})
    drawn = Drawn(batch)
    vector = drawn.look(0)
    assert vector.shape == (ghost.SIZE,) == (sum(part.length for part in ghost.PARTS),)
    assert part(vector, "register").tolist() == [1, 0, 0, 0, 0]
    assert part(vector, "offset").tolist() == [0, 0]
    assert part(vector, "heading").tolist() == [1, 0, 0, 0]
    other = divmod(int(batch.games[0]["cell"][1]), WIDTH), divmod(int(batch.games[0]["cell"][0]), WIDTH)
    down, right = other[0][0] - other[1][0], other[0][1] - other[1][1]
    robots = part(vector, "robots").reshape(ghost.ROWS, ghost.COLUMNS)
    facing = int(batch.games[0]["facing"][0])
    ahead = (-down, right, down, -right)[facing]
    side = (right, down, -right, -down)[facing]
    near = -ghost.BEHIND <= ahead <= ghost.AHEAD and abs(side) <= ghost.SIDE
    assert robots.sum() == near
    if near:
        assert robots[ghost.AHEAD - ahead, side + ghost.SIDE] == 1
    gain = part(vector, "gain").reshape(ghost.ROWS, ghost.COLUMNS)
    lines = part(vector, "lines").reshape(ghost.LINES, 4)
    assert gain[ghost.AHEAD, ghost.SIDE] == lines[0, 0]
    assert np.abs(vector).max() <= 4.0


@pytest.mark.slow
@each_game
def test_the_gain_shown_for_a_card_is_what_the_card_gains(given: dict[str, Any]) -> None:
    compared = fallen = 0
    for race, _, program in some_programs(given):
        drawn = Drawn(race.batch)
        for k in range(REGISTERS):
            if drawn.pose[ghost.ENDED] != ghost.ON or drawn.shut >> k & 1:
                break
            before = drawn.look(k)
            card = 0 if program[k] is None else int(drawn.game["hand"][0, program[k]])
            kind = int(kind_of_card(drawn.game, card)) if card else 0
            drawn.take(k, program[k])
            if not 1 <= kind <= ghost.CARDS or k + 1 == REGISTERS:
                continue
            shown = part(before, "cards")[kind - 1]
            if drawn.pose[ghost.ENDED] == ghost.FELL:
                assert shown == -ghost.MOST
                fallen += 1
                continue
            left = [float(part(vector, "distance")[0]) for vector in (before, drawn.look(k + 1))]
            if max(left) < 4.0:
                assert shown == pytest.approx(np.clip(4 * (left[0] - left[1]), -ghost.MOST, ghost.MOST), abs=1e-5)
                compared += 1
    assert compared > 20
    assert fallen or given is RACE_2005


@each_game
def test_where_a_card_leads_is_what_the_ghost_sees_after_it(given: dict[str, Any]) -> None:
    compared = fallen = lines = 0
    for race, _, program in some_programs(given):
        drawn = Drawn(race.batch)
        for k in range(REGISTERS - 1):
            if drawn.pose[ghost.ENDED] != ghost.ON or drawn.shut >> k & 1 or program[k] is None:
                break
            after = part(drawn.look(k), "after").reshape(ghost.CARDS, ghost.AFTER)
            left = drawn.counts[: ghost.CARDS] > 0
            assert (after.any(1) == left).all()
            kind = int(kind_of_card(drawn.game, int(drawn.game["hand"][0, program[k]])))
            begins, turned = drawn.pose.copy(), int(drawn.pose[ghost.STATE]) & 3
            drawn.take(k, program[k])
            if kind > ghost.CARDS:
                continue
            shown, seen = after[kind - 1], drawn.look(k + 1)
            np.testing.assert_array_equal(shown[15 : ghost.AFTER_LINES], drawn.counts[: ghost.CARDS] > 0)
            assert shown[10] == part(seen, "distance")[0]
            np.testing.assert_array_equal(shown[11:14], part(seen, "target"))
            assert bool(shown[0]) == (drawn.pose[ghost.ENDED] == ghost.FELL)
            assert bool(shown[1]) == (drawn.pose[ghost.ENDED] == ghost.FINISHED)
            assert shown[2] == drawn.pose[ghost.REACHED] - begins[ghost.REACHED]
            assert shown[3 + ((int(drawn.pose[ghost.STATE]) - turned) & 3)] == 1
            compared += 1
            if shown[0]:
                fallen += 1
                continue
            own = part(seen, "lines").reshape(ghost.LINES, 4)
            np.testing.assert_array_equal(shown[ghost.AFTER_LINES : ghost.AFTER_LINES + 4], own[0])
            lines += 1
    assert compared > 20
    assert lines > 10
    assert fallen or given is RACE_2005


def test_a_robot_going_straight_stops_at_walls_and_falls_off_the_board() -> None:
    batch = BatchRace(1, "death_trap", players=2, seed=3)
    course = batch.maps.courses[0]
    stopped = fell = 0
    for cell in np.flatnonzero(course["on_board"]):
        for direction in range(4):
            to = ghost.step_straight(course, int(cell), direction)
            wall = bool(course["walls"][cell] >> direction & 1)
            right, down = ghost.ahead_of(direction)
            x, y = cell % WIDTH + right, cell // WIDTH + down
            ahead = y * WIDTH + x
            if wall or ahead == course["antenna"]:
                assert to == cell
                stopped += 1
            else:
                assert to == (ahead if ghost.stands(course, x, y) else -1)
                fell += to < 0
    assert stopped > 10
    assert fell > 10
