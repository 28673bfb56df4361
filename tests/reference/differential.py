"""Compare the compiled core with the slow reference of an edition over random scenarios, as many as you have time for.

    python -m tests.reference.differential --edition 2005 --count 1000000 --workers 2

Prints the first difference as a picture with its scenario and exits 1; Ctrl-C stops with what was done.
"""

import argparse
import multiprocessing
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from .comparison import REFERENCES, difference_of_seed


@dataclass(frozen=True)
class Options:
    """The options of the command line."""

    edition: str = "2016"
    start: int = 0  # seed of the first scenario
    count: int = 100_000  # scenarios
    workers: int = 2  # processes
    block: int = 250  # scenarios handed to a process at once


@dataclass
class Tally:
    """What was done so far."""

    compared: int = 0
    skipped: int = 0  # only a shuffle could tell the outcome
    found: str | None = None  # the first difference


def read_options(arguments: list[str] | None = None) -> Options:
    """The options from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--edition", choices=REFERENCES, default=Options.edition, help=f"default {Options.edition}")
    for option in fields(Options)[1:]:
        parser.add_argument(f"--{option.name}", type=int, default=option.default, help=f"default {option.default}")
    options = Options(**vars(parser.parse_args(arguments)))
    for name, least in (("start", 0), ("count", 1), ("workers", 1), ("block", 1)):
        if getattr(options, name) < least:
            parser.error(f"--{name}: expected a whole number from {least}, got {getattr(options, name)}")
    return options


def compare_block(block: tuple[str, range]) -> Tally:
    """The scenarios of an edition and some seeds, up to the first difference."""
    tally = Tally()
    edition, seeds = block
    for seed in seeds:
        found = difference_of_seed(edition, seed)
        tally.compared += 1
        tally.skipped += found == ""
        if found:
            tally.found = found
            break
    return tally


def blocks(options: Options) -> Iterator[tuple[str, range]]:
    """The edition with its seeds, a block after the other."""
    end = options.start + options.count
    for first in range(options.start, end, options.block):
        yield options.edition, range(first, min(first + options.block, end))


@contextmanager
def mapper(workers: int) -> Iterator:
    """A function like `map`; over processes where there is more than one worker. Ctrl-C reaches this process alone."""
    if workers == 1:
        yield map
        return
    ignore = (signal.SIGINT, signal.SIG_IGN)
    with multiprocessing.get_context("spawn").Pool(workers, signal.signal, ignore) as pool:
        yield pool.imap_unordered


def main(options: Options) -> int:
    """Run the comparison; the exit code."""
    done = Tally()
    difference_of_seed(options.edition, options.start)  # compiles once, before the workers begin
    columns = (TextColumn("scenarios"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    try:
        with mapper(options.workers) as over, Progress(*columns) as progress:
            task = progress.add_task("", total=options.count)
            for part in over(compare_block, blocks(options)):
                done.compared += part.compared
                done.skipped += part.skipped
                progress.advance(task, part.compared)
                if part.found:
                    done.found = part.found
                    break
    except KeyboardInterrupt:
        print("stopped")
    if done.found:
        print(done.found)
    print(
        f"{done.compared} scenarios compared, {done.skipped} of them skipped for chance, "
        f"{'a difference found' if done.found else 'no difference'}"
    )
    return 1 if done.found else 0


if __name__ == "__main__":
    sys.exit(main(read_options()))
