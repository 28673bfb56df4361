"""How a function becomes a kernel: compiled as a whole with all that it calls, or by plain numba.

What is imported here works with any version of numba; `kernels` and what it needs, only with the versions in `KNOWN`.
"""

from __future__ import annotations

import os
from typing import Any

from numba.core.compiler_lock import global_compiler_lock

from roborally_env.compiling.keys import KNOWN, OPAQUE, OPTIONS, WHOLE, loaded, made
from roborally_env.compiling.plain import plain_kernel

__all__ = ["KNOWN", "OPAQUE", "WHOLE", "kernel_of", "loaded", "made"]


def kernel_of(function: Any, inline: bool = False, attribute: str = "", apart: bool = False) -> Any:
    """The kernel of a function.

    Args:
        function: in Python.
        inline: whether its body is put into its callers before they are typed.
        attribute: an LLVM attribute of the function, or "".
        apart: whether it has machine code of its own, which all entries that reach it call. Plain numba ignores it.
    """
    if not WHOLE:
        return plain_kernel(function, inline)
    from roborally_env.compiling.kernels import Kernel

    options = {**OPTIONS, "inline": "always" if inline else "never"}
    return Kernel(function, targetoptions=options, attribute=attribute, apart=apart)


if hasattr(os, "register_at_fork"):
    # A fork waits until no other thread compiles: the child would have the lock of a thread that it does not have.
    os.register_at_fork(
        before=global_compiler_lock.acquire,
        after_in_parent=global_compiler_lock.release,
        after_in_child=global_compiler_lock.release,
    )
