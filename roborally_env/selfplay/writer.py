"""The files of self-play data."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from roborally_env.jobs.arrow import import_pyarrow
from roborally_env.jobs.storage import Storage

if TYPE_CHECKING:
    from pyarrow import Schema, Table


STEPS, EPISODES = "steps", "episodes"  # folders of the two tables


class TableFile:
    """A Parquet file that is written one row group at a time and gets its name with `keep`."""

    def __init__(self, place: Storage, name: str, schema: Schema) -> None:
        self._place = place
        with place.one_line_errors():
            self._file = place.new_file(name)
            self._writer = import_pyarrow().parquet.ParquetWriter(self._file.sink, schema, compression="zstd")

    def write(self, table: Table) -> None:
        """Add a row group."""
        with self._place.one_line_errors():
            self._writer.write_table(table, row_group_size=max(1, table.num_rows))

    def keep(self) -> None:
        """Close the complete file and give it its name."""
        with self._place.one_line_errors():
            self._writer.close()
            self._file.keep()

    def drop(self) -> None:
        """Remove a file that was not kept."""
        if self._writer.is_open:
            with suppress(OSError):
                self._writer.close()
            self._writer.is_open = False  # or it is closed once more, with the same error, when it is collected
        self._file.drop()
