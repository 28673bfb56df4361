"""Races as moving pictures: GIF and video, a part of a race, no half file, one line for a slip."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from roborally_env.base.errors import RoboRallyError
from roborally_env.cli import main
from roborally_env.film import film, pictures_of
from roborally_env.replay import play, save
from tests.watch.conftest import record_race

image = pytest.importorskip("PIL.Image")
pytest.importorskip("resvg_py")


@pytest.fixture(scope="module")
def short(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A replay of three rounds, and its file."""
    replay = record_race("dizzy_highway", players=2, max_rounds=3, decisions="all")
    path = tmp_path_factory.mktemp("film") / "race.json"
    save(replay, path)
    return replay, path


def run(capsys: Any, *words: Any) -> tuple[int, str, str]:
    """Exit code, stdout and stderr of the command."""
    with pytest.raises(SystemExit) as ended:
        main(["watch", *map(str, words)])
    return ended.value.code, *capsys.readouterr()  # type: ignore[return-value]


def test_a_gif_shows_the_whole_race(short: Any, tmp_path: Path) -> None:
    reported: list[tuple[int, int]] = []
    path = tmp_path / "race.gif"
    count = film(short[0], path, width=300, progress=lambda done, total: reported.append((done, total)))
    assert reported == [(k, count) for k in range(1, count + 1)]
    drawn = image.open(path)
    assert 280 <= drawn.width <= 300
    lasts = 0
    for k in range(drawn.n_frames):
        drawn.seek(k)
        lasts += drawn.info["duration"]
    assert lasts == pytest.approx(sum(each.time for each in pictures_of(short[0])), rel=0.05)  # GIF counts in 10 ms
    assert [each.name for each in tmp_path.iterdir()] == ["race.gif"]


def test_what_is_seen_follows_the_race(short: Any) -> None:
    """Every round is there, with what happens after an answer in the middle of it; a part has its rounds alone."""
    whole = pictures_of(short[0])
    assert list(dict.fromkeys(each.shown.moment for each in whole)) == [f"round {n}" for n in (1, 2, 3)]
    last = whole[-1].shown
    *_, end = play(short[0])
    wanted = [(r["x"], r["y"], "NESW".index(r["facing"])) for r in end.robots]
    assert [(r.x, r.y, r.facing) for r in last.robots] == wanted
    part = pictures_of(short[0], (2, 2), speed=2)
    assert {each.shown.moment for each in part} == {"round 2"}
    assert part[-1].time == 1500
    assert part[0].time == 45


@pytest.mark.parametrize("course", ["island_king", "around_the_world"])
def test_tall_and_wide_courses_are_as_wide_as_asked(course: str, tmp_path: Path) -> None:
    replay = record_race(course, edition="2005", players=8, max_rounds=1)
    film(replay, tmp_path / "race.gif", width=420, rounds=(1, 1))
    width, height = image.open(tmp_path / "race.gif").size
    assert 400 <= width <= 420
    assert width % 2 == height % 2 == 0


@pytest.mark.parametrize(("ending", "codec"), [("mp4", "h264"), ("webm", "vp9")])
def test_a_video_lasts_as_long_as_the_race(short: Any, tmp_path: Path, ending: str, codec: str) -> None:
    av = pytest.importorskip("av")
    path = tmp_path / f"race.{ending}"
    film(short[0], path, width=240, rounds=(1, 1), speed=4)
    with av.open(str(path)) as video:
        assert video.streams.video[0].codec_context.name == codec
        frames = sum(1 for _ in video.decode(video=0))
    wanted = sum(each.time for each in pictures_of(short[0], (1, 1), 4)) / 40
    assert abs(frames - wanted) <= 1


def test_a_film_that_is_stopped_leaves_no_half_file(short: Any, tmp_path: Path) -> None:
    path = tmp_path / "race.gif"
    path.write_bytes(b"what was there before")

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        film(short[0], path, width=240, progress=stop)
    assert [each.name for each in tmp_path.iterdir()] == ["race.gif"]
    assert path.read_bytes() == b"what was there before"


def test_the_command_writes_a_film_and_no_page(short: Any, tmp_path: Path, capsys: Any) -> None:
    path = tmp_path / "race.gif"
    assert run(capsys, short[1], "--gif", path, "--rounds", "1-2", "--width", 240)[:2] == (0, f"{path}\n")
    assert image.open(path).n_frames > 2
    assert not short[1].with_suffix(".html").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--gif", "race.txt"], "expected a file name that ends in .gif, .mp4 or .webm"),
        (["--gif", "x.gif", "--rounds", "9"], "rounds: expected a range within 1-3, got 9-9"),
        (["--gif", "x.gif", "--rounds", "2-1"], "rounds: expected a range within 1-3, got 2-1"),
        (["--gif", "x.gif", "--rounds", "all"], "--rounds: expected the first and the last round, as 3-5"),
        (["--gif", "x.gif", "--width", "20"], "width: expected a whole number from 200 to 4000, got 20"),
        (["--gif", "x.gif", "--speed", "nan"], "speed: expected a number from 0.1 to 20, got nan"),
        (["--gif", "/dev/null/x.gif"], "cannot be written"),
        (["--speed", "2"], "--speed goes with --gif FILE"),
        (["--gif", "x.gif", "--episode", "1"], "--episode: expected a folder of self-play data"),
    ],
)
def test_a_slip_gets_one_line(
    short: Any, words: list[str], message: str, tmp_path: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = run(capsys, short[1], *words)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_a_video_without_its_library_says_what_installs_it(
    short: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "av", None)
    with pytest.raises(RoboRallyError, match=r'"roborally_env\[video\]".*.gif'):
        film(short[0], tmp_path / "race.mp4")
