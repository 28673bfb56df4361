"""Pictures: what they show is what the tables say."""

from pathlib import Path
from typing import Any

import pytest

from roborally_env import BatchRace, CourseError, RoboRallyError, load_course
from roborally_env.courses import course_names
from roborally_env.evaluation import analysis
from roborally_env.evaluation.tournament import Result
from roborally_env.render.robots import ROBOT_COLORS
from tests.later import later

colors = later("matplotlib.colors")
pd = later("pandas")


def texts(ax: Any) -> list[str]:
    return [text.get_text() for text in ax.texts]


@pytest.mark.parametrize(
    "name", [f"2016/{n}" for n in course_names("2016")[::4]] + ["2005/tandem_carnage", "2005/twister"]
)
def test_a_course_is_drawn(name: str, tmp_path: Path) -> None:
    course = load_course(name)
    ax = analysis.plot_course(course)
    assert [colours_in(ax, x, y) for _, x, y in course.checkpoints] == [True] * len(course.checkpoints)
    ax.figure.savefig(tmp_path / "course.png", dpi=40)
    assert (tmp_path / "course.png").stat().st_size > 2000


def cell_of(ax: Any, x: int, y: int) -> Any:
    """The pixels of the drawing in a cell, float [h, w, 3]; the drawing lies on the axes in units of cells."""
    pixels = ax.images[0].get_array()[:, :, :3]
    left, right, bottom, top = ax.images[0].get_extent()
    wide, high = pixels.shape[1] / (right - left), pixels.shape[0] / (bottom - top)
    rows = slice(round((y - top) * high), round((y + 1 - top) * high))
    return pixels[rows, round((x - left) * wide) : round((x + 1 - left) * wide)]


def colours_in(ax: Any, x: int, y: int) -> bool:
    """Whether a cell has the black and the white of a checkpoint."""
    cell = cell_of(ax, x, y)
    return bool((cell.max(axis=2) < 0.15).any() and (cell.min(axis=2) > 0.97).any())


def test_a_race_shows_each_robot_where_it_stands() -> None:
    batch = BatchRace(2, "dizzy_highway", players=4, rules={"upgrades": False}, observation="none", seed=3)
    ax = analysis.plot_race(batch, 1, names=["a", "b", "c", "d"])
    cells = batch.games[1]["cell"]
    for seat in range(4):
        seen = cell_of(ax, int(cells[seat]) % 32, int(cells[seat]) // 32)
        near = [abs(seen - colors.to_rgb(color)).max(axis=2).min() < 0.02 for color in ROBOT_COLORS[:4]]
        assert near == [number == seat for number in range(4)]
    assert ax.get_legend().get_texts()[0].get_text() == "0 a: checkpoint 0"
    for wrong, message in (({"game": 2}, "game"), ({"names": ["a"]}, "names.*4")):
        with pytest.raises(RoboRallyError, match=message):
            analysis.plot_race(batch, **wrong)


def test_deaths_are_counted_by_cell_and_agent(result: Result, events: Any) -> None:
    course = result.setup.courses[1]
    dead = events[(events["kind"] == "reboot") & (events["course"] == "twister") & (events["agent"] == "random")]
    ax = analysis.plot_deaths(events, course, agent="random")
    counts = dead.groupby(["x", "y"]).size()
    shown = {t.get_position(): t.get_text() for t in ax.texts if t.get_zorder() == 7}
    assert shown == {(x + 0.5, y + 0.5): str(count) for (x, y), count in counts.items()}
    assert f"{len(dead)} times" in ax.get_title()
    with pytest.raises(RoboRallyError, match=r"agent: 'randm'.*random"):
        analysis.plot_deaths(events, course, agent="randm")


def test_a_course_without_deaths_is_drawn_too(events: Any) -> None:
    assert "0 times" in analysis.plot_deaths(events, "undertow").get_title()
    with pytest.raises(CourseError, match=r"twistr.*twister"):
        analysis.plot_deaths(events, "twistr")


@pytest.mark.parametrize("by_course", [False, True])
def test_win_rates_have_a_point_an_agent(result: Result, by_course: bool) -> None:
    ax = analysis.plot_win_rates(result, by_course=by_course)
    shown = sorted(float(line.lines[0].get_xdata()[0]) for line in ax.containers)
    rows = [*result.rows_of(0), *result.rows_of(1)] if by_course else result.rows
    assert shown == pytest.approx(sorted(100 * row.win_rate for row in rows))
    assert ax.get_yticklabels()[0].get_text() == ("Dizzy Highway" if by_course else "greedy")


def test_ratings_have_their_intervals(result: Result) -> None:
    ax = analysis.plot_ratings(result)
    segments = [container.lines[2][0].get_segments()[0] for container in ax.containers]
    wide = sorted(float(end[0] - begin[0]) for begin, end in segments)
    assert wide == pytest.approx(sorted(2 * 1.959964 * row.sigma for row in result.rows), rel=1e-4)


def test_checkpoint_times_are_drawn_with_shares(result: Result, events: Any) -> None:
    times = analysis.checkpoint_times(result, events)
    ax = analysis.plot_checkpoint_times(times, "twister")
    share = analysis.checkpoint_table(times).loc[("twister", 1, "greedy"), "reached"]
    assert f"{share:.0%}" in texts(ax)
    with pytest.raises(RoboRallyError, match=r"course.*'twistr'.*twister"):
        analysis.plot_checkpoint_times(times, "twistr")


def test_a_course_with_one_checkpoint_has_a_bar_for_each_agent(result: Result, events: Any) -> None:
    times = analysis.checkpoint_times(result, events)
    ax = analysis.plot_checkpoint_times(times, "dizzy_highway")
    table = analysis.checkpoint_table(times[times["course"] == "dizzy_highway"]).reset_index()
    reached = table[table["reached"] > 0]
    assert [bar.get_width() for bar in ax.patches] == pytest.approx([float(n) for n in reached["mean"]])
    assert [label.get_text() for label in ax.get_yticklabels()] == list(reached["agent"])
    assert texts(ax)[0] == f"{reached['mean'].iloc[0]:.1f}, reached by {reached['reached'].iloc[0]:.0%}"
    assert ax.get_title() == "dizzy_highway: rounds to the checkpoint"


def test_curves_are_read_from_csv_and_tensorboard(tmp_path: Path) -> None:
    (tmp_path / "csv").mkdir()
    (tmp_path / "csv" / "progress.csv").write_text("reward,step\n3,20\n1,10\n,30\n", encoding="utf-8")
    table = analysis.read_curves(tmp_path / "csv")
    assert table.index.tolist() == [10, 20, 30]
    assert table["reward"].tolist()[:2] == [1, 3]
    writer = pytest.importorskip("torch.utils.tensorboard").SummaryWriter(tmp_path / "board")
    for step in range(3):
        writer.add_scalar("reward", step**2, 10 * step)
    writer.close()
    board = analysis.read_curves(tmp_path / "board")
    assert board["reward"].to_dict() == {0: 0.0, 10: 1.0, 20: 4.0}
    ax = analysis.plot_curves({"csv": table, "board": board}, "reward", smooth=0.5)
    assert [t.get_text() for t in ax.get_legend().get_texts()] == ["csv", "board"]
    assert ax.lines[-1].get_ydata()[0] == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"columns": "rewrd"}, "'rewrd'.*reward"),
        ({"columns": "reward", "smooth": 1}, "smooth.*0.*1"),
        ({"columns": "reward", "smooth": "much"}, "smooth"),
    ],
)
def test_wrong_arguments_of_curves_are_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(RoboRallyError, match=message):
        analysis.plot_curves(pd.DataFrame({"reward": [1, 2]}), **arguments)


def test_logs_that_are_none_are_refused(tmp_path: Path) -> None:
    for path, message in ((tmp_path / "none", "file"), (tmp_path, "TensorBoard")):
        with pytest.raises(RoboRallyError, match=message):
            analysis.read_curves(path)
    for name, message in (("empty.csv", "table"), ("notes.txt", "TensorBoard")):
        (tmp_path / name).write_text("" if name == "empty.csv" else "hello", encoding="utf-8")
        with pytest.raises(RoboRallyError, match=message):
            analysis.read_curves(tmp_path / name)
