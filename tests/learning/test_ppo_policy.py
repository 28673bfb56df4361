"""The network with NumPy alone acts as the agent `ppo` does, in a process that cannot import the simulator."""

from __future__ import annotations

import io
import json
import pickle
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from roborally_env.agents import Info
from roborally_env.agents.ppo import PPOAgent, read_policy, save_policy
from roborally_env.agents.registers import Inputs

from roborally_env import BatchRace, parallel_env
from roborally_env.core.searching.ghost import SIZE
from tests.later import imported_later
from tests.sizes import some

with imported_later("torch"):
    import torch

    from roborally_env.training.ppo.network import Network, arrays_of


FILE = Path(__file__).parents[2] / "agents" / "ppo_policy.py"
GAMES: dict[str, dict[str, Any]] = {
    "complete": {},
    "lighter": {"rules": {"upgrades": False}, "players": 2},
    "2005": {"edition": "2005", "players": 5},
    "community": {"edition": "community"},
}
SEEDS = {"community": 7}  # of networks that announce some power downs, not all
ALONE = """
import importlib.util, pickle, sys
for name in ("roborally_env", "numba", "torch"):
    sys.modules[name] = None
spec = importlib.util.spec_from_file_location("ppo_policy", sys.argv[1])
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
policy = module.Policy(sys.argv[2])
while True:
    try:
        vectors, masks = pickle.load(sys.stdin.buffer)
    except EOFError:
        break
    rows = policy.act(vectors, masks)
    assert rows.tolist() == [policy.act(vector, mask) for vector, mask in zip(vectors, masks)]
    pickle.dump(rows.tolist(), sys.stdout.buffer)
    sys.stdout.buffer.flush()
"""


def weights_for(batch: BatchRace, path: Path, ghost: bool = True) -> Path:
    """A file of a small network with random weights, large enough that decisions differ."""
    torch.manual_seed(SEEDS.get(batch.game, 3))
    inputs = Inputs(batch.game)
    net = Network(inputs.own, inputs.row, batch.options + 1, 24, 16)
    for weight in net.parameters():
        torch.nn.init.normal_(weight, std=0.3)
    about = {"edition": batch.edition, "game": batch.game, "ghost": ghost}
    save_policy(path, arrays_of(net), about)
    return path


class Alone:
    """The policy in a process that can import neither the simulator nor Numba nor torch."""

    def __init__(self, weights: Path) -> None:
        command = [sys.executable, "-I", "-c", ALONE, str(FILE), str(weights)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def act(self, vectors: np.ndarray, masks: np.ndarray) -> list[int]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        pickle.dump((vectors, masks), self.process.stdin)
        self.process.stdin.flush()
        return list(pickle.load(self.process.stdout))

    def __enter__(self) -> Alone:
        return self

    def __exit__(self, *_: object) -> None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.wait(60)
        self.process.stdout.close()


class Asked:
    """What the agent `ppo` decides, step by step of the register form."""

    def __init__(self, env: Any, weights: Path) -> None:
        self.env, self.agent = env, PPOAgent(weights=str(weights))
        self.programs = self.announced = np.zeros(0)

    def actions(self) -> list[int]:
        batch = self.env.unwrapped.batch
        seats = np.arange(batch.players)
        info = Info(batch, np.zeros(batch.players, np.int64), seats)
        seen = batch.vectors[0]
        if self.env.choosing:
            asked = int(batch.games["ask_seat"][0])
            one = Info(batch, np.zeros(1, np.int64), np.array([asked]))
            choice = int(self.agent.choose(seen[asked][None], np.zeros((1, 1), np.int8), one)[0])
            return [choice - 1 if r == asked else 0 for r in seats]
        if self.env.register == 0:
            self.programs = self.agent.act(seen, batch.observations["masks"][0], info)
            self.announced = self.agent.announce(seen, info)
        if self.env.register == 5:
            return [int(a and batch.may_announce[0, r]) for r, a in enumerate(self.announced)]
        closed = batch.closed_registers[0] >> self.env.register & 1
        return [0 if shut else int(p[self.env.register]) for p, shut in zip(self.programs, closed, strict=True)]


WAYS = {**{game: (game, True) for game in GAMES}, "without a ghost": ("2005", False)}


@pytest.mark.parametrize("given", some(WAYS, usual=["complete"]))
def test_it_acts_as_the_agent_where_the_simulator_cannot_be_imported(given: tuple[str, bool], tmp_path: Path) -> None:
    game, ghost = given
    env: Any = parallel_env(action="register", ghost=ghost, max_rounds=12, **GAMES[game])
    weights = weights_for(env.unwrapped.batch, tmp_path / "weights.npz", ghost)
    asked, kinds = Asked(env, weights), set()
    with Alone(weights) as alone:
        for seed in range(3):
            observations, _ = env.reset(seed=seed)
            while env.agents:
                vectors, masks = (np.stack([seen[name] for seen in observations.values()]) for name in
                                  ("observation", "action_mask"))  # fmt: skip
                actions = alone.act(vectors, masks)
                assert actions == asked.actions(), (seed, env.choosing, env.register)
                kinds |= {("choice" if env.choosing else min(env.register, 5), a) for a in actions}
                observations = env.step(dict(zip(env.agents, actions, strict=True)))[0]
    assert len({action for register, action in kinds if register == 0}) > 3
    if game in ("complete", "community"):
        assert len({action for register, action in kinds if register == "choice"}) > 1
    if env.announces:
        assert {action for register, action in kinds if register == 5} == {0, 1}


def test_what_does_not_fit_is_told_in_one_line(tmp_path: Path) -> None:
    from roborally_env.agents.ppo_policy import Policy

    batch = BatchRace(1, rules={"upgrades": False})
    path = weights_for(batch, tmp_path / "weights.npz")
    policy = Policy(path)
    env = parallel_env(action="register", ghost=True)  # the complete game
    seen = env.reset(seed=1)[0]["robot_0"]
    with pytest.raises(ValueError, match=r"^observation: \d+.*ghost=True$"):
        policy.act(seen["observation"], seen["action_mask"])
    np.savez(tmp_path / "other.npz", a=np.zeros(1))
    with pytest.raises(ValueError, match="roborally train ppo"):
        Policy(tmp_path / "other.npz")
    arrays, about = read_policy(path)
    assert about["layout"]["ghost"] == SIZE
    del about["layout"]
    np.savez(tmp_path / "older.npz", about=np.array(json.dumps(about)), **arrays)
    with pytest.raises(ValueError, match="version"):
        Policy(tmp_path / "older.npz")


def test_weights_of_a_stranger_are_refused_by_their_headers(tmp_path: Path) -> None:
    """Nothing is unpacked: 4 TB by the header, a bomb, an archive of something else, no archive."""
    from roborally_env.agents.ppo_policy import MOST_ARRAYS, MOST_BYTES, Policy

    head = io.BytesIO()
    np.lib.format.write_array_header_1_0(head, {"descr": "<f4", "fortran_order": False, "shape": (10**12,)})
    contents = {"huge": head.getvalue(), "other": b"no array"}
    for name, content in contents.items():
        with zipfile.ZipFile(tmp_path / f"{name}.npz", "w") as archive:
            archive.writestr("own_w.npy", content)
    np.savez_compressed(tmp_path / "bomb.npz", own_w=np.zeros(MOST_BYTES // 4 + 1, np.float32))
    (tmp_path / "text.npz").write_text("no archive")
    with zipfile.ZipFile(tmp_path / "many.npz", "w") as archive:
        for number in range(MOST_ARRAYS + 1):
            archive.writestr(f"{number}.npy", head.getvalue()[:80])
    messages = {"huge": "large", "bomb": "large", "other": "expected", "text": "expected", "many": "1000 arrays"}
    for name, message in messages.items():
        with pytest.raises(ValueError, match=message):
            Policy(tmp_path / f"{name}.npz")
