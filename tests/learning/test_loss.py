"""The compiled loss of the cards of programs, against the same in torch."""

from __future__ import annotations

import numpy as np
import pytest

from tests.later import imported_later

with imported_later("torch"):
    import torch
    from torch import Tensor

    from roborally_env.training.ppo.learner import _chosen
    from roborally_env.training.ppo.loss import Cards, clipped
    from roborally_env.training.ppo.rows import CLIPPED, COUNT, ENTROPY, KL, POLICY, VALUE

CLIP = 0.2
N, KINDS = 300, 22


def cards_of(seed: int) -> tuple[Tensor, Tensor, Cards]:
    """Logits, values and cards as in a rollout, some drawn by a much less likely policy, some registers without one."""
    rng = np.random.default_rng(seed)
    kinds = rng.integers(0, KINDS + 1, (N, 5))
    legal = rng.integers(0, 1 << KINDS, (N, 5)) | np.where(kinds > 0, 1 << np.maximum(kinds - 1, 0), 1)
    logits, values = torch.tensor(rng.normal(0, 2, (N, 5, KINDS))).float(), torch.tensor(rng.normal(0, 1, (N, 5)))
    drawn = _chosen(logits, {"kinds": torch.from_numpy(kinds), "legal": torch.from_numpy(legal)})[1]
    cards = Cards(
        torch.from_numpy(legal.astype(np.int32)),
        torch.from_numpy(kinds.astype(np.int8)),
        (drawn + torch.tensor(rng.normal(0, 0.3, (N, 5)))).float(),
        torch.tensor(rng.normal(0, 1, (N, 5))).float(),
        torch.tensor(rng.normal(0, 1, (N, 5))).float(),
    )
    return logits.requires_grad_(), values.float().requires_grad_(), cards


def by_torch(logits: Tensor, values: Tensor, cards: Cards) -> Tensor:
    """`clipped`, as the papers write it (Schulman et al., 2017)."""
    logs, logp = _chosen(logits, cards._asdict())
    active = cards.kinds > 0
    change = logp - cards.before
    ratio = change.exp()
    gained = torch.minimum(cards.advantages * ratio, cards.advantages * ratio.clamp(1 - CLIP, 1 + CLIP))
    found = {
        POLICY: -gained,
        VALUE: (values - cards.returns).square(),
        ENTROPY: -(logs.exp() * logs.clamp(min=-50.0)).sum(2),
        KL: ratio - 1 - change,
        CLIPPED: ((ratio - 1).abs() > CLIP).float(),
        COUNT: torch.ones_like(values),
    }
    return torch.stack([(found[name] * active).sum() for name in range(len(found))])


@pytest.mark.train
@pytest.mark.parametrize("seed", range(3))
def test_sums_and_gradients_are_those_of_torch(seed: int) -> None:
    found, gradients = [], []
    for loss_of in (lambda *given: clipped(*given, CLIP), by_torch):
        logits, values, cards = cards_of(seed)
        sums = loss_of(logits, values, cards)
        (sums[POLICY] / N + 0.5 * sums[VALUE] / N - 0.3 * sums[ENTROPY] / N).backward()
        found.append(sums.detach())
        gradients.append((logits.grad, values.grad))
    torch.testing.assert_close(found[0], found[1], rtol=1e-4, atol=1e-3)
    assert 0.1 < found[0][CLIPPED] / found[0][COUNT] < 0.9
    for mine, expected in zip(*gradients, strict=True):
        assert mine is not None
        torch.testing.assert_close(mine, expected, rtol=1e-3, atol=1e-6)


@pytest.mark.train
def test_rows_without_a_card_count_for_nothing() -> None:
    logits, values, cards = cards_of(0)
    none = cards._replace(kinds=torch.zeros_like(cards.kinds))
    sums = clipped(logits, values, none, CLIP)
    assert not sums.any()
    sums.sum().backward()
    assert logits.grad is not None
    assert values.grad is not None
    assert not logits.grad.any()
    assert not values.grad.any()
