"""Games spread over threads: each is done once, whichever seat is asked, and errors come back."""

import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from roborally_env.base.threads import spread


def times_done(count: int, threads: int) -> list[int]:
    """How often each place of a range is done."""
    done = np.zeros(count, np.int64)

    def work(first: int, last: int) -> None:
        assert first <= last
        done[first:last] += 1

    spread(work, count, threads)
    return done.tolist()


@pytest.mark.parametrize("threads", [1, 2, 3, 8, 64])
@pytest.mark.parametrize("count", [0, 1, 31, 32, 33, 250, 1024, 5000])
def test_each_place_is_done_once(count: int, threads: int) -> None:
    assert times_done(count, threads) == [1] * count


def test_threads_work_at_once() -> None:
    """Each waits until all have started."""
    barrier = threading.Barrier(3, timeout=60)
    first_of_each = threading.local()

    def work(first: int, last: int) -> None:
        if not hasattr(first_of_each, "started"):
            first_of_each.started = True
            barrier.wait()

    spread(work, 300, 3)
    assert not barrier.broken


@pytest.mark.parametrize("in_caller", [True, False])
def test_an_error_in_any_thread_comes_back_when_all_have_ended(in_caller: bool) -> None:
    caller, running = threading.current_thread(), []

    def work(first: int, last: int) -> None:
        running.append(first)
        time.sleep(0.01)
        running.remove(first)
        if (threading.current_thread() is caller) == in_caller:
            raise ValueError(f"at {first}")

    with pytest.raises(ValueError, match="at "):
        spread(work, 1000, 3)
    assert running == []
    assert times_done(1000, 3) == [1] * 1000  # the threads go on


def test_several_threads_may_spread_games() -> None:
    with ThreadPoolExecutor(6) as pool:
        found = list(pool.map(lambda _: times_done(500, 4), range(120)))
    assert found == [[1] * 500] * 120


@pytest.mark.skipif(not hasattr(os, "fork"), reason="fork")
@pytest.mark.filterwarnings("ignore:This process.*is multi-threaded:DeprecationWarning")
def test_a_forked_child_begins_threads_of_its_own() -> None:
    assert times_done(500, 2) == [1] * 500
    child = os.fork()
    if child == 0:
        os._exit(0 if times_done(500, 2) == [1] * 500 else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
