"""Batches whose races are each on a generated course of its own."""

import copy
import dataclasses
import gc
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from roborally_env import CourseError, RoboRallyError, SnapshotError, load_course
from roborally_env.base.lazily import lazily
from roborally_env.base.threads import most_threads
from roborally_env.batch import BatchRace, generated, supply
from roborally_env.core.driving.driver import drive
from roborally_env.courses import Course
from roborally_env.generated import Generator
from roborally_env.replay import state_hash
from tests.sizes import each_once, size, some

TEXT = "generated:difficulty=1,seed=5"
EDITIONS = ("2016", "2005", "2023", "community")


def batch_of(games: int = 3, course: Any = TEXT, **options: Any) -> BatchRace:
    """A batch of short races on generated courses."""
    return BatchRace(games, course, **{"players": 2, "max_rounds": 2, "seed": 9, "observation": "none", **options})


def steps(batch: BatchRace, count: int) -> Iterator[BatchRace]:
    """The batch after each step of random play."""
    for number in range(count):
        batch.sample(number)
        batch.step_prepared()
        yield batch


def story(batch: BatchRace, games: int, count: int = 40) -> list[list[tuple[str, str, int]]]:
    """What happens in the first games: the course, the state and the episode of each, after each step."""
    return [[shown(each, i) for i in range(games)] for each in steps(batch, count)]


def shown(batch: BatchRace, i: int) -> tuple[str, str, int]:
    return str(batch.course_slugs[i]), state_hash(batch.games[i]), int(batch.games["episode"][i])


SLOTS = ("held", "own slots")


@pytest.fixture(params=SLOTS)
def slots(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both ways to keep the courses of a generator with few: a slot for each course, and a slot for each game."""
    if request.param == "own slots":
        monkeypatch.setattr(generated, "HELD", 0)


# -- which course a race is on


def test_a_race_is_on_the_course_of_its_seed_and_episode_alone() -> None:
    found = story(batch_of(3), 3)
    assert len({episode for row in found for *_, episode in row}) > 1
    assert len({slug for row in found for slug, *_ in row}) > 5
    assert [row[:1] for row in found] == story(batch_of(1), 1)
    assert found == story(batch_of(size(6, 64)), 3)
    assert found == story(batch_of(3, threads=min(2, most_threads())), 3)
    assert [row[1:] for row in found] == story(batch_of(2, first_game=1), 2)


@pytest.mark.slow
def test_processes_that_make_courses_ahead_change_nothing() -> None:
    batch = batch_of(3, Generator(TEXT, workers=2))
    assert story(batch, 3) == story(batch_of(3), 3)
    assert multiprocessing.active_children()
    batch.close()


def test_a_race_is_where_its_name_says() -> None:
    for batch in steps(batch_of(4), 20):
        for i, slug in enumerate(batch.course_slugs):
            course = batch.courses[int(batch.games["course"][i])]
            assert course == load_course(slug)
            assert course == Generator(TEXT).course(int(slug.rpartition("=")[2]))


def test_few_courses_come_up_again_and_all_of_them() -> None:
    batch = batch_of(8, TEXT + ",levels=4")
    seen = {str(slug) for each in steps(batch, 60) for slug in each.course_slugs}
    assert seen == {f"{TEXT},number={n}" for n in range(4)}


def test_a_course_with_a_number_is_a_course_like_others() -> None:
    batch = batch_of(2, TEXT + ",number=7")
    assert batch.generator is None
    assert batch.courses == (load_course(TEXT + ",number=7"),)
    assert batch_of(2, [TEXT + ",number=7", TEXT + ",number=8"]).generator is None


def everything(batch: BatchRace) -> dict[str, Any]:
    """All that a batch gives after a step, but for where it keeps the course."""
    results = batch.results.copy()
    results["course"] = 0
    return {
        **{f"now {name}": part.copy() for name, part in batch.observations.items()},
        **{f"final {name}": part.copy() for name, part in batch.final_observations.items()},
        **{f"reward {name}": part.copy() for name, part in batch.reward_parts.items()},
        "flags": np.stack([batch._out.terminated, batch._out.truncated]),
        "rewards": batch._out.rewards.copy(),
        "repairs": batch.corrected.copy(),
        "results": results.tobytes(),
        "states": [state_hash(game) for game in batch.games],
        "events": [batch.events_of(i) for i in range(batch.num_games)],
        "frames": [[state_hash(frame) for frame in batch.frames_of(i)] for i in range(batch.num_games)],
    }


@pytest.mark.parametrize(
    ("edition", "auto_reset", "slots"), each_once(EDITIONS, [True, False], SLOTS), indirect=["slots"]
)
@pytest.mark.usefixtures("slots")
def test_a_race_goes_as_on_the_same_course_given(edition: str, auto_reset: bool) -> None:
    options: dict[str, Any] = {
        "edition": edition, "auto_reset": auto_reset, "observation": "planes", "frames": True, "reward": "shaped",
        "max_rounds": 3,
    }  # fmt: skip
    batch = batch_of(3, f"generated:edition={edition},seed=2,levels=1", **options)
    assert batch.generator is not None
    given = batch_of(3, batch.courses[0], **options)
    for number in range(24):
        for race in (batch, given):
            race.sample(number)
            race.step_prepared()
        np.testing.assert_equal(everything(batch), everything(given))
        if batch.over.all():
            batch.reset()
            given.reset()
    assert batch.games["episode"].min() > 0


def test_a_new_course_compiles_nothing() -> None:
    batch = batch_of(3)
    list(steps(batch, 10))
    compiled = set(generated.driver.drive.overloads)  # by the types of arguments
    list(steps(batch, 20))
    assert batch.games["episode"].min() > 0
    assert set(generated.driver.drive.overloads) == compiled


# -- beginning anew, saving, copying


def test_reset_begins_the_same_races_again() -> None:
    batch = batch_of(3)
    started = [shown(batch, i) for i in range(3)]
    list(steps(batch, 20))
    batch.reset(9)
    assert [shown(batch, i) for i in range(3)] == started
    batch.reset(mask=[False, True, False])
    again = [shown(batch, i) for i in range(3)]
    assert again[0] == started[0]
    assert again[2] == started[2]
    assert again[1][0] != started[1][0]
    batch.reset(9, mask=[False, True, False])
    assert [shown(batch, i) for i in range(3)] == started


@pytest.mark.usefixtures("slots")
def test_a_snapshot_goes_into_another_batch() -> None:
    batch, other = batch_of(3, TEXT + ",levels=9"), batch_of(3, Generator(TEXT + ",levels=9"), seed=1)
    list(steps(batch, 13))
    saved = batch.snapshot()
    expected = story(batch, 3)
    other.restore(saved)
    assert story(other, 3) == expected
    batch.restore(saved)
    assert story(batch, 3) == expected
    with pytest.raises(SnapshotError, match=r"levels=9.*this.*levels=8"):
        batch_of(3, TEXT + ",levels=8").restore(saved)


@pytest.mark.parametrize(
    "copied", [BatchRace.copy, copy.deepcopy, lambda b: b.redeal(0, 1)], ids=["copy", "deepcopy", "redeal"]
)
def test_a_copy_goes_on_by_itself(copied: Callable[[BatchRace], BatchRace]) -> None:
    batch = batch_of(3, observation="planes")
    list(steps(batch, 5))
    other = copied(batch)
    twin = copied(batch)
    slugs = batch.course_slugs.tolist()
    expected = story(twin, 3)
    list(steps(batch, 20))
    assert other.course_slugs.tolist() == slugs
    assert story(other, 3) == expected


@pytest.mark.usefixtures("slots")
def test_a_cloned_game_keeps_its_course_when_the_other_goes_on() -> None:
    batch = batch_of(2, TEXT + ",levels=500", auto_reset=False, max_rounds=None, observation="symbolic")
    batch.clone(0, 1)
    same = shown(batch, 0)
    assert shown(batch, 1) == same
    assert np.array_equal(batch.observations["symbolic"][0], batch.observations["symbolic"][1])
    batch.reset(mask=[True, False])
    assert shown(batch, 0)[0] != same[0]
    assert shown(batch, 1) == same
    batch.clone(1, 0)
    for each in steps(batch, 20):  # agents' actions depend on the game alone, so equal games stay equal
        assert shown(each, 0) == shown(each, 1)


def test_records_that_are_put_back_race_on_their_courses() -> None:
    batch = batch_of(2)
    before = batch.games.copy()
    started = [shown(batch, i) for i in range(2)]
    list(steps(batch, 20))
    batch.games[:] = before
    batch.observe()
    assert [shown(batch, i) for i in range(2)] == started
    batch.games[:] = before[::-1]
    batch.observe()
    assert [shown(batch, i) for i in range(2)] == started[::-1]


@pytest.mark.parametrize("protocol", [2, 5])
def test_a_pickle_goes_on(protocol: int) -> None:
    batch = batch_of(3, Generator(TEXT), observation="planes")
    list(steps(batch, 13))
    buffers: list[pickle.PickleBuffer] = []
    whole: dict[str, Any] = {"buffer_callback": buffers.append} if protocol == 5 else {}
    data = pickle.dumps(batch, protocol, **whole)
    other = pickle.loads(data, buffers=[memoryview(bytes(b.raw())).toreadonly() for b in buffers])
    compiled = len(drive.signatures)
    for one, two in zip(steps(batch, 30), steps(other, 30), strict=True):
        assert [shown(one, i) for i in range(3)] == [shown(two, i) for i in range(3)]
        assert np.array_equal(one.observations["planes"], two.observations["planes"])
    assert len(drive.signatures) == compiled


# -- courses that are late


def test_a_race_waits_for_a_late_course(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = story(batch_of(2), 2, 12)
    made = supply.make
    threads = set()

    def slow(generator: Generator, game: str, number: int) -> supply.Made:
        threads.add(threading.current_thread().name)
        time.sleep(0.15)
        return made(generator, game, number)

    monkeypatch.setattr(supply, "make", slow)
    assert story(batch_of(2), 2, 12) == expected
    assert any(name.startswith("roborally-courses") for name in threads)


def test_courses_are_made_before_they_are_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    batch = batch_of(3)
    own = batch._generated.stock.supply
    deadline = time.monotonic() + 30
    while len(own._ready) < 3:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    monkeypatch.setattr(supply, "make", None)  # a course that is not ready would raise an error
    own.close()
    first = batch.course_slugs.tolist()
    while not batch.games["episode"].any():
        list(steps(batch, 1))
    gone_on = batch.games["episode"] > 0
    assert set(first).isdisjoint(batch.course_slugs[gone_on])


def test_no_more_courses_wait_than_a_few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supply, "AHEAD", 2)
    batch = batch_of(6)
    time.sleep(0.5)
    own = batch._generated.stock.supply
    assert len(own._ready) + len(own._making) <= 2
    list(steps(batch, 30))
    assert len(own._ready) + len(own._making) <= 2


def test_a_step_that_was_interrupted_while_it_waited_is_completed_by_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = story(batch_of(1), 1, 12)
    batch, found = batch_of(1), []
    batch.close()
    take = supply.Supply.take
    stops = iter([True])

    def stopped(self: supply.Supply, number: int) -> supply.Made:
        if next(stops, False):
            raise KeyboardInterrupt
        return take(self, number)

    monkeypatch.setattr(supply.Supply, "take", stopped)
    for number in range(12):
        batch.sample(number)
        try:
            batch.step_prepared()
        except KeyboardInterrupt:
            batch.observe()
            batch._begin_next()
        found.append([shown(batch, 0)])
    assert next(stops, None) is None
    assert found == expected


def test_a_course_that_cannot_be_made_raises_its_error_where_it_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    batch = batch_of(1, auto_reset=False)

    def none(self: Generator, number: int) -> Course:
        raise RoboRallyError("no course found")

    monkeypatch.setattr(Generator, "course", none)
    with pytest.raises(RoboRallyError, match="course"):
        batch.reset()


def test_a_course_without_room_is_refused_though_others_race_on_it(monkeypatch: pytest.MonkeyPatch) -> None:
    course = Generator.course

    def small(self: Generator, number: int) -> Course:
        return dataclasses.replace(course(self, number), players=(2, 6) if number == 0 else (2, 3))

    monkeypatch.setattr(Generator, "course", small)
    text = "generated:difficulty=1,seed=77,levels=2"
    list(steps(batch_of(8, text), 10))
    with pytest.raises(RoboRallyError, match=r"players.*2.*3.*generated.*number=1"):
        batch_of(8, text, players=4)


# -- processes


def children() -> set[Any]:
    return {child.pid for child in multiprocessing.active_children()}


@pytest.mark.slow
def test_processes_end_with_the_batch() -> None:
    before = children()
    batch = batch_of(2, Generator(TEXT, workers=1))
    assert len(children() - before) == 1
    batch.close()
    assert children() == before
    list(steps(batch, 12))  # they begin again
    assert len(children() - before) == 1
    del batch
    gc.collect()
    deadline = time.monotonic() + 20
    while children() != before:
        assert time.monotonic() < deadline
        time.sleep(0.05)


SCRIPT = """
import multiprocessing, sys, time
from roborally_env.batch import BatchRace
from roborally_env.generated import Generator

if __name__ == "__main__":
    batch = BatchRace(2, Generator("generated:difficulty=1", workers=2), players=2, max_rounds=2, observation="none")
    print(*(child.pid for child in multiprocessing.active_children()), flush=True)
    {what}
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("how", some({how: how for how in ("interrupt", "kill", "end")}, ["kill"]))
def test_no_process_outlives_the_program(how: str, tmp_path: Any) -> None:
    script = tmp_path / "script.py"
    script.write_text(textwrap.dedent(SCRIPT).format(what="pass" if how == "end" else "time.sleep(600)"))
    program = subprocess.Popen(
        [sys.executable, script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    assert program.stdout is not None
    pids = [int(word) for word in program.stdout.readline().split()]
    assert len(pids) == 2
    if how == "interrupt":
        os.killpg(program.pid, signal.SIGINT)  # as Ctrl-C in a terminal does
    elif how == "kill":
        program.kill()
    _, printed = program.communicate(timeout=60)
    assert printed.count("Traceback") == (how == "interrupt")
    deadline = time.monotonic() + 20
    while any(map(running, pids)):
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.mark.slow
def test_a_script_needs_no_guard(tmp_path: Any) -> None:
    script = tmp_path / "script.py"
    text = textwrap.dedent(SCRIPT).replace('if __name__ == "__main__":', "if True:")
    waits = "while not batch._generated.stock.supply._ready: batch.sample(1), batch.step_prepared(), time.sleep(0.1)"
    script.write_text(text.format(what=waits))
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stderr, len(done.stdout.split())) == (0, "", 2)


def test_processes_leave_the_script_out_unless_it_may_have_registered_the_edition(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    main = sys.modules["__main__"]
    with supply._main_script("2016"):
        assert sys.modules["__main__"] is not main
    monkeypatch.setattr(supply, "is_from_outside", lambda name: name == "mine")
    with supply._main_script("mine"):
        assert sys.modules["__main__"] is main
    assert sys.modules["__main__"] is main


def test_processes_make_no_course_that_this_process_makes(monkeypatch: pytest.MonkeyPatch) -> None:
    here, handed_out, hand_out = [], [], supply.Supply._hand_out
    make = supply.make

    def make_here(*given: Any) -> supply.Made:
        here.append(given[2])
        return make(*given)

    def noted(self: supply.Supply) -> None:
        hand_out(self)
        handed_out.extend(self._making)

    monkeypatch.setattr(supply, "make", make_here)
    monkeypatch.setattr(supply.Supply, "_hand_out", noted)
    batch = batch_of(4, Generator(TEXT, workers=1))
    deadline = time.monotonic() + 60
    while not handed_out:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    batch.close()
    assert len(here) == len(set(here)) == 4
    assert not set(here) & set(handed_out)


def running(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_fork_does_not_wait_for_a_value_that_another_thread_computes() -> None:
    started, end = threading.Event(), threading.Event()

    class Slow:
        @lazily
        def value(self) -> int:
            started.set()
            end.wait(60)
            return 1

    thread = threading.Thread(target=lambda: Slow().value)
    thread.start()
    assert started.wait(60)
    pid = os.fork()
    if pid == 0:
        signal.alarm(30)  # ends the child if it waits
        end.set()
        os._exit(0 if Slow().value == 1 else 1)
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    end.set()
    thread.join()
    assert code == 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_batch_goes_on_in_the_child_of_a_fork() -> None:
    batch = batch_of(2)
    twin = batch.copy()
    pid = os.fork()
    if pid == 0:
        story(batch, 2, 15)
        os._exit(0 if [shown(batch, i)[2] for i in range(2)] != [0, 0] else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    assert story(batch, 2, 15) == story(twin, 2, 15)


def test_a_daemon_makes_its_courses_in_a_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(multiprocessing.current_process(), "_config", {"daemon": True})
    before = children()
    batch = batch_of(2, Generator(TEXT, workers=2))
    assert story(batch, 2) == story(batch_of(2), 2)
    assert children() == before


# -- wrong arguments

WRONG = {
    "generated:difficulty=9": "generated: difficulty.*1.*5.*9",
    "generated:dificulty=2": "generated.*'dificulty'.*difficulty",
    "generated:players=2,players=3": "generated",
    "generated:seed": "generated.*key=value.*'seed'",
    "generated:levels=2,number=2": "generated: number.*levels=2.*2",
    "generated:edition=1994": "generated",
}


@pytest.mark.parametrize("text", WRONG)
def test_a_wrong_text_gives_one_line(text: str) -> None:
    for door in (load_course, Generator, batch_of_text):
        with pytest.raises(CourseError, match=WRONG[text]) as caught:
            door(text)
        assert "\n" not in str(caught.value)


def batch_of_text(text: str) -> BatchRace:
    return batch_of(1, text)


def test_generators_and_other_arguments_must_fit() -> None:
    with pytest.raises(CourseError, match=r"edition 2016.*2005"):
        batch_of(1, Generator(TEXT), edition="2005")
    with pytest.raises(CourseError, match=r"edition=2016:.*edition 2005"):
        batch_of(1, "generated:edition=2016", edition="2005")
    with pytest.raises(CourseError):
        batch_of(1, ["dizzy_highway", TEXT])
    with pytest.raises(RoboRallyError, match=r"num_games.*32767"):
        batch_of(40_000)
    with pytest.raises(RoboRallyError, match=r"players.*2.*3.*4"):
        batch_of(1, "generated:players=3", players=4)
    with pytest.raises(CourseError, match=r"workers.*0"):
        Generator(TEXT, workers=-1)
