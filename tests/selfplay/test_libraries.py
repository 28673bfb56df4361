"""Self-play data for libraries of learning: PyTorch's data loaders, Minari."""

import warnings

import numpy as np
import pytest

from roborally_env import RoboRallyError
from roborally_env.selfplay import selfplay
from tests.selfplay.conftest import GIVEN

COLUMNS = ["hand", "program", "episode"]


@pytest.fixture
def loader():
    torch = pytest.importorskip("torch")
    from roborally_env.selfplay.torch_data import Batches

    def load(data, columns=COLUMNS, workers=0, seed=0, **options):
        torch.manual_seed(seed)
        return torch.utils.data.DataLoader(Batches(data, columns, **options), batch_size=None, num_workers=workers)

    return load


def rows_of(batches):
    """All rows as sorted lists of numbers."""
    rows = [np.hstack([each.numpy().reshape(len(each), -1) for each in batch.values()]) for batch in batches]
    return sorted(np.concatenate(rows).tolist())


@pytest.mark.parametrize("workers", [0, pytest.param(2, marks=pytest.mark.slow)])
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_loader_gives_every_row_once(data, loader, workers):
    batches = list(loader(data, batch=50, workers=workers, decision=None))
    assert len(rows_of(batches)) == data.decisions
    assert rows_of(batches) == rows_of(loader(data, batch=10**6, shuffle=False, decision=None))
    assert sum(len(batch["hand"]) < 50 for batch in batches) <= max(1, workers)
    assert [tuple(each.shape[1:]) for each in batches[0].values()] == [(13,), (5,), ()]


def test_rows_are_in_order_or_shuffled_by_torchs_seed(data, loader):
    whole = np.concatenate([part["episode"] for part in data.arrays(["episode"])])

    def order(**options):
        return np.concatenate([batch["episode"].numpy() for batch in loader(data, batch=30, **options)]).tolist()

    assert order(shuffle=False) == whole.tolist()
    assert order(seed=1) == order(seed=1) != order(seed=2)
    assert sorted(order(seed=1)) == sorted(whole)
    batches = loader(data, batch=30, seed=1)
    first, second = ([batch["episode"].tolist() for batch in batches] for _ in range(2))
    assert first != second, "another order in each epoch"


def test_a_loader_of_one_agent(data, loader):
    found = sum(len(batch["hand"]) for batch in loader(data, agent="greedy"))
    assert found == sum(len(part["hand"]) for part in data.arrays(["hand"], agent="greedy"))


WRONG = {
    "unknown": ({"columns": ["hands"]}, "'hands'"),
    "text": ({"columns": ["hand", "agent"]}, "columns"),
    "none": ({"columns": []}, "columns"),
    "agent": ({"agent": "planner"}, "'planner'"),
    "batch": ({"batch": 0}, "batch.*1"),
    "agents": ({"agent": np.arange(2)}, "agent"),
}


@pytest.mark.parametrize(("options", "message"), WRONG.values(), ids=WRONG)
def test_wrong_arguments_of_a_loader(data, loader, options, message):
    with pytest.raises(RoboRallyError, match=message):
        loader(data, **options)


@pytest.fixture
def export(monkeypatch, tmp_path):
    """`to_minari` into a folder of this test; the data set is loaded anew by its name."""
    minari = pytest.importorskip("minari")
    from roborally_env.selfplay.minari_data import to_minari

    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path / "minari"))

    def write(data, **options):
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", category=UserWarning, module="minari")  # fields that may be left out
            to_minari(data, "roborally/made-v0", **options)
        return minari.load_dataset("roborally/made-v0")

    return write


def test_minari_has_what_the_seats_saw_did_and_got(data, export):
    made = export(data, agent="greedy", author="a reader")
    whole = {
        name: np.concatenate([part[name] for part in data.arrays([name], decision=None, agent="greedy")])
        for name in ("episode", "seat", "observation", "program", "option", "options", "reward_race")
    }
    episodes = list(made.iterate_episodes())
    keys = sorted(set(zip(whole["episode"].tolist(), whole["seat"].tolist(), strict=True)))
    assert (len(episodes), made.total_steps) == (len(keys), len(whole["seat"]))
    for key, episode in zip(keys, episodes, strict=True):
        rows = (whole["episode"] == key[0]) & (whole["seat"] == key[1])
        assert (episode.observations["observation"][:-1] == whole["observation"][rows]).all()
        asked = whole["options"][rows] == 0
        assert (episode.actions[asked, :5] == whole["program"][rows][asked]).all()
        assert (episode.actions[~asked, 5] == 1 + whole["option"][rows][~asked]).all()
        assert np.allclose(episode.rewards, whole["reward_race"][rows])
        assert (episode.terminations | episode.truncations).tolist() == [False] * (len(episode) - 1) + [True]
        sizes = made.action_space.nvec
        for mask, chosen in zip(episode.observations["action_mask"], episode.actions, strict=False):
            assert mask[np.cumsum([0, *sizes[:-1]]) + chosen].all(), "each action is legal"


@pytest.mark.parametrize("action", ["register", "flat"])
@pytest.mark.parametrize("change", [{"decisions": "all"}, {"edition": "2005"}], ids=["2016", "2005"])
def test_minari_has_races_as_one_number_an_action(action, change, export, tmp_path):
    courses = ["risky_exchange"] if "edition" in change else ["twister"]
    options = {**GIVEN, "games": 2, "max_rounds": 3, **change}
    made = selfplay(["greedy", "random"], courses, out=tmp_path / "data", **options)
    found = export(made, action=action)
    env = found.recover_environment()
    assert (env.observation_space, env.action_space) == (found.observation_space, found.action_space)
    assert (found.total_steps > made.decisions) == (action == "register")
    for episode in found.iterate_episodes():
        seen = episode.observations
        assert seen["action_mask"][np.arange(len(episode)), episode.actions].all(), "each action is legal"
        last = {name: part[-1] for name, part in seen.items()}
        assert env.observation_space.contains(last)


def test_the_env_of_a_minari_data_set_has_its_spaces(data, export):
    made = export(data, agent="greedy", reward="progress")
    env = made.recover_environment()
    assert (env.observation_space, env.action_space) == (made.observation_space, made.action_space)
    assert env.unwrapped.opponents == ("random", "greedy", "random")
    env.reset(seed=1)
    episode = next(made.iterate_episodes())
    assert 0 <= sum(episode.rewards) <= 1
    for t in range(len(episode) + 1):
        seen = {"observation": episode.observations["observation"][t]}
        seen["action_mask"] = episode.observations["action_mask"][t]
        assert env.observation_space.contains(seen)


MADE = {
    "2016, every choice": (["twister"], {"decisions": "all", "max_rounds": 4}),
    "2005, every choice": (["risky_exchange"], {"edition": "2005", "decisions": "all", "max_rounds": 4}),
    "2005, teams": (["capture_the_flag"], {"edition": "2005", "decisions": "all", "max_rounds": 20, "players": 4}),
    "community": (["community/hot_floor"], {"edition": "community", "max_rounds": 6}),
    "generated": ("generated:difficulty=1,seed=5", {"max_rounds": 4}),
}


@pytest.mark.parametrize(("courses", "change"), MADE.values(), ids=MADE)
def test_every_edition_goes_to_minari(courses, change, export, tmp_path):
    options = {**GIVEN, "games": 6, "shard_games": 4, **change}
    made = selfplay(["greedy", "random"], courses, out=tmp_path / "data", observations=True, **options)
    found = export(made)
    assert found.total_steps == made.decisions
    seen = np.concatenate([episode.observations["observation"][:-1] for episode in found.iterate_episodes()])
    kept = list(made.arrays(["observation", "episode", "seat", "step"], decision=None))
    order = [np.lexsort((part["step"], part["seat"], part["episode"])) for part in kept]
    assert (seen == np.concatenate([part["observation"][rows] for part, rows in zip(kept, order, strict=True)])).all()


def test_data_of_several_sizes_is_refused_by_minari(export, tmp_path):
    courses = ["risky_exchange", "war_zone"]
    made = selfplay(["random"], courses, edition="2005", out=tmp_path / "data", games=1, max_rounds=2)
    with pytest.raises(RoboRallyError, match="robots"):
        export(made)
    with pytest.raises(RoboRallyError, match="'planner'"):
        export(made, agent="planner")
    with pytest.raises(RoboRallyError, match=r"reward.*race, progress"):
        export(made, reward="all")


def test_an_id_that_minari_refuses(data, export):
    export(data)
    with pytest.raises(RoboRallyError, match=r"^roborally/made-v0"):
        export(data)


@pytest.mark.parametrize(
    "name", ["made", "a b-v0", "../made-v0", "n/made-v0", "m" * 300 + "-v0", "", None, True, b"made-v0"]
)
def test_an_id_is_refused_before_anything_is_written(name, data, export, tmp_path):
    from roborally_env.selfplay.minari_data import to_minari

    with pytest.raises(RoboRallyError, match=r"^dataset_id: .*-v0"):
        to_minari(data, name)
    assert not [path for path in tmp_path.rglob("*") if "made" in path.name]


def test_an_unknown_word_about_a_data_set(data, export):
    with pytest.raises(RoboRallyError, match=r"autor.*author"):
        export(data, autor="A Reader")
