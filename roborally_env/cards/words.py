"""The words about cards, from the `cards.toml` of an edition: a table for each card, under the heading of its kind.

[upgrade.boink]
title = "Boink"
rule = "Move one space in any direction. The robot keeps its facing."
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from roborally_env.base.errors import RoboRallyError, nearest
from roborally_env.base.texts import read_tables
from roborally_env.base.types import JsonObject

KINDS = ("card", "upgrade", "option")  # cards of hands and registers, upgrade cards, option cards


class Words(NamedTuple):
    """The texts of one card."""

    title: str = ""  # as printed
    rule: str = ""
    rulings: tuple[str, ...] = ()  # how the rules are read where they can be read in two ways
    when: str = ""  # when it acts; empty for cards that are played in a register
    choices: str = ""  # of its owner's decision; empty: its owner decides nothing
    default: str = ""  # what is done if the owner is not asked


class CardWords(NamedTuple):
    """The words of an edition: by kind and name, and the rules for every card of a kind."""

    words: Mapping[tuple[str, str], Words]
    every: Mapping[str, tuple[str, ...]]

    def of(self, kind: str, name: str) -> Words:
        """The words of a card; raises a RoboRallyError if there are none."""
        if (kind, name) not in self.words:
            raise RoboRallyError(f"there are no words for the {kind} {name!r}")
        return self.words[kind, name]


NO_WORDS = CardWords({}, {})


def read_words(path: Path, base: CardWords = NO_WORDS) -> CardWords:
    """The words of a file, over those of the edition from which the cards come; raises a RoboRallyError that names the
    file, the key and what is expected there."""
    data = read_tables(path)
    try:
        every = {kind: _texts(lines, f"every.{kind}") for kind, lines in _table(data.pop("every", {}), "every", KINDS)}
        words = dict(base.words)
        for kind, cards in _table(data, "", KINDS):
            for name, found in _table(cards, kind):
                place = f"{kind}.{name}"
                words[kind, name] = words.get((kind, name), Words())._replace(**_words(found, place))
                if not (words[kind, name].title and words[kind, name].rule):
                    raise RoboRallyError(f"{place}: expected a title and a rule")
    except RoboRallyError as error:
        raise RoboRallyError(f"{path}: {error}") from None
    return CardWords(words, {**base.every, **every})


def _words(found: Any, place: str) -> JsonObject:
    return {
        key: _texts(value, f"{place}.{key}") if key == "rulings" else _text(value, f"{place}.{key}")
        for key, value in _table(found, place, Words._fields)
    }


def _table(found: Any, place: str, known: tuple[str, ...] = ()) -> list[tuple[str, Any]]:
    """The items of a table, with known keys if there are any."""
    if not isinstance(found, dict):
        raise RoboRallyError(f"{place}: expected a table, got {found!r}")
    for key in found if known else ():
        if key not in known:
            where = f"{place}.{key}".lstrip(".")
            raise RoboRallyError(f"{where}: unknown key{nearest(key, known)}; expected one of {', '.join(known)}")
    return list(found.items())


def _text(value: object, place: str) -> str:
    if not isinstance(value, str):
        raise RoboRallyError(f"{place}: expected a text, got {value!r}")
    return value


def _texts(value: object, place: str) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise RoboRallyError(f"{place}: expected a list of texts, got {value!r}")
    return tuple(_text(each, f"{place}[{i}]") for i, each in enumerate(value))
