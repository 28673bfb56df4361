"""`roborally train selfplay`: its network, its numbers, and that a run can be stopped anywhere."""

from __future__ import annotations

import csv
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from roborally_env.agents import Info, make_agent
from roborally_env.agents.candidates import MOST
from roborally_env.agents.features import layout_for
from roborally_env.agents.network import load_weights, read_weights, save_weights, win_chances

from roborally_env import RoboRallyError
from roborally_env.batch import BatchRace
from roborally_env.cli import main
from roborally_env.evaluation.grades import estimate
from tests.later import imported_later
from tests.learning.nets import random_arrays
from tests.sizes import some

with imported_later("torch", "tensorboard"):
    import torch
    from torch.nn import functional as F

    from roborally_env.training.selfplay.advantages import advantages
    from roborally_env.training.selfplay.curriculum import learned_from, regrets, values_of
    from roborally_env.training.selfplay.gameplay import Moment
    from roborally_env.training.selfplay.league import ahead_of
    from roborally_env.training.selfplay.learner import FIELDS, Learner, expert_loss, padded
    from roborally_env.training.selfplay.levels import estimated_rounds
    from roborally_env.training.selfplay.network import Network
    from roborally_env.training.selfplay.options import Options
    from roborally_env.training.selfplay.programs import decide, score_programs
    from roborally_env.training.selfplay.run import Run

THREE_CELLS = """
title = "Three Cells"
edition = "2016"
players = [2, 4]
difficulty = "starter"
length = "short"
antenna = { x = 0, y = 0, facing = "E" }
reboots = [{ x = 1, y = 3, facing = "E" }]
checkpoints = [{ number = 1, x = 3, y = 2 }]

[[boards]]
x = 0
y = 0
drawing = '''
+    +    +    +    +    +
  .    d    .    .    .
+    +    +    +    +    +
  .    d    .    .    .
+    +    +    +    +    +
  .    d    .    .    .
+    +    +    +    +    +
  .    d    .    .    .
+    +    +    +    +    +
'''
"""


def options(out: Path, **given: Any) -> Any:
    """A run of a few seconds."""
    small: dict[str, Any] = {
        "out": str(out), "courses": ["dizzy_highway", "twister"], "games": 24, "steps": 8, "decisions": 1500,
        "minibatch": 256, "hidden": 32, "league": ["greedy"], "snapshot_every": 400, "snapshots": 1,
        "evaluate_every": 10**9, "evaluate_games": 2, "opponents": ["random"], "deals": [0],
    }  # fmt: skip
    return Options(**(small | given))


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A run before its first iteration, with some races under way."""
    made = Run(options(tmp_path_factory.mktemp("run"), league_share=0.0))
    for _ in range(12):
        made.player.step(made.tables[0], made.generator, made.rng)
    return made


def programs(run: Any, count: int = 10**6) -> tuple[Any, Any, Any, Any]:
    table = run.tables[0]
    games, seats = (x[:count] for x in np.nonzero(table.programming()))
    return table, games, seats, decide(run.learner.net, table, games, seats, run.generator)


def as_tensors(kind: str, data: Any) -> dict[str, Any]:
    return {name: torch.as_tensor(getattr(data, name)) for name in FIELDS[kind]}


def test_the_compiled_network_agrees_with_torch(run: Any, tmp_path: Path) -> None:
    net = run.learner.net
    with torch.no_grad():
        for parameter in net.parameters():
            parameter.copy_(parameter.half().float())  # weights are kept in half precision
    save_weights(tmp_path / "weights.npz", net.arrays(), {"edition": "2016"})
    table, games, seats, _ = programs(run)
    agent = make_agent(f"learned:deals=0,weights={tmp_path / 'weights.npz'}")
    masks = table.batch.observations["masks"][games, seats]
    laid = agent.act(None, masks, Info(table.batch, games, seats))
    traced = decide(net, table, games, seats, run.generator, given=laid)
    with torch.no_grad():
        scores = score_programs(net, as_tensors("program", traced))[4]
    best = scores.max(1).values - scores.gather(1, torch.as_tensor(traced.choice)[:, None]).squeeze(1)
    assert best.max() < 1e-3  # no other candidate scores higher than the one that was laid
    out = np.zeros(len(games))
    win_chances(load_weights(tmp_path / "weights.npz", table.batch.game)[0], traced.own, traced.others, out)
    np.testing.assert_allclose(out, traced.win, atol=1e-4)


def test_scoring_a_program_gives_what_drawing_it_gave(run: Any) -> None:
    *_, drawn = programs(run)
    logp, entropy, value, win, _ = score_programs(run.learner.net, as_tensors("program", drawn))
    np.testing.assert_allclose(logp.detach(), drawn.logp, atol=1e-4)
    np.testing.assert_allclose(value.detach(), drawn.value, atol=1e-4)
    np.testing.assert_allclose(torch.sigmoid(win).detach(), drawn.win, atol=1e-4)
    assert (entropy > 0).all()


def test_the_probabilities_of_all_candidates_add_up_to_one(run: Any) -> None:
    table, games, seats, _ = programs(run, 5)
    _, laid, counts = table.candidates.of(games, seats, np.zeros(5, np.int64))
    for i in range(5):
        many = np.repeat(games[i], counts[i]), np.repeat(seats[i], counts[i])
        traced = decide(run.learner.net, table, *many, run.generator, given=laid[i, : counts[i]])
        assert np.exp(traced.logp.astype(np.float64)).sum() == pytest.approx(1.0, abs=1e-4)
        assert traced.logp.std() > 0


def test_permuting_the_candidates_permutes_the_scores(run: Any) -> None:
    *_, drawn = programs(run, 50)
    p = as_tensors("program", drawn)
    p["counts"] = torch.full_like(p["counts"], MOST)
    order = torch.randperm(MOST, generator=torch.Generator().manual_seed(1))
    turned = p | {"candidates": p["candidates"][:, order], "choice": torch.argsort(order)[p["choice"]]}
    mine, its = (score_programs(run.learner.net, x) for x in (p, turned))
    torch.testing.assert_close(mine[4][:, order], its[4], atol=1e-4, rtol=1e-4)
    for one, other in zip(mine[:4], its[:4], strict=True):
        torch.testing.assert_close(one, other, atol=1e-4, rtol=1e-4)


@pytest.mark.slow
def test_the_network_breaks_no_mask_in_ten_thousand_programs(run: Any) -> None:
    table, games, seats, _ = programs(run)
    masks = table.batch.observations["masks"]
    for _ in range(-(-10_000 // len(games))):
        drawn = decide(run.learner.net, table, games, seats, run.generator).slots
        assert masks[games[:, None], seats[:, None], np.arange(5), drawn].all()
        assert (np.diff(np.sort(drawn, axis=1), axis=1) > 0).all()


def test_the_untrained_network_prefers_what_greedy_does(run: Any) -> None:
    table, games, seats, _ = programs(run)
    net = Network(table.features.layout, 32)
    scores = score_programs(net, as_tensors("program", decide(net, table, games, seats, run.generator)))[4]
    assert (scores.argmax(1) == 0).float().mean() == 1.0


def test_what_the_policy_gains_is_counted_from_the_first_candidate() -> None:
    chances = F.pad(torch.tensor([[0.2, 0.3, 0.1], [-1.0, -1.0, -1.0]]), (0, MOST - 3))
    scores = torch.full((2, MOST), -1e9)
    scores[:, :3] = 0.0
    assert float(expert_loss(scores, chances)) == pytest.approx(0.0, abs=1e-5)  # a third of +10 and of -10
    scores[:, 1] = 100.0
    assert float(expert_loss(scores, chances)) == pytest.approx(-10.0)
    assert float(expert_loss(scores[1:], chances[1:])) == 0.0  # not simulated


def test_simulated_chances_are_learned(run: Any) -> None:
    table, games, seats, _ = programs(run, 60)
    settings = Options(expert=1.0, policy_weight=0.0, value_weight=0.0, lr=3e-3)
    learner = Learner(settings, table.features.layout, "cpu")
    drawn = decide(run.learner.net, table, games, seats, run.generator)
    drawn.expert = table.candidates.chances(games, seats, 8, *table.candidates.of(games, seats, 0 * games)[1:])
    part = as_tensors("program", drawn)
    part |= {name: torch.zeros(len(drawn.slots)) for name in ("advantage", "return", "won")}
    gains = []
    for _ in range(60):
        total, told = learner.loss("program", part, False)
        learner.optimizer.zero_grad()
        total.backward()
        learner.optimizer.step()
        gains.append(-told["program/expert"])
    assert gains[-1] > gains[0] + 1.0


def test_the_expert_tries_the_best_and_some_of_the_others(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    table, games, seats, _ = programs(run, 60)
    for name, value in {"expert": 1.0, "expert_deals": 2, "expert_candidates": 12}.items():
        monkeypatch.setattr(table.options, name, value)
    drawn = decide(run.learner.net, table, games, seats, run.generator)
    tried = drawn.expert >= 0
    there = np.arange(MOST) < drawn.counts[:, None]
    assert not tried[~there].any()
    np.testing.assert_array_equal(tried.sum(1), np.minimum(12, drawn.counts))
    assert tried[:, 0].all()
    assert tried[np.arange(len(tried)), drawn.choice].all()
    scores = score_programs(run.learner.net, as_tensors("program", drawn))[4].detach()
    scores[~torch.as_tensor(there)] = -1e9
    best = scores.argsort(1, descending=True)[:, :6].numpy()
    assert (np.take_along_axis(tried, best, 1) | ~np.take_along_axis(there, best, 1)).all()
    outside = tried.copy()
    np.put_along_axis(outside, best, False, 1)
    assert outside[:, 20:].any()


def test_further_rounds_are_played_before_chances_are_read(run: Any) -> None:
    """Further rounds tell more about who wins: chances are spread wider, and those of a race that is won stay."""
    table, games, seats, _ = programs(run, 40)
    _, candidates, counts = table.candidates.of(games, seats, 0 * games)
    now, later = (table.candidates.chances(games, seats, 6, candidates, counts, n) for n in (0, 2))
    there = np.arange(MOST) < counts[:, None]
    assert not later[~there].any()
    assert later.min() >= 0.0
    assert later.max() <= 1 + 1e-5
    assert np.abs(later - 0.25)[there].mean() > np.abs(now - 0.25)[there].mean()
    certain = now > 1 - 1e-6
    np.testing.assert_array_equal(later[certain], now[certain])
    np.testing.assert_array_equal(later, table.candidates.chances(games, seats, 6, candidates, counts, 2))


@pytest.mark.parametrize("imitate", [True, False])
def test_the_loss_goes_down_on_a_fixed_batch(run: Any, imitate: bool) -> None:
    *_, drawn = programs(run)
    learner = Learner(run.options, run.tables[0].features.layout, torch.device("cpu"))
    part = as_tensors("program", drawn)
    rng = torch.Generator().manual_seed(2)
    n = len(drawn.slots)
    part["advantage"] = torch.randn(n, generator=rng)
    part["return"], part["won"] = torch.randn(n, generator=rng), torch.rand(n, generator=rng).round()
    losses = []
    for _ in range(30):
        total, _ = learner.loss("program", part, imitate)
        learner.optimizer.zero_grad()
        total.backward()
        learner.optimizer.step()
        losses.append(float(total.detach()))
    assert losses[-1] < losses[0] - 0.1
    assert np.mean(losses[-5:]) < np.mean(losses[5:10]) < losses[0]


def test_advantages_are_those_of_the_formula() -> None:
    """Two decisions of seat 0, one of seat 1, reward at the end: worked out by hand with lambda 0.5 and gamma 0.9."""

    class Data:
        def __init__(self, value: list[float], win: list[float]) -> None:
            self.value, self.win = np.array(value, np.float32), np.array(win, np.float32)

    def moment(seats: list[int], values: list[float], rewards: list[float], won: list[float], done: bool) -> Any:
        data = Data(values, [0.5] * len(seats)) if seats else None
        games = np.zeros(len(seats), np.int64)
        return Moment(
            games, np.array(seats, np.int64), data, games[:0], games[:0], None,
            np.array([rewards], np.float32), np.array([won], np.float32), np.array([done]),
            np.zeros(1, np.int64), np.full(1, np.nan),
        )  # fmt: skip

    moments = [
        moment([0, 1], [0.1, 0.2], [0.0, 0.0], [0, 0], False),
        moment([0], [0.3], [1.0, -1.0], [1, 0], True),
    ]
    last = np.full((1, 2), 7.0, np.float32), np.full((1, 2), 7.0, np.float32)  # of the next race: counts for nothing
    settings = Options(gamma=0.9, lam=0.5)
    found = {id(m): f["program"] for m, f in advantages(settings, moments, last)}
    second = 1.0 - 0.3
    first = 0.9 * 0.3 - 0.1 + 0.9 * 0.5 * second
    np.testing.assert_allclose(found[id(moments[1])][0], [second], rtol=1e-6)
    np.testing.assert_allclose(found[id(moments[0])][0], [first, -1.0 - 0.2], rtol=1e-6)
    np.testing.assert_allclose(found[id(moments[0])][1], [first + 0.1, -1.0], rtol=1e-6)
    np.testing.assert_allclose(found[id(moments[0])][2], [0.5 + 0.5 * 0.5, 0.0], atol=1e-6)


@pytest.mark.slow
def test_a_three_cell_course_is_learned_to_be_finished_always(tmp_path: Path) -> None:
    """Some races of a network that prefers the worst programs are cut after two rounds, and none of a trained one."""
    course = tmp_path / "three_cells.toml"
    course.write_text(THREE_CELLS, encoding="utf-8")
    settings = options(
        tmp_path / "run", courses=[str(course)], games=64, steps=12, decisions=15_000, lr=3e-3, max_rounds=2,
        reward="race", league=[], snapshot_every=10**9,
    )  # fmt: skip
    made = Run(settings)
    with torch.no_grad():
        made.learner.net.skip.weight.mul_(-0.05)  # of the candidates it prefers the worst, a little
    before = finished(made)
    began = time.process_time()
    made.work()
    assert time.process_time() - began < 60
    after = finished(made)
    assert before < 0.9
    assert after == 1.0


def finished(run: Any) -> float:
    """The share of races that the network's best programs finish before they are cut."""
    from roborally_env.evaluation.tournament import evaluate

    run.export()
    spec = f"learned:deals=0,weights={run.weights}"
    result = evaluate([spec] * 4, run.options.courses[0], games=60, max_rounds=2, seed=3)
    return 1.0 - result.cut / 60


def weights_of(folder: Path) -> list[bytes]:
    state = torch.load(folder / "checkpoint.pt", weights_only=False)
    league = [value for member in state["league"]["versions"].values() for value in member.values()]
    kept = [*state["net"].values(), *league, *(v for s in state["optimizer"]["state"].values() for v in s.values())]
    return [tensor.numpy().tobytes() for tensor in kept] + [table[0] for table in state["tables"]]


def test_a_run_that_was_stopped_comes_out_as_one_that_was_not(tmp_path: Path) -> None:
    whole = options(tmp_path / "whole", imitate="greedy", imitate_decisions=300)
    Run(whole).work()
    parts = options(tmp_path / "parts", imitate="greedy", imitate_decisions=300)
    for _ in range(3):
        run = Run(parts)
        for _ in range(2):
            run.iterate()
        run.save()
        run.iterate()  # lost: played again from the checkpoint
    Run(parts).work()
    assert weights_of(tmp_path / "whole") == weights_of(tmp_path / "parts")


GENERATED = ["dizzy_highway", "generated:seed=4,levels=9"]


CURRICULA: dict[str, dict[str, Any]] = {
    "none": {"courses": GENERATED},
    "regret": {"courses": GENERATED, "curriculum": "regret", "expert": 0.5, "expert_deals": 2, "policy_weight": 0.0},
    "success": {"courses": ["dizzy_highway", "twister", "burnout"], "at_once": 2, "curriculum": "success"},
    "robust": {"courses": GENERATED, "curriculum": "weakest", "robust": True},
    "edit": {"courses": GENERATED, "curriculum": "race_regret", "edit": 0.8, "fresh": 0.8, "remember": 5},
}


@pytest.mark.slow
@pytest.mark.parametrize("given", some(CURRICULA, usual=["none", "edit"]))
def test_a_run_whose_courses_change_goes_on_as_it_was(tmp_path: Path, given: dict[str, Any]) -> None:
    common = {"at_once": 4, "change_every": 3, "games": 12, "decisions": 10**6, "league_share": 0.8} | given
    whole, parts = (Run(options(tmp_path / name, **common)) for name in ("whole", "parts"))
    seen = [list(whole.names)]
    for _ in range(7):
        whole.iterate()
        seen.append(list(whole.names))
    assert whole.count["changes"] == 2
    assert seen[0] == seen[2] != seen[3] == seen[5]  # changed after the third iteration
    whole.save()
    for _ in range(4):
        parts.iterate()
    parts.save()
    parts.iterate()  # lost
    again = Run(options(tmp_path / "parts", **common))
    for _ in range(3):
        again.iterate()
    again.save()
    assert weights_of(tmp_path / "whole") == weights_of(tmp_path / "parts")
    assert whole.names == again.names
    assert whole.new == again.new
    if whole.replay is None:
        return
    assert whole.replay.state_dict() == again.replay.state_dict()
    assert (tmp_path / "whole" / "levels.csv").read_text() == (tmp_path / "parts" / "levels.csv").read_text()
    assert any("~" in name for name in whole.replay.levels) == ("edit" in given)


def test_the_courses_that_are_played_are_told(tmp_path: Path) -> None:
    given = {"at_once": 4, "games": 12, "change_every": 1, "curriculum": "race_regret", "edit": 0.7, "fresh": 0.7}
    run = Run(options(tmp_path, courses=["twister", "generated:seed=4"], **given))
    for _ in range(4):
        names, new = list(run.names), run.new
        told = {name.removeprefix("levels/"): number for name, number in run.iterate().items()}
        edited = {name for name in new if "~" in name}
        assert told["edited"] == sum(name in edited for name in names) / 4
        assert told["new"] == sum(name in new - edited for name in names) / 4
        assert told["replayed"] == pytest.approx(1.0 - told["new"] - told["edited"])
        assert told["changes"] == sum(name.count("~") for name in names) / 4
        rounds = [estimate(run.mixture.course(name)).rounds for name in names]
        assert told["rounds"] == pytest.approx(np.mean(rounds))
        assert [run.replay.levels[name].rounds for name in names] == pytest.approx(rounds)
    assert edited
    known = run.replay.levels
    assert (told["known"], told["draws"]) == (len(set(known) - set(run.new)), 4)
    run.save()
    rows = list(csv.DictReader((tmp_path / "levels.csv").open()))
    assert [row["level"] for row in rows] == [row["level"] for row in run.replay.table()]
    scores = [float(row["score"]) for row in rows if row["score"]]
    assert scores == sorted(scores, reverse=True)
    assert f"{told['score_max']:.6g}" == rows[0]["score"]


def test_without_a_curriculum_the_rounds_of_what_is_played_are_told(tmp_path: Path) -> None:
    run = Run(options(tmp_path, courses=["dizzy_highway", "twister"]))
    told = {name: number for name, number in run.iterate().items() if name.startswith("levels/")}
    assert told == {"levels/rounds": pytest.approx(np.mean([estimate(c).rounds for c in run.tables[0].batch.courses]))}
    run.save()
    assert not (tmp_path / "levels.csv").exists()


def test_a_course_without_flags_has_no_estimate(tmp_path: Path) -> None:
    batch = BatchRace(2, ["capture_the_flag"], edition="2005", players=8, observation="none")
    assert estimated_rounds(batch) == [None]


def test_other_courses_bring_other_races(tmp_path: Path) -> None:
    run = Run(options(tmp_path, courses=["generated:levels=1"], at_once=2, change_every=1))
    before = run.tables[0].batch.games["seed"].copy()
    run.iterate()
    assert not set(before.tolist()) & set(run.tables[0].batch.games["seed"].tolist())


def test_courses_that_are_named_alone_stay(tmp_path: Path) -> None:
    run = Run(options(tmp_path, change_every=1))
    table = run.tables[0]
    run.iterate()
    assert run.tables[0] is table
    assert run.names == run.options.courses


def test_it_races_on_named_and_generated_courses(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Run(options(tmp_path, courses=GENERATED, at_once=2)).evaluate()
    lines = capsys.readouterr().out.split("\n")
    told = [line.strip().partition(": ")[0] for line in lines if "races against 3 random" in line]
    assert told[0] == "dizzy_highway"
    assert re.fullmatch(r"generated:seed=4,number=\d", told[1])
    rows = list(csv.DictReader((tmp_path / "evaluation.csv").open()))
    assert [row["course"] for row in rows] == told


def test_it_is_measured_on_courses_of_which_it_learns_nothing(tmp_path: Path) -> None:
    unseen = ["generated:seed=9,difficulty=1", "risky_crossing"]
    run = Run(options(tmp_path, courses=GENERATED, at_once=2, evaluate_courses=unseen))
    run.evaluate()
    rows = list(csv.DictReader((tmp_path / "evaluation.csv").open()))
    assert [row["course"] for row in rows] == unseen
    run.evaluate()
    again = list(csv.DictReader((tmp_path / "evaluation.csv").open()))
    assert [row["win_rate"] for row in again] == 2 * [row["win_rate"] for row in rows]
    assert not set(unseen) & set(run.names)


def moment_of(run: Any) -> tuple[Any, dict[str, Any]]:
    """A step of the first table with its advantages, in which programs were laid."""
    moment = run.player.step(run.tables[0], run.generator, run.rng)
    last = run.player.last_values(run.tables[0], run.generator)
    return next(iter(advantages(run.options, [moment], last)))


def test_regret_is_what_the_best_candidate_had_more_or_the_positive_value_loss(tmp_path: Path) -> None:
    run = Run(options(tmp_path, expert=0.5, expert_deals=2))
    moment, found = moment_of(run)
    while moment.programs is None:  # purchases come first
        moment, found = moment_of(run)
    laid = moment.programs
    games, values = regrets(moment, found["program"], True)
    asked = laid.expert[:, 0] >= 0
    assert 0 < asked.sum() == len(games) < len(laid.own)
    for value, labels, choice in zip(values, laid.expert[asked], laid.choice[asked], strict=True):
        assert value == max(labels) - labels[choice]
    assert values.max() > 0
    targets = np.stack([np.zeros(len(laid.win)), np.zeros(len(laid.win)), np.linspace(0, 1, len(laid.win))])
    games, values = regrets(moment, targets, False)
    assert games is moment.games
    for value, win, target in zip(values, laid.win, targets[2], strict=True):
        assert value == pytest.approx(max(0.0, target - win), abs=1e-6)


def test_courses_are_scored_by_the_races_on_them(tmp_path: Path) -> None:
    run = Run(options(tmp_path, curriculum="success", league_share=1.0, at_once=3, games=64, max_rounds=2))
    played = [moment_of(run) for _ in range(12)]
    sums, counts = values_of(run.options, played, 3)
    ended = [(m.courses[g], m.ahead[g]) for m, _ in played for g in range(64) if not np.isnan(m.ahead[g])]
    assert counts.sum() == len(ended) > 30
    for course in range(3):
        mine = [value for number, value in ended if number == course]
        assert (sums[course], counts[course]) == (pytest.approx(sum(mine)), len(mine))
    assert all(0 <= value <= 1 for _, value in ended)


def test_ahead_is_the_share_of_pairs() -> None:
    places = np.array([1.0, 2.0, 3.5, 3.5])
    mine = np.array([False, True, False, True])
    assert ahead_of(places[mine], places[~mine]) == (0 + 1 + 0 + 0.5) / 4
    assert np.isnan(ahead_of(places, places[:0]))


def test_robust_learns_nothing_from_courses_that_are_new(tmp_path: Path) -> None:
    given = {"courses": ["generated:levels=12"], "at_once": 6, "change_every": 1}
    run = Run(options(tmp_path, curriculum="regret", robust=True, **given))
    before = [parameter.clone() for parameter in run.learner.net.parameters()]
    assert run.unlearned == [True] * 6
    assert {name.partition("/")[0] for name in run.iterate()} == {"levels"}
    assert run.count["decisions"] == 0
    assert all(torch.equal(one, other) for one, other in zip(before, run.learner.net.parameters(), strict=True))
    assert sum(level.weight for level in run.replay.levels.values()) > 0  # but the courses are scored
    while all(run.unlearned):
        run.iterate()
    run.iterate()
    assert run.count["decisions"] > 0


def test_decisions_on_unlearned_courses_are_left_out(run: Any) -> None:
    moment, found = moment_of(run)
    learns = np.array([True, False])
    kept, rest = learned_from(moment, found, learns)
    for name, games in (("program", moment.games), ("purchase", moment.buyers)):
        rows = learns[moment.courses[games]]
        if name in rest:
            assert 0 < rows.sum() < len(rows)
            np.testing.assert_array_equal(rest[name], found[name][:, rows])
            np.testing.assert_array_equal(getattr(kept, name + "s").own, getattr(moment, name + "s").own[rows])
    assert rest
    assert learned_from(moment, found, np.zeros(2, bool))[1] == {}


def rows_of(folder: Path, name: str) -> list[dict[str, str]]:
    """A table without what tells of the machine."""
    found = list(csv.DictReader((folder / name).open()))
    return [{k: cell for k, cell in row.items() if k not in ("seconds", "rate") and "share/" not in k} for row in found]


def command(words: list[str]) -> None:
    """Run a command in this process, which has imported all of it."""
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert not ended.value.code


@pytest.mark.slow
def test_a_run_that_is_killed_between_checkpoints_goes_on_as_if_it_had_not_been(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    killed, whole = tmp_path / "killed", tmp_path / "whole"
    words = [
        "train", "selfplay", "--courses", "dizzy_highway", "--games", "16",
        "--steps", "6", "--hidden", "16", "--league", "greedy", "--checkpoint-every", "1e6", "--decisions", "3000",
        "--deals", "0", "--evaluate-games", "2", "--opponents", "random", "--device", "cpu", "--out",
    ]  # fmt: skip
    with (tmp_path / "log").open("w") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "roborally_env", *words, str(killed)], stdout=log, stderr=log, cwd=tmp_path
        )
        wait_for(lambda: (killed / "progress.csv").exists() and len(rows_of(killed, "progress.csv")) > 4, process)
        process.kill()
        process.wait()
    count = torch.load(killed / "checkpoint.pt", weights_only=False)["count"]
    assert count["iterations"] == 1  # all others are played again
    command([*words, str(killed)])
    printed = capsys.readouterr().out
    assert f"going on from {killed / 'checkpoint.pt'}: {count['decisions']:,} decisions" in printed
    assert "races against 3 random" in printed
    command([*words, str(whole)])
    assert weights_of(killed) == weights_of(whole)
    for name in ("progress.csv", "evaluation.csv"):
        assert rows_of(killed, name) == rows_of(whole, name)
    # once more: it is at its end, and its last races are no second row
    command([*words, str(killed)])
    assert rows_of(killed, "evaluation.csv") == rows_of(whole, "evaluation.csv")


@pytest.mark.slow
def test_a_run_that_was_killed_before_its_first_checkpoint_says_that_it_begins_anew(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Run(options(tmp_path)).work()
    rows = (tmp_path / "progress.csv").read_text()
    (tmp_path / "checkpoint.pt").unlink()
    capsys.readouterr()
    Run(options(tmp_path)).work()
    told = f"{tmp_path} has no checkpoint: the run begins anew, its earlier progress.csv removed"
    assert told in capsys.readouterr().out
    again = (tmp_path / "progress.csv").read_text()
    assert [row.split(",")[0] for row in again.splitlines()] == [row.split(",")[0] for row in rows.splitlines()]


def test_the_first_iteration_is_followed_by_a_checkpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = Run(options(tmp_path, checkpoint_every=1e9, evaluate_every=0))
    saved: list[int] = []
    save = run.save
    monkeypatch.setattr(run, "save", lambda: (saved.append(run.count["iterations"]), save()))
    run.work()
    assert saved[0] == 1


def wait_for(condition: Any, process: Any) -> None:
    for _ in range(2400):
        if condition():
            return
        assert process.poll() is None
        time.sleep(0.05)
    raise AssertionError("it took too long")


def test_another_run_in_the_folder_is_refused(tmp_path: Path) -> None:
    run = Run(options(tmp_path))
    run.save()
    with pytest.raises(RoboRallyError, match=r"--lr 0\.0005.*0\.1"):
        Run(options(tmp_path, lr=0.1))


def test_a_damaged_checkpoint_is_refused(tmp_path: Path) -> None:
    (tmp_path / "checkpoint.pt").write_bytes(b"nothing")
    with pytest.raises(RoboRallyError, match="read"):
        Run(options(tmp_path))


def test_mixed_player_counts_and_a_central_critic_learn_together(tmp_path: Path) -> None:
    run = Run(options(tmp_path, players=[4, 3], central_critic=True, decisions=600))
    told = run.iterate()
    assert np.isfinite(list(told.values())).all()
    assert run.count["decisions"] > 0


def test_what_another_file_has_learned_is_taken_over_and_stays_as_it_is(tmp_path: Path) -> None:
    arrays = random_arrays(layout_for("complete"), 4, hidden=32)
    value = tmp_path / "value.npz"
    save_weights(value, arrays, {"edition": "2016", "kind": "value", "prior": 1.0, "count": {"positions": 7}})
    small = Run(options(tmp_path / "run", begin=str(value), decisions=300, expert=0.5, expert_deals=2, deals=[0, 1]))
    small.work()
    learned, about = read_weights(tmp_path / "run" / "weights.npz")
    begun, _ = read_weights(value)
    for name in ("own_w", "own_b", "row_w", "pool_w", "mid_b", "win1_w", "win2_b", "buy_w", "buy_b", "down_w"):
        np.testing.assert_array_equal(learned[name], begun[name], name)
    assert (about["prior"], about["begun_with"]["count"]) == (1.0, {"positions": 7})
    assert "begin" not in about["options"]
    assert not np.array_equal(learned["skip_w"], Network(small.tables[0].features.layout, 32).arrays()["skip_w"])
    assert make_agent(f"learned-search:weights={tmp_path / 'run' / 'weights.npz'}")


def test_a_file_to_begin_with_that_does_not_fit_is_told(tmp_path: Path) -> None:
    value = tmp_path / "value.npz"
    save_weights(value, random_arrays(layout_for("complete"), 4, hidden=16), {"edition": "2016", "kind": "value"})
    with pytest.raises(RoboRallyError, match=r"--begin .*own_w.*16.*--hidden"):
        Run(options(tmp_path / "run", begin=str(value)))
    with pytest.raises(RoboRallyError, match="file"):
        Run(options(tmp_path / "run", begin=str(tmp_path / "none.npz")))


def test_rows_for_missing_players_add_nothing(tmp_path: Path) -> None:
    run = Run(options(tmp_path, central_critic=True))
    for _ in range(12):
        run.player.step(run.tables[0], run.generator, run.rng)
    *_, drawn = programs(run, 40)
    p = as_tensors("program", drawn)
    wider = dict(p)
    for name in ("others", "theirs"):
        wider[name] = torch.as_tensor(padded(p[name].numpy(), name, 5))
        assert wider[name].shape[1] == 5
    for mine, its in zip(score_programs(run.learner.net, p), score_programs(run.learner.net, wider), strict=True):
        torch.testing.assert_close(mine, its)


def test_one_decision_of_a_kind_spoils_nothing(run: Any) -> None:
    *_, drawn = programs(run, 1)
    learner = Learner(run.options, run.tables[0].features.layout, torch.device("cpu"))
    part = as_tensors("program", drawn)
    part["advantage"], part["return"], part["won"] = torch.ones(1), torch.ones(1), torch.ones(1)
    told = learner.update({"program": part}, np.random.default_rng(1), False, 1e-3)
    assert np.isfinite(list(told.values())).all()
    assert all(torch.isfinite(x).all() for x in learner.net.parameters())


def test_line_ups_change_at_race_borders_alone(tmp_path: Path) -> None:
    run = Run(options(tmp_path, league_share=1.0))
    table = run.tables[0]
    for _ in range(20):
        before, episodes = table.line_ups.copy(), table.batch.games["episode"].copy()
        run.player.step(table, run.generator, run.rng)
        same = table.batch.games["episode"] == episodes
        np.testing.assert_array_equal(table.line_ups[same], before[same])


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (["--courses", "dizy_highway"], "dizzy_highway"),
        (["--courses"], "Option '--courses' requires a value"),
        (["--league", "gredy"], "greedy"),
        (["--imitate", "planer"], "planner"),
        (["--rules", "{"], "--rules: expected JSON"),
        (["--rules", '{"upgrade": false}'], "upgrades"),
        (["--rules", "upgrades"], "--rules: expected NAME=VALUE"),
        (["--rules", "timer=true", "upgrade=false"], "upgrades"),
        (["--reward", "wine"], "--reward: expected one of win"),
        (["--games", "0"], "--games: expected at least 1"),
        (["--courses", "generated:levls=3"], "unknown key 'levls'"),
        (["--curriculum", "regrets"], "--curriculum: expected one of none, regret"),
        (["--curriculum", "success", "--league"], "--curriculum success: expected a --league"),
        (["--robust"], "--robust: expected a --curriculum"),
        (["--edit", "0.5"], "--edit: expected a --curriculum"),
        (["--fresh", "0.3"], "--fresh: expected a --curriculum with it, got none"),
        (["--temperature", "2"], "--temperature: expected a --curriculum"),
        (["--staleness", "0"], "--staleness: expected a --curriculum"),
        (["--edit-most", "3"], "--edit-most: expected a --curriculum"),
        (["--remember", "100"], "--remember: expected a --curriculum"),
        (["--edit", "0.5", "--fresh", "0.3"], ": expected a --curriculum"),
        (["--evaluate-courses", "dizy_highway"], "unknown course 'dizy_highway' (did you mean dizzy_highway"),
        (["--evaluate-courses", "generated:pits=3"], "generated: pits: expected a share"),
        (["--evaluate-courses", "2005/checkmate", "--edition", "2016"], "course 2005/checkmate is not of edition"),
        (["--edit", "2"], "--edit: expected 0 to 1, got 2.0"),
        (["--curriculum", "regret", "--edit", "0.5", "--fresh", "0"], "--edit: expected --fresh over 0"),
        (["--edit-most", "0"], "--edit-most: expected 1 to 1000, got 0"),
        (["--curriculum", "regret", "--remember", "5"], "--remember: expected at least the 32 courses"),
        (["--generated", "0"], "--generated: expected over 0 and under 1"),
        (["--change-every", "0"], "--change-every: expected at least 1"),
        (["--temperature", "0"], "--temperature: expected over 0"),
        (["--fresh", "2"], "--fresh: expected 0 to 1"),
        (["--lam", "1.5"], "--lam: expected 0 to 1"),
        (["--gae-lambda", "1.5"], "--lam: expected 0 to 1"),
        (["--lr-end", "2"], "--lr-end: expected 0 to 1"),
        (["--deals=-1"], "--deals: expected at least 0, got -1"),
        (["--entropy", "-1"], "--entropy: expected at least 0"),
        (["--value-weight", "-1"], "--value-weight: expected at least 0"),
        (["--expert", "3"], "--expert: expected 0 to 1"),
        (["--policy-weight", "-1"], "--policy-weight: expected at least 0"),
        (["--expert-weight", "-1"], "--expert-weight: expected at least 0"),
        (["--opponents", "gredy"], "greedy"),
        (["--evaluate-every", "-1"], "--evaluate-every: expected at least 0"),
        (["--device", "abacus"], "--device"),
    ],
)
def test_wrong_options_are_told_in_one_line(
    tmp_path: Path, given: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["train", "selfplay", "--out", str(tmp_path / "x"), *given])
    text = capsys.readouterr().err
    assert stop.value.code == 2
    assert text.startswith("roborally: ")
    assert text.count("\n") == 1
    assert told in text
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"players": ["4"]}, "--players: expected whole numbers, got '4'"),
        ({"deals": [0, True]}, "--deals: expected whole numbers, got True"),
        ({"league": [None]}, "--league: expected texts, got None"),
    ],
)
def test_lists_with_elements_of_other_types_are_refused(tmp_path: Path, given: dict[str, Any], message: str) -> None:
    with pytest.raises(RoboRallyError, match=re.escape(message)):
        options(tmp_path, **given).check()


def test_numbers_of_numpy_and_paths_in_lists_are_taken(tmp_path: Path) -> None:
    made = options(tmp_path, players=list(np.arange(2, 4)), courses=[Path("twister")])
    made.check()
    assert (made.players, made.courses) == ([2, 3], ["twister"])
    assert [type(n) for n in made.players] == [int, int]
