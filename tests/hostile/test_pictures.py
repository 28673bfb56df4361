"""Titles and names of any origin in pictures: no formulas, and no characters that a terminal or XML does not take."""

import warnings
from pathlib import Path
from xml.etree import ElementTree

import pytest

from roborally_env.base.text import plain
from roborally_env.courses import load_course
from roborally_env.evaluation.plot import plot_win_rates
from roborally_env.evaluation.tournament import evaluate
from roborally_env.render.states import state_svg

SHIPPED = Path(load_course.__code__.co_filename).parents[2] / "courses" / "2016" / "dizzy_highway.toml"


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """A course with a title that is a wrong formula, and has an escape sequence."""
    text = SHIPPED.read_text(encoding="utf-8")
    path = tmp_path / "course.toml"
    path.write_text(text.replace('title = "', r'title = "$\\nothing{$ & \u001b[2J', 1), encoding="utf-8")
    return path


def test_words_in_matplotlib() -> None:
    assert plain("a $x$ \x1b[2J") == r"a \$x\$ \x1b[2J"


def test_the_plot_of_a_tournament(course: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    result = evaluate(["random", "random"], courses=[str(course)], games=1, workers=1, max_rounds=1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        plot_win_rates(result, tmp_path / "plot.png")
    assert (tmp_path / "plot.png").stat().st_size


def test_the_plots_of_an_analysis(course: Path) -> None:
    pytest.importorskip("matplotlib")
    analysis = pytest.importorskip("roborally_env.evaluation.analysis")
    pytest.importorskip("resvg_py")
    axes = analysis.plot_course(str(course))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        axes.figure.canvas.draw()


def test_a_drawing_is_xml(course: Path) -> None:
    ElementTree.fromstring(state_svg(load_course(course)))
