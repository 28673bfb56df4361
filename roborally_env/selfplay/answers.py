"""The names of the options that players took, as numbers into one list of texts."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from roborally_env.base.types import Array
from roborally_env.cards.option_names import BY_HAND, option_name
from roborally_env.core.choices import KINDS, OPTION_NAMES, REENTRY_CELL, REENTRY_ROW

# [decision]: whether the names of its options depend on the hand or the place
_BY_GAME = np.isin(np.arange(KINDS), sorted(BY_HAND | {REENTRY_CELL, REENTRY_ROW}))
_OPTIONS = 64


class Answers:
    """Numbers for the names of answers; `texts[number]` is the name."""

    def __init__(self) -> None:
        self.texts = sorted({name for names in OPTION_NAMES.values() for name in names})
        self._known = {text: number for number, text in enumerate(self.texts)}
        self._numbers = np.full((KINDS, _OPTIONS), -1, np.int32)  # [decision, option]: the number of its name
        for kind, names in OPTION_NAMES.items():
            self._numbers[kind, : len(names)] = [self._known[name] for name in names]

    def numbers(self, games: Array, asked: NDArray[np.int64], options: NDArray[np.int64]) -> NDArray[np.int32]:
        """[n]: for option options[k] of the question that is open in record games[asked[k]]."""
        kinds = games["ask_kind"][asked]
        found: NDArray[np.int32] = self._numbers[kinds, options]
        for k in np.flatnonzero(_BY_GAME[kinds]):
            found[k] = self._number(option_name(games[asked[k]], int(options[k])))
        return found

    def _number(self, text: str) -> int:
        if text not in self._known:
            self._known[text] = len(self.texts)
            self.texts.append(text)
        return self._known[text]
