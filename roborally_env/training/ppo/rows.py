"""Compiled passes over the rows of a network's layers, for which torch would go over them several times."""

from __future__ import annotations

import math

import numpy as np

from roborally_env.core.kernel import kernel

POLICY, VALUE, ENTROPY, KL, CLIPPED, COUNT = range(6)  # sums of `clip_rows`


@kernel
def add_rectified(rows, groups, of):
    """rows[i] = max(0, rows[i] + groups[of[i]]). `rows` f4 [m, width], `groups` f4 [g, width], `of` i8 [m]."""
    for i in range(rows.shape[0]):
        group = groups[of[i]]
        row = rows[i]
        for j in range(row.shape[0]):
            row[j] = max(np.float32(0.0), row[j] + group[j])


@kernel
def add_back(gradient, rows, of, to_rows, to_groups):
    """The gradients of `add_rectified`, whose result is `rows`: those of its rows into `to_rows` f4 [m, width]; those
    of its groups are added to `to_groups` f4 [g, width]."""
    for i in range(rows.shape[0]):
        above, row, out, group = gradient[i], rows[i], to_rows[i], to_groups[of[i]]
        for j in range(row.shape[0]):
            kept = above[j] if row[j] > np.float32(0.0) else np.float32(0.0)
            out[j] = kept
            group[j] += kept


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
