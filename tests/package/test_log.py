"""The library logs as "roborally_env": a program takes the records, or they are lines on standard error."""

import ast
import logging
from pathlib import Path

import pytest

from roborally_env.base import terminal
from roborally_env.compiling import cache

PACKAGE = Path(__file__).parents[2] / "roborally_env"


def test_a_program_that_has_set_up_logging_gets_the_records(
    caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    cache.say_once("a line for a handler, 100 %")
    cache.say_once("a line for a handler, 100 %")
    assert caplog.record_tuples == [("roborally_env", logging.WARNING, "a line for a handler, 100 %")]
    assert capsys.readouterr().err == ""


def test_elsewhere_the_records_are_lines_on_standard_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(terminal, "is_set_up", lambda: False)
    cache.say_once("a line for a user\x1b[2J")
    terminal.LOG.info("nobody asked for this")
    assert capsys.readouterr().err == "roborally_env: a line for a user\\x1b[2J\n"


def test_commands_print_the_records_in_any_program(capsys: pytest.CaptureFixture[str]) -> None:
    with terminal.log_on_stderr():
        terminal.LOG.warning("a line of a command")
    terminal.LOG.warning("no line")
    assert capsys.readouterr().err == "roborally_env: a line of a command\n"


def test_only_the_terminal_prints() -> None:
    found = [
        f"{path.relative_to(PACKAGE)}:{node.lineno}"
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "print" and path.name != "terminal.py"
    ]
    assert not found
