"""What each card leads to for a robot alone, beside the search of the best programs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from roborally_env.agents.card_values import card_values, soft_choices
from roborally_env.agents.registers import KINDS, begin_program, legal_kinds, take_card

from roborally_env.batch import BatchRace
from roborally_env.core.searching import ghost
from roborally_env.core.searching.alone import best_programs, kind_of_card
from roborally_env.core.state import REGISTERS
from roborally_env.courses.tables import MAX_CHECKPOINTS
from tests.sizes import some

GAMES: dict[str, dict[str, Any]] = {
    "2016": {"course": "twister", "edition": "2016"},
    "2005": {"course": "dizzy_dash", "edition": "2005"},
    "2023": {"course": "risky_crossing", "edition": "2023"},
    "community": {"course": "rain_yard", "edition": "community"},
}


@pytest.mark.parametrize("given", some(GAMES, usual=["2016"]))
def test_the_best_card_is_that_of_the_best_program_in_every_register(given: dict[str, Any]) -> None:
    batch = BatchRace(8, **given, players=2, seed=3)
    compared = 0
    for _ in range(30):
        if batch.programming.any():
            break
        batch.step(np.zeros((8, 2, REGISTERS), np.int8), np.ones((8, 2), np.int8))
    for i in np.flatnonzero(batch.programming):
        game = batch.games[i]
        values, programs = np.zeros(1), np.zeros((1, REGISTERS), np.int8)
        best_programs(batch.maps, game, 0, values, programs)
        pose, places = np.zeros(ghost.POSE, np.int32), np.zeros((REGISTERS + 1, MAX_CHECKPOINTS), np.int64)
        counts, found, logits = np.zeros(KINDS, np.float32), np.zeros(KINDS), np.zeros(KINDS, np.float32)
        shut = begin_program(batch.maps, game, 0, pose, places, counts)
        used, done = 0, False
        for k in range(REGISTERS):
            bits = int(legal_kinds(game, 0, k, used))
            if not shut >> k & 1 and pose[ghost.ENDED] == ghost.ON and not pose[ghost.UNSURE]:
                card_values(batch.maps, game, 0, k, pose, places, shut, counts, bits, found)
                kind = int(kind_of_card(game, game["hand"][0, programs[0, k]]))
                if k == 0:
                    assert found.max() == pytest.approx(values[0])
                    assert [j for j in range(KINDS) if np.isfinite(found[j])] == [
                        j for j in range(KINDS) if bits >> j & 1
                    ]
                assert found[kind - 1] == found.max()
                compared += 1
            slot = take_card(
                batch.maps, game, 0, k, logits, -1.0, int(programs[0, k]), pose, places, shut, counts, used
            )[0]
            used |= 0 if slot < 0 else 1 << int(slot)
            done = done or bool(pose[ghost.ENDED])
    assert compared > 20


def test_the_softmax_prefers_what_leads_farther() -> None:
    batch = BatchRace(4, "twister", players=2, seed=1, rules={"upgrades": False})
    rows, seats = np.arange(4), np.zeros(4, np.int64)
    poses = np.zeros((4, ghost.POSE), np.int32)
    places, shut = np.zeros((4, REGISTERS + 1, MAX_CHECKPOINTS), np.int64), np.zeros(4, np.int64)
    counts, out = np.zeros((4, KINDS), np.float32), np.zeros((4, KINDS), np.float32)
    for i in range(4):
        shut[i] = begin_program(batch.maps, batch.games[i], 0, poses[i], places[i], counts[i])
    poses[3, ghost.ENDED] = ghost.FELL
    used = np.zeros(4, np.int64)
    soft_choices(batch.maps, batch.games, rows, seats, 0, poses, places, shut, counts, used, 1.5, out)
    np.testing.assert_allclose(out.sum(1), [1, 1, 1, 0], atol=1e-5)
    values = np.zeros(KINDS)
    for i in range(3):
        bits = int(legal_kinds(batch.games[i], 0, 0, 0))
        card_values(batch.maps, batch.games[i], 0, 0, poses[i], places[i], shut[i], counts[i], bits, values)
        legal = np.isfinite(values)
        assert not out[i][~legal].any()
        shares = np.exp((values[legal] - values[legal].max()) / 1.5)
        np.testing.assert_allclose(out[i][legal], shares / shares.sum(), rtol=1e-5)
