"""Threads, forks, copies, object stores and shared memory: whatever an env has been through, it plays on the same."""

import copy
import multiprocessing
import os
import pickle
import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from multiprocessing.shared_memory import SharedMemory
from typing import Any

import gymnasium
import numba
import numpy as np
import pytest
from numba.core.compiler_lock import global_compiler_lock
from numpy.testing import assert_equal

import roborally_env
from roborally_env import BatchRace, RoboRallyError
from roborally_env.base.threads import most_threads, spread
from roborally_env.batch.code import PAYS
from tests.sizes import some

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
forks = pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
METHODS = {name: name for name in multiprocessing.get_all_start_methods()}
each_start = pytest.mark.parametrize("method", some(METHODS, usual=["spawn"]))
several_threads = pytest.mark.skipif(most_threads() < 2, reason="one processor")


def played(threads: int) -> BatchRace:
    batch = BatchRace(9, observation="none", threads=threads, seed=4)
    for i in range(3):
        batch.sample(i)
        batch.step_prepared()
    return batch


def forked(check: Callable[[], bool]) -> bool:
    """What `check` gives in the child of a fork; an alarm ends a child that waits for ever."""
    child = os.fork()
    if child == 0:
        signal.alarm(120)
        os._exit(0 if check() else 1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


@needs_fork
@forks
@several_threads
def test_threads_work_after_a_fork_of_a_process_that_used_them() -> None:
    """numba's OpenMP layer kills the child here, and whoever waits for it waits for ever."""
    expected = played(2).games.tobytes()
    assert forked(lambda: played(2).games.tobytes() == expected)
    assert played(2).games.tobytes() == expected


@needs_fork
@forks
def test_a_fork_waits_for_a_thread_that_compiles() -> None:
    """Else the child has a lock that nobody releases, and waits for ever when it needs a kernel."""
    compiling, compiled = threading.Event(), threading.Event()

    def compile_slowly() -> None:
        with global_compiler_lock:
            compiling.set()
            time.sleep(0.3)
            compiled.set()

    thread = threading.Thread(target=compile_slowly)
    thread.start()
    compiling.wait()
    assert forked(lambda: compiled.is_set() and numba.njit(lambda x: x + 1)(1) == 2)
    thread.join()


@several_threads
def test_several_python_threads_play_batches_of_several_threads() -> None:
    expected = played(1).games.tobytes()
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: played(2).games.tobytes(), range(12)))
    assert found == [expected] * 12


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


# -- each kind of env: how it is made, and a step of it


def make_batch(**options: Any) -> BatchRace:
    return BatchRace(4, observation="planes", events=True, seed=2, threads=min(2, most_threads()), **options)


def make_rows(**options: Any) -> Any:
    pytest.importorskip("stable_baselines3")
    from roborally_env.envs.sb3 import SB3VecEnv

    return SB3VecEnv(3, **options)


def step_batch(batch: BatchRace, seed: int) -> Any:
    batch.sample(seed)
    return batch.step_prepared(), batch.events_of(1)


def step_parallel(env: Any, seed: int) -> Any:
    return env.step({agent: drawn(env.action_space(agent), seed) for agent in env.agents})


def step_in_turn(env: Any, seed: int) -> Any:
    env.step(drawn(env.action_space(env.agent_selection), seed))
    return env.last()


def step_alone(env: Any, seed: int) -> Any:
    return env.step(drawn(env.action_space, seed))


def step_rows(env: Any, seed: int) -> Any:
    return env.step(np.array([drawn(env.action_space, seed + row) for row in range(env.num_envs)]))


def drawn(space: Any, seed: int) -> Any:
    space.seed(seed)
    return space.sample()


Making, Stepping = Callable[[], Any], Callable[[Any, int], Any]
ENVS: dict[str, tuple[Making, Stepping]] = {
    "batch": (make_batch, step_batch),
    "batch, generated": (lambda: make_batch(course="generated:difficulty=1,levels=3"), step_batch),
    "parallel": (roborally_env.parallel_env, step_parallel),
    "register": (lambda: roborally_env.parallel_env(action="register"), step_parallel),
    "flat": (lambda: roborally_env.parallel_env(action="flat"), step_parallel),
    "aec": (roborally_env.aec_env, step_in_turn),
    "gymnasium": (lambda: gymnasium.make("RoboRally-v0", action="register").unwrapped, step_alone),
    "vector": (lambda: roborally_env.make_vec(num_envs=3, seed=1), step_alone),
    "rows": (make_rows, step_rows),
}


def started_env(kind: str) -> Any:
    """An env in the middle of its first race."""
    env = ENVS[kind][0]()
    if kind.startswith("rows"):
        env.seed(1)
        env.reset()
    else:
        env.reset(seed=1)
    three_steps(kind, env, 0)
    return env


def three_steps(kind: str, env: Any, first: int) -> list[Any]:
    """All that three steps of an env return."""
    return [copy.deepcopy(ENVS[kind][1](env, 10 * (first + i))) for i in range(3)]


def from_a_store(value: Any) -> Any:
    """A pickle with buffers that come back read-only, as object stores hand them out."""
    buffers: list[pickle.PickleBuffer] = []
    data = pickle.dumps(value, protocol=5, buffer_callback=buffers.append)
    return pickle.loads(data, buffers=[memoryview(bytes(b.raw())).toreadonly() for b in buffers])


COPIES: dict[str, Callable[[Any], Any]] = {
    "store": from_a_store,
    "store, twice": lambda env: from_a_store(from_a_store(env)),
    "pickle": lambda env: pickle.loads(pickle.dumps(env)),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
}


@pytest.mark.parametrize("kind", ENVS)
@pytest.mark.parametrize("copied", COPIES.values(), ids=COPIES)
def test_a_copy_plays_on_by_itself_and_the_same(kind: str, copied: Callable[[Any], Any]) -> None:
    env = started_env(kind)
    other = copied(env)
    expected = three_steps(kind, env, 3)
    assert_equal(three_steps(kind, other, 3), expected)


# -- other processes


def report(envs: dict[str, Any], pipe: Any) -> None:
    """Of a child: play on with the envs that it was given, and tell how new ones begin."""
    pipe.send(
        {kind: (three_steps(kind, env, 3), three_steps(kind, started_env(kind), 3)) for kind, env in envs.items()}
    )


@forks
@each_start
def test_another_process_plays_on_the_same(method: str) -> None:
    """The parent has used threads and may be making courses ahead."""
    context = multiprocessing.get_context(method)
    envs = {kind: started_env(kind) for kind in ENVS if not kind.startswith("rows") or find_spec("stable_baselines3")}
    mine, its = context.Pipe()
    child = context.Process(target=report, args=(envs, its), daemon=True)
    child.start()
    expected = {kind: three_steps(kind, env, 3) for kind, env in envs.items()}
    assert mine.poll(300), "the child waits for ever"
    assert_equal(mine.recv(), {kind: (steps, steps) for kind, steps in expected.items()})
    child.join()


@forks
@each_start
def test_gymnasium_hands_observations_over_in_shared_memory(method: str) -> None:
    make = [lambda: gymnasium.make("roborally_env:RoboRally-v0", action="register", observation="planes")] * 2
    played(2 if most_threads() > 1 else 1)
    envs = [gymnasium.vector.AsyncVectorEnv(make, context=method), gymnasium.vector.SyncVectorEnv(make)]
    found = [(env.reset(seed=3)[0], *(drawn_step(env, seed) for seed in range(3))) for env in envs]
    for env in envs:
        env.close()
    assert_equal(found[0], found[1])


def drawn_step(env: Any, seed: int) -> Any:
    return copy.deepcopy(env.step(drawn(env.action_space, seed))[:4])


def play_in(name: str) -> None:
    """Of a child: play games that lie in shared memory."""
    memory = SharedMemory(name)
    batch = played(1)
    batch.games = np.ndarray(9, batch.dtype, memory.buf)
    batch.sample(7)
    batch.step_prepared()
    del batch
    memory.close()


def test_games_can_lie_in_shared_memory() -> None:
    batch = played(1)
    memory = SharedMemory(create=True, size=batch.games.nbytes)
    shared = np.ndarray(9, batch.dtype, memory.buf)
    try:
        shared[:] = batch.games
        child = multiprocessing.get_context("spawn").Process(target=play_in, args=(memory.name,))
        child.start()
        child.join(120)
        batch.sample(7)
        batch.step_prepared()
        assert shared.tobytes() == batch.games.tobytes()
    finally:
        del shared
        memory.close()
        memory.unlink()


# -- read-only arrays


def read_only(array: Any) -> Any:
    array = np.array(array)
    array.setflags(write=False)
    return array


def test_a_batch_takes_read_only_arrays() -> None:
    batch, other = played(1), played(1)
    programs, choices = map(read_only, other.sample(7))
    kept = read_only(batch.games)
    batch.games = kept
    expected = other.step_prepared().rewards
    assert (batch.step(programs, choices).rewards == expected).all()
    assert batch.games.tobytes() == other.games.tobytes() != kept.tobytes()
    mask = read_only(np.arange(9) % 2 == 0)
    batch.reset(mask=mask)
    other.reset(mask=np.arange(9) % 2 == 0)
    batch.restore(memoryview(batch.snapshot()).toreadonly())
    assert batch.games.tobytes() == other.games.tobytes()


@pytest.mark.parametrize("records", [np.zeros(8), "none", None], ids=["floats", "text", "nothing"])
def test_games_of_another_form_are_refused(records: Any) -> None:
    batch = played(1)
    before = batch.games
    with pytest.raises(RoboRallyError, match=r"games.*9"):
        batch.games = records
    with pytest.raises(RoboRallyError, match=r"games.*9.*8"):
        batch.games = before[:8]
    assert batch.games is before


def test_steps_on_the_same_arrays_and_on_others_play_the_same_races() -> None:
    """After some steps on the same arrays their types are no longer looked at; copies and pickles begin anew."""
    batch, other = (BatchRace(9, observation="planes", seed=4, max_rounds=5) for _ in range(2))
    for again in (BatchRace.copy, lambda each: pickle.loads(pickle.dumps(each)), None):
        for i in range(PAYS + 10):
            other.games = other.games.copy()
            for each in (batch, other):
                each.sample(i)
                each.step_prepared()
            assert other.games.tobytes() == batch.games.tobytes()
            assert_equal(other.observations, batch.observations)
            assert_equal(other._out.rewards, batch._out.rewards)
        if again is not None:
            batch = again(batch)


@pytest.mark.parametrize("steps", [0, PAYS])
@pytest.mark.parametrize("name", ["games", "rewards"])
def test_an_array_of_the_batch_that_was_made_read_only_is_named(name: str, steps: int) -> None:
    batch = played(1)
    for _ in range(steps):
        batch.step_prepared()
    array = batch.games if name == "games" else batch.step_prepared().rewards
    batch._swap_buffers()  # the step goes back to this one
    array.flags.writeable = False
    with pytest.raises(RoboRallyError, match=f"{name}"):
        batch.step(np.zeros((9, 4, 5), np.int8))
