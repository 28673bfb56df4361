"""The layers of networks as compiled code: all arrays of a network are parts of one, and a layer names its part.

A call copies every array among its arguments, field by field. A network of thirty arrays would be most of the code of
the kernels to which it is handed.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Sequence

import numpy as np

from roborally_env.base.types import Array
from roborally_env.core.kernel import kernel

# A network: `numbers` f4 [n], all its arrays one after the other, each in C order; `starts` i8 [parts + 1]: part p is
# numbers[starts[p] : starts[p + 1]]
Net = namedtuple("Net", "numbers starts")


def joined(arrays: Sequence[Array]) -> Net:
    """The network of these arrays, which are its parts in this order, as float32."""
    flat = [np.ravel(array).astype(np.float32) for array in arrays]
    return Net(np.concatenate(flat), np.cumsum([0, *map(len, flat)], dtype=np.int64))


def len_of(net: Net, part: int) -> int:
    """How many numbers a part has, for code in Python."""
    return int(net.starts[part + 1] - net.starts[part])


@kernel
def size_of(net, part):
    """How many numbers a part has."""
    return net.starts[part + 1] - net.starts[part]


@kernel
def number_in(net, part, i):
    """Number i of a part."""
    return net.numbers[net.starts[part] + i]


@kernel
def copy_part(net, part, out):
    """out[:] = a part with one axis."""
    first = net.starts[part]
    for j in range(out.shape[0]):
        out[j] = net.numbers[first + j]


@kernel
def add_row(net, part, row, out):
    """out += row `row` of a part with out.size columns."""
    first = net.starts[part] + row * out.shape[0]
    for j in range(out.shape[0]):
        out[j] += net.numbers[first + j]


@kernel(seldom=True)
def add_rows(x, net, part, row, out):
    """out += x @ weights, skipping zeros of x. x [n], out [m]; weights: from row `row` on of a part with m columns."""
    first = net.starts[part] + row * out.shape[0]
    for i in range(x.shape[0]):
        value = x[i]
        if value != 0.0:
            at = first + i * out.shape[0]
            for j in range(out.shape[0]):
                out[j] += value * net.numbers[at + j]


@kernel(seldom=True)
def add_products(x, net, part, row, out):
    """The same with sums in another order.

    Half of the numbers are zeros, at random places: they are passed over without a branch, and four of the others are
    taken at once, so that `out` is read and written a quarter as often. A decision takes a sixth less time.
    """
    columns, weights = out.shape[0], net.numbers
    at = np.empty(x.shape[0], np.int64)
    n = 0
    for i in range(x.shape[0]):
        at[n] = i
        n += x[i] != 0.0
    first = net.starts[part] + row * columns
    k = 0
    while k + 4 <= n:
        x0, x1, x2, x3 = x[at[k]], x[at[k + 1]], x[at[k + 2]], x[at[k + 3]]
        i0, i1 = first + at[k] * columns, first + at[k + 1] * columns
        i2, i3 = first + at[k + 2] * columns, first + at[k + 3] * columns
        for j in range(columns):
            out[j] += x0 * weights[i0 + j] + x1 * weights[i1 + j] + x2 * weights[i2 + j] + x3 * weights[i3 + j]
        k += 4
    while k < n:
        i0, x0 = first + at[k] * columns, x[at[k]]
        for j in range(columns):
            out[j] += x0 * weights[i0 + j]
        k += 1


@kernel
def copy(x, out):
    """out[:] = x, without the check of shapes that numba compiles, and its message."""
    for j in range(out.shape[0]):
        out[j] = x[j]


@kernel
def add(x, out):
    """out += x."""
    for j in range(out.shape[0]):
        out[j] += x[j]


@kernel
def is_zero(x):
    """Whether all numbers are 0."""
    zero = True
    for j in range(x.shape[0]):
        zero &= x[j] == 0.0
    return zero


@kernel
def rectify(x):
    """Replace negative numbers by 0 (ReLU)."""
    for j in range(x.shape[0]):
        x[j] = max(x[j], np.float32(0.0))
