"""TorchRLEnv: races as a TorchRL environment, batched, for self-play or against agents. Needs torchrl.

MaskedPrograms is a distribution of whole programs, for policies that choose all five cards at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Unpack

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from roborally_env.arguments import Courses
from roborally_env.base.errors import RoboRallyError
from roborally_env.batch import BatchRace
from roborally_env.batch.options import takes
from roborally_env.envs.options import VectorOptions
from roborally_env.envs.spaces import component_sizes
from roborally_env.envs.state import state_space_of
from roborally_env.envs.vec_races import Mask
from roborally_env.envs.vec_resets import WaitingRows
from roborally_env.envs.vec_setup import make_learner_rows

try:
    import torch
    from tensordict import TensorDict, TensorDictBase
    from torchrl.data import Binary, Bounded, Categorical, Composite, MultiCategorical, Unbounded
    from torchrl.envs import EnvBase
except ImportError as error:
    raise RoboRallyError('roborally_env.envs.torchrl needs torchrl: pip install "roborally_env[torchrl]"') from error

from roborally_env.envs.torch_programs import MaskedPrograms

__all__ = ["MaskedPrograms", "TorchRLEnv"]


@takes(VectorOptions, "TorchRLEnv")
class TorchRLEnv(EnvBase):
    """Races as a TorchRL environment on one BatchRace. An entry of the batch is one seat of one game.

    Without `opponents` the batch size is [num_games, P], and one policy plays every seat (self-play); with opponents it
    is [num_games], and agents have the other seats, as in `make_vec`. Every entry has its own reward and value, so the
    losses of TorchRL for one agent fit as they are.

    Keys, each after the batch size (`B` = number of hand slots, `n` = length of the vector):

        observation  float32 [n]; of "planes": `planes` uint8 [13, 13, 26] and `features` float32 [n] in its place
        action_mask  bool: where the parts of an action have one size (the lighter game, 2023) [5, B]; where they
                     differ [sum of the sizes], the masks of the parts one after the other; of the actions `register`
                     and `flat` [m]
        action       int64 [5] or [6]; of `register` and `flat` []
        state        float32 [n], with `state=True`: the whole state of the race, hidden cards included, for centralised
                     critics (`envs.state`); zeros at the end of a race
        place        float32 [1]: the place in the race that has just ended, 1 is first; 0 while a race is on
        is_success   bool [1]: whether the seat, or its team, has won the race that has just ended
        reward, done, terminated, truncated   [1]

    The mask is that of MaskedCategorical(logits, mask) and of the transform ActionMask, with which random actions are
    legal. By the masks of `program` a card can come twice; such a register gets the next legal card (MaskedPrograms
    draws none twice). Those of `register` and `flat` are exact.

    A race that is over waits for its reset, which `rollout` and the collectors do by themselves; the next race of the
    game begins then. All seats of a game are reset together.

    Args:
        num_games: races at once.
        course: a name, a path, a Course, or a list of them, of which each race draws one.
        device: of the tensors; the races themselves are played on the CPU.
        observation: `"symbolic"` or `"planes"`.
        state: add the key `state`.

    Raises:
        RoboRallyError: for any value outside these; from `step` if a race is over and was not reset, or for an action
            outside the spec.
    """

    def __init__(
        self,
        num_games: int,
        course: Courses | None = None,
        *,
        device: Any = "cpu",
        state: bool = False,
        **options: Unpack[VectorOptions],
    ) -> None:
        rows, first = make_learner_rows(num_games, course, copy=True, **options)
        shape = (num_games, rows.races.batch.players) if options["opponents"] is None else (num_games,)
        super().__init__(device=device, batch_size=torch.Size(shape))
        self.rows = rows
        self.races = WaitingRows(rows, first)
        self._with_state = bool(state)
        self._make_specs()

    @property
    def batch(self) -> BatchRace:
        """The races themselves."""
        return self.rows.races.batch

    # -- TorchRL

    def _reset(self, tensordict: TensorDictBase | None = None, **_: Any) -> TensorDictBase:
        """Begin new races in the entries of `_reset` (default: all)."""
        self.races.reset(self._chosen(tensordict, "_reset"))
        return self._tensors(self._seen())

    def _reset_proc_data(self, tensordict: TensorDictBase | None, tensordict_reset: TensorDictBase) -> TensorDictBase:
        """What `_reset` returns is right for every entry, so it is taken as it is; TorchRL would merge it with the
        entries that were not reset, which costs half of what a step does."""
        if tensordict is None:
            return tensordict_reset
        tensordict.pop("_reset", None)
        return tensordict.update(tensordict_reset)

    def _step_proc_data(self, next_tensordict_out: TensorDictBase) -> TensorDictBase:
        """What `_step` returns has all flags, in their shapes; TorchRL would look at each of them again."""
        if self.run_type_checks:
            return super()._step_proc_data(next_tensordict_out)
        return next_tensordict_out

    def _step(self, tensordict: TensorDictBase) -> TensorDictBase:
        """Play one action of each entry, or of the entries of `_step`."""
        playing = self._chosen(tensordict, "_step")
        actions = tensordict.get("action").cpu().numpy()
        outcome = self.races.step(actions.reshape(len(playing), *actions.shape[len(self.batch_size) :]), playing)
        return self._tensors({**self._seen(), "reward": outcome.rewards.astype(np.float32)[:, None]})

    def _set_seed(self, seed: int | None) -> None:
        """Let the next reset begin the races of seed, seed + 1, ..: one for each entry; None: the next races."""
        self.races.seed(seed)

    # -- inside

    def _make_specs(self) -> None:
        form, shape = self.rows.form, self.batch_size
        seen = self.rows.space
        parts = dict(seen) if isinstance(seen, spaces.Dict) else {"observation": seen}
        if self._with_state:
            parts["state"] = state_space_of(self.batch)
        sizes = component_sizes(form.action_space)
        equal = len(set(sizes)) == 1
        self._mask_shape = (len(sizes), sizes[0]) if len(sizes) > 1 and equal else (sum(sizes),)
        masked = (*shape, *self._mask_shape)
        self.observation_spec = Composite(
            **{name: self._bounded(part) for name, part in parts.items()},
            action_mask=Binary(masked[-1], shape=masked, dtype=torch.bool, device=self.device),
            place=Unbounded((*shape, 1), dtype=torch.float32, device=self.device),
            is_success=Binary(1, shape=(*shape, 1), dtype=torch.bool, device=self.device),
            shape=shape,
            device=self.device,
        )
        own = (*shape, *(form.action_space.shape or ()))
        spec = Categorical(sizes[0], own, device=self.device) if equal else MultiCategorical(sizes, own, self.device)
        self.action_spec = spec
        self.reward_spec = Unbounded((*shape, 1), dtype=torch.float32, device=self.device)
        flag = Binary(1, shape=(*shape, 1), dtype=torch.bool, device=self.device)
        self.full_done_spec = Composite(
            done=flag, terminated=flag.clone(), truncated=flag.clone(), shape=shape, device=self.device
        )

    def _bounded(self, space: spaces.Space[Any]) -> Bounded:
        """The spec of a Box for each entry."""
        assert isinstance(space, spaces.Box)
        low, high = (torch.as_tensor(bound, device=self.device) for bound in (space.low, space.high))
        whole = (*self.batch_size, *space.shape)
        return Bounded(low.expand(whole), high.expand(whole), whole, dtype=low.dtype, device=self.device)

    def _chosen(self, tensordict: TensorDictBase | None, key: str) -> Mask:
        """[N]: the entries that a key of the tensordict marks; all if there is no such key."""
        marked = None if tensordict is None else tensordict.get(key, None)
        if marked is None:
            return np.ones(self.races.count, np.bool_)
        return np.asarray(marked.cpu().numpy().reshape(-1), np.bool_)

    def _seen(self) -> dict[str, NDArray[Any]]:
        """What all rows see, at the end of the race where one is over, and the flags."""
        races, seen = self.races, self.races.observe()
        return {
            **(seen if isinstance(seen, dict) else {"observation": seen}),
            **({"state": self.rows.states(races.over)} if self._with_state else {}),
            "action_mask": races.masks().reshape(races.count, *self._mask_shape),
            "place": races.places[:, None].copy(),
            "is_success": races.won[:, None].copy(),
            "done": races.over[:, None].copy(),
            "terminated": (races.over & ~races.truncated)[:, None],
            "truncated": races.truncated[:, None].copy(),
        }

    def _tensors(self, arrays: Mapping[str, NDArray[Any]]) -> TensorDict:
        """Arrays [N, ..] by name as tensors, after the batch size."""
        shaped = {
            name: torch.from_numpy(array).reshape(*self.batch_size, *array.shape[1:]) for name, array in arrays.items()
        }
        return TensorDict(shaped, batch_size=self.batch_size, device=self.device)
