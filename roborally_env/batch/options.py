"""The options of races: their types and defaults, what they mean, and `takes`, with which interfaces take them.

A function or class under `takes` has `**options: Unpack[RaceOptions]` (or of a TypedDict that extends it). It gets
every option, and its signature and documentation show them. So a new option is a line of a TypedDict, its sentence, and
what uses it.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Annotated, Any, TypedDict, TypeVar, cast, get_type_hints, is_typeddict

from roborally_env.base.checks import check_flag, refuse_unknown_arguments
from roborally_env.base.errors import RoboRallyError
from roborally_env.base.former import present_keywords

DEFAULT_MAX_ROUNDS = 100


class RaceOptions(TypedDict, total=False):
    """What is played, and what for: the options of BatchRace and of every environment.

    Args:
        edition: the name of an edition, which says the rules (listed in docs/editions.md); None: that of the courses,
            2016 for a name that several editions have.
        decisions: `"program"`: agents program and, in separate steps, buy upgrades (2016, community) or announce a
            power down (2005, community); every other choice takes its documented default. `"all"`: agents also make
            every choice that the rulebook leaves to a player, in separate steps.
        reward: `"race"`: at the end, from 1 for the first to -1 for the last, with sum zero. `"progress"`: each
            checkpoint gives its fraction of the course, 1 in total for a finished course. `"shaped"`: race, plus the
            change of a potential, which is minus the remaining distance (belts included).
        discount: the learner's discount factor per step of the environment, for `"shaped"`.
        max_rounds: a race is truncated after this many rounds; None: never. The default of environments, 100, is more
            than the `greedy` bot needs on any course of the package, and it ends random play.
        rules: rule options of the edition, such as `{"upgrades": False}` for the lighter game of 2016; see
            `roborally_env.core.rule_options`.
    """

    edition: Annotated[str | None, None]  # the second is the default
    decisions: Annotated[str, "program"]
    reward: Annotated[str, "race"]
    discount: Annotated[float, 1.0]
    max_rounds: Annotated[int | None, DEFAULT_MAX_ROUNDS]
    rules: Annotated[Mapping[str, Any] | None, None]


Options = TypeVar("Options")
Target = TypeVar("Target", bound=Callable[..., Any])
_ENTRY = re.compile(r"^ {4}(\w+(?:, \w+)*): ", re.MULTILINE)  # how an entry below "Args:" begins


def select(kind: type[Options], options: Mapping[str, Any]) -> Options:
    """Those of the options that the TypedDict `kind` has."""
    return cast(Options, {name: options[name] for name in get_type_hints(kind)})


def takes(
    options: type,
    what: str,
    instead: Mapping[str, str] | None = None,
    former: Mapping[str, str] | None = None,
    **defaults: Any,
) -> Callable[[Target], Target]:
    """A decorator of a function or class with `**options` of a TypedDict of options, which then gets every option.

    An unknown name raises a RoboRallyError with the nearest one, and so does a flag that is neither True nor False. The
    signature shows each option with its default, and the documentation what it means, unless the function describes it
    itself.

    Args:
        options: the TypedDict.
        what: what messages call the function.
        instead: names that others have, and what to do without them.
        former: former names of keywords with their present ones.
        defaults: of this function, where they differ from those of the TypedDict.
    """
    hints = get_type_hints(options, include_extras=True)
    filled = {name: defaults.get(name, hint.__metadata__[0]) for name, hint in hints.items()}

    def decorate(target: Target) -> Target:
        function: Callable[..., Any] = target.__init__ if isinstance(target, type) else target  # type: ignore[misc]
        signature = _with_options(inspect.signature(function), hints, filled)
        known = tuple(name for name in signature.parameters if name != "self")
        flags = {name for name, each in signature.parameters.items() if each.annotation in (bool, "bool")}

        @wraps(function)
        def checked(*args: Any, **given: Any) -> Any:
            given = present_keywords(given, former or {})
            for name, why in (instead or {}).items():
                if name in given:
                    raise RoboRallyError(f"{name}: {why}")
            refuse_unknown_arguments(given, known, what)
            for name in flags & given.keys():
                check_flag(given[name], name)
            return function(*args, **{**filled, **given})

        found: Any = target if isinstance(target, type) else checked
        if isinstance(target, type):
            target.__init__ = checked  # type: ignore[misc]
        checked.__signature__ = signature  # type: ignore[attr-defined]
        found.__doc__ = _with_help(inspect.cleandoc(target.__doc__ or ""), options)
        return found  # type: ignore[no-any-return]

    return decorate


def _with_options(
    signature: inspect.Signature, hints: Mapping[str, Any], filled: Mapping[str, Any]
) -> inspect.Signature:
    """The signature with each option as a keyword in place of `**options`."""
    own = [each for each in signature.parameters.values() if each.kind is not inspect.Parameter.VAR_KEYWORD]
    added = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=filled[name], annotation=hint.__origin__)
        for name, hint in hints.items()
    ]
    return signature.replace(parameters=[*own, *added])


def _with_help(text: str, options: type) -> str:
    """The documentation of a function, with the help of the options that it does not describe itself.

    Both without the indentation of the source, which Python 3.13 does not keep.
    """
    described = {name for names in _ENTRY.findall(text) for name in names.split(", ")}
    entries = "".join(entry for names, entry in _help_of(options).items() if not described & set(names.split(", ")))
    if not entries:
        return text
    before, mark, after = text.partition("\nRaises:")
    head = "" if "\nArgs:\n" in before else "\n\nArgs:"
    return f"{before.rstrip()}{head}\n{entries.rstrip()}\n{mark}{after}"


def _help_of(options: type) -> dict[str, str]:
    """The entries below "Args:" of a TypedDict and of those that it extends, by option.

    Python 3.11 does not say which those are: they are the ones in its module that have nothing but options of its own.
    """
    hints = get_type_hints(options, include_extras=True)
    found: dict[str, str] = {}
    for each in vars(sys.modules[options.__module__]).values():
        if is_typeddict(each) and get_type_hints(each, include_extras=True).items() <= hints.items():
            found |= _entries_of(inspect.cleandoc(each.__doc__ or "") + "\n")
    return found


def _entries_of(text: str) -> dict[str, str]:
    """The entries below "Args:", by name, with their lines as they stand there."""
    found: dict[str, str] = {}
    name = ""
    for line in text.partition("Args:\n")[2].splitlines(keepends=True):
        if match := _ENTRY.match(line):
            name = match.group(1)
        if line.strip():
            found[name] = found.get(name, "") + line
    return found
