"""`roborally train sb3`: the distribution of programs, masks, learning, resuming, the command."""

from __future__ import annotations

import csv
import importlib.util
import itertools
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from roborally_env import RoboRallyError, make_vec
from roborally_env.cli import main
from tests.later import imported_later
from tests.sizes import some

with imported_later("sb3_contrib"):
    import torch

    from roborally_env.envs.sb3 import SB3VecEnv
    from roborally_env.training.folder import read_checkpoint
    from roborally_env.training.sb3.distribution import ProgramDistribution
    from roborally_env.training.sb3.network import ProgramNet
    from roborally_env.training.sb3.options import Options
    from roborally_env.training.sb3.policy import ProgramPolicy
    from roborally_env.training.sb3.run import train


ROOT = Path(__file__).parents[2]
TINY: dict[str, Any] = {
    "games": 4, "rollout": 8, "minibatch": 64, "epochs": 2, "width": 16, "max_rounds": 6, "threads": 1, "device": "cpu",
    "evaluate_games": 4, "evaluate_against": ("random",), "final_games": 0, "evaluate_every": 256,
}  # fmt: skip
SLOTS = 6


def small_case(seed: int = 0) -> tuple[Any, Any, Any]:
    """(net, observation [1, n], mask [1, m]) of six slots, one of them not allowed in register 1, and three choices."""
    torch.manual_seed(seed)
    net = ProgramNet(SLOTS * 4 + 5, (SLOTS, 4), 3, 16, card_size=8)
    for weight in net.parameters():
        torch.nn.init.normal_(weight, std=0.35)
    mask = torch.ones(1, 5 * SLOTS + 3, dtype=torch.int8)
    mask[0, 2] = mask[0, -1] = 0
    return net.double(), torch.randn(1, SLOTS * 4 + 5, dtype=torch.float64), mask


def distribution_of(net: Any, observation: Any, mask: Any) -> Any:
    """Of one row or many."""
    hidden, cards = net(observation)
    return ProgramDistribution(net).proba_distribution(hidden, cards, mask)


@pytest.mark.usefixtures("no_grad")
def by_hand(net: Any, observation: Any, program: tuple[int, ...]) -> float:
    """The probability of a program: a softmax over the slots that are left, register by register."""
    hidden, cards = net(observation)
    context, chance = net.context(hidden)[0], 1.0
    for k in range(5):
        before = sum((cards[0, program[j]] @ net.laid[j] for j in range(k)), torch.zeros_like(context))
        query = net.query(torch.relu(context + net.place[k] + before))
        left = [s for s in range(SLOTS) if s not in program[:k] and not (k == 0 and s == 2)]
        scores = torch.stack([cards[0, s] @ query for s in left])
        chance *= float(scores.softmax(0)[left.index(program[k])]) if program[k] in left else 0.0
    return chance


def test_log_probabilities_and_entropy_are_those_of_all_programs_counted() -> None:
    net, observation, mask = small_case()
    programs = [p for p in itertools.permutations(range(SLOTS), 5) if p[0] != 2]
    actions = torch.tensor([[*p, c] for p in programs for c in (0, 1)])
    many = distribution_of(net, observation.expand(len(actions), -1), mask.expand(len(actions), -1))
    log_prob = many.log_prob(actions)
    assert log_prob.exp().sum().item() == pytest.approx(1.0)
    choices = net.choice(net(observation)[0])[0, :2].softmax(0)
    for row in range(0, len(actions), 101):
        expected = by_hand(net, observation, programs[row // 2]) * float(choices[row % 2])
        assert log_prob[row].exp().item() == pytest.approx(expected)
    joint = -(log_prob.exp() * log_prob).sum()
    assert float((log_prob.exp() * many.entropy()).sum()) == pytest.approx(float(joint))


def test_what_is_not_legal_has_no_probability() -> None:
    net, observation, mask = small_case()
    for action in ([2, 0, 1, 3, 4, 0], [0, 0, 1, 3, 4, 0], [0, 1, 3, 4, 5, 2], [5, 1, 0, 3, 1, 1]):
        assert float(distribution_of(net, observation, mask).log_prob(torch.tensor([action]))) < -1e8


def test_programs_are_drawn_as_often_as_their_probability_says() -> None:
    net, observation, mask = small_case()
    n = 40_000
    with torch.no_grad():
        many = distribution_of(net, observation.expand(n, -1), mask.expand(n, -1))
        actions = many.sample()
        at_sampling = many.log_prob(actions)
        again = distribution_of(net, observation.expand(n, -1), mask.expand(n, -1)).log_prob(actions.clone())
    assert torch.allclose(at_sampling, again)
    drawn, counts = actions.unique(dim=0, return_counts=True)
    chances = distribution_of(net, observation.expand(len(drawn), -1), mask.expand(len(drawn), -1)).log_prob(drawn)
    expected = n * chances.exp().detach()
    likely = expected > 20
    assert int(likely.sum()) > 50
    deviation = ((counts - expected) / expected.sqrt())[likely]
    assert float(deviation.abs().max()) < 5
    assert float(deviation.std()) == pytest.approx(1.0, abs=0.2)
    mode = distribution_of(net, observation, mask).mode()
    assert by_hand(net, observation, tuple(mode[0, :5].tolist())) > 0


def test_permuting_the_hand_permutes_the_scores() -> None:
    net, observation, mask = small_case()
    mask = torch.ones_like(mask)
    order = torch.tensor([3, 0, 5, 1, 4, 2])
    hand = observation[:, : SLOTS * 4].reshape(1, SLOTS, 4)
    turned = torch.cat([hand[:, order].reshape(1, -1), observation[:, SLOTS * 4 :]], 1)
    program = torch.tensor([[0, 1, 2, 3, 4, 0]])
    place = order.argsort()  # where each card lies now
    moved = torch.cat([place[program[:, :5]], program[:, 5:]], 1)
    a, b = distribution_of(net, observation, mask), distribution_of(net, turned, mask)
    assert torch.allclose(a.log_prob(program), b.log_prob(moved))
    assert torch.allclose(a.logits[:, :, order], b.logits)
    assert torch.allclose(net.value(net(observation)[0]), net.value(net(turned)[0]))


def test_locked_registers_take_no_card_and_leave_slot_0_free() -> None:
    net, observation, mask = small_case()
    mask[0, SLOTS : 2 * SLOTS] = mask[0, 3 * SLOTS : 4 * SLOTS] = 0
    mask[0, SLOTS] = mask[0, 3 * SLOTS] = 1
    n = 300
    with torch.no_grad():
        actions = distribution_of(net, observation.expand(n, -1), mask.expand(n, -1)).sample()
    assert (actions[:, [1, 3]] == 0).all()
    assert (actions[:, [0, 2, 4]] == 0).any()
    programs = list(itertools.permutations(range(SLOTS), 3))
    every = torch.tensor([[a, 0, b, 0, c, 0] for a, b, c in programs if a != 2])
    chances = distribution_of(net, observation.expand(len(every), -1), mask.expand(len(every), -1)).log_prob(every)
    share = net.choice(net(observation)[0])[0, :2].softmax(0)[0]
    assert float(chances.exp().sum()) == pytest.approx(float(share))


def make_policy(env: SB3VecEnv, width: int = 16) -> Any:
    """A policy with weights far from zero."""
    policy = ProgramPolicy(
        env.observation_space, env.action_space, lambda _: 1e-3, hand=env.shapes["hand"], width=width
    )
    torch.manual_seed(0)
    for weight in policy.parameters():
        torch.nn.init.normal_(weight, std=0.3)
    return policy


@pytest.mark.parametrize(
    "options",
    [{"rules": {"upgrades": False}}, {}, {"edition": "2005"}],
    ids=["lighter", "complete", "2005"],
)
def test_the_masks_hold_over_a_hundred_thousand_programs(options: dict[str, Any]) -> None:
    torch.set_num_threads(1)
    env = SB3VecEnv(256, seed=1, **options)
    policy = make_policy(env)
    seen, programs, wrong = env.reset(), 0, 0
    slots = env.shapes["hand"][0]
    while programs < 34_000:  # of each of three games
        with torch.no_grad():
            actions, _, log_prob = policy({name: torch.as_tensor(part) for name, part in seen.items()})
        chosen = actions.numpy()
        masks = env.action_masks()
        legal = masks[:, : 5 * slots].reshape(-1, 5, slots)
        assert np.take_along_axis(legal, chosen[:, :5, None], 2).all()
        if chosen.shape[1] > 5:
            assert np.take_along_axis(masks[:, 5 * slots :], chosen[:, 5:], 1).all()
        assert (log_prob > -100).all()
        wanted = env.races.programming
        programs += int(wanted.sum())
        seen, *_ = env.step(chosen)
        wrong += int(env.batch.corrected.sum())
    assert wrong == 0


def test_the_loss_of_a_fixed_batch_goes_down() -> None:
    env = SB3VecEnv(16, seed=1, rules={"upgrades": False})
    seen = {name: torch.as_tensor(part.copy()) for name, part in env.reset().items()}
    policy = ProgramPolicy(env.observation_space, env.action_space, lambda _: 5e-3, hand=env.shapes["hand"], width=64)
    torch.manual_seed(0)
    actions = policy(seen)[0].detach()
    losses = []
    for _ in range(200):
        _, log_prob, _ = policy.evaluate_actions(seen, actions)
        loss = -log_prob.mean()
        policy.optimizer.zero_grad()
        loss.backward()
        policy.optimizer.step()
        losses.append(loss.item())
    assert losses[-1] < 0.25 * losses[0]


# -- the run


def options(folder: Path, **given: Any) -> Any:
    """Options of a tiny run."""
    return Options(**{**TINY, "out": str(folder), **given})


def words(folder: Path, **given: Any) -> list[str]:
    """The same as a command line."""
    found = ["train", "sb3"]
    for name, value in {**TINY, "out": str(folder), **given}.items():
        found += [f"--{name.replace('_', '-')}", *map(str, value if isinstance(value, tuple) else [value])]
    return found


def weights(folder: Path) -> bytes:
    """Weights and the optimizer's state in a folder's checkpoint, as bytes."""
    parameters = read_checkpoint(folder / "checkpoint.pt")["parameters"]
    tensors = list(parameters["policy"].values())
    for state in parameters["policy.optimizer"]["state"].values():
        tensors += [torch.as_tensor(value) for value in state.values()]
    return b"".join(tensor.detach().numpy().tobytes() for tensor in tensors)


def rows(folder: Path) -> list[dict[str, str]]:
    """progress.csv without facts about the machine."""
    found = list(csv.DictReader((folder / "progress.csv").open()))
    timed = ("seconds", "rate", "share/env", "share/policy", "share/update")
    return [{name: cell for name, cell in row.items() if name not in timed} for row in found]


def results(folder: Path) -> list[dict[str, Any]]:
    """evaluation.csv, likewise."""
    text = ("course", "opponent")
    found = list(csv.DictReader((folder / "evaluation.csv").open()))
    rows = [{name: cell if name in text else float(cell) for name, cell in row.items()} for row in found]
    return [{name: value for name, value in row.items() if name != "seconds"} for row in rows]


def interrupt_after(monkeypatch: pytest.MonkeyPatch, steps: int) -> None:
    """Let the env raise KeyboardInterrupt after `steps` steps."""
    left = [steps]
    step = SB3VecEnv.step_wait

    def counted(self: Any) -> Any:
        left[0] -= 1
        if left[0] < 0:
            raise KeyboardInterrupt
        return step(self)

    monkeypatch.setattr(SB3VecEnv, "step_wait", counted)


RUNS: dict[str, dict[str, Any]] = {
    "self-play": {"algorithm": "ppo"},
    "opponents": {"algorithm": "ppo", "upgrades": True, "opponents": ("greedy", "random", "random"), "games": 16},
    "maskable": {"algorithm": "maskable", "ghost": True},
}


@pytest.mark.parametrize("more", some(RUNS, usual=["opponents"]))
def test_a_run_that_goes_on_equals_one_without_a_break(
    more: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    assert train(options(whole, decisions=640, **more)) == 0
    with monkeypatch.context() as patched:
        interrupt_after(patched, 27)  # in the fourth rollout
        assert train(options(parts, decisions=640, **more)) == 130
    torch.manual_seed(123)  # whatever the process has drawn meanwhile
    capsys.readouterr()
    assert train(options(parts, decisions=640, **more)) == 0
    assert f"going on from {parts / 'checkpoint.pt'}: 384 decisions" in capsys.readouterr().out
    assert weights(whole) == weights(parts)
    assert results(whole) == results(parts)
    assert [each["decisions"] for each in results(whole)] == [256, 512]
    assert rows(whole) == rows(parts)
    assert [int(row["decisions"]) for row in rows(whole)] == [128, 256, 384, 512, 640]
    assert all(row["policy"] for row in rows(whole))


def start(folder: Path, **given: Any) -> subprocess.Popen[bytes]:
    """A run without end in a process of its own."""
    command = [sys.executable, "-m", "roborally_env", *words(folder, decisions=10**8, **given)]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, cwd=folder.parent)


def kill_when(process: subprocess.Popen[bytes], condition: Callable[[], bool]) -> None:
    """Kill -9 as soon as something is so, or if it never is."""
    until = time.monotonic() + 400
    try:
        while not condition():
            assert process.poll() is None
            assert time.monotonic() < until, "it took too long"
            time.sleep(0.05)
    finally:
        process.kill()
        process.wait()


@pytest.mark.slow
def test_a_run_that_is_killed_between_checkpoints_goes_on_as_if_it_had_not_been(tmp_path: Path) -> None:
    killed, whole = tmp_path / "killed", tmp_path / "whole"
    process = start(killed, checkpoint_seconds=10**6)  # the one after the first update is the last
    kill_when(process, lambda: (killed / "progress.csv").exists() and len(rows(killed)) > 4)
    reached = read_checkpoint(killed / "checkpoint.pt")["counters"]["num_timesteps"]
    assert reached == 128 < int(rows(killed)[-1]["decisions"])
    assert train(options(killed, decisions=512)) == 0
    assert train(options(whole, decisions=512)) == 0
    assert weights(killed) == weights(whole)
    assert rows(killed) == rows(whole)
    assert results(killed) == results(whole)


@pytest.mark.slow
def test_two_runs_at_once_in_a_folder_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "run"
    process = start(folder, checkpoint_seconds=0)

    def refuse() -> bool:
        if not (folder / "checkpoint.pt").exists():
            return False
        with pytest.raises(SystemExit):
            main(words(folder, decisions=10**8))
        return "another run is writing there" in capsys.readouterr().err

    kill_when(process, refuse)


def test_hours_end_a_run_after_a_whole_update(tmp_path: Path) -> None:
    assert train(options(tmp_path, hours=1e-9)) == 0
    assert [int(row["decisions"]) for row in rows(tmp_path)] == [128]
    assert read_checkpoint(tmp_path / "checkpoint.pt")["counters"]["num_timesteps"] == 128
    assert train(options(tmp_path, decisions=256)) == 0  # the hours may change
    assert [int(row["decisions"]) for row in rows(tmp_path)] == [128, 256]


def test_the_command_trains_evaluates_and_leaves_an_agent(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "run"
    given = {"edition": "2005", "final_games": 4}
    assert code_of(words(folder, decisions=256, **given)) == 0
    assert "256 of 256 decisions" in capsys.readouterr().out
    files = {path.name for path in folder.iterdir() if not path.name.startswith(("events", "."))}
    assert files == {"checkpoint.pt", "evaluation.csv", "progress.csv"}
    last = results(folder)[-1]
    assert last["races"] == 4
    assert 0 <= last["win_low"] <= last["win_rate"] <= last["win_high"] <= 1
    # it is an agent by its spec, in any interface
    agent = f"roborally_env.training.sb3:Trained:folder={folder}"
    seen = make_vec(2, edition="2005", opponents=agent, seed=1).reset()[0]
    assert seen["observation"].shape[0] == 2
    # the same command finds it at its end, and races again
    before = results(folder)
    assert code_of(words(folder, decisions=256, **given)) == 0
    assert "256 decisions, its end" in capsys.readouterr().out
    assert results(folder) == before
    assert code_of(words(folder, decisions=512, width=32, **given)) == 2
    assert "that run has --width 16, this one 32; expected the same" in capsys.readouterr().err


def code_of(command: list[str]) -> int:
    """The exit code of a command."""
    with pytest.raises(SystemExit) as stop:
        main(command)
    return int(stop.value.code or 0)


def test_the_lighter_game_has_its_usual_option(tmp_path: Path) -> None:
    given = words(tmp_path, decisions=128)
    assert code_of([*given, "--upgrades", "--lighter"]) == 0
    assert code_of([*given, "--no-upgrades", "--lr", "0.0005", "--gamma", "0.98"]) == 0  # the same run
    assert code_of([*given, "--upgrades"]) == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--decisions=0"], "--decisions: expected at least 1, got 0"),
        (["--learning-rate=nan"], "--learning-rate: expected over 0, got nan"),
        (["--discount=2"], "--discount: expected 0 to 1, got 2.0"),
        (["--threads=-1"], "--threads: expected at least 0"),
        (["--seed=-1"], "--seed: expected 0 to 4294967295"),
        (["--games=many"], "Invalid value for '--games'"),
        (["--edition=2061"], "--edition: expected one of 2016, 2005, community, 2023, got '2061'"),
        (["--algorithm=pop"], "(did you mean ppo?)"),
        (["--device=abacus"], "--device: expected auto, cpu or cuda, got 'abacus'"),
        (["--ghost"], "--ghost: expected --algorithm maskable, got ppo"),
        (["--minibatch=100000"], "--minibatch: expected at most the 8192 decisions of a rollout"),
        (["--course", "dizy_highway"], "dizzy_highway"),
        (["--opponents", "greedy"], "opponents: expected 3 for 4 players, got 1"),
        (["--opponents", "gready", "random", "random"], "unknown agent 'gready'"),
        (["--evaluate-against", "nobody"], "unknown agent 'nobody'"),
        (["--players=11"], "players: expected"),
        (["--resume"], "checkpoint.pt: no such file; without --resume a run begins there"),
        (["--rolout=3"], "--rollout"),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_a_wrong_option_is_told_in_one_line(
    arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert code_of(["train", "sb3", f"--out={tmp_path / 'out'}", *arguments]) == 2
    text = capsys.readouterr().err
    assert text.startswith("roborally: ")
    assert message in text
    assert text.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_a_folder_that_holds_something_else_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "checkpoint.pt").write_bytes(b"nonsense")
    with pytest.raises(RoboRallyError, match="checkpoint"):
        train(options(tmp_path))
    (tmp_path / "file").touch()
    assert code_of(words(tmp_path / "file")) == 2
    assert "expected a folder, but a file has this name" in capsys.readouterr().err
    assert code_of(words(tmp_path / "file" / "run")) == 2
    assert f"because {tmp_path / 'file'} is a file" in capsys.readouterr().err


@pytest.mark.slow
def test_the_earlier_names_lead_there(tmp_path: Path) -> None:
    for name in ("train_sb3", "train_selfplay", "train_value"):
        command = [sys.executable, str(ROOT / "scripts" / f"{name}.py"), "--seed", "x"]
        done = subprocess.run(command, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True)
        assert done.returncode == 2
        assert done.stderr == "roborally: Invalid value for '--seed': 'x' is not a valid integer.\n"


def test_what_is_not_installed_is_told_with_its_extra(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "sb3_contrib" else find(name))
    assert code_of(words(tmp_path / "run")) == 2
    printed = 'roborally: train: sb3_contrib is not installed; pip install "roborally_env[train]" gives it\n'
    assert capsys.readouterr().err == printed
