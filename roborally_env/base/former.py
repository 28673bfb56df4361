"""Former names of public modules and of what is in them: each still works, with a DeprecationWarning.

They are kept for one release. Both tables have names below `roborally_env`.
"""

from __future__ import annotations

import importlib
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from importlib.abc import Loader
else:  # importing `importlib.abc` takes as long as the rest of the package's own modules
    Loader = object

PACKAGE = "roborally_env"
# former modules, each with all that is in it
MODULES = {
    "agents.choosing": "agents.choices",
    "agents.powering": "agents.power_down",
    "agents.shopping": "agents.purchases",
    "ahead": "precompile",
    "analysis": "evaluation.analysis",
    "arrays": "base.arrays",
    "bench": "speed",
    "benchmark": "evaluation.benchmark",
    "checks": "base.checks",
    "children": "base.children",
    "compiling.whole": "compiling.whole_program",
    "core.mechanics.mats": "core.mechanics.owned_upgrades",
    "core.searching.arriving": "core.searching.arrival",
    "core.searching.planning": "core.searching.plan_tables",
    "core.searching.reaching": "core.searching.reachability",
    "core.seeing.sampling": "core.seeing.random_actions",
    "courses.alike": "courses.similarity",
    "courses.borrowing": "courses.conversion",
    "courses.climbing": "courses.height_checks",
    "courses.generate": "generated",
    "courses.reading": "courses.reader",
    "courses.turned": "courses.rotation",
    "courses.writing": "courses.writer",
    "crossplay": "evaluation.crossplay",
    "documents": "base.documents",
    "envs.presenting": "envs.formats",
    "envs.ranking": "envs.program_ranks",
    "envs.vec_crews": "envs.vec_opponents",
    "envs.vec_waiting": "envs.vec_resets",
    "errors": "base.errors",
    "evaluation.benchmark.playing": "evaluation.benchmark.parts",
    "evaluation.benchmark.watched": "evaluation.benchmark.timed_agent",
    "evaluation.grades.foretelling": "evaluation.grades.estimates",
    "evaluation.grades.racing": "evaluation.grades.races",
    "evaluation.racing": "evaluation.races",
    "executors.choosing": "executors.choice",
    "files": "base.files",
    "generated.arranged": "generated.printed",
    "generated.made": "generated.procedural",
    "generated.made.scattered": "generated.procedural.scatter",
    "generated.mutating": "generated.mutation",
    "generated.placing": "generated.placement",
    "grading": "evaluation.grades",
    "jobs.places": "jobs.storage",
    "play.door": "play.lobby",
    "play.keeping": "play.saved_race",
    "play.looking_back": "play.review_page",
    "play.serving": "play.listener",
    "play.words": "play.text",
    "render.saving": "render.export",
    "replay.loading": "replay.reader",
    "replay.playing": "replay.playback",
    "replay.recording": "replay.recorder",
    "replay.saving": "replay.writer",
    "replay.telling": "replay.comparison",
    "review.judging": "review.search",
    "review.making": "review.builder",
    "scenario.stepping": "scenario.entry_points",
    "scenario.turning": "scenario.rotation",
    "selfplay.reading": "selfplay.reader",
    "selfplay.recording": "selfplay.recorder",
    "selfplay.replaying": "selfplay.replays",
    "selfplay.writing": "selfplay.writer",
    "signals": "base.signals",
    "speed.comparing": "speed.comparison",
    "speed.running": "speed.runner",
    "terminal": "base.terminal",
    "threads": "base.threads",
    "tournament": "evaluation.tournament",
    "training.ppo.acting": "training.ppo.actor",
    "training.selfplay.acted": "training.selfplay.actor_run",
    "training.selfplay.playing": "training.selfplay.gameplay",
    "training.selfplay.recorded": "training.selfplay.recordings",
    "training.telling": "training.progress",
    "watch.words": "watch.text",
    "words": "base.text",
}
# former names of what is in modules
NAMES = {
    "base.arrays.Thawed": "base.arrays.PicklableArrays",
    "base.terminal.tell": "base.terminal.print_lines",
    "base.terminal.tell_json": "base.terminal.print_as_json",
    "core.driving.advance.lay_programs": "core.driving.advance.submit_programs",
    "core.mechanics.owned_upgrades.lay": "core.mechanics.owned_upgrades.install",
    "core.mechanics.piles.lay_top": "core.mechanics.piles.place_top",
    "core.mechanics.programs.repair_program": "core.mechanics.programs.correct_program",
    "core.searching.among_others.lay_one": "core.searching.among_others.submit_one",
    "core.searching.among_others.lay_others": "core.searching.among_others.submit_others",
    "envs.FlatForm": "envs.FlatActions",
    "envs.PresentedEnv": "envs.FormattedEnv",
    "envs.RaceVectorEnv": "envs.RoboRallyVectorEnv",
    "envs.RegisterForm": "envs.RegisterActions",
    "envs.formats.PresentedEnv": "envs.formats.FormattedEnv",
    "envs.forms.FlatForm": "envs.forms.FlatActions",
    "envs.forms.OneNumberForm": "envs.forms.OneNumberActions",
    "envs.forms.RegisterForm": "envs.forms.RegisterActions",
    "envs.rllib.SeatVectorEnv": "envs.rllib.RLlibVectorEnv",
    "envs.sb3.RaceVecEnv": "envs.sb3.SB3VecEnv",
    "envs.tianshou.RaceVectorEnv": "envs.tianshou.TianshouVectorEnv",
    "envs.torchrl.RaceEnv": "envs.torchrl.TorchRLEnv",
    "envs.vector.RaceVectorEnv": "envs.vector.RoboRallyVectorEnv",
    "evaluation.grades.foretold": "evaluation.grades.estimate",
    "executors.Begun": "executors.PartialResult",
    "executors.Crew": "executors.WorkerPool",
    "generated.is_specification": "courses.catalogue.is_generated",
    "jobs.storage.Place": "jobs.storage.Storage",
    "jobs.storage.place_of": "jobs.storage.storage_of",
    "jobs.storage.told": "jobs.storage.one_line_errors",
    "replay.Telling": "replay.Comparison",
    "replay.comparison.Telling": "replay.comparison.Comparison",
    "play.lobby.Door": "play.lobby.Lobby",
    "play.saved_race.Kept": "play.saved_race.SavedRace",
    "play.saved_race.keep": "play.saved_race.save_race",
}
_HOMES = {name.rpartition(".")[0] for name in NAMES}  # the modules that had them
# former keys of infos
KEYS = {"repairs": "corrected", "_repairs": "_corrected"}
Function = TypeVar("Function", bound=Callable[..., Any])
_IMPORTING = ("importlib", "_frozen_importlib")


def install() -> None:
    """Let imports of former names find what they are called now."""
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder())  # first: the folder of a former package may still be there, with its caches
        for name in _HOMES:
            if (module := sys.modules.get(f"{PACKAGE}.{name}")) is not None:
                _add_former_names(module)


def current(module: str) -> str | None:
    """The present whole name of a former module; None for any other name."""
    package, _, name = module.partition(".")
    new = _renamed(name) if package == PACKAGE else name
    return f"{PACKAGE}.{new}" if new != name else None


def _renamed(name: str) -> str:
    """The present name of a module: its package's, then its own, as often as either has changed."""
    found = [each for each in MODULES if name == each or name.startswith(f"{each}.")]
    if not found:
        return name
    longest = max(found, key=len)
    return _renamed(MODULES[longest] + name.removeprefix(longest))


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


def attribute(new: str) -> Any:
    """A property for a former name of an attribute: reading it warns and returns the attribute `new`."""

    class Former:
        def __set_name__(self, owner: type, name: str) -> None:
            self.name = name

        def __get__(self, thing: object, owner: type | None = None) -> Any:
            if thing is None:
                return self
            _warn(f"{type(thing).__name__}.{self.name}", new)
            return getattr(thing, new)

    return Former()


def present_keywords(given: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """The given keywords under their present names, with a warning for each former one."""
    for old in names.keys() & given.keys():
        _warn(old, names[old])
    return {names.get(name, name): value for name, value in given.items()}


def keywords(**names: str) -> Callable[[Function], Function]:
    """A decorator of a function whose keywords have changed: old="new"."""

    def decorate(function: Function) -> Function:
        @wraps(function)
        def renamed(*args: Any, **given: Any) -> Any:
            return function(*args, **present_keywords(given, names))

        return renamed  # type: ignore[return-value]

    return decorate


class Keys(dict[str, Any]):
    """A dict that also finds its values under former keys, with a warning; it lists only the present ones."""

    def __missing__(self, key: str) -> Any:
        if key not in KEYS:
            raise KeyError(key)
        _warn(f"the key {key!r}", repr(KEYS[key]))
        return self[KEYS[key]]

    def get(self, key: str, default: Any = None, /) -> Any:
        """The value of a present or former key, else the default."""
        present = key if key in self else KEYS.get(key)
        return self[key] if present in self else default


def _passes_on(module: str) -> bool:
    return module.partition(".")[0] in (PACKAGE, *_IMPORTING)


class _Finder:
    """Finds former modules, and the present ones that have former names."""

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None, /
    ) -> ModuleSpec | None:
        if (new := current(name)) is not None:
            return ModuleSpec(name, _Former(name, new))
        if name.partition(".")[2] not in _HOMES:
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
        _add_former_names(module)


def _add_former_names(module: ModuleType) -> None:
    own = module.__dict__.get("__getattr__")

    def __getattr__(name: str) -> object:
        old = f"{module.__name__}.{name}"
        if (new := NAMES.get(old.removeprefix(f"{PACKAGE}."))) is not None:
            _warn(old, f"{PACKAGE}.{new}")
            where, _, last = new.rpartition(".")
            return getattr(load(f"{PACKAGE}.{where}"), last)
        if own is not None:
            return own(name)
        raise AttributeError(f"module {module.__name__!r} has no attribute {name!r}")

    module.__dict__["__getattr__"] = __getattr__
