"""ModelAgent: a model of Stable-Baselines3 as an agent, for tournaments and as an opponent."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from roborally_env.base.errors import AgentError
from roborally_env.envs.program_ranks import ranking_of
from roborally_env.envs.spaces import part_boxes
from roborally_env.envs.vec_forms import RowForm, register_boxes
from roborally_env.envs.vec_rows import Rows, asked_rows


class ModelAgent:
    """An agent that plays by a model (or policy) trained on a SB3VecEnv of the same edition, players and rules.

    It also answers purchases and choices. The model's action space determines the action form, and its observation
    space whether the observation contains the mask and the ghost; sb3-contrib's models get the mask as a separate
    argument.

    Args:
        model: an object with `predict`, `observation_space` and `action_space`.
        deterministic: take the likeliest action; else draw one with torch's generator.
        name: the name in tables.
        normalize: the VecNormalize with whose statistics the model was trained
            (`VecNormalize.load("vecnormalize.pkl", env)`); its statistics stay as they are.
    """

    needs_observation = True

    def __init__(self, model: Any, *, deterministic: bool = True, name: str = "model", normalize: Any = None) -> None:
        if not callable(getattr(model, "predict", None)):
            raise AgentError(f"model: expected a model with predict(), got {model!r}")
        space = model.observation_space
        self._in_observation = isinstance(space, spaces.Dict) and "action_mask" in space.spaces
        vector = space["observation"] if isinstance(space, spaces.Dict) and "observation" in space.spaces else space
        if not isinstance(vector, spaces.Box) or len(vector.shape) != 1:
            raise AgentError("model: expected one that was trained on observation='symbolic'")
        self._size = vector.shape[0]
        self._takes_masks = "action_masks" in inspect.signature(model.predict).parameters
        if normalize is not None and not callable(getattr(normalize, "normalize_obs", None)):
            raise AgentError(f"normalize: expected a VecNormalize, got {normalize!r}")
        self.model, self.normalize = model, normalize
        self.deterministic = bool(deterministic)
        self.name = name

    def act(self, observations: NDArray[np.float32] | None, masks: NDArray[np.int8], info: Any) -> NDArray[np.int8]:
        """See agents.Agent."""
        return self._decide(info).programs

    def announce(self, observations: NDArray[np.float32] | None, info: Any) -> NDArray[np.int8]:
        """See agents.Agent."""
        return self._decide(info).choices

    def choose(
        self, observations: NDArray[np.float32] | None, choice_masks: NDArray[np.int8], info: Any
    ) -> NDArray[np.int8]:
        """See agents.Agent."""
        return self._decide(info).choices

    def _decide(self, info: Any) -> RowForm:
        """The action form, after every row has decided."""
        action = self._action(info.batch)
        ghost = action == "register" and self._has_ghost(info.batch)
        rows = asked_rows(info.batch, info.games, info.seats, action, ghost)
        self._check(rows)
        form = rows.form
        waiting = np.ones(form.rows, np.bool_)
        while waiting.any():
            masks = form.flat_masks()
            seen = rows.observe()
            shown = {"observation": seen, "action_mask": masks} if self._in_observation else seen
            more = {"action_masks": masks.astype(np.bool_)} if self._takes_masks else {}
            if self.normalize is not None:
                shown = self.normalize.normalize_obs(shown)
            actions, _ = self.model.predict(shown, deterministic=self.deterministic, **more)
            waiting &= ~form.take(actions, waiting)
        return form

    def _action(self, batch: Any) -> str:
        space = self.model.action_space
        if isinstance(space, spaces.MultiDiscrete):
            return "program"
        return "flat" if int(space.n) >= ranking_of(batch.hand_slots).count else "register"

    def _has_ghost(self, batch: Any) -> bool:
        """Whether the model was trained with `ghost=True`, by the length of its vectors."""
        boxes = {**part_boxes(batch), **register_boxes(batch.game, ghost=True)}
        return self._size == sum(int(np.prod(box.shape)) for box in boxes.values())

    def _check(self, rows: Rows) -> None:
        size = sum(int(np.prod(shape)) for shape in {**rows.shapes, **rows.form.extra}.values())
        if size != self._size or rows.form.action_space != self.model.action_space:
            raise AgentError(
                f"model {self.name!r}: it was trained on {self._size} numbers and {self.model.action_space}, this race "
                f"has {size} and {rows.form.action_space}: expected the same edition, rules and number of players"
            )
