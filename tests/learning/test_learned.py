"""The learned agents: what they see, what the network makes of it, and what the search does with it."""

import zipfile
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from roborally_env.agents import Info, features, make_agent
from roborally_env.agents.candidates import (
    AWAY,
    CHANCE,
    DAMAGED,
    FEATURES,
    FELL,
    FINISHED,
    LEFT,
    NEAR,
    VALUE,
    Candidates,
)
from roborally_env.agents.features import Features, layout_for
from roborally_env.agents.learned import WEIGHTS, shipped_weights
from roborally_env.agents.network import NAMES, load_weights, read_weights, save_weights, win_chances
from roborally_env.agents.ppo import read_policy

from roborally_env import AgentError, BatchRace
from roborally_env.core.seeing.parts import parts_of
from tests.learning.nets import random_arrays
from tests.sizes import size

COURSES = ["dizzy_highway", "twister"]
PLAYERS = 4


@pytest.fixture(scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Weights of a network that has learned nothing."""
    path = tmp_path_factory.mktemp("weights") / "weights.npz"
    save_weights(path, random_arrays(layout_for("complete"), 3), {"edition": "2016"})
    return path


def races(steps: int, games: int = 24, **options: object) -> BatchRace:
    batch = BatchRace(games, COURSES, players=PLAYERS, observation="none", seed=5, **options)  # type: ignore[arg-type]
    for _ in range(steps):
        batch.step(*batch.sample())
    return batch


def programmers(batch: BatchRace) -> tuple[np.ndarray, np.ndarray]:
    return np.nonzero(batch.programming[:, None].repeat(batch.players, 1))


def programs_of(agent: object, batch: BatchRace, games: np.ndarray, seats: np.ndarray) -> np.ndarray:
    return agent.act(None, batch.observations["masks"][games, seats], Info(batch, games, seats))  # type: ignore[attr-defined]


@pytest.mark.parametrize("edition", size(["2016", "2005"], ["2016", "2005", "2023", "community"]))
def test_the_network_s_vectors_have_the_numbers_of_the_observation(edition: str) -> None:
    course = "risky_exchange" if edition == "2005" else "dizzy_highway"
    batch = BatchRace(16, course, edition=edition, players=3, seed=4)
    for _ in range(12):
        batch.step(*batch.sample())
    games, seats = np.nonzero(np.ones((16, 3), bool) & ~batch.over[:, None])
    own, _ = Features(batch).positions(games, seats)
    at = layout_for(batch.game)
    changed = set(range(at.deck, at.deck + at.card)) | set(range(at.shop, at.shop + 42) if at.shop >= 0 else ())
    same = np.array([pair for pair in at.own_map if pair[1] not in changed])
    seen = batch.observations["symbolic"][games, seats]
    assert len(same) > 50
    np.testing.assert_array_equal(own[:, same[:, 1]], seen[:, same[:, 0]])


def test_what_is_hidden_from_a_seat_changes_nothing_that_it_sees() -> None:
    batch = races(30)
    for seat in range(PLAYERS):
        other = batch.redeal(seat, 9)
        games = np.arange(batch.num_games)
        seats = np.full(batch.num_games, seat)
        for mine, its in zip(
            Features(batch).positions(games, seats), Features(other).positions(games, seats), strict=True
        ):
            np.testing.assert_array_equal(mine, its)


def test_a_position_looks_the_same_before_and_after_the_own_hand_is_dealt() -> None:
    batch = races(0)  # purchases of round one: nobody has a hand
    games, seats = np.arange(batch.num_games), np.zeros(batch.num_games, np.int64)
    own, _ = Features(batch).positions(games, seats)
    deck = layout_for(batch.game).deck
    before = own[:, deck : deck + 9].copy()
    while not batch.programming.all():
        choices = (batch.games["ask_seat"][:, None] == np.arange(PLAYERS)).astype(np.int8)  # nobody buys
        batch.step(np.zeros((batch.num_games, PLAYERS, 5), np.int8), choices)
    own, _ = Features(batch).positions(games, seats)
    np.testing.assert_array_equal(own[:, deck : deck + 9], before)


@pytest.mark.parametrize("game", ["lighter", "complete", "2023", "2005"])
def test_an_observation_with_more_parts_looks_the_same(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def grown(game: str) -> list[tuple[str, tuple[int, ...], str]]:
        parts = [(name, (7,) if name == "lives" else shape, words) for name, shape, words, *_ in parts_of(game)]
        parts = [("mood", (3,), "new"), *parts]
        return [(n, (-1, shape[1] + 2) if n == "others" else shape, words) for n, shape, words in parts]

    def taken() -> dict[int, tuple[str, int]]:
        names = [(name, i) for name, (_, length) in features._places(game).items() for i in range(length)]
        return {to: names[at] for at, to in features.layout_for.__wrapped__(game).own_map.tolist()}

    before, row = taken(), layout_for(game).row_map
    monkeypatch.setattr(features, "parts_of", grown)
    assert taken() == before
    assert (features.layout_for.__wrapped__(game).row_map[: len(row)] == row).all()


def test_both_games_of_2016_share_a_layout() -> None:
    full, light = layout_for("complete"), layout_for("lighter")
    assert (full.own, full.row, full.card) == (light.own, light.row, light.card)


@pytest.mark.parametrize(
    "name",
    [
        "learned",
        "learned:deals=0",
        "learned:temperature=1",
        *size([], ["learned-search:simulations=500"]),
        "learned-search:simulations=200",
        "learned-search:simulations=200,ahead=2,others=greedy",
    ],
)
def test_programs_are_legal_and_do_not_depend_on_the_rows_beside(name: str, weights: Path) -> None:
    batch = races(25, games=6)
    games, seats = programmers(batch)
    agent = make_agent(f"{name}{',' if ':' in name else ':'}weights={weights}", 4)
    together = programs_of(agent, batch, games, seats)
    held = batch.observations["masks"][games[:, None], seats[:, None], np.arange(5), together]
    assert held.all()
    assert all(len(set(program)) == 5 for program in together.tolist())
    few = slice(1, 8, 3)
    alone = [programs_of(agent, batch, games[i : i + 1], seats[i : i + 1])[0] for i in range(*few.indices(len(games)))]
    np.testing.assert_array_equal(together[few], alone)


def test_temperature_draws_and_the_seed_decides_what(weights: Path) -> None:
    batch = races(25)
    games, seats = programmers(batch)
    drawn = [
        programs_of(make_agent(f"learned:temperature=1,weights={weights}", s), batch, games, seats) for s in (1, 1, 2)
    ]
    np.testing.assert_array_equal(drawn[0], drawn[1])
    assert (drawn[0] != drawn[2]).any(axis=1).mean() > 0.5


def test_a_decision_does_not_depend_on_the_hands_of_the_others(weights: Path) -> None:
    batch = races(25)
    games, seats = programmers(batch)
    agent = make_agent(f"learned:weights={weights}")
    mine = seats == 2
    before = programs_of(agent, batch, games[mine], seats[mine])
    for game in batch.games[games[mine]]:
        game["hand"][1, :9] = game["hand"][1, :9][::-1].copy()
        game["hand"][0, 0], game["pile"][0, 0] = int(game["pile"][0, 0]), int(game["hand"][0, 0])
    batch.games[games[mine]] = batch.games[games[mine]]
    np.testing.assert_array_equal(programs_of(agent, batch, games[mine], seats[mine]), before)


def test_candidates_are_distinct_programs_and_the_first_is_that_of_greedy() -> None:
    batch = races(25)
    games, seats = programmers(batch)
    rows, programs, counts = Candidates(batch).of(games, seats, np.zeros(len(games), np.int64))
    np.testing.assert_array_equal(programs[:, 0], programs_of(make_agent("greedy"), batch, games, seats))
    assert (rows[:, 0, VALUE] == 0).all()
    assert (rows[:, :, VALUE] <= 0).all()
    assert (counts > 1).all()
    for program, count in zip(programs, counts, strict=True):
        assert len({tuple(each) for each in program[:count].tolist()}) == count


@pytest.mark.slow  # the machine code of the lighter game
def test_a_robot_far_from_the_other_ends_where_its_candidates_say() -> None:
    """Mostly nothing is uncertain: where the other robot does not interfere the simulator does what they say."""
    batch = BatchRace(12, COURSES, players=2, observation="none", rules={"upgrades": False}, seed=5)
    for _ in range(3):
        batch.step(*batch.sample())
    games, seats = np.arange(12), np.zeros(12, np.int64)
    rows, _, counts = Candidates(batch).of(games, seats, np.full(12, 3))
    same = []
    for i in range(12):
        of_game = rows[i, : counts[i]]
        calm = (of_game[:, DAMAGED] == 0) & (of_game[:, FELL] == 0) & (of_game[:, FINISHED] == 0)
        calm &= of_game[:, NEAR : NEAR + 5].sum(1) == 0
        same += np.isclose(of_game[calm, FEATURES + LEFT], of_game[calm, AWAY], atol=1e-5).tolist()
    assert len(same) > 200
    assert np.mean(same) > 0.75


@pytest.mark.slow  # the machine code of 2005
def test_candidates_are_told_apart_where_teams_race() -> None:
    """In Capture the Flag a position has a lead, not a chance to win."""
    batch = BatchRace(8, "2005/capture_the_flag", players=4, observation="none", seed=5)
    for _ in range(3):
        batch.step(*batch.sample())
    games, seats = programmers(batch)
    rows, _, counts = Candidates(batch).of(games, seats, np.full(len(games), 1))
    spread = [np.ptp(row[:count, FEATURES + CHANCE]) for row, count in zip(rows, counts, strict=True) if count > 1]
    assert np.mean(np.array(spread) > 0.01) > 0.9


@pytest.mark.parametrize("options", ["simulations=2000", "simulations=30000"])
def test_the_search_wins_in_the_round_where_it_can(options: str, weights: Path) -> None:
    """A robot two cells before the only checkpoint, facing it, with the way free: an untrained network is enough."""
    batch = races(0, games=12)
    while not batch.programming.all():
        choices = (batch.games["ask_seat"][:, None] == np.arange(PLAYERS)).astype(np.int8)  # nobody buys
        batch.step(np.zeros((batch.num_games, PLAYERS, 5), np.int8), choices)
    goal = batch.games["checkpoint"][:, 0].astype(np.int64)
    on_highway = np.flatnonzero(batch.games["course"] == 0)
    batch.games["cell"][on_highway, 2] = goal[on_highway] + 2 * 32  # the belt before the checkpoint runs north, onto it
    batch.games["facing"][on_highway, 2] = 0
    batch.observe()
    agent = make_agent(f"learned-search:{options},weights={weights}")
    greedy = make_agent("greedy")
    programs = np.zeros((batch.num_games, PLAYERS, 5), np.int8)
    for seat in range(PLAYERS):
        games, seats = np.arange(batch.num_games), np.full(batch.num_games, seat)
        programs[:, seat] = programs_of(agent if seat == 2 else greedy, batch, games, seats)
    batch.step(programs, np.zeros((batch.num_games, PLAYERS), np.int8))
    results = batch.results[on_highway]
    assert len(on_highway) > 2
    assert ((results["winner"] == 2) & (results["rounds"] == 1)).all()


def test_chances_lie_between_0_and_1_and_agree_with_the_formula(weights: Path) -> None:
    batch = races(25)
    games, seats = programmers(batch)
    own, others = Features(batch).positions(games, seats)
    net, _ = load_weights(weights, batch.game)
    out = np.zeros(len(games))
    win_chances(net, own, others, out)
    w = SimpleNamespace(**{name: array.astype(np.float32) for name, array in read_weights(weights)[0].items()})
    pooled = np.maximum(others @ w.row_w + w.row_b, 0).sum(1)
    first = np.maximum(own @ w.own_w + pooled @ w.pool_w + w.own_b, 0)
    position = np.maximum(first @ w.mid_w + w.mid_b, 0)
    logit = np.maximum(position @ w.win1_w + w.win1_b, 0) @ w.win2_w[:, 0] + w.win2_b[0]
    np.testing.assert_allclose(out, 1 / (1 + np.exp(-logit)), rtol=1e-4)


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda path: path.write_bytes(b"PK nothing"), ""),
        (lambda path: path.unlink(), "file"),
        (lambda path: save_weights(path, random_arrays(layout_for("2005"), 1), {"edition": "2005"}), "edition 2005"),
    ],
)
def test_weights_that_do_not_fit_are_refused(tmp_path: Path, spoil: object, message: str) -> None:
    path = tmp_path / "weights.npz"
    save_weights(path, random_arrays(layout_for("complete"), 3), {"edition": "2016"})
    spoil(path)  # type: ignore[operator]
    batch = races(0, games=1)
    with pytest.raises(AgentError, match=message):
        make_agent(f"learned:weights={path}").net_for(batch)  # type: ignore[attr-defined]


def test_weights_of_another_version_are_refused(tmp_path: Path) -> None:
    arrays = random_arrays(layout_for("complete"), 3)
    save_weights(tmp_path / "weights.npz", arrays, {"edition": "2016"})
    with np.load(tmp_path / "weights.npz") as data:
        kept = {name: data[name] for name in data.files if name != "skip_w"}
    np.savez(tmp_path / "weights.npz", **kept)
    with pytest.raises(AgentError, match="skip_w"):
        make_agent(f"learned:weights={tmp_path / 'weights.npz'}")


def test_weights_that_are_not_finite_are_refused(tmp_path: Path) -> None:
    arrays = random_arrays(layout_for("complete"), 3)
    arrays["own_b"][3] = np.nan
    save_weights(tmp_path / "weights.npz", arrays, {"edition": "2016"})
    with pytest.raises(AgentError, match="not finite"):  # before any race
        make_agent(f"learned:weights={tmp_path / 'weights.npz'}")


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("learned:temperature=-1", "temperature.*0"),
        ("learned:deals=-1", "deals.*0.*1000"),
        ("learned:deals=many", "deals.*0.*1000"),
        ("learned-search:simulations=0", "simulations.*1.*10000000.*0"),
        ("learned-search:simulations=5,budget=1s", "budget.*them"),
        ("learned-search:budget=soon", "budget"),
        ("learned-search:trust=2", "trust.*0.*1.*2"),
        ("learned-search:others=planner", "others.*greedy.*'planner'"),
        ("learned-search:ahead=11", "ahead.*0.*10"),
        ("learned-search:candidates=15121", "candidates.*0.*15120.*15121"),
        ("learned:wieghts=x", ""),
    ],
)
def test_wrong_options_are_named(spec: str, message: str) -> None:
    with pytest.raises(AgentError, match=message):
        make_agent(spec)


def test_saved_weights_read_back(weights: Path) -> None:
    net, about = load_weights(weights, "complete")
    arrays, _ = read_weights(weights)
    assert about["edition"] == "2016"
    assert list(arrays) == list(NAMES)
    assert net.numbers.dtype == np.float32
    for part, name in enumerate(NAMES):
        found = net.numbers[net.starts[part] : net.starts[part + 1]]
        np.testing.assert_array_equal(found, arrays[name].ravel(), name)
    assert net.starts[-1] == len(net.numbers)


@pytest.mark.parametrize("name", ["learned", "learned-search:simulations=500"])
def test_the_weights_that_come_along_beat_random(name: str) -> None:
    from roborally_env.evaluation.tournament import evaluate

    result = evaluate([name, "random", "random", "random"], "dizzy_highway", games=20, seed=4)
    assert result.rows[0].win_rate >= 0.9


def test_weights_that_only_value_positions_lay_no_cards(tmp_path: Path) -> None:
    path = tmp_path / "weights.npz"
    save_weights(path, random_arrays(layout_for("complete"), 3), {"edition": "2016", "kind": "value"})
    batch = races(0, games=1)
    with pytest.raises(AgentError, match="learned"):
        make_agent(f"learned:weights={path}").net_for(batch)  # type: ignore[attr-defined]
    make_agent(f"learned-search:weights={path}").net_for(batch)  # type: ignore[attr-defined]


@pytest.mark.parametrize("agent", ["learned", "ppo"])
def test_archives_of_very_many_arrays_are_refused_at_once(agent: str, tmp_path: Path) -> None:
    """What an archive's list says of each file is 46 bytes and more; a million of them took seconds to read."""
    path = tmp_path / "weights.npz"
    with zipfile.ZipFile(path, "w") as archive:
        for number in range(1001):
            archive.writestr(f"{number}.npy", b"")
    with pytest.raises(AgentError, match=rf"{agent}.*more than 1000 arrays"):
        make_agent(f"{agent}:weights={path}")


def test_the_files_that_come_along_name_no_place_of_a_machine() -> None:
    for path in WEIGHTS.glob("*.npz"):
        about = (read_policy if path.stem.startswith("ppo") else read_weights)(path)[1]
        assert about["options"]["courses"]
        assert not any(str(value).startswith("/") for value in about["options"].values()), path


def test_an_edition_without_weights_is_reported(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("roborally_env.agents.learned.WEIGHTS", tmp_path)
    with pytest.raises(AgentError, match=r"edition 2005.*learned.*weights=FILE"):
        shipped_weights("learned-search", "2005")


@pytest.mark.slow  # other machine code than that of 2016
@pytest.mark.parametrize("name", ["learned", "learned-search:simulations=300"])
def test_they_play_the_2005_edition_and_power_down(name: str) -> None:
    from roborally_env.evaluation.tournament import evaluate

    result = evaluate([name, "random", "random", "random"], "2005/risky_exchange", games=8, seed=4, max_rounds=60)
    assert result.rows[0].win_rate >= 0.5
    assert result.rows[0].repairs == 0
