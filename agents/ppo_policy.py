"""The network of `roborally train ppo` with NumPy alone: this file runs without the simulator.

    policy = Policy("weights.npz")
    env = parallel_env(action="register", ghost=True)
    action = policy.act(observation["observation"], observation["action_mask"])

It acts on the vectors and masks of the action form `register`; `weights.npz` says where their numbers are. It plays as
the agent `ppo:beam=1` does. Copy it anywhere: it imports NumPy and the standard library.
"""

from __future__ import annotations

import json
import math
import os
import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

FORMAT, VERSION = "roborally-ppo", 2  # of the weights, and of what the network sees
REGISTERS = 5

Array = NDArray[Any]  # this file imports nothing of the package
MOST_BYTES = 64 << 20  # of all arrays, unpacked
MOST_ARRAYS = 1000


def _check_sizes(path: str | Path) -> None:
    """Raise a ValueError for a file that is not an archive of arrays, or whose headers announce too large ones."""
    left = MOST_BYTES
    # looked at first: the list of a million arrays takes seconds to read
    if os.path.getsize(path) > MOST_BYTES or Path(path).read_bytes().count(b"PK\x01\x02") > MOST_ARRAYS:
        raise ValueError(f"weights {path}: too large: expected at most {MOST_BYTES >> 20} MB and {MOST_ARRAYS} arrays")
    try:
        with zipfile.ZipFile(path) as archive:
            for info in archive.infolist():
                with archive.open(info) as file:
                    np.lib.format.read_magic(file)
                    shape, _, dtype = np.lib.format.read_array_header_1_0(file)
                left -= max(info.file_size, math.prod(shape) * dtype.itemsize)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, ValueError) as error:
        raise ValueError(f"weights {path}: expected a file of roborally train ppo ({type(error).__name__})") from None
    if left < 0:
        raise ValueError(f"weights {path}: too large: expected at most {MOST_BYTES >> 20} MB")


class Policy:
    """Acts by the network of a file of `roborally train ppo`, for any number of players.

    Attributes:
        about: what the file says of itself: edition, game, options of the training, layout of the vectors.

    Args:
        path: the file.

    Raises:
        ValueError: for a file of another kind or another version.
    """

    def __init__(self, path: str | Path) -> None:
        _check_sizes(path)
        with np.load(path, allow_pickle=False) as data:
            self.about: dict[str, Any] = json.loads(str(data["about"])) if "about" in data.files else {}
            if self.about.get("format") != FORMAT:
                raise ValueError(f"weights {path}: expected a file of roborally train ppo")
            if self.about.get("inputs") != VERSION or "layout" not in self.about:
                raise ValueError(f"weights {path}: written by another version of roborally train ppo; train again")
            self._net = {name: data[name].astype(np.float32) for name in data.files if name != "about"}
        layout = self.about["layout"]
        self._columns = np.concatenate([np.arange(first, last) for first, last in layout["columns"]])
        self._hand_at, self._slots, self._numbers = layout["hand"]
        self._rank: int | None = layout["rank"]
        self._kinds = self._numbers if self._rank is None else self._rank
        self._others_at, self._row = layout["others"]
        self._announcing: list[int] = layout["announcing"]
        self._down: list[int] = layout.get("down", [])
        self._all_kinds: int = layout["kinds"]
        self._ghost: int = layout["ghost"] if self.about["ghost"] else 0
        self._after, self._shown = layout["after"]
        self._tail = REGISTERS + self._slots + REGISTERS * self._numbers + self._ghost

    def act(self, observation: NDArray[Any], mask: NDArray[Any]) -> NDArray[Any] | int:
        """The likeliest action: an int, or int64 [n] for n rows.

        Args:
            observation: float32 [size] or [n, size], vectors of the form `register`; with `ghost=True` if the network
                was trained with the ghost.
            mask: [m] or [n, m], 1 for each legal action.

        Raises:
            ValueError: for vectors of another length than those of the game that the network was trained for.
        """
        rows, legal = np.atleast_2d(np.asarray(observation, np.float32)), np.atleast_2d(np.asarray(mask)) != 0
        players, rest = divmod(rows.shape[1] - self._others_at - self._tail, self._row)
        if rest or players < 1:
            raise ValueError(
                f"observation: {rows.shape[1]} numbers do not fit {self.about['game']} games of edition "
                f'{self.about["edition"]} with action="register" and ghost={bool(self._ghost)}'
            )
        actions = legal.argmax(1)
        open_rows = np.flatnonzero(legal.sum(1) > 1)
        if len(open_rows):
            actions[open_rows] = self._decide(rows[open_rows], legal[open_rows], players)
        return int(actions[0]) if np.ndim(observation) == 1 else actions

    def _decide(self, rows: NDArray[Any], legal: NDArray[Any], others: int) -> NDArray[Any]:
        """The actions of rows that have a choice."""
        actions = np.zeros(len(rows), np.int64)
        kinds = self._kinds_of_hand(rows)
        position = self._position(rows, kinds, others)
        tail = rows[:, rows.shape[1] - self._tail :]
        filling = tail[:, :REGISTERS].any(1)
        announcing = rows[:, self._announcing].any(1) & ~filling
        for chosen, decide in (
            (filling, lambda at: self._cards(rows[at], tail[at], kinds[at], legal[at], position[at])),
            (announcing, lambda at: self._announce(rows[at], legal[at], position[at])),
            (~filling & ~announcing, lambda at: self._options(legal[at], position[at])),
        ):
            at = np.flatnonzero(chosen)
            if len(at):
                actions[at] = decide(at)
        return actions

    def _kinds_of_hand(self, rows: NDArray[Any]) -> NDArray[Any]:
        """The kind of the card in each slot, from 0, int64 [n, slots]; -1 where there is none."""
        cards = self._hand(rows)[:, :, : self._kinds]
        return np.asarray(np.where(cards.any(2), cards.argmax(2), -1))

    def _hand(self, rows: NDArray[Any]) -> NDArray[Any]:
        end = self._hand_at + self._slots * self._numbers
        return np.asarray(rows[:, self._hand_at : end].reshape(-1, self._slots, self._numbers))

    def _counts(self, kinds: NDArray[Any]) -> NDArray[Any]:
        """A quarter of the cards of each kind, [n, kinds]."""
        return np.asarray((kinds[:, :, None] == np.arange(self._all_kinds)).sum(1) * np.float32(0.25), np.float32)

    def _position(self, rows: NDArray[Any], kinds: NDArray[Any], others: int) -> NDArray[Any]:
        """What the network makes of the position, [n, hidden]."""
        net = self._net
        players = np.full((len(rows), 1), (others + 1) * 0.125, np.float32)
        own = np.concatenate([rows[:, self._columns], self._counts(kinds), players], axis=1)
        end = self._others_at + others * self._row
        other_rows = rows[:, self._others_at : end].reshape(-1, self._row)
        pooled = _rectified(other_rows @ net["row_w"] + net["row_b"]).reshape(len(rows), others, -1).sum(1)
        first = _rectified(own @ net["own_w"] + net["own_b"] + pooled @ net["pool_w"])
        return _rectified(first @ net["mid_w"] + net["mid_b"])

    def _cards(
        self, rows: NDArray[Any], tail: NDArray[Any], kinds: NDArray[Any], legal: NDArray[Any], position: NDArray[Any]
    ) -> NDArray[Any]:
        """The slots of the next register's cards: of the likeliest kind the free one that ranks highest."""
        net = self._net
        free = np.where(tail[:, REGISTERS : REGISTERS + self._slots] > 0, -1, kinds)
        ghost = tail[:, len(tail[0]) - self._ghost :] if self._ghost else self._no_ghost(tail)
        counts = self._counts(free)
        around = ghost.shape[1] - self._after * self._shown
        seen = np.concatenate([ghost[:, :around], counts], axis=1)
        first = _rectified(position @ net["context_w"] + net["context_b"] + seen @ net["seen_w"])
        deep = _rectified(first @ net["deep_w"] + net["deep_b"])
        logits = deep @ net["cards_w"] + net["cards_b"]
        at, kinds = np.nonzero(counts[:, : self._shown])
        after = ghost[:, around:].reshape(len(ghost), self._shown, self._after)[at, kinds]
        before = deep @ net["before_w"] + net["before_b"]
        first = _rectified(before[at] + net["kind_w"][kinds] + after @ net["after_w"])
        logits[at, kinds] += (
            _rectified(first @ net["leads_w"] + net["leads_b"]) @ net["worth_w"][:, 0] + net["worth_b"][0]
        )
        may = np.where(legal[:, : self._slots], free, -1)
        allowed = (may[:, :, None] == np.arange(self._all_kinds)).any(1)
        best = np.where(allowed, logits, -np.inf).argmax(1)
        rank = np.zeros(free.shape) if self._rank is None else self._hand(rows)[:, :, self._rank]
        slots = np.where(may == best[:, None], rank, -np.inf).argmax(1)
        return np.asarray(np.where(allowed.any(1), slots, legal.argmax(1)))

    def _no_ghost(self, tail: NDArray[Any]) -> NDArray[Any]:
        """What a network without the ghost sees in its place: the register."""
        around = self._net["seen_w"].shape[0] - self._all_kinds
        seen = np.zeros((len(tail), around + self._after * self._shown), np.float32)
        seen[:, :REGISTERS] = tail[:, :REGISTERS]
        return seen

    def _announce(self, rows: NDArray[Any], legal: NDArray[Any], position: NDArray[Any]) -> NDArray[Any]:
        """1 where a power down is announced; a robot that is powered down announces nothing in training."""
        odds = position @ self._net["down_w"] + self._net["down_b"]
        return np.asarray((odds[:, 0] > 0) & legal[:, 1] & ~rows[:, self._down].any(1))

    def _options(self, legal: NDArray[Any], position: NDArray[Any]) -> NDArray[Any]:
        """The likeliest legal options of choices."""
        logits = position @ self._net["option_w"] + self._net["option_b"]
        count = min(logits.shape[1], legal.shape[1])
        return np.asarray(np.where(legal[:, :count], logits[:, :count], -np.inf).argmax(1))


def _rectified(values: NDArray[Any]) -> NDArray[Any]:
    """Negative numbers replaced by 0."""
    return np.asarray(np.maximum(values, np.float32(0.0)))
