"""Every scene is played a second time, by the slow reference of its edition: both have to come to the same outcome.

A reference knows less than the core: what is beyond it by its own words is left to the core, and a test whose scenes
are about such a thing says so with `core_only`.
"""

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from roborally_env.core.kernel import JIT
from tests.reference.comparing import difference

# how a reference refuses what is beyond it
BEYOND = (
    "no such special rule",
    "than a deck has",  # the core takes any number of cards where nothing is drawn
)
_asked = JIT  # not a second time where the scenes are played uncompiled


def is_beyond(scenario: dict[str, Any]) -> bool:
    """Whether a scenario is about a thing that no reference knows: course files, timers."""
    return "timer" in scenario.get("rules", {})


def agree(scenario: dict[str, Any]) -> None:
    """The reference says the same of a scenario, where it can: not where only a shuffle tells what comes."""
    if not _asked or is_beyond(scenario):
        return
    found = difference({"name": "scene", **scenario})
    if found and not any(words in found for words in BEYOND):
        raise AssertionError(found)


@contextmanager
def _without_reference() -> Iterator[None]:
    global _asked  # a test runs alone in its process
    _asked = False
    try:
        yield
    finally:
        _asked = JIT


def core_only(why: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Decorator of a test whose scenes are beyond the reference, and why."""
    assert why

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(test)
        def alone(*arguments: Any, **named: Any) -> None:
            with _without_reference():
                test(*arguments, **named)

        return alone

    return decorate
