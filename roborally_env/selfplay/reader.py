"""Reading a folder of self-play data."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from roborally_env.base.checks import check_choice, check_whole, shown
from roborally_env.base.errors import RoboRallyError, nearest, one_line
from roborally_env.base.types import Array, JsonObject
from roborally_env.core.choices import KINDS_2016, LAST_2005, PROGRAM
from roborally_env.core.choices import NAMES as DECISIONS
from roborally_env.core.rule_options import check_edition, game_of, rule_values
from roborally_env.core.state import kind_of
from roborally_env.jobs.arrow import import_pyarrow
from roborally_env.jobs.storage import FileSystem, Folder, Storage, storage_of
from roborally_env.replay import Replay
from roborally_env.selfplay.manifest import read_manifest
from roborally_env.selfplay.replays import replay_of
from roborally_env.selfplay.schema import check_ended, steps_columns
from roborally_env.selfplay.writer import EPISODES, STEPS

MOST_VALUES = 32_000_000  # that are read at once: equal ones take no room in a file, however many there are
MOST_IN_LISTS = 10_000_000  # of them that become Python's own
MOST_BYTES = 1 << 24  # of a column's texts, and of what else it has beside its values
MOST_ROWS = 300_000  # of a race
MOST_IN_A_ROW = 100  # of `steps`, without the observation

if TYPE_CHECKING:
    from pyarrow import Array as ArrowArray
    from pyarrow import ChunkedArray, Table
    from pyarrow.parquet import ParquetFile


def load(path: str | Path, filesystem: FileSystem = None) -> Data:
    """The self-play data in a folder, also of an unfinished run.

    Args:
        path: a folder, or a URI such as `s3://bucket/folder`.
        filesystem: of `pyarrow.fs` or fsspec; `path` is then a path on it.

    Raises:
        RoboRallyError: for a folder without self-play data, or a damaged one.
    """
    import_pyarrow()
    place = storage_of(path, filesystem)
    return Data(place, read_manifest(place))


class Data:
    """A folder of self-play data.

    The tables themselves are Parquet files in the folders `steps` and `episodes`, for pandas, polars and others.
    """

    def __init__(self, place: Storage, manifest: JsonObject) -> None:
        self.place, self.manifest = place, manifest

    @property
    def folder(self) -> Path:
        """The folder.

        Raises:
            RoboRallyError: if it is not on this machine.
        """
        if not isinstance(self.place, Folder):
            raise RoboRallyError(f"{self.place}: not a folder of this machine; copy it into one")
        return self.place.path

    @cached_property
    def shards(self) -> dict[int, str]:
        """The files of the complete shards by number: those that have both files."""
        steps = set(self.place.names(STEPS))
        found = {name: re.fullmatch(r"shard-(\d+)\.parquet", name) for name in self.place.names(EPISODES)}
        return dict(sorted((int(named[1]), name) for name, named in found.items() if named and name in steps))

    def paths(self, part: str = STEPS) -> list[str]:
        """The paths of the complete files of `steps` or `episodes`, for other readers, on `place.filesystem`."""
        return [self.place.at(f"{part}/{name}") for name in self.shards.values()]

    @property
    def races(self) -> int:
        """The number of races in the data."""
        return sum(self._file(EPISODES, name).metadata.num_rows for name in self.shards.values())

    @property
    def decisions(self) -> int:
        """The number of rows of `steps`."""
        return sum(self._file(STEPS, name).metadata.num_rows for name in self.shards.values())

    @property
    def complete(self) -> bool:
        """Whether every race was played."""
        return len(self.shards) == int(self.manifest["shards"])

    @property
    def size(self) -> int:
        """The size of the tables' files in bytes."""
        return sum(self.place.size(f"{part}/{n}") for n in self.shards.values() for part in (STEPS, EPISODES))

    def arrays(
        self,
        columns: Sequence[str],
        *,
        decision: str | None = "program",
        agent: str | None = None,
        shards: Sequence[int] | None = None,
    ) -> Iterator[dict[str, Array]]:
        """Columns of `steps` as NumPy arrays, in parts, in the order of the shards.

        A part is a row group of a file, or less of one with more than 32 million values.

        Args:
            columns: their names; lists become arrays [n, length], names arrays of text.
            decision: rows of this decision alone; None: all.
            agent: rows of this agent alone, by its name in the manifest's `names`; None: all.
            shards: the numbers of the shards, in the order wanted; None: all.

        Raises:
            RoboRallyError: for an unknown column, decision or shard, an agent that did not play, or a damaged file.
        """
        self.check_columns(columns, agent)
        if decision is not None:
            check_choice(decision, "decision", _decisions(self.manifest["config"]))
        chosen = [*self.shards] if shards is None else self._known_shards(shards)
        given = {"decision": decision, "agent": agent}
        wanted = {name: value for name, value in given.items() if value is not None}
        for number in chosen:
            file, path = self._file(STEPS, self.shards[number]), self.place.at(f"{STEPS}/{self.shards[number]}")
            for group in range(file.num_row_groups):
                read = [*dict.fromkeys([*columns, *wanted])]
                parts = _parts(file, group, read)
                while True:
                    with _readable(path):
                        table = next(parts, None)
                        if table is None:
                            break
                        for column, value in wanted.items():
                            table = table.filter(_is(table[column], value))
                        found = {column: _numpy(table[column]) for column in columns}
                    if table.num_rows:
                        yield found

    def check_columns(self, columns: Sequence[str], agent: str | None) -> None:
        """Raise a RoboRallyError for an unknown column, or an agent that did not play."""
        if isinstance(columns, str) or not isinstance(columns, Sequence):
            raise RoboRallyError(f"{self.place}: columns: expected a list of names, got {shown(columns)}")
        known = [column.name for column in steps_columns(self.manifest["config"]["observations"])]
        for column in columns:
            if column not in known:
                raise RoboRallyError(
                    f"{self.place}: no column {column!r}{nearest(column, known)}; it has {', '.join(known)}"
                )
        names = self.manifest["names"]
        if agent is not None and not (isinstance(agent, str) and agent in names):
            raise RoboRallyError(f"{self.place}: no agent {shown(agent)}; {', '.join(names)} played")

    def _known_shards(self, shards: Sequence[int]) -> list[int]:
        try:
            given = [*shards]
        except TypeError:
            raise RoboRallyError(f"{self.place}: shards: expected a list of numbers, got {shown(shards)}") from None
        numbers = [check_whole(number, "shards", 0, int(self.manifest["shards"]) - 1) for number in given]
        for number in numbers:
            if number not in self.shards:
                raise RoboRallyError(f"{self.place}: shard {number} was not played yet")
        return numbers

    def replay(self, episode: int) -> Replay:
        """The replay of a race; playing it (`roborally_env.replay.play`) checks the hash of every round.

        Raises:
            RoboRallyError: for a missing race, a damaged file, or data that was made with other rules or on a course
                that has changed since.
        """
        config = self.manifest["config"]
        number = check_whole(episode, "episode", 0, self.manifest["episodes"] - 1)
        course, game = divmod(number, config["games"])
        shard = game // config["shard_games"] * len(config["courses"]) + course
        if shard not in self.shards:
            raise RoboRallyError(f"{self.place}: episode {number} was not played yet: shard {shard} is missing")
        rows, ended = (self._rows_of(part, self.shards[shard], number) for part in (STEPS, EPISODES))
        where = f"{self.place}: episode {number}"
        try:
            return replay_of(self.manifest, rows, ended[0], where)
        except (KeyError, TypeError, IndexError, OverflowError) as error:  # values of other types in rows
            raise RoboRallyError(f"{where}: damaged ({one_line(error)})") from None

    def ended(self, shard: int, columns: Sequence[str] | None = None) -> list[JsonObject]:
        """The rows of `episodes` of a shard, or some of their columns.

        Raises:
            RoboRallyError: for a damaged file.
        """
        file, path = self._file(EPISODES, self.shards[shard]), self.place.at(f"{EPISODES}/{self.shards[shard]}")
        with _readable(path):
            _check_values(file, range(file.num_row_groups), columns, MOST_IN_LISTS)
            if file.metadata.num_rows > self.manifest["config"]["shard_games"]:
                most = self.manifest["config"]["shard_games"]
                raise ValueError(f"{file.metadata.num_rows:,} races; expected at most {most:,}, as the manifest says")
            rows = _as_lists(file.read(columns=columns))
            for row in rows:
                check_ended(row, self.manifest["names"], columns)
        return rows

    def _rows_of(self, part: str, name: str, episode: int) -> list[JsonObject]:
        """The rows of a race, read only from the row groups that can contain them."""
        file, path = self._file(part, name), self.place.at(f"{part}/{name}")
        pc = import_pyarrow().compute
        with _readable(path):
            columns = [column for column in file.schema_arrow.names if column != "observation"]
            groups = [group for group in range(file.num_row_groups) if _may_have(file, group, episode)]
            known = sum(file.metadata.row_group(group).num_rows for group in groups)
            most = MOST_IN_LISTS if part == EPISODES else MOST_IN_LISTS // 100 + MOST_IN_A_ROW * known
            _check_values(file, groups, columns, most)
            rows: list[JsonObject] = []
            for table in (table for group in groups for table in _parts(file, group, columns)):
                its = table.filter(pc.equal(table["episode"], episode))
                if len(rows) + its.num_rows > MOST_ROWS:
                    raise ValueError(f"more than {MOST_ROWS:,} rows of a race")
                rows += _as_lists(its)
            if part == EPISODES and rows:
                check_ended(rows[0], self.manifest["names"])
        if not rows:
            raise RoboRallyError(f"{path}: damaged: episode {episode} is not in it")
        return rows

    def _file(self, part: str, name: str) -> ParquetFile:
        path = self.place.at(f"{part}/{name}")
        self.place.size(f"{part}/{name}")  # refuses a pipe, which pyarrow waits for
        with _readable(path):
            parquet = import_pyarrow().parquet
            file = parquet.ParquetFile(path, filesystem=self.place.filesystem)
            columns = (file.schema.column(i) for i in range(len(file.schema)))
            texts = [column.path for column in columns if column.physical_type == "BYTE_ARRAY"]
            if not texts:
                return file
            file.close()
            # each text once, whatever the file says of its types: they may be long
            return parquet.ParquetFile(path, filesystem=self.place.filesystem, read_dictionary=texts)


def _decisions(config: JsonObject) -> list[str]:
    """The names of the decisions of an edition that is known here, else of all."""
    kinds: Iterable[int] = range(PROGRAM, len(DECISIONS))
    with suppress(RoboRallyError):
        edition = check_edition(config["edition"])
        of_2005 = kind_of(game_of(edition, rule_values(edition, config["rules"]))).has("options")
        kinds = [kind for kind in kinds if kind == PROGRAM or (KINDS_2016 <= kind <= LAST_2005) is of_2005]
    return list(dict.fromkeys(filter(None, (DECISIONS[kind] for kind in kinds))))


def _as_lists(table: Table) -> list[JsonObject]:
    """The rows of a table.

    Raises:
        ValueError: for texts that are too long, all together; a file has each of them once.
    """
    pa = import_pyarrow()
    for name in table.column_names:
        array = _one_chunk(table[name])
        array = array.flatten() if pa.types.is_list(array.type) or pa.types.is_fixed_size_list(array.type) else array
        if pa.types.is_dictionary(array.type) and len(array):
            longest = pa.compute.max(pa.compute.binary_length(array.dictionary)).as_py() or 0
            if longest * len(array) > 8 * MOST_IN_LISTS:
                raise ValueError(f"column {name}: {len(array):,} texts of up to {longest:,} bytes")
    return list(table.to_pylist())


def _may_have(file: ParquetFile, group: int, episode: int) -> bool:
    """Whether a row group may have rows of a race, as far as its statistics say."""
    chunks = file.metadata.row_group(group)
    for found in (chunks.column(i) for i in range(chunks.num_columns)):
        known = found.statistics if found.path_in_schema == "episode" else None
        if known is not None and known.has_min_max and isinstance(known.min, int) and isinstance(known.max, int):
            return known.min <= episode <= known.max
    return True


def _parts(file: ParquetFile, group: int, columns: Sequence[str]) -> Iterator[Table]:
    """Columns of a row group, of at most `MOST_VALUES` values at once.

    Raises:
        ValueError: for rows that are too long, and for a column that is far larger than its values.
    """
    chunks, rows = file.metadata.row_group(group), file.metadata.row_group(group).num_rows
    values = 0
    for chunk in (chunks.column(i) for i in range(chunks.num_columns)):
        column = chunk.path_in_schema.partition(".")[0]
        if column not in columns:
            continue
        if chunk.total_uncompressed_size > 16 * chunk.num_values + MOST_BYTES:
            raise ValueError(f"column {column}: {chunk.total_uncompressed_size:,} bytes of {chunk.num_values:,} values")
        values += chunk.num_values
    if values > MOST_VALUES and values != _width(file, columns) * rows:
        raise ValueError(f"{values:,} values in {rows:,} rows; expected as many in each row")
    if values > MOST_VALUES * rows:
        raise ValueError(f"{values:,} values in {rows:,} rows; expected at most {MOST_VALUES:,} in a row")
    pa = import_pyarrow()
    most = max(1, MOST_VALUES * rows // max(1, values))
    if rows <= most:
        yield file.read_row_group(group, columns=columns)
        return
    for part in file.iter_batches(most, [group], columns):
        yield pa.Table.from_batches([part])


def _width(file: ParquetFile, columns: Sequence[str]) -> int:
    """The number of values of a row, where it is the same for all."""
    types = [file.schema_arrow.field(column).type for column in columns]
    return sum(getattr(kind, "list_size", 1) for kind in types)


def _check_values(file: ParquetFile, groups: Iterable[int], columns: Sequence[str] | None, most: int) -> None:
    """Raise a ValueError for row groups with more values than can be read at once. A text counts by its length."""
    found = 0
    for chunks in map(file.metadata.row_group, groups):
        for chunk in (chunks.column(i) for i in range(chunks.num_columns)):
            if columns is None or chunk.path_in_schema.partition(".")[0] in columns:
                found += max(chunk.num_values, chunk.total_uncompressed_size // 8)
    if found > most:
        raise ValueError(f"{found:,} values; expected at most {most:,}")


@contextmanager
def _readable(path: str) -> Iterator[None]:
    """Raise errors of reading a table as a RoboRallyError."""
    try:
        yield
    except (OSError, ValueError, KeyError, NotImplementedError, MemoryError) as error:  # pyarrow's own are of these
        advice = "delete it, and self-play plays its races again"
        raise RoboRallyError(f"{path}: damaged ({one_line(error)}); {advice}") from None


def _one_chunk(column: ChunkedArray) -> ArrowArray:
    array = column.combine_chunks()
    return array.combine_chunks() if isinstance(array, import_pyarrow().ChunkedArray) else array


def _is(column: ChunkedArray, value: str) -> ArrowArray:
    """Which texts of a column are `value`."""
    pa, array = import_pyarrow(), _one_chunk(column)
    if pa.types.is_dictionary(array.type):  # each text once: they may be long
        return pa.compute.equal(array.dictionary.cast("string"), value).take(array.indices)
    return pa.compute.equal(array.cast("string"), value)


def _numpy(column: ChunkedArray) -> Array:
    """A column as an array; lists of fixed length become rows."""
    pa, array = import_pyarrow(), _one_chunk(column)
    if pa.types.is_dictionary(array.type):
        texts = np.array([*array.dictionary.cast("string").to_pylist(), None], object)
        numbers = array.indices.fill_null(len(texts) - 1) if array.indices.null_count else array.indices
        return np.asarray(texts[numbers.to_numpy(zero_copy_only=False)])
    if pa.types.is_fixed_size_list(array.type):
        return np.asarray(array.flatten().to_numpy(zero_copy_only=False).reshape(len(array), array.type.list_size))
    return np.asarray(array.to_numpy(zero_copy_only=False))
