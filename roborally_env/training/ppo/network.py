"""The network: a position once for each decision, and a small head for each card that is chosen."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn

from roborally_env.agents.registers import KINDS
from roborally_env.base.errors import AgentError
from roborally_env.core.searching.ghost import SIZE

ROW = 48  # units of another robot's row
NEVER = -1e9
LARGEST_SCALE = 8.0
SCALED = ("own", "row", "seen")  # layers that see inputs


class Network(nn.Module):
    """Actor and critic. Other robots' rows are summed, so one network plays with any number of players.

    Args:
        own, row: lengths of the own vector and of another robot's row.
        options: of a choice, such as a purchase.
        hidden, width: units of the position, and of the heads.
    """

    own_scale: Tensor
    row_scale: Tensor
    seen_scale: Tensor

    def __init__(self, own: int, row: int, options: int, hidden: int, width: int) -> None:
        super().__init__()
        self.own, self.row = _layer(own, hidden), _layer(row, ROW)
        self.pool, self.mid = _layer(ROW, hidden, bias=False), _layer(hidden, hidden)
        self.context, self.seen = _layer(hidden, width), _layer(SIZE + KINDS, width, bias=False)
        self.deep = _layer(width, width)
        self.cards, self.value = _layer(width, KINDS, gain=0.01), _layer(width, 1, gain=1.0)
        self.option, self.option_value = _layer(hidden, options, gain=0.01), _layer(hidden, 1, gain=1.0)
        self.down = _layer(hidden, 1, gain=0.01)
        for name, size in zip(SCALED, (own, row, SIZE + KINDS), strict=True):
            self.register_buffer(f"{name}_scale", torch.ones(size))

    def scale_inputs(self, own: np.ndarray, others: np.ndarray, seen: np.ndarray, keep: bool) -> None:
        """Scale inputs so that each has a mean square of 1 in these rows: most are small or rarely set, and the layers
        that see them would learn slowly. With `keep` the network computes what it did."""
        for name, rows in zip(SCALED, (own, others, seen), strict=True):
            square = np.square(rows.reshape(-1, rows.shape[-1]).astype(np.float32)).mean(0)
            scale = torch.from_numpy(
                np.where(square > 0, np.clip(1 / np.sqrt(square + 1e-12), 1.0, LARGEST_SCALE), 1.0)
            )
            kept: Tensor = getattr(self, f"{name}_scale")
            layer: nn.Linear = getattr(self, name)
            if keep:
                layer.weight.data *= kept / scale
            kept.copy_(scale)

    def position(self, own: Tensor, others: Tensor) -> Tensor:
        """[n, hidden] of own vectors [n, own] and rows [n, P - 1, row]."""
        pooled = torch.relu(self.row(others * self.row_scale)).sum(1)
        return torch.relu(self.mid(torch.relu(self.own(own * self.own_scale) + self.pool(pooled))))

    def choose(self, context: Tensor, seen: Tensor) -> tuple[Tensor, Tensor]:
        """Logits [.., KINDS] and values [..] of registers, from `context(position)` and what is `seen` before them."""
        hidden = torch.relu(self.deep(torch.relu(context + self.seen(seen * self.seen_scale))))
        return self.cards(hidden), self.value(hidden).squeeze(-1)


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
        weight = module.weight.detach()
        if name in SCALED:
            weight = weight * getattr(net, f"{name}_scale")
        found[f"{name}_w"] = weight.numpy().T
        if module.bias is not None:
            found[f"{name}_b"] = module.bias.detach().numpy()
    return found


def load_arrays(net: Network, arrays: dict[str, np.ndarray], path: str) -> None:
    """Set the weights to those of a file.

    Raises:
        RoboRallyError: if the network has other sizes.
    """
    for name, parameter in net.named_parameters():
        module, kind = name.rsplit(".", 1)
        array = arrays[f"{module}_{kind[0]}"]
        wanted = torch.from_numpy(np.ascontiguousarray(array.T if kind == "weight" else array))
        if wanted.shape != parameter.shape:
            raise AgentError(
                f"--begin {path}: {module} has the shape {tuple(wanted.shape)}, expected {tuple(parameter.shape)}; are "
                "--hidden, --width and the game as they were?"
            )
        parameter.data.copy_(wanted)
    for name in SCALED:
        getattr(net, f"{name}_scale").fill_(1.0)
