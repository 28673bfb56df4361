"""What the options of all trainings have in common: dataclass fields with a help line and bounds."""

from __future__ import annotations

import dataclasses
import json
import math
import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import ClassVar, Protocol

import numpy as np

from roborally_env.base.checks import shown
from roborally_env.base.documents import parse_json
from roborally_env.base.errors import RoboRallyError, cut, nearest
from roborally_env.base.types import Fields, OptionValue
from roborally_env.core.rule_options import read_rules


class Dataclass(Protocol):
    """An instance of any dataclass."""

    __dataclass_fields__: ClassVar[dict[str, dataclasses.Field[OptionValue]]]


def option(
    default: OptionValue,
    what: str,
    *,
    choices: tuple[str, ...] = (),
    least: float | None = None,
    most: float | None = None,
    open_ends: bool = False,
    may_be_empty: bool = False,
    words: bool = False,
    also: tuple[str, ...] = (),
) -> OptionValue:
    """A field of a dataclass of options.

    Args:
        default: its value, of the type of all its values; a list or tuple for several words.
        what: its line in --help.
        choices: the words that it may be.
        least, most: its bounds.
        open_ends: it must not be equal to its bounds.
        may_be_empty: of several words: it may be given without any.
        words: a text that may be several words NAME=VALUE on the command line.
        also: other names on the command line: those that other libraries give it.
    """
    found = {
        "help": what,
        "choices": choices,
        "least": least,
        "most": most,
        "open_ends": open_ends,
        "may_be_empty": may_be_empty,
        "words": words,
        "also": also,
    }
    if isinstance(default, list):
        return field(default_factory=lambda: list(default), metadata=found)
    return field(default=default, metadata=found)


def default_of(one: dataclasses.Field[OptionValue]) -> OptionValue:
    """The default of a field."""
    if one.default_factory is not dataclasses.MISSING:
        return one.default_factory()
    return one.default


def flag(name: str) -> str:
    """The option of a field on the command line."""
    return "--" + name.replace("_", "-")


def check_bounds(options: Dataclass) -> None:
    """Raise a RoboRallyError, which names the option, for the first value outside its bounds or choices."""
    for one in dataclasses.fields(options):
        value, about = getattr(options, one.name), one.metadata
        _check_type(one, value)
        if isinstance(value, (list, tuple)):
            _check_elements(one, value)
        if about["choices"] and value not in about["choices"]:
            known = ", ".join(about["choices"])
            raise RoboRallyError(
                f"{flag(one.name)}: expected one of {known}, got {value!r}{nearest(value, about['choices'])}"
            )
        if isinstance(value, (list, tuple)) and not value and not about["may_be_empty"]:
            raise RoboRallyError(f"{flag(one.name)}: expected at least one")
        if one.name == "out" and not value:
            raise RoboRallyError("--out: expected a folder, got an empty path")
        if isinstance(value, (int, float)) and not _within(value, about):
            raise RoboRallyError(f"{flag(one.name)}: expected {_bounds(about)}, got {value}")
        if isinstance(value, float) and not math.isfinite(value):
            raise RoboRallyError(f"{flag(one.name)}: expected a finite number, got {value}")


def settle(options: Dataclass) -> None:
    """Bring options that Python code may give in other forms into theirs: one word for a list of words, and rule
    options.

    Raises:
        RoboRallyError: for rule options that cannot be read.
    """
    for one in dataclasses.fields(options):
        value = getattr(options, one.name)
        if isinstance(value, np.generic):
            setattr(options, one.name, value.item())
        elif isinstance(value, os.PathLike) and isinstance(default_of(one), str):
            setattr(options, one.name, os.fspath(value))
        elif one.metadata["words"]:
            setattr(options, one.name, rules_as_json(value))
        elif isinstance(value, (str, tuple)) and isinstance(default_of(one), list):
            setattr(options, one.name, [value] if isinstance(value, str) else list(value))
        if isinstance(default_of(one), list) and isinstance(found := getattr(options, one.name), list):
            setattr(options, one.name, [_plain(each) for each in found])


def _plain(value: object) -> object:
    """A number of NumPy or a path as Python's number or text; anything else as it is."""
    if isinstance(value, np.generic):
        return value.item()
    return os.fspath(value) if isinstance(value, os.PathLike) else value


def _check_type(one: dataclasses.Field[OptionValue], value: OptionValue) -> None:
    """Raise a RoboRallyError for a value of another type than the option's default."""
    default = default_of(one)
    kinds: dict[type, tuple[type, ...]] = {float: (float, int), list: (list, tuple), tuple: (list, tuple)}
    kind = str if default is None else type(default)
    if (default is None and value is None) or (
        isinstance(value, kinds.get(kind, (kind,))) and isinstance(value, bool) == (kind is bool)
    ):
        return
    names = {bool: "True or False", int: "a whole number", float: "a number", str: "a text"}
    raise RoboRallyError(f"{flag(one.name)}: expected {names.get(kind, 'a list')}, got {shown(value)}")


def _check_elements(one: dataclasses.Field[OptionValue], values: Sequence[object]) -> None:
    """Raise a RoboRallyError for a list with elements of another type than the option's, or outside its bounds."""
    kind, names = (int, "whole numbers") if "int" in str(one.type) else (str, "texts")
    for value in values:
        if not isinstance(value, kind) or isinstance(value, bool):
            raise RoboRallyError(f"{flag(one.name)}: expected {names}, got {shown(value)}")
        if isinstance(value, int) and not _within(value, one.metadata):
            raise RoboRallyError(f"{flag(one.name)}: expected {_bounds(one.metadata)}, got {value}")


def _within(value: float, about: Fields) -> bool:
    """Whether a number is inside its bounds; nan is out of bounds."""
    least, most = about["least"], about["most"]
    if about["open_ends"]:
        return (least is None or value > least) and (most is None or value < most)
    return (least is None or value >= least) and (most is None or value <= most)


def _bounds(about: Fields) -> str:
    least, most = about["least"], about["most"]
    if about["open_ends"]:
        return " and ".join([f"over {least}"] + ([] if most is None else [f"under {most}"]))
    return f"at least {least}" if most is None else f"{least} to {most}"


MOST_SEED = 2**63 - 1
RULES = "Rule options, such as upgrades=false, or as JSON."


def rules_as_json(rules: object) -> str:
    """Rule options as JSON text: of a mapping, of words NAME=VALUE, or of JSON, which stays as it is.

    Raises:
        RoboRallyError: for anything else.
    """
    if isinstance(rules, Mapping):
        return json.dumps({n: value.item() if isinstance(value, np.generic) else value for n, value in rules.items()})
    if not isinstance(rules, str):
        raise RoboRallyError(f"{flag('rules')}: expected rule options by name, got {shown(rules)}")
    if not rules.lstrip().startswith("{"):
        return json.dumps(read_rules(rules.split()))
    try:
        parse_json(rules)
    except RoboRallyError as error:
        got = cut(repr(rules))
        raise RoboRallyError(f'{flag("rules")}: expected JSON as {{"upgrades": false}}, got {got} ({error})') from None
    return rules


def refuse_changes(path: Path, its: Fields, options: Dataclass, free: Collection[str]) -> None:
    """Raise a RoboRallyError where the run at `path`, with the options `its`, would become another one.

    Args:
        path: its checkpoint.
        its: its options by name.
        options: those that it is to go on with.
        free: the options that may differ.
    """
    fields = {one.name: one for one in dataclasses.fields(options)}
    its = {name: default_of(one) for name, one in fields.items()} | dict(its)  # of options newer than that run
    for name, mine in dataclasses.asdict(options).items():
        same = its[name] == mine
        if fields[name].metadata["words"]:  # however they were written
            same = parse_json(str(its[name])) == parse_json(mine)
        if name not in free and not same:
            raise RoboRallyError(
                f"{path}: that run has {flag(name)} {its[name]}, this one {mine}; expected the same, or another --out"
            )
