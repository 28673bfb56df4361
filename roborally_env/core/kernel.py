"""The decorators of compiled code."""

from typing import Any

import numba

from roborally_env.compiling import whole
from roborally_env.compiling.hooks import Constant, Hook

config: Any = numba.config  # its attributes are made at run time
JIT = not config.DISABLE_JIT


def kernel(function: Any = None, *, inline: bool = False, seldom: bool = False) -> Any:
    """Decorator of a compiled function: no bounds checks, C division, no GIL; the machine code is kept.

    A kernel that other kernels call is compiled once for all whole numbers. With `inline` its body is put into its
    callers before they are typed: for functions of many arrays, which would be copied at every call. What is called
    `seldom` is kept out of its callers' way.
    """
    if function is None:
        return lambda inner: kernel(inner, inline=inline, seldom=seldom)
    if not JIT:
        return function
    if not whole.WHOLE:
        return whole.plain_kernel(function, inline)
    return whole.Kernel(function, targetoptions=whole.options(inline), seldom=seldom)


UPGRADES_FIELD = "owned"  # what tells a record with upgrades from one without
COLLECTION_FIELD = "collection"  # what tells a record of the 2023 edition, where upgrades are collected
TOKENS_FIELD = "lives"  # what tells a record of the 2005 edition, with damage tokens, from the others
HEALTH_FIELD = "virtual"  # what tells a record of the community edition


def only_with(field: str, otherwise: Any) -> Any:
    """Decorator of a rule of the games whose records have a field: elsewhere a call stands for `otherwise`.

    So the other games carry neither the fields nor the code. The records among the arguments tell which it is.
    """

    def decorate(function: Any) -> Any:
        return Hook(function, [(field, kernel(function))], Constant(otherwise))

    return decorate


def with_upgrades(otherwise: Any = None) -> Any:
    """Decorator of a rule of the game with upgrades; see `only_with`."""
    return only_with(UPGRADES_FIELD, otherwise)


def with_collection(otherwise: Any = None) -> Any:
    """Decorator of a rule of the edition in which upgrades are collected (2023); see `only_with`."""
    return only_with(COLLECTION_FIELD, otherwise)


def with_tokens(otherwise: Any = None) -> Any:
    """Decorator of a rule of the edition with damage tokens and lives (2005); see `only_with`."""
    return only_with(TOKENS_FIELD, otherwise)


def with_health(otherwise: Any = None) -> Any:
    """Decorator of a rule of the community edition; see `only_with`."""
    return only_with(HEALTH_FIELD, otherwise)


def by_edition(of_2016: str, of_2005: str, of_community: str = "") -> Any:
    """Decorator of a name that stands for one function of each edition, given as "module:function" in `core`.

    Where none is given for the community edition it plays that of 2016. The decorated function gives the parameters
    alone; the records among the arguments of a call select the function.
    """

    def decorate(function: Any) -> Any:
        return Hook(function, [(TOKENS_FIELD, of_2005), (HEALTH_FIELD, of_community or of_2016)], of_2016)

    return decorate
