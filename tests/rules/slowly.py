"""Every scene is played a second time, by the slow reference of its edition: both have to come to the same outcome."""

import functools
from collections.abc import Callable
from typing import Any

from roborally_env.core.kernel import JIT
from tests.reference.comparison import difference

_core_decides = False  # a test runs alone in its process


def agree(scenario: dict[str, Any]) -> None:
    """The reference says the same of a scenario, where it can: not where only a shuffle tells what comes."""
    if JIT:  # not a second time where the scenes are played uncompiled
        found = difference({"name": "scene", **scenario}, _core_decides)
        assert not found, found


def core_decides(why: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Decorator of a test in whose scenes the reference takes the players' decisions from the core, and why."""
    assert why

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(test)
        def decided(*arguments: Any, **named: Any) -> None:
            global _core_decides
            _core_decides = True
            try:
                test(*arguments, **named)
            finally:
                _core_decides = False

        return decided

    return decorate
