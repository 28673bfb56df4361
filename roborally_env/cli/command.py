"""The `roborally` command."""

import atexit
import errno
import gc
import os
import re
import sys
from collections.abc import Sequence
from contextlib import suppress
from traceback import format_exception

import click

from roborally_env.base.errors import RoboRallyError
from roborally_env.base.signals import termination_interrupts
from roborally_env.base.terminal import deprecations_on_stderr, log_on_stderr, print_lines
from roborally_env.cli.console import replace_unknown_characters
from roborally_env.cli.options import HintGroup

NAMED = "ROBORALLY_EDITIONS"  # as in `roborally_env.editions`, which is imported only when it is used
# subcommand -> one line for --help
COMMANDS = {
    "courses": "List the courses.",
    "draw": "Draw a course in the terminal.",
    "check": "Check course files for mistakes.",
    "generate": "Generate courses.",
    "cards": "List the cards: cost, rule, rulings.",
    "compile": "Compile the machine code in advance.",
    "bench": "Measure the simulator.",
    "evaluate": "Race agents against each other.",
    "crossplay": "Race each agent alone against each other one.",
    "selfplay": "Record races as Parquet files.",
    "train": "Train a policy.",
    "exploit": "Train a best response to an agent.",
    "benchmark": "Measure an agent with RoboRally-Bench.",
    "play": "Race against the bots in a browser.",
    "replay": "Check a replay and draw it.",
    "review": "Review a race: win probabilities, blunders, better programs.",
    "watch": "Write a race as a web page and open it.",
    "agent": "Create an agent of your own and check it.",
    "engine": "Answer other programs as an agent, in lines of JSON.",
    "scenario": "Play scenario files and compare the outcomes.",
}

_MAY_NAME_A_MODULE = re.compile(r"--load|(.*=)?[^\W\d][\w.]*:[^\W\d][\w.]*(:|$)").match  # as my_bot:MyBot:depth=3
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)  # what is written goes nowhere, as on a full disk
_shown = {"traceback": False}  # whether errors are shown with their traceback


class LazyGroup(HintGroup):
    """A click group whose commands are imported when they are used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """A subcommand, imported only now, so that --help is instant."""
        found: click.Command
        match cmd_name:
            case "courses":
                from roborally_env.cli.courses import courses as found
            case "engine":
                from roborally_env.cli.engine import engine as found
            case "draw":
                from roborally_env.cli.courses import draw as found
            case "check":
                from roborally_env.cli.courses import check as found
            case "generate":
                from roborally_env.cli.generate import generate as found
            case "cards":
                from roborally_env.cli.cards import cards as found
            case "compile":
                from roborally_env.cli.compile import compile_ahead as found
            case "bench":
                from roborally_env.cli.bench import bench as found
            case "evaluate":
                from roborally_env.cli.evaluate import evaluate as found
            case "crossplay":
                from roborally_env.cli.crossplay import crossplay as found
            case "selfplay":
                from roborally_env.cli.selfplay import selfplay as found
            case "train":
                from roborally_env.cli.train import train as found
            case "exploit":
                from roborally_env.cli.exploit import exploit as found
            case "benchmark":
                from roborally_env.cli.benchmark import benchmark as found
            case "play":
                from roborally_env.cli.play import play as found
            case "replay":
                from roborally_env.cli.replay import replay as found
            case "review":
                from roborally_env.cli.review import review_race as found
            case "watch":
                from roborally_env.cli.watch import watch as found
            case "agent":
                from roborally_env.cli.agent import agent as found
            case "scenario":
                from roborally_env.cli.scenario import scenario as found
            case _:
                return None
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


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
        from roborally_env.editions import load_named

        load_named()
    if context.invoked_subcommand is None:
        print_lines(*context.get_help().splitlines())


def _raised_elsewhere(error: RoboRallyError) -> bool:
    """Whether an error reports one of other code, such as an agent's."""
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
    with suppress(OSError, AttributeError):  # a stream that is not a file, or none
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def _leave_garbage() -> None:
    """Keep Python from looking through all that compiling left behind before it ends, which takes seconds."""
    cache = sys.modules.get("roborally_env.compiling.cache")
    if cache is not None and cache.saved():
        gc.freeze()


def run(argv: list[str] | None = None) -> None:
    """Run the command line: exit code 0, 1 where a check failed or the output cannot be written, 2 with one line for a
    wrong input, 130 after Ctrl-C or SIGTERM."""
    _shown["traceback"] = False
    if argv is None:
        atexit.register(_leave_garbage)
    _find_modules_here(sys.argv[1:] if argv is None else argv)
    replace_unknown_characters()
    try:
        with termination_interrupts(), log_on_stderr(), deprecations_on_stderr():
            code = cli.main(args=argv, prog_name="roborally", standalone_mode=False)
    except click.exceptions.Abort:
        print_lines("roborally: stopped", err=True)
        sys.exit(130)
    except click.UsageError as error:
        print_lines(*f"roborally: {error.format_message()}".splitlines(), err=True)
        sys.exit(2)
    except click.ClickException as error:
        print_lines(*f"roborally: {error.format_message()}".splitlines(), err=True)
        sys.exit(error.exit_code)
    except RoboRallyError as error:
        if _shown["traceback"]:
            print_lines(*"".join(format_exception(error)).splitlines(), err=True)
        hint = " (roborally --traceback ... shows where)" if _raised_elsewhere(error) else ""
        print_lines(f"roborally: {error}{hint}", err=True)
        sys.exit(2)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)
    except OSError as error:
        if _shown["traceback"] or not _is_of_output(error):
            raise
        _drop_output()
        print_lines(f"roborally: the output cannot be written: {error.strerror}", err=True)
        sys.exit(1)
    sys.exit(code if isinstance(code, int) else 0)
