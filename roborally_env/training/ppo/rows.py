"""Compiled passes over the rows of a network's layers, for which torch would go over them several times."""

from __future__ import annotations

import numpy as np

from roborally_env.core.kernel import kernel


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
