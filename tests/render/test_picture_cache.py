"""Pictures in memory have a limit of bytes, however large they are."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from roborally_env.courses import load_course
from roborally_env.render import frames
from roborally_env.render.frames import frame
from roborally_env.render.picture_cache import cache_pictures
from tests.render.test_frames import crowd


def test_those_unused_for_longest_are_discarded() -> None:
    drawn = []

    @cache_pictures(len, max_bytes=100)
    def draw(number: int) -> bytes:
        """Draw a number."""
        drawn.append(number)
        return bytes(40)

    draw(1), draw(2), draw(1), draw(3)
    assert (draw._bytes, len(draw._pictures)) == (80, 2)
    draw(1)
    assert drawn == [1, 2, 3]
    draw(2)
    assert drawn == [1, 2, 3, 2]
    assert draw.__doc__ == "Draw a number."


def test_one_that_is_too_large_is_drawn_each_time() -> None:
    drawn = []

    @cache_pictures(len, max_bytes=100)
    def draw(size: int) -> bytes:
        drawn.append(size)
        return bytes(size)

    draw(100), draw(101), draw(101), draw(100)
    assert drawn == [100, 101, 101]
    assert draw._bytes == 100


def test_texts_among_the_arguments_count() -> None:
    draw = cache_pictures(len, max_bytes=100)(lambda text, number: b"12345")
    draw("a" * 40, 1)
    assert draw._bytes == 45


def test_several_threads_may_draw() -> None:
    draw = cache_pictures(len, max_bytes=1000)(lambda number: bytes(number % 7 * 10))
    with ThreadPoolExecutor(8) as threads:
        sizes = list(threads.map(lambda i: len(draw(i % 50)), range(4000)))
    assert sizes == [i % 50 % 7 * 10 for i in range(4000)]
    assert draw._bytes == sum(size for _, size in draw._pictures.values()) <= 1000


def test_the_drawings_of_frames_stay_below_their_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    sprites = cache_pictures(frames._sprite._size_of, 4 << 20)(frames._sprite._draw)
    boards = cache_pictures(frames._static._size_of, 16 << 20)(frames._static._draw)
    drawn = []
    draw = sprites._draw
    monkeypatch.setattr(sprites, "_draw", lambda *key: drawn.append(key) or draw(*key))
    monkeypatch.setattr(frames, "_sprite", sprites)
    monkeypatch.setattr(frames, "_static", boards)
    course = load_course("dizzy_highway")
    expected = [frame(crowd(course, 6, seed), size=1600) for seed in range(3)]
    assert np.array_equal(frame(crowd(course, 6, 0), size=1600), expected[0])
    assert 0 < sprites._bytes <= 4 << 20
    assert 0 < boards._bytes <= 16 << 20
    assert len(sprites._pictures) < len(drawn)  # the limit was reached
