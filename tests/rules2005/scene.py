"""Scenes of the 2005 edition: those of tests/rules/scene.py, with this edition's rules."""

from typing import Any

from tests.rules.scene import Result, Scene
from tests.rules.scene import scene as any_scene

__all__ = ["Result", "Scene", "dealt", "scene", "shots", "turns"]


def scene(picture: str, rules: dict[str, Any] | None = None, **options: Any) -> Scene:
    """The situation of a picture, in the 2005 edition."""
    return any_scene(picture, rules, edition="2005", **options)


def turns(result: Result) -> str:
    """The robots in the order in which they played cards."""
    return "".join(result.scene.names[event["robot"]] for event in result.happened("play"))


def dealt(result: Result, name: str) -> int:
    """How many cards a robot was dealt in all."""
    return len(result.happened("deal", name))


def shots(result: Result) -> list[str]:
    """Who shot whom by robot laser, as "AB"."""
    names = result.scene.names
    return sorted(names[event["shooter"]] + names[event["robot"]] for event in result.happened("robot_laser"))
