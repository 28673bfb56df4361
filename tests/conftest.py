"""Options and fixtures of the whole test suite, and what lets it run in several processes (`pytest -n 3`)."""

import gc
import os
import signal
import threading
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from tests.cpu_times import CpuTimes
from tests.later import complete
from tests.sizes import size

# What is drawn slowly on a busy machine is no fault.
settings.register_profile(
    "any machine", suppress_health_check=[HealthCheck.too_slow], deadline=None, max_examples=size(40, 100)
)
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
    "tests/editions/test_workshop.py",  # the complete game with more cards
    "tests/rules/test_upgrade_phase.py",  # scenarios
    "tests/rules2005/test_options_beams.py",
    "tests/rulescommunity/test_rounds.py",
    "tests/learning/test_learned.py",
    "tests/evaluation/test_2005.py",
    "tests/evaluation/test_community.py",
    "tests/editions/test_geyser.py",
    "tests/editions/test_sprint.py",
    "tests/properties/test_compiled.py",  # one long test in plain Python
    "tests/package/test_notebooks.py",
    "tests/package/test_docs.py",
    "tests/learning/test_ppo_seeds.py",
    "tests/learning/test_train_selfplay.py",
    "tests/learning/test_train_sb3.py",
    "tests/generate/test_batches.py",
    "tests/properties/test_check_game.py",
    "tests/properties/test_decisions.py",
    "tests/stopping/test_kills.py",
)


# Files whose tests train networks, and so need torch: they have the marker `train`.
TRAIN = (
    "tests/executors/test_actors.py",
    "tests/learning/test_actors.py",
    "tests/learning/test_generalisation.py",
    "tests/learning/test_imitation.py",
    "tests/learning/test_ppo.py",
    "tests/learning/test_sb3.py",
    "tests/learning/test_supersuit.py",
    "tests/learning/test_train_sb3.py",
    "tests/learning/test_train_selfplay.py",
    "tests/learning/test_train_value.py",
    "tests/libraries/test_torchrl.py",
    "tests/libraries/test_tianshou.py",
    "tests/rllib/test_envs.py",
)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="rewrite golden files with what comes out now")
    parser.addoption("--cpu-times", metavar="FILE", help="write the processor time of each test file to FILE (JSON)")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--cpu-times"):
        config.pluginmanager.register(CpuTimes(config.getoption("--cpu-times")))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[object]:
    """Collect without the garbage collector, and leave what is collected out of its later rounds: nothing of it ends
    before the tests do."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(tryfirst=True)  # before tests are deselected by their markers
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Add the markers `browser` and `train`. In several processes, order the files so that no long one comes last."""
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker("browser")
        if file_of(item) in TRAIN:
            item.add_marker("train")
    if not in_parallel():
        return
    files: dict[str, list[pytest.Item]] = {}
    for item in items:
        files.setdefault(file_of(item), []).append(item)
    waiting = [name for name, tests in files.items() if any(test.get_closest_marker("browser") for test in tests)]
    items[:] = [item for name in ordered(list(files), waiting) for item in files[name]]


@pytest.hookimpl(tryfirst=True)  # before fixtures
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Import what the file of the test imports later."""
    if isinstance(item, pytest.Function):
        complete(item.module)


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


def file_of(item: pytest.Item) -> str:
    """The path of a test's file, from the root folder on."""
    return item.nodeid.partition("::")[0]


def in_parallel() -> bool:
    """Whether this is one of several test processes."""
    return "PYTEST_XDIST_WORKER" in os.environ


@pytest.fixture
def update_golden(request: pytest.FixtureRequest) -> bool:
    """Whether golden files are to be rewritten."""
    return bool(request.config.getoption("--update-golden"))
