"""PPO's loss of the cards of programs and its gradient, compiled: torch would go over all kinds of cards of all
registers some thirty times."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from roborally_env.training.ppo.rows import ENTROPY, POLICY, VALUE, clip_back, clip_rows


class Cards(NamedTuple):
    """What is known of the cards of n programs, each [n, 5]: the legal kinds as bits i4, the kind that was chosen i1
    (0: none), its log-probability when it was drawn, its advantage and its return f4."""

    legal: Tensor
    kinds: Tensor
    before: Tensor
    advantages: Tensor
    returns: Tensor


class _Clipped(torch.autograd.Function):
    """See `clipped`."""

    @staticmethod
    def forward(ctx: Any, logits: Tensor, values: Tensor, cards: Cards, clip: float) -> Tensor:
        flat, m = logits.detach().reshape(-1, logits.shape[-1]), values.numel()
        shares, surprise = torch.zeros_like(flat), torch.zeros_like(flat)
        slopes, errors, sums = flat.new_zeros(m), flat.new_zeros(m), np.zeros(6)
        rows = [each.reshape(-1).numpy() for each in cards]
        clip_rows(
            flat.numpy(), values.detach().reshape(-1).numpy(), *rows, clip,
            shares.numpy(), surprise.numpy(), slopes.numpy(), errors.numpy(), sums,
        )  # fmt: skip
        ctx.save_for_backward(shares, surprise, slopes, errors, cards.kinds)
        ctx.shape = logits.shape
        return torch.from_numpy(sums.astype(np.float32))

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, Tensor, None, None]:
        shares, surprise, slopes, errors, kinds = ctx.saved_tensors
        to_logits = torch.empty_like(shares)
        clip_back(
            float(gradient[POLICY]), float(gradient[ENTROPY]), shares.numpy(), surprise.numpy(), slopes.numpy(),
            kinds.reshape(-1).numpy(), to_logits.numpy(),
        )  # fmt: skip
        return to_logits.reshape(ctx.shape), (errors * gradient[VALUE]).reshape(kinds.shape), None, None


def clipped(logits: Tensor, values: Tensor, cards: Cards, clip: float) -> Tensor:
    """Sums over the cards of programs, f4 [6]: PPO's clipped loss, the squared errors of the values, the entropies,
    estimates of the divergence from the policy that drew them, how many ratios are clipped, how many cards there are.
    Only the first three have gradients.

    Args:
        logits: [n, 5, KINDS].
        values: [n, 5].
        cards: what is known of them.
        clip: PPO's clip range.
    """
    found: Tensor = _Clipped.apply(logits, values, cards, clip)
    return found
