"""Distributions of whole programs in torch, for the libraries whose policies choose all five cards at once."""

from __future__ import annotations

from typing import Any

import torch

from roborally_env.base.errors import RoboRallyError


class MaskedPrograms(torch.distributions.Distribution):
    """Programs drawn register by register, from masked softmaxes that leave out the cards chosen before.

    A register whose only legal slot is 0 takes no card (it is locked, or no program is wanted): it gets 0, which stays
    free for the others. Its `sample`, `log_prob` and `deterministic_sample` are what TorchRL's ProbabilisticActor and
    losses use; they estimate the entropy from samples.

    Args:
        logits: float [.., 5, B], the score of each hand slot in each register.
        mask: bool [.., 5, B], what is legal in each register.

    Raises:
        RoboRallyError: for a mask of another shape.
    """

    arg_constraints: dict[str, Any] = {}  # noqa: RUF012  # torch's form

    def __init__(self, logits: torch.Tensor, mask: torch.Tensor) -> None:
        if mask.shape != logits.shape:
            raise RoboRallyError(
                f"mask: expected {tuple(logits.shape)} as the logits, got {tuple(mask.shape)}; where the parts of an "
                'action differ in size, use action="register"'
            )
        self._mask = mask
        self._scores = logits.masked_fill(~mask, -torch.inf)
        self._takes = (mask.sum(-1) > 1) | ~mask[..., 0]  # [.., 5]: the registers that take a card
        super().__init__(logits.shape[:-2], logits.shape[-2:-1], validate_args=False)

    def sample(self, sample_shape: Any = ()) -> torch.Tensor:
        """Programs int64 [*sample_shape, .., 5]."""
        with torch.no_grad():
            shape = (*sample_shape, *self._scores.shape)
            # the largest of scores with Gumbel noise is a draw from their softmax
            noise = -torch.empty(shape, device=self._scores.device).exponential_().log()
            return self._best(self._scores + noise)

    @property
    def deterministic_sample(self) -> torch.Tensor:
        """The best card of each register, without the cards chosen before: int64 [.., 5]."""
        return self._best(self._scores)

    def log_prob(self, value: torch.Tensor) -> torch.Tensor:
        """The log probability of programs [.., 5]."""
        return self.conditionals(value).gather(-1, value[..., None]).sum((-1, -2))

    def conditionals(self, value: torch.Tensor) -> torch.Tensor:
        """The log probabilities float [.., 5, B] of each register's cards, after those that a program int64 [.., 5] has
        chosen before it; -inf for what cannot be drawn. A register for which no card is left has all that are legal."""
        chosen = torch.nn.functional.one_hot(value, self._scores.shape[-1]) * self._takes[..., None]
        before = (chosen.cumsum(-2) - chosen).bool() & self._takes[..., None]
        left = (self._mask & ~before).any(-1, keepdim=True)
        return self._scores.masked_fill(before & left, -torch.inf).log_softmax(-1)

    def _best(self, scores: torch.Tensor) -> torch.Tensor:
        """The program of the highest score in each register, without the cards chosen before."""
        scores, slots = scores.clone(), []
        for k in range(scores.shape[-2]):
            slots.append(scores[..., k, :].argmax(-1, keepdim=True))
            chosen = torch.zeros_like(scores[..., k, :], dtype=torch.bool).scatter(-1, slots[-1], True)
            taken = chosen & self._takes[..., k, None]
            scores = scores.masked_fill(taken[..., None, :] & self._takes[..., None], -torch.inf)
        return torch.cat(slots, -1)
