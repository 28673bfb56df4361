"""Options and fixtures of the whole test suite, and what lets it run in several processes (`pytest -n 3`)."""

import os
import signal
import threading

import pytest
from hypothesis import HealthCheck, settings

# What is drawn slowly on a busy machine is no fault.
settings.register_profile("any machine", suppress_health_check=[HealthCheck.too_slow], deadline=None)
settings.load_profile("any machine")

os.environ.pop("COLUMNS", None)  # where it is set, tables are as wide even without a terminal

# Shells let what they start in the background ignore Ctrl-C, and programs that tests start would inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN and threading.current_thread() is threading.main_thread():
    signal.signal(signal.SIGINT, signal.default_int_handler)

# The files that compile most or take longest, in an order in which processes compile different things side by side.
COMPILE_FIRST = (
    "tests/api/test_races.py",  # the complete game of 2016
    "tests/properties/test_all_courses_2005.py",
    "tests/properties/test_community.py",
    "tests/properties/test_2023.py",
    "tests/evaluation/test_agents.py",  # the bots
    "tests/rules/test_upgrade_phase.py",  # scenarios
    "tests/rules2005/test_options_beams.py",
    "tests/rulescommunity/test_rounds.py",
    "tests/learning/test_learned.py",
    "tests/evaluation/test_2005.py",
    "tests/evaluation/test_community.py",
    "tests/properties/test_random_play.py",
    "tests/properties/test_compiled.py",  # one long test in plain Python
    "tests/package/test_notebooks.py",
)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="rewrite golden files with what comes out now")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """In several processes: an order of the files in which none that takes long is left to the end."""
    if not in_parallel():
        return
    files: dict[str, list[pytest.Item]] = {}
    for item in items:
        files.setdefault(item.nodeid.partition("::")[0], []).append(item)
    waiting = [name for name, tests in files.items() if any("browser" in test.fixturenames for test in tests)]
    items[:] = [item for name in ordered(list(files), waiting) for item in files[name]]


def ordered(files: list[str], waiting: list[str]) -> list[str]:
    """The files that compile most go first. Those that wait for a browser are spread over the first half of the others:
    one process waits while the others have work for all processors, and short files are at the end."""
    first = [name for name in COMPILE_FIRST if name in files]
    others = [name for name in files if name not in first and name not in waiting]
    waiting = [name for name in waiting if name not in first]
    apart = max(1, len(others) // (2 * len(waiting))) if waiting else 1
    for number, name in enumerate(waiting):
        others.insert(min(number * (apart + 1), len(others)), name)
    return first + others


def in_parallel() -> bool:
    """Whether this is one of several test processes."""
    return "PYTEST_XDIST_WORKER" in os.environ


@pytest.fixture
def update_golden(request: pytest.FixtureRequest) -> bool:
    """Whether golden files are to be rewritten."""
    return bool(request.config.getoption("--update-golden"))
