"""Self-play data that tests read, made once."""

import pytest

from roborally_env.selfplay import selfplay

# one course and number of players for all: little to compile
GIVEN = {"games": 24, "players": 4, "seed": 3, "max_rounds": 12, "shard_games": 10}


@pytest.fixture(scope="session")
def data(tmp_path_factory):
    """24 races of two bots in three shards, with observations."""
    out = tmp_path_factory.mktemp("selfplay") / "data"
    return selfplay(["greedy", "random"], "dizzy_highway", out=out, observations=True, **GIVEN)


def contents(folder):
    """The bytes of all files of a folder but the lock, by name."""
    files = (path for path in folder.rglob("*") if path.is_file() and path.name != ".lock")
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def whole_files(folder):
    """The bytes of the files that have got their names, without the decisions in parts that are not whole."""
    return {name: found for name, found in contents(folder).items() if not name.startswith((".partial", "begun"))}
