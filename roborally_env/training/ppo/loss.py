"""PPO's loss of the cards of programs and its gradient, compiled: torch would go over all kinds of cards of all
registers some thirty times."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from roborally_env.core.kernel import kernel

POLICY, VALUE, ENTROPY, KL, CLIPPED, COUNT = range(6)


class Cards(NamedTuple):
    """What is known of the cards of n programs, each [n, 5]: the legal kinds as bits i4, the kind that was chosen i1
    (0: none), its log-probability when it was drawn, its advantage and its return f4."""

    legal: Tensor
    kinds: Tensor
    before: Tensor
    advantages: Tensor
    returns: Tensor


@kernel
def clip_rows(logits, values, legal, kinds, before, advantages, returns, clip, shares, surprise, slopes, errors, sums):
    """The clipped loss of rows with logits f4 [m, KINDS]. Adds to `sums` f8 [6] what POLICY to COUNT say; writes the
    probabilities `shares` f4 [m, KINDS], the gradients `surprise` f4 [m, KINDS] of the entropies with respect to the
    logits, `slopes` f4 [m] of the policy's losses with respect to the log-probabilities, and `errors` f4 [m] of the
    values' with respect to the values."""
    for i in range(logits.shape[0]):
        if kinds[i] <= 0:
            continue
        row, share, change = logits[i], shares[i], surprise[i]
        bits = np.int64(legal[i])
        most = -np.inf
        for j in range(row.shape[0]):
            if bits >> j & 1 and row[j] > most:
                most = row[j]
        total = 0.0
        for j in range(row.shape[0]):
            if bits >> j & 1:
                share[j] = math.exp(row[j] - most)
                total += share[j]
        lift = most + math.log(total)
        entropy = 0.0
        for j in range(row.shape[0]):
            if bits >> j & 1:
                share[j] /= total
                change[j] = row[j] - lift
                entropy -= share[j] * change[j]
        for j in range(row.shape[0]):
            change[j] = -share[j] * (change[j] + entropy)
        moved = row[kinds[i] - 1] - lift - before[i]
        ratio = math.exp(moved)
        free, kept = advantages[i] * ratio, advantages[i] * min(max(ratio, 1.0 - clip), 1.0 + clip)
        slopes[i] = -free if free <= kept else 0.0
        off = values[i] - returns[i]
        errors[i] = 2.0 * off
        sums[POLICY] -= min(free, kept)
        sums[VALUE] += off * off
        sums[ENTROPY] += entropy
        sums[KL] += ratio - 1.0 - moved
        sums[CLIPPED] += 1.0 if abs(ratio - 1.0) > clip else 0.0
        sums[COUNT] += 1.0


@kernel
def clip_back(policy, entropy, shares, surprise, slopes, kinds, to_logits):
    """The gradients of the logits into `to_logits` f4 [m, KINDS], from those of the sums of `clip_rows`."""
    for i in range(shares.shape[0]):
        share, change, out = shares[i], surprise[i], to_logits[i]
        slope = np.float32(policy) * slopes[i]
        for j in range(out.shape[0]):
            out[j] = np.float32(entropy) * change[j] - slope * share[j]
        if kinds[i] > 0:
            out[kinds[i] - 1] += slope


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
