"""Situations, and the programs of agents in them."""

from typing import Any

import numpy as np
import pytest

from roborally_env import AgentError, RoboRallyError
from roborally_env.evaluation import analysis
from tests.invariants import check_game

LIGHTER = {"players": 4, "rules": {"upgrades": False}}
HAND = ["move_3", "u_turn", "move_1"]


@pytest.mark.parametrize("options", [LIGHTER, {"players": 4}], ids=["lighter", "complete"])
def test_a_situation_is_a_game_as_any_other(options: dict[str, Any]) -> None:
    batch = analysis.situation("dizzy_highway", at=(12, 6), facing="N", hand=HAND, seat=2, seed=4, **options)
    game = batch.games[0]
    assert (int(game["cell"][2]) % 32, int(game["cell"][2]) // 32, int(game["facing"][2])) == (12, 6, 0)
    assert analysis.hand_of(batch, seat=2)[:3] == HAND
    assert len(analysis.hand_of(batch, seat=2)) == 9
    assert batch.programming[0]
    check_game(game, batch.courses[0])
    batch.sample(1)
    batch.step_prepared()
    check_game(batch.games[0], batch.courses[0])


def test_what_is_seen_is_the_situation() -> None:
    one = analysis.situation("dizzy_highway", at=(12, 6), facing="N", hand=HAND, **LIGHTER)
    other = analysis.situation("dizzy_highway", at=(12, 6), facing="E", hand=HAND, **LIGHTER)
    seen, turned = one.observations["symbolic"][0, 0], other.observations["symbolic"][0, 0]
    assert seen[145:149].tolist() == [1, 0, 0, 0]  # facing, docs/observations.md
    assert turned[145:149].tolist() == [0, 1, 0, 0]
    assert np.array_equal(seen[:117], turned[:117])  # the hand


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"at": (13, 6)}, "13,6"),
        ({"at": (0, 4)}, "0,4"),  # the antenna
        ({"at": "12,6"}, "at"),
        ({"facing": "north"}, "facing.*N, E, S, W"),
        ({"facing": "NE"}, "facing.*N, E, S, W"),
        ({"hand": ["move_3", "move_3"]}, ".further.*'move_3'"),
        ({"hand": ["mov_1"]}, "'mov_1'.*move_1"),
        ({"hand": "move_1"}, "hand.*9"),
        ({"hand": ["move_1"] * 10}, "hand.*9"),
        ({"reached": 1}, "reached"),
        ({"seat": 4}, "seat"),
        ({"course": "2005/risky_exchange", "rules": None}, "edition 2016"),
        ({"course": "dizzy"}, "dizzy"),
    ],
)
def test_a_wrong_situation_is_refused(changes: dict[str, Any], message: str) -> None:
    given = {"course": "dizzy_highway", "at": (12, 6), "facing": "N", **LIGHTER} | changes
    with pytest.raises(RoboRallyError, match=message):
        analysis.situation(**given)


def test_every_register_takes_one_card_a_decision() -> None:
    batch = analysis.situation("dizzy_highway", at=(12, 6), facing="N", hand=HAND, **LIGHTER)
    before = batch.snapshot()
    shares = analysis.program_table("random", batch, samples=40)
    assert batch.snapshot() == before
    assert shares.columns.tolist() == [1, 2, 3, 4, 5]
    assert shares.sum().tolist() == pytest.approx([1] * 5)
    assert set(shares.index) == set(analysis.hand_of(batch))
    assert (shares > 0).sum().sum() > 15  # it draws anew each time


def test_greedy_goes_where_it_wins() -> None:
    batch = analysis.situation("dizzy_highway", at=(12, 6), facing="N", hand=["move_3"], **LIGHTER)
    shares = analysis.program_table("greedy", batch, samples=3)
    assert shares.isin([0, 1]).all().all() or shares.max().max() > 0.3
    ax = analysis.plot_program(shares, "three cells below the checkpoint")
    shown = [text.get_text() for text in ax.texts]
    assert shown == [f"{100 * share:.0f}" for share in shares.to_numpy().ravel() if share >= 0.005]
    assert [label.get_text() for label in ax.get_yticklabels()] == [name.replace("_", " ") for name in shares.index]


def test_wrong_arguments_are_refused() -> None:
    batch = analysis.situation("dizzy_highway", at=(12, 6), facing="N", **LIGHTER)
    for options, message in (({"seat": 4}, "seat"), ({"game": 1}, "game"), ({"samples": 0}, "samples")):
        with pytest.raises(RoboRallyError, match=message):
            analysis.program_table("random", batch, **options)
    with pytest.raises(AgentError):
        analysis.program_table("gredy", batch)
    with pytest.raises(RoboRallyError, match="shares"):
        analysis.plot_program([1, 2])
