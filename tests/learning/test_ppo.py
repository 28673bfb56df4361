"""scripts/ppo.py and scripts/learning_curves.py."""

import csv
import itertools
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from roborally_env import BatchRace, RoboRallyError  # noqa: E402
from roborally_env.envs.spaces import part_boxes, shapes_of  # noqa: E402
from tests.learning.nets import load_script  # noqa: E402

SCRIPT = Path(__file__).parents[2] / "scripts" / "ppo.py"
TINY = [
    "--num-games", "4", "--num-steps", "8", "--minibatch", "64", "--epochs", "2", "--width", "16", "--max-rounds", "6",
    "--decisions", "384", "--evaluate-every", "0", "--final-games", "4",
]  # fmt: skip


@pytest.fixture(scope="module")
def script() -> Any:
    """The script."""
    return load_script("ppo")


def small_agent(script: Any, slots: int = 6, kinds: int = 4) -> Any:
    """An agent with weights far from zero, for observations of 5 numbers after the hand."""
    torch.manual_seed(0)
    agent = script.Agent(slots * kinds + 5, slots, kinds, script.Args(width=16, card_size=8))
    for weight in agent.parameters():
        torch.nn.init.normal_(weight, std=0.35)
    return agent


@torch.no_grad()
def test_the_probabilities_of_all_legal_programs_add_up_to_one(script: Any) -> None:
    agent = small_agent(script)
    mask = torch.ones(1, 5, 6, dtype=torch.bool)
    mask[0, 0, 2] = False
    programs = torch.tensor([p for p in itertools.permutations(range(6), 5) if p[0] != 2])
    seen = torch.randn(1, 29).expand(len(programs), -1)
    logp, entropy, _ = agent.evaluate(seen, mask.expand(len(programs), -1, -1), programs)
    assert float(logp.exp().sum()) == pytest.approx(1.0, abs=1e-4)
    assert float((logp.exp() * entropy).sum()) == pytest.approx(-float((logp.exp() * logp).sum()), rel=1e-4)
    illegal = torch.tensor([[2, 0, 1, 3, 4], [0, 0, 1, 3, 4]])
    assert (agent.evaluate(seen[:2], mask.expand(2, -1, -1), illegal)[0] < -1e8).all()


@torch.no_grad()
def test_programs_that_are_drawn_are_scored_as_they_were_drawn_and_need_no_repair(script: Any) -> None:
    batch = BatchRace(64, "dizzy_highway", rules={"upgrades": False}, seed=3)
    agent = script.Agent(batch.symbolic_size, *shapes_of(part_boxes(batch))["hand"], script.Args(width=16))
    for weight in agent.parameters():
        torch.nn.init.normal_(weight, std=0.2)
    for _ in range(12):
        seen, masks = script.look(batch, torch.device("cpu"))
        programs, logp, values = agent.act(seen, masks)
        again, _, same = agent.evaluate(seen, masks, programs)
        torch.testing.assert_close(again, logp, atol=1e-4, rtol=1e-4)
        torch.testing.assert_close(same, values)
        batch.step(programs.view(64, 4, 5).numpy().astype(np.int8))
        assert batch.repairs.sum() == 0


def test_advantages_are_those_of_the_formula_and_end_with_a_race(script: Any) -> None:
    """Three steps of one seat, the second the end of a race: worked out by hand with gamma 0.9 and lambda 0.5."""
    column = lambda *x: torch.tensor(x)[:, None]  # noqa: E731
    nothing = torch.zeros(3, 1)
    played = script.Rollout(
        nothing, nothing, nothing, nothing, column(0.1, 0.2, 0.3), column(0.0, 1.0, 0.5), column(False, True, False)
    )
    found = script.advantages(played, torch.tensor([2.0]), script.Args(gamma=0.9, gae_lambda=0.5))
    third = 0.5 + 0.9 * 2.0 - 0.3
    second = 1.0 - 0.2
    first = 0.9 * 0.2 - 0.1 + 0.9 * 0.5 * second
    torch.testing.assert_close(found.flatten(), torch.tensor([first, second, third]))


def test_a_race_that_is_cut_goes_on_for_the_critic(script: Any) -> None:
    batch = BatchRace(2, "dizzy_highway", players=2, rules={"upgrades": False}, max_rounds=1, seed=1)
    agent = script.Agent(batch.symbolic_size, *shapes_of(part_boxes(batch))["hand"], script.Args(width=16))
    truncated = batch.step(batch.sample()[0]).truncated
    assert truncated.all()
    last = torch.tensor(batch.final_observations["symbolic"].reshape(4, -1))
    found = script.values_of_cut_races(agent, batch, np.array([True, False]), torch.device("cpu"))
    torch.testing.assert_close(found[:2], agent(last)[2].detach()[:2])
    assert (found[2:] == 0).all()


def test_it_trains_races_and_comes_out_the_same_again(tmp_path: Path) -> None:
    tables = []
    for name in ("one", "two"):
        command = [sys.executable, str(SCRIPT), "--out", str(tmp_path / name), *TINY]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        rows = list(csv.DictReader((tmp_path / name / "progress.csv").open()))
        assert [int(row["decisions"]) for row in rows] == [128, 256, 384]
        timed = ("seconds", "rate", "share_env", "share_policy")
        tables.append([{key: cell for key, cell in row.items() if key not in timed} for row in rows])
        races = list(csv.DictReader((tmp_path / name / "evaluation.csv").open()))
        assert [(row["against"], row["races"]) for row in races] == [("random", "4"), ("greedy", "4")]
    assert tables[0] == tables[1]
    command = [sys.executable, str(SCRIPT), "--out", str(tmp_path / "one")]
    again = subprocess.run(command, capture_output=True, text=True)
    assert again.returncode == 1
    assert again.stderr == f"ppo: --out {tmp_path / 'one'}: holds a run; expected a new folder\n"


def test_a_wrong_minibatch_is_told(tmp_path: Path) -> None:
    command = [sys.executable, str(SCRIPT), "--out", str(tmp_path / "x"), "--minibatch", "9000"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 2
    assert "--minibatch: expected 1 to the 8192 decisions of a rollout, got 9000" in done.stderr
    assert not (tmp_path / "x").exists()


def test_a_policy_learns_what_is_rewarded(script: Any) -> None:
    """Programs are rewarded by how early the card of kind 0 lies: its chance in the first register grows."""
    agent = small_agent(script)
    args = script.Args(epochs=4, minibatch=256, entropy=0.0)
    optimizer = torch.optim.Adam(agent.parameters(), lr=3e-3)
    hand = torch.eye(4)[torch.tensor([0, 1, 2, 3, 1, 2])].flatten()
    seen = torch.cat([hand, torch.zeros(5)]).expand(4, 64, -1)
    masks = torch.ones(4, 64, 5, 6, dtype=torch.bool)
    shares = []
    for _ in range(30):
        drawn = [agent.act(seen[t], masks[t]) for t in range(4)]
        programs, logps, values = (torch.stack(part) for part in zip(*drawn, strict=True))
        first = (programs[:, :, 0] == 0).float()
        dones = torch.ones(4, 64, dtype=torch.bool)
        played = script.Rollout(seen, masks, programs, logps, values, first, dones)
        script.learn(agent, optimizer, played, torch.zeros(64), args, torch.Generator().manual_seed(1))
        shares.append(float(first.mean()))
    assert shares[0] < 0.5
    assert np.mean(shares[-5:]) > 0.9


def test_curves_are_collected_and_drawn(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    curves = load_script("learning_curves")
    head = "decisions,seconds,rate,share_env\n"
    race = {"decisions": 20, "seconds": 2.0, "against": "random", "races": 4, "win_rate": 0.5, "win_low": 0.2}
    race["win_high"] = 0.8
    for name in ("ppo", "sb3"):
        (tmp_path / name).mkdir()
    (tmp_path / "ppo" / "progress.csv").write_text(head + "10,1,9,0.1\n20,2,11,0.3\n30,3,12,0.2\n")
    with (tmp_path / "ppo" / "evaluation.csv").open("w", newline="") as file:
        table = csv.DictWriter(file, list(race))
        table.writeheader()
        table.writerow(race)
    (tmp_path / "sb3" / "progress.csv").write_text(head.replace("_", "/") + "40,4,8,0.5\n")
    (tmp_path / "sb3" / "evaluations.json").write_text(json.dumps([race | {"mean_place": 1.5}]))
    found = {name: curves.collect(tmp_path / name) for name in ("ppo", "sb3")}
    rate = pytest.approx(11.8)  # a tenth of 9, 11 and 12 lies above it
    assert found["ppo"] == {"decisions": 30, "seconds": 3.0, "rate": rate, "share_env": 0.2, "races": [race]}
    assert found["sb3"] == {"decisions": 40, "seconds": 4.0, "rate": 8.0, "share_env": 0.5, "races": [race]}
    curves.draw(found, tmp_path / "curves.png")
    assert (tmp_path / "curves.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(RoboRallyError, match="expected a run that is over"):
        curves.collect(tmp_path)
