"""Races for PufferLib: its own vector takes them, they are those of SB3VecEnv, and MaskedPolicy is legal."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from roborally_env import RoboRallyError
from roborally_env.envs.vec_setup import make_learner_rows
from tests.later import later

vectors, torch, ours = later("pufferlib.vector"), later("torch"), later("roborally_env.envs.puffer")
LIGHTER: dict[str, Any] = {"rules": {"upgrades": False}, "max_rounds": 2}


@pytest.mark.parametrize("action", ["register", "program"])
def test_puffers_own_vector_takes_the_env(action: str) -> None:
    env = vectors.make(
        ours.RoboRallyPufferEnv, env_args=[3], env_kwargs={**LIGHTER, "action": action}, backend=vectors.Serial
    )
    env.reset(seed=1)
    policy, infos, ended = ours.MaskedPolicy(env, 16), [], 0
    seen = env.driver_env.observations
    for _ in range(11):
        logits, values = policy(torch.as_tensor(seen))
        assert values.shape == (12, 1)
        parts = [logits] if action == "register" else logits
        chosen = np.stack([np.asarray(part.argmax(-1)) for part in parts], -1)
        seen, rewards, _, truncations, found = env.step(chosen[:, 0] if action == "register" else chosen)
        assert rewards.shape == (12,)
        ended += int(truncations.sum())
        infos += found
    assert ended >= 12
    assert all(info["corrected"] == 0 for info in infos) or action == "program"
    env.close()


def test_the_same_seed_gives_the_same_races_as_the_rows_of_others() -> None:
    env = ours.RoboRallyPufferEnv(2, seed=5, **LIGHTER)
    seen, infos = env.reset(seed=7)
    again = ours.RoboRallyPufferEnv(2, seed=1, **LIGHTER).reset(seed=7)[0]
    assert np.array_equal(seen, again)
    assert infos == []
    rows, _ = make_learner_rows(
        2, None, copy=True, opponents=None, seat="random", players=None, seed=5, threads=1, action="register",
        ghost=False, edition=None, max_rounds=2, rules={"upgrades": False},
    )  # fmt: skip
    rows.races.reset(np.ones(8, np.bool_), list(range(7, 15)))
    rows.begin(np.ones(8, np.bool_))
    assert np.array_equal(seen[:, :-9], rows.observe())
    assert np.array_equal(seen[:, -9:], rows.form.flat_masks())


def test_infos_count_the_winners_of_races_that_were_not_cut() -> None:
    course = Path(__file__).parents[2] / "scripts" / "experiments" / "short_yard.toml"
    env = ours.RoboRallyPufferEnv(4, course, seed=1, players=2, rules={"upgrades": False}, max_rounds=12)
    rng, shares = np.random.default_rng(0), []
    seen, _ = env.reset(seed=1)
    for _ in range(200):
        masks = seen[:, -9:]
        seen, _, terminated, truncated, infos = env.step((masks * rng.random(masks.shape)).argmax(1))
        if infos:
            ended = (terminated | truncated).reshape(-1, 2)[:, 0]
            shares.append(infos[0]["won"])
            assert shares[-1] == (env.batch.results["winner"][ended] >= 0).mean() / 2
    assert {0.0, 0.5} <= set(shares)


def test_wrong_arguments_are_refused() -> None:
    for options in ({"action": "flat"}, {"course": "nowhere"}, {"opponents": ["nobody"]}, {"num_games": 0}):
        with pytest.raises(RoboRallyError):
            ours.RoboRallyPufferEnv(**{"num_games": 2, **options})
