"""The distribution of programs."""

from __future__ import annotations

from collections.abc import Callable

import torch
from stable_baselines3.common.distributions import Distribution
from torch import Tensor, nn

from roborally_env.training.sb3.network import REGISTERS, ProgramNet

NEVER = -1e9  # score of what is not legal


class ProgramDistribution(Distribution):
    """Programs register by register without replacement, and the answer to a choice beside them.

    A register whose mask has slot 0 alone takes no card: it is locked, or no program is wanted of the seat. It is
    filled with 0, and slot 0 stays free for the others.
    """

    def __init__(self, net: ProgramNet) -> None:
        super().__init__()
        self.net = net

    def proba_distribution_net(self, *args: object, **kwargs: object) -> nn.Module:
        """The network that scores."""
        return self.net

    def proba_distribution(self, hidden: Tensor, cards: Tensor, masks: Tensor) -> ProgramDistribution:
        """Of N rows: hidden [N, width], cards [N, slots, c], flat masks [N, m]."""
        slots = self.net.hand[0]
        self.cards, self.context = cards, self.net.context(hidden)
        self.legal = masks[:, : REGISTERS * slots].reshape(-1, REGISTERS, slots).bool()
        self.open = self.legal[:, :, 1:].any(2)  # [N, 5]: takes a card
        self.choice_logits = None
        if self.net.choices:
            scores = self.net.choice(hidden)
            self.choice_logits = scores.masked_fill(~masks[:, REGISTERS * slots :].bool(), NEVER).log_softmax(1)
        self.actions: Tensor | None = None
        self.logits: Tensor | None = None  # [N, 5, slots] along `actions`
        return self

    def sample(self) -> Tensor:
        """Draw [N, components]."""
        return self._walk(lambda logits: (logits - torch.log(-torch.log(torch.rand_like(logits)))).argmax(1))

    def mode(self) -> Tensor:
        """The likeliest card of each register in turn."""
        return self._walk(lambda logits: logits.argmax(1))

    def _walk(self, choose: Callable[[Tensor], Tensor]) -> Tensor:
        rows = torch.arange(len(self.cards), device=self.cards.device)
        used = torch.zeros_like(self.legal[:, 0])
        before = torch.zeros_like(self.context)
        taken, logits = [], []
        for k in range(REGISTERS):
            scores = self.net.scores(self.context + self.net.place[k], before, self.cards)
            takes = self.open[:, k]
            logits.append(scores.masked_fill(~self.legal[:, k] | (used & takes[:, None]), NEVER).log_softmax(1))
            taken.append(choose(logits[-1]))
            used[rows, taken[-1]] |= takes
            before = before + self.cards[rows, taken[-1]] @ self.net.laid[k] * takes[:, None]
        if self.choice_logits is not None:
            taken.append(choose(self.choice_logits))
        self.actions, self.logits = torch.stack(taken, 1), torch.stack(logits, 1)
        return self.actions

    def _along(self, actions: Tensor) -> Tensor:
        """The logits [N, 5, slots] that are met along programs given, all registers at once."""
        if self.logits is not None and self.actions is actions:
            return self.logits
        slots = actions[:, :REGISTERS].long()
        one_hot = torch.nn.functional.one_hot(slots, self.net.hand[0]) * self.open[:, :, None]
        placed = torch.einsum("nkc,kcd->nkd", one_hot.to(self.cards.dtype) @ self.cards, self.net.laid)
        earlier = placed.new_ones(REGISTERS, REGISTERS).tril(-1)  # sums over earlier registers
        before = earlier @ placed
        used = (earlier @ one_hot.to(placed.dtype) > 0) & self.open[:, :, None]
        scores = self.net.scores(self.context[:, None] + self.net.place, before, self.cards)
        self.actions, self.logits = actions, scores.masked_fill(~self.legal | used, NEVER).log_softmax(2)
        return self.logits

    def log_prob(self, actions: Tensor) -> Tensor:
        """[N] of actions [N, components]."""
        logits = self._along(actions)
        chances = logits.gather(2, actions[:, :REGISTERS, None].long()).sum((1, 2))
        if self.choice_logits is not None:
            chances = chances + self.choice_logits.gather(1, actions[:, REGISTERS:].long()).squeeze(1)
        return chances

    def entropy(self) -> Tensor:
        """[N]: of each register, given the earlier cards of the last actions, and of the choice.

        Its mean over programs drawn from this distribution is the entropy of the distribution.
        """
        assert self.logits is not None, "log_prob or sample comes first"
        entropy = -(self.logits.exp() * self.logits).sum((1, 2))
        if self.choice_logits is not None:
            entropy = entropy - (self.choice_logits.exp() * self.choice_logits).sum(1)
        return entropy

    def actions_from_params(self, *params: Tensor, deterministic: bool = False) -> Tensor:
        """Actions of the distribution with these parameters."""
        return self.proba_distribution(*params).get_actions(deterministic=deterministic)

    def log_prob_from_params(self, *params: Tensor) -> tuple[Tensor, Tensor]:
        """Drawn actions of the distribution with these parameters, and their log-probabilities."""
        actions = self.proba_distribution(*params).sample()
        return actions, self.log_prob(actions)
