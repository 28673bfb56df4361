"""The options of commands that let agents race, and what these commands share."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, fields
from functools import cached_property, wraps
from typing import Any

import click
from rich.console import Console, RenderableType
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.text import Text

from roborally_env.arguments import CourseSource, course_source
from roborally_env.base.checks import check_whole
from roborally_env.base.terminal import print_lines
from roborally_env.base.text import counted
from roborally_env.cli.options import ManyValues, read_rules
from roborally_env.compiling.progress import shown_by
from roborally_env.courses import course_names
from roborally_env.courses.model import DEFAULT_EDITION
from roborally_env.evaluation.setup import MAX_ROUNDS

AGENTS = click.option(
    "--agents",
    cls=ManyValues,
    metavar="A...",
    help="Agents that race: planner greedy, planner:simulations=300, my_bot.py:MyBot.",
)


@dataclass
class RaceArguments:
    """What the race options of a command say, as `race_options` hands it on. Wrong values raise when they are used."""

    agents: tuple[str, ...]
    courses: tuple[str, ...]
    all_courses: bool
    edition: str | None
    rules: tuple[str, ...]
    lighter: bool
    workers: int | None
    ray: str | None
    others: dict[str, Any]  # those that functions take as they are

    @cached_property
    def source(self) -> CourseSource:
        """The courses of --course and --all-courses, read once."""
        if self.all_courses and self.courses:
            raise click.UsageError("expected either --course or --all-courses, not both")
        edition, words = self.edition, list(self.courses)
        if self.all_courses:
            edition = edition or DEFAULT_EDITION
            words = [f"{edition}/{name}" for name in course_names(edition)]
        return course_source(words or None, self.edition)

    @property
    def race(self) -> dict[str, Any]:
        """The arguments of `check_setup` and `evaluate` beside the agents and the courses."""
        return {**self.others, "edition": self.edition, "rules": read_rules(self.rules, self.lighter)}

    @property
    def playing(self) -> dict[str, Any]:
        """The arguments that say who plays the races."""
        return {"workers": chosen_workers(self.workers, self.ray), "ray": self.ray}


def race_options(games: int, agents: bool = True) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """The options for agents (without them if they are arguments), courses and races, of which the command gets
    RaceArguments as `asked`; `games` is the default of --games."""
    options = (
        *([AGENTS] if agents else []),
        click.option(
            "--course",
            "courses",
            cls=ManyValues,
            metavar="C...",
            help="Courses, by name or file: dizzy_highway 2005/twister; generated:difficulty=3: a new one each race.",
        ),
        click.option("--all-courses", is_flag=True, help="Use all courses of the edition."),
        click.option("--games", default=games, show_default=True, metavar="N", help="Number of races on each course."),
        click.option(
            "--players", type=int, metavar="N", help="Players in a race.  [default: depends on agents and course]"
        ),
        click.option(
            "--edition", metavar="E", help="Rules: 2016, 2005, 2023, community.  [default: the courses' edition]"
        ),
        click.option("--seed", default=0, show_default=True, metavar="N", help="Random seed."),
        click.option(
            "--max-rounds", default=MAX_ROUNDS, show_default=True, metavar="N", help="Stop a race after N rounds."
        ),
        click.option(
            "--rules",
            cls=ManyValues,
            metavar="NAME=VALUE...",
            help="Rule options, such as upgrades=false advanced=true.",
        ),
        click.option("--lighter", is_flag=True, help="Play the lighter game of 2016, without upgrades."),
        click.option(
            "--decisions",
            default="program",
            show_default=True,
            metavar="D",
            help="Decisions of the agents; program: programs and purchases; all: every choice.",
        ),
    )

    def add(function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def gathered(**given: Any) -> Any:
            own = {each.name: given.pop(each.name) for each in fields(RaceArguments) if each.name in given}
            others = {name: given.pop(name) for name in ("games", "players", "seed", "max_rounds", "decisions")}
            return function(asked=RaceArguments(**own, others=others), **given)

        command = worker_options(gathered)
        for option in reversed(options):
            command = option(command)
        return command

    return add


def worker_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of a command that shares out its races."""
    ray = click.option("--ray", metavar="ADDRESS", help="Play on a Ray cluster: auto, HOST:PORT or ray://HOST:PORT.")
    workers = click.option("--workers", type=int, metavar="N", help="Number of processes.  [default: one per core]")
    return workers(ray(command))


def chosen_workers(workers: int | None, ray: str | None) -> int:
    """The number of processes of --workers, or one for each core."""
    if workers is not None and ray is not None:
        raise click.UsageError("expected either --workers or --ray, not both: a cluster has as many workers as cores")
    return check_whole(cores() if workers is None else workers, "workers", 1, 1024)


def no_agents() -> tuple[str, ...]:
    """Raise the error of a command without --agents."""
    raise click.UsageError("Missing option '--agents', as in --agents planner greedy random")


def stopped(done: int, total: int, resumes: bool = True) -> int:
    """Say that a command was stopped after so many races; returns its exit code."""
    more = "; the same command resumes" if resumes else ""
    print_lines(f"roborally: stopped after {done} of {counted(total, 'race')}{more}", err=True)
    return 130


def cores() -> int:
    """The processor cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class _Bar(Progress):
    """A progress bar with a line above it, if there is something to say."""

    line = ""

    def get_renderables(self) -> Iterator[RenderableType]:
        """What is drawn, from above."""
        if self.line:
            yield Text(self.line, no_wrap=True, overflow="ellipsis")
        yield from super().get_renderables()

    def say(self, line: str) -> None:
        """Draw this line above the bar."""
        self.line = line
        self.refresh()


@contextmanager
def progress_bar(total: int | None, what: str = "races") -> Iterator[Callable[[int, int], None]]:
    """Races (or courses, frames) done and the time left, on stderr; above it what is compiled. total: None where only
    the first call knows it."""
    counts = (TextColumn(what), BarColumn(), MofNCompleteColumn())
    columns = (*counts, TimeElapsedColumn(), TextColumn("left"), TimeRemainingColumn())
    with _Bar(*columns, console=Console(stderr=True), transient=True) as bar, shown_by(bar.say):
        task = bar.add_task("", total=total)
        yield lambda done, all_: bar.update(task, completed=done, total=all_)


@contextmanager
def progress_on_terminal(total: int | None, what: str = "races") -> Iterator[Callable[[int, int], None] | None]:
    """`progress_bar`, or None without a terminal: there is nothing to draw on, and it would leave an empty line."""
    with progress_bar(total, what) if sys.stderr.isatty() else nullcontext() as progress:
        yield progress
