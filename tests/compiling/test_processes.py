"""Threads, forks and object stores."""

import os
import pickle
import signal
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest

import roborally_env
from roborally_env import BatchRace
from roborally_env.threads import spread


def played(threads: int) -> BatchRace:
    batch = BatchRace(9, observation="none", threads=threads, seed=4)
    for i in range(3):
        batch.sample(i)
        batch.step_prepared()
    return batch


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_threads_work_after_a_fork_of_a_process_that_used_them() -> None:
    """numba's OpenMP layer kills the child here, and whoever waits for it waits for ever."""
    if "2" not in (os.environ.get("NUMBA_NUM_THREADS") or str(os.cpu_count())):
        pytest.skip("one processor")
    expected = played(2).games.tobytes()
    child = os.fork()
    if child == 0:
        signal.alarm(120)
        os._exit(0 if played(2).games.tobytes() == expected else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert played(2).games.tobytes() == expected


def test_each_game_has_one_thread_and_errors_come_through() -> None:
    seen = np.zeros(1000, np.int64)

    def work(first: int, last: int) -> None:
        seen[first:last] += 1

    for threads in (1, 2, 3, 7):
        for count in (0, 1, 2, 6, 1000):
            seen[:] = 0
            spread(work, count, threads)
            assert seen[:count].tolist() == [1] * count
            assert not seen[count:].any()

    def fail(first: int, last: int) -> None:
        raise ValueError(first)

    with pytest.raises(ValueError, match="0"):
        spread(fail, 10, 2)


def from_a_store(value: Any) -> Any:
    """A pickle with buffers that come back read-only, as object stores hand them out."""
    buffers: list[pickle.PickleBuffer] = []
    data = pickle.dumps(value, protocol=5, buffer_callback=buffers.append)
    return pickle.loads(data, buffers=[memoryview(bytes(b.raw())).toreadonly() for b in buffers])


def test_a_batch_from_an_object_store_plays_on() -> None:
    batch = BatchRace(3, observation="planes", events=True, seed=2)
    batch.sample(1)
    batch.step_prepared()
    copy = from_a_store(batch)
    for race in (batch, copy):
        race.sample(2)
        race.step_prepared()
    assert copy.games.tobytes() == batch.games.tobytes()
    assert all(np.array_equal(copy.observations[name], each) for name, each in batch.observations.items())
    assert copy.events_of(1) == batch.events_of(1)


def step_parallel(env: Any) -> None:
    env.step({agent: env.action_space(agent).sample() for agent in env.agents})


def step_alone(env: Any) -> None:
    env.step(env.action_space.sample())


ENVS: dict[str, tuple[Callable[[], Any], Callable[[Any], None]]] = {
    "parallel": (roborally_env.parallel_env, step_parallel),
    "register": (lambda: roborally_env.parallel_env(action="register"), step_parallel),
    "flat": (lambda: roborally_env.parallel_env(action="flat"), step_parallel),
    "aec": (roborally_env.aec_env, lambda env: env.step(env.action_space(env.agent_selection).sample())),
    "gymnasium": (lambda: gymnasium.make("RoboRally-v0"), step_alone),
    "vector": (lambda: roborally_env.make_vec(num_envs=3), step_alone),
}


@pytest.mark.parametrize(("make", "step"), ENVS.values(), ids=ENVS)
def test_an_env_from_an_object_store_plays_on(make: Callable[[], Any], step: Callable[[Any], None]) -> None:
    env = make()
    env.reset(seed=1)
    copy = from_a_store(env)
    for _ in range(6):
        step(copy)
