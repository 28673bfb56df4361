"""The `roborally` command."""

import errno
import importlib
import os
import re
import sys
from collections.abc import Sequence
from contextlib import suppress
from traceback import format_exception

import click

from roborally_env.cli.console import replace_unknown_characters
from roborally_env.cli.options import HintGroup
from roborally_env.errors import RoboRallyError
from roborally_env.signals import termination_interrupts
from roborally_env.terminal import tell

NAMED = "ROBORALLY_EDITIONS"  # as in `roborally_env.editions`, which is imported only when it is used
# subcommand -> (module, function, one line for --help); imported only when run, so that --help is instant
COMMANDS = {
    "courses": ("roborally_env.cli.courses", "courses", "List the courses."),
    "draw": ("roborally_env.cli.courses", "draw", "Draw a course in the terminal."),
    "check": ("roborally_env.cli.courses", "check", "Check course files for mistakes."),
    "generate": ("roborally_env.cli.generate", "generate", "Generate courses."),
    "cards": ("roborally_env.cli.cards", "cards", "List the cards: cost, rule, rulings."),
    "compile": ("roborally_env.cli.compile", "compile_ahead", "Compile the machine code in advance."),
    "bench": ("roborally_env.cli.bench", "bench", "Measure the simulator."),
    "evaluate": ("roborally_env.cli.evaluate", "evaluate", "Race agents against each other."),
    "selfplay": ("roborally_env.cli.selfplay", "selfplay", "Record races as Parquet files."),
    "train": ("roborally_env.cli.train", "train", "Train a policy."),
    "benchmark": ("roborally_env.cli.benchmark", "benchmark", "Measure an agent with RoboRally-Bench."),
    "play": ("roborally_env.cli.play", "play", "Race against the bots in a browser."),
    "replay": ("roborally_env.cli.replay", "replay", "Check a replay and draw it."),
    "review": (
        "roborally_env.cli.review",
        "review_race",
        "Review a race: win probabilities, blunders, better programs.",
    ),
    "watch": ("roborally_env.cli.watch", "watch", "Write a race as a web page and open it."),
    "agent": ("roborally_env.cli.agent", "agent", "Create an agent of your own and check it."),
    "scenario": ("roborally_env.cli.scenario", "scenario", "Play scenario files and compare the outcomes."),
}

_MAY_NAME_A_MODULE = re.compile(r"--load|(.*=)?[^\W\d][\w.]*:[^\W\d][\w.]*(:|$)").match  # as my_bot:MyBot:depth=3
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)  # what is written goes nowhere, as on a full disk
_shown = {"traceback": False}  # whether errors are shown with their traceback


class LazyGroup(HintGroup):
    """A click group whose commands are imported when they are used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, function, _ = COMMANDS[cmd_name]
        command: click.Command = getattr(importlib.import_module(module), function)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, _, line) in COMMANDS.items()])


@click.group(cls=LazyGroup, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--load", "modules", metavar="MODULE", multiple=True, help="Import a module that registers an edition; repeatable."
)
@click.option("--traceback", is_flag=True, help="Show the full traceback of an error.")
@click.version_option(package_name="roborally_env", prog_name="roborally")
@click.pass_context
def cli(context: click.Context, modules: tuple[str, ...], traceback: bool) -> None:
    """Robo Rally as a reinforcement-learning environment.

    `roborally COMMAND --help` explains a command.
    """
    _shown["traceback"] = traceback
    if modules or os.environ.get(NAMED):
        os.environ[NAMED] = ",".join((*filter(None, [os.environ.get(NAMED)]), *modules))
        importlib.import_module("roborally_env.editions").load_named()
    if context.invoked_subcommand is None:
        tell(*context.get_help().splitlines())


def _raised_elsewhere(error: RoboRallyError) -> bool:
    """Whether an error tells about one that was raised by other code, such as an agent's."""
    return error.__cause__ is not None and not _shown["traceback"]


def _find_modules_here(words: Sequence[str]) -> None:
    """Let imports find the modules in the current folder, after all others, if the command names a module: an agent
    `my_bot:MyBot`, or an edition of --load.

    Else the folder may be a stranger's: a module in it would take the place of a library that is not installed.
    """
    if not (os.environ.get(NAMED) or any(map(_MAY_NAME_A_MODULE, words))):
        return
    with suppress(OSError):  # a folder that is gone
        if os.getcwd() not in sys.path:
            sys.path.append(os.getcwd())


def _is_of_output(error: OSError) -> bool:
    """Whether an error is that of what is printed, and not of a file by its name, or of anything else."""
    return error.filename is None and error.errno in _FULL


def _drop_output() -> None:
    """Let what is still to be printed go nowhere: Python would try again when it ends, and complain."""
    with suppress(OSError, AttributeError):  # a stream that is no file, or none at all
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def main(argv: list[str] | None = None) -> None:
    """Run the command line: exit code 0, 1 where a check failed or the output cannot be written, 2 with one line for a
    wrong input, 130 after Ctrl-C or SIGTERM."""
    _shown["traceback"] = False
    _find_modules_here(sys.argv[1:] if argv is None else argv)
    replace_unknown_characters()
    try:
        with termination_interrupts():
            code = cli.main(args=argv, prog_name="roborally", standalone_mode=False)
    except click.exceptions.Abort:
        tell("roborally: stopped", err=True)
        sys.exit(130)
    except click.UsageError as error:
        tell(*f"roborally: {error.format_message()}".splitlines(), err=True)
        sys.exit(2)
    except click.ClickException as error:
        tell(*f"roborally: {error.format_message()}".splitlines(), err=True)
        sys.exit(error.exit_code)
    except RoboRallyError as error:
        if _shown["traceback"]:
            tell(*"".join(format_exception(error)).splitlines(), err=True)
        hint = " (roborally --traceback ... shows where)" if _raised_elsewhere(error) else ""
        tell(f"roborally: {error}{hint}", err=True)
        sys.exit(2)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)
    except OSError as error:
        if _shown["traceback"] or not _is_of_output(error):
            raise
        _drop_output()
        tell(f"roborally: the output cannot be written: {error.strerror}", err=True)
        sys.exit(1)
    sys.exit(code if isinstance(code, int) else 0)
