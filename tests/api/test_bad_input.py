"""Wrong values are refused with RoboRallyError, which says what is wrong and what would be right."""

import hashlib
import json
import re
from typing import Any

import numpy as np
import pytest

from roborally_env import (
    ActionError,
    BatchRace,
    RoboRallyError,
    SnapshotError,
    aec_env,
    make_vec,
    parallel_env,
    replay,
    scenario,
)
from tests.api.helpers import ACTIONS, start
from tests.games import FULL, LIGHTER, both_games

ARGUMENTS = [
    ({"course": "dizzy_hihgway"}, "dizzy_highway"),
    ({"course": "no/such/file.toml"}, r"no/such/file\.toml"),
    ({"course": []}, "course"),
    ({"course": 3}, "course"),
    ({"edition": "2017"}, "'2017'"),
    ({"players": 1}, "players.*2.*6.*1"),
    ({"players": 7}, "players.*2.*6.*7"),
    ({"players": 2.0}, "players"),
    ({"course": "2005/checkmate"}, "players.*5 to 8, got 4 on checkmate"),
    ({"decisions": "some"}, "decisions.*program, all"),
    ({"observation": "simbolic"}, "symbolic"),
    ({"observation": "text"}, r"expected one of symbolic, planes.*roborally_env\.text\.TextRace"),
    ({"observation": "none"}, "observation.*symbolic, planes, dict"),
    ({"action": "flt"}, "flat"),
    ({"reward": "win"}, "reward.*race, progress, shaped"),
    ({"discount": 1.5}, "discount.*0.*1"),
    ({"max_rounds": 0}, "max_rounds.*1"),
    ({"rules": {"timr": True}}, "timer"),
    ({"rules": {"upgrades": 1}}, r"rules\.upgrades.*1"),
    ({"rules": {"upgrades": "yes"}}, r"rules\.upgrades.*'yes'"),
    ({"rules": {"upgrade": True}}, "upgrades"),
    ({"rules": "advanced"}, "rules"),
    ({"render_mode": "rgb"}, "render_mode.*human, rgb_array, ansi"),
    ({"reward": np.array([1, 2])}, r"^reward: expected one of .*got array\(\[1, 2\]\)$"),
    ({"observation": np.zeros((2, 2))}, r"^observation: expected one of .*got array.*$"),
    ({"decisions": None}, "decisions.*program, all.*None"),
    ({"infos": np.array([1, 2])}, r"^infos: expected one of .*got array\(\[1, 2\]\)$"),
    ({"masks": np.zeros((2, 2))}, r"^masks: expected one of .*$"),
    ({"players": np.zeros((2, 2))}, r"^players.*2.*6.*array.*$"),
    ({"course": np.zeros((2, 2))}, "course.*array"),
    ({"edition": np.zeros((2, 2))}, "edition.*array"),
    ({"rules": np.zeros((2, 2))}, "rules.*array"),
    ({"discount": np.zeros((2, 2))}, "discount.*array"),
]


@pytest.mark.parametrize("make", [parallel_env, aec_env])
@pytest.mark.parametrize(("arguments", "words"), ARGUMENTS, ids=[str(a) for a, _ in ARGUMENTS])
def test_wrong_arguments(make: Any, arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(RoboRallyError) as refused:
        make(**arguments)
    assert re.search(words, str(refused.value))
    assert "\n" not in str(refused.value)


def test_a_flag_of_numpy_is_a_flag() -> None:
    assert parallel_env(strict=np.True_).unwrapped.strict is True
    names = parallel_env(action="register", ghost=np.True_, observation="dict").observation_space("robot_0")
    assert "ghost" in names["observation"].spaces


def test_seats_without_opponents_are_refused_in_one_line() -> None:
    pytest.importorskip("stable_baselines3")
    from roborally_env.envs import sb3

    for seat in (np.zeros((2, 2)), np.array([1, 2]), 1):
        with pytest.raises(RoboRallyError, match=r"^seat: .*without opponents.*$"):
            sb3.SB3VecEnv(2, seat=seat)


CALLS = {
    "a seed below 0": (lambda batch: batch.sample(seed=-1), r"seed.*0 to \d+.*-1"),
    "a seed of no number": (lambda batch: batch.sample(seed=None), "seed.*None"),
    "a seed of several": (lambda batch: batch.sample(seed=np.arange(3)), r"seed.*array"),
    "a game below 0": (lambda batch: batch.pending_in(-1), "game.*0 to 1.*-1"),
    "no game": (lambda batch: batch.pending_in(2), "game.*0 to 1.*2"),
    "no record": (lambda batch: batch.take_record(None), "records"),
    "two records": (lambda batch: batch.take_record(batch.games), "records.*one"),
    "other records": (lambda batch: batch.take_record(np.zeros(1)), "records"),
    "no flag": (lambda _: BatchRace(1, auto_reset="no"), "auto_reset.*True or False.*'no'"),
    "several flags": (lambda _: BatchRace(1, observe_idle=np.ones(2)), "observe_idle.*True or False"),
    "a number for a flag": (lambda _: BatchRace(1, masks=1), "masks.*True or False.*1"),
    "a word for a flag": (lambda _: BatchRace(1, events="all"), "events.*True or False.*'all'"),
    "nothing for a flag": (lambda _: make_vec(1, copy=None), "copy.*True or False.*None"),
    "a number for a path": (lambda _: replay.load(True), "path.*True"),
    "no path": (lambda _: replay.load(None), "path.*None"),
    "a list for a scenario": (lambda _: scenario.load([]), r"source.*\[\]"),
}


@pytest.mark.parametrize(("call", "words"), CALLS.values(), ids=CALLS)
def test_wrong_arguments_of_methods(call: Any, words: str) -> None:
    batch = BatchRace(2, rules={"upgrades": False})
    with pytest.raises(RoboRallyError, match=words) as error:
        call(batch)
    assert "\n" not in str(error.value)


ENV_CALLS = {
    "four slots": (lambda env: env.encode([0, 1, 2, 3]), r"program.*5 hand slots.*\(4,\)"),
    "no slots": (lambda env: env.encode("abcde"), "program.*whole numbers"),
    "fractions": (lambda env: env.encode([0.5] * 5), "program.*whole numbers"),
    "no such seat": (lambda env: env.encode([0, 1, 2, 3, 4], seat=4), "seat.*0 to 3.*4"),
    "no such choice": (lambda env: env.encode([0, 1, 2, 3, 4], choice=-1), "choice.*-1"),
    "one register for several": (lambda env: env.catch("robot_0", 3), "registers.*3"),
    "no such register": (lambda env: env.catch("robot_0", [6]), "registers.*1 to 5.*6"),
}


@pytest.mark.parametrize(("call", "words"), ENV_CALLS.values(), ids=ENV_CALLS)
@pytest.mark.parametrize("form", ["program", "register"])
def test_wrong_arguments_of_an_env(call: Any, words: str, form: str) -> None:
    env = parallel_env(action=form, rules={"timer": True})
    env.reset(seed=1)
    while not env.unwrapped.batch.programming[0]:
        env.step({agent: env.encode_nothing() for agent in env.agents})
    with pytest.raises(RoboRallyError, match=words):
        call(env)


def test_agents_are_named_by_words() -> None:
    env = parallel_env(rules={"upgrades": False})
    for use in (env.action_space, env.observation_space):
        for agent in (np.array(["robot_0", "robot_1"]), 0, "robot_9"):
            with pytest.raises(RoboRallyError, match="unknown agent"):
                use(agent)  # type: ignore[arg-type]


class Odd:
    """No number at all."""


# what robot_1 does, in each action form, and what is said about it; {n} is how many numbers are wanted
PROGRAMS = [
    (np.arange(4), "actions['robot_1']: expected shape ({n},), got (4,)"),
    (np.zeros((1, 5), int), "expected shape ({n},), got (1, 5)"),
    (3, "expected shape ({n},), got ()"),
    (np.arange(5.0), "expected whole numbers, got dtype float64"),
    (np.ones(5, bool), "expected whole numbers, got dtype bool"),
    ([0, 1, 2, 3, "4"], "expected whole numbers"),
    ([0, 1, [2, 3], 4, 5], "expected whole numbers"),
    (None, "expected whole numbers"),
    (Odd(), "expected whole numbers"),
    ([0, 1, 2, 3, 2**70], "expected whole numbers"),
]
# the same for numbers out of range; {slot} is the highest hand slot
RANGES = [
    ([0, 1, 2, 3, 10], "actions['robot_1'][4]: expected 0 to {slot}, got 10"),
    ([0, -1, 2, 3, 4], "actions['robot_1'][1]: expected 0 to {slot}, got -1"),
    ([256, 1, 2, 3, 4], "actions['robot_1'][0]: expected 0 to {slot}, got 256"),
    ([2**64 - 1, 1, 2, 3, 4], "expected 0 to {slot}, got 18446744073709551615"),
]
NUMBERS = [
    (-1, "actions['robot_1']: expected 0 to {high}, got -1"),
    (40_000, "actions['robot_1']: expected 0 to {high}, got 40000"),
    (1.0, "expected whole numbers, got dtype float64"),
    (True, "expected whole numbers, got dtype bool"),
    ("1", "expected whole numbers"),
    ([1], "expected one whole number, got shape (1,)"),
    (None, "expected whole numbers"),
]


def refused(env: Any, actions: Any) -> str:
    """What is said about actions; nothing is played."""
    before = env.snapshot()
    with pytest.raises(ActionError) as error:
        env.step(actions)
    assert env.snapshot() == before
    return str(error.value)


@both_games
@pytest.mark.parametrize(("action", "words"), PROGRAMS, ids=[repr(a)[:30] for a, _ in PROGRAMS])
def test_wrong_programs(action: Any, words: str, rules: dict[str, Any]) -> None:
    env = parallel_env(rules=rules)
    start(env, 1)
    everybody = {agent: env.encode(range(5)) for agent in env.agents}
    assert words.format(n=6 if rules == FULL else 5) in refused(env, everybody | {"robot_1": action})


@both_games
@pytest.mark.parametrize(("slots", "words"), RANGES, ids=[repr(a) for a, _ in RANGES])
def test_slots_out_of_range(slots: list[int], words: str, rules: dict[str, Any]) -> None:
    env = parallel_env(rules=rules)
    start(env, 1)
    everybody = {agent: env.encode(range(5)) for agent in env.agents}
    wrong = np.array([*slots, *[0] * (rules == FULL)], np.uint64 if max(slots) > 256 else np.int64)
    assert words.format(slot=9 if rules == FULL else 8) in refused(env, everybody | {"robot_1": wrong})


@both_games
@pytest.mark.parametrize("form", ["register", "flat"])
@pytest.mark.parametrize(("action", "words"), NUMBERS, ids=[repr(a) for a, _ in NUMBERS])
def test_wrong_numbers(form: str, action: Any, words: str, rules: dict[str, Any]) -> None:
    env = parallel_env(action=form, rules=rules)
    env.reset(seed=1)
    highest = {"register": 40, "flat": 30239} if rules == FULL else {"register": 8, "flat": 15119}
    assert words.format(high=highest[form]) in refused(env, dict.fromkeys(env.agents, 0) | {"robot_1": action})


@pytest.mark.parametrize(
    ("rules", "decisions", "most"), [(FULL, "program", 41), (FULL, "all", 41), (LIGHTER, "all", 4)]
)
def test_wrong_choices(rules: dict[str, Any], decisions: str, most: int) -> None:
    env = parallel_env(decisions=decisions, rules=rules)
    env.reset(seed=1)
    everybody = {agent: [0, 1, 2, 3, 4, 0] for agent in env.agents}
    wrong = refused(env, everybody | {"robot_0": [0, 1, 2, 3, 4, most + 1]})
    assert f"actions['robot_0'][5]: expected 0 to {most}, got {most + 1}" in wrong
    wrong = refused(env, everybody | {"robot_0": [0, 1, 2, 3, 4, -1]})
    assert f"actions['robot_0'][5]: expected 0 to {most}, got -1" in wrong
    assert "expected shape (6,)" in refused(env, everybody | {"robot_0": [0, 1, 2, 3, 4]})


@both_games
def test_wrong_arrays_of_a_batch_are_refused_and_nothing_is_played(rules: dict[str, Any]) -> None:
    batch = BatchRace(3, players=4, rules=rules, seed=1)
    before = batch.snapshot()
    programs, choices = np.zeros((3, 4, 5), np.int8), np.zeros((3, 4), np.int8)
    slots, options = (9, 41) if rules == FULL else (8, 4)
    wrong = [
        ((programs[:2],), "programs: expected shape"),
        ((programs + slots + 1,), f"expected 0 to {slots}"),
        ((programs - 1,), f"expected 0 to {slots}, got -1"),
        ((programs, choices[:, :3]), "choices: expected shape"),
        ((programs, choices + options + 1), f"expected 0 to {options}"),
        ((programs, choices - 1), f"expected 0 to {options}, got -1"),
        ((programs, choices * 1.0), "choices: expected whole numbers"),
        ((programs, choices, choices + 1), "open_registers: expected zeros without"),
    ]
    for arguments, words in wrong:
        with pytest.raises(ActionError) as error:
            batch.step(*arguments)
        assert words in str(error.value)
        assert batch.snapshot() == before


def test_a_snapshot_of_another_version_is_refused_by_name() -> None:
    batch = BatchRace(2, players=4, rules=LIGHTER, seed=1)
    magic, head, rest = batch.snapshot().split(b"\n", 2)
    assert len(rest) == 32 + 2 * batch.dtype.itemsize
    its = json.loads(head) | {"record": 784}  # its size stood there once
    body = b"\0" * (2 * 784)
    head = json.dumps(its, sort_keys=True).encode()
    old = b"\n".join([magic, head, hashlib.sha256(head + body).digest() + body])
    before = batch.snapshot()
    with pytest.raises(SnapshotError):
        batch.restore(old)
    assert batch.snapshot() == before


OTHER_RACES = {
    "players": ({"players": 3}, "with players 4, this batch has 3"),
    "rules": ({"rules": {"upgrades": True}}, "with rules upgrades=False, this batch has upgrades=True"),
    "course": ({"course": "burnout"}, "on other courses than those of this batch: burnout"),
    "rounds": ({"max_rounds": 9}, "with max_rounds 100, this batch has 9"),
}


@pytest.mark.parametrize(("other", "words"), OTHER_RACES.values(), ids=OTHER_RACES)
def test_a_snapshot_of_another_race_is_refused_with_what_differs(other: dict[str, Any], words: str) -> None:
    options: dict[str, Any] = {"course": "twister", "rules": {"upgrades": False}}
    env, here = parallel_env(**options), parallel_env(**{**options, **other})
    env.reset(seed=1)
    here.reset(seed=1)
    with pytest.raises(SnapshotError, match=f"^snapshot: it was taken {words}$"):
        here.restore(env.snapshot())


def test_a_snapshot_brings_no_address_of_a_log() -> None:
    batch = BatchRace(2, players=4, rules=LIGHTER, seed=1)
    batch.games["log_at"] = batch.games["frames_at"] = 4096
    forged = batch.snapshot()
    batch.restore(forged)
    assert not batch.games["log_at"].any()
    assert not batch.games["frames_at"].any()
    batch.games["log_at"] = batch.games["frames_at"] = 4096  # nor does a step write there
    batch.sample(1)
    batch.step_prepared()
    assert not batch.games["log_at"].any()
    assert not batch.games["frames_at"].any()


@both_games
@pytest.mark.parametrize("form", ACTIONS)
def test_missing_and_unknown_agents(form: str, rules: dict[str, Any]) -> None:
    env = parallel_env(action=form, rules=rules)
    start(env, 1)
    action = env.encode(range(5))
    everybody = dict.fromkeys(env.agents, action)
    three = {agent: action for agent in env.agents if agent != "robot_2"}
    assert "'robot_2' has no action" in refused(env, three)
    assert "'robot_0' has no action" in refused(env, {})
    assert "unknown agent 'robot_4'" in refused(env, everybody | {"robot_4": action})
    assert "unknown agent 'robot-2' (did you mean robot_2" in refused(env, three | {"robot-2": action})
    assert "expected a dict" in refused(env, [action] * 4)
    assert "expected a dict" in refused(env, None)
    for space in (env.observation_space, env.action_space):
        with pytest.raises(RoboRallyError, match="'robot_4'"):
            space("robot_4")


@pytest.mark.parametrize("form", ACTIONS)
def test_nothing_but_reset_before_reset(form: str) -> None:
    env = parallel_env(action=form, render_mode="ansi")
    for call in (env.state, env.render, env.snapshot, lambda: env.step({})):
        with pytest.raises(RoboRallyError, match="reset"):
            call()
