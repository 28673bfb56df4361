"""`roborally agent new` and `roborally agent check`."""

from __future__ import annotations

import keyword
import os
import re
import sys
from importlib import resources
from pathlib import Path
from string import Template

import click

from roborally_env.base.errors import RoboRallyError
from roborally_env.base.files import write_whole
from roborally_env.base.terminal import print_as_json, print_lines
from roborally_env.cli.options import HintGroup, ManyValuesCommand

TEMPLATE = "assets/bot.txt"  # no Python file: it is filled in before it is one


@click.group(cls=HintGroup, invoke_without_command=True)
@click.pass_context
def agent(context: click.Context) -> None:
    """Create an agent of your own and check it."""
    if context.invoked_subcommand is None:
        print_lines(*context.get_help().splitlines())


@agent.command()
@click.argument("name")
def new(name: str) -> None:
    """Write a working agent, NAME.py, into the current folder as a starting point."""
    stem = _stem(name)
    path, class_name = Path(f"{stem}.py"), "".join(word.capitalize() for word in stem.split("_"))
    words = {"title": stem.replace("_", " ").strip().capitalize(), "name": stem, "file": path, "class_name": class_name}
    text = resources.files("roborally_env.cli").joinpath(TEMPLATE).read_text(encoding="utf-8")
    if os.path.lexists(path):
        raise RoboRallyError(f"{path} already exists; choose another name")
    write_whole(path, Template(text).substitute(words))
    spec = f"{path}:{class_name}"
    print_lines(f"Wrote {path} (agent {spec})")
    print_lines(f"check it:    roborally agent check {spec}")
    print_lines(f"let it race: roborally evaluate --agents {spec} greedy random --games 100")
    print_lines(f"race it:     roborally play --opponents {spec}")


def _stem(name: str) -> str:
    """The name of the file without its suffix."""
    stem = name.removesuffix(".py").replace("-", "_")
    if not re.fullmatch("[A-Za-z][A-Za-z0-9_]*", stem) or keyword.iskeyword(stem.lower()):
        raise RoboRallyError(
            f"NAME: expected letters, digits, - and _, a letter first, no Python keyword, such as my_bot, got {name!r}"
        )
    stem = stem.lower()
    if stem in sys.stdlib_module_names or stem == "roborally_env":
        raise RoboRallyError(
            f"NAME: there is a module {stem} already, which the file would hide; expected another name"
        )
    if re.fullmatch("con|prn|aux|nul|(com|lpt)[1-9]", stem):
        raise RoboRallyError(f"NAME: Windows keeps {stem} for a device; expected another name")
    return stem


@agent.command(cls=ManyValuesCommand)
@click.argument("spec", metavar="AGENT")
@click.option(
    "--edition", "editions", multiple=True, metavar="E", help="Check only this edition; repeatable.  [default: all]"
)
@click.option("--class", "asked_class", default="", metavar="C", help="Time class that its decisions must meet.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON and nothing else: a list of findings.")
def check(spec: str, editions: tuple[str, ...], asked_class: str, as_json: bool) -> int:
    """Test AGENT in short races of every edition and report problems. Exit code 1 if there are any.

    The command checks its attributes and methods; the shape, dtype and range of its answers; illegal programs and
    choices; errors; whether it decides the same when created again with the same seed; and its time per decision.
    """
    from roborally_env.evaluation.benchmark.checkup import check_agent

    found = []
    for finding in check_agent(spec, editions=editions, asked_class=asked_class):
        found.append(finding)
        if not as_json:
            print_lines(f"{'ok   ' if finding.ok else 'wrong'}  {finding.where}: {finding.text}")
    if as_json:
        print_as_json([finding._asdict() for finding in found])
    return 0 if all(finding.ok for finding in found) else 1
