"""Where files of a run are: in a folder of this machine, or in one on any file system that Arrow knows.

A file exists as a whole or not at all, on all of them.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import uuid
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any, BinaryIO, TypeAlias
from urllib.parse import urlsplit

from roborally_env.base.checks import check_path
from roborally_env.base.documents import JSON, check_regular, parse_json
from roborally_env.base.errors import RoboRallyError
from roborally_env.base.files import lock, sync
from roborally_env.base.types import Json
from roborally_env.jobs.arrow import import_pyarrow

# object stores of fsspec: they need no folders, and making one would make a bucket that is missing
FLAT = {"s3", "s3a", "gs", "gcs", "abfs", "abfss", "az", "oci"}
PARTIAL = ".partial"  # where files are written before they get their names
UNFINISHED = "begun"  # the decisions in parts that are not whole yet
LOCK = ".lock"


class _Whole:
    """What the folders of this machine and of other file systems do in the same way.

    Names of files are such as `steps/shard-00000.parquet`.
    """

    read: Callable[[str], bytes]
    size: Callable[[str], int]
    new_file: Callable[[str], _LocalFile | _Upload]
    one_line_errors: Callable[[], AbstractContextManager[None]]

    def read_json(self, name: str) -> Json:
        """The JSON of a file.

        Raises:
            RoboRallyError: if it cannot be read, has none, or is too large.
        """
        if self.size(name) > JSON.size:
            raise RoboRallyError(f"too large: expected at most {JSON.size >> 10:,} kB")
        return parse_json(self.read(name))

    def put(self, name: str, content: str | bytes) -> None:
        """Write a file of text (as UTF-8) or bytes."""
        with self.one_line_errors():
            file = self.new_file(name)
            try:
                file.sink.write(content.encode() if isinstance(content, str) else content)
                file.keep()
            finally:
                file.drop()


FileSystem: TypeAlias = Any  # of pyarrow.fs or fsspec


def storage_of(path: str | Path, filesystem: FileSystem = None) -> Storage:
    """The place that a user names.

    Args:
        path: a folder of this machine; or a URI such as `s3://bucket/folder` for a file system of `pyarrow.fs`, or of
            fsspec where that is installed; or a path on `filesystem`.
        filesystem: one of `pyarrow.fs` or fsspec.

    Raises:
        RoboRallyError: for a URI of an unknown kind, or of a bucket that is not there.
    """
    if not str(check_path(path, "path")):
        raise RoboRallyError("path: expected a folder or a URI, got ''")
    if filesystem is not None:
        arrow = _as_arrow(filesystem)
        return _on(arrow, arrow.normalize_path(str(path)), str(path))
    if "://" not in str(path):
        return Folder(Path(path))
    uri = urlsplit(str(path))
    shown = f"{uri.scheme}://{uri.netloc.rpartition('@')[2]}{uri.path}"  # without keys and options
    with one_line_errors(shown, "no such place", Exception):
        return _on(*_of_uri(str(path)), shown)


def _on(filesystem: FileSystem, path: str, shown: str) -> Storage:
    if not path.strip("/"):
        raise RoboRallyError(f"{shown}: expected a bucket or a folder on this file system")
    local = isinstance(filesystem, import_pyarrow().fs.LocalFileSystem)
    return Folder(Path(path)) if local else Remote(filesystem, path.rstrip("/"), shown)


def _of_uri(uri: str) -> tuple[FileSystem, str]:
    """The file system of a URI, and the path on it. Arrow's own file systems come first."""
    try:
        filesystem, path = import_pyarrow().fs.FileSystem.from_uri(uri)
    except ValueError as error:
        if "Unrecognized filesystem type" not in str(error):
            raise
        try:
            from fsspec.core import url_to_fs
        except ImportError:
            raise ImportError(f"pyarrow has no {urlsplit(uri).scheme}://, and fsspec is not installed") from None
        found, path = url_to_fs(uri)
        filesystem = _as_arrow(found)
    return filesystem, path


def _as_arrow(filesystem: FileSystem) -> FileSystem:
    fs = import_pyarrow().fs
    return filesystem if isinstance(filesystem, fs.FileSystem) else fs.PyFileSystem(fs.FSSpecHandler(filesystem))


# -- a folder of this machine


@contextmanager
def one_line_errors(
    where: object, what: str = "cannot write there", errors: type[Exception] = OSError
) -> Iterator[None]:
    """Raise errors of the operating system as a RoboRallyError, or `errors` of another library."""
    try:
        yield
    except RoboRallyError:
        raise
    except errors as error:
        raise RoboRallyError(f"{where}: {what}: {_reason(error)}") from None


def _reason(error: Exception) -> str:
    """The message of the operating system, which ends messages of pyarrow too; else the first line."""
    if isinstance(error, FileExistsError):
        return "it is a file; expected a folder"
    if isinstance(error, OSError) and error.errno:
        return os.strerror(error.errno)
    return (str(error).strip().splitlines() or [type(error).__name__])[0]


class Folder(_Whole):
    """A folder of this machine."""

    filesystem = None  # for pyarrow's readers, with the paths of `at`

    def __init__(self, path: Path) -> None:
        self.path = path

    def __str__(self) -> str:
        return str(self.path)

    def at(self, name: str) -> str:
        """The path of a file."""
        return str(self.path / name)

    def make(self) -> None:
        """Make the folder, if it is not there."""
        with self.one_line_errors():
            self.path.mkdir(parents=True, exist_ok=True)

    def names(self, part: str = "") -> list[str]:
        """The names in the folder, or in one within it, which need not be there."""
        if part and not (self.path / part).is_dir():
            return []
        with self.one_line_errors("cannot be read"):
            return sorted(path.name for path in (self.path / part).iterdir())

    def read(self, name: str) -> bytes:
        """The contents of a file."""
        with one_line_errors(self.path / name, "cannot be read"):
            return self._regular(name).read_bytes()

    def size(self, name: str) -> int:
        """The size of a file in bytes."""
        with one_line_errors(self.path / name, "cannot be read"):
            return self._regular(name).stat().st_size

    def _regular(self, name: str) -> Path:
        try:
            check_regular(self.path / name)
        except RoboRallyError as error:
            raise RoboRallyError(f"{self.path / name}: {error}") from None
        return self.path / name

    def new_file(self, name: str) -> _LocalFile:
        """A file that gets this name with `keep`. `drop` closes it, and removes what was not kept."""
        return _LocalFile(self.path, name)

    def remove(self, name: str) -> None:
        """Remove a file."""
        with self.one_line_errors():
            (self.path / name).unlink(missing_ok=True)

    def clear_partial(self) -> None:
        """Remove the unfinished files of a run that was stopped, but not what it goes on from."""
        shutil.rmtree(self.path / PARTIAL, ignore_errors=True)
        with suppress(OSError):  # there is no such folder, or parts are still unfinished
            (self.path / UNFINISHED).rmdir()

    def one_line_errors(self, what: str = "cannot write there") -> AbstractContextManager[None]:
        """Raise errors of the file system as a RoboRallyError."""
        return one_line_errors(self.path, what)

    @contextmanager
    def only_writer(self) -> Iterator[None]:
        """Hold the folder's lock, because two runs would play everything twice. It ends with the process."""
        with self.one_line_errors():
            # neither waits for a reader of a pipe, nor empties what a link leads to
            flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NONBLOCK", 0)
            file = os.fdopen(os.open(self.path / LOCK, flags, 0o666), "wb", 0)
        with file:
            try:
                lock(file, wait=False)
            except BlockingIOError:
                raise RoboRallyError(f"{self}: another run is writing there; wait for it or stop it first") from None
            except OSError:  # a file system without locks
                pass
            yield


class _LocalFile:
    """A file beside the folder's own, where no other process writes, until it is renamed."""

    def __init__(self, folder: Path, name: str) -> None:
        self._path = folder / name
        (folder / PARTIAL).mkdir(exist_ok=True)
        self._path.parent.mkdir(exist_ok=True)
        self._partial = folder / PARTIAL / f"{name.replace('/', '-')}.{os.getpid()}"
        self.sink: BinaryIO = self._partial.open("wb")

    def keep(self) -> None:
        """Give the file its name, when all of it is on the disk."""
        self.sink.close()
        sync(self._partial)
        os.replace(self._partial, self._path)
        sync(self._path.parent)

    def drop(self) -> None:
        """Close the file, and remove what was not kept."""
        with suppress(OSError):
            self.sink.close()
        self._partial.unlink(missing_ok=True)


# -- on a file system of Arrow


class Remote(_Whole):
    """A folder on a file system of Arrow, such as an object store. There are no locks.

    Args:
        filesystem: of `pyarrow.fs`.
        base: the folder's path on it.
        shown: the folder in messages.
    """

    def __init__(self, filesystem: FileSystem, base: str, shown: str) -> None:
        self.filesystem, self.base, self._shown = filesystem, base, shown

    def __str__(self) -> str:
        return self._shown

    def at(self, name: str) -> str:
        """See Folder."""
        return f"{self.base}/{name}"

    def make(self) -> None:
        """See Folder."""
        with self.one_line_errors():
            self.make_folder(self.base)

    @property
    def _store(self) -> FileSystem:
        """The file system of fsspec behind that of Arrow; None if there is none."""
        return getattr(getattr(self.filesystem, "handler", None), "fs", None)

    def make_folder(self, path: str) -> None:
        """Make a folder on the file system, if it needs folders."""
        protocol = getattr(self._store, "protocol", "")
        if FLAT.isdisjoint([protocol] if isinstance(protocol, str) else protocol):
            self.filesystem.create_dir(path, recursive=True)

    def names(self, part: str = "") -> list[str]:
        """See Folder."""
        wanted = import_pyarrow().fs.FileSelector(self.at(part).rstrip("/"), allow_not_found=True)
        with self.one_line_errors("cannot be read"):
            if self._store is not None:
                self._store.invalidate_cache()  # it does not see what other processes write
            return sorted(info.base_name for info in self.filesystem.get_file_info(wanted))

    def read(self, name: str) -> bytes:
        """See Folder."""
        with (
            one_line_errors(f"{self}/{name}", "cannot be read", Exception),
            self.filesystem.open_input_stream(self.at(name)) as file,
        ):
            return bytes(file.read())

    def size(self, name: str) -> int:
        """See Folder."""
        with self.one_line_errors("cannot be read"):
            return int(self.filesystem.get_file_info(self.at(name)).size)

    def new_file(self, name: str) -> _Upload:
        """See Folder."""
        return _Upload(self, name)

    def remove(self, name: str) -> None:
        """See Folder."""
        with self.one_line_errors():
            self.filesystem.delete_file(self.at(name))

    def clear_partial(self) -> None:
        """See Folder."""
        if PARTIAL in self.names():
            with self.one_line_errors():
                self.filesystem.delete_dir(self.at(PARTIAL))

    def one_line_errors(self, what: str = "cannot write there") -> AbstractContextManager[None]:
        """See Folder."""
        return one_line_errors(self._shown, what, Exception)

    def only_writer(self) -> AbstractContextManager[None]:
        """See Folder. Without locks two runs write the same bytes, and do the work twice."""
        return nullcontext()


class _Upload:
    """A file without a name on this machine until it is complete. It is sent under another name and then moved, because
    on some file systems what is being sent can already be seen."""

    def __init__(self, place: Remote, name: str) -> None:
        self._place, self._name = place, name
        self.sink: BinaryIO = tempfile.TemporaryFile()  # noqa: SIM115  # `drop` closes it

    def keep(self) -> None:
        """Send the complete file, and give it its name."""
        place, filesystem = self._place, self._place.filesystem
        partial = place.at(f"{PARTIAL}/{self._name.replace('/', '-')}.{uuid.uuid4().hex}")
        path = place.at(self._name)
        for each in (partial, path):
            place.make_folder(each.rpartition("/")[0])
        self.sink.seek(0)
        with filesystem.open_output_stream(partial) as sent:
            shutil.copyfileobj(self.sink, sent, 1 << 20)
        filesystem.move(partial, path)

    def drop(self) -> None:
        """Close the file, and forget what was not kept."""
        self.sink.close()


Storage: TypeAlias = Folder | Remote
