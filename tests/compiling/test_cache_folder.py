"""Machine code is read only from a folder in which nobody but this user can write."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from roborally_env.base import terminal
from roborally_env.compiling import cache, cache_folder
from tests.compiling.helpers import ROOT

posix = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="folders of Windows have access lists")
root = pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="acts as other users")
VARIABLES = ("ROBORALLY_CACHE", "XDG_CACHE_HOME", "HOME", "LOCALAPPDATA", "USERPROFILE")
OTHER = 4321  # the uid of another user

# as root: user 1234 plants machine code in the spare folder of user 65534, whose home cannot be written
PLANTED = """
import hashlib, os, pathlib, pickle, runpy, sys, tempfile
import roborally_env.core.kernel
from roborally_env.compiling import cache
work = pathlib.Path(sys.argv[1])
tempfile.tempdir = str(work / "temporary")
spare = work / "temporary/roborally_env-65534"
kernel = work / "tiny.py"
kernel.write_text(
    "import numpy as np\\nfrom roborally_env.core.kernel import kernel\\n@kernel\\ndef entry(a):\\n"
    "    return a[0] + a[1]\\nprint('result', entry(np.arange(3)))\\n"
)
os.environ["ROBORALLY_CACHE"] = str(work / "own")
runpy.run_path(str(kernel), run_name="__main__")
names = [file.name for file in (work / "own/code").glob("entry*.bin")]
assert names
del os.environ["ROBORALLY_CACHE"]
os.environ["HOME"] = "/nonexistent"
os.environ.pop("XDG_CACHE_HOME", None)

class Evil:
    def __reduce__(self):
        return print, ("planted code runs",)

def plant():
    os.umask(0)
    (spare / "code/locks").mkdir(parents=True)
    data = pickle.dumps(Evil())
    for name in names:
        (spare / "code" / name).write_bytes(cache._MAGIC + hashlib.sha256(data).digest() + data)

def as_user(uid, action):
    sys.stdout.flush()
    if (child := os.fork()) == 0:
        os.setgid(uid), os.setuid(uid)
        action()
        sys.stdout.flush()
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0

as_user(1234, plant)
as_user(65534, lambda: runpy.run_path(str(kernel), run_name="__main__"))
"""


@pytest.fixture
def no_variables(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    for variable in VARIABLES:
        monkeypatch.delenv(variable, raising=False)
    return monkeypatch


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder that `ROBORALLY_CACHE` names."""
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    monkeypatch.setenv("ROBORALLY_CACHE", str(home))
    monkeypatch.setattr(cache, "_folders", {})
    monkeypatch.setattr(cache, "_said", set())
    monkeypatch.setattr(terminal, "is_set_up", lambda: False)  # pytest has a handler, other programs mostly not
    return home


@pytest.fixture
def usual(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The package's folder among the user's caches, as an earlier version made it."""
    monkeypatch.delenv("ROBORALLY_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(home))
    (home / "roborally_env").mkdir()
    return home / "roborally_env"


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


# -- where it is


@pytest.mark.parametrize("given", ["", "caches", "./caches"])
@pytest.mark.skipif(sys.platform != "linux", reason="other variables")
def test_a_variable_that_is_empty_or_relative_counts_as_unset(no_variables: pytest.MonkeyPatch, given: str) -> None:
    no_variables.setenv("HOME", "/home/somebody")
    no_variables.setenv("XDG_CACHE_HOME", given)
    assert cache.home() == Path("/home/somebody/.cache/roborally_env")
    no_variables.setenv("HOME", given)
    found = cache.home()
    assert found is None or (found.is_absolute() and found.parts[-2:] == (".cache", "roborally_env"))


@pytest.mark.parametrize("given", ["", "caches"])
def test_a_variable_of_windows_that_is_empty_or_relative_counts_as_unset(
    no_variables: pytest.MonkeyPatch, given: str
) -> None:
    no_variables.setattr(cache_folder.sys, "platform", "win32")
    no_variables.setenv("LOCALAPPDATA", given)
    no_variables.setenv("USERPROFILE", "/users/somebody")
    assert cache.home() == Path("/users/somebody/AppData/Local/roborally_env")


def test_an_empty_variable_makes_no_folder_that_hides_the_package(tmp_path: Path) -> None:
    environment = {**os.environ, "XDG_CACHE_HOME": "", "HOME": "", "PYTHONPATH": str(ROOT)}
    environment.pop("ROBORALLY_CACHE", None)
    environment["TMPDIR"] = str(tmp_path / "temporary")
    (tmp_path / "temporary").mkdir()
    (tmp_path / "here").mkdir()
    code = "from roborally_env.compiling import cache; print(cache.home())"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path / "here", env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith(("/", "None"))
    assert list((tmp_path / "here").iterdir()) == []


def test_a_relative_folder_stays_where_it_was_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, home: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ROBORALLY_CACHE", "home")
    assert cache.folder() == home / "code"


@pytest.mark.skipif(sys.platform == "win32", reason="the current folder cannot be removed")
def test_a_current_folder_that_is_gone_is_no_error(tmp_path: Path) -> None:
    code = (
        "import os, tempfile; os.rmdir(os.getcwd()); from roborally_env.compiling import cache; "
        f"tempfile.tempdir = {str(tmp_path)!r}; print(cache.folder())"
    )
    (tmp_path / "gone").mkdir()
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path / "gone",
        env={**os.environ, "ROBORALLY_CACHE": "relative", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(str(tmp_path / "roborally_env-"))


# -- whose it is


@posix
def test_a_new_folder_is_closed_to_others(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROBORALLY_CACHE", str(home / "new"))
    before = os.umask(0)
    try:
        assert cache.folder() == home / "new/code"
        cache.save("name", b"data")
    finally:
        os.umask(before)
    assert [mode(home / "new"), mode(home / "new/code"), mode(home / "new/code/name.bin")] == [0o700, 0o700, 0o600]


@posix
def test_a_folder_that_others_can_only_read_goes_on(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cache.save("name", b"data")
    home.chmod(0o755)
    (home / "code").chmod(0o755)
    cache._folders.clear()
    assert cache.load("name") == b"data"
    assert (mode(home), mode(home / "code")) == (0o755, 0o700)  # the one was named by the user, the other by us
    assert capsys.readouterr().err == ""


@posix
@pytest.mark.parametrize("open_to", [0o770, 0o777, 0o1777])
def test_a_given_folder_in_which_others_can_write_is_not_used(
    home: Path, capsys: pytest.CaptureFixture[str], open_to: int
) -> None:
    home.chmod(open_to)
    assert cache.folder() is None
    cache.save("name", b"data")
    assert cache.load("name") is None
    assert list(home.iterdir()) == []
    assert capsys.readouterr().err == (
        "roborally_env: machine code is not kept and is made anew in each process: other users can write in "
        f"{home} (chmod go-w changes that)\n"
    )


@posix
def test_the_usual_folder_of_an_earlier_version_is_closed_and_emptied(
    usual: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    usual.chmod(0o775)  # as with umask 002
    cache.save("name", b"data")
    assert mode(usual) == 0o700
    usual.chmod(0o775)
    (usual / "code").chmod(0o775)
    (usual / "code/planted.bin").write_bytes(b"data")
    (usual / "code/locks").mkdir()
    (usual / "code/locks/planted").symlink_to(usual.parent / "target")
    cache._folders.clear()
    assert cache.folder() == usual / "code"
    assert (mode(usual), mode(usual / "code")) == (0o700, 0o700)
    assert list((usual / "code").iterdir()) == []
    assert capsys.readouterr().err == ""


@posix
@pytest.mark.parametrize("part", ["home", "code"])
def test_a_link_is_not_used(home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], part: str) -> None:
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    link = home if part == "home" else home / "code"
    if part == "home":
        home.rmdir()
    link.symlink_to(tmp_path / "elsewhere")
    assert cache.folder() is None
    assert list((tmp_path / "elsewhere").iterdir()) == []
    assert capsys.readouterr().err.splitlines() == [
        f"roborally_env: machine code is not kept and is made anew in each process: {link} is a link"
    ]


@root
@pytest.mark.parametrize("part", ["home", "code"])
def test_a_folder_of_another_user_is_not_used(home: Path, capsys: pytest.CaptureFixture[str], part: str) -> None:
    folder = home if part == "home" else home / "code"
    folder.mkdir(mode=0o700, exist_ok=True)
    os.chown(folder, OTHER, OTHER)
    assert cache.folder() is None
    assert capsys.readouterr().err.endswith(f"each process: {folder} belongs to another user (uid {OTHER})\n")


@posix
def test_a_file_that_others_could_write_is_removed(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cache.save("name", b"data")
    (home / "code/name.bin").chmod(0o664)
    assert cache.load("name") is None
    assert not (home / "code/name.bin").exists()
    assert "foreign machine code" in capsys.readouterr().err


@posix
def test_a_file_that_is_a_link_is_not_read(home: Path, tmp_path: Path) -> None:
    cache.save("name", b"data")
    (home / "code/name.bin").rename(tmp_path / "name.bin")
    (home / "code/name.bin").symlink_to(tmp_path / "name.bin")
    assert cache.load("name") is None


def test_without_home_and_temporary_folder_there_is_no_cache(
    no_variables: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], home: Path
) -> None:
    def no_folder() -> str:
        raise FileNotFoundError(2, "No usable temporary directory found")

    no_variables.delenv("ROBORALLY_CACHE")
    no_variables.setattr(cache_folder, "_user_folder", lambda: None)
    no_variables.setattr(tempfile, "gettempdir", no_folder)
    assert cache.folder() is None
    assert capsys.readouterr().err == (
        "roborally_env: machine code is not kept and is made anew in each process: there is no home folder\n"
    )


# -- as other users and systems are


@root
def test_machine_code_that_another_user_planted_does_not_run() -> None:
    work = Path(tempfile.mkdtemp())
    try:
        work.chmod(0o755)
        (work / "temporary").mkdir()
        (work / "temporary").chmod(0o1777)
        done = subprocess.run(
            [sys.executable, "-c", PLANTED, str(work)],
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
    finally:
        shutil.rmtree(work)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["result 1", "result 1"]
    assert done.stderr.count("roborally_env-65534 belongs to another user (uid 1234)") == 1


@root
def test_a_read_only_system_without_a_temporary_folder_plays_without_a_cache(tmp_path: Path) -> None:
    read_only = "mount --bind -o ro / / && mount -o remount,ro,bind / && exec "
    if (
        shutil.which("unshare") is None
        or subprocess.run(
            ["unshare", "-m", "bash", "-c", f"{read_only} true"], capture_output=True, check=False
        ).returncode
    ):
        pytest.skip("mounts cannot be unshared")
    kernel = tmp_path / "tiny.py"
    kernel.write_text(
        "import numpy as np\nfrom roborally_env.core.kernel import kernel\n@kernel\ndef entry(a):\n"
        "    return a[0] + a[1]\nprint('result', entry(np.arange(3)))\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "ROBORALLY_CACHE": str(tmp_path / "cache")}
    done = subprocess.run(
        ["unshare", "-m", "bash", "-c", f'{read_only} "$0" "$1"', sys.executable, str(kernel)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "result 1\n"
    assert len(done.stderr.splitlines()) == 1
    assert "machine code is not kept" in done.stderr
