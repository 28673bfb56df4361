"""The network: a position once for each decision, and a small head for each card that is chosen."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from roborally_env.base.errors import AgentError
from roborally_env.core.searching.ghost import AFTER, AROUND, CARDS, KINDS
from roborally_env.training.ppo.rows import add_back, add_rectified

ROW = 48  # units of another robot's row
NEVER = -1e9
LARGEST_SCALE = 8.0
LAYER_EPS = 1e-5  # of torch.nn.functional.layer_norm
OF_A_GAME = ("own", "row", "option")  # layers whose size depends on it
SCALED = ("own", "row", "seen", "after")  # layers that see inputs
CENTRAL = ("all", "all_cards", "all_options")  # layers of a central critic, which no agent needs


class Network(nn.Module):
    """Actor and critic. Other robots' rows are summed, so one network plays with any number of players.

    Args:
        own, row: lengths of the own vector and of another robot's row.
        options: of a choice, such as a purchase.
        hidden, width: units of the position, and of the heads.
        central: whether the critic also sees what the other seats see (Yu et al., The surprising effectiveness of PPO
            in cooperative multi-agent games, 2022).
        scores: whether the heads score cards and options, for Q-learning, rather than giving logits.
    """

    own_scale: Tensor
    row_scale: Tensor
    seen_scale: Tensor
    after_scale: Tensor

    def __init__(
        self, own: int, row: int, options: int, hidden: int, width: int, central: bool = False,
        scores: bool = False,
    ) -> None:  # fmt: skip
        super().__init__()
        self.own, self.row = _layer(own, hidden), _layer(row, ROW)
        self.pool, self.mid = _layer(ROW, hidden, bias=False), _layer(hidden, hidden)
        self.context, self.seen = _layer(hidden, width), _layer(AROUND + KINDS, width, bias=False)
        self.deep = _layer(width, width)
        self.cards, self.value = _layer(width, KINDS, gain=0.01), _layer(width, 1, gain=1.0)
        self.before, self.after = _layer(width, width), _layer(AFTER, width, bias=False)
        self.kind, self.leads = _layer(CARDS, width, gain=0.1, bias=False), _layer(width, width // 2)
        self.worth = _layer(width // 2, 2, gain=0.01)  # a card's score, and what it is worth
        self.option, self.option_value = _layer(hidden, options, gain=0.01), _layer(hidden, 1, gain=1.0)
        self.down = _layer(hidden, 1, gain=0.01)
        for name, size in zip(SCALED, (own, row, AROUND + KINDS, AFTER), strict=True):
            self.register_buffer(f"{name}_scale", torch.ones(size))
        if scores:
            self.cards, self.option, self.down = map(Normalised, (self.cards, self.option, self.down))
        self.scores, self.central = scores, central
        if central:
            self.all = _layer(own, ROW)
            self.all_cards, self.all_options = _layer(ROW, width, bias=False), _layer(ROW, hidden, bias=False)

    def scale_inputs(self, own: Tensor, others: Tensor, near: Tensor, led: Tensor, keep: bool) -> None:
        """Scale inputs so that each has a mean square of 1 in these rows: most are small or rarely set, and the layers
        that see them would learn slowly. With `keep` the network computes what it did."""
        for name, rows in zip(SCALED, (own, others, near, led[:, :AFTER]), strict=True):
            flat = rows.reshape(-1, rows.shape[-1]).float().numpy()
            square = np.square(flat).sum(0) / max(1, len(flat))
            kept: Tensor = getattr(self, f"{name}_scale")
            scale = torch.from_numpy(
                np.where(square > 0, np.clip(1 / np.sqrt(square + 1e-12), 1.0, LARGEST_SCALE), 1.0)
            ).to(kept.device)
            layer: nn.Linear = getattr(self, name)
            if keep:
                layer.weight.data *= kept / scale
            kept.copy_(scale)

    def _scaled(self, name: str, rows: Tensor, kinds: Tensor | None = None) -> Tensor:
        """A layer that sees inputs. `kinds` are weights of the inputs that follow its own."""
        layer: nn.Linear = getattr(self, name)
        weight: Tensor = layer.weight * getattr(self, f"{name}_scale")
        return F.linear(rows, weight if kinds is None else torch.cat([weight, kinds], 1), layer.bias)

    def position(self, own: Tensor, others: Tensor) -> Tensor:
        """[n, hidden] of own vectors [n, own] and rows [n, P - 1, row]."""
        pooled = torch.relu(self._scaled("row", others)).sum(1)
        return torch.relu(self.mid(torch.relu(self._scaled("own", own) + self.pool(pooled))))

    def around(self, state: Tensor) -> Tensor | None:
        """[n, ROW] of the own vectors [n, P - 1, own] of all other seats, for a central critic; else None."""
        return torch.relu(self.all(state * self.own_scale)).sum(1) if self.central else None

    def choose(
        self, context: Tensor, near: Tensor, led: Tensor, at: Tensor, around: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        """Logits [.., KINDS] and values [..] of registers, from `context(position)` and what is seen before them.

        Args:
            context: [.., width], or what fits `near`.
            near: [.., AROUND + KINDS], what lies around the ghost, and the cards left.
            led: [m, AFTER + CARDS], where the cards that are left lead.
            at: [m], which card that is: its register, counted through `near`, times CARDS, plus its kind; ascending.
            around: see `around`.
        """
        hidden = torch.relu(self.deep(torch.relu(context + self._scaled("seen", near))))
        register = at // CARDS
        to = self._scaled("after", led, self.kind.weight)
        worth = self.worth(torch.relu(self.leads(added(to, self.before(hidden).flatten(0, -2), register))))
        shape = (*near.shape[:-1], CARDS)
        spread = worth.new_zeros((register_count(near) * CARDS, 2)).index_copy(0, at, worth).unflatten(0, shape)
        scores = spread[..., 0]
        if self.scores:  # as `Normalised` divides the rest, so that they rank as without
            scores = scores * hidden.var(-1, unbiased=False, keepdim=True).add(LAYER_EPS).rsqrt()
        logits = self.cards(hidden)
        logits = torch.cat([logits[..., :CARDS] + scores, logits[..., CARDS:]], -1)
        left = near[..., AROUND : AROUND + CARDS] > 0
        shares = logits[..., :CARDS].detach().masked_fill(~left, NEVER).softmax(-1)
        value = (spread[..., 1] * shares).sum(-1)
        known = hidden if around is None else torch.relu(hidden + self.all_cards(around))
        return logits, self.value(known).squeeze(-1) + value

    def option_worth(self, position: Tensor, around: Tensor | None = None) -> Tensor:
        """Values [n] of positions in which something is chosen."""
        known = position if around is None else torch.relu(position + self.all_options(around))
        value: Tensor = self.option_value(known)
        return value.squeeze(1)


def register_count(near: Tensor) -> int:
    """The registers in what is seen around ghosts [.., AROUND + KINDS]."""
    return near.numel() // near.shape[-1]


class _Added(torch.autograd.Function):
    """See `added`; compiled, as torch would need five passes over the rows."""

    @staticmethod
    def forward(ctx: Any, rows: Tensor, groups: Tensor, of: Tensor) -> Tensor:
        add_rectified(rows.numpy(), groups.numpy(), of.numpy())
        ctx.mark_dirty(rows)
        ctx.save_for_backward(rows, of)
        ctx.groups = groups.shape
        return rows

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, Tensor, None]:
        rows, of = ctx.saved_tensors
        to_rows, to_groups = torch.empty_like(rows), rows.new_zeros(ctx.groups)
        add_back(gradient.contiguous().numpy(), rows.numpy(), of.numpy(), to_rows.numpy(), to_groups.numpy())
        return to_rows, to_groups, None


def added(rows: Tensor, groups: Tensor, of: Tensor) -> Tensor:
    """relu(rows + groups[of]): each row [m, width] with its group [g, width], rectified; `of` [m] ascends."""
    if rows.device.type != "cpu":
        return torch.relu(rows + groups[of])
    found: Tensor = _Added.apply(rows, groups, of)
    return found


class Normalised(nn.Linear):
    """A linear layer on normalised inputs, which keeps Q-learning without a target network stable (Gallici et al.,
    Simplifying deep temporal difference learning, 2024). It has no offset: so outputs of the same inputs compare as
    those of a plain layer with the weights `plain()`, and the agent needs to normalise nothing."""

    def __init__(self, layer: nn.Linear) -> None:
        super().__init__(layer.in_features, layer.out_features)
        self.weight = layer.weight
        self.bias = nn.Parameter(torch.zeros(layer.out_features), requires_grad=False)

    def forward(self, inputs: Tensor) -> Tensor:
        """See nn.Linear."""
        return F.linear(F.layer_norm(inputs, inputs.shape[-1:]), self.weight)

    def plain(self) -> Tensor:
        """Weights that rank the outputs of inputs that are not normalised as this layer does."""
        return self.weight - self.weight.mean(1, keepdim=True)


def log_shares(logits: Tensor, bits: Tensor) -> Tensor:
    """Log-probabilities of logits [.., n], where only those are legal whose bit is set in `bits` [..]."""
    places = torch.arange(logits.shape[-1], device=bits.device)
    legal = (bits.unsqueeze(-1) >> places & 1).bool()
    return logits.masked_fill(~legal, NEVER).log_softmax(-1)


def _layer(inputs: int, outputs: int, gain: float = 2**0.5, bias: bool = True) -> nn.Linear:
    """A linear layer with orthogonal weights and no offset."""
    made = nn.Linear(inputs, outputs, bias)
    nn.init.orthogonal_(made.weight, gain)
    if bias:
        nn.init.zeros_(made.bias)
    return made


def arrays_of(net: Network) -> dict[str, np.ndarray]:
    """The weights as `roborally_env.agents.ppo_network` takes them."""
    found = {}
    for name, module in net.named_children():
        assert isinstance(module, nn.Linear)
        if name in CENTRAL:
            continue
        weight = (module.plain() if isinstance(module, Normalised) else module.weight).detach()
        if name in SCALED:
            weight = weight * getattr(net, f"{name}_scale")
        found[f"{name}_w"] = weight.cpu().numpy().T
        if module.bias is not None:
            found[f"{name}_b"] = module.bias.detach().cpu().numpy()
    return found


def load_arrays(net: Network, arrays: dict[str, np.ndarray], path: str) -> None:
    """Set the weights to those of a file. Those of another game lack what reads this game's position: these layers stay
    as they are, and cards are chosen without the position until the network has learned to.

    Raises:
        RoboRallyError: if the network has other sizes.
    """
    another = False
    for name, parameter in net.named_parameters():
        module, kind = name.rsplit(".", 1)
        if module in CENTRAL:
            continue
        array = arrays[f"{module}_{kind[0]}"]
        wanted = torch.from_numpy(np.ascontiguousarray(array.T if kind == "weight" else array))
        if wanted.shape == parameter.shape:
            parameter.data.copy_(wanted)
        elif module in OF_A_GAME and net.mid.weight.shape == arrays["mid_w"].T.shape:
            another = True
        else:
            raise AgentError(
                f"--begin {path}: {module} has the shape {tuple(wanted.shape)}, expected {tuple(parameter.shape)}; are "
                "--hidden and --width as they were?"
            )
    if another:
        nn.init.zeros_(net.context.weight)
    for name in SCALED:
        getattr(net, f"{name}_scale").fill_(1.0)
