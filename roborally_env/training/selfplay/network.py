"""The network of self-play, in torch; `roborally_env.agents.network` has it as compiled code."""

from __future__ import annotations

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from roborally_env.agents.candidates import ALONE, CHANCE, FEATURES, MOST, OUTCOMES, VALUE
from roborally_env.agents.features import Layout
from roborally_env.agents.network import BUYING, read_weights_for
from roborally_env.base.errors import AgentError

CANDIDATE = FEATURES + OUTCOMES
NOT_OF_PROGRAMS = ("own", "row", "pool", "mid", "win1", "win2", "buy", "down")  # what `roborally train value` learns
SCALE = 5.0  # of the scores, so that what the last layer gives is about 1
PRIOR = {VALUE: 0.2, FEATURES + ALONE: 4.0, FEATURES + CHANCE: 5.0}  # weights of the untrained scores, unscaled


class Network(nn.Module):
    """Position, chance to win, scores of the candidate programs, purchases, and a critic that sees the candidates."""

    def __init__(self, at: Layout, hidden: int = 128, central: bool = False) -> None:
        super().__init__()
        self.own, self.row = nn.Linear(at.own, hidden), nn.Linear(at.row, 48)
        self.pool, self.mid = nn.Linear(48, hidden, bias=False), nn.Linear(hidden, hidden)
        self.win1, self.win2 = nn.Linear(hidden, 64), nn.Linear(64, 1)
        self.context, self.cand1 = nn.Linear(hidden, 64), nn.Linear(CANDIDATE, 64, bias=False)
        self.cand2, self.cand3 = nn.Linear(64, 32), nn.Linear(32, 1, bias=False)
        self.skip = nn.Linear(CANDIDATE, 1, bias=False)
        self.buy, self.down = nn.Linear(hidden, BUYING), nn.Linear(hidden, 1)
        self.hands = nn.Linear(at.card, 48, bias=False) if central else None  # so that rows of zeros add nothing
        self.critic1, self.critic2 = nn.Linear(hidden + 2 * 64 + 48 * central, 64), nn.Linear(64, 1)
        for module, gain in ((self.buy, 0.01), (self.down, 0.01), (self.critic2, 0.1)):
            nn.init.orthogonal_(module.weight, gain)
        # the untrained network prefers what `greedy` prefers, and with deals what `planner` does
        nn.init.zeros_(self.cand3.weight)
        nn.init.zeros_(self.skip.weight)
        with torch.no_grad():
            for place, weight in PRIOR.items():
                self.skip.weight[0, place] = weight

    def position(self, own: torch.Tensor, others: torch.Tensor) -> torch.Tensor:
        """[n, own], [n, P - 1, row] -> [n, hidden]."""
        there = (others != 0).any(2, keepdim=True)  # rows of zeros fill up tables with fewer players
        pooled = (F.relu(self.row(others)) * there).sum(1)
        return F.relu(self.mid(F.relu(self.own(own) + self.pool(pooled))))

    def win(self, position: torch.Tensor) -> torch.Tensor:
        """[n]: log-odds of winning the race, before the hand is dealt."""
        return self.win2(F.relu(self.win1(position))).squeeze(1)

    def units(self, position: torch.Tensor, candidates: torch.Tensor) -> torch.Tensor:
        """What the candidates are scored by: [n, MOST, 64]."""
        return F.relu(self.cand1(candidates) + self.context(position)[:, None])

    def scores(self, units: torch.Tensor, candidates: torch.Tensor, counts: torch.Tensor) -> torch.Tensor:
        """[n, MOST]: the scores of the candidates [n, MOST, CANDIDATE], of which counts [n] are there."""
        scores = SCALE * (self.cand3(F.relu(self.cand2(units))) + self.skip(candidates)).squeeze(2)
        return scores.masked_fill(torch.arange(MOST, device=counts.device) >= counts[:, None], -1e9)

    def critic(self, position: torch.Tensor, units: torch.Tensor | None, theirs: torch.Tensor | None) -> torch.Tensor:
        """[n]: the expected return; `units` None before the hand is dealt."""
        none = position.new_zeros(len(position), 1, 64)
        units = none if units is None else units
        parts = [position, units.mean(1), units.amax(1)]
        if self.hands is not None:
            parts.append(F.relu(self.hands(theirs)).sum(1) if theirs is not None else none[:, 0, :48])
        return self.critic2(F.relu(self.critic1(torch.cat(parts, 1)))).squeeze(1)

    def begin(self, path: str, game: str) -> None:
        """Take over the parts of a file of weights that do not look at programs (`NOT_OF_PROGRAMS`), and freeze them.

        Raises:
            RoboRallyError: for a file that does not fit.
        """
        found, _ = read_weights_for(path, game)
        for name in NOT_OF_PROGRAMS:
            for parameter, array in zip(getattr(self, name).parameters(), (f"{name}_w", f"{name}_b"), strict=False):
                values = torch.as_tensor(found[array].T if array.endswith("_w") else found[array])
                if values.shape != parameter.shape:
                    raise AgentError(
                        f"--begin {path}: {array} has the shape {tuple(values.shape)}, expected "
                        f"{tuple(parameter.shape)}; is --hidden as it was?"
                    )
                parameter.data.copy_(values)
                parameter.requires_grad_(False)

    def arrays(self) -> dict[str, np.ndarray]:
        """The weights as `roborally_env.agents.network` wants them."""
        found = {}
        for name, module in self.named_children():
            if isinstance(module, nn.Linear):
                found[f"{name}_w"] = module.weight.detach().cpu().numpy().T
                if module.bias is not None:
                    found[f"{name}_b"] = module.bias.detach().cpu().numpy()
        for name in ("cand3_w", "skip_w"):
            found[name] = SCALE * found[name]
        return found
