"""The action forms, for many rows at once. A row is one seat of one game; one race is the rows of a batch of one game.

A form takes one action for each row and reports which rows have decided. The registers filled so far (in the `register`
form) are its own state. `begin` gives each row its current question.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from roborally_env.base.arrays import PicklableArrays
from roborally_env.base.checks import check_flag
from roborally_env.base.errors import ActionError, RoboRallyError
from roborally_env.batch import BatchRace
from roborally_env.core.searching import ghost as ghosts
from roborally_env.core.seeing.observe import layout_of
from roborally_env.core.state import REGISTERS
from roborally_env.envs.actions import action_sizes
from roborally_env.envs.program_ranks import ranking_of
from roborally_env.envs.spaces import Boxes, program_space, shapes_of, unit_boxes

NOT_PROGRAMMING = -1  # in place of the number of registers filled, see `ghosts_of`
_REGISTERS = np.arange(REGISTERS)

Rows = NDArray[np.int64]
Mask = NDArray[np.bool_]
Slots = Sequence[int] | NDArray[Any]


def register_boxes(game: str, ghost: bool = False) -> dict[str, spaces.Box]:
    """Name and space of the parts that the register form appends to the symbolic vector.

    to_fill      one-hot: the register to fill next; zeros if there is none
    slots_used   1 for each hand slot whose card is used
    laid         the card in each register so far, as in `hand`
    ghost        with `ghost`: where the cards chosen so far take the robot alone, and what lies around that place, see
                 `core.searching.ghost`; zeros when no card is to be chosen
    """
    at = layout_of(game)
    boxes = unit_boxes({"to_fill": (REGISTERS,), "slots_used": (at.slots,), "laid": (REGISTERS, at.kinds)})
    if ghost:
        low, high = (
            np.concatenate([np.broadcast_to(np.float32(part[end]), part.length) for part in ghosts.PARTS])
            for end in (3, 4)
        )
        boxes["ghost"] = spaces.Box(low, high, dtype=np.float32)
    return boxes


def check_ghost(ghost: object, action: str) -> bool:
    """The checked argument `ghost`, or a RoboRallyError: only the form `register` has one."""
    wanted = check_flag(ghost, "ghost")
    if wanted and action != "register":
        raise RoboRallyError(f'ghost: expected action="register" with ghost=True, got action={action!r}')
    return wanted


class RowForm(PicklableArrays, ABC):
    """Actions of N rows.

    Attributes:
        action_space: of one row.
        sizes: how many values each component of an action has.
        mask_size: numbers of a row's flat mask, which has those of the components one after the other.
        boxes: name and space of the parts that the form adds to a symbolic vector.
        programs, choices: int8 [N, 5], [N]: the decisions of the rows; zeros for undecided rows.
        corrected: int64 [N]: how many parts of the last action the form itself replaced.
    """

    action_space: spaces.Space[Any]
    sizes: list[int]
    boxes: Boxes

    def __init__(self, batch: BatchRace, rows: int) -> None:
        self.batch = batch
        self.rows = rows
        self.boxes = {}
        self.announces = batch.announces
        self.programs: NDArray[np.signedinteger[Any]] = np.zeros((rows, REGISTERS), np.int8)
        self.choices: NDArray[np.signedinteger[Any]] = np.zeros(rows, np.int8)
        self.corrected = np.zeros(rows, np.int64)
        # each row's pending decision: its masks, registers that take no card (as bits), and whether it is not a program
        self.slots = np.zeros((rows, REGISTERS, batch.hand_slots), np.int8)
        self.options = np.zeros((rows, 1 + batch.options), np.int8)
        self.closed: NDArray[np.integer[Any]] = np.zeros(rows, np.int64)
        self.choosing = np.zeros(rows, np.bool_)
        self._everybody = np.ones(rows, np.bool_)

    def begin(self, rows: Rows, seats: Rows, choosing: Mask) -> None:
        """Begin new decisions of these rows, the `seats` (game * P + seat) of the batch; `choosing` [n]: no programs
        are wanted."""
        seen = self.batch.observations
        self.slots[rows] = seen["masks"].reshape(-1, REGISTERS, self.batch.hand_slots)[seats]
        if self.batch.asks_choices:
            self.options[rows] = seen["choice_masks"].reshape(-1, 1 + self.batch.options)[seats]
        self.closed[rows] = self.batch.closed_registers.reshape(-1)[seats]
        self.choosing[rows] = choosing
        self._forget()

    def begin_race(self, seen: Mapping[str, NDArray[Any]], choosing: bool, closed: NDArray[np.uint8]) -> None:
        """Begin new decisions of all rows, which are the seats of the batch's only game.

        Nothing is copied: the masks are the batch's, which stay until its next step.

        Args:
            seen: the batch's `observations`.
            choosing: nobody programs.
            closed: the batch's `closed_registers`.
        """
        self.slots = seen["masks"][0]
        if self.batch.asks_choices:
            self.options = seen["choice_masks"][0]
        self.closed = closed[0]
        self.choosing[:] = choosing
        self._forget()

    def _forget(self) -> None:
        """Forget what was derived from the state, which has changed."""

    def begin_nothing(self, rows: Rows) -> None:
        """Show these rows as at the end of their race."""
        self.slots[rows] = 0
        self.slots[rows, :, 0] = 1
        self.options[rows] = 0
        self.options[rows, 0] = 1
        self.closed[rows] = 0
        self.choosing[rows] = True
        self._forget()

    def take(self, actions: Any, active: Mask) -> Mask:
        """Take one action for each row; only those of `active` rows [N] are read. Returns which rows have decided [N].

        Raises:
            ActionError: for a wrong shape, dtype or range; nothing is taken then.
        """
        sizes = np.array(self.sizes)
        shape = (self.rows, *(sizes.shape if self.action_space.shape else ()))
        return self.decide(whole_rows(actions, shape, sizes), active)

    @abstractmethod
    def decide(self, values: NDArray[np.int64], active: Mask) -> Mask:
        """As `take`, for actions that have been checked."""

    @abstractmethod
    def encode(self, row: int, program: Slots, choice: int = 0) -> Any:
        """The next action of a row for five hand slots and a choice (0, or 1 + the option; 1 beside a program announces
        a power down)."""

    def decide_race(self, values: NDArray[np.int64]) -> bool:
        """As `decide`, for all rows, of one game: they decide together. Returns whether they have."""
        return bool(self.decide(values, self._everybody)[0])

    @property
    def mask_size(self) -> int:
        """See the class."""
        return sum(self.sizes)

    @property
    def extra(self) -> dict[str, tuple[int, ...]]:
        """The shapes of `boxes`."""
        return shapes_of(self.boxes)

    @abstractmethod
    def flat_masks(self) -> NDArray[np.int8]:
        """The masks of all rows: int8 [N, mask_size]."""

    def note_so_far(self, programs: NDArray[np.int8], rows: Mask) -> None:
        """Write what these rows [N], whose programs are unfinished, have chosen so far into `programs` [N, 5],
        which has NOTHING everywhere."""

    def parts(self) -> dict[str, NDArray[np.float32]]:
        """The parts that the form adds to the symbolic vectors, by name: float32 [N, ..]."""
        return {}

    def state_dict(self) -> dict[str, NDArray[Any]]:
        """Copies of all that `load_state_dict` needs."""
        return {name: value.copy() for name, value in vars(self).items() if _is_state(name, value)}

    def load_state_dict(self, state: dict[str, NDArray[Any]]) -> None:
        """Go on from `state_dict` of a form like this."""
        for name, value in state.items():
            getattr(self, name)[...] = value
        self._forget()


def _is_state(name: str, value: Any) -> bool:
    return isinstance(value, np.ndarray) and not name.startswith("_")


def make_form(action: str, batch: BatchRace, rows: int, ghost: bool = False) -> RowForm:
    """The form of this name for `rows` rows; `ghost` as in `parallel_env`."""
    check_ghost(ghost, action)
    if action == "register":
        return RegisterRows(batch, rows, ghost)
    return FlatRows(batch, rows) if action == "flat" else ProgramRows(batch, rows)


def whole_rows(actions: Any, shape: tuple[int, ...], sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Actions as int64 of this shape, each component from 0 to its size - 1, or an ActionError."""
    array = np.asarray(actions)
    if array.shape != shape:
        raise ActionError(f"actions: expected shape {shape}, got {array.shape}")
    if array.dtype.kind not in "iu":
        raise ActionError(f"actions: expected whole numbers, got dtype {array.dtype}")
    wrong = (array < 0) | (array >= sizes)
    if wrong.any():
        at = tuple(int(i) for i in np.argwhere(wrong)[0])
        size = int(np.broadcast_to(sizes, shape)[at])
        raise ActionError(f"actions{list(at)}: expected 0 to {size - 1}, got {int(array[at])}")
    return array.astype(np.int64)


class ProgramRows(RowForm):
    """`program`: five hand slots and, if choices are open, the choice, at once."""

    def __init__(self, batch: BatchRace, rows: int) -> None:
        super().__init__(batch, rows)
        self.sizes = list(action_sizes(batch))
        self.action_space = program_space(self.sizes)

    def decide(self, values: NDArray[np.int64], active: Mask) -> Mask:
        """See RowForm: every active row has decided."""
        values[~active] = 0
        self.programs[:] = values[:, :REGISTERS]
        if self.batch.asks_choices:
            self.choices[:] = values[:, REGISTERS]
        return active

    def encode(self, row: int, program: Slots, choice: int = 0) -> NDArray[np.int64]:
        """See RowForm."""
        return np.array([*program, choice][: len(self.sizes)], np.int64)

    def decide_race(self, values: NDArray[np.int64]) -> bool:
        """See RowForm; nothing is copied."""
        self.programs = values[:, :REGISTERS]
        if self.batch.asks_choices:
            self.choices = values[:, REGISTERS]
        return True

    def flat_masks(self) -> NDArray[np.int8]:
        """See RowForm: the masks of the components one after the other."""
        flat = self.slots.reshape(self.rows, -1)
        return np.concatenate((flat, self.options), 1) if self.batch.asks_choices else flat.copy()


class OneNumberRows(RowForm):
    """Forms whose action is one number. In an open choice action `o` takes option `o`; rows that are not asked have
    0."""

    def _set_size(self, size: int) -> None:
        self.sizes = [size]
        self.action_space = spaces.Discrete(size)

    def _choose(self, numbers: NDArray[np.int64], rows: Rows) -> None:
        """Answer open choices. The race replaces an illegal number."""
        known = np.where(numbers < self.batch.options, numbers, 0)
        legal = (numbers < self.batch.options) & (self.options[rows, 1 + known] == 1)
        self.choices[rows] = np.where(legal, 1 + known, 0)

    def _choice_masks(self, masks: NDArray[np.int8]) -> None:
        """Write the masks of rows whose game waits for a choice into `masks` [N, mask_size]."""
        rows = np.flatnonzero(self.choosing)
        if not len(rows):
            return
        options = self.options[rows, 1:]
        masks[rows] = 0
        if self.batch.asks_choices:
            masks[rows, : options.shape[1]] = options
        masks[rows, 0] |= ~options.any(axis=1)

    def _clear(self) -> None:
        self.programs[:] = 0
        self.choices[:] = 0
        self.corrected[:] = 0


class _Filled(NamedTuple):
    """The cards chosen so far."""

    takes_card: Mask  # [N, 5] the registers that take a card of the hand
    rows: Rows  # of each card
    registers: Rows
    slots: Rows


class RegisterRows(OneNumberRows):
    """`register`: the hand slot for register one, two, .. five, and in 2005 and by community rules with
    decisions="program" a sixth action that announces a power down."""

    def __init__(self, batch: BatchRace, rows: int, ghost: bool = False) -> None:
        super().__init__(batch, rows)
        self._set_size(max(batch.hand_slots, batch.options if batch.asks_choices else 0))
        self.boxes = register_boxes(batch.game, ghost)
        at = layout_of(batch.game)
        self._hand_at, self._hand_shape = int(at.hand), (int(at.slots), int(at.kinds))
        self.chosen = np.zeros((rows, REGISTERS + 1), np.int64)  # the slots chosen so far; the last column: announced
        self.filled = np.zeros(rows, np.int64)  # how many of them
        self.hands = np.zeros((rows, *self._hand_shape), np.float32)  # the card in each slot
        self.places = np.zeros(rows, np.int64)  # game * P + seat of each row
        self._every_row = np.arange(rows)
        self._masks: NDArray[np.int8] | None = None  # both are derived from the state
        self._filled: _Filled | None = None

    def begin(self, rows: Rows, seats: Rows, choosing: Mask) -> None:
        """See RowForm."""
        super().begin(rows, seats, choosing)
        self.filled[rows] = 0
        self.places[rows] = seats
        self.hands[rows] = self._hands_seen()[seats]

    def begin_race(self, seen: Mapping[str, NDArray[Any]], choosing: bool, closed: NDArray[np.uint8]) -> None:
        """See RowForm."""
        super().begin_race(seen, choosing, closed)
        self.filled[:] = 0
        self.places, self.hands = self._every_row, self._hands_seen()

    def begin_nothing(self, rows: Rows) -> None:
        """See RowForm."""
        super().begin_nothing(rows)
        self.filled[rows] = 0

    def go_on(self, chosen: NDArray[np.int64]) -> None:
        """Let every row begin its program with these slots [N, registers]."""
        self.filled[:] = chosen.shape[1]
        self.chosen[:, : chosen.shape[1]] = chosen
        self._forget()

    def decide(self, values: NDArray[np.int64], active: Mask) -> Mask:
        """See RowForm: a row has decided with its last register. An illegal slot is replaced by the next legal one."""
        masks, takes_card = self._masks_now(), self._filled_now().takes_card
        self._clear()
        decided = active & self.choosing
        answering = np.flatnonzero(decided)
        if len(answering):
            self._choose(values[answering], answering)
        rows = np.flatnonzero(active & ~self.choosing)
        if not len(rows):
            return decided
        slots = _next_legal(masks[rows], values[rows])
        self.corrected[rows] = slots != values[rows]
        self.chosen[rows, self.filled[rows]] = slots
        self.filled[rows] += 1
        self._forget()
        done = rows[self.filled[rows] == REGISTERS + self.announces]
        if len(done):
            self.programs[done] = np.where(takes_card[done], self.chosen[done, :REGISTERS], 0)
            if self.announces:
                self.choices[done] = self.chosen[done, REGISTERS]
            decided[done] = True
        return decided

    def encode(self, row: int, program: Slots, choice: int = 0) -> int:
        """See RowForm."""
        if self.choosing[row]:
            return max(choice - 1, 0)
        filled = int(self.filled[row])
        return int(program[filled]) if filled < REGISTERS else choice

    def note_so_far(self, programs: NDArray[np.int8], rows: Mask) -> None:
        """See RowForm."""
        _, at, registers, slots = self._filled_now()
        noted = rows[at]
        programs[at[noted], registers[noted]] = slots[noted]

    def flat_masks(self) -> NDArray[np.int8]:
        """See RowForm: the slots that may go into the register that is to be filled."""
        return self._masks_now().copy()

    def _forget(self) -> None:
        self._masks = self._filled = None

    def _hands_seen(self) -> NDArray[np.float32]:
        """[B * P, slots, kinds]: the part `hand` of what every seat sees."""
        vectors = self.batch.vectors.reshape(-1, self.batch.symbolic_size)
        size = int(np.prod(self._hand_shape))
        return vectors[:, self._hand_at : self._hand_at + size].reshape(-1, *self._hand_shape)

    def _filled_now(self) -> _Filled:
        if self._filled is None:
            takes = np.asarray((self.closed[:, None] >> _REGISTERS & 1) == 0)
            chosen = (self.filled[:, None] > _REGISTERS) & takes & ~self.choosing[:, None]
            rows, registers = np.nonzero(chosen)
            self._filled = _Filled(takes, rows, registers, self.chosen[rows, registers])
        return self._filled

    def _masks_now(self) -> NDArray[np.int8]:
        if self._masks is not None:
            return self._masks
        self._masks = masks = np.zeros((self.rows, self.mask_size), np.int8)
        at = np.minimum(self.filled, REGISTERS - 1)
        masks[:, : self.batch.hand_slots] = self.slots[self._every_row, at]
        takes_card, rows, _, slots = self._filled_now()
        if len(rows):
            takes = takes_card[rows, at[rows]]
            masks[rows[takes], slots[takes]] = 0
        if self.announces:
            last = np.flatnonzero(self.filled == REGISTERS)
            masks[last] = 0
            masks[last, :2] = self.options[last, :2]
        self._choice_masks(masks)
        return masks

    def parts(self) -> dict[str, NDArray[np.float32]]:
        """See RowForm: `register_boxes`."""
        parts = {name: np.zeros((self.rows, *shape), np.float32) for name, shape in self.extra.items()}
        filling = np.flatnonzero(~self.choosing & (self.filled < REGISTERS))
        parts["to_fill"][filling, self.filled[filling]] = 1.0
        _, rows, registers, slots = self._filled_now()
        parts["slots_used"][rows, slots] = 1.0
        parts["laid"][rows, registers] = self.hands[rows, slots]
        if "ghost" in parts:
            games, seats = np.divmod(self.places, self.batch.players)
            filled = np.where(self.choosing, NOT_PROGRAMMING, self.filled)
            chosen = np.ascontiguousarray(self.chosen[:, :REGISTERS])
            ghosts.ghosts_of(self.batch.maps, self.batch.games, games, seats, chosen, filled, parts["ghost"])
        return parts


def _next_legal(masks: NDArray[np.int8], numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    """Each number itself, or the next one (cyclic) that its mask [n, size] allows."""
    size = masks.shape[1]
    turned = (numbers[:, None] + np.arange(size)) % size
    return np.asarray((numbers + np.take_along_axis(masks, turned, axis=1).argmax(axis=1)) % size)


class FlatRows(OneNumberRows):
    """`flat`: the number of the program, by the numbering in `envs.program_ranks`; where power downs are announced with
    programs, higher numbers are the same programs with an announcement."""

    def __init__(self, batch: BatchRace, rows: int) -> None:
        super().__init__(batch, rows)
        self.ranking = ranking_of(batch.hand_slots)
        self._set_size(self.ranking.count * (2 if self.announces else 1))

    def decide(self, values: NDArray[np.int64], active: Mask) -> Mask:
        """See RowForm: every active row has decided."""
        self._clear()
        answering = np.flatnonzero(active & self.choosing)
        self._choose(values[answering], answering)
        rows = np.flatnonzero(active & ~self.choosing)
        slots = self.ranking.slots(values[rows] % self.ranking.count)
        closed = (self.closed[rows, None] >> _REGISTERS & 1) == 1
        self.programs[rows] = np.where(closed, 0, slots)
        self.choices[rows] = values[rows] // self.ranking.count
        return active

    def encode(self, row: int, program: Slots, choice: int = 0) -> int:
        """See RowForm. The slots must differ, except in closed registers, whose slots are not read."""
        if self.choosing[row]:
            return max(choice - 1, 0)
        closed = int(self.closed[row])
        slots = [-1 if closed >> k & 1 else int(slot) for k, slot in enumerate(program)]
        left = (slot for slot in range(self.ranking.hand_slots) if slot not in slots)
        slots = [next(left) if slot < 0 else slot for slot in slots]
        return int(self.ranking.number(slots)) + (self.ranking.count if self.announces and choice else 0)

    def flat_masks(self) -> NDArray[np.int8]:
        """See RowForm: exact, and large: [N, 15120], [N, 30240] or [N, 60480]."""
        masks = np.zeros((self.rows, self.mask_size), np.int8)
        count = self.ranking.count
        for row in np.flatnonzero(~self.choosing):
            legal = self.ranking.mask(self.slots[row], int(self.closed[row]))
            masks[row, :count] = legal
            if self.announces and self.options[row, 1]:
                masks[row, count:] = legal
        self._choice_masks(masks)
        return masks
