"""Former names of public modules and of what is in them: each still works, with a DeprecationWarning.

They are kept for one release. Both tables have names below `roborally_env`.
"""

from __future__ import annotations

import importlib
import sys
import warnings
from collections.abc import Sequence
from importlib.abc import Loader
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import ModuleType

PACKAGE = "roborally_env"
# former modules, each with all that is in it
MODULES = {
    "ahead": "precompile",
    "analysis": "evaluation.analysis",
    "arrays": "base.arrays",
    "bench": "speed",
    "benchmark": "evaluation.benchmark",
    "checks": "base.checks",
    "children": "base.children",
    "courses.generate": "generated",
    "crossplay": "evaluation.crossplay",
    "documents": "base.documents",
    "errors": "base.errors",
    "files": "base.files",
    "grading": "evaluation.grades",
    "signals": "base.signals",
    "terminal": "base.terminal",
    "threads": "base.threads",
    "tournament": "evaluation.tournament",
    "words": "base.text",
}
# former names by the module that had them
NAMES = {
    "generated": {"is_specification": "courses.catalogue.is_generated"},
}


_IMPORTING = ("importlib", "_frozen_importlib")


def install() -> None:
    """Let imports of former names find what they are called now."""
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder())  # first: the folder of a former package may still be there, with its caches


def current(module: str) -> str | None:
    """The present whole name of a former module; None for any other name."""
    package, _, name = module.partition(".")
    found = [each for each in MODULES if name == each or name.startswith(f"{each}.")] if package == PACKAGE else []
    former = max(found, key=len, default=None)
    return f"{PACKAGE}.{MODULES[former]}{name.removeprefix(former)}" if former else None


def load(module: str) -> ModuleType:
    """The module of this whole name, former or present."""
    return importlib.import_module(module)


def _warn(old: str, new: str) -> None:
    """Warn where the former name is used: in the first frame that is not of this package or of the import system."""
    frame = sys._getframe()
    while frame.f_back and _passes_on(frame.f_globals.get("__name__", "")):
        frame = frame.f_back
    warnings.warn_explicit(
        f"{old} is now {new}",
        DeprecationWarning,
        frame.f_code.co_filename,
        frame.f_lineno,
        frame.f_globals.get("__name__"),
        frame.f_globals.setdefault("__warningregistry__", {}),
    )


def _passes_on(module: str) -> bool:
    return module in (PACKAGE, __name__) or module.partition(".")[0] in _IMPORTING


class _Finder:
    """Finds former modules, and the present ones that have former names."""

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None, /
    ) -> ModuleSpec | None:
        if (new := current(name)) is not None:
            return ModuleSpec(name, _Former(name, new))
        if name.partition(".")[2] not in NAMES:
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and isinstance(spec.loader, SourceFileLoader):
            spec.loader = _Renamed(spec.loader.name, spec.loader.path)
        return spec


class _Former(Loader):
    """The loader of a former module, which is the present one."""

    def __init__(self, old: str, new: str) -> None:
        self.old, self.new = old, new

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = load(self.new)
        _warn(self.old, self.new)
        self.spec = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        module.__spec__ = self.spec  # the import system has set that of the former name


class _Renamed(SourceFileLoader):
    """The loader of a module in which names have changed."""

    def exec_module(self, module: ModuleType) -> None:
        super().exec_module(module)
        names = NAMES[module.__name__.partition(".")[2]]
        own = module.__dict__.get("__getattr__")

        def __getattr__(name: str) -> object:
            if name in names:
                new = f"{PACKAGE}.{names[name]}"
                _warn(f"{module.__name__}.{name}", new)
                where, _, last = new.rpartition(".")
                return getattr(load(where), last)
            if own is not None:
                return own(name)
            raise AttributeError(f"module {module.__name__!r} has no attribute {name!r}")

        module.__dict__["__getattr__"] = __getattr__
