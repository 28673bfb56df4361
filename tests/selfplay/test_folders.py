"""Folders and values that are refused, full disks, damaged files: each a clear RoboRallyError."""

import json
import resource
import shutil
import signal
import subprocess
import sys
import time

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from roborally_env import ReplayError, RoboRallyError
from roborally_env.selfplay import load, reader, selfplay
from roborally_env.selfplay.pages import chosen_episodes, write_pages
from tests.selfplay.conftest import GIVEN


def play(out, **change):
    return selfplay(["random"], "dizzy_highway", out=out, **{**GIVEN, **change})


def test_a_folder_with_other_things_is_refused(tmp_path):
    (tmp_path / "thesis.tex").write_text("mine")
    with pytest.raises(RoboRallyError, match=r"thesis\.tex"):
        play(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_what_is_no_folder_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(RoboRallyError, match="file"):
        play(tmp_path / "file")
    with pytest.raises(RoboRallyError, match="there"):
        play(tmp_path / "file" / "data")


@pytest.mark.skipif(sys.platform == "win32", reason="no limits on files there")
def test_a_full_disk_is_told_and_leaves_nothing_half_written(tmp_path):
    """A limit on the size of files does what a full disk does, at the same place."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (8192, before[1]))
    try:
        with pytest.raises(RoboRallyError, match=r"data.*large"):
            play(tmp_path / "data")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, ignored)
    assert not list((tmp_path / "data").rglob("shard-*"))
    assert play(tmp_path / "data").complete


WRONG = {
    "games": ({"games": 0}, "games.*1"),
    "shard_games": ({"shard_games": 0}, "shard_games.*1"),
    "workers": ({"workers": 0}, "workers.*1"),
    "players": ({"players": 7}, "players.*2.*6"),
    "decisions": ({"decisions": "some"}, "decisions.*program, all"),
}


@pytest.mark.parametrize(("change", "message"), WRONG.values(), ids=WRONG)
def test_wrong_values_make_no_folder(change, message, tmp_path):
    with pytest.raises(RoboRallyError, match=message):
        play(tmp_path / "data", **change)
    assert not (tmp_path / "data").exists()


def test_agents_are_named(tmp_path):
    from roborally_env.agents import make_agent

    with pytest.raises(RoboRallyError, match="agents"):
        selfplay([make_agent("random")], out=tmp_path / "data", games=1)


def test_observations_of_several_sizes_are_refused(tmp_path):
    courses = ["risky_exchange", "war_zone"]
    with pytest.raises(RoboRallyError, match=r"observations.*2"):
        selfplay(["random"], courses, edition="2005", out=tmp_path / "data", games=1, observations=True)


def test_folders_without_data(tmp_path):
    with pytest.raises(RoboRallyError, match=r"data.*manifest\.json"):
        load(tmp_path)
    with pytest.raises(RoboRallyError):
        load(tmp_path / "none")
    for text in ("", "[]", "{}", '{"schema": 99}'):
        (tmp_path / "manifest.json").write_text(text)
        with pytest.raises(RoboRallyError, match=r"manifest\.json: "):
            load(tmp_path)


@pytest.fixture
def copy(data, tmp_path):
    """A copy of the data to be changed."""
    return shutil.copytree(data.folder, tmp_path / "copy")


def test_a_damaged_file_is_named(copy):
    path = copy / "steps" / "shard-00001.parquet"
    path.write_bytes(path.read_bytes()[:-100])
    for use in (lambda: load(copy).decisions, lambda: load(copy).replay(12), lambda: list(load(copy).arrays(["hand"]))):
        with pytest.raises(RoboRallyError, match=r"shard-00001\.parquet"):
            use()
    load(copy).replay(2)


EPISODES = {
    "no column": ("winner", None, "no column winner|winner"),
    "texts": ("winner", "robot", "winner.*whole numbers.*'robot'"),
    "no seat": ("winner", 7, "winner.*-1 to 3.*7"),
    "no value": ("rounds", [None], "rounds.*whole numbers.*None"),
    "a text in place of a list": ("reboots", "x", "reboots.*whole numbers.*'x'"),
    "no teams": ("teams", 3, "teams.*whole numbers.*3"),
    "fewer seats": ("reboots", [1, 2], "reboots.*each seat.*2"),
    "another agent": ("agents", ["greedy", "random", "greedy", "nobody"], "agents.*greedy or random.*'nobody'"),
}


@pytest.mark.parametrize(("column", "value", "message"), EPISODES.values(), ids=EPISODES)
def test_outcomes_of_other_types_are_refused_in_a_line(column, value, message, copy):
    path = copy / "episodes" / "shard-00000.parquet"
    table = pq.read_table(path)
    at = table.schema.get_field_index(column)
    changed = table.remove_column(at)
    if value is not None:
        value = value[0] if value == [None] else value
        changed = changed.add_column(at, column, pa.array([value] * table.num_rows))
    pq.write_table(changed, path)
    for use in (chosen_episodes, write_pages):
        with pytest.raises(RoboRallyError, match=rf"shard-00000\.parquet: damaged.*({message})") as error:
            use(load(copy))
        assert "\n" not in str(error.value)


def change(folder, part, column=None, value=None, copies=None):
    """Write the first file of a part anew: another value in a column, or copies of its first row."""
    path = folder / part / "shard-00000.parquet"
    table = pq.read_table(path)
    if column is not None:
        at = table.schema.get_field_index(column)
        table = table.set_column(at, column, pa.array([value] * table.num_rows))
    if copies is not None:
        table = table.drop_columns("observation") if part == "steps" else table
        table = table.take(pa.array([0] * copies))
    pq.write_table(table, path, compression="zstd")


BOMBS = {
    "steps": ("episodes", {"column": "steps", "value": 2**31 - 1}, "2147483647 steps"),
    "robots": ("episodes", {"column": "players", "value": 2**40}, "1099511627776 robots"),
    "rows": ("steps", {"copies": 1_000_000}, "rows of a race"),
    "races": ("episodes", {"copies": 1_000_000}, "values; expected at most"),
    "a long list": ("episodes", {"column": "hashes", "value": [7] * 2_000_000}, "values; expected at most"),
    "a long program": ("steps", {"column": "program", "value": [1] * 2_000}, "values; expected at most"),
    "a long text": ("episodes", {"column": "course", "value": "x" * 100_000_000}, "values; expected at most"),
}


@pytest.mark.parametrize(("part", "changes", "message"), BOMBS.values(), ids=BOMBS)
def test_a_small_file_with_a_lot_in_it_is_refused_at_once(part, changes, message, copy):
    change(copy, part, **changes)
    assert (copy / part / "shard-00000.parquet").stat().st_size < 1_000_000
    found = load(copy)
    started = time.process_time()
    with pytest.raises(RoboRallyError, match=f"damaged.*{message}"):
        found.replay(0)
    assert time.process_time() - started < 1


def test_outcomes_beyond_the_limits_are_refused_at_once(copy):
    change(copy, "episodes", copies=1_000_000)
    with pytest.raises(RoboRallyError, match=r"damaged.*values; expected at most"):
        chosen_episodes(load(copy))


def test_more_races_than_the_manifest_has_are_refused(copy):
    change(copy, "episodes", copies=11)
    with pytest.raises(RoboRallyError, match=r"damaged.*11 races; expected at most 10"):
        load(copy).ended(0)


def test_long_texts_that_a_file_has_once_are_refused(copy):
    path = copy / "episodes" / "shard-00000.parquet"
    table = pq.read_table(path)
    table = table.take(pa.array([0] * 10_000))
    long = pa.DictionaryArray.from_arrays(pa.array([0] * len(table), pa.int16()), pa.array(["x" * 100_000]))
    pq.write_table(table.set_column(table.schema.get_field_index("course"), "course", long), path, store_schema=False)
    found = load(copy)
    found.manifest["config"]["shard_games"] = 10_000
    with pytest.raises(RoboRallyError, match=r"damaged.*column course.*100,000"):
        found.ended(0)


def test_large_row_groups_are_read_in_parts(data, monkeypatch):
    columns = ["hand", "agent", "observation", "answer"]
    whole = list(data.arrays(columns, decision=None))
    monkeypatch.setattr(reader, "MOST_VALUES", 10_000)
    parts = list(data.arrays(columns, decision=None))
    assert len(parts) > len(whole)
    assert all(part["observation"].size <= 10_000 for part in parts)
    for column in columns:
        together = (np.concatenate([part[column] for part in found]) for found in (whole, parts))
        np.testing.assert_array_equal(*together)


def listed(lengths):
    """Lists of zeros."""
    offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
    return pa.ListArray.from_arrays(pa.array(offsets), pa.array(np.zeros(offsets[-1], np.uint8)))


def fixed(rows, length):
    """Lists of zeros, all of a length."""
    return pa.FixedSizeListArray.from_arrays(pa.array(np.zeros(rows * length, np.uint8)), length)


COLUMN_BOMBS = {
    "a long list": (fixed(1, 40_000_000), "column hand|values in 1 rows"),
    "lists of several lengths": (listed([40_000_000, 1]), "as many in each row"),
    "a long text": (pa.array(["x" * 100_000_000]).dictionary_encode(), "column hand: 100,000,.* bytes of 1 values"),
}


@pytest.mark.parametrize(("column", "message"), COLUMN_BOMBS.values(), ids=COLUMN_BOMBS)
def test_columns_beyond_the_limits_are_refused(column, message, copy):
    path = copy / "steps" / "shard-00000.parquet"
    pq.write_table(pa.table({"hand": column}), path, compression="zstd")
    assert path.stat().st_size < 100_000
    with pytest.raises(RoboRallyError, match=rf"damaged.*({message})"):
        list(load(copy).arrays(["hand"], decision=None))


@pytest.mark.skipif(sys.platform != "linux", reason="limits of memory")
def test_a_small_file_with_many_rows_or_texts_is_read_in_little_memory(copy):
    path = copy / "steps" / "shard-00000.parquet"
    rows = 10_000
    decisions = pa.DictionaryArray.from_arrays(pa.array([0] * rows, pa.int16()), pa.array(["x" * 100_000]))
    table = pa.table({"hand": fixed(rows, 8_000), "decision": decisions})
    pq.write_table(table, path, compression="zstd", row_group_size=rows)
    assert path.stat().st_size < 100_000
    code = (
        "import resource, sys\n"
        "from roborally_env.selfplay import load\n"
        "import pyarrow.parquet, pyarrow.compute, pyarrow.fs\n"
        "most = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        f"before, data = most(), load({str(copy)!r})\n"
        "print(sum(len(part['hand']) for part in data.arrays(['hand', 'decision'], decision=None, shards=[0])))\n"
        "print(most() - before)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    found, kilobytes = map(int, done.stdout.split())
    assert found == rows
    assert kilobytes < 600_000


MANIFESTS = {
    "shards": ({"shards": 0}, "shards: expected 3, as config says, got 0"),
    "many shards": ({"shards": 10**9}, "shards: expected 3"),
    "episodes": ({"episodes": 0}, "episodes: expected 24"),
    "nothing": ({"episodes": None}, "episodes"),
}


@pytest.mark.parametrize(("changes", "message"), MANIFESTS.values(), ids=MANIFESTS)
def test_a_manifest_that_contradicts_itself_is_refused(changes, message, copy):
    path = copy / "manifest.json"
    found = json.loads(path.read_text()) | changes
    for text in (json.dumps(found), json.dumps({key: value for key, value in found.items() if key not in changes})):
        path.write_text(text)
        with pytest.raises(
            RoboRallyError, match=rf"manifest\.json: damaged: ({message}|{next(iter(changes))}: missing)"
        ):
            load(copy)


def test_pyarrow_is_asked_for_by_the_name_of_the_extra(tmp_path):
    code = (
        "import sys; sys.modules['pyarrow'] = None\n"
        "from roborally_env.cli import main\n"
        f"main(['selfplay', '--agents', 'random', '--out', {str(tmp_path / 'data')!r}])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        'roborally: self-play data needs pyarrow, which is not installed; pip install "roborally_env[data]" gives it\n'
    )


def test_a_manifest_that_was_changed_is_found(copy):
    path = copy / "manifest.json"
    found = json.loads(path.read_text())
    found["config"]["courses"][0]["digest"] = "0" * 16
    path.write_text(json.dumps(found))
    with pytest.raises(ReplayError, match="dizzy_highway"):
        load(copy).replay(0)
