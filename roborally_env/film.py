"""A race as a moving picture: GIF by Pillow, MP4 and WebM by PyAV.

The replay is played again with a copy of the record after every event. Each copy that looks different from the one
before it is a frame.
"""

from __future__ import annotations

import io
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import groupby
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from roborally_env.base.checks import check_whole
from roborally_env.base.errors import RoboRallyError
from roborally_env.base.types import Record
from roborally_env.envs.picture import shown_by
from roborally_env.render.frames import Shown, frame, layout_of
from roborally_env.render.png import needed
from roborally_env.replay import Replay
from roborally_env.replay.playback import answer_in_turn, submit

WIDTH = 640
STEP, PAUSE, END = 90, 450, 3000  # milliseconds: of a frame, of the last frame of a round, of the last one of all
SHORTEST = 20  # milliseconds of a frame; browsers show shorter ones of a GIF more slowly
COLORS = 128  # one palette for all frames of a GIF, else still cells would flicker
RATE = 25  # frames of a video in a second
CODECS = {  # of each ending, with what is quick and crisp
    ".mp4": ("libx264", {"crf": "20", "preset": "medium"}),
    ".webm": ("libvpx-vp9", {"crf": "32", "b:v": "0", "deadline": "realtime", "cpu-used": "6"}),
}
SPEEDS = (0.1, 20.0)

Progress = Callable[[int, int], None]


class Picture(NamedTuple):
    """A frame to come, and for how many milliseconds it is seen."""

    shown: Shown
    time: int


def film(
    replay: Replay,
    path: str | os.PathLike[str],
    *,
    rounds: tuple[int, int] | None = None,
    width: int = WIDTH,
    speed: float = 1.0,
    theme: str = "light",
    progress: Progress | None = None,
) -> int:
    """Write a race as a GIF, which begins anew at its end, or as a video; returns the number of frames.

    The file appears when it is complete. An interrupted call leaves none, and none that was there before is lost.

    Args:
        replay: of any edition.
        path: ends in .gif, .mp4 or .webm; a video needs PyAV (extra `video`).
        rounds: the first and the last to show, from 1; None: all of them.
        width: of the picture in pixels, 200 to 4,000; a little less, so that cells are whole pixels.
        speed: 0.1 to 20 times as quick.
        theme: "light" or "dark".
        progress: called with the frames done and all of them.

    Raises:
        RoboRallyError: for another ending, wrong values, rounds that the race does not have, an answer of the replay
            that its game does not ask for, a file that cannot be written, or where a library is missing.
    """
    path = Path(path)
    write = _writer(path)
    check_whole(width, "width", 200, 4000)
    if not isinstance(speed, int | float) or not SPEEDS[0] <= speed <= SPEEDS[1]:
        raise RoboRallyError(f"speed: expected a number from {SPEEDS[0]:g} to {SPEEDS[1]:g}, got {speed!r}")
    pictures = pictures_of(replay, rounds, speed)
    size = _size(pictures[0].shown, width)
    try:
        handle, name = tempfile.mkstemp(suffix=path.suffix, prefix=f".{path.stem}.", dir=path.parent)
        os.close(handle)
    except OSError as error:
        raise RoboRallyError(f"{path}: cannot be written: {error.strerror or error}") from None
    try:
        write(pictures, Path(name), size, theme, progress or (lambda done, total: None))
        os.chmod(name, 0o666 & ~_umask())
        os.replace(name, path)
    except OSError as error:
        raise RoboRallyError(f"{path}: cannot be written: {error.strerror or error}") from None
    finally:
        Path(name).unlink(missing_ok=True)
    return len(pictures)


def pictures_of(replay: Replay, rounds: tuple[int, int] | None = None, speed: float = 1.0) -> list[Picture]:
    """What is to be seen, in its order. Raises as `film`."""
    first, last = _checked(rounds, len(replay.rounds))
    seen = ((number, shown) for number, shown in _moments(replay, last) if first <= number <= last)
    shown_rounds = [list(shown) for _, shown in groupby((each for each, _ in groupby(seen)), key=lambda pair: pair[0])]
    found = []
    for moments in shown_rounds:
        for i, (_, shown) in enumerate(moments):
            ends = END if moments is shown_rounds[-1] else PAUSE
            time = ends if i == len(moments) - 1 else STEP
            found.append(Picture(shown, max(SHORTEST, round(time / speed))))
    return found


def gif_of(pictures: list[Picture], width: int = WIDTH, theme: str = "light") -> bytes:
    """Pictures as a GIF of some width in pixels, or a little less.

    Raises:
        RoboRallyError: where a library is missing.
    """
    out = io.BytesIO()
    _write_gif(pictures, out, _size(pictures[0].shown, width), theme, lambda done, total: None)
    return out.getvalue()


# -- inside


def _checked(rounds: tuple[int, int] | None, count: int) -> tuple[int, int]:
    if rounds is None:
        return 0, count
    first, last = rounds
    if not 1 <= first <= last <= count:
        raise RoboRallyError(f"rounds: expected a range within 1-{count}, got {first}-{last}")
    return first, last


def _moments(replay: Replay, last: int) -> Iterator[tuple[int, Shown]]:
    """What is seen up to a round, with the number of its round: the start, and what is after each event."""
    batch, view = replay.batch(frames=True), replay.batch()

    def seen(records: Iterable[Record]) -> Iterator[tuple[int, Shown]]:
        for record in records:
            view.games[0] = record
            yield int(record["round_number"]), shown_by(view, replay.agents)

    yield from seen([batch.games[0]])
    for _ in answer_in_turn(batch, replay.opening, "before round 1"):
        yield from seen(batch.frames_of(0))
    for number, shown_rounds in enumerate(replay.rounds[:last], 1):
        where = f"round {number}"
        submit(batch, shown_rounds, where)
        yield from seen(batch.frames_of(0))
        for _ in answer_in_turn(batch, shown_rounds.choices, where):
            yield from seen(batch.frames_of(0))


def _size(shown: Shown, width: int) -> int:
    """The longer side of frames that are at most `width` wide, as near as can be."""
    low, high = 200, 4000
    while low < high:
        middle = (low + high + 1) // 2
        if layout_of(shown.course, len(shown.robots), middle).width <= width:
            low = middle
        else:
            high = middle - 1
    return low


def _umask() -> int:
    """The bits that new files shall not have."""
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _writer(path: Path) -> Callable[[list[Picture], Path, int, str, Progress], None]:
    """The function that writes such a file."""
    ending = path.suffix.lower()
    if path.is_dir():
        raise RoboRallyError(f"{path}: expected the name of a file, got a folder")
    if ending == ".gif":
        with needed("PIL.Image", "GIF"):
            import PIL.Image  # noqa: F401
        return _write_gif
    if ending in CODECS:
        _av()
        return _write_video
    raise RoboRallyError(f"{str(path)!r}: expected a file name that ends in .gif, .mp4 or .webm")


def _drawn(pictures: list[Picture], size: int, theme: str, progress: Progress) -> Iterator[NDArray[np.uint8]]:
    """The frames, uint8 [height, width, 3], each drawn when it is asked for."""
    for done, picture in enumerate(pictures, 1):
        yield frame(picture.shown, size=size, theme=theme)
        progress(done, len(pictures))


def _write_gif(pictures: list[Picture], path: Path | io.BytesIO, size: int, theme: str, progress: Progress) -> None:
    with needed("PIL.Image", "GIF"):
        from PIL import Image
    some = [frame(each.shown, size=size, theme=theme) for each in pictures[:: max(1, len(pictures) // 8)]]
    palette = Image.fromarray(np.concatenate(some)).quantize(COLORS)
    images = (
        Image.fromarray(array).quantize(palette=palette, dither=Image.Dither.NONE)
        for array in _drawn(pictures, size, theme, progress)
    )
    times = [each.time for each in pictures]
    next(images).save(path, format="GIF", save_all=True, append_images=images, duration=times, loop=0, optimize=False)


def _av() -> ModuleType:
    try:
        import av
    except ImportError as error:
        extra = 'pip install "roborally_env[video]"'
        raise RoboRallyError(f"video: av is not installed ({error}); {extra} gives it, or write a .gif") from None
    return av


def _write_video(pictures: list[Picture], path: Path, size: int, theme: str, progress: Progress) -> None:
    av = _av()
    codec, options = CODECS[path.suffix.lower()]
    layout = layout_of(pictures[0].shown.course, len(pictures[0].shown.robots), size)
    with av.open(str(path), "w") as out:
        stream = out.add_stream(codec, rate=RATE, options=options)
        stream.width, stream.height, stream.pix_fmt = layout.width, layout.height, "yuv420p"
        at, until = 0, 0.0
        for picture, array in zip(pictures, _drawn(pictures, size, theme, progress), strict=True):
            until += picture.time * RATE / 1000
            while at < until:  # a frame is repeated for as long as it is seen
                shown = av.VideoFrame.from_ndarray(array, format="rgb24")
                shown.pts, shown.time_base = at, Fraction(1, RATE)
                out.mux(stream.encode(shown))
                at += 1
        out.mux(stream.encode())
