"""`roborally play`: race against the bots in a browser, or in words in the terminal."""

from __future__ import annotations

import os
import shlex
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from roborally_env.base.checks import check_whole
from roborally_env.base.files import check_writable
from roborally_env.base.terminal import print_lines
from roborally_env.base.text import counted
from roborally_env.base.types import JsonObject, OptionValue
from roborally_env.cli.options import ManyValues, ManyValuesCommand, given_rules, some_path

if TYPE_CHECKING:
    from roborally_env.play.setup import PlaySetup


@click.command(cls=ManyValuesCommand)
@click.option(
    "--course", metavar="C", help="Course, by name or file: dizzy_highway, 2005/twister.  [default: the edition's]"
)
@click.option(
    "--opponents",
    cls=ManyValues,
    metavar="A...",
    help="Bots, or a level: easy, normal, hard, expert; none: human players only.  [default: planner greedy learned,"
    " as many as fit]",
)
@click.option("--humans", default=1, show_default=True, metavar="N", help="Number of human players; each gets a link.")
@click.option(
    "--name",
    "names",
    cls=ManyValues,
    metavar="NAME...",
    help="Names of the human players, in the order of their seats.",
)
@click.option("--edition", metavar="E", help="Rules: 2016, 2005, 2023, community.  [default: the course's edition]")
@click.option("--rules", cls=ManyValues, metavar="NAME=VALUE...", help="Rule options, such as upgrades=false.")
@click.option("--seed", type=int, metavar="N", help="Random seed.  [default: a new one]")
@click.option("--max-rounds", type=int, metavar="N", help="Stop the race after N rounds.  [default: no limit]")
@click.option(
    "--timer",
    is_flag=False,
    flag_value=30,
    type=int,
    metavar="[SECONDS]",
    help="Use the rules' timer for programming; 30 seconds unless given.  [default: no timer]",
)
@click.option(
    "--bot-time",
    type=int,
    metavar="SECONDS",
    help="When bots count as finished for the timer; 0: at once.  [default: 60]",
)
@click.option("--resume", metavar="FILE", callback=some_path, help="Resume a stopped race; FILE is its replay so far.")
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    metavar="H",
    help="Address to serve the page on; 0.0.0.0: the whole network.",
)
@click.option("--port", default=8000, show_default=True, metavar="N", help="Port; 0: any free one.")
@click.option("--guide", is_flag=True, help="Start a short race that explains the game step by step.")
@click.option("--text", is_flag=True, help="Race in the terminal, in words, without a browser.")
@click.option("--no-open", is_flag=True, help="Do not open the page in a browser.")
@click.option("--save", metavar="FILE", help="File for the replay.  [default: named after course and time]")
def play(
    timer: int | None,
    bot_time: int | None,
    resume: str | None,
    host: str,
    port: int,
    guide: bool,
    no_open: bool,
    text: bool,
    save: str | None,
    **options: OptionValue,
) -> int:
    """Race against the bots in your browser, or with --text in this terminal.

    Without a course, players or rules the command opens a start page on which you choose them. Only this machine can
    open the page, unless --host says otherwise. With --humans N each player gets a link, and so do spectators. The
    replay is written during the race; --resume continues a stopped race.
    """
    from roborally_env.play.guide import guided_setup
    from roborally_env.play.listener import serve
    from roborally_env.play.lobby import usual_path
    from roborally_env.play.race import going_on
    from roborally_env.play.table import Table

    check_whole(port, "--port", 0, 65535)
    source = click.get_current_context().get_parameter_source
    given = [name for name in (*options, "timer", "bot_time") if source(name) is ParameterSource.COMMANDLINE]
    if text:
        return _play_text(resume, save, given, {**options, "timer": timer, "bot_time": bot_time})
    place = None if save is None else _writable(Path(save))
    served: JsonObject = {"host": host, "port": port, "open_browser": not no_open, "say": _say}
    if guide and (resume is not None or set(given) - {"names"}):
        first = "resume" if resume is not None else next(name for name in given if name != "names")
        raise click.UsageError(f"--{first.replace('_', '-')}: --guide is always the same race for one person")
    if resume is not None:
        _check_resumed(given)
        race, keys = going_on(resume, options["opponents"] if given else None)
        table = Table(race.setup, place or Path(resume), log=_say, race=race)
        served["keys"] = keys
    elif given or guide:
        setup = guided_setup(options["names"]) if guide else _setup(options, timer, bot_time)
        table = Table(setup, place or _writable(usual_path(setup)), log=_say)
    else:
        table = None
        _print_unfinished(place)
    code = serve(table, place, **served)
    _leave_at_once_if_busy(code)
    return code


def _play_text(resume: str | None, save: str | None, given: list[str], options: JsonObject) -> int:
    """Play in the terminal; options of the web page, and those that a race in words does not have, are refused."""
    from roborally_env.play.race import PlayRace, going_on
    from roborally_env.text.terminal import check_setup, play_in_terminal

    source = click.get_current_context().get_parameter_source
    for name in ("host", "port", "guide", "no_open"):
        if source(name) is ParameterSource.COMMANDLINE:
            raise click.UsageError(f"--{name.replace('_', '-')} is for the page; leave it out with --text")
    place = None if save is None else _writable(Path(save))
    if resume is not None:
        _check_resumed(given)
        race, _ = going_on(resume, options["opponents"] if given else None)
        check_setup(race.setup)
        return play_in_terminal(race, place or Path(resume))
    setup = _setup(options, options["timer"], options["bot_time"])
    check_setup(setup)
    return play_in_terminal(PlayRace(setup), place)


def _check_resumed(given: list[str]) -> None:
    """Raise a UsageError for options of a new race."""
    new = [name for name in given if name != "opponents"]
    if new:
        word = "--name" if new[0] == "names" else f"--{new[0].replace('_', '-')}"
        raise click.UsageError(f"{word} belongs to a new race; leave it out with --resume")


def _setup(options: JsonObject, timer: int | None, bot_time: int | None) -> PlaySetup:
    """The race of the command's words."""
    from roborally_env.play.setup import check_play

    if bot_time is not None and timer is None:
        raise click.UsageError("--bot-time is for the timer; give --timer with it")
    return check_play(
        options["course"],
        list(options["opponents"]) or None,
        humans=options["humans"],
        edition=options["edition"],
        rules=given_rules(options["rules"]),
        seed=options["seed"],
        max_rounds=options["max_rounds"],
        names=options["names"],
        timer=timer,
        **({} if bot_time is None else {"bot_time": bot_time}),
    )


def _print_unfinished(place: Path | None) -> None:
    """Print a line about the newest race in the folder that was stopped."""
    from roborally_env.play.saved_race import unfinished

    found = unfinished(place.parent if place is not None else Path())
    if found:
        races, which = counted(len(found), "unfinished race"), "the newest" if len(found) > 1 else "it"
        _say(f"{races}; to resume {which}: roborally play --resume {shlex.quote(str(found[0]))}")


def _leave_at_once_if_busy(code: int) -> None:
    """End the process at once if a bot still thinks, a race is looked back on, or machine code is still compiled: the
    normal exit of the interpreter would free memory that the thread still uses."""
    from roborally_env.play.review_page import THREAD
    from roborally_env.play.table import Table

    names = {thread.name for thread in threading.enumerate() if thread.is_alive()}
    if names & {"race", THREAD} or Table.advising:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _say(line: str) -> None:
    with suppress(OSError):  # nobody reads, or no room: the race goes on
        print_lines(line, err=True)


def _writable(path: Path) -> Path:
    """The path, if a file can be written there when the race ends."""
    check_writable(path, "--save")
    return path
