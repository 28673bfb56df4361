"""`roborally play`: race against the bots in a browser."""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path

import click

from roborally_env.arguments import check_whole
from roborally_env.cli.options import ManyValues, ManyValuesCommand, read_rules
from roborally_env.errors import RoboRallyError


@click.command(cls=ManyValuesCommand)
@click.option("--course", metavar="C", help="By name or file: dizzy_highway, 2005/twister.  [default: the edition's]")
@click.option(
    "--opponents",
    cls=ManyValues,
    metavar="A...",
    help="Bots, as planner greedy learned; none: people only.  [default: planner greedy learned, as many as fit]",
)
@click.option("--humans", default=1, show_default=True, metavar="N", help="How many people play; each gets a link.")
@click.option(
    "--name", "names", cls=ManyValues, metavar="NAME...", help="The people's names, in the order of their seats."
)
@click.option(
    "--edition", metavar="E", help="The rules: 2016, 2005, 2023, community; those of the course, if not given."
)
@click.option("--rules", cls=ManyValues, metavar="NAME=VALUE...", help="Rule options, as upgrades=false.")
@click.option("--seed", type=int, metavar="N", help="Another seed: another race; a random one, if not given.")
@click.option("--max-rounds", type=int, metavar="N", help="Rounds after which the race is cut; never, if not given.")
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    metavar="H",
    help="Where the page is served; 0.0.0.0: to the whole network.",
)
@click.option("--port", default=8000, show_default=True, metavar="N", help="The port there; 0: any free one.")
@click.option("--no-open", is_flag=True, help="Do not open the page in a browser.")
@click.option("--save", metavar="FILE", help="Where the replay goes; a file named by course and time, if not given.")
def play(
    course: str | None,
    opponents: tuple[str, ...],
    humans: int,
    names: tuple[str, ...],
    edition: str | None,
    rules: tuple[str, ...],
    seed: int | None,
    max_rounds: int | None,
    host: str,
    port: int,
    no_open: bool,
    save: str | None,
) -> int:
    """Race against the bots on a page in your browser.

    The page is served on this machine alone, unless --host says otherwise. With --humans N each player gets a link.
    The replay is saved at the end, and on Ctrl-C.
    """
    from roborally_env.play.serving import serve
    from roborally_env.play.setup import check_play
    from roborally_env.play.table import usual_path

    check_whole(port, "--port", 0, 65535)
    setup = check_play(
        course,
        list(opponents) or None,
        humans=humans,
        edition=edition,
        rules=read_rules(rules),
        seed=seed,
        max_rounds=max_rounds,
        names=names,
    )
    path = _writable(Path(save) if save else usual_path(setup))
    code = serve(setup, path, host=host, port=port, open_browser=not no_open, say=_say)
    _leave_at_once_if_busy(code)
    return code


def _leave_at_once_if_busy(code: int) -> None:
    """End the process at once if a bot still thinks, a race is looked back on, or machine code is still compiled: the
    normal exit of the interpreter would free memory that the thread still uses."""
    from roborally_env.play.looking_back import THREAD

    if any(thread.name in ("race", THREAD) and thread.is_alive() for thread in threading.enumerate()):
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _say(line: str) -> None:
    click.echo(line, err=True)


def _writable(path: Path) -> Path:
    """The path, if a file can be written there when the race ends."""
    if os.path.isdir(path):  # Path.is_dir raises if a name is too long
        raise RoboRallyError(f"--save {path}: expected a file, this is a folder")
    existed = os.path.exists(path)
    try:
        with path.open("a", encoding="utf-8"):
            pass
        if not existed:
            path.unlink()
    except OSError as error:
        raise RoboRallyError(f"--save {path}: cannot be written: {error.strerror or error}") from None
    return path
