"""Self-play data as a dataset of PyTorch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from roborally_env.base.checks import check_whole
from roborally_env.base.errors import RoboRallyError
from roborally_env.base.types import Array
from roborally_env.selfplay.reader import Data
from roborally_env.selfplay.schema import steps_columns

try:
    import torch
    from torch.utils.data import IterableDataset, get_worker_info
except ImportError as error:
    raise RoboRallyError('roborally_env.selfplay.torch_data needs torch: pip install "roborally_env[train]"') from error

Batch = dict[str, torch.Tensor]


class Batches(IterableDataset[Batch]):
    """Columns of `steps` in batches of rows, for a DataLoader with `batch_size=None`.

    The workers of a DataLoader share the shards between them: more workers than shards gain nothing, and each ends with
    a smaller batch. Rows are shuffled within a row group (100 races or more), and the shards among each other, anew
    each time and by torch's seed.

    Args:
        data: of `load`.
        columns: names of columns with numbers; lists become tensors [batch, length].
        batch: rows of a tensor.
        shuffle: else in the order of the files.
        decision, agent: see `Data.arrays`.

    Raises:
        RoboRallyError: for an unknown column, one with text, an agent that did not play, or a batch below 1.
    """

    def __init__(
        self,
        data: Data,
        columns: Sequence[str],
        *,
        batch: int = 256,
        shuffle: bool = True,
        decision: str | None = "program",
        agent: str | None = None,
    ) -> None:
        data.check_columns(columns, agent)
        if not columns:
            raise RoboRallyError("columns: expected at least one")
        texts = [column.name for column in steps_columns(True) if column.named and column.name in columns]
        if texts:
            raise RoboRallyError(f"columns: expected columns with numbers, {texts[0]} has text; `Data.arrays` gives it")
        self.data, self.columns, self.shuffle = data, list(columns), shuffle
        self.batch = check_whole(batch, "batch", 1, 1 << 30)
        self.decision, self.agent = decision, agent

    def __iter__(self) -> Iterator[Batch]:
        worker = get_worker_info()
        number, count = (worker.id, worker.num_workers) if worker else (0, 1)
        # a DataLoader draws one seed each time for all its workers, and adds their numbers to it
        seed = worker.seed - worker.id if worker else int(torch.empty((), dtype=torch.int64).random_())
        shards = np.array(list(self.data.shards), np.int64)
        if self.shuffle:
            np.random.default_rng(seed).shuffle(shards)
        rows = np.random.default_rng([seed, number])
        waiting: dict[str, Array] = {}
        for part in self._parts(shards[number::count].tolist()):
            size = len(part[self.columns[0]])
            order = rows.permutation(size) if self.shuffle else np.arange(size)
            part = {name: values[order] for name, values in part.items()}
            if waiting:
                part = {name: np.concatenate([waiting[name], values]) for name, values in part.items()}
            yield from self._whole_batches(part)
            waiting = self._rest(part)
        if waiting and len(waiting[self.columns[0]]):
            yield _tensors(waiting)

    def _parts(self, shards: Sequence[int]) -> Iterator[dict[str, Array]]:
        return self.data.arrays(self.columns, decision=self.decision, agent=self.agent, shards=shards)

    def _whole_batches(self, part: dict[str, Array]) -> Iterator[Batch]:
        for last in range(self.batch, len(part[self.columns[0]]) + 1, self.batch):
            yield _tensors({name: values[last - self.batch : last] for name, values in part.items()})

    def _rest(self, part: dict[str, Array]) -> dict[str, Array]:
        """The rows behind the whole batches."""
        first = len(part[self.columns[0]]) // self.batch * self.batch
        return {name: values[first:] for name, values in part.items()}


def _tensors(values: dict[str, Array]) -> Batch:
    return {name: torch.from_numpy(each) for name, each in values.items()}
