"""Draw a race as a moving picture, for the README: `python scripts/draw_race.py docs/pictures/race.json race.gif`.

The replay is played again with a copy of the record after every event. Each copy that looks different from the one
before it is a frame.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from roborally_env import BatchRace
from roborally_env.envs.picture import shown_by
from roborally_env.render.frames import Shown, frame
from roborally_env.replay import Replay, load
from roborally_env.replay.playing import announcements, answer_in_turn

STEP, PAUSE, END = 90, 450, 3000  # milliseconds: of a frame, of the last frame of a round, of the last one of all
COLORS = 128  # one palette for all frames, else still cells would flicker


def moments(replay: Replay) -> Iterator[list[Shown]]:
    """What is to be seen, a list for each round, the start first.

    Raises:
        RoboRallyError: for an answer of the replay that its game does not ask for.
    """
    batch, view = replay.batch(frames=True), replay.batch()
    answered(batch, replay.opening, "before round 1")
    yield [seen(view, batch.games[0], replay.agents)]
    for number, told in enumerate(replay.rounds, 1):
        where = f"round {number}"
        opened = np.array([told.opened], np.uint8) if told.opened else None
        batch.step(np.array([told.programs], np.int8), announcements(batch, told, where), opened)
        yield [seen(view, record, replay.agents) for record in batch.frames_of(0)]
        answered(batch, told.choices, where)


def answered(batch: BatchRace, answers: Any, where: str) -> None:
    """Answer what the batch asks, as the replay did."""
    for _ in answer_in_turn(batch, answers, where):
        pass


def seen(view: BatchRace, record: Any, names: tuple[str, ...]) -> Shown:
    """What a record shows; `view` is a batch of the same game, whose record is overwritten."""
    view.games[0] = record
    return shown_by(view, names)


def pictures(replay: Replay, size: int) -> Iterator[tuple[NDArray[np.uint8], int]]:
    """The frames, uint8 [height, width, 3], and for how many milliseconds each is shown."""
    rounds = [list(dict.fromkeys(shown)) for shown in moments(replay)]
    for number, shown in enumerate(rounds):
        for moment in shown:
            last = moment is shown[-1]
            yield frame(moment, size=size), (END if number == len(rounds) - 1 else PAUSE) if last else STEP


def write(replay: Replay, path: Path, size: int) -> int:
    """Write the moving picture as a GIF that begins anew at its end; returns the number of frames."""
    arrays, times = zip(*pictures(replay, size), strict=True)
    palette = Image.fromarray(np.concatenate(arrays[:: max(1, len(arrays) // 8)])).quantize(COLORS)
    images = [Image.fromarray(array).quantize(palette=palette, dither=Image.Dither.NONE) for array in arrays]
    images[0].save(path, save_all=True, append_images=images[1:], duration=list(times), loop=0, optimize=False)
    return len(images)


def main() -> None:
    """Read the arguments and write the file."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("replay", type=Path, help="a replay, as `roborally evaluate --out` and `play` save it")
    parser.add_argument("out", type=Path, help="the GIF to write")
    parser.add_argument("--size", type=int, default=640, help="pixels of the longer side (default: 640)")
    args = parser.parse_args()
    frames = write(load(args.replay), args.out, args.size)
    print(f"{args.out}: {frames} frames, {args.out.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
