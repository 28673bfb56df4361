"""Symbolic vectors in fewer bytes: half precision, and one byte for each number."""

import numpy as np

from roborally_env.core.kernel import kernel

_SIGN = np.uint32(0x80000000)
_TO_HALF = np.uint32((127 - 15) << 23)  # the difference of the exponents' biases
_LEAST = np.uint32((127 - 14) << 23)  # the least normal half; a vector has no number between it and 0
_ROUND = np.uint32(0x0FFF)


@kernel
def to_halves(bits, first, last, out):
    """Write the rows `first`..`last` - 1 of `bits` u4 [N, n], float32 numbers as their bits, into `out` u2 [N, n] as
    bits of float16, rounded to the nearest, ties to even. Integers alone: numba has no half precision on processors."""
    for row in range(first, last):
        for i in range(bits.shape[1]):
            number = bits[row, i]
            size = np.uint32(number & ~_SIGN)
            odd = np.uint32((size >> np.uint32(13)) & np.uint32(1))
            half = np.uint32(np.uint32(size + _ROUND + odd - _TO_HALF) >> np.uint32(13))
            sign = np.uint32((number & _SIGN) >> np.uint32(16))
            out[row, i] = np.uint16(sign | (half if size >= _LEAST else np.uint32(0)))


@kernel
def to_bytes(values, first, last, steps, zeros, out):
    """Write the rows `first`..`last` - 1 of `values` f4 [N, n] into `out` u1 [N, n]: value * steps + zeros, rounded,
    from 0 to 255; `steps` f4 [n], `zeros` f4 [n]."""
    half = np.float32(0.5)
    for row in range(first, last):
        for i in range(values.shape[1]):
            code = np.int32(values[row, i] * steps[i] + zeros[i] + half)
            out[row, i] = np.uint8(min(max(code, np.int32(0)), np.int32(255)))
