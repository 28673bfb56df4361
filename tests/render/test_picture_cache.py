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
    assert draw.cache_info() == (1, 3, 100, 80, 2)
    draw(1)
    assert drawn == [1, 2, 3]
    draw(2)
    assert drawn == [1, 2, 3, 2]
    assert draw.__doc__ == "Draw a number."
    draw.cache_clear()
    assert draw.cache_info() == (0, 0, 100, 0, 0)


def test_one_that_is_too_large_is_drawn_each_time() -> None:
    drawn = []

    @cache_pictures(len, max_bytes=100)
    def draw(size: int) -> bytes:
        drawn.append(size)
        return bytes(size)

    draw(100), draw(101), draw(101), draw(100)
    assert drawn == [100, 101, 101]
    assert draw.cache_info().bytes == 100


def test_texts_among_the_arguments_count() -> None:
    draw = cache_pictures(len, max_bytes=100)(lambda text, number: b"12345")
    draw("a" * 40, 1)
    assert draw.cache_info().bytes == 45


def test_several_threads_may_draw() -> None:
    draw = cache_pictures(len, max_bytes=1000)(lambda number: bytes(number % 7 * 10))
    with ThreadPoolExecutor(8) as threads:
        sizes = list(threads.map(lambda i: len(draw(i % 50)), range(4000)))
    assert sizes == [i % 50 % 7 * 10 for i in range(4000)]
    info = draw.cache_info()
    assert info.bytes == sum(size for _, size in draw._pictures.values()) <= 1000


def test_the_drawings_of_frames_stay_below_their_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    for drawings, most in ((frames._sprite, 4 << 20), (frames._static, 16 << 20)):
        drawings.cache_clear()
        monkeypatch.setattr(drawings, "_max_bytes", most)
    course = load_course("dizzy_highway")
    expected = [frame(crowd(course, 6, seed), size=1600) for seed in range(3)]
    assert np.array_equal(frame(crowd(course, 6, 0), size=1600), expected[0])
    for drawings in (frames._sprite, frames._static):
        info = drawings.cache_info()
        assert 0 < info.bytes <= info.max_bytes
    assert frames._sprite.cache_info().pictures < frames._sprite.cache_info().misses  # the limit was reached
