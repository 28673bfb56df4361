"""`roborally scenario`: play scenario files and compare the outcome."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

import click

from roborally_env.base.documents import LINE
from roborally_env.base.errors import RoboRallyError, ScenarioError
from roborally_env.base.terminal import print_as_json, print_lines
from roborally_env.base.types import JsonObject
from roborally_env.cli.options import some_path
from roborally_env.scenario import differences, load
from roborally_env.scenario.load import parse

_LONGEST_SKIPPED = 64 << 20  # bytes of a line, of which the end is looked for


@click.command()
@click.argument("files", nargs=-1, metavar="[FILE]...", callback=some_path)
@click.option("--json", "as_json", is_flag=True, help="Print the outcome of a single FILE as JSON and nothing else.")
@click.option(
    "--json-lines",
    "lines",
    metavar="FILE",
    callback=some_path,
    help="Read one scenario per line and write one outcome per line; -: stdin.",
)
def scenario(files: tuple[str, ...], as_json: bool, lines: str | None) -> int:
    """Play each scenario FILE and compare it with its "expect". Exit code 1 if they differ.

    With --json-lines the command answers a line that it cannot play with {"error": "..."} and continues.
    """
    if lines is not None:
        if files or as_json:
            raise click.UsageError("--json-lines: expected it alone, without other files and --json")
        return _run_lines(lines)
    if not files:
        raise click.UsageError("Missing argument 'FILE...', or --json-lines FILE")
    if as_json and len(files) != 1:
        raise click.UsageError(f"--json: expected one file, got {len(files)}")
    return max([_run_file(file, as_json) for file in files])


def _run_file(file: str, as_json: bool) -> int:
    """Play one file and print the outcome; returns the exit code."""
    try:
        outcome, found = _play(file)
    except RoboRallyError as error:
        print_lines(f"roborally: {error}", err=True)
        return 2
    if as_json:
        print_as_json(outcome, None)
    elif not found:
        print_lines(f"{file}: ok")
    for difference in found:
        print_lines(f"{file}: {difference}", err=as_json)
    return 1 if found else 0


def _play(file: str) -> tuple[JsonObject, list[str]]:
    """The outcome of a file, and its differences from the file's expectation."""
    loaded = load(file)
    try:
        outcome = loaded.run()
    except RoboRallyError as error:
        raise ScenarioError(f"{file}: {error}") from None
    return outcome, differences(loaded.expect, outcome) if loaded.expect is not None else []


def _run_lines(file: str) -> int:
    with _opened(file) as source:
        while line := source.readline(LINE.size + 1):
            sys.stdout.write(_outcome_line(line) + "\n")
            _skip_rest(source, line, file)
    sys.stdout.flush()
    return 0


def _skip_rest(source: IO[bytes], line: bytes, file: str) -> None:
    """Read on to the end of a line that is too long. Raises RoboRallyError if it has none, as that of /dev/zero."""
    left = _LONGEST_SKIPPED
    while len(line) > LINE.size and not line.endswith(b"\n"):
        if left <= 0:
            raise ScenarioError(
                f"{file}: a line of more than {_LONGEST_SKIPPED >> 20} MB; expected one scenario a line"
            )
        left -= len(line)
        line = source.readline(LINE.size + 1)


@contextmanager
def _opened(file: str) -> Iterator[IO[bytes]]:
    if file == "-":
        yield sys.stdin.buffer
        return
    try:
        source = open(file, "rb")  # noqa: SIM115 - closed below
    except OSError as error:
        why = error.strerror or error
        raise ScenarioError(f"{file}: cannot be read: {why}; expected one scenario a line") from None
    with source:
        yield source


def _outcome_line(line: bytes) -> str:
    """The outcome of the scenario on a line, or its error, as one line of JSON."""
    try:
        return json.dumps(parse(line).run())
    except RoboRallyError as error:
        return json.dumps({"error": str(error)})
