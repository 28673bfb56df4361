"""Frames: the quick way gives what the SVG says, the same each time, in the form that video tools want."""

import sys
from itertools import pairwise
from time import perf_counter
from typing import Any

import numpy as np
import pytest

from roborally_env import RoboRallyError
from roborally_env.courses import Course, load_course
from roborally_env.envs.picture import shown_by
from roborally_env.render.figures import Figure
from roborally_env.render.frames import Shown, frame, frame_svg, layout_of
from roborally_env.render.png import to_png
from roborally_env.render.states import state_svg
from tests.render.helpers import every_course, pixels_of, random_states


def crowd(course: Course, robots: int, seed: int = 1) -> Shown:
    """Robots in all states on random cells, two of them on a checkpoint and in a beam where there is one."""
    rng = np.random.default_rng(seed)
    cells = [(x, y) for y in range(course.height) for x in range(course.width) if course.on_board(x, y)]
    spots = [cells[i] for i in rng.permutation(len(cells))[:robots]]
    spots[:1] = [place[1:] for place in course.checkpoints[:1]] or spots[:1]
    figures = [
        Figure(i, *spots[i], i % 4, i % 3, 3 * i, i, i % 4, spots[i - 1], i == 1, i == 2, i == 4) for i in range(robots)
    ]
    return Shown(course, "round 7", figures, course.checkpoints, course.energy)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(
    ("name", "robots", "size"),
    [("dizzy_highway", 6, 800), ("2005/set_to_kill", 8, 800), ("burn_run", 2, 1000), ("2005/twister", 4, 300)],
)
def test_a_frame_is_close_to_its_svg(name: str, robots: int, size: int, theme: str) -> None:
    shown = crowd(load_course(name), robots)
    quick = frame(shown, size=size, theme=theme).astype(int)
    exact = pixels_of(frame_svg(shown, size=size, theme=theme), quick.shape[1])[:, :, :3].astype(int)
    assert quick.shape == exact.shape
    difference = abs(quick - exact)
    assert difference.mean() < 0.05
    assert (difference > 24).sum() < 20  # a few pixels where edges of drawings meet


def test_the_board_of_a_frame_is_the_drawing_of_the_state() -> None:
    shown = crowd(load_course("dizzy_highway"), 4)
    layout = layout_of(shown.course, 4)
    quick, cell = frame(shown), layout.cell
    board = quick[layout.y : layout.y + 10 * cell, layout.x : layout.x + 13 * cell].astype(int)
    svg = state_svg(shown.course, shown.robots).replace('viewBox="-50 -50 1400 1100"', 'viewBox="0 0 1300 1000"')
    assert abs(board - pixels_of(svg, 13 * cell)[:, :, :3]).mean() < 0.1


def test_frames_of_a_race_have_one_form_and_are_the_same_each_time() -> None:
    frames = []
    for batch in random_states("2016/death_trap", "2016", 4, 30):
        pixels = frame(shown_by(batch))
        assert pixels.dtype == np.uint8
        assert pixels.flags.writeable
        np.testing.assert_array_equal(pixels, frame(shown_by(batch)))
        frames.append(pixels)
    assert {pixels.shape for pixels in frames} == {(708, 800, 3)}
    assert sum((one != other).any() for one, other in pairwise(frames)) > 20


def test_a_frame_belongs_to_its_caller() -> None:
    shown = crowd(load_course("dizzy_highway"), 2)
    first = frame(shown)
    kept = first.copy()
    first[:] = 0
    np.testing.assert_array_equal(frame(shown), kept)


@every_course
def test_boards_and_cards_lie_side_by_side_on_every_frame(course: Course) -> None:
    for robots in range(2, 9):
        for size in (200, 800, 1001):
            layout = layout_of(course, robots, size)
            assert max(layout.width, layout.height) - size in (0, 1)
            assert layout.width % 2 == layout.height % 2 == 0
            used = np.zeros((layout.height, layout.width), np.uint8)
            half = layout.cell // 2
            used[layout.y - half : layout.y + layout.cell * course.height, :][
                :, layout.x - half : layout.x + layout.cell * course.width
            ] += 1
            for box in (layout.head, *layout.cards):
                assert box.x >= 0
                assert box.x + box.width <= layout.width
                assert box.y + box.height <= layout.height
                used[box.y : box.y + box.height, box.x : box.x + box.width] += 1
            assert used.max() == 1
            assert layout.cell >= size // 50


def test_thirty_frames_a_second_are_drawn() -> None:
    """Far more on a machine that has nothing else to do; drawings of a kind are made once."""
    course = load_course("dizzy_highway")
    states = [crowd(course, 6, seed) for seed in range(40)]
    for shown in states[:10]:
        frame(shown)
    best = min(_seconds(shown) for shown in states[10:])
    assert best < 1 / 30


def _seconds(shown: Shown) -> float:
    start = perf_counter()
    frame(shown)
    return perf_counter() - start


def test_png_needs_what_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(RoboRallyError, match=r'resvg_py.*"roborally_env\[render\]"'):
        to_png("<svg/>", 100)


WRONG: list[tuple[Any, Any, str]] = [
    ("<svg/>", 0, "width.*1.*8000.*0"),
    ("<svg/>", True, "width"),
    ("<svg/>", 9000, "width"),
    ("no svg", 10, "svg"),
]


@pytest.mark.parametrize(("svg", "width", "message"), WRONG)
def test_what_is_no_drawing_or_width_is_refused(svg: Any, width: Any, message: str) -> None:
    with pytest.raises(RoboRallyError, match=message):
        to_png(svg, width)
