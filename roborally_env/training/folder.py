"""The folder of a run: its checkpoint, and tables that grow by rows and are cut back to the checkpoint."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import torch

from roborally_env.base.errors import RoboRallyError
from roborally_env.base.files import append_whole, clear_parts, make_folder, sync, write_whole
from roborally_env.base.terminal import print_lines
from roborally_env.base.types import Fields, NamedValues

CHECKPOINT = "checkpoint.pt"


class Folder:
    """A run's folder. It is made with the first file.

    Args:
        path: the folder.
        tables: the columns of each table, by the name of its file.
        unit: what a run counts, as "decisions".
    """

    def __init__(self, path: str | Path, tables: Mapping[str, Sequence[str]], unit: str) -> None:
        self.path, self.tables, self.unit = Path(path), tables, unit

    @property
    def checkpoint(self) -> Path:
        """The file of the checkpoint."""
        return self.path / CHECKPOINT

    def make(self) -> None:
        """Make the folder.

        Raises:
            RoboRallyError: where nothing can be written.
        """
        make_folder(self.path, "--out")

    # -- the checkpoint

    def save(self, state: Fields) -> None:
        """Write a checkpoint, whole or not at all. `lengths` in it are those of the tables, the present ones if it has
        none.

        Raises:
            RoboRallyError: if it cannot be written.
        """
        for name in self.lengths():  # the run goes on from their present ends
            sync(self.path / name)
        content = io.BytesIO()  # torch's own errors do not name the file, nor the reason
        torch.save({"lengths": self.lengths(), **state}, content)
        write_whole(self.checkpoint, content.getvalue())

    def read(self) -> NamedValues | None:
        """The state of the checkpoint; None where there is none."""
        return read_checkpoint(self.checkpoint) if self.checkpoint.exists() else None

    def begin(self, state: Fields | None) -> None:
        """Make the tables what they were at this state; without one there are none, as a run begins anew."""
        clear_parts(self.path)
        if state is not None:
            self.cut(state.get("lengths", self.lengths()))
        elif left := self.lengths():
            names = " and ".join(left)
            print_lines(f"{self.path} has no checkpoint: the run begins anew, its earlier {names} removed")
            self.cut({})

    def report_start(self, done: int, wanted: int) -> None:
        """Say from where a run goes on."""
        end = "" if done < wanted else ", its end"
        print_lines(f"going on from {self.checkpoint}: {done:,} {self.unit}{end}")

    # -- the tables

    def append(self, name: str, row: Fields) -> None:
        """Add a row to a table; what it does not have stays empty, what has no column is left out. A table that an
        earlier version began keeps its columns."""
        known, text = self._columns_of(name), io.StringIO()
        table = csv.DictWriter(text, known or self.tables[name], extrasaction="ignore", restval="")
        if known is None:
            table.writeheader()
        table.writerow(_rounded(row))
        append_whole(self.path / name, text.getvalue())

    def _columns_of(self, name: str) -> list[str] | None:
        """The columns of a table that is there."""
        if not (self.path / name).exists():
            return None
        with (self.path / name).open(newline="") as file:
            return next(csv.reader(file), None)

    def write(self, name: str, columns: Sequence[str], rows: Iterable[Fields]) -> None:
        """Write a table that is made anew each time, whole or not at all."""
        text = io.StringIO()
        table = csv.DictWriter(text, columns)
        table.writeheader()
        table.writerows(map(_rounded, rows))
        write_whole(self.path / name, text.getvalue().encode())

    def lengths(self) -> dict[str, int]:
        """The length in bytes of each table that is there."""
        return {name: (self.path / name).stat().st_size for name in self.tables if (self.path / name).exists()}

    def cut(self, lengths: Mapping[str, int]) -> None:
        """Take back what was written to the tables since they had these lengths."""
        for name, length in self.lengths().items():
            if name in lengths:
                os.truncate(self.path / name, min(length, lengths[name]))
            else:
                (self.path / name).unlink()


def _rounded(row: Fields) -> NamedValues:
    return {key: f"{x:.6g}" if isinstance(x, float) else x for key, x in row.items()}


def read_checkpoint(path: Path) -> NamedValues:
    """What `Folder.save` wrote.

    Raises:
        RoboRallyError: if there is no such file, or it is none.
    """
    try:
        # NumPy's and Python's states are in it: read no checkpoint that you do not trust
        state: NamedValues = torch.load(path, map_location="cpu", weights_only=False)
        state["options"]  # any other file of torch has none
    except FileNotFoundError:
        raise RoboRallyError(f"{path}: no such file; a run writes it after its first update") from None
    except Exception as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise RoboRallyError(f"{path}: cannot be read ({reason}); expected a checkpoint of this training") from error
    return state
