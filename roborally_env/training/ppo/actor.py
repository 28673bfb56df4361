"""Acting: the network decides for rows of seats, and a rollout keeps what it decided."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from roborally_env.agents import registers as compiled
from roborally_env.agents.card_values import soft_choices
from roborally_env.agents.registers import Inputs
from roborally_env.base.types import Array
from roborally_env.batch import BatchRace
from roborally_env.core.searching.ghost import AFTER, AROUND, CARDS, KINDS, POSE, SIZE
from roborally_env.core.state import REGISTERS
from roborally_env.courses.tables import MAX_CHECKPOINTS
from roborally_env.training.ppo.network import Network

_NO_PROGRAMS, _NO_OPTIONS = np.zeros((0, REGISTERS), np.int8), np.zeros(0, np.int8)
_NOTHING = (np.zeros(0),) * 4


@dataclass
class Programs:
    """What was decided for n programs; see `agents.registers.draw_cards`."""

    own: Array
    others: Array
    near: Array  # f2 [n, 5, AROUND + KINDS]
    led: Array  # f2 [m, AFTER + CARDS]: where each card that is left leads, the programs one after the other
    led_at: Array  # i4 [m]: its register in its program * CARDS + its kind, from 0
    leads: Array  # i4 [n]: how many there are of each program
    slots: Array
    kinds: Array
    legal: Array
    logps: Array
    values: Array
    down: Array  # i1 [n]: 1 if a power down is announced, 0 if not, -1 if it may not be
    down_logps: Array
    targets: Array  # f2 [n, 5, KINDS] how a robot alone would choose, or [n, 0]
    state: Array  # f2 [n, P - 1, own] for a central critic, else [n, 0]


@dataclass
class Choices:
    """What was decided for n choices."""

    own: Array
    others: Array
    options: Array
    legal: Array
    logps: Array
    values: Array
    state: Array


def _zeros(*shape: int) -> NDArray[np.float32]:
    """An array for the network, in torch's memory: how a matrix product rounds depends on where an array begins, and
    NumPy's begin anywhere. So a resumed run computes what an uninterrupted one does."""
    made: NDArray[np.float32] = torch.zeros(shape).numpy()
    return made


def _half(numbers: NDArray[np.float32]) -> Array:
    """Numbers as f2, by torch, which has instructions for it."""
    found: Array = torch.from_numpy(numbers).half().numpy()
    return found


class Looks:
    """What n ghosts see before a register; see `agents.registers.look`.

    Attributes:
        near, led: as tensors f4.
        row, kind: i4.
    """

    def __init__(self, n: int) -> None:
        self.near, self.led = torch.zeros((n, AROUND + KINDS)), torch.zeros((n * CARDS, AFTER + CARDS))
        self.row, self.kind = np.zeros(n * CARDS, np.int32), np.zeros(n * CARDS, np.int32)
        self.seen = np.zeros(SIZE + KINDS, np.float32)

    def look(
        self, batch: BatchRace, rows: NDArray[np.int64], seats: NDArray[np.int64], k: int, poses: Array, places: Array,
        counts: Array, ghost: bool,
    ) -> int:  # fmt: skip
        """Look before register k; returns how many cards are left, of all rows together."""
        return int(
            compiled.look(
                batch.maps, batch.games, rows, seats, k, poses, places, counts, ghost,
                self.seen, self.near.numpy(), self.led.numpy(), self.row, self.kind,
            )
        )  # fmt: skip

    def inputs(self, m: int) -> tuple[Tensor, Tensor, Tensor]:
        """The arguments `near`, `led` and `at` of Network.choose, of m cards."""
        return self.near, self.led[:m], torch.from_numpy(self.row[:m].astype(np.int64) * CARDS + self.kind[:m])


class Actor:
    """Decides for rows of seats of a batch.

    Args:
        net: the network.
        batch: the games.
        ghost: whether the ghost is seen.
    """

    def __init__(self, net: Network, batch: BatchRace, ghost: bool = True) -> None:
        self.net, self.batch, self.ghost = net, batch, ghost
        self.explore = 0.0  # how much is drawn at random, where scores decide
        self.inputs = Inputs(batch.game)

    def look(self, rows: NDArray[np.int64], seats: NDArray[np.int64]) -> tuple[Array, Array]:
        """The own vectors and the others' rows of seats, f2."""
        batch, n = self.batch, len(rows)
        own, others = _zeros(n, self.inputs.own), _zeros(n, batch.players - 1, self.inputs.row)
        symbolic = batch.vectors
        compiled.write_inputs(
            batch.games, rows, seats, symbolic, self.inputs.columns, self.inputs.others_at, own, others
        )
        return own, others

    def look_around(self, rows: NDArray[np.int64], seats: NDArray[np.int64]) -> Array:
        """What a central critic sees beside it: the own vectors f2 [n, P - 1, own] of all other seats; else [n, 0]."""
        if not self.net.central:
            return np.zeros((len(rows), 0), np.float16)
        players = self.batch.players
        found = [_half(self.look(rows, (seats + turn) % players)[0]) for turn in range(1, players)]
        return np.stack(found, 1)

    def drawn(self, scores: Array, uniform: Array) -> tuple[Array, Array]:
        """The logits and the numbers in 0..1 by which cards or options are drawn."""
        return scores, uniform

    def worth(self, values: Array, scores: Array, legal: Array) -> Array:
        """The values of decisions with these logits and legal kinds or options."""
        return values

    @torch.no_grad()
    def programs(
        self,
        rows: NDArray[np.int64],
        seats: NDArray[np.int64],
        uniform: NDArray[np.float32],
        given: Array | None = None,
        announced: Array | None = None,
        soft: float = 0.0,
    ) -> Programs:
        """Programs of the rows; `uniform` f4 [n, 6] in 0..1 decides, below 0 the likeliest cards are taken. With a
        teacher its programs are `given` i1 [n, 5], and `announced` b1 [n] are its power downs."""
        batch, n, net = self.batch, len(rows), self.net
        own, others = self.look(rows, seats)
        position = net.position(torch.from_numpy(own), torch.from_numpy(others))
        context = net.context(position)
        made = Programs(
            _half(own), _half(others), *_NOTHING,
            np.zeros((n, REGISTERS), np.int8), np.zeros((n, REGISTERS), np.int8), np.zeros((n, REGISTERS), np.int32),
            np.zeros((n, REGISTERS), np.float32), np.zeros((n, REGISTERS), np.float32),
            np.full(n, -1, np.int8), np.zeros(n, np.float32),
            np.zeros((n, REGISTERS, KINDS) if soft else (n, 0), np.float16), self.look_around(rows, seats),
        )  # fmt: skip
        around = net.around(torch.from_numpy(made.state).float())
        if batch.announces:
            may = batch.may_announce[rows, seats].astype(bool)
            odds = net.down(position).squeeze(1)
            log_odds, draw = self.drawn(odds.numpy(), uniform[:, REGISTERS])
            share = 1 / (1 + np.exp(-log_odds))
            down = np.where(draw < 0, share > 0.5, draw < share) if announced is None else announced
            made.down[may] = down[may]
            logs = torch.nn.functional.logsigmoid(torch.where(torch.from_numpy(down), odds, -odds)).numpy()
            made.down_logps[may] = logs[may]
        poses = np.empty((n, POSE), np.int32)
        places = np.zeros((n, REGISTERS + 1, MAX_CHECKPOINTS), np.int64)
        shut, used = np.zeros(n, np.int64), np.zeros(n, np.int64)
        counts = np.zeros((n, KINDS), np.float32)
        compiled.begin_programs(batch.maps, batch.games, rows, seats, poses, places, shut, counts)
        near, looked, wanted = torch.empty((n, REGISTERS, AROUND + KINDS), dtype=torch.half), Looks(n), _zeros(n, KINDS)
        led, led_row, led_at = [], [], []
        for k in range(REGISTERS):
            m = looked.look(batch, rows, seats, k, poses, places, counts, self.ghost)
            near[:, k] = looked.near
            led.append(looked.led[:m].half())
            led_row.append(looked.row[:m].copy())
            led_at.append(looked.kind[:m] + np.int32(k * CARDS))
            logits, values = net.choose(context, *looked.inputs(m), around)
            scores, draw = self.drawn(logits.numpy(), uniform[:, k])
            if soft:
                soft_choices(batch.maps, batch.games, rows, seats, k, poses, places, shut, counts, used, soft, wanted)
                made.targets[:, k] = wanted
            compiled.draw_cards(
                batch.maps, batch.games, rows, seats, k, scores, np.ascontiguousarray(draw),
                _NO_PROGRAMS if given is None else given, poses,
                places, shut, counts, used, made.slots, made.kinds, made.legal, made.logps,
            )  # fmt: skip
            made.values[:, k] = self.worth(values.numpy(), logits.numpy(), made.legal[:, k])
        program = np.concatenate(led_row)
        order = program.argsort(kind="stable")
        made.near, made.led = near.numpy(), torch.cat(led)[torch.from_numpy(order)].numpy()
        made.led_at = np.concatenate(led_at)[order]
        made.leads = np.bincount(program, minlength=n).astype(np.int32)
        return made

    @torch.no_grad()
    def choices(
        self,
        rows: NDArray[np.int64],
        seats: NDArray[np.int64],
        uniform: NDArray[np.float32],
        given: Array | None = None,
    ) -> Choices:
        """Choices of the rows that are asked; `uniform` f4 [n] as for `programs`, `given` i1 [n]: a teacher's."""
        n, net = len(rows), self.net
        own, others = self.look(rows, seats)
        position = net.position(torch.from_numpy(own), torch.from_numpy(others))
        made = Choices(
            _half(own), _half(others), np.zeros(n, np.int8), np.zeros(n, np.int64),
            np.zeros(n, np.float32), np.zeros(n, np.float32), self.look_around(rows, seats),
        )  # fmt: skip
        scores = net.option(position).numpy()
        logits, uniform = self.drawn(scores, uniform)
        compiled.draw_options(
            self.batch.games,
            rows,
            logits,
            uniform,
            _NO_OPTIONS if given is None else given,
            made.options,
            made.legal,
            made.logps,
        )
        values = net.option_worth(position, net.around(torch.from_numpy(made.state).float())).numpy()
        made.values[:] = self.worth(values, scores, made.legal)
        return made

    @torch.no_grad()
    def values(self, rows: NDArray[np.int64], seats: NDArray[np.int64]) -> NDArray[np.float32]:
        """The values of seats as their games stand, before their first card: f4 [n]."""
        batch, n = self.batch, len(rows)
        own, others = self.look(rows, seats)
        context = self.net.context(self.net.position(torch.from_numpy(own), torch.from_numpy(others)))
        poses, counts = np.empty((n, POSE), np.int32), np.zeros((n, KINDS), np.float32)
        places = np.zeros((n, REGISTERS + 1, MAX_CHECKPOINTS), np.int64)
        shut = np.zeros(n, np.int64)
        compiled.begin_programs(batch.maps, batch.games, rows, seats, poses, places, shut, counts)
        looked = Looks(n)
        m = looked.look(batch, rows, seats, 0, poses, places, counts, self.ghost)
        around = self.net.around(torch.from_numpy(self.look_around(rows, seats)).float())
        return self.net.choose(context, *looked.inputs(m), around)[1].numpy()
