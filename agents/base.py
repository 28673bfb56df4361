"""The protocol of agents, and making an agent from a spec such as `planner:simulations=300`."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Protocol, cast

import numpy as np
from numpy.typing import NDArray
from roborally_env.agents.files import beside, classes_in, load_file, split_file

from roborally_env.base.checks import shown
from roborally_env.base.errors import AgentError, RoboRallyError, cut, nearest, one_line, raised_as
from roborally_env.base.text import value_of
from roborally_env.base.types import Function, NamedValues

if TYPE_CHECKING:
    from roborally_env.batch import BatchRace


@dataclass(frozen=True)
class Info:
    """The origin of the rows of a call: row k decides for seat `seats[k]` of game `games[k]` of the batch.

    An agent may use what a player at the table sees: its observations and the open parts of the records. For hidden
    parts it may draw possible values with `batch.redeal`.
    """

    batch: BatchRace
    games: NDArray[np.int64]  # [n]
    seats: NDArray[np.int64]  # [n]

    def __post_init__(self) -> None:
        """Make both arrays contiguous, so that kernels are compiled for one type: those of `np.nonzero` are strided."""
        for name in ("games", "seats"):
            object.__setattr__(self, name, np.ascontiguousarray(getattr(self, name), np.int64))


class Agent(Protocol):
    """A player of any number of seats in any number of games.

    A decision may depend on the row's own game (its key, round and cards), on the seat and on the agent's seed, never
    on other rows, so that a game goes the same way in any batch and process.

    An agent may also have `choose(observations, choice_masks, info) -> int8 [n]`, which answers purchases, and with
    `decisions="all"` every other choice: 1 + the option; `choice_masks` int8 [n, 1 + options]. The game's record has
    the question (`ask_kind`, see `roborally_env.core.choices`). An agent without `choose` buys nothing and takes the
    documented defaults.

    The optional attribute `unknown_editions` maps each edition that the agent does not play to the reason
    (`check_editions`). The optional attribute `word_options` of a registered class names the options whose texts are
    words, not paths: a file may set them (`check_from_file`).

    For the 2005 edition and community rules with decisions="program" an agent may have `announce(observations, info)
    -> int8 [n]`: 1 announces a power down with the program, for robots that may. Without it its robots never power
    down.
    """

    name: str
    needs_observation: bool

    def act(self, observations: NDArray[np.float32] | None, masks: NDArray[np.int8], info: Info) -> NDArray[np.int8]:
        """The programs of n seats: [n, 5] hand slots, each used once, no Again in register one.

        `observations` float32 [n, size], the `symbolic` vector; None unless `needs_observation`. `masks` int8
        [n, 5, slots], slots being ten, nine in the lighter game.
        """
        ...


# name -> "module:Class"; a class is called with seed= and the options of the spec
REGISTRY: dict[str, str] = {
    "random": "roborally_env.agents.uniform:RandomAgent",
    "greedy": "roborally_env.agents.greedy:GreedyAgent",
    "planner": "roborally_env.agents.planner:PlannerAgent",
    "ppo": "roborally_env.agents.ppo:PPOAgent",
    "learned": "roborally_env.agents.learned:LearnedAgent",
    "learned-search": "roborally_env.agents.learned_search:LearnedSearchAgent",
    "shooter": "roborally_env.agents.holdout:ShooterAgent",
    "blocker": "roborally_env.agents.holdout:BlockerAgent",
    "cautious": "roborally_env.agents.holdout:CautiousAgent",
    "easy": "roborally_env.agents.easy:EasyAgent",
}
EXEC = "exec"  # `exec:COMMAND`, or `exec:key=value,..:COMMAND`: a program in any language
_EXEC_PLACE = "roborally_env.agents.foreign:ExecAgent"
# options before a command: `milliseconds=200:./my_bot`
_EXEC_OPTIONS = re.compile(r"(?s)(?:([A-Za-z_]\w*=[^:,\s]*(?:,[A-Za-z_]\w*=[^:,\s]*)*):)?(.*)")


def agent_names() -> tuple[str, ...]:
    """The names that `make_agent` knows."""
    return tuple(REGISTRY)


def register_agent(name: str, target: str | type) -> None:
    """Register an agent class under a name: the class itself, or its place as `"package.module:Class"`.

    Raises:
        AgentError: for a name that is taken or not a plain word, or a target that is no class.
    """
    if not isinstance(name, str) or not name.replace("_", "").replace("-", "").isalnum():
        raise AgentError(f"agent name: expected letters, digits, - and _, got {name!r}")
    if not isinstance(target, (str, type)):
        raise AgentError(f'agent {name}: expected a class or "package.module:Class", got {shown(target)}')
    place = target if isinstance(target, str) else f"{target.__module__}:{target.__qualname__}"
    if REGISTRY.get(name, place) != place:
        raise AgentError(f"agent name: {name!r} is already registered for {REGISTRY[name]}")
    REGISTRY[name] = place


def make_agent(spec: str, seed: int = 0) -> Agent:
    """The agent of a spec: `"name"`, `"name:key=value,key=value"`, and for a class of your own `"package.module:Class"`
    or `"path/to/file.py:Class"`, also with options (`"my_bot.py:MyBot:depth=3"`). `"exec:./my_bot --fast"` is a
    program in any language (docs/protocol.md).

    The modules beside a file can be imported by it, at its top or when the agent is made.

    Raises:
        AgentError: for an unknown name (with the nearest ones), file, module, class or option, or a wrong value.
    """
    agent, place = new_agent(spec, seed)
    for problem in agent_problems(agent, place):
        raise AgentError(f"agent {spec!r}: {problem}")
    return agent


@raised_as(AgentError)
def new_agent(spec: str, seed: int) -> tuple[Agent, str]:
    """The object that a spec makes, agent or not, and its class's place.

    Raises:
        AgentError: as `make_agent`, except for an object of a class with `act` that is not an agent.
    """
    place, options = parse_spec(spec)
    make, folder = _import(spec, place)
    if lack := lacks_act(make, place):  # before it is called: it may be any class of any library
        raise AgentError(f"agent {spec!r}: {lack}")
    known = _parameters(make)
    _check_options(spec, known, options)
    if known is None or "seed" in known:
        options.setdefault("seed", seed)
    if "seed" in options:
        _check_seed(spec, options["seed"])
    try:
        with beside(folder) if folder else nullcontext():
            return make(**options), place
    except RoboRallyError as error:
        raise AgentError(f"agent {spec!r}: {error}") from None
    except (Exception, SystemExit) as error:
        raise AgentError(f"agent {spec!r}: {one_line(error)}") from error


def checked(agent: object) -> Agent:
    """The object itself, if it is an agent.

    Raises:
        AgentError: for anything else.
    """
    place = type(agent).__name__
    if lack := lacks_act(agent, place):
        raise AgentError(f"agent {cut(repr(agent))}: {lack}")
    for name in ("name", "needs_observation"):
        if not hasattr(agent, name):
            raise AgentError(f"agent {cut(repr(agent))}: {place} has no attribute {name}")
    return cast(Agent, agent)


def class_of(spec: str) -> tuple[type, str]:
    """The class that a spec names, agent or not, and its place. No object is made of it.

    Raises:
        AgentError: as `make_agent`, for a module or file without such a class.
    """
    place, _ = parse_spec(spec)
    return _import(spec, place)[0], place


def lacks_act(found: object, place: str) -> str:
    """A line that says that a class, or an object of it, has no method `act`; "" if it has one."""
    return "" if callable(getattr(found, "act", None)) else f"{place} has no method {_signature('act')}"


def check_from_file(spec: object) -> str:
    """Return a spec that was read from a file, if the author of the file cannot run code by it.

    Such a spec is the name of a registered agent, with options that are numbers, true or false, or words of the class's
    `word_options`. Other texts may be paths, and a class that is named by its module or file is a program. The agent is
    not made.

    Raises:
        AgentError: for any other spec.
    """
    if not isinstance(spec, str):
        raise AgentError(f"agent: expected a text, got {type(spec).__name__}")
    name = spec.partition(":")[0]
    if name not in REGISTRY:
        raise AgentError(f"agent {spec!r}: a file may name registered agents only: {', '.join(REGISTRY)}")
    _, options = parse_spec(spec)
    words = getattr(class_of(spec)[0], "word_options", ())
    for key, value in options.items():
        if isinstance(value, str) and key not in words:
            raise AgentError(f"agent {spec!r}: a file may not set {key} to the text {value!r}, which may be a path")
    return spec


# the methods of an agent, with their parameters; the first is needed
METHODS = {
    "act": ("observations", "masks", "info"),
    "choose": ("observations", "choice_masks", "info"),
    "announce": ("observations", "info"),
}


def _signature(method: str) -> str:
    return f"{method}({', '.join(METHODS[method])})"


def agent_problems(agent: object, place: str) -> Iterator[str]:
    """What an object lacks to be an agent, a line each; `place` is that of its class."""
    for method, names in METHODS.items():
        yield from _method_problems(agent, place, method, names)
    for name, kind, what in (("name", str, "a text"), ("needs_observation", bool, "True or False")):
        if not hasattr(agent, name):
            yield f"{place} has no attribute {name}, {what}"
        elif not isinstance(getattr(agent, name), kind):
            yield f"{place}: {name}: expected {what}, got {getattr(agent, name)!r}"
    reasons = getattr(agent, "unknown_editions", {})
    if not isinstance(reasons, Mapping):
        yield f"{place}: unknown_editions: expected a dict, edition to reason, got {reasons!r}"


def _method_problems(agent: object, place: str, method: str, names: Sequence[str]) -> Iterator[str]:
    """What is wrong with a method of an agent."""
    found, expected = getattr(agent, method, None), _signature(method)
    if not callable(found):
        if method == "act":
            yield f"{place} has no method {expected}"
        elif found is not None:
            yield f"{place}: {method}: expected a method {expected}, got {found!r}"
        return
    try:
        signature = inspect.signature(found)
    except (TypeError, ValueError):  # some functions written in C
        return
    try:
        signature.bind(*names)
    except TypeError:
        yield f"{place}: expected {expected}, got {method}{signature}"


def check_editions(agents: Sequence[Agent], edition: str) -> None:
    """Raise for an agent that does not play an edition, before anything is compiled for it, and for a class.

    Raises:
        AgentError: with the agent's reason.
    """
    for agent in agents:
        if isinstance(agent, type):
            raise AgentError(f"{agent.__name__} is a class; pass an agent, {agent.__name__}()")
        reason = getattr(agent, "unknown_editions", {}).get(edition)
        if reason:
            raise AgentError(reason)


def parse_spec(spec: str) -> tuple[str, NamedValues]:
    """The class's place, `module:Class` or `file.py:Class`, and the options of a spec."""
    if not isinstance(spec, str) or not spec:
        raise AgentError(f"agent: expected a name such as {', '.join(REGISTRY)}, got {shown(spec)}")
    name, _, rest = spec.partition(":")
    if name == EXEC:
        options, command = _EXEC_OPTIONS.match(rest).groups("")  # type: ignore[union-attr]  # it matches every text
        return _EXEC_PLACE, {**_options(spec, options), "command": command}
    if name in REGISTRY:
        return REGISTRY[name], _options(spec, rest)
    name, rest = split_file(spec) or (name, rest)
    first, _, more = rest.partition(":")
    if name.endswith(".py") or (first and "=" not in first):
        return f"{name}:{first}", _options(spec, more)
    near = nearest(name, REGISTRY) or (f" (did you mean {name}.py:Class?)" if os.path.isfile(f"{name}.py") else "")
    raise AgentError(
        f"unknown agent {name!r}{near}; expected one of {', '.join(REGISTRY)}, "
        "package.module:Class, path/to/file.py:Class, or exec:COMMAND"
    )


def _options(spec: str, text: str) -> NamedValues:
    options: NamedValues = {}
    for part in filter(None, text.split(",")):
        key, equals, value = (word.strip() for word in part.partition("="))
        if not (equals and value) or not key.isidentifier():
            raise AgentError(f"agent {spec!r}: expected key=value after the name, got {part!r}")
        if key in options:
            raise AgentError(f"agent {spec!r}: the option {key} is given twice; expected it once")
        options[key] = value_of(value)
    return options


def _import(spec: str, place: str) -> tuple[type, Path | None]:
    """The class of a spec, and the folder of its file if it is named by a file."""
    module_name, _, class_name = place.rpartition(":")
    if module_name.endswith(".py"):
        found = load_file(spec, module_name)
        return _class_in(spec, found, module_name, class_name), Path(str(found.__file__)).parent
    if not all(part.isidentifier() for part in module_name.split(".")):
        raise AgentError(
            f"agent {spec!r}: expected one of {', '.join(REGISTRY)}, package.module:Class, or path/to/file.py:Class, "
            f"got the module {module_name!r}"
        )
    _check_found(spec, module_name, class_name)
    try:
        found = importlib.import_module(module_name)
    except (Exception, SystemExit) as error:  # a user's module may raise anything
        raise AgentError(f"agent {spec!r}: cannot import {module_name}: {one_line(error)}") from error
    return _class_in(spec, found, module_name, class_name), None


def _check_found(spec: str, module_name: str, class_name: str) -> None:
    """Raise for a module that is nowhere; an error within the module is raised by its import."""
    first = module_name.partition(".")[0]
    try:
        if first in sys.modules or importlib.util.find_spec(first) is not None:
            return
    except ValueError:  # a module without a spec
        return
    beside = f"{first}.py"
    hint = f"did you mean {beside}:{class_name}?" if os.path.isfile(beside) else "a file is named path/to/file.py:Class"
    raise AgentError(f"agent {spec!r}: there is no module {first} on Python's path; {hint}")


def _class_in(spec: str, module: ModuleType, where: str, class_name: str) -> type:
    """The class of a module by its name, which may have dots."""
    known = classes_in(module)
    if not class_name:
        raise AgentError(
            f"agent {spec!r}: expected the class after the file, as {where}:{known[0] if known else 'Class'}"
        )
    found: object = module
    for part in class_name.split("."):
        found = getattr(found, part, None)
    if found is None:
        raise AgentError(f"agent {spec!r}: {where} has no class {class_name}{nearest(class_name, known)}")
    if not inspect.isclass(found):
        raise AgentError(f"agent {spec!r}: {where}: {class_name} is not a class")
    return found


def _check_seed(spec: str, seed: object) -> None:
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or not 0 <= seed < 2**64:
        raise AgentError(f"agent {spec!r}: seed: expected a whole number from 0 to {2**64 - 1}, got {shown(seed)}")


def _parameters(make: Function) -> list[str] | None:
    """The names of the parameters of a class; None if it takes any, or has no signature."""
    try:
        parameters = inspect.signature(make).parameters
    except (TypeError, ValueError):  # some classes written in C
        return None
    return None if any(p.kind is p.VAR_KEYWORD for p in parameters.values()) else list(parameters)


def _check_options(spec: str, known: Sequence[str] | None, options: Iterable[str]) -> None:
    for key in options:
        if known is not None and key not in known:
            has = f"it has {', '.join(known)}" if known else "it has no options"
            raise AgentError(f"agent {spec!r}: unknown option {key!r}{nearest(key, known)}; {has}")
