"""Scenes with a mistake in them, and the one-line error for it."""

import copy
from typing import Any

import pytest

from roborally_env.base.errors import RoboRallyError
from roborally_env.scenario import load


def change(
    scene: dict[str, Any], robot: dict[str, Any] | None = None, second: dict[str, Any] | None = None, **top: Any
) -> dict[str, Any]:
    """The scene with other keys of its robots or at its top; of `map` the keys that are given."""
    data = copy.deepcopy(scene)
    data["robots"][0].update(robot or {})
    data["robots"][1].update(second or {})
    data["map"].update(top.pop("map", {}))
    data.update(top)
    return data


def answer(decision: str, choice: Any, robot: int = 0) -> list[dict[str, Any]]:
    """The one answer of a scene."""
    return [{"robot": robot, "decision": decision, "choice": choice}]


def raises_message(data: dict[str, Any], message: str) -> None:
    """The scene is refused with one line that begins so."""
    with pytest.raises(RoboRallyError) as error:
        load(data)
    assert str(error.value).startswith(message)
    assert "\n" not in str(error.value)
