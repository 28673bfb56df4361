"""The decorators of compiled code."""

from typing import Any

import numba

from roborally_env.compiling.whole_program import kernel_of

config: Any = numba.config  # its attributes are made at run time
JIT = not config.DISABLE_JIT


def kernel(
    function: Any = None, *, inline: bool = False, seldom: bool = False, often: bool = False, apart: bool = False
) -> Any:
    """Decorator of a compiled function: no bounds checks, C division, no GIL, cached machine code.

    A kernel that other kernels call is compiled once for all integer types. `inline` puts its body into its callers
    before they are typed, for functions with many array arguments, which every call would copy. `seldom` keeps the
    machine code out of the callers (a cold path); `often` inlines the machine code into the callers. `apart` makes the
    machine code once for all that Python calls, for large functions that many of these contain: they are not optimised
    together with their callers.
    """
    if function is None:
        return lambda inner: kernel(inner, inline=inline, seldom=seldom, often=often, apart=apart)
    if not JIT:
        return function
    return kernel_of(function, inline, "noinline" if seldom else "alwaysinline" if often else "", apart)


def machine_code(function: Any, arguments: tuple[Any, ...]) -> Any:
    """The compiled entry point for these argument types.

    A call of the kernel itself looks at the types of all arguments first, which with thirty arrays takes three times as
    long as handing them over. Machine code does not check the types of its arguments: the caller has to know
    that they are these, and that arrays that are written to may be.
    """
    return function.compile(tuple(map(function.typeof_pyval, arguments))) if JIT else function
