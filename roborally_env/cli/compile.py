"""`roborally compile`."""

import os
import time

import click

from roborally_env.base.terminal import print_as_json, print_lines
from roborally_env.cli.options import ManyValues, ManyValuesCommand


@click.command(name="compile", cls=ManyValuesCommand)
@click.option(
    "--edition", "editions", cls=ManyValues, metavar="NAME...", help="Editions: 2016 (default), 2005, 2023, community."
)
@click.option("--all", "everything", is_flag=True, help="Compile every edition.")
@click.option(
    "--portable",
    is_flag=True,
    help="Compile for the level x86-64-v3, which processors since 2015 have, so that other machines can load it.",
)
@click.option("--jobs", type=click.IntRange(1, 256), default=1, show_default=True, help="Number of processes.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON and nothing else.")
def compile_ahead(editions: tuple[str, ...], everything: bool, portable: bool, jobs: int, as_json: bool) -> None:
    """Compile the simulator, the bots and the scenario runner in advance.

    Otherwise each command compiles code when it first needs it. The machine code is cached in ROBORALLY_CACHE, or in
    the user's cache folder. All environments on the machine share it if they have the same versions of the package's
    compiled sources, numba and Python, and the same kind of processor, or with --portable the same level.
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from roborally_env import precompile
    from roborally_env.base.text import counted
    from roborally_env.cli.tables import Column, print_table
    from roborally_env.compiling import machine
    from roborally_env.courses import EDITIONS
    from roborally_env.courses.model import DEFAULT_EDITION

    if everything and editions:
        raise click.UsageError("expected --edition or --all, got both")
    if portable:
        os.environ[machine.VARIABLE] = machine.PORTABLE  # for this process and those that share the work
    names = list(EDITIONS) if everything else list(editions or [DEFAULT_EDITION])
    notes = Console(stderr=True)
    start = time.perf_counter()
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=notes, disable=not notes.is_terminal or jobs == 1, transient=True) as bar:
        task = bar.add_task("compiling", total=None)

        def progress(what: str, done: int, parts: int) -> None:
            bar.update(task, description=what, completed=done, total=parts)

        done = precompile.compile_ahead(names, jobs=jobs, progress=progress)
    report = precompile.report_of(done, time.perf_counter() - start)
    if as_json:
        print_as_json(report)
        return
    heads = (Column("edition", left=True), Column("what", left=True), Column("seconds"), Column("new files", rank=1))
    print_table(heads, [(each.edition, each.what, f"{each.seconds:.1f}", str(each.files)) for each in done])
    size = f"{counted(report['files'], 'file')}, {report['megabytes']:.1f} MB"
    print_lines(f"{report['seconds']:.1f} s; {size} in {report['folder']}")
