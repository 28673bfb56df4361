"""Symbolic vectors as float16 and uint8."""

import copy
import pickle

import numpy as np
import pytest

from roborally_env import BatchRace, RoboRallyError, make_vec
from roborally_env.batch.encoding import Encoding
from roborally_env.core.seeing.parts import parts_of, shape_of

GAMES = [
    {"rules": {"upgrades": False}},
    {},
    {"decisions": "all"},
    {"edition": "2023"},
    {"edition": "2005"},
    {"edition": "community"},
]
# parts whose numbers do not go in steps of a byte
ROUGH = {"progress", "distance", "others", "hand", "locked_cards", "unseen"}


def play(batch, steps):
    for _ in range(steps):
        batch.sample()
        batch.step_prepared()


@pytest.mark.parametrize("game", GAMES, ids=lambda game: "-".join(f"{v}" for v in game.values()) or "complete")
def test_other_dtypes_tell_what_float32_tells(game):
    exact, half, codes = (
        BatchRace(6, dtype=dtype, seed=3, max_rounds=5, **game) for dtype in ("float32", "float16", "uint8")
    )
    encoding = codes.encoding
    rough = rough_columns(codes)
    assert not rough.all()
    for _ in range(40):
        for batch in (exact, half, codes):
            play(batch, 1)
        for name in ("observations", "final_observations"):
            wanted, halves, given = (getattr(batch, name)["symbolic"] for batch in (exact, half, codes))
            assert halves.dtype == np.float16
            assert np.array_equal(halves.view(np.uint16), wanted.astype(np.float16).view(np.uint16))
            assert given.dtype == np.uint8
            back = encoding.decode(given)
            assert np.array_equal(back[..., ~rough], wanted[..., ~rough])
            assert (np.abs(back - wanted) * encoding.steps <= 0.5001).all()
        assert np.array_equal(half.vectors, exact.vectors)
        assert np.array_equal(codes.vectors, exact.vectors)
    assert (exact.results["rounds"] > 0).any()  # races have ended


def rough_columns(batch):
    found = []
    for part in parts_of(batch.game, batch.decisions == "all"):
        found += [part.name in ROUGH] * int(np.prod(shape_of(part, batch.players)))
    return np.array(found)


@pytest.mark.parametrize("dtype", ["float16", "uint8"])
def test_copies_pickles_threads_and_snapshots(dtype):
    batch = BatchRace(6, dtype=dtype, seed=1, max_rounds=4)
    play(batch, 9)
    twins = [batch.copy(), copy.deepcopy(batch), pickle.loads(pickle.dumps(batch))]
    threaded = BatchRace(6, dtype=dtype, seed=1, max_rounds=4, threads=2)
    play(threaded, 9)
    back = BatchRace(6, dtype=dtype, seed=2, max_rounds=4)
    back.restore(batch.snapshot())
    assert back.observations["symbolic"].tobytes() == batch.observations["symbolic"].tobytes()
    for other in (*twins, threaded):
        for name in ("observations", "final_observations"):
            assert getattr(other, name)["symbolic"].tobytes() == getattr(batch, name)["symbolic"].tobytes()
    before = batch.observations["symbolic"].copy()
    for other in twins:  # none shares an array with the batch
        play(other, 3)
    assert np.array_equal(batch.observations["symbolic"], before)


def test_an_observation_stays_until_the_step_after_the_next():
    batch = BatchRace(4, dtype="uint8", seed=1)
    first = batch.observations["symbolic"]
    kept = first.copy()
    play(batch, 1)
    assert np.array_equal(first, kept)
    play(batch, 1)
    assert not np.array_equal(first, kept)


@pytest.mark.parametrize("observation", ["symbolic", "vector", "dict", "planes"])
@pytest.mark.parametrize("action", ["program", "register"])
def test_vector_envs_show_the_dtype_of_their_space(observation, action):
    envs = [
        make_vec(
            3,
            opponents="random",
            observation=observation,
            action=action,
            dtype=dtype,
            max_rounds=3,
            copy=copied,
            seed=5,
        )
        for dtype, copied in (("float32", True), ("float16", True), ("uint8", True), ("uint8", False))
    ]
    seen = [env.reset(seed=5)[0] for env in envs]
    rng = np.random.default_rng(0)
    for _ in range(25):
        wanted, halves, codes, again = (vectors_of(env, each) for env, each in zip(envs, seen, strict=True))
        assert np.array_equal(halves, wanted.astype(np.float16))
        assert np.array_equal(codes, again)
        assert codes.dtype == np.uint8
        encoding = envs[2].rows.encoding
        assert (np.abs(encoding.decode(codes) - wanted) * encoding.steps <= 0.5001).all()
        assert all(env.observation_space.contains(each) for env, each in zip(envs, seen, strict=True))
        drawn = rng.integers(0, 8, envs[0].action_space.shape)
        seen = [env.step(drawn)[0] for env in envs]


def vectors_of(env, seen):
    kind = env.rows.observation
    seen = seen if kind == "vector" else seen["observation"]
    if kind == "dict":
        names = [*env.rows.shapes, *env.rows.form.extra]
        return np.concatenate([seen[name].reshape(env.num_envs, -1) for name in names], axis=1)
    return seen["features"] if kind == "planes" else seen


def test_a_byte_has_room_for_every_bound():
    low = np.array([0, -1, -2.5, 0, -7.9], np.float32)
    high = np.array([1, 1, 2.5, 9.5, 8], np.float32)
    encoding = Encoding("uint8", low, high)
    assert encoding.steps.tolist() == [160, 96, 48, 24, 16]
    for ends in (low, high):
        codes = np.round(ends * encoding.steps) + encoding.zeros
        assert ((codes >= 0) & (codes <= 255)).all()
        assert np.array_equal(encoding.encode(ends), codes)


def test_a_wrong_dtype_is_one_line():
    for make in (lambda: BatchRace(2, dtype="float64"), lambda: make_vec(2, dtype="uint9")):
        with pytest.raises(RoboRallyError, match=r"dtype.*float32, float16, uint8"):
            make()


@pytest.mark.parametrize("dtype", ["float32", "float16", "uint8"])
def test_what_is_seen_of_a_race_that_is_over_stays(dtype):
    """Steps write two sets of arrays alternately; both show its end, also in a copy made between the two."""
    batch = BatchRace(6, dtype=dtype, observation="planes", decisions="all", seed=3, max_rounds=2, auto_reset=False)
    ended = {}
    while not batch.over.all():
        play(batch, 1)
        if batch.over.any() and not ended:
            batch = batch.copy()
        for game in np.flatnonzero(batch.over).tolist():
            flags = {"terminated": batch._out.terminated, "truncated": batch._out.truncated}
            seen = {name: array[game].copy() for name, array in (batch.observations | flags).items()}
            assert flags["terminated"][game] != flags["truncated"][game]
            for name, array in ended.setdefault(game, seen).items():
                assert np.array_equal(seen[name], array), (game, name)
    assert len(ended) == 6


def test_vectors_are_kept_from_the_first_time_that_they_are_asked_for():
    exact, codes = (BatchRace(6, dtype=dtype, seed=3, max_rounds=5, threads=2) for dtype in ("float32", "uint8"))
    for step in range(20):
        for batch in (exact, codes):
            play(batch, 1)
        if step >= 9:
            seen = codes.observations["symbolic"].copy()
            assert np.array_equal(codes.vectors, exact.vectors)
            assert np.array_equal(codes.observations["symbolic"], seen)


@pytest.mark.parametrize("rules", [{}, {"upgrades": False}], ids=["complete", "lighter"])
def test_a_sub_environment_that_waits_for_others_shows_its_own_position(rules):
    """While another one's opponents decide, its game stands still; what it shows is its position written anew."""
    env = make_vec(5, opponents=["greedy", "random", "greedy"], observation="planes", rules=rules, max_rounds=4)
    (seen, _), going_on = env.reset(seed=3), np.arange(5)
    rng = np.random.default_rng(0)
    for _ in range(40):
        anew, seats = env.batch.copy().observe(), env.races.seats
        shown = seen["observation"]
        assert np.array_equal(shown["features"][going_on], anew["symbolic"][going_on, seats[going_on]])
        assert np.array_equal(shown["planes"][going_on], anew["planes"][going_on, seats[going_on]])
        seen, _, terminated, truncated, _ = env.step(rng.integers(0, 8, env.action_space.shape))
        going_on = np.flatnonzero(~(terminated | truncated))  # the others show the end of their race
