"""Races for TorchRL: specs, the same races as in SB3VecEnv, resets, masks, programs drawn without a card twice."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from roborally_env import ActionError, BatchRace, RoboRallyError, parallel_env
from roborally_env.envs.vec_resets import WaitingRows
from roborally_env.envs.vec_setup import make_learner_rows
from tests.later import later

if TYPE_CHECKING:
    from tensordict import TensorDict
    from torchrl.envs import TransformedEnv

    from roborally_env.envs.torchrl import TorchRLEnv

torchrl, torch, tensordict = later("torchrl.envs"), later("torch"), later("tensordict")
ours = later("roborally_env.envs.torchrl")

LIGHTER: dict[str, Any] = {"rules": {"upgrades": False}, "max_rounds": 3}
YARD = Path(__file__).parents[2] / "scripts" / "experiments" / "short_yard.toml"
FORMS: dict[str, dict[str, Any]] = {
    "program": LIGHTER,
    "register": {**LIGHTER, "action": "register"},
    "ghost": {**LIGHTER, "action": "register", "ghost": True},
    "flat": {**LIGHTER, "action": "flat"},
    "one seat": {**LIGHTER, "opponents": "random"},
    "planes": {**LIGHTER, "observation": "planes"},
    "complete": {"max_rounds": 2},
    "2005": {"edition": "2005", "max_rounds": 2},
    "state": {**LIGHTER, "state": True},
}


def legal(env: TorchRLEnv) -> TransformedEnv:
    """The env whose random actions are legal."""
    return torchrl.TransformedEnv(env, torchrl.ActionMask())


@pytest.mark.parametrize("form", FORMS)
def test_the_specs_are_right(form: str) -> None:
    torchrl.check_env_specs(ours.TorchRLEnv(3, seed=1, **FORMS[form]), break_when_any_done="both")
    torchrl.check_env_specs(legal(ours.TorchRLEnv(3, seed=1, **FORMS[form])), break_when_any_done="both")


def test_masks_have_a_row_for_each_register_where_registers_are_alike() -> None:
    assert ours.TorchRLEnv(2, **LIGHTER).reset()["action_mask"].shape == (2, 4, 5, 9)
    complete = ours.TorchRLEnv(2)
    assert complete.reset()["action_mask"].shape == (2, 4, 5 * 10 + 42)
    assert complete.action_spec.shape == (2, 4, 6)


def test_random_actions_by_the_exact_mask_are_legal() -> None:
    env = ours.TorchRLEnv(4, seed=3, **FORMS["register"])
    masked = legal(env)
    seen = masked.reset()
    for _ in range(60):
        seen = masked.rand_action(seen)
        mask, action = seen["action_mask"], seen["action"]
        assert mask.gather(-1, action[..., None]).all()
        seen = masked.step_and_maybe_reset(seen)[1]
        assert not env.batch.corrected.any()


def test_races_are_those_of_the_batch() -> None:
    """Observations, rewards and ends equal those of a batch that is played by itself."""
    env = ours.TorchRLEnv(3, seed=5, reward="shaped", **LIGHTER)
    seen = env.reset()
    batch = BatchRace(3, reward="shaped", observation="symbolic", **LIGHTER)
    batch.restore(env.batch.snapshot())
    rng = np.random.default_rng(0)
    ends = 0
    for _ in range(9):
        actions = rng.integers(0, 9, (3, 4, 5))
        seen["action"] = torch.as_tensor(actions)
        data, seen = env.step_and_maybe_reset(seen)
        played = batch.step(actions)
        assert np.array_equal(data["next", "reward"][..., 0].numpy(), played.rewards)
        over = played.terminated | played.truncated
        assert np.array_equal(data["next", "done"][..., 0].numpy(), np.repeat(over[:, None], 4, axis=1))
        assert np.array_equal(data["next", "terminated"][:, 0, 0].numpy(), played.terminated)
        assert np.array_equal(seen["observation"].numpy(), played.observations["symbolic"])
        assert np.array_equal(seen["action_mask"].numpy(), played.observations["masks"].astype(bool))
        last = data["next", "observation"].numpy()
        assert np.array_equal(last[over], batch.final_observations["symbolic"][over])
        assert (data["next", "place"][over].sum((1, 2)) == 1 + 2 + 3 + 4).all()
        assert not data["next", "place"][~over].any()
        assert not seen["done"].any()
        ends += over.sum()
    assert ends == 9


def test_the_ends_of_races_say_who_has_won() -> None:
    """On a course so short that random cards win some races in time, and in teams."""
    seen: set[tuple[float, bool]] = set()
    for options in (
        {"course": YARD, "rules": {"upgrades": False}, "max_rounds": 12},
        {"course": "2005/interference", "players": 2, "max_rounds": 4},
    ):
        data = legal(ours.TorchRLEnv(8, seed=1, **options)).rollout(99, break_when_any_done=False)["next"]
        won, over = data["is_success"], data["done"]
        assert (won == data["terminated"] & (data["place"] == data["place"].amin(1, keepdim=True))).all()
        assert not won[~over].any()
        seen |= {
            (place, success) for place, success in zip(data["place"][over].tolist(), won[over].tolist(), strict=True)
        }
    assert {(1.0, True), (1.0, False)} < seen


def test_a_seed_gives_the_same_races() -> None:
    def played(env: TorchRLEnv) -> TensorDict:
        torch.manual_seed(0)
        return env.rollout(8, break_when_any_done=False)

    first = ours.TorchRLEnv(3, seed=7, **LIGHTER)
    one, again = played(first), played(ours.TorchRLEnv(3, seed=7, **LIGHTER))
    first.set_seed(7)
    later = played(first)
    other = played(ours.TorchRLEnv(3, seed=8, **LIGHTER))
    assert (one == again).all()
    assert (one == later).all()
    assert not (one == other).all()


def test_finished_races_wait_while_others_go_on() -> None:
    env = ours.TorchRLEnv(
        6, seed=1, opponents="random", rules={"upgrades": False}, course="dizzy_highway", max_rounds=40
    )
    data = env.rollout(60, break_when_any_done=False, break_when_all_done=True)
    assert data["next", "done"][:, -1].all()
    first = data["next", "done"][..., 0].int().argmax(-1)
    for g, t in enumerate(first.tolist()):
        assert (data["next", "observation"][g, t:] == data["next", "observation"][g, t]).all()


def test_wrong_arguments_are_refused() -> None:
    env = ours.TorchRLEnv(2, seed=1, **LIGHTER)
    seen = env.rollout(5)[..., -1]["next"]
    assert seen["done"].all()
    seen["action"] = torch.zeros(2, 4, 5, dtype=torch.int64)
    with pytest.raises(RoboRallyError, match="entry 0"):
        env.step(seen.clone())
    part = torch.zeros(2, 4, 1, dtype=torch.bool)
    part[0, 0] = True
    with pytest.raises(RoboRallyError, match="seats"):
        env.reset(tensordict.TensorDict({"_reset": part}, (2, 4)))
    seen = env.reset()
    seen["action"] = torch.full((2, 4, 5), 9)
    with pytest.raises(ActionError, match=r"0.*8.*9"):
        env.step(seen)
    with pytest.raises(RoboRallyError, match="observation"):
        ours.TorchRLEnv(2, observation="dict")


def test_a_partial_reset_leaves_the_other_races() -> None:
    env = ours.TorchRLEnv(2, seed=1, **LIGHTER)
    seen = env.rand_action(env.reset())
    seen = torchrl.utils.step_mdp(env.step(seen))
    before = seen["observation"].clone()
    part = torch.zeros(2, 4, 1, dtype=torch.bool)
    part[0] = True
    seen["_reset"] = part
    after = env.reset(seen)["observation"]
    assert (after[1] == before[1]).all()
    assert (after[0] != before[0]).any()


@pytest.mark.parametrize("options", [{"masks": "registers"}, {"action": "register"}], ids=["programs", "registers"])
def test_torchrls_own_wrapper_takes_the_parallel_env(options: dict[str, Any]) -> None:
    env = torchrl.PettingZooWrapper(parallel_env(infos="mask", **LIGHTER, **options), use_mask=False)
    torchrl.check_env_specs(env)
    seen = env.rollout(2)["robot"]
    assert seen["action_mask"].shape[2:] == ((5, 9) if options.get("masks") else (9,))


def test_the_state_is_that_of_the_race_for_each_of_its_seats() -> None:
    env = ours.TorchRLEnv(2, seed=1, state=True, **LIGHTER)
    state = env.reset()["state"]
    assert (state == state[:, :1]).all()
    assert (state[0] != state[1]).any()
    data = env.rollout(3, break_when_any_done=False)
    assert data["next", "done"][:, :, -1].all()
    assert not data["next", "state"][:, :, -1].any()
    assert data["state"].any(-1).all()


# -- MaskedPrograms


def small_mask() -> torch.Tensor:
    """Of six slots: slot 2 not legal in register one, register two closed."""
    mask = torch.ones(5, 6, dtype=torch.bool)
    mask[0, 2] = False
    mask[1, 1:] = False
    return mask


def test_the_probabilities_of_all_programs_sum_to_one() -> None:
    torch.manual_seed(0)
    dist = ours.MaskedPrograms(torch.randn(5, 6, dtype=torch.float64), small_mask())
    programs = list(itertools.product(range(6), [0], range(6), range(6), range(6)))
    chances = torch.stack([dist.log_prob(torch.tensor(program)).exp() for program in programs])
    assert chances.sum().item() == pytest.approx(1)
    legal_ones = [len({p[0], *p[2:]}) == 4 and p[0] != 2 for p in programs]
    assert ((chances > 0) == torch.tensor(legal_ones)).all()


def test_programs_are_drawn_by_their_probabilities() -> None:
    torch.manual_seed(0)
    dist = ours.MaskedPrograms(torch.randn(5, 6), small_mask())
    drawn = dist.sample((20_000,))
    found, counts = drawn.unique(dim=0, return_counts=True)
    likely = counts > 100
    chances = torch.stack([dist.log_prob(p).exp() for p in found[likely]])
    assert torch.allclose(counts[likely] / 20_000, chances, atol=0.004)
    assert (drawn[:, 1] == 0).all()


def test_the_best_program_takes_the_best_cards_that_are_left() -> None:
    logits = torch.tensor([[3.0, 0.0, 9.0, 2.0, 1.0, 0.0]]).expand(5, 6)
    assert ours.MaskedPrograms(logits, small_mask()).deterministic_sample.tolist() == [0, 0, 2, 3, 4]


def test_masks_of_another_shape_are_refused() -> None:
    with pytest.raises(RoboRallyError, match=r'5.*9.*action="register"'):
        ours.MaskedPrograms(torch.zeros(5, 9), torch.ones(92, dtype=torch.bool))


# -- what TorchRL and others share


def test_waiting_rows_go_on_to_the_race_that_the_batch_has_ready() -> None:
    rows, _ = make_learner_rows(
        2, None, opponents=None, seat="random", players=2, observation="symbolic", action="program", seed=1, copy=True,
        edition=None, max_rounds=1, rules={"upgrades": False}, threads=1, ghost=False,
    )  # fmt: skip
    races = WaitingRows(rows, 1)
    races.reset(np.ones(4, np.bool_))
    races.step(np.tile(np.arange(5), (4, 1)), np.ones(4, np.bool_))
    assert races.over.all()
    ready = rows.races.batch.games["episode"].copy()
    races.reset(np.ones(4, np.bool_))
    assert not races.over.any()
    assert (rows.races.batch.games["episode"] == ready).all()
