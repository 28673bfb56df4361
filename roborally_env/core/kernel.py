"""The decorators of compiled code."""

from typing import Any

import numba

from roborally_env.compiling import whole

config: Any = numba.config  # its attributes are made at run time
JIT = not config.DISABLE_JIT


def kernel(function: Any = None, *, inline: bool = False, seldom: bool = False, often: bool = False) -> Any:
    """Decorator of a compiled function: no bounds checks, C division, no GIL, cached machine code.

    A kernel that other kernels call is compiled once for all integer types. `inline` puts its body into its callers
    before they are typed, for functions with many array arguments, which every call would copy. `seldom` keeps the
    machine code out of the callers (a cold path); `often` inlines the machine code into the callers.
    """
    if function is None:
        return lambda inner: kernel(inner, inline=inline, seldom=seldom, often=often)
    if not JIT:
        return function
    if not whole.WHOLE:
        return whole.plain_kernel(function, inline)
    attribute = "noinline" if seldom else "alwaysinline" if often else ""
    return whole.Kernel(function, targetoptions=whole.options(inline), attribute=attribute)
