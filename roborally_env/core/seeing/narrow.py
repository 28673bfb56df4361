"""Symbolic vectors in fewer bytes: half precision, and one byte for each number."""

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from roborally_env.core.kernel import JIT, kernel

_SIGN = np.uint32(0x80000000)
_TO_HALF = np.uint32((127 - 15) << 23)  # the difference of the exponents' biases
_LEAST = np.uint32((127 - 14) << 23)  # the least normal half; a vector has no number between it and 0
_ROUND = np.uint32(0x0FFF)

if JIT:

    @intrinsic
    def bits_of(typing_context, number):
        """The bits of a float32 number, as a whole number of 32 bits."""

        def generate(context, builder, signature, arguments):
            return builder.bitcast(arguments[0], ir.IntType(32))

        return types.uint32(types.float32), generate

else:

    def bits_of(number):
        return np.float32(number).view(np.uint32)


@kernel
def half_of(value):
    """The bits of float16 for a float32 number, rounded to the nearest, ties to even. Integers alone: numba has no half
    precision on processors."""
    number = bits_of(value)
    size = np.uint32(number & ~_SIGN)
    odd = np.uint32((size >> np.uint32(13)) & np.uint32(1))
    half = np.uint32(np.uint32(size + _ROUND + odd - _TO_HALF) >> np.uint32(13))
    sign = np.uint32((number & _SIGN) >> np.uint32(16))
    return np.uint16(sign | (half if size >= _LEAST else np.uint32(0)))


@kernel
def code_of(value, steps, zero):
    """value * steps + zero, rounded, from 0 to 255."""
    code = np.int32(value * steps + zero + np.float32(0.5))
    return np.uint8(min(max(code, np.int32(0)), np.int32(255)))


@kernel
def narrow(values, row, steps, zeros, codes, halves, i):
    """Write row `row` of `values` f4 [.., P, n] as row i of `codes` u1 and of `halves` u2 [B, P, n], where these have
    rows; `steps`, `zeros` f4 [n]."""
    if codes.shape[0]:
        for r in range(codes.shape[1]):
            for k in range(codes.shape[2]):
                codes[i, r, k] = code_of(values[row, r, k], steps[k], zeros[k])
    if halves.shape[0]:
        for r in range(halves.shape[1]):
            for k in range(halves.shape[2]):
                halves[i, r, k] = half_of(values[row, r, k])


@kernel
def narrow_all(values, steps, zeros, codes, halves):
    """`narrow` for every row."""
    for row in range(values.shape[0]):
        narrow(values, row, steps, zeros, codes, halves, row)
