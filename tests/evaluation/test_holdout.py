"""`shooter`, `blocker` and `cautious`: what each prefers in a drawn situation, and that they race well enough."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest
from roborally_env.agents import Info, make_agent

from roborally_env.batch import BatchRace
from roborally_env.core import cards
from roborally_env.courses.tables import WIDTH
from roborally_env.evaluation.benchmark.checkup import check_agent
from roborally_env.evaluation.tournament import evaluate

NAMES = ("shooter", "blocker", "cautious")
N, E, S, W = range(4)
M1, M2, M3, BACK, LEFT, RIGHT, U, STAND = (
    cards.MOVE_1, cards.MOVE_2, cards.MOVE_3, cards.BACK_UP, cards.TURN_LEFT, cards.TURN_RIGHT, cards.U_TURN,
    cards.POWER_UP,
)  # fmt: skip


class Robot(NamedTuple):
    """A robot on Dizzy Highway; all cards of the other one are of one kind, so that all know where it goes."""

    x: int
    y: int
    facing: int


def situation(own: Robot, hand: list[int], other: Robot, its_cards: int) -> BatchRace:
    """The lighter game of two at the start of a round."""
    batch = BatchRace(1, "dizzy_highway", players=2, seed=1, observation="none", rules={"upgrades": False})
    game = batch.games[0]
    for r, robot in enumerate((own, other)):
        game["cell"][r], game["facing"][r] = robot.y * WIDTH + robot.x, robot.facing
    game["hand"][0][: len(hand)] = hand
    game["hand"][1][:9] = its_cards
    game["pile"][1][: game["drawable"][1]] = its_cards
    return batch


def program_of(name: str, batch: BatchRace) -> Any:
    """The program of seat 0."""
    rows = np.zeros(1, np.int64)
    return make_agent(name).act(None, batch.observations["masks"][:, 0], Info(batch, rows, rows))[0]


def after(name: str, batch: BatchRace) -> Any:
    """The record after the round in which seat 0 plays an agent's program."""
    program = program_of(name, batch)
    played = batch.copy()
    played.step(np.stack([program, np.arange(5)])[None].astype(np.int8))
    assert not played.corrected.any()
    return played.games[0]


def test_the_shooter_ends_registers_with_the_other_in_its_line_of_fire() -> None:
    hand = [M1, M3, U, M1, RIGHT, RIGHT, LEFT, M2, BACK]
    batch = situation(Robot(5, 7, N), hand, Robot(7, 2, N), STAND)
    shots = {name: after(name, batch)["taken"][1].sum() for name in ("greedy", "shooter")}
    assert shots["shooter"] >= shots["greedy"] + 2


def test_the_blocker_stays_in_the_way_of_the_leader() -> None:
    hand = [M2, M3, BACK, M1, M1, U, M2, M1, RIGHT]
    batch = situation(Robot(7, 7, N), hand, Robot(8, 7, W), M1)
    ends = {name: after(name, batch)["cell"][1] % WIDTH for name in ("greedy", "blocker")}
    assert ends["blocker"] >= 6, "it is held where it was"
    assert ends["greedy"] <= 2, "it went its way"


def test_the_cautious_one_keeps_out_of_beams_and_lines_of_fire() -> None:
    hand = [M1, LEFT, BACK, M3, M2, LEFT, RIGHT, M1, M2]
    batch = situation(Robot(7, 6, E), hand, Robot(5, 5, E), STAND)
    taken = {name: after(name, batch)["taken"][0].sum() for name in ("greedy", "cautious")}
    assert taken["cautious"] < taken["greedy"]


@pytest.mark.parametrize("edition", ["2005", "community"])
def test_the_cautious_one_powers_down_early(edition: str) -> None:
    batch = BatchRace(2, edition=edition, observation="none", players=5, seed=1)
    batch.games["damage"][:, 0] = 2, 3
    rows = np.arange(2), np.zeros(2, np.int64)
    announced = {name: make_agent(name).announce(None, Info(batch, *rows)).tolist() for name in NAMES}  # type: ignore[attr-defined]
    assert announced == {"shooter": [0, 0], "blocker": [0, 0], "cautious": [0, 1]}


@pytest.mark.slow
@pytest.mark.parametrize(("name", "editions"), [("shooter", ()), ("blocker", ("2016",)), ("cautious", ("community",))])
def test_they_are_agents_in_every_edition(name: str, editions: tuple[str, ...]) -> None:
    """Legal programs that depend on the own game, seat and seed alone; the styles share their code."""
    assert [found.text for found in check_agent(name, editions) if not found.ok] == []


def test_each_wins_less_than_greedy_and_far_more_than_random() -> None:
    for name in NAMES:
        result = evaluate([name, "greedy", "random", "random"], "twister", games=32, seed=3)
        own, greedy, *others = (row.wins for row in result.rows)
        assert sum(others) < own
        assert greedy > 0


def test_no_training_races_against_them_by_default() -> None:
    pytest.importorskip("torch")
    from dataclasses import astuple

    from roborally_env.training.ppo.options import Options as PPO
    from roborally_env.training.sb3.options import Options as Sb3
    from roborally_env.training.selfplay.options import Options as Selfplay
    from roborally_env.training.value.options import Options as Value

    for kind in (PPO, Sb3, Selfplay, Value):
        words = str(astuple(kind()))
        assert not any(name in words for name in NAMES)
