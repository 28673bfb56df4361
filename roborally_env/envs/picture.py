"""A race of a batch, prepared for drawing: as text for the terminal, and as the content of a frame."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import logger
from numpy.typing import NDArray

from roborally_env.base.checks import check_whole
from roborally_env.base.terminal import printable
from roborally_env.batch import BatchRace
from roborally_env.batch.board import checkpoints_of, course_of, cubes_of, ramps_of
from roborally_env.cards.listing import list_cards
from roborally_env.core.cards import SPAM, TROJAN_HORSE
from roborally_env.core.state import Kind
from roborally_env.courses import EDITIONS
from roborally_env.courses.tables import WIDTH
from roborally_env.render.ansi import draw
from roborally_env.render.figures import Figure
from roborally_env.render.frames import Shown, frame

# fields with one bit for each robot, and the words for a bit that is set
_STATES = (
    ("down", "powered down"),
    ("announced", "powers down next"),
    ("destroyed", "off the board"),
    ("virtual", "virtual"),
    ("stomped", "acts last in the next register"),
)
# on these courses flags may be reached in any order
_UNORDERED = frozenset({"claims", "capture_the_flag"})


def picture(batch: BatchRace, color: bool = True, index: int = 0) -> str:
    """One of the batch's races as text: a headline, a line for each robot, and the board."""
    course = course_of(batch, index)
    lines = [f"{course.title}, {moment_of(batch, index)}"]
    lines += [f"  robot {r}: {_describe(batch, index, r)}" for r in range(batch.players)]
    robots = [robot for robot in figures_of(batch, index) if robot.on_board]
    # a mark on the robot: it has rebooted, or in 2005 and by community rules is powered down
    marked = [robot._replace(rebooted=robot.rebooted or robot.powered_down) for robot in robots]
    places, cubes, ramps = checkpoints_of(batch, index), cubes_of(batch, index), ramps_of(batch, index)
    return "\n".join(
        [*map(printable, lines), "", draw(course, marked, color=color, checkpoints=places, cubes=cubes, ramps=ramps)]
    )


def check_size(size: int) -> int:
    """The size itself; raises a RoboRallyError if a frame cannot have it."""
    return check_whole(size, "render_size", 200, 4000)


def warn_without_mode() -> None:
    """Warn as Gymnasium's and PettingZoo's environments do when `render` is called without a mode."""
    logger.warn(
        "You are calling render method without specifying any render mode. "
        'You can specify the render_mode at initialization, e.g. render_mode="rgb_array"'
    )


def rendered(
    batch: BatchRace, mode: str, size: int, names: Sequence[str] = (), index: int = 0
) -> str | NDArray[np.uint8]:
    """One of the batch's races for render_mode "ansi" or "rgb_array". names: of the robots in a frame."""
    if mode == "ansi":
        return picture(batch, index=index)
    return frame(shown_by(batch, names, index), size=size)


def shown_by(batch: BatchRace, names: Sequence[str] = (), index: int = 0) -> Shown:
    """What a frame shows of one of the batch's races. names: of the robots; without them "robot 0" and so on."""
    robots = figures_of(batch, index)
    if names:
        robots = [robot._replace(name=name) for robot, name in zip(robots, names, strict=True)]
    places, cubes, ramps = checkpoints_of(batch, index), cubes_of(batch, index), ramps_of(batch, index)
    return Shown(course_of(batch, index), moment_of(batch, index), tuple(robots), tuple(places), tuple(cubes), ramps)


def moment_of(batch: BatchRace, index: int = 0) -> str:
    """ "round 3", or in 2005 "turn 3"."""
    return f"{batch.kind.round_word} {int(batch.games[index]['round_number'])}"


def figures_of(batch: BatchRace, index: int = 0) -> list[Figure]:
    """The robots of a race."""
    game, course = batch.games[index], batch.courses[int(batch.games[index]["course"])]
    ordered = not _UNORDERED & set(course.special_rules)
    found = []
    for r in range(batch.players):
        cell, blocker = int(game["cell"][r]), course.robots_each > 1 and r % 2
        robot = Figure(
            number=r,
            x=cell % WIDTH if cell >= 0 else -1,  # below 0 while it falls
            y=cell // WIDTH if cell >= 0 else -1,
            facing=int(game["facing"][r]),
            checkpoint=int(game["reached"][r]) if ordered and not blocker else None,
        )
        found.append(_read(robot, game, batch.kind))
    return found


def _read(robot: Figure, game: Any, kind: Kind) -> Figure:
    """The figure, completed from the record."""
    r, has = robot.number, kind.has
    tokens, archive = has("damage"), int(game["archive"][r]) if has("archive") else -1
    return robot._replace(
        damage=int(game["damage"][r]) if tokens else _damage_cards(game, r),
        energy=int(game["energy"][r]) if has("energy") else robot.energy,
        lives=int(game["lives"][r]) if has("lives") else robot.lives,
        archive=(archive % WIDTH, archive // WIDTH) if archive >= 0 else None,
        rebooted=not tokens and _bit(game, "rebooted", r),  # in games with damage tokens the bit means destroyed
        powered_down=has("down") and _bit(game, "down", r),
        virtual=has("virtual") and _bit(game, "virtual", r),
        out=_is_out(game, r, kind),
    )


def _damage_cards(game: Any, r: int) -> int:
    """How many damage cards a robot owns, wherever they lie."""
    own = np.concatenate([game[where][r] for where in ("hand", "registers", "laid_on", "pile")])
    return int(((own >= SPAM) & (own <= TROJAN_HORSE)).sum())


def _is_out(game: Any, r: int, kind: Kind) -> bool:
    """Whether a robot has no life left, or is at the goal."""
    if kind.has("lives"):
        return int(game["lives"][r]) == 0
    return kind.has("place") and int(game["cell"][r]) < 0 and int(game["place"][r]) > 0


def _bit(game: Any, field: str, r: int) -> bool:
    return bool(int(game[field]) >> r & 1)


def _describe(batch: BatchRace, index: int, r: int) -> str:
    """A description of a robot in words."""
    game, kind = batch.games[index], batch.kind
    word, many = EDITIONS[batch.edition].checkpoint, len(batch.courses[int(game["course"])].checkpoints)
    parts = [f"{word} {int(game['reached'][r])} of {many}" if many else ""]
    parts += [f"{field} {int(game[field][r])}" for field in ("damage", "lives") if kind.has(field)]
    if kind.has("archive") and game["archive"][r] >= 0:
        parts.append(f"archive {int(game['archive'][r]) % WIDTH},{int(game['archive'][r]) // WIDTH}")
    if kind.has("energy"):
        parts.append(f"energy {int(game['energy'][r])}")
    if not kind.has("damage"):
        parts += [f"damage cards taken {int(game['taken'][r].sum())}", f"reboots {int(game['reboots'][r])}"]
    if kind.has("place"):
        parts.append(f"destroyed {int(game['reboots'][r])} times")
        parts.append(("at the goal" if game["place"][r] else "destroyed") if game["cell"][r] < 0 else "")
    parts += [words for field, words in _STATES if kind.has(field) and _bit(game, field, r)]
    if kind.has("options"):
        parts += _describe_options(game, r, kind.edition)
    return ", ".join(part for part in parts if part)


def _describe_options(game: Any, r: int, edition: str) -> list[str]:
    """The possessions of a robot in a game with option cards, in words."""
    own = int(game["options"][r])
    titles = [card.title for o, card in enumerate(list_cards(edition, "option"), 1) if own >> o & 1]
    return ["the SuperBot" if int(game["superbot"]) == r else "", *titles]
