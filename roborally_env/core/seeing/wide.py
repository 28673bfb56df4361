"""Vectors eight numbers at a time, and memory that is asked for before it is needed.

LLVM writes these numbers one by one on some processors. With small caches a batch does not stay in the second one, and
what is written next comes from the third one or from memory. The processor fetches it while something else is computed,
if it is told where: in small portions, because it has room for some twenty lines at once.
"""

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from roborally_env.core.kernel import JIT, kernel
from roborally_env.core.state import NOBODY

LINE = 64  # bytes of a line of the cache
PORTION = 96  # numbers of a vector that are asked for at once: six lines

if JIT:
    _I8, _I32, _I64, _F32 = ir.IntType(8), ir.IntType(32), ir.IntType(64), ir.FloatType()
    _TO_WRITE, _ALL_CACHES, _DATA = (ir.Constant(_I32, number) for number in (1, 3, 1))  # what `llvm.prefetch` is told

    def _address(context, builder, kind, array, indices):
        """Where an entry of an array is."""
        array = context.make_array(kind)(context, builder, array)
        at = ir.Constant(_I64, 0)
        for k, index in enumerate(indices):
            index = builder.sext(index, _I64) if index.type.width < 64 else index
            at = builder.add(at, builder.mul(index, builder.extract_value(array.strides, k)))
        return builder.gep(builder.bitcast(array.data, _I8.as_pointer()), [at])

    @intrinsic
    def fetch_portion(typing_context, out, g, r, at):
        """Ask for six lines from `out[g, r, at]` on."""

        def generate(context, builder, signature, arguments):
            start = _address(context, builder, signature.args[0], arguments[0], arguments[1:])
            name = "llvm.prefetch.p0i8"
            kind = ir.FunctionType(ir.VoidType(), [_I8.as_pointer(), _I32, _I32, _I32])
            function = builder.module.globals.get(name) or ir.Function(builder.module, kind, name)
            for line in range(0, 4 * PORTION, LINE):
                place = builder.gep(start, [ir.Constant(_I64, line)])
                builder.call(function, [place, _TO_WRITE, _ALL_CACHES, _DATA])
            return context.get_dummy_value()

        return types.void(out, g, r, at), generate

    def _repeated(kind, number, lanes):
        return ir.Constant(ir.VectorType(kind, lanes), [number] * lanes)

    def _write(context, builder, signature, arguments, numbers, unit):
        """Write a vector of whole numbers of 32 bits, times `unit`, from `out[g, r, at]` on."""
        kind = ir.VectorType(_F32, numbers.type.count)
        place = _address(context, builder, signature.args[0], arguments[0], arguments[1:4])
        floats = builder.fmul(builder.sitofp(numbers, kind), _repeated(_F32, unit, kind.count))
        builder.store(floats, builder.bitcast(place, kind.as_pointer()), align=4)
        return context.get_dummy_value()

    def _write_quarters(context, builder, signature, arguments, lanes):
        word = builder.trunc(arguments[4], _I32) if lanes == 4 else arguments[4]
        numbers = builder.zext(builder.bitcast(word, ir.VectorType(_I8, lanes)), ir.VectorType(_I32, lanes))
        return _write(context, builder, signature, arguments, numbers, 0.25)

    @intrinsic
    def write_8_quarters(typing_context, out, g, r, at, word):
        """Write the eight bytes of a word / 4, the lowest first."""

        def generate(context, builder, signature, arguments):
            return _write_quarters(context, builder, signature, arguments, 8)

        return types.void(out, g, r, at, types.int64), generate

    @intrinsic
    def write_4_quarters(typing_context, out, g, r, at, word):
        """Write the four lowest bytes of a word / 4."""

        def generate(context, builder, signature, arguments):
            return _write_quarters(context, builder, signature, arguments, 4)

        return types.void(out, g, r, at, types.int64), generate

    @intrinsic
    def write_8_bits(typing_context, out, g, r, at, bits):
        """Write the eight lowest bits."""

        def generate(context, builder, signature, arguments):
            first, nothing = ir.Constant(_I32, 0), ir.Constant(ir.VectorType(_I32, 8), ir.Undefined)
            word = builder.insert_element(nothing, builder.trunc(arguments[4], _I32), first)
            same = builder.shuffle_vector(word, nothing, _repeated(_I32, 0, 8))
            places = ir.Constant(ir.VectorType(_I32, 8), list(range(8)))
            numbers = builder.and_(builder.lshr(same, places), _repeated(_I32, 1, 8))
            return _write(context, builder, signature, arguments, numbers, 1.0)

        return types.void(out, g, r, at, types.int64), generate

else:

    def fetch_portion(out, g, r, at):
        pass

    def write_8_quarters(out, g, r, at, word):
        for i in range(8):
            out[g, r, at + i] = (int(word) >> 8 * i & 255) * 0.25

    def write_4_quarters(out, g, r, at, word):
        for i in range(4):
            out[g, r, at + i] = (int(word) >> 8 * i & 255) * 0.25

    def write_8_bits(out, g, r, at, bits):
        for i in range(8):
            out[g, r, at + i] = int(bits) >> i & 1


@kernel
def game_ahead(out, g, only):
    """The game whose vectors follow those of game g, or -1: there is none, or only those of seat `only` are written."""
    return g + 1 if only == NOBODY and g + 1 < out.shape[0] else -1


@kernel
def fetch_part(out, ahead, r, k):
    """Ask for portion k of the vector of seat r of game `ahead`; of none if that is -1."""
    if ahead >= 0 and k * PORTION < out.shape[2]:
        fetch_portion(out, ahead, r, np.int64(k * PORTION))
