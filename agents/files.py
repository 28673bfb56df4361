"""Agents in files: loading a class from `path/to/file.py`, with the modules that lie beside it."""

from __future__ import annotations

import hashlib
import importlib
import importlib.machinery
import importlib.util
import inspect
import os
import re
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, ModuleType

from roborally_env.base.errors import AgentError, nearest, one_line

_PREFIX = "roborally_agent_file"  # of the names of loaded files in sys.modules
_beside: dict[Path, dict[str, ModuleType]] = {}  # folder -> the modules that files in it have imported from it


def split_file(spec: str) -> tuple[str, str] | None:
    """(path, rest) of a spec such as `path/to/file.py:Class:depth=3`; None for a spec that names no file."""
    head, found, rest = spec.partition(".py:")
    if re.search(r":[^/\\]*=", head):  # the end of a file's name in an option
        return None
    if found:
        return f"{head}.py", rest
    return (spec, "") if spec.endswith(".py") else None


def load_file(spec: str, path: str) -> ModuleType:
    """The module in a Python file. A file that has not changed is loaded once in a process.

    Raises:
        AgentError: for a file that does not exist, cannot be read, or raises when it is loaded.
    """
    place = _place(spec, path)
    try:
        source = place.read_bytes()
    except OSError as error:
        raise AgentError(f"agent {spec!r}: {path}: cannot be read: {error.strerror or error}") from None
    # the whole path is part of the name, so that two files with the same name are two modules
    name = f"{_PREFIX}_{place.stem}_{hashlib.sha256(str(place).encode() + source).hexdigest()[:16]}"
    if name not in sys.modules:
        _execute(spec, place, name)
    return sys.modules[name]


def _place(spec: str, path: str) -> Path:
    """The whole path of an agent's file, if it exists."""
    place = Path(path).expanduser()
    if os.path.isdir(place):  # Path.is_dir raises if a name is too long
        raise AgentError(f"agent {spec!r}: {path} is a folder; expected a Python file")
    if not os.path.isfile(place):
        near = nearest(place.name, [file.name for file in place.parent.glob("*.py")])
        where = "" if place.is_absolute() else f" in {Path.cwd()}"
        raise AgentError(f"agent {spec!r}: there is no file {path}{where}{near}")
    return place.resolve()


class _FromSource(importlib.machinery.SourceFileLoader):
    """Compiles the file each time: cached bytecode is identified by whole seconds and the size, and a bot that was
    changed within a second would be the old one."""

    def get_code(self, fullname: str) -> CodeType | None:
        return self.source_to_code(self.get_data(self.path), self.path)


def _execute(spec: str, place: Path, name: str) -> None:
    found = importlib.util.spec_from_file_location(name, place, loader=_FromSource(name, str(place)))
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    sys.modules[name] = module  # before it is executed: dataclasses look their module up
    try:
        with beside(place.parent):
            found.loader.exec_module(module)
    except BaseException as error:
        del sys.modules[name]
        if isinstance(error, (Exception, SystemExit)):  # not Ctrl-C
            raise AgentError(f"agent {spec!r}: {_message(error, place)}") from error
        raise


def _message(error: BaseException, place: Path) -> str:
    """What went wrong when a file was loaded, with the line."""
    if isinstance(error, SyntaxError):
        return f"{Path(error.filename or place).name}, line {error.lineno}: {error.msg}"
    return f"cannot load {place.name}: {one_line(error)}{_line_in(error, place)}"


def _line_in(error: BaseException, place: Path) -> str:
    """The last line of the file that the error passed, as text; "" if it passed none."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(place)]
    return f" (line {lines[-1]})" if lines else ""


def classes_in(module: ModuleType) -> list[str]:
    """The names of the classes with a method `act` that a module defines."""
    return [
        name
        for name, value in vars(module).items()
        if inspect.isclass(value) and value.__module__ == module.__name__ and callable(getattr(value, "act", None))
    ]


@contextmanager
def beside(folder: Path) -> Iterator[None]:
    """Let imports find the modules in a folder, for as long as the context lasts.

    Modules that are imported from the folder are kept apart from all others: afterwards they are not in `sys.modules`,
    so that files in two folders may each have a `helper.py` beside them.
    """
    if any(Path(entry or ".").resolve() == folder for entry in sys.path):
        yield  # a folder that Python searches anyway: its modules are like any others
        return
    before = set(sys.modules)
    own = {name: module for name, module in _beside.setdefault(folder, {}).items() if name not in before}
    sys.modules.update(own)
    sys.path.insert(0, str(folder))
    importlib.invalidate_caches()  # the folder may have been written a moment ago
    try:
        yield
    finally:
        if str(folder) in sys.path:
            sys.path.remove(str(folder))
        for name in [name for name in sys.modules if name not in before]:
            if _lies_in(folder, sys.modules.get(name.partition(".")[0])):
                _beside[folder][name] = sys.modules[name]
        for name in _beside[folder]:
            if name not in before:
                sys.modules.pop(name, None)


def _lies_in(folder: Path, module: ModuleType | None) -> bool:
    """Whether a module is a file of a folder, or a package in it."""
    if module is None or module.__name__.startswith(_PREFIX):
        return False
    paths = [module.__file__] if getattr(module, "__file__", None) else list(getattr(module, "__path__", []))
    places = [Path(path).resolve() for path in paths if path]
    return any(
        folder in (place.parent, place.parent.parent if place.name == "__init__.py" else None) for place in places
    )
