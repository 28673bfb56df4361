"""Test processes that run side by side compile each kernel once: who comes second waits, and loads what is there.

numba's cache alone lets both compile, and two that save versions of one kernel at the same moment may lose or mix them.
"""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from numba.core import caching, dispatcher

from roborally_env.core.kernel import CACHE_FOLDER

_held: set[Path] = set()  # locks of this process; a kernel may be asked for while it is compiled


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold a lock between processes; the system frees it when a process dies. Nothing where there are no such locks."""
    try:
        import fcntl
    except ImportError:  # Windows
        yield
        return
    if path in _held:
        yield
        return
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        _held.add(path)
        try:
            yield
        finally:
            _held.discard(path)


def compile_once() -> None:
    """From now on this process takes a lock for each kernel and signature that it compiles or loads.

    A kernel waits only for those that it calls, which never call it: nobody waits in a circle.
    """
    if CACHE_FOLDER is None:
        return
    folder = CACHE_FOLDER / "locks"
    folder.mkdir(parents=True, exist_ok=True)
    compile_freely, save_freely = dispatcher.Dispatcher.compile, caching.IndexDataCacheFile.save

    def lock_of(*parts: object) -> Path:
        return folder / (hashlib.sha256(repr(parts).encode()).hexdigest()[:24] + ".lock")

    def compile_alone(self: Any, signature: Any) -> Any:
        kernel = self.py_func
        with locked(lock_of("compile", kernel.__module__, kernel.__qualname__, str(signature))):
            return compile_freely(self, signature)

    def save_alone(self: Any, key: Any, data: Any) -> None:
        with locked(lock_of("save", self._index_path)):
            save_freely(self, key, data)

    dispatcher.Dispatcher.compile = compile_alone
    caching.IndexDataCacheFile.save = save_alone
