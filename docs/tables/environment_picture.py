"""Draw docs/pictures/environment.svg: a board, a hand, an action, its mask, what is observed and the reward of a step.

    python docs/tables/environment_picture.py

All numbers are those of the race that it plays, with seed 5 on Burnout.
"""

from collections.abc import Iterator
from html import escape
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from roborally_env import parallel_env
from roborally_env.core import cards
from roborally_env.core.searching.alone import greedy_programs
from roborally_env.core.state import REGISTERS
from roborally_env.render.states import state_svg
from roborally_env.render.svg import inner

PICTURE = Path(__file__).parents[1] / "pictures" / "environment.svg"
COURSE, SEED, PLAYERS, ME = "burnout", 5, 4, 0
WIDTH, HEIGHT = 1000, 690
INK, DIM, LINE, MINE, PAPER = "#24292f", "#5b6470", "#c9ced6", "#00796b", "#ffffff"
PARTS = ("hand", "draw_pile", "position", "facing", "distance", "target", "ways", "others")  # of those that are shown


def text(x: float, y: float, words: str, size: int = 14, color: str = INK, more: str = "") -> str:
    """A line of text."""
    return f'<text x="{x}" y="{y}" font-size="{size}" fill="{color}" {more}>{escape(words)}</text>'


def box(x: float, y: float, wide: float, high: float, fill: str = PAPER, stroke: str = LINE) -> str:
    """A rectangle."""
    return f'<rect x="{x}" y="{y}" width="{wide}" height="{high}" rx="5" fill="{fill}" stroke="{stroke}"/>'


def hand(names: list[str], program: list[int]) -> Iterator[str]:
    """The slots of the hand; above those that are played the register."""
    for slot, name in enumerate(names):
        x = 440 + slot * 54
        used = slot in program
        yield box(x, 62, 49, 62, "#e0f2f1" if used else PAPER, MINE if used else LINE)
        yield text(x + 24, 84, str(slot), 15, MINE if used else DIM, 'text-anchor="middle" font-weight="bold"')
        for line, word in enumerate(name.split()):
            yield text(x + 24, 100 + 13 * line, word, 11, INK, 'text-anchor="middle"')
        if used:
            yield text(x + 24, 140, f"register {program.index(slot) + 1}", 10, MINE, 'text-anchor="middle"')


def mask_grid(mask: NDArray[np.int8], program: list[int]) -> Iterator[str]:
    """The mask, a row for each register."""
    for register in range(REGISTERS):
        for slot, open_ in enumerate(mask[register]):
            x, y = 440 + slot * 20, 250 + register * 20
            chosen = program[register] == slot
            fill = MINE if chosen else "#b2dfdb" if open_ else "#eceff1"
            yield f'<rect x="{x}" y="{y}" width="17" height="17" rx="2" fill="{fill}"/>'
            yield text(x + 8.5, y + 13, str(int(open_)), 11, PAPER if chosen else INK, 'text-anchor="middle"')


def robots(game: np.void) -> list[dict[str, int]]:
    """Where the robots of a record are and which way they face."""
    places = zip(game["cell"][:PLAYERS].tolist(), game["facing"][:PLAYERS].tolist(), strict=True)
    return [{"x": cell % 32, "y": cell // 32, "facing": facing} for cell, facing in places if cell >= 0]


def draw() -> str:
    """The picture."""
    env = parallel_env(COURSE, players=PLAYERS, observation="dict", reward="shaped", rules={"upgrades": False})
    observations, _ = env.reset(seed=SEED)
    batch = env.batch
    programs = np.zeros((PLAYERS, REGISTERS), np.int8)
    seats = np.arange(PLAYERS)
    greedy_programs(batch.maps, batch.games, np.zeros(PLAYERS, np.int64), seats, programs)
    game = batch.games[0].copy()
    mine = programs[ME].tolist()
    agent = env.agents[ME]
    seen = observations[agent]["observation"]
    mask = observations[agent]["action_mask"].reshape(REGISTERS, -1)
    names = [cards.NAMES[card].replace("_", " ") for card in game["hand"][ME][: mask.shape[1]]]
    before = robots(game)
    course = batch.courses[0]
    board = state_svg(course, before)
    _, rewards, *_ = env.step({each: programs[seat] for seat, each in enumerate(env.agents)})
    after = state_svg(course, robots(batch.games[0]))
    wide, high = (100 * n + 100 for n in (course.width, course.height))
    scale = 390 / wide
    size = sum(part.size for part in seen.values())
    parts = [box(0, 0, WIDTH, HEIGHT), f'<g transform="translate(20 55) scale({scale:.4f})">{inner(board)}</g>']
    parts += [
        text(20, 36, "The board, which all see", 18),
        text(
            20,
            75 + high * scale,
            f"{course.title}: {PLAYERS} robots, {len(course.checkpoints)} checkpoints. All decide at once.",
            13,
            DIM,
        ),
    ]
    parts += [text(440, 36, f"What {agent} holds: {len(names)} of its twenty cards", 18), *hand(names, mine)]
    parts += [text(440, 185, f"action = {mine}", 20, MINE, 'font-family="monospace" font-weight="bold"')]
    parts += [text(440, 207, "a hand slot for each register: MultiDiscrete([9] * 5) in the lighter game", 13, DIM)]
    parts += [
        text(440, 240, "action_mask", 18),
        *mask_grid(mask, mine),
        text(440, 368, "1: the slot may go there", 12, DIM),
    ]
    parts += [text(680, 240, "observation", 18)]
    rows = [(name, part) for name, part in seen.items() if name in PARTS]
    for k, (name, part) in enumerate(rows):
        shape = " x ".join(map(str, part.shape))
        parts += [
            text(680, 262 + 19 * k, name, 13, INK, 'font-family="monospace"'),
            text(800, 262 + 19 * k, shape, 13, DIM),
        ]
    parts += [text(680, 266 + 19 * len(rows), f".. {len(seen) - len(rows)} more parts: {size} numbers in all", 12, DIM)]
    parts += [text(20, 470, "env.step(actions)", 20, INK, 'font-family="monospace" font-weight="bold"')]
    parts += [
        text(
            20,
            494,
            "plays five registers of all robots: cards by priority, belts, pushers, gears, lasers, checkpoints",
            13,
            DIM,
        )
    ]
    reward = ", ".join(f"{each}: {rewards[each]:+.3f}" for each in rewards)
    parts += [text(20, 535, "rewards", 18), text(110, 535, reward, 14, MINE, 'font-family="monospace"')]
    parts += [
        text(
            20,
            560,
            'reward="shaped": progress on the way; by default the places at the end alone, +1 to -1',
            13,
            DIM,
        )
    ]
    small = f"translate(700 462) scale({0.7 * scale:.4f})"
    parts += [text(700, 452, "one round later", 14, DIM), f'<g transform="{small}">{inner(after)}</g>']
    fonts = "Verdana, DejaVu Sans, sans-serif"
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="{fonts}">'
    return f"{head}{''.join(parts)}</svg>\n"


def main() -> None:
    """Write it."""
    PICTURE.write_text(draw(), encoding="utf-8")


if __name__ == "__main__":
    main()
