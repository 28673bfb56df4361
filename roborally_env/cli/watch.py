"""`roborally watch`: a replay, or races of self-play data, as pages for the browser, or as a GIF or video."""

from __future__ import annotations

import os
import re
import webbrowser
from pathlib import Path

import click

from roborally_env.base.errors import RoboRallyError
from roborally_env.base.files import without_links
from roborally_env.base.terminal import print_lines
from roborally_env.cli.options import some_path
from roborally_env.cli.races import progress_bar
from roborally_env.cli.replay import errors_named, is_data, load_race
from roborally_env.replay import Replay, load
from roborally_env.watch.races import replay_page, write_page


@click.command()
@click.argument("file", metavar="REPLAY", callback=some_path)
@click.option("--episode", type=int, metavar="N", help="Race number, if REPLAY is a folder of self-play data.")
@click.option("--out", type=click.Path(), metavar="PAGE", help="File for the page.  [default: next to the replay]")
@click.option("--title", default="", metavar="TEXT", help="Title of the page.  [default: the course]")
@click.option("--review", "reviewed", is_flag=True, help="Add a review: win probabilities, blunders, better programs.")
@click.option("--simulations", type=int, metavar="N", help="Simulations per program, with --review.  [default: 24000]")
@click.option(
    "--open/--no-open",
    "opened",
    default=None,
    help="Open the page in the browser.  [default: yes, unless --out is given]",
)
@click.option(
    "--gif",
    "--video",
    "film",
    type=click.Path(),
    metavar="FILE",
    help='Write an animation, .gif, .mp4 or .webm, instead of a page. A video needs "roborally_env[video]".',
)
@click.option(
    "--card",
    type=click.Path(),
    metavar="FILE",
    help="Write a card to send to a friend, one .html file: turning point, chances, worst blunder, better program.",
)
@click.option("--rounds", metavar="A-B", help="Animation: only these rounds, such as 3-5 or 4.")
@click.option("--width", type=int, metavar="N", help="Animation: width in pixels.  [default: 640]")
@click.option("--speed", type=float, metavar="X", help="Animation: X times as fast.")
def watch(
    file: str,
    episode: int | None,
    out: str | None,
    title: str,
    reviewed: bool,
    simulations: int | None,
    opened: bool | None,
    film: str | None,
    card: str | None,
    rounds: str | None,
    width: int | None,
    speed: float | None,
) -> None:
    """Write the race of REPLAY as one self-contained HTML page and open it in the browser.

    If the race differs from its recording, or was recorded with another version of the rules, the page says so and
    shows as much as possible. REPLAY may be a folder of self-play data: --episode selects one of its races; without
    it, the command writes the closest finish, the race with the most reboots, a win of each agent and a page that
    lists them.

    With --review the page also shows each robot's win probability, marks blunders and brilliant programs, and shows
    what a search would have done instead; `roborally review` reports the same in the terminal.
    """
    if simulations is not None and not reviewed and card is None:
        raise click.UsageError("--simulations: goes with --review or --card")
    if card is not None:
        if film is not None or reviewed:
            raise click.UsageError("--card: goes without --gif, --video and --review")
        path = _write_card(file, episode, card, title, simulations)
        print_lines(str(path))
        if opened:
            _open(path)
        if out is None:
            return
        opened = None
    if film is not None:
        _film(file, episode, film, rounds, width, speed)
        if out is None:
            return
    else:
        for name, value in (("--rounds", rounds), ("--width", width), ("--speed", speed)):
            if value is not None:
                raise click.UsageError(f"{name} goes with --gif FILE")
    page = _write_review(file, episode, out, title, simulations) if reviewed else _write(file, episode, out, title)
    print_lines(str(page))
    if opened if opened is not None else out is None:
        _open(page)


def _film(
    file: str, episode: int | None, path: str, rounds: str | None, width: int | None, speed: float | None
) -> None:
    """Write a race as a moving picture."""
    from roborally_env.film import WIDTH, film  # what draws is needed for this alone

    doubts: list[str] = []
    replay = _race(file, episode, doubts)
    if without_links(file) == without_links(path):
        raise RoboRallyError(f"{path}: the picture would take the place of {file}")
    for doubt in doubts:
        print_lines(f"note: {doubt}; what is shown may not be the race that was played", err=True)
    with progress_bar(None, "frames") as progress:
        film(
            replay,
            path,
            rounds=None if rounds is None else _span(rounds),
            width=WIDTH if width is None else width,
            speed=1.0 if speed is None else speed,
            progress=progress,
        )
    print_lines(path)


def _span(text: str) -> tuple[int, int]:
    """The rounds "3-5" or "4"."""
    found = re.fullmatch(r"(\d{1,6})(?:-(\d{1,6}))?", text.strip())
    if not found:
        raise click.UsageError(f"--rounds: expected the first and the last round, as 3-5, or one, got {text!r}")
    return int(found[1]), int(found[2] or found[1])


def _race(file: str, episode: int | None, doubts: list[str]) -> Replay:
    """The one race that is meant."""
    if not is_data(file):
        if episode is not None:
            raise click.UsageError(f"--episode: expected a folder of self-play data, got {file}")
        return load(file, doubts)
    if episode is None:
        raise click.UsageError(f"{file}: self-play data: --gif goes with --episode N")
    from roborally_env.selfplay import load as load_data

    return load_data(file).replay(episode)


def _write(file: str, episode: int | None, out: str | None, title: str) -> Path:
    """Write the page or pages; returns the one to open."""
    if not is_data(file):
        doubts: list[str] = []
        replay = _race(file, episode, doubts)
        return _write_page(replay, Path(out) if out else Path(file).with_suffix(".html"), title, doubts, Path(file))
    from roborally_env.selfplay import load as load_data

    data = load_data(file)
    if episode is not None:
        path = Path(out) if out else data.folder / "watch" / f"episode_{episode}.html"
        return _write_page(data.replay(episode), path, title)
    if title or out:
        raise click.UsageError(f"{file}: self-play data: --out and --title go with --episode N")
    from roborally_env.selfplay.pages import write_pages

    return write_pages(data)


def _write_review(file: str, episode: int | None, out: str | None, title: str, simulations: int | None) -> Path:
    """Look back on the race and write the page; returns its path."""
    from roborally_env.review import review
    from roborally_env.review.builder import SIMULATIONS
    from roborally_env.review.pages import review_page

    replay = load_race(file, episode)
    path = Path(out) if out else _usual_review(file, episode)
    _check_page(path, None if is_data(file) else Path(file))
    with errors_named(file, episode), progress_bar(len(replay.rounds), "rounds") as progress:
        found = review(replay, simulations=SIMULATIONS if simulations is None else simulations, progress=progress)
    write_page(review_page(replay, found, title=title), path)
    return path


def _write_card(file: str, episode: int | None, card: str, title: str, simulations: int | None) -> Path:
    """Write the card of a race; returns its path."""
    from roborally_env.review import review
    from roborally_env.review.builder import SIMULATIONS
    from roborally_env.review.card import card as card_of

    path = Path(card)
    if path.suffix.lower() not in (".html", ".htm"):
        raise RoboRallyError(f"--card {card}: expected a file name that ends in .html")
    replay = load_race(file, episode)
    _check_page(path, None if is_data(file) else Path(file))
    with errors_named(file, episode), progress_bar(len(replay.rounds), "rounds") as progress:
        found = review(replay, simulations=SIMULATIONS if simulations is None else simulations, progress=progress)
    write_page(card_of(replay, found, title=title), path)
    return path


def _usual_review(file: str, episode: int | None) -> Path:
    """Where the page of a review goes: beside the replay, or with the other pages of the data."""
    if not is_data(file):
        return Path(file).with_name(f"{Path(file).stem}_review.html")
    from roborally_env.selfplay import load as load_data

    return load_data(file).folder / "watch" / f"episode_{episode}_review.html"


def _write_page(
    replay: Replay, path: Path, title: str, doubts: list[str] | None = None, source: Path | None = None
) -> Path:
    _check_page(path, source)
    write_page(replay_page(replay, doubts=doubts or (), title=title), path)
    return path


def _check_page(path: Path, source: Path | None) -> None:
    """Raise an error for a page that cannot be written there; `source` is the file of the replay."""
    if os.path.isdir(path):
        raise RoboRallyError(f"{path}: expected the name of a page, got a folder")
    if source is not None and without_links(path) == without_links(source):
        raise RoboRallyError(f"{path}: the page would take the place of the replay; say --out")


def _open(page: Path) -> None:
    """Open a page in the browser, if there is one."""
    if not webbrowser.open(page.resolve().as_uri()):
        print_lines("no browser was found: open the page yourself", err=True)
