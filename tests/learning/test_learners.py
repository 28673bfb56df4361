"""The other learners of `roborally train ppo`: a critic that sees what all seats see, and Q-learning."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from roborally_env.agents import Info
from roborally_env.agents.ppo import PPOAgent, read_policy, save_policy

from roborally_env import BatchRace, RoboRallyError
from roborally_env.core.searching.ghost import CARDS, SIZE
from tests.later import imported_later
from tests.learning.helpers import parts_of_ghosts
from tests.learning.test_ppo import check_same, tiny
from tests.sizes import size

with imported_later("torch"):
    import torch

    from roborally_env.training.ppo import Options, train
    from roborally_env.training.ppo.actor import Actor
    from roborally_env.training.ppo.learner import Learner
    from roborally_env.training.ppo.network import KINDS, Network, arrays_of
    from roborally_env.training.ppo.q_learning import EXPLORING, QActor, QLearner, explored
    from roborally_env.training.ppo.rollout import Rollout, Table

LEARNERS: dict[str, dict[str, Any]] = {"mappo": {"critic": "central"}, "pqn": {"algorithm": "pqn"}}
YARD = str(Path(__file__).parents[2] / "scripts" / "experiments" / "short_yard.toml")


def network(batch: BatchRace, **more: bool) -> Network:
    """A network with weights far from zero, exactly those that a file of it has."""
    torch.manual_seed(0)
    inputs = Actor(None, batch).inputs  # type: ignore[arg-type]
    net = Network(inputs.own, inputs.row, batch.options + 1, 16, 12, **more)
    for weight in net.parameters():
        if weight.requires_grad:
            torch.nn.init.normal_(weight, std=0.2)
            weight.data = weight.data.half().float()
    return net


@pytest.fixture(autouse=True)
def one_thread() -> None:
    """As runs set it: several threads that wait for each other take minutes on a busy machine."""
    torch.set_num_threads(1)


@pytest.mark.slow
@pytest.mark.parametrize("name", size(["pqn"], LEARNERS))
def test_a_run_that_was_stopped_ends_as_one_that_was_not(name: str, tmp_path: Path) -> None:
    given = {"rules": "{}", "decisions": 256, "minibatch": 64, **LEARNERS[name]}
    train(tiny(tmp_path / "whole", **given))
    assert train(tiny(tmp_path / "run", **given), on_evaluation=lambda rows: True).stopped
    train(tiny(tmp_path / "run", **given))
    check_same(tmp_path / "run", tmp_path / "whole")


@pytest.mark.parametrize("edition", size(["2016"], ["2016", "2005"]))
@pytest.mark.parametrize("name", LEARNERS)
def test_the_agent_plays_what_the_network_would(name: str, edition: str, tmp_path: Path) -> None:
    """It needs neither the central critic nor normalised inputs: it ranks cards, options and power downs alike."""
    batch = BatchRace(16, players=3, edition=edition, seed=3)
    net = network(batch, central=name == "mappo", scores=name == "pqn")
    save_policy(tmp_path / "weights.npz", arrays_of(net), {"edition": edition, "game": batch.game, "ghost": True})
    assert not [key for key in read_policy(tmp_path / "weights.npz")[0] if key.startswith("all")]
    agent, actor = PPOAgent(weights=str(tmp_path / "weights.npz")), Actor(net, batch)
    same = []
    for _ in range(4):
        programs = np.zeros((batch.num_games, batch.players, 5), np.int8)
        choices = np.zeros((batch.num_games, batch.players), np.int8)
        rows, seats = np.nonzero(batch.programmed & batch.programming[:, None])
        if len(rows):
            made = actor.programs(rows, seats, np.full((len(rows), 6), -1, np.float32))
            info = Info(batch, rows, seats)
            programs[rows, seats] = agent.act(batch.vectors[rows, seats], None, info)  # type: ignore[arg-type]
            same += ((programs[rows, seats] == made.slots) | (made.kinds == 0)).all(1).tolist()
            if batch.announces:
                choices[rows, seats] = agent.announce(batch.vectors[rows, seats], info) * (made.down >= 0)
                same += (choices[rows, seats] == (made.down == 1)).tolist()
        asked = np.flatnonzero(~batch.programming & ~batch.over)
        seats = batch.games["ask_seat"][asked].astype(np.int64)
        if len(asked):
            picked = actor.choices(asked, seats, np.full(len(asked), -1, np.float32)).options
            given = agent.choose(batch.vectors[asked, seats], None, Info(batch, asked, seats))  # type: ignore[arg-type]
            same += (given == 1 + picked).tolist()
            choices[asked, seats] = given
        batch.step(programs, choices if batch.asks_choices else None)
    assert len(same) > 60
    assert np.mean(same) > 0.97  # files have half-precision weights, which decide where two are nearly equal


def test_a_central_critic_knows_the_hands_of_the_others_and_the_actor_does_not() -> None:
    batch = BatchRace(1, players=3, rules={"upgrades": False}, seed=1)
    net = network(batch, central=True)
    actor, rows, seats = Actor(net, batch), np.zeros(1, np.int64), np.zeros(1, np.int64)
    first = np.full((1, 6), -1, np.float32)
    made, value = actor.programs(rows, seats, first), actor.values(rows, seats)
    batch.games["hand"][0, 1] = batch.games["hand"][0, 1][0]  # another player's hand is of one card now
    again = actor.programs(rows, seats, first)
    assert (again.slots == made.slots).all()
    np.testing.assert_array_equal(again.logps, made.logps)
    assert np.abs(again.values - made.values).min() > 1e-4
    assert abs(actor.values(rows, seats) - value).item() > 1e-4
    net.central = False
    assert (actor.programs(rows, seats, first).slots == made.slots).all()


@pytest.mark.slow
def test_a_central_critic_learns(tmp_path: Path) -> None:
    """What it says of rewards that another seat's hand decides comes nearer to them."""
    batch = BatchRace(32, players=2, rules={"upgrades": False}, seed=3)
    net = network(batch, central=True)
    options = tiny(tmp_path, games=32, epochs=8, lr=1e-2, entropy=0.0, critic="central")
    played = Table(options, batch, [], 1).play(Actor(net, batch))
    hands = played.programs["state"][:, 0, -KINDS - 1 : -1].astype(np.float32)
    played.programs["returns"][:] = hands[:, :1] * 4
    losses = [Learner(net, options).learn(played, left=1.0)["value_loss"] for _ in range(4)]
    assert losses[-1] < 0.3 * losses[0]


def test_actions_are_the_highest_scores_and_some_random_ones() -> None:
    batch = BatchRace(256, players=2, rules={"upgrades": False}, seed=1)
    net = network(batch, scores=True)
    rows, seats = np.nonzero(np.ones((256, 2), bool))
    uniform = np.random.default_rng(1).random((512, 6), np.float32)
    actor = QActor(net, batch)
    greedy = actor.programs(rows, seats, uniform)
    likeliest = Actor(net, batch).programs(rows, seats, np.full((512, 6), -1, np.float32))
    assert (greedy.slots == likeliest.slots).all()
    actor.explore = 0.25
    some = actor.programs(rows, seats, uniform)
    assert 0.5 < (some.kinds[:, 0] == greedy.kinds[:, 0]).mean() < 0.95
    actor.explore = 1.0
    drawn = actor.programs(rows, seats, uniform)
    legal = (drawn.legal[:, 0, None] >> np.arange(KINDS)) & 1
    counts = np.bincount(drawn.kinds[:, 0], minlength=KINDS + 1)[1:]
    np.testing.assert_allclose(counts, (legal / legal.sum(1, keepdims=True)).sum(0), atol=30)
    np.testing.assert_array_equal(drawn.values[:, 0], greedy.values[:, 0])  # of the best card, not of that one


def test_exploration_falls_to_its_end() -> None:
    options = Options(algorithm="pqn", decisions=1000, explore=0.2)
    assert [explored(options, n) for n in (0, int(EXPLORING * 500), int(EXPLORING * 1000), 900)] == pytest.approx(
        [1.0, 0.6, 0.2, 0.2]
    )


@pytest.mark.slow
def test_scores_learn_what_is_rewarded() -> None:
    """Programs of two cards: the first is to be of kind 3, the second, once that lies there, of kind 5."""
    torch.manual_seed(1)
    net = Network(4, 3, 2, 16, 16, scores=True)
    learner = QLearner(net, Options(algorithm="pqn", epochs=4, minibatch=128, lr=1e-2))
    n, rng = 256, np.random.default_rng(1)
    own, others = np.zeros((n, 4), np.float32), np.zeros((n, 1, 3), np.float32)

    def scores(seen: Any) -> Any:
        with torch.no_grad():
            position = net.position(torch.from_numpy(own), torch.from_numpy(others))
            return net.choose(net.context(position).unsqueeze(1), *parts_of_ghosts(seen))[0].numpy()[..., :6]

    for _ in range(40):
        kinds = np.zeros((n, 5), np.int64)
        kinds[:, :2] = rng.integers(1, 7, (n, 2))
        seen = torch.zeros(n, 5, SIZE + KINDS)
        seen[:, [0, 1], [0, 1]] = 1.0
        seen[torch.arange(n), 1, SIZE + kinds[:, 0] - 1] = 1.0
        near, led, at = (part.numpy() for part in parts_of_ghosts(seen))
        first = kinds[:, 0] == 3
        returns = np.zeros((n, 5), np.float32)
        returns[:, 1] = 2.0 * first * (kinds[:, 1] == 5)
        returns[:, 0] = scores(seen)[:, 1].max(1)  # what the second card is worth
        programs = {
            "own": own, "others": others, "near": near, "led": led, "led_at": at % (5 * CARDS), "kinds": kinds,
            "leads": np.bincount(at // (5 * CARDS), minlength=n), "values": np.zeros((n, 5), np.float32),
            "returns": returns, "advantages": returns, "down": np.full(n, -1),
        }  # fmt: skip
        nothing = {"values": np.zeros(0, np.float32), "advantages": np.zeros(0, np.float32)}
        learner.learn(Rollout(programs, nothing, n), left=1.0)
    found = scores(seen)
    assert (found[:, 0].argmax(1) == 2).all()
    assert (found[first, 1].argmax(1) == 4).all()
    np.testing.assert_allclose(found[first, 1, 4], 2.0, atol=0.4)


@pytest.mark.slow
def test_power_downs_are_scored() -> None:
    """Announcing one is rewarded: it scores above going on."""
    batch = BatchRace(64, players=2, edition="2005", seed=1)
    net = network(batch, scores=True)
    actor, learner = QActor(net, batch), QLearner(net, tiny(Path(), epochs=8, lr=1e-2))
    actor.explore = 1.0
    played = Table(tiny(Path(), games=64, steps=2), batch, [], 1).play(actor)
    down = played.programs["down"]
    assert {0, 1} <= set(np.unique(down))  # and perhaps -1, where none may be announced
    played.programs["returns"] = played.programs["values"] + np.where(down == 1, 1.0, -1.0).astype(np.float32)[:, None]
    for _ in range(3):
        learner.learn(played, left=1.0)
    with torch.no_grad():
        p = {name: torch.from_numpy(column).float() for name, column in played.programs.items()}
        assert (net.down(net.position(p["own"], p["others"])) > 0).float().mean() > 0.9


@pytest.mark.parametrize("name", size(["pqn"], LEARNERS))
def test_it_learns_a_short_course(name: str, tmp_path: Path) -> None:
    """A few steps straight ahead, which random programs take long for."""
    more = LEARNERS[name] | {"courses": [YARD], "games": 64, "steps": 8, "decisions": 8192, "minibatch": 256}
    more |= {"lr": 5e-3, "hidden": 32, "width": 32, "max_rounds": 30, "evaluate_every": 0, "evaluate_games": 60}
    result = train(tiny(tmp_path / "run", **more))
    assert result.evaluations[-1].win_rate > 0.75


def test_learners_that_do_not_go_together_are_refused(tmp_path: Path) -> None:
    for more in ({"critic": "central"}, {"imitate": "greedy"}):
        with pytest.raises(RoboRallyError, match="--algorithm"):
            train(tiny(tmp_path / "run", algorithm="pqn", **more))
    with pytest.raises(RoboRallyError, match=r"--algorithm.*pqn.*'pqm'"):
        train(tiny(tmp_path / "run", algorithm="pqm"))
    assert not (tmp_path / "run").exists()


def test_a_network_can_begin_with_weights_of_another_critic(tmp_path: Path) -> None:
    batch = BatchRace(2, players=2, rules={"upgrades": False})
    net = network(batch)
    save_policy(tmp_path / "weights.npz", arrays_of(net), {"edition": "2016", "game": "lighter", "ghost": True})
    given = {"hidden": 16, "width": 12, "decisions": 1, "lr": 0.0, "critic": "central", "evaluate_games": 0}
    result = train(tiny(tmp_path / "run", begin=str(tmp_path / "weights.npz"), **given))
    wanted, found = copy.deepcopy(arrays_of(net)), read_policy(result.weights)[0]
    np.testing.assert_allclose(found["deep_w"], wanted["deep_w"], atol=1e-3)
