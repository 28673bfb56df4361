"""The one decorator of compiled code, and where its machine code is kept."""

import contextlib
import functools
import hashlib
import importlib
import inspect
import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

import numba
from numba import njit, types
from numba.extending import overload

config: Any = numba.config  # its attributes are made at run time
_KEPT_CACHES = 4


def source_digest() -> str:
    """Sixteen hex digits over the core's sources and the versions that shape machine code.

    numba's own cache does not notice an edit in a file that a kernel calls into; this digest does.
    """
    digest = hashlib.sha256(f"{numba.__version__} {sys.version_info[:2]}".encode())
    core = Path(__file__).parent
    for path in [
        *sorted(core.rglob("*.py")),
        core.parent / "courses" / "tables.py",
    ]:  # the tables' layout is compiled in
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _cache_home() -> Path:
    if os.environ.get("ROBORALLY_CACHE"):
        return Path(os.environ["ROBORALLY_CACHE"])
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local")) / "roborally_env"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "roborally_env"
    return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "roborally_env"


def _usable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _cache_folder() -> Path | None:
    """The folder of this version's machine code, or None where nothing can be written."""
    name = source_digest()
    for home in (
        _cache_home(),
        Path(tempfile.gettempdir()) / f"roborally_env-{os.getuid() if hasattr(os, 'getuid') else 0}",
    ):
        if _usable(home / name):
            _drop_old_caches(home, name)
            return home / name
    return None


def _drop_old_caches(home: Path, current: str) -> None:
    """Keep the few newest folders: each change of the sources makes a new one."""
    others = [f for f in home.iterdir() if f.is_dir() and f.name != current and len(f.name) == len(current)]
    others.sort(key=lambda f: f.stat().st_mtime, reverse=True)
    for folder in others[_KEPT_CACHES:]:
        shutil.rmtree(folder, ignore_errors=True)


JIT = not config.DISABLE_JIT
CACHE_FOLDER = _cache_folder() if JIT else None


def kernel(function: Any = None, **options: Any) -> Any:
    """numba.njit with the project's options: cached by source digest, no bounds checks, C division, no GIL."""
    if function is None:
        return lambda inner: kernel(inner, **options)
    before = config.CACHE_DIR
    config.CACHE_DIR = str(CACHE_FOLDER) if CACHE_FOLDER else before
    try:
        compiled = njit(function, cache=CACHE_FOLDER is not None, nogil=True, error_model="numpy", **options)
    finally:
        config.CACHE_DIR = before
    if JIT and not options:
        _widen_arguments(compiled)
    return compiled


def _widen_arguments(dispatcher: Any) -> None:
    """Compile a kernel once for all whole numbers that other kernels call it with.

    numba would compile it anew for each mix of int8, int64, uint8 and each constant: three times the code.
    """
    template = dispatcher.get_call_template

    def widened(arguments: Any, keywords: Any) -> Any:
        return template([_wide(a) for a in arguments], {name: _wide(a) for name, a in keywords.items()})

    dispatcher.get_call_template = widened


def _wide(kind: Any) -> Any:
    kind = types.unliteral(kind)
    return types.int64 if isinstance(kind, types.Integer) and kind != types.uint64 else kind


def is_compiled(what: str) -> bool:
    """Whether machine code for `what` was made before, as `note_compiled` noted (for the one-line compile note)."""
    return not JIT or (CACHE_FOLDER is not None and (CACHE_FOLDER / f"{what}.compiled").exists())


def note_compiled(what: str) -> None:
    """Note that machine code for `what` lies in the cache now."""
    if JIT and CACHE_FOLDER is not None:
        with contextlib.suppress(OSError):
            (CACHE_FOLDER / f"{what}.compiled").touch()


def most_threads() -> int:
    """How many threads numba may use here."""
    return int(config.NUMBA_NUM_THREADS)


UPGRADES_FIELD = "owned"  # what tells a record with upgrades from one without
COLLECTION_FIELD = "collection"  # what tells a record of the 2023 edition, where upgrades are collected
TOKENS_FIELD = "lives"  # what tells a record of the 2005 edition, with damage tokens, from the others
HEALTH_FIELD = "virtual"  # what tells a record of the community edition


def _has(argument: Any, field: str) -> bool:
    """Whether an argument of a call in plain Python is a record, or an array of records, with that field."""
    return field in (getattr(getattr(argument, "dtype", None), "names", None) or ())


def _has_type(argument: Any, field: str) -> bool:
    """The same of the type of an argument of a compiled call."""
    record = argument.dtype if isinstance(argument, types.Array) else argument
    return isinstance(record, types.Record) and field in record.fields


def only_with(field: str, otherwise: Any) -> Any:
    """Decorator of a rule of the games whose records have a field: elsewhere a call compiles to `otherwise`.

    So the other games carry neither the fields nor the code. Which record it is, is seen from the arguments.
    """

    def decorate(function: Any) -> Any:
        names = ", ".join(inspect.signature(function).parameters)
        nothing = eval(f"lambda {names}: {otherwise!r}")
        something = eval(f"lambda {names}: compiled({names})", {"compiled": kernel(function)})

        @functools.wraps(function)
        def call(*arguments: Any) -> Any:
            return function(*arguments) if any(_has(a, field) for a in arguments) else otherwise

        @overload(call, strict=False, inline="always")
        def _compiled(*arguments: Any) -> Any:
            return something if any(_has_type(a, field) for a in arguments) else nothing

        return call

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

    Where none is given for the community edition it plays that of 2016.

    Which one a call compiles to, is seen from the records among its arguments. The decorated function gives
    the parameters alone. The modules are imported when they are needed: mechanics that both editions share can so
    call what differs between them.
    """

    def decorate(function: Any) -> Any:
        names = ", ".join(inspect.signature(function).parameters)

        def path(has: Any, arguments: Any) -> str:
            if any(has(a, TOKENS_FIELD) for a in arguments):
                return of_2005
            return of_community if of_community and any(has(a, HEALTH_FIELD) for a in arguments) else of_2016

        @functools.wraps(function)
        def call(*arguments: Any) -> Any:
            return _found(path(_has, arguments))(*arguments)

        @overload(call, strict=False, inline="always")
        def _compiled(*arguments: Any) -> Any:
            target = _found(path(_has_type, arguments))
            return eval(f"lambda {names}: target({names})", {"target": target})

        return call

    return decorate


def _found(path: str) -> Any:
    module, name = path.split(":")
    return getattr(importlib.import_module(f"roborally_env.core.{module}"), name)
