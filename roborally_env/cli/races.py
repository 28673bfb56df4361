"""The options of commands that let agents race, and what these commands share."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps

import click
from rich.console import Console, RenderableType
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.text import Text

from roborally_env.arguments import course_source
from roborally_env.base.checks import check_whole
from roborally_env.base.terminal import is_terminal
from roborally_env.base.threads import cores
from roborally_env.base.types import Function, OptionValue
from roborally_env.cli.options import ManyValues, given_rules
from roborally_env.compiling.progress import shown_by
from roborally_env.courses import course_names
from roborally_env.courses.model import DEFAULT_EDITION
from roborally_env.evaluation.setup import MAX_ROUNDS

RACES = ("games", "players", "edition", "seed", "max_rounds", "decisions")  # options of races that go on as they are
AGENTS = click.option(
    "--agents",
    cls=ManyValues,
    metavar="A...",
    help="Agents that race: planner greedy, planner:simulations=300, my_bot.py:MyBot.",
)


def race_options(games: int, agents: bool = True) -> Callable[[Function], Function]:
    """The options for agents (without them if they are arguments), courses and races; `games` is the default of
    --games.

    The command gets `chosen`, a CourseSource, `races` (the arguments of `check_setup`) and, as of `worker_options`,
    `by`.
    """
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

    def add(command: Function) -> Function:
        @wraps(command)
        def gathered(
            courses: tuple[str, ...], all_courses: bool, rules: tuple[str, ...], lighter: bool, **given: OptionValue
        ) -> int:
            races = {name: given.pop(name) for name in RACES} | {"rules": given_rules(rules, lighter)}
            edition = races["edition"]
            chosen = course_source(chosen_courses(courses, all_courses, edition), edition)  # files are read once
            return int(command(chosen=chosen, races=races, **given))

        whole = worker_options(gathered)
        for option in reversed(options):
            whole = option(whole)
        return whole

    return add


def worker_options(command: Function) -> Function:
    """Add the options of a command that shares out its races: it gets `by`, the arguments `workers` and `ray`."""
    ray = click.option("--ray", metavar="ADDRESS", help="Play on a Ray cluster: auto, HOST:PORT or ray://HOST:PORT.")
    workers = click.option("--workers", type=int, metavar="N", help="Number of processes.  [default: one per core]")

    @wraps(command)
    def gathered(workers: int | None, ray: str | None, **given: OptionValue) -> int:
        return int(command(by={"workers": chosen_workers(workers, ray), "ray": ray}, **given))

    return workers(ray(gathered))


def chosen_workers(workers: int | None, ray: str | None) -> int:
    """The number of processes of --workers, or one for each core."""
    if workers is not None and ray is not None:
        raise click.UsageError("expected either --workers or --ray, not both: a cluster has as many workers as cores")
    return check_whole(cores() if workers is None else workers, "workers", 1, 1024)


def no_agents() -> tuple[str, ...]:
    """Raise the error of a command without --agents."""
    raise click.UsageError("Missing option '--agents', as in --agents planner greedy random")


def chosen_courses(courses: tuple[str, ...], all_courses: bool, edition: str | None) -> list[str] | None:
    """The courses of --course and --all-courses; None without either."""
    if all_courses and courses:
        raise click.UsageError("expected either --course or --all-courses, not both")
    if all_courses:
        edition = edition or DEFAULT_EDITION
        return [f"{edition}/{name}" for name in course_names(edition)]
    return list(courses) or None


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
def progress_bar(total: int | None, what: str = "races") -> Iterator[Callable[[int, int], None] | None]:
    """Races (or courses, frames) done and the time left, on stderr; above it what is compiled. Without a terminal there
    is none, as a bar would leave an empty line. total: None where only the first call knows it."""
    if not is_terminal(sys.stderr):
        yield None
        return
    counts = (TextColumn(what), BarColumn(), MofNCompleteColumn())
    columns = (*counts, TimeElapsedColumn(), TextColumn("left"), TimeRemainingColumn())
    with _Bar(*columns, console=Console(stderr=True), transient=True) as bar, shown_by(bar.say):
        task = bar.add_task("", total=total)
        yield lambda done, all_: bar.update(task, completed=done, total=all_)
