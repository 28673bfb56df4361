"""Options and fixtures of the whole test suite, and what lets it run in several processes (`pytest -n 2`)."""

import os

import pytest

os.environ.pop("COLUMNS", None)  # where it is set, tables are as wide even without a terminal

# The files that compile most or take longest, in an order in which two processes compile different things side by side.
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
    """In several processes: the files that compile most go first, so that none is left to the end."""
    if in_parallel():
        place = {name: number for number, name in enumerate(COMPILE_FIRST)}
        items.sort(key=lambda item: place.get(item.nodeid.partition("::")[0], len(place)))


def in_parallel() -> bool:
    """Whether this is one of several test processes."""
    return "PYTEST_XDIST_WORKER" in os.environ


@pytest.fixture
def update_golden(request: pytest.FixtureRequest) -> bool:
    """Whether golden files are to be rewritten."""
    return bool(request.config.getoption("--update-golden"))
