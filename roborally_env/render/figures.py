"""Robots for drawings, read from the caller's mappings or objects."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from roborally_env.base.errors import RoboRallyError
from roborally_env.base.types import Json
from roborally_env.courses import DIRECTIONS


class Figure(NamedTuple):
    """A robot in a picture."""

    number: int
    x: int
    y: int
    facing: int  # 0..3 = N E S W
    checkpoint: int | None = 0  # the last reached; None: it goes for none, or for all in any order
    damage: int = 0  # damage tokens, in 2016 damage cards
    energy: int | None = None
    lives: int | None = None
    archive: tuple[int, int] | None = None
    powered_down: bool = False
    rebooted: bool = False
    out: bool = False  # has left the race
    name: str = ""
    virtual: bool = False  # shares its cell

    @property
    def on_board(self) -> bool:
        """Whether it stands on a cell: neither falling, nor destroyed, nor out."""
        return self.x >= 0 and self.y >= 0 and not self.out


def figures(robots: Iterable[object] | None) -> list[Figure]:
    """The robots, from mappings or objects with x, y, facing (0..3 or a letter of NESW) and, if they have them,
    number (else counted from 0) and the other fields of Figure. A robot off the board has x or y None or below 0.

    Raises RoboRallyError for a wrong value of a field.
    """
    return [_figure(i, robot) for i, robot in enumerate(robots or ())]


def _figure(index: int, robot: object) -> Figure:
    def asked(name: str, default: Json) -> Json:
        return robot.get(name, default) if isinstance(robot, Mapping) else getattr(robot, name, default)

    def value(name: str, default: Json) -> Json:
        found = asked(name, default)
        return default if found is None else found

    try:
        facing, archive = value("facing", 0), value("archive", None)
        return Figure(
            number=int(value("number", index)),
            x=int(value("x", -1)),
            y=int(value("y", -1)),
            facing=DIRECTIONS.index(facing) if isinstance(facing, str) else int(facing) & 3,
            checkpoint=_whole(asked("checkpoint", 0)),
            damage=int(value("damage", 0)),
            energy=_whole(value("energy", None)),
            lives=_whole(value("lives", None)),
            archive=None if archive is None else (int(archive[0]), int(archive[1])),
            powered_down=bool(value("powered_down", False)),
            rebooted=bool(value("rebooted", False)),
            out=bool(value("out", False)),
            name=str(value("name", "")),
            virtual=bool(value("virtual", False)),
        )
    except (TypeError, ValueError, IndexError) as error:
        raise RoboRallyError(f"robots[{index}]: expected x, y, facing and the like, got {robot!r} ({error})") from None


def _whole(value: Json) -> int | None:
    return None if value is None else int(value)
