"""Scenes of the community edition: a picture, cards for its robots, and what must come out.

    scene('''
        A>  R>0  1
    ''').play(A="move_2").shows('''
        .   R>0  1+A>
    ''').damage(A=0)

The notation is in picture.py, the rest as in tests/rules/scene.py. Each scene is played by the compiled core and by the
slow reference, one test for each (conftest.py); `-k reference` or `-k core` picks one of them.
"""

from collections.abc import Callable
from typing import Any

from roborally_env.scenario import load
from tests.reference.community.race import play as play_slowly
from tests.rules.scene import Result as AnyResult
from tests.rules.scene import Scene as AnyScene
from tests.rules.scene import _mat

from .picture import ROBOTS, Robots, draw, read

Engine = Callable[[dict[str, Any]], dict[str, Any]]


def play_in_core(scenario: dict[str, Any]) -> dict[str, Any]:
    """The outcome by the compiled core."""
    return load(scenario).run()


ENGINES: dict[str, Engine] = {"core": play_in_core, "reference": play_slowly}
engine: Engine = play_in_core  # set by conftest.py


def scene(picture: str, rules: dict[str, Any] | None = None, **options: Any) -> "Scene":
    """The situation of a picture. A to J are what a robot has beside its place, as `A={"damage": 5}` or `A="rail_gun"`.

    The rest belongs to the map.
    """
    found = read(picture)
    mats = {name: _mat(options.pop(name), "community") for name in list(options) if name in ROBOTS}
    assert mats.keys() <= found.robots.keys(), "cards for a robot that is not in the picture"
    for name, (_, _, _, virtual) in found.robots.items():
        if virtual:
            mats[name] = {**mats.get(name, {}), "virtual": True}
    places = {name: place[:3] for name, place in found.robots.items()}
    return Scene({"map": {**found.map, **options}}, places, mats, rules, "community")


class Scene(AnyScene):
    """A board with robots on it, ready to be played."""

    def _result(self, scenario: dict[str, Any]) -> "Result":
        """Of the core, or of the reference."""
        return Result(self, scenario, engine(scenario))


class Result(AnyResult):
    """How a scene came out. The checks return the result again, so that they can be chained."""

    @property
    def now(self) -> Robots:
        """Places, facings and virtual mode of those that are on the board."""
        return {name: (*place, self.robot(name)["virtual"]) for name, place in self.robots.items()}

    def shows(self, picture: str) -> "Result":
        """The robots are those of the picture, and the checkpoints where it has any; other elements may be left out."""
        wanted = read(picture)
        board = self.scene.board["map"]
        assert all(board[side] == wanted.map[side] for side in ("width", "height")), "a picture of another size"
        right = self.now == wanted.robots
        if "checkpoints" in wanted.map:
            cells = {spot["number"]: (spot["x"], spot["y"]) for spot in wanted.map["checkpoints"]}
            right = right and cells == self.checkpoint_cells()
        assert right, self._report("another picture" + picture)
        return self

    def virtual(self, names: str) -> "Result":
        """These robots are in virtual mode, and no others."""
        return self.has("virtual", **{name: name in names for name in self.scene.names})

    def down(self, names: str) -> "Result":
        """These robots are powered down, and no others."""
        return self.has("powered_down", **{name: name in names for name in self.scene.names})

    def checkpoints(self, **numbers: int) -> "Result":
        """The last checkpoint that these robots have reached."""
        return self.has("checkpoint", **numbers)

    def _report(self, message: str, picture: bool = True) -> str:
        now = [{"number": n, "x": c[0], "y": c[1]} for n, c in self.checkpoint_cells().items() if c]
        board = {**self.scene.board["map"], "checkpoints": now}
        robots = [{key: value for key, value in robot.items() if key != "taken"} for robot in self.outcome["robots"]]
        parts = [message, "got", draw(board, self.now), *map(str, robots), "asked:", *self.decisions]
        return "\n".join([*parts, f"scenario: {self.to_json()}"])
