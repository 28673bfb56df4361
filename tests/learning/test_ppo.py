"""`roborally train ppo`, the agent `ppo`, scripts/ppo.py and scripts/experiments/learning_curves.py."""

from __future__ import annotations

import copy
import csv
import dataclasses
import itertools
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from roborally_env.agents import Info, make_agent
from roborally_env.agents.decisions import decide
from roborally_env.agents.ppo import PPOAgent, read_policy, save_policy
from roborally_env.agents.ppo_programs import MARGIN
from roborally_env.agents.registers import KINDS, draw, follow_back, log_share

from roborally_env import AgentError, BatchRace, CourseError, RoboRallyError
from roborally_env.base.types import NamedValues
from roborally_env.cli import main
from roborally_env.core.searching.ghost import CARDS, SIZE
from roborally_env.evaluation.tournament import evaluate
from roborally_env.play.lobby import Lobby
from tests.later import imported_later
from tests.learning.helpers import parts_of_ghosts
from tests.learning.nets import load_script
from tests.sizes import some

with imported_later("torch"):
    import torch

    from roborally_env.training.evaluations import COLUMNS
    from roborally_env.training.ppo import Evaluation, Options, Result, run, train
    from roborally_env.training.ppo.actor import Actor
    from roborally_env.training.ppo.learner import Columns, Learner, Share, seen_of
    from roborally_env.training.ppo.network import Network, added, arrays_of, load_arrays, log_shares
    from roborally_env.training.ppo.rollout import SOFT, Rollout, Table


LIGHTER = '{"upgrades": false}'
GAMES: dict[str, dict[str, Any]] = {
    "lighter": {"edition": "2016", "rules": {"upgrades": False}},
    "complete": {"edition": "2016"},
    "2023": {"edition": "2023"},
    "2005": {"edition": "2005"},
    "community": {"edition": "community"},
}


def tiny(folder: Path, **more: Any) -> Options:
    """Options of a run of six updates with four evaluations, in a moment."""
    given: dict[str, Any] = {
        "out": str(folder), "rules": LIGHTER, "players": 2, "games": 8, "steps": 4, "decisions": 384, "minibatch": 32,
        "hidden": 8, "width": 8, "max_rounds": 8, "evaluate_every": 128, "evaluate_games": 2, "opponents": ["random"],
        "checkpoint_every": 0.0, "ahead": True, "epochs": 2,
    }  # fmt: skip
    return Options(**(given | more))


def network(batch: BatchRace, scale: float = 0.1) -> Network:
    """A network with weights far from zero, exactly those that a file of it has."""
    torch.manual_seed(0)
    inputs = Actor(None, batch).inputs  # type: ignore[arg-type]
    net = Network(inputs.own, inputs.row, batch.options + 1, 16, 12)
    for weight in net.parameters():
        torch.nn.init.normal_(weight, std=scale)
        weight.data = weight.data.half().float()
    return net


class Watched(BatchRace):
    """Counts the registers that had to be repaired."""

    repaired = 0

    def step(self, *given: Any) -> Any:
        found = super().step(*given)
        self.repaired += int(self.corrected.sum())
        return found


@pytest.fixture(scope="module", params=some({name: name for name in GAMES}, usual=["complete"]))
def batch(request: pytest.FixtureRequest) -> Watched:
    """Races of each kind of game."""
    return Watched(4, players=2, seed=3, observe_idle=False, **GAMES[request.param])


# -- acting and the agent


def check_correction(net: Network, options: Options, played: Rollout) -> None:
    """A network that has not changed trusts all that it played; another one the more, the likelier it plays so too."""
    before = {name: column.copy() for name, column in played.programs.items()}
    learner = Learner(net, options)
    share = learner.share_of(net, played)
    programs, choices = share.programs, share.choices
    learner.correct(share)
    np.testing.assert_allclose(programs["logps"], before["logps"], atol=3e-3)
    np.testing.assert_allclose(programs["logps_trust"], 1.0, atol=4e-3)
    other = copy.deepcopy(net)
    torch.nn.init.normal_(other.cards.bias, std=1.0)
    drawn = programs["logps"].numpy().copy()
    learner.correct(Share(other, programs, choices))
    change = programs["logps"].numpy() - drawn
    assert change.std() > 0.1
    np.testing.assert_allclose(programs["logps_trust"], np.minimum(2.0, np.exp(change)), rtol=1e-3)
    assert (programs["logps"][programs["kinds"] == 0] == 0).all()


@pytest.mark.usefixtures("no_grad")
def test_decisions_are_legal_and_the_learner_scores_them_as_they_were_drawn(batch: Watched) -> None:
    net = network(batch)
    options = tiny(Path(), games=4, steps=12)
    played = Table(options, batch, [], 1).play(Actor(net, batch))
    assert batch.repaired == 0
    programs = everything(played)
    position = net.position(programs["own"].float(), programs["others"].float())
    logits, values = net.choose(net.context(position).unsqueeze(1), *seen_of(programs))
    kinds = programs["kinds"].long()
    active = kinds > 0
    assert active.any()
    logs = log_shares(logits, torch.where(active, programs["legal"], 1))
    again = logs.gather(2, (kinds - 1).clamp(min=0).unsqueeze(2)).squeeze(2)
    torch.testing.assert_close(again[active], programs["logps"][active], atol=3e-3, rtol=1e-3)
    torch.testing.assert_close(values[active], programs["values"][active], atol=3e-3, rtol=1e-3)
    may = programs["down"] >= 0
    assert may.any() == batch.announces
    odds = net.down(position).squeeze(1)[may]
    drawn = torch.nn.functional.logsigmoid(torch.where(programs["down"][may] == 1, odds, -odds))
    torch.testing.assert_close(drawn, programs["down_logps"][may], atol=3e-3, rtol=1e-3)
    assert (len(played.choices["values"]) > 0) == (batch.game == "complete") or batch.game == "community"
    if len(played.choices["values"]):
        choices = {name: torch.from_numpy(column) for name, column in played.choices.items()}
        logs = log_shares(net.option(net.position(choices["own"].float(), choices["others"].float())), choices["legal"])
        again = logs.gather(1, choices["options"].long().unsqueeze(1)).squeeze(1)
        torch.testing.assert_close(again, choices["logps"], atol=3e-3, rtol=1e-3)
    check_correction(net, options, played)


def test_the_agent_plays_the_likeliest_cards_of_the_network(batch: Watched, tmp_path: Path) -> None:
    net = network(batch)
    about = {"edition": batch.edition, "game": batch.game, "ghost": True}
    save_policy(tmp_path / "weights.npz", arrays_of(net), about)
    agent = PPOAgent(weights=str(tmp_path / "weights.npz"))
    assert agent.unknown_editions == {}
    actor, compared = Actor(net, batch), [0, 0]
    for _ in range(6):
        programs = np.zeros((batch.num_games, batch.players, 5), np.int8)
        choices = np.zeros((batch.num_games, batch.players), np.int8)
        rows, seats = np.nonzero(batch.programmed & batch.programming[:, None])
        if len(rows):
            info = Info(batch, rows, seats)
            made = actor.programs(rows, seats, np.full((len(rows), 6), -1, np.float32))
            programs[rows, seats] = agent.act(batch.vectors[rows, seats], None, info)  # type: ignore[arg-type]
            assert (programs[rows, seats] == made.slots)[made.kinds > 0].all()
            compared[0] += int((made.kinds > 0).sum())
            if batch.announces:
                choices[rows, seats] = agent.announce(batch.vectors[rows, seats], info) * (made.down >= 0)
                assert (choices[rows, seats] == (made.down == 1)).all()
        asked = np.flatnonzero(~batch.programming & ~batch.over)
        seats = batch.games["ask_seat"][asked].astype(np.int64)
        if len(asked):
            picked = actor.choices(asked, seats, np.full(len(asked), -1, np.float32)).options
            given = agent.choose(batch.vectors[asked, seats], None, Info(batch, asked, seats))  # type: ignore[arg-type]
            assert (given == 1 + picked).all()
            choices[asked, seats] = given
            compared[1] += len(asked)
        batch.step(programs, choices if batch.asks_choices else None)
    assert compared[0] > 20
    assert compared[1] > 0 or batch.game != "complete"


def every_program(net: Network, batch: BatchRace) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Of the programs [n, 5] of the first seat, as kinds of cards: log-probabilities [n] and values before the last
    card [n], by the network in torch. Programs with an unlikely beginning are left out."""
    orders = np.array(sorted(set(itertools.permutations(range(9), 5))), np.int8)
    _, first = np.unique(batch.games["hand"][0, 0][orders], axis=0, return_index=True)
    given = orders[first]
    nothing = np.zeros(len(given), np.int64)
    made = Actor(net, batch).programs(nothing, nothing, np.zeros((len(given), 6), np.float32), given)
    assert (made.slots == given).all()
    beginnings = made.logps.cumsum(1)
    likely = (beginnings[:, :4] >= beginnings[:, :4].max(0) - MARGIN).all(1)
    return made.kinds[likely], beginnings[likely, 4], made.values[likely, 4]


@pytest.mark.parametrize("critic", [0.0, 3.0, 20.0])
def test_a_wide_beam_finds_the_best_of_all_programs(critic: float, tmp_path: Path) -> None:
    lost = []
    for seed in range(6):
        batch = BatchRace(1, players=2, rules={"upgrades": False}, seed=seed)
        hand = batch.games["hand"][0, 0]
        hand[:] = [1, 1, 1, 2, 4, 4, 5, 5, 5]  # of few kinds: there are less than a thousand programs
        net = network(batch, scale=0.3)
        kinds, logps, values = every_program(net, batch)
        assert 50 < len(kinds) < 1000
        save_policy(tmp_path / "weights.npz", arrays_of(net), {"edition": "2016", "game": "lighter", "ghost": True})
        found = []
        for beam in (1000, 1):
            agent = PPOAgent(weights=str(tmp_path / "weights.npz"), beam=beam, critic=critic)
            info = Info(batch, np.zeros(1, np.int64), np.zeros(1, np.int64))
            program = hand[agent.act(batch.vectors[:, 0], None, info)[0]]  # type: ignore[arg-type]
            found.append((logps + critic * values)[(kinds == program).all(1)].item())
        assert found[0] == pytest.approx((logps + critic * values).max(), abs=1e-4)
        lost.append(found[0] - found[1])
    assert max(lost) > 0.05  # the likeliest card in each register is not the best program


@pytest.mark.parametrize(
    ("about", "beam"),
    [
        ({"algorithm": "ppo", "critic": "own"}, 8),
        ({"algorithm": "ppo", "critic": "central"}, 1),
        ({"algorithm": "pqn", "critic": "own"}, 1),
        (None, 1),
    ],
)
def test_the_beam_follows_what_was_learned(about: NamedValues | None, beam: int, tmp_path: Path) -> None:
    """Scores of Q-learning are no shares, and a central critic saw the other hands."""
    batch = BatchRace(12, players=3, rules={"upgrades": False}, seed=2)
    given = {"edition": "2016", "game": "lighter", "ghost": True} | ({"options": about} if about else {})
    save_policy(tmp_path / "weights.npz", arrays_of(network(batch, scale=0.3)), given)
    rows, seats = np.nonzero(batch.programmed)
    info = Info(batch, rows, seats)

    def programs(**options: Any) -> list[list[int]]:
        agent = PPOAgent(weights=str(tmp_path / "weights.npz"), **options)
        found: list[list[int]] = agent.act(batch.vectors[rows, seats], None, info).tolist()  # type: ignore[arg-type]
        return found

    assert programs() == programs(beam=beam)
    assert programs(beam=1) != programs(beam=8)


@pytest.mark.parametrize("spec", ["beam=0", "beam=1001", "beam=2.5", "critic=-1", "critic=high", "critic=nan"])
def test_wrong_options_of_the_beam_are_refused(spec: str) -> None:
    with pytest.raises(AgentError, match=rf"{spec.split('=')[0]}: expected a"):
        make_agent(f"ppo:{spec}")


@pytest.mark.slow
def test_closed_registers_do_not_confuse_the_beam() -> None:
    """Where damage closes the last registers, the critic judges before the last open one; all stay closed."""
    batch = BatchRace(32, edition="2005", seed=8)
    batch.games["damage"] = 7  # registers 3, 4 and 5 are closed once they have a card
    agents = [make_agent("ppo"), make_agent("ppo:beam=1")]
    line_ups = np.tile(np.array([0, 1, 0, 1]), (32, 1))
    closed = 0
    for _ in range(4):
        programs, choices = decide(batch, agents, line_ups)
        closed += int((batch.closed_registers[batch.programmed] > 0).sum())
        batch.step(programs, choices if batch.asks_choices else None)
        batch.games["damage"] = np.maximum(batch.games["damage"], 7)
    assert closed > 50
    assert int(batch.corrected.sum()) == 0


@pytest.mark.slow
def test_the_agent_powers_up_again(tmp_path: Path) -> None:
    """By community rules a robot that is powered down may announce the next power down: in training it never does, so
    the network knows nothing of it."""
    batch = BatchRace(4, players=2, edition="community", seed=3)
    net = network(batch)
    torch.nn.init.constant_(net.down.bias, 9.0)
    about = {"edition": batch.edition, "game": batch.game, "ghost": True}
    save_policy(tmp_path / "weights.npz", arrays_of(net), about)
    agent = PPOAgent(weights=str(tmp_path / "weights.npz"))
    line_ups, down = np.zeros((4, 2), np.int64), []
    while len(down) < 6:
        programs, choices = decide(batch, [agent], line_ups)
        if batch.programming.all():
            down.append(~batch.programmed)
            assert choices is not None
            assert (choices == batch.programmed).all()
        batch.step(programs, choices)
    assert 0.2 < np.mean(down) < 0.6


def test_probabilities_of_legal_cards_add_up_to_one() -> None:
    rng = np.random.default_rng(1)
    for _ in range(20):
        logits, bits = rng.normal(0, 3, KINDS).astype(np.float32), int(rng.integers(1, 2**KINDS))
        legal = [kind for kind in range(KINDS) if bits >> kind & 1]
        shares = np.exp([log_share(logits, np.int64(bits), kind) for kind in legal])
        assert shares.sum() == pytest.approx(1.0, abs=1e-6)
        by_torch = log_shares(torch.from_numpy(logits), torch.tensor(bits)).exp()
        assert by_torch.numpy()[legal] == pytest.approx(shares, abs=1e-5)
        assert by_torch.sum() == pytest.approx(1.0, abs=1e-5)
        assert draw(logits, np.int64(bits), np.float32(rng.random())) in legal
        assert draw(logits, np.int64(bits), np.float32(-1)) == max(legal, key=lambda kind: logits[kind])


@pytest.fixture
def weights(tmp_path: Path) -> Path:
    """Weights of the lighter game, which know nothing."""
    batch = BatchRace(1, players=2, rules={"upgrades": False})
    about = {"edition": "2016", "game": "lighter", "ghost": True}
    save_policy(tmp_path / "weights.npz", arrays_of(network(batch)), about)
    return tmp_path / "weights.npz"


def test_weights_of_another_game_are_refused(weights: Path) -> None:
    with pytest.raises(AgentError, match=r"edition 2016.*edition 2005"):
        evaluate([f"ppo:weights={weights}", "random"], edition="2005", games=2)
    with pytest.raises(AgentError, match="edition 2016"):
        evaluate([f"ppo:weights={weights}", "random"], games=2)


def damaged(path: Path, how: str) -> None:
    """Spoil a file of weights."""
    arrays, about = read_policy(path)
    if how == "cut":
        path.write_bytes(path.read_bytes()[:-200])
    elif how == "text":
        path.write_text("no weights")
    elif how == "huge":
        np.savez(path, about=np.array(json.dumps(about)), **(arrays | {"own_w": np.zeros((5000, 16), np.float16)}))
    elif how == "shape":
        np.savez(path, about=np.array(json.dumps(about)), **(arrays | {"mid_w": np.zeros((16, 3), np.float16)}))
    elif how == "missing":
        del arrays["deep_b"]
        np.savez(path, about=np.array(json.dumps(about)), **arrays)
    elif how == "nan":
        save_policy(path, arrays | {"down_b": np.array([np.nan])}, about)
    elif how == "version":
        for name in ("before_w", "after_w"):  # which an earlier version did not have
            del arrays[name]
        np.savez(path, about=np.array(json.dumps(about | {"inputs": 1})), **arrays)
    else:
        np.savez(path, about=np.array(json.dumps(about | {"format": "other"})), **arrays)


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ("cut", ""),
        ("text", ""),
        ("huge", "own_w.*5000.*16.*1.*4096"),
        ("shape", "mid_w.*16.*3"),
        ("missing", "deep_b"),
        ("nan", ""),
        ("version", "version 1.*2.*train again"),
        ("format", ""),
    ],
)
def test_damaged_weights_are_refused_in_a_line(weights: Path, how: str, message: str) -> None:
    damaged(weights, how)
    with pytest.raises(AgentError, match=message) as error:
        make_agent(f"ppo:weights={weights}")
    assert "\n" not in str(error.value)


def test_wrong_words_for_weights_are_refused() -> None:
    with pytest.raises(AgentError, match="file"):
        make_agent("ppo:weights=nowhere.npz")
    with pytest.raises(AgentError, match=r"weights.*/7.*7"):
        make_agent("ppo:weights=7")


def test_editions_without_weights_are_said_before_a_race(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("roborally_env.agents.ppo.WEIGHTS", tmp_path)
    agent = PPOAgent()
    assert {"2016", "2023", "2005", "community"} <= set(agent.unknown_editions)
    with pytest.raises(AgentError, match=r"ppo.*edition 2016"):
        evaluate(["ppo", "random"], games=2)
    (tmp_path / "ppo_lighter.npz").touch()
    assert "2016" not in agent.unknown_editions
    assert "2005" in agent.unknown_editions


def test_the_start_page_offers_agents_that_can_play(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def offered() -> list[str]:
        return list(Lobby().choices()["agents"])

    monkeypatch.setattr("roborally_env.agents.ppo.WEIGHTS", tmp_path)
    assert offered() == [
        "random", "greedy", "planner", "learned", "learned-search", "shooter", "blocker", "cautious",
        "easy",
    ]  # fmt: skip
    (tmp_path / "ppo_complete.npz").touch()
    assert "ppo" in offered()


# -- learning


def test_advantages_are_those_of_the_formula() -> None:
    """One seat: a program of two cards, a choice, a program without a card, the end of the race, another program."""
    gamma, lam, inner = 0.5, 0.5, 0.25
    at = np.array([0, 1, 2, 4, -1], np.int32).reshape(5, 1, 1)
    rewards = np.array([1.0, 2.0, 4.0, 8.0, 16.0], np.float32).reshape(5, 1, 1)
    done = np.array([False, False, True, False, False]).reshape(5, 1)
    last = np.array([[32.0]], np.float32)
    values = np.array([[1, 0, 2, 0, 0], [9, 9, 9, 9, 9], [0, 0, 0, 3, 0]], np.float32)
    kinds = np.array([[5, 0, 6, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 7, 0]], np.int8)
    choices = np.array([0.5], np.float32)
    found, found_choices = np.zeros_like(values), np.zeros_like(choices)
    follow_back(at, rewards, done, last, values, kinds, choices, gamma, lam, inner, found, found_choices)
    choice = 2.0 + 4.0 - 0.5  # the rewards up to the end of the race, none of its value is left
    second = 1.0 + gamma * 0.5 - 2.0 + gamma * lam * choice
    first = 2.0 - 1.0 + inner * second  # nothing is discounted between cards
    other = 8.0 + 16.0 + gamma * 32.0 - 3.0
    assert found_choices.tolist() == [choice]
    assert found.tolist() == [[first, 0, second, 0, 0], [0] * 5, [0, 0, 0, other, 0]]


def everything(played: Rollout) -> Columns:
    """The columns of all programs."""
    p = {name: torch.from_numpy(column) for name, column in played.programs.items()}
    return p | {"led_at": torch.repeat_interleave(p["leads"].long()) * (5 * CARDS) + p["led_at"]}


def test_a_policy_learns_what_is_rewarded() -> None:
    """Programs of two cards: the first is to be of kind 3, the second, once that lies there, of kind 5."""
    torch.set_num_threads(1)  # as in a run: several wait for each other on a busy machine
    torch.manual_seed(1)
    net = Network(4, 3, 2, 16, 16)
    learner = Learner(net, Options(epochs=4, minibatch=128, entropy=0.0, lr=1e-2))
    n, rng, shares = 256, torch.Generator().manual_seed(1), []
    legal = np.zeros((n, 5), np.int32)
    legal[:, :2] = 0b111111
    own, others = torch.zeros(n, 4), torch.zeros(n, 1, 3)
    for _ in range(25):
        seen, kinds = torch.zeros(n, 5, SIZE + KINDS), torch.zeros(n, 5, dtype=torch.long)
        logps, values = torch.zeros(n, 5), torch.zeros(n, 5)
        with torch.no_grad():
            context = net.context(net.position(own, others))
            for k in range(2):
                seen[:, k, k] = 1.0
                if k:
                    seen[torch.arange(n), k, SIZE + kinds[:, 0] - 1] = 1.0
                logits, values[:, k] = net.choose(context, *parts_of_ghosts(seen[:, k]))
                logs = log_shares(logits, torch.from_numpy(legal[:, k]))
                kinds[:, k] = 1 + torch.multinomial(logs.exp(), 1, generator=rng).squeeze(1)
                logps[:, k] = logs.gather(1, kinds[:, k : k + 1] - 1).squeeze(1)
        right = (kinds[:, 0] == 3) + 1.0 * ((kinds[:, 0] == 3) & (kinds[:, 1] == 5))
        returns = torch.zeros(n, 5)
        returns[:, :2] = right[:, None]
        near, led, at = parts_of_ghosts(seen)
        columns = {
            "own": own, "others": others, "near": near, "led": led, "led_at": at % (5 * CARDS), "kinds": kinds,
            "leads": torch.bincount(at // (5 * CARDS), minlength=n), "logps": logps, "values": values,
            "returns": returns, "advantages": returns - values, "down": torch.full((n,), -1),
            "down_logps": torch.zeros(n),
        }  # fmt: skip
        programs = {name: column.numpy() for name, column in columns.items()} | {"legal": legal}
        nothing = {"values": np.zeros(0, np.float32), "advantages": np.zeros(0, np.float32)}
        learner.learn(Rollout(programs, nothing, n), left=1.0)
        shares.append(float((right == 2).float().mean()))
    assert shares[0] < 0.2
    assert np.mean(shares[-3:]) > 0.9


@pytest.mark.usefixtures("no_grad")
def test_weights_of_another_game_begin_with_what_cards_lead_to(tmp_path: Path) -> None:
    """The layers that read the position begin anew, and the cards' scores do not depend on it yet."""
    first, other = network(BatchRace(1, edition="2023")), network(BatchRace(1, edition="2005"))
    before = other.own.weight.clone()
    load_arrays(other, arrays_of(first), "weights.npz")
    torch.testing.assert_close(other.own.weight, before)
    seen = torch.rand(3, SIZE + KINDS)
    scores = [
        other.choose(
            other.context(other.position(torch.rand(3, len(before[0])), torch.rand(3, 3, other.row.in_features))),
            *parts_of_ghosts(seen),
        )
        for _ in range(2)
    ]
    torch.testing.assert_close(scores[0], scores[1])
    torch.testing.assert_close(scores[0], first.choose(first.context.bias.expand(3, -1), *parts_of_ghosts(seen)))
    with pytest.raises(AgentError, match="--width"):
        load_arrays(Network(4, 3, 2, 16, 16), arrays_of(first), "weights.npz")


def rows_of(folder: Path, name: str = "progress.csv") -> list[dict[str, str]]:
    """The rows of a table, without times."""
    timed = ("seconds", "rate", "share_play", "share_learn")
    with (folder / name).open(newline="") as file:
        return [{key: cell for key, cell in row.items() if key not in timed} for row in csv.DictReader(file)]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run that nothing disturbed."""
    folder = tmp_path_factory.mktemp("ppo") / "whole"
    result = train(tiny(folder))
    assert isinstance(result, Result)
    assert (result.decisions, result.stopped, result.weights) == (384, False, folder / "weights.npz")
    assert [(row.decisions, row.opponent) for row in result.evaluations] == [(n, "random") for n in (128, 256, 384)]
    assert [row.races for row in result.evaluations] == [2, 2, 4]
    return folder


class Broken(Exception):
    """What ends a run from within."""


def interrupt(_: Any) -> None:
    """Ctrl-C."""
    os.kill(os.getpid(), signal.SIGINT)


def fail(_: Any) -> None:
    """An error of the callback, as pruning is."""
    raise Broken


@pytest.mark.parametrize("stop", [lambda rows: True, interrupt, fail], ids=["callback", "Ctrl-C", "error"])
def test_a_run_that_was_stopped_ends_as_one_that_was_not(stop: Callable[..., Any], whole: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    if stop is fail:
        with pytest.raises(Broken):
            train(tiny(folder), on_evaluation=stop)
    else:
        assert train(tiny(folder), on_evaluation=stop).stopped
    assert [row["decisions"] for row in rows_of(folder)] == ["64", "128"]
    result = train(tiny(folder))
    assert not result.stopped
    check_same(folder, whole)
    assert len(result.evaluations) == 3
    again = train(tiny(folder))  # there is nothing left to do
    assert again.evaluations == result.evaluations
    check_same(folder, whole)


def check_same(folder: Path, whole: Path) -> None:
    """Two runs came to the same."""
    assert (folder / "weights.npz").read_bytes() == (whole / "weights.npz").read_bytes()
    for name in ("progress.csv", "evaluation.csv"):
        assert rows_of(folder, name) == rows_of(whole, name)


def test_options_that_are_newer_than_a_checkpoint_have_their_defaults(tmp_path: Path) -> None:
    new = ("gamma", "lr_end", "target_kl")
    train(tiny(tmp_path, decisions=64))
    state = torch.load(tmp_path / "checkpoint.pt", weights_only=False)
    state["options"] = {name: value for name, value in state["options"].items() if name not in new}
    torch.save(state, tmp_path / "checkpoint.pt")
    for name in new:
        with pytest.raises(RoboRallyError, match=f"--{name.replace('_', '-')} .*expected the same"):
            train(tiny(tmp_path, **{name: 0.5}))
    assert not train(tiny(tmp_path)).stopped


def test_the_learning_rate_and_the_number_of_passes_follow_their_options(tmp_path: Path) -> None:
    rates, passes = [], []
    for number, more in enumerate(({}, {"lr_end": 1.0}, {"target_kl": 1e-3})):
        options = tiny(tmp_path / str(number), lr=0.5, ahead=False, epochs=3, minibatch=64, **more)
        one = run.Run(options)
        steps: list[Any] = []
        one.learner.optimizer.register_step_post_hook(lambda *_, made=steps: made.append(_))
        one.next(0)
        with one.helper() as helper:
            played = run.waited_for(one.play(helper))
        one.learner.learn(*played.rollouts, left=0.01)
        rates.append(one.learner.optimizer.param_groups[0]["lr"])
        passes.append(len(steps))
        one.writer.close()
    assert rates == [0.5 * 0.05, 0.5, 0.5 * 0.05]
    assert passes == [3, 3, 2]  # in the first pass there is next to no divergence


@pytest.mark.parametrize("where", ["report", "evaluate"])
def test_a_run_that_broke_off_anywhere_goes_on_from_its_checkpoint(
    where: str, whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after kill -9: nothing is written once it has happened, but more than the checkpoint knows before."""
    calls = []

    def broken(self: Any, *given: Any) -> Any:
        calls.append(given)
        if len(calls) == 2:
            raise Broken
        return original(self, *given)

    original = getattr(run.Run, where)
    with monkeypatch.context() as patched:
        patched.setattr(run.Run, where, broken)
        with pytest.raises(Broken):
            train(tiny(tmp_path / "run"))
    train(tiny(tmp_path / "run"))
    check_same(tmp_path / "run", whole)


@pytest.mark.parametrize(
    "both", [{"actors": 2}, {"actors": 2, "learners": 2, "ahead": False}], ids=["ahead", "in turn"]
)
def test_two_actors_play_other_races_than_one_and_resume_too(both: dict[str, Any], tmp_path: Path) -> None:
    whole = train(tiny(tmp_path / "whole", **both))
    assert train(tiny(tmp_path / "run", hours=1e-9, **both)).decisions < whole.decisions
    resumed = train(tiny(tmp_path / "run", **both))
    assert rows_of(tmp_path / "run") == rows_of(tmp_path / "whole")
    assert resumed.weights.read_bytes() == whole.weights.read_bytes()
    one = train(tiny(tmp_path / "one"))
    assert one.weights.read_bytes() != whole.weights.read_bytes()


@pytest.mark.parametrize("ahead", [False, True])
def test_two_learners_step_along_the_gradient_of_one(ahead: bool) -> None:
    """All decisions are one minibatch, so both make the same step but for rounding."""
    nets = []
    batches = [BatchRace(8, players=2, seed=seed, observe_idle=False, edition="2005") for seed in (3, 4)]
    before = network(batches[0])
    for learners in (1, 2):
        options = tiny(
            Path(),
            games=16,
            minibatch=4096,
            epochs=1,
            actors=2,
            learners=learners,
            ahead=ahead,
            lr=1e-2,
            max_grad_norm=9e9,
        )
        net = copy.deepcopy(before)
        played = [
            Table(options, copy.deepcopy(batch), [], seed).play(Actor(before, copy.deepcopy(batch)))
            for seed, batch in enumerate(batches)
        ]
        learner = Learner(net, options)
        learner.optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        learner.learn(*played, left=1.0)
        nets.append(net)
    for mine, its, old in zip(*(each.parameters() for each in (*nets, before)), strict=True):
        torch.testing.assert_close(mine, its, atol=1e-5, rtol=1e-4)
        assert mine.data_ptr() != old.data_ptr()
    changed = [not torch.equal(mine, old) for mine, old in zip(nets[1].parameters(), before.parameters(), strict=True)]
    assert np.mean(changed) > 0.5


def test_without_the_ghost_and_without_playing_ahead(tmp_path: Path) -> None:
    result = train(tiny(tmp_path / "run", ghost=False, ahead=False, decisions=128, evaluate_every=0, bots=["random"]))
    assert read_policy(result.weights)[1]["ghost"] is False
    assert len(result.evaluations) == 1
    with pytest.raises(RoboRallyError, match="--ghost False"):
        train(tiny(tmp_path / "run", ahead=False, decisions=128, bots=["random"]))


@pytest.mark.slow
def test_rollouts_of_one_step_may_have_no_program(tmp_path: Path) -> None:
    """One race of the complete game: most of its steps are purchases."""
    result = train(
        tiny(tmp_path / "run", rules="{}", games=1, steps=1, decisions=40, evaluate_every=0, evaluate_games=0)
    )
    assert 40 <= result.decisions < 44


def test_a_teachers_cards_become_likelier(tmp_path: Path) -> None:
    given = {"imitate": "greedy", "lr": 1e-2, "hidden": 32, "width": 32, "decisions": 1280, "epochs": 4}
    train(tiny(tmp_path / "run", evaluate_every=0, evaluate_games=0, **given))
    losses = [float(row["policy_loss"]) for row in rows_of(tmp_path / "run")]
    assert np.mean(losses[-3:]) < 0.85 * losses[0]


@pytest.mark.usefixtures("no_grad")
def registers_lost(net: Network, played: Rollout) -> float:
    """What cards that are drawn lose on average against the best ones of a robot alone."""
    p = everything(played)
    position = net.position(p["own"].float(), p["others"].float())
    logits, _ = net.choose(net.context(position).unsqueeze(1), *seen_of(p))
    targets = p["targets"].float()
    known = (p["kinds"] > 0) & (targets.sum(2) > 0)
    shares = log_shares(logits, torch.where(known, p["legal"], 1)).exp()
    lost = -SOFT / 4 * (targets / targets.amax(2, keepdim=True)).clamp(min=1e-7).log()
    return float((shares * lost).sum(2)[known].mean())


def test_with_a_solo_weight_cards_that_lose_registers_become_rarer() -> None:
    options = tiny(Path(), games=16, steps=8, solo_weight=4.0, shaping=0.0, epochs=20, lr=3e-3)
    batch = BatchRace(16, "twister", players=2, seed=3, observe_idle=False, rules={"upgrades": False})
    net = network(batch)
    played = Table(options, batch, [], 1).play(Actor(net, batch))
    before = registers_lost(net, played)
    Learner(net, options).learn(played, left=1.0)
    assert registers_lost(net, played) < 0.8 * before


class Wild:
    """Programs that the rules do not allow: the same slot in all registers."""

    name, needs_observation = "wild", False

    def act(self, observations: Any, masks: Any, info: Info) -> Any:
        return np.full((len(info.games), 5), 3, np.int8)


def test_a_teachers_illegal_cards_are_left_out(tmp_path: Path) -> None:
    spec = "tests.learning.test_ppo:Wild"
    result = train(tiny(tmp_path / "run", evaluate_every=0, evaluate_games=0, decisions=64, imitate=spec))
    assert all(abs(float(row["policy_loss"])) < 100 for row in rows_of(tmp_path / "run"))
    assert result.decisions == 64


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "course": ({"courses": ["dizy_highway"]}, "dizzy_highway"),
    "players": ({"players": 9}, "--players.*2.*8.*9"),
    "minibatch": ({"minibatch": 0}, "--minibatch.*1.*0"),
    "reward": ({"reward": "wins"}, "--reward.*race, win.*'wins'.*win"),
    "bot": ({"bots": ["gredy"]}, "--bots.*'gredy'.*greedy"),
    "teacher": ({"imitate": "plannr"}, "--imitate.*'plannr'"),
    "opponent": ({"opponents": ["ppo:weights=no.npz"]}, "--opponents.*no.npz"),
    "no JSON": ({"rules": "upgrades"}, "--rules"),
    "no object": ({"rules": "[1]"}, "rules"),
    "units": ({"hidden": 3000}, "--hidden.*1.*2048.*3000"),
    "parts": ({"games": 8, "actors": 3}, "--games.*--actors 3.*8"),
    "learners": ({"games": 8, "actors": 4, "learners": 3}, "--actors.*--learners 3.*4"),
    "learners on a GPU": ({"actors": 2, "learners": 2, "device": "cuda"}, "--learners 2.*1.*cuda"),
    "device": ({"device": "gpu"}, "--device.*cuda.*'gpu'"),
    "not a number": ({"lr": float("nan")}, "--lr.*0.*nan"),
}


@pytest.mark.parametrize(("given", "message"), WRONG.values(), ids=WRONG)
def test_wrong_options_are_refused_in_a_line(given: dict[str, Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(RoboRallyError, match=message) as error:
        train(tiny(tmp_path / "run", **given))
    assert "\n" not in str(error.value)
    assert not (tmp_path / "run").exists()


def test_agents_that_cannot_play_these_races_are_refused_at_once(tmp_path: Path, weights: Path) -> None:
    for name in ("bots", "opponents"):
        with pytest.raises(RoboRallyError, match=rf"{name}.*edition 2016"):
            train(tiny(tmp_path / "run", rules="{}", **{name: [f"ppo:weights={weights}"]}))
    with pytest.raises(RoboRallyError, match=r"^--imitate.*1.*4"):
        train(tiny(tmp_path / "run", imitate="tests.learning.test_ppo:Short"))
    assert not (tmp_path / "run").exists()


class Short(Wild):
    """Programs of four cards."""

    name = "short"

    def act(self, observations: Any, masks: Any, info: Info) -> Any:
        return np.zeros((len(info.games), 4), np.int8)


def words(options: Options) -> list[str]:
    """Options as words of a command."""
    given = ["--out", "--rules", "--players", "--games", "--steps", "--decisions", "--minibatch", "--hidden", "--width"]
    given += ["--epochs", "--max-rounds", "--evaluate-every", "--evaluate-games", "--opponents", "--checkpoint-every"]
    found = []
    for flag in given:
        value = getattr(options, flag[2:].replace("-", "_"))
        found += [flag, *(value if isinstance(value, list) else [str(value)])]
    return [*found, "--ahead"]


def test_the_command_and_the_script_train_alike(
    whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = [*words(tiny(tmp_path / "command")), "--gae-lambda", "0.95", "--learning-rate", "0.001", "--gamma", "1"]
    given += ["--ent-coef", "0.01", "--vf-coef", "0.5"]
    at = given.index("--rules")
    with pytest.raises(SystemExit) as ended:
        main(["train", "ppo", *given[:at], *given[at + 2 :], "--lighter"])
    assert not ended.value.code
    check_same(tmp_path / "command", whole)
    load_script("ppo").main(words(tiny(tmp_path / "script", decisions=64)), standalone_mode=False)
    assert f"the agent ppo:weights={tmp_path / 'script' / 'weights.npz'}" in capsys.readouterr().out
    with pytest.raises(SystemExit) as ended:
        main(["train", "ppo", "--cores", "2"])
    assert ended.value.code == 2
    assert "--cores" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ({"upgrades": False}, '{"upgrades": false}'),
        ("upgrades=false again_after_damage=repeat", '{"upgrades": false, "again_after_damage": "repeat"}'),
        ('{"upgrades":false}', '{"upgrades":false}'),
        ("", "{}"),
    ],
)
def test_rules_are_given_by_name_or_as_json(given: Any, kept: str) -> None:
    assert Options(rules=given).rules == kept
    assert dataclasses.replace(Options(rules=given), games=8).rules == kept


WRONG_OPTIONS = {
    "a fraction": ({"epochs": 1.5}, "--epochs: expected a whole number, got 1.5"),
    "a flag for a number": ({"steps": True}, "--steps: expected a whole number, got True"),
    "a word for a number": ({"lr": "x"}, "--lr: expected a number, got 'x'"),
    "infinity": ({"lr": float("inf")}, "--lr: expected a finite number, got inf"),
    "a number for a path": ({"out": 5}, "--out: expected a text, got 5"),
    "no path": ({"out": ""}, "--out: expected a folder"),
    "a number for a list": ({"opponents": 3}, "--opponents: expected a list, got 3"),
    "a number in a list of texts": ({"courses": ["twister", 1]}, "--courses: expected texts, got 1"),
    "a large seed": ({"seed": 2**70}, "--seed: expected 0 to 9223372036854775807"),
}


@pytest.mark.parametrize(("given", "words"), WRONG_OPTIONS.values(), ids=WRONG_OPTIONS)
def test_options_of_other_types_are_refused(given: dict[str, Any], words: str) -> None:
    with pytest.raises(RoboRallyError) as refused:
        Options(**given).check()
    assert str(refused.value).startswith(words)


def test_one_word_stands_for_a_list() -> None:
    assert Options(courses="twister", games=np.int64(8)) == Options(courses=["twister"], games=8)  # type: ignore[arg-type]
    assert Options(out=Path("a") / "b").out == str(Path("a/b"))  # type: ignore[arg-type]


def test_a_run_that_stops_while_robots_buy_resumes_exactly(tmp_path: Path) -> None:
    """Where one robot buys, the others' observations are not written; their values count at a rollout's end."""
    more = {"rules": "{}", "courses": ["dizzy_highway", "generated:seed=3"], "levels": 3, "evaluate_every": 64}
    more |= {"evaluate_courses": ["dizzy_highway"], "ahead": False}
    whole = train(tiny(tmp_path / "whole", **more))
    stopped = train(tiny(tmp_path / "stopped", **more), lambda _: True)
    stops = 0
    while stopped.stopped:
        stopped = train(tiny(tmp_path / "stopped", **more), lambda _: True)
        stops += 1
    assert stops > 2
    assert stopped.weights.read_bytes() == whole.weights.read_bytes()


def test_rules_may_be_written_in_another_way_when_a_run_resumes(tmp_path: Path) -> None:
    train(tiny(tmp_path, rules='{"upgrades":false}'))
    assert not train(tiny(tmp_path, rules={"upgrades": np.bool_(False)}, decisions=400)).stopped
    with pytest.raises(RoboRallyError, match="--rules"):
        train(tiny(tmp_path, rules="timer=true", decisions=500))


def test_wrong_arguments_of_train(tmp_path: Path) -> None:
    with pytest.raises(RoboRallyError, match="options: expected Options, got 5"):
        train(5)  # type: ignore[arg-type]
    with pytest.raises(RoboRallyError, match=r"on_evaluation.*got 5"):
        train(tiny(tmp_path), 5)  # type: ignore[arg-type]
    assert not any(tmp_path.iterdir())


def test_evaluation_courses_are_checked_before_the_training(tmp_path: Path) -> None:
    with pytest.raises(CourseError, match=r"--evaluate-courses: .*twister"):
        train(tiny(tmp_path, evaluate_courses=["twistr"]))
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("courses", "raced"),
    [
        ({"courses": ["generated:seed=1"], "levels": 2}, ["generated:seed=1"]),
        ({"courses": ["twister", "generated:seed=1"], "levels": 2}, ["twister"]),
        ({"evaluate_courses": ["generated:seed=9", "burnout", "twister"]}, ["all", "generated:seed=9"]),
    ],
)
def test_evaluations_are_on_named_courses_or_generated_ones(
    tmp_path: Path, courses: dict[str, Any], raced: list[str]
) -> None:
    result = train(tiny(tmp_path, evaluate_every=0, **courses))
    assert [row.course for row in result.evaluations] == raced


@pytest.mark.parametrize("at_the_end", [True, False])
def test_a_stopped_evaluation_does_not_count_and_is_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at_the_end: bool
) -> None:
    more = {"decisions": 300, "evaluate_games": 4, "evaluate_every": 0 if at_the_end else 128, "opponents": ["random"]}
    whole = train(tiny(tmp_path / "whole", **more))
    races: list[int] = []

    def stopped(*args: Any, **options: Any) -> Any:
        os.kill(os.getpid(), signal.SIGINT)
        races.append(1)
        return evaluate(*args, **options)

    with monkeypatch.context() as patch:
        patch.setattr("roborally_env.training.evaluations.evaluate", stopped)
        first = train(tiny(tmp_path / "stopped", **more))
    assert first.stopped
    assert not first.evaluations
    assert not races  # Ctrl-C is not only noted
    second = train(tiny(tmp_path / "stopped", **more))
    assert not second.stopped
    mine, its = ([dataclasses.replace(row, seconds=0) for row in each.evaluations] for each in (second, whole))
    assert mine == its
    assert second.weights.read_bytes() == whole.weights.read_bytes()


@pytest.mark.parametrize(("given", "words"), [(3, "got 3"), ("upgrades", "NAME=VALUE"), ("{", "JSON")])
def test_other_rules_are_refused(given: Any, words: str) -> None:
    with pytest.raises(RoboRallyError, match=f"--rules: .*{words}"):
        Options(rules=given)


def test_its_options_need_no_torch() -> None:
    code = "from roborally_env.training.ppo import Options; Options(); import sys; print('torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_an_evaluation_is_a_row_for_the_callback(tmp_path: Path) -> None:
    seen: list[list[Evaluation]] = []
    train(tiny(tmp_path / "run", decisions=64, opponents=["random", "greedy"]), on_evaluation=seen.append)
    ((first, second),) = seen
    assert (first.opponent, second.opponent) == ("random", "greedy")
    assert 0 <= first.win_low <= first.win_rate <= first.win_high <= 1


# -- scripts/experiments/learning_curves.py


def test_curves_are_collected_and_drawn(tmp_path: Path, whole: Path) -> None:
    pytest.importorskip("matplotlib")
    curves = load_script("learning_curves")
    race = {"decisions": 20, "seconds": 2.0, "against": "random", "races": 4, "win_rate": 0.5, "win_low": 0.2}
    race["win_high"] = 0.8
    row = "20,2.0,dizzy_highway,random,4,0.5,0.2,0.8"
    (tmp_path / "sb3").mkdir()
    (tmp_path / "sb3" / "progress.csv").write_text(
        "decisions,seconds,rate,share/env\n10,1,9,0.1\n20,2,11,0.3\n30,3,12,0.2\n"
    )
    (tmp_path / "sb3" / "evaluation.csv").write_text(f"{','.join(COLUMNS)}\n{row}\n")
    found = {"ppo": curves.collect(whole), "sb3": curves.collect(tmp_path / "sb3")}
    rate = pytest.approx(11.8)  # a tenth of 9, 11 and 12 lies above it
    assert found["sb3"] == {"decisions": 30, "seconds": 3.0, "rate": rate, "share_env": 0.2, "races": [race]}
    assert (found["ppo"]["decisions"], found["ppo"]["share_env"]) == (384, None)
    assert [(row["decisions"], row["against"]) for row in found["ppo"]["races"]] == [
        (128, "random"), (256, "random"), (384, "random"),
    ]  # fmt: skip
    curves.draw(found, tmp_path / "curves.png")
    assert (tmp_path / "curves.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(RoboRallyError, match="over"):
        curves.collect(tmp_path)


def test_runs_that_go_on_from_each_other_are_one_row(tmp_path: Path, whole: Path) -> None:
    results = load_script("ppo_results")
    score = {"races": 4, "score": 0.5, "low": 0.2, "high": 0.8}
    sets = ("all", "training", "test")
    cards = []
    for won in (0.5, 0.4):
        card = tmp_path / f"card{won}.json"
        scores = {name: score | {"score": won, "finished": 1} for name in sets}
        card.write_text(json.dumps({"against": {"greedy": {"scores": scores}}}))
        cards.append(str(card))
    with (whole / "evaluation.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    again = tmp_path / "again"
    again.mkdir()
    for name in ("options.json", "progress.csv"):
        (again / name).write_bytes((whole / name).read_bytes())
    with (again / "evaluation.csv").open("w", newline="") as file:
        table = csv.DictWriter(file, rows[0])
        table.writeheader()
        table.writerows(row | {"opponent": "greedy"} for row in rows)
    found = results.collect([whole, again], cards)
    assert found["decisions"] == 2 * 384
    assert [point["decisions"] for point in found["curve"]] == [384 + int(row["decisions"]) for row in rows] + [2 * 384]
    assert len(found["earlier_options"]) == 1
    assert found["scores"] == dict.fromkeys(sets, score)
    assert found["policy"] == dict.fromkeys(sets, score | {"score": 0.4})
    assert found["curve"][-1]["win_rate"] == 0.4
    newer = results.collect([], cards[::-1], found)
    assert (newer["scores"], newer["policy"]) == (found["policy"], found["scores"])
    assert newer["curve"] == found["curve"]
    results.draw({"complete": found, "2005": found}, tmp_path / "ppo.png")
    assert (tmp_path / "ppo.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(RoboRallyError, match="over"):
        results.collect([tmp_path], cards)


def test_added_rows_and_their_gradients_are_those_of_torch() -> None:
    torch.manual_seed(1)
    of = torch.tensor([0, 0, 2, 3, 3, 3])
    weights = torch.randn(6, 8)
    found = []
    for by_torch in (False, True):
        torch.manual_seed(2)
        rows, groups = torch.randn(6, 8, requires_grad=True), torch.randn(4, 8, requires_grad=True)
        made = torch.relu(rows + groups[of]) if by_torch else added(rows * 1.0, groups, of)
        (made * weights).sum().backward()
        found.append((made.detach(), rows.grad, groups.grad))
    assert (found[0][0] == 0).any()
    torch.testing.assert_close(found[0], found[1])
