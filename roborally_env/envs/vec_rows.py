"""The common part of the vector interfaces: rows of observations and masks, and beginning and playing races."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from roborally_env.base.arrays import PicklableArrays
from roborally_env.base.types import NamedValues
from roborally_env.batch import BatchRace
from roborally_env.core.seeing.observe import DEPTH, WINDOW
from roborally_env.envs.spaces import encoding_of, observation_part, part_boxes, part_slices, shapes_of, with_parts
from roborally_env.envs.state import write_states
from roborally_env.envs.vec_forms import RowForm, make_form
from roborally_env.envs.vec_races import Mask, Outcome, Races

_Buffers = dict[str, NDArray[Any]]


class Rows(PicklableArrays):
    """The rows of some races, in an action form: observations in, actions out.

    Args:
        races: the races, already reset.
        form: the action form, for the same number of rows.
        observation: "symbolic", "vector" (the same here), "planes" or "dict".
        dtype: of the vectors, as BatchRace.
        copy: return new arrays at each call; else two sets of arrays alternate (those of the batch if no rows need to
            be gathered).
    """

    def __init__(self, races: Races, form: RowForm, observation: str, copy: bool, dtype: str = "float32") -> None:
        self.races = races
        self.form = form
        self.observation = observation
        self.copy = copy
        boxes = part_boxes(races.batch)
        self.shapes = shapes_of(boxes)
        boxes |= form.boxes
        self._parts = dict(zip(boxes, part_slices(shapes_of(boxes)), strict=True))
        self.encoding = encoding_of(boxes, dtype)
        self.space = observation_part(observation, boxes, races.batch.game, dtype)
        self._sets: tuple[_Buffers, _Buffers] = ({}, {})
        self._turn = 0

    # -- deciding

    def begin(self, rows: Mask) -> None:
        """Begin the decisions of these rows, whose races are at their start or at the next decision."""
        found = np.flatnonzero(rows)
        self.form.begin(found, self.races.places[found], ~self.races.programming[found])

    def act(self, actions: Any, active: Mask) -> tuple[Mask, Outcome]:
        """Take the actions of `active` rows and play the races of rows that have decided; returns these rows and the
        outcome.

        Rows whose race is over are shown as over until `begin`.
        """
        decided = self.form.take(actions, active)
        waiting = active & ~decided
        outcome = self.races.play(decided, self.form.programs, self.form.choices)
        if waiting.any() and (shaping := self.races.batch.shaping_of_waiting()) is not None:
            self.races.add_shaping(outcome, np.flatnonzero(waiting), shaping)
        outcome.corrected[active] += self.form.corrected[active]
        self.form.note_so_far(outcome.programs, waiting)
        self.begin(decided & ~outcome.ended)
        self.form.begin_nothing(np.flatnonzero(outcome.ended))
        return decided, outcome

    # -- seeing

    def observe(self, final: Mask | None = None) -> Any:
        """Observations of all rows: an array or a dict of arrays [N, ..]. `final` rows show the end of their last
        finished race."""
        self._turn ^= 1
        rows = None if final is None or not final.any() else np.flatnonzero(final)
        symbolic = self._gather("symbolic", rows)
        planes = self._gather("planes", rows) if self.observation == "planes" else None
        return self._assemble(symbolic, planes, self.form.parts())

    def final(self, rows: NDArray[np.int64]) -> Any:
        """Observations of these rows only, at the end of their last finished race."""
        symbolic = self.races.final("symbolic", rows)
        planes = self.races.final("planes", rows) if self.observation == "planes" else None
        tail = {name: np.zeros((len(rows), *shape), np.float32) for name, shape in self.form.extra.items()}
        return self._assemble(symbolic, planes, tail, new=True)

    def present(self, rows: NDArray[np.int64]) -> Any:
        """Observations of these rows only, in the race that is on."""
        seen, places = self.races.batch.observations, self.races.places[rows]
        symbolic, planes = (
            seen[name].reshape(-1, *seen[name].shape[2:])[places] if name in seen else None
            for name in ("symbolic", "planes")
        )
        tail = {name: part[rows] for name, part in self.form.parts().items()}
        return self._assemble(symbolic, planes if self.observation == "planes" else None, tail, new=True)

    def states(self, over: Mask | None = None) -> NDArray[np.float32]:
        """The whole state of each row's race, hidden cards included: float32 [N, n], see `envs.state`; zeros for rows
        that are `over`."""
        found = write_states(self.races.batch)[self.races.games]
        if over is not None:
            found[over] = 0.0
        return np.asarray(found)

    def final_mask(self) -> NDArray[np.int8]:
        """The flat mask of a row whose race is over: one value of each component."""
        mask = np.zeros(self.form.mask_size, np.int8)
        mask[np.cumsum([0, *self.form.sizes[:-1]])] = 1
        return mask

    def _gather(self, name: str, final: NDArray[np.int64] | None) -> NDArray[Any]:
        source = self.races.batch.observations[name]
        flat = source.reshape(-1, *source.shape[2:])
        places = self.races.places
        every = len(places) == len(flat)  # every seat is a row
        copy = self.copy and not (name == "symbolic" and self._encodes)
        if every and final is None and not copy:
            return flat
        if every and copy:
            rows = flat.copy()
        else:
            rows = np.take(flat, places, axis=0, out=self._sets[self._turn].get(name), mode="clip")
        if not copy:
            self._sets[self._turn][name] = rows
        if final is not None:
            rows[final] = self.races.final(name, final)
        return rows

    @property
    def _encodes(self) -> bool:
        """Vectors are written as another dtype, into arrays of their own."""
        return self.encoding.name != "float32"

    def _assemble(
        self, symbolic: Any, planes: NDArray[Any] | None, tail: dict[str, NDArray[Any]], new: bool = False
    ) -> Any:
        """The observations of some rows; `new`: not in the arrays that alternate."""
        if tail:
            symbolic = with_parts(symbolic, tail)
        if self._encodes:
            new = new or self.copy
            kept = None if new else self._sets[self._turn].get("encoded")
            out = kept if kept is not None and len(kept) == len(symbolic) else None
            symbolic = self.encoding.encode(symbolic, out)
            if not new and len(symbolic) == len(self.races.places):
                self._sets[self._turn]["encoded"] = symbolic
        if self.observation == "dict":
            return {
                name: symbolic[:, start:end].reshape(-1, *shape) for name, (start, end, shape) in self._parts.items()
            }
        if planes is None:
            return symbolic
        return {"planes": planes.reshape(len(planes), WINDOW, WINDOW, DEPTH), "features": symbolic}

    # -- saving

    def state_dict(self) -> NamedValues:
        """The state from which rows made with the same arguments go on exactly with `load_state_dict`."""
        return {"races": self.races.state_dict(), "form": self.form.state_dict()}

    def load_state_dict(self, state: NamedValues) -> None:
        """Go on from a `state_dict`."""
        self.races.load_state_dict(state["races"])
        self.form.load_state_dict(state["form"])


def asked_rows(
    batch: BatchRace, games: NDArray[np.int64], seats: NDArray[np.int64], action: str, ghost: bool = False
) -> Rows:
    """The rows of these seats [n] of these games [n], at the beginning of their present decision."""
    rows = Rows(_Seats(batch, games, seats), make_form(action, batch, len(games), ghost), "symbolic", copy=True)
    rows.begin(np.ones(len(games), np.bool_))
    return rows


class _Seats(Races):
    """Seats of a batch whose races are played elsewhere."""

    def __init__(self, batch: Any, games: NDArray[np.int64], seats: NDArray[np.int64]) -> None:
        super().__init__(batch, len(games))
        self.games, self.seats = games, seats

    def reset(self, rows: Mask, seeds: Any, courses: Any = None) -> None:
        """Do nothing: the races are played elsewhere."""

    def begin(self, rows: Mask) -> None:
        """Do nothing: the races are played elsewhere."""

    def play(self, rows: Mask, programs: NDArray[np.int8], chosen: NDArray[np.int8]) -> Outcome:
        """Not supported: the races are played elsewhere."""
        raise NotImplementedError
