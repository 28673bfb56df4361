"""Kernels that plain numba compiles: with an unknown version of numba, or where somebody chooses so."""

from __future__ import annotations

import pickle
from typing import Any

import numba
from numba.core import caching, compiler, serialize, sigutils

from roborally_env.compiling import cache
from roborally_env.compiling.keys import KNOWN, KNOWN_VERSION, UNKNOWN, key_of, wide


class PlainCache(caching._Cache):  # type: ignore[misc]
    """The cache of a kernel that plain numba compiles: the same folder, the same names."""

    def __init__(self, kernel: Any) -> None:
        self._kernel = kernel

    @property
    def cache_path(self) -> str:
        return str(cache.folder())

    def _name(self, sig: Any) -> str:
        return key_of(self._kernel, tuple(sigutils.normalize_signature(sig)[0]), "plain")

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        target_context.refresh()
        data = cache.load(self._name(sig))
        return None if data is None else compiler.CompileResult._rebuild(target_context, *pickle.loads(data))

    def save_overload(self, sig: Any, data: Any) -> None:
        if not KNOWN_VERSION:
            cache.say_once(UNKNOWN.format(numba.__version__, *KNOWN[0], *KNOWN[1]))
        if not data.library.has_dynamic_globals:
            cache.save(self._name(sig), serialize.dumps(data._reduce()))

    def enable(self) -> None:
        pass

    def disable(self) -> None:
        pass

    def flush(self) -> None:
        pass


def plain_kernel(function: Any, inline: bool = False) -> Any:
    """A kernel compiled by plain numba."""
    kernel = numba.njit(function, nogil=True, error_model="numpy", inline="always" if inline else "never")
    if inline:
        return kernel
    kernel._cache = PlainCache(kernel)
    template = kernel.get_call_template
    kernel.get_call_template = lambda args, kws: template(
        [wide(a) for a in args], {name: wide(a) for name, a in kws.items()}
    )
    return kernel
