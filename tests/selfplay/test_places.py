"""Self-play data elsewhere than in a folder of this machine: file systems of Arrow and fsspec, an object store."""

import os
import pickle
import signal
import subprocess
import sys
import time

import pyarrow.fs
import pytest

from roborally_env import RoboRallyError
from roborally_env.jobs.storage import Folder, Remote, storage_of
from roborally_env.selfplay import load, selfplay
from tests.cli.conftest import roborally  # noqa: F401  # a fixture
from tests.selfplay.conftest import GIVEN, contents
from tests.selfplay.test_stopping import BOTS, SLOW


def play(out, filesystem=None, **change):
    return selfplay(BOTS, "dizzy_highway", out=out, filesystem=filesystem, observations=True, **{**GIVEN, **change})


def contents_at(place):
    """The bytes of all files of a place by name, as `contents`."""
    folders = {name: place.names(name) for name in place.names() if name != "manifest.json"}
    names = ["manifest.json", *(f"{folder}/{name}" for folder, within in folders.items() for name in within)]
    return {name: place.read(name) for name in names}


@pytest.fixture
def elsewhere(tmp_path):
    """A file system of Arrow that is no plain folder: it has no locks, and files are moved to their places."""
    return pyarrow.fs.SubTreeFileSystem(str(tmp_path), pyarrow.fs.LocalFileSystem())


def test_the_bytes_are_those_of_a_folder(data, elsewhere, tmp_path):
    made = play("races/data", elsewhere)
    assert isinstance(made.place, Remote)
    assert contents_at(made.place) == contents(tmp_path / "races" / "data") == contents(data.folder)
    assert (made.races, made.decisions, made.size, made.complete) == (24, data.decisions, data.size, True)
    assert made.replay(13) == data.replay(13)
    assert made.paths() == [f"races/data/steps/shard-{n:05d}.parquet" for n in range(3)]


def test_a_file_is_there_as_a_whole_or_not_at_all(data, elsewhere, tmp_path, monkeypatch):
    """The connection is lost while a shard is sent, and again before its second file."""
    send, sent = pyarrow.fs.SubTreeFileSystem.open_output_stream, []

    class Lost:
        def __init__(self, stream):
            self.stream = stream

        def __enter__(self):
            return self

        def __exit__(self, *error):
            self.stream.close()

        def write(self, chunk):
            self.stream.write(chunk[: len(chunk) // 2])
            raise ConnectionError("the line is dead")

    class Losing:
        """The file system, of which one file is lost."""

        def __init__(self, number):
            self.number = number

        def __getattr__(self, name):
            return getattr(elsewhere, name)

        def open_output_stream(self, path):
            sent.append(path)
            stream = send(elsewhere, path)
            return Lost(stream) if len(sent) == self.number else stream

    monkeypatch.setattr("roborally_env.jobs.storage._as_arrow", lambda filesystem: filesystem)
    for number in (4, 3):  # the manifest, and two files a shard
        sent.clear()
        with pytest.raises(RoboRallyError, match=r"^data.*there"):
            play("data", Losing(number))
        there = {name: found for name, found in contents(tmp_path / "data").items() if ".partial" not in name}
        assert there.items() <= contents(data.folder).items()
    monkeypatch.undo()
    assert contents_at(play("data", elsewhere).place) == contents(data.folder)


def test_another_config_is_refused_there_too(elsewhere):
    play("data", elsewhere, games=10)
    with pytest.raises(RoboRallyError, match=r"^data.*config\.seed 3.*4"):
        play("data", elsewhere, games=10, seed=4)
    with pytest.raises(RoboRallyError, match=r"data$"):
        play(".", elsewhere)


def test_a_plain_folder_stays_one(tmp_path):
    for place in (storage_of(tmp_path.as_uri()), storage_of(str(tmp_path), pyarrow.fs.LocalFileSystem())):
        assert isinstance(place, Folder)
        assert place.path == tmp_path


def test_memory_by_its_uri(data):
    pytest.importorskip("fsspec")
    made = play("memory://races/data")
    assert contents_at(made.place) == contents(data.folder)
    assert load("memory://races/data").replay(3) == data.replay(3)
    with pytest.raises(RoboRallyError, match=r"^memory.*/races/data"):
        _ = made.folder


def test_what_a_worker_cannot_reach_is_refused(monkeypatch):
    """Each process has a memory of its own."""
    pytest.importorskip("fsspec")
    monkeypatch.setattr("roborally_env.executors.processes.WORTH_WORKERS", 0)
    with pytest.raises(RoboRallyError, match=r"^memory.*/mine.*workers=1"):
        play("memory://mine", workers=2)


WRONG = {
    "unknown": ("nosuch://a/b", "nosuch.*/a/b.*place"),
    "no bucket": ("s3://", "s3://: "),
    "a key in it": ("nosuch://key:secret@a/b", "^nosuch.*/a/b.*place"),
    "nothing there": ("memory://void", "memory.*/void.*data.*manifest.json"),
}


@pytest.mark.parametrize(("uri", "message"), WRONG.values(), ids=WRONG)
def test_places_that_are_not_there(uri, message):
    pytest.importorskip("fsspec")
    with pytest.raises(RoboRallyError, match=message) as printed:
        load(uri)
    assert "\n" not in str(printed.value)
    assert "secret" not in str(printed.value)


# -- an object store


@pytest.fixture(scope="module")
def store():
    """An S3 of this machine with a bucket `races`: what follows a URI's path to get there."""
    server = pytest.importorskip("moto.server").ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    keys = {"AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_DEFAULT_REGION": "us-east-1"}
    with pytest.MonkeyPatch.context() as given:
        for name, value in keys.items():
            given.setenv(name, value)
        server.start()
        host, port = server.get_host_and_port()
        import boto3

        boto3.client("s3", endpoint_url=f"http://{host}:{port}").create_bucket(Bucket="races")
        yield f"?endpoint_override={host}:{port}&scheme=http"
        server.stop()


def test_an_object_store_has_the_same_bytes(data, store):
    made = play(f"s3://races/some/data{store}")
    assert str(made.place) == "s3://races/some/data"
    assert contents_at(made.place) == contents(data.folder)
    assert made.replay(13) == data.replay(13)
    kept = pickle.loads(pickle.dumps(made))
    assert next(kept.arrays(["hand"]))["hand"].tolist() == next(data.arrays(["hand"]))["hand"].tolist()


def test_killed_it_goes_on_in_the_store(store, tmp_path):
    script = tmp_path / "slow_agent.py"
    script.write_text(SLOW, encoding="utf-8")
    whole = tmp_path / "whole"
    assert run(script, whole, 1, "0").communicate()[0] == "whole\n"
    out = f"s3://races/killed{store}"
    process = run(script, out, 2, "0.03")
    until = time.monotonic() + 120
    while len(storage_of(out).names("episodes")) < 3:
        assert process.poll() is None, "it ended too early"
        assert time.monotonic() < until
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    kept = {name: found for name, found in contents_at(storage_of(out)).items() if ".partial" not in name}
    assert kept.items() <= contents(whole).items(), "a file that has its name is whole"
    assert not load(out).complete
    assert run(script, out, 2, "0").communicate()[0] == "whole\n"
    assert contents_at(storage_of(out)) == contents(whole)


def run(script, out, workers, seconds):
    words = [sys.executable, str(script), str(out), str(workers)]
    return subprocess.Popen(
        words, stdout=subprocess.PIPE, text=True, cwd=script.parent, env={**os.environ, "SLOW_SECONDS": seconds}
    )


def test_a_bucket_that_does_not_exist(store, roborally):  # noqa: F811
    code, printed, err = roborally("selfplay", "--agents", "random", "--games", 2, "--out", f"s3://nosuch/data{store}")
    assert (code, printed, err.count("\n")) == (2, "", 1)
    assert err.startswith("roborally: s3://nosuch/data: cannot write there: Bucket 'nosuch' not found")


def test_fsspec_makes_no_bucket(store, data):
    s3fs = pytest.importorskip("s3fs")
    address = store.partition("=")[2].partition("&")[0]
    filesystem = s3fs.S3FileSystem(endpoint_url=f"http://{address}")
    with pytest.raises(RoboRallyError, match=r"^nosuch/data.*bucket"):
        play("nosuch/data", filesystem)
    assert contents_at(play("races/fsspec", filesystem).place) == contents(data.folder)


def test_races_of_a_store_are_shown(store, roborally, tmp_path):  # noqa: F811
    uri = f"s3://races/shown{store}"
    play(uri, games=2)
    code, printed, err = roborally("replay", uri, "--episode", 1, "--no-color")
    assert (code, err) == (0, "")
    assert printed.startswith("Dizzy Highway: the start\n")
    page = tmp_path / "race.html"
    assert roborally("watch", uri, "--episode", 1, "--out", page)[:2] == (0, f"{page}\n")
    code, printed, err = roborally("watch", uri)
    assert (code, printed, err) == (
        2,
        "",
        "roborally: s3://races/shown: not a folder of this machine; copy it into one\n",
    )
