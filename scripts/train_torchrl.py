"""Train a policy with TorchRL: masked PPO in self-play on one batch of races.

    python scripts/train_torchrl.py                        # two minutes, lighter game, Dizzy Highway
    python scripts/train_torchrl.py --minutes 30 --games 256 --out out/torchrl.pt

Needs `pip install "roborally_env[torchrl]"`. One network plays every seat and chooses whole programs: it scores the
cards of the hand for each register, and `MaskedPrograms` draws from these scores what the masks allow, no card twice.
At the end it races against three `random`.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

try:
    import torch
    from tensordict import TensorDictBase
    from tensordict.nn import TensorDictModule
    from torchrl.collectors import Collector
    from torchrl.modules import MLP, ProbabilisticActor, ValueOperator
    from torchrl.objectives import ClipPPOLoss
    from torchrl.objectives.value import GAE
except ImportError as error:
    sys.exit(f'train_torchrl: {error}; pip install "roborally_env[torchrl]" gives what it needs')

from roborally_env import RoboRallyError
from roborally_env.envs.torchrl import MaskedPrograms, TorchRLEnv

STEPS = 32  # of each seat between updates
EPOCHS = 4
MINIBATCH = 1024
DISCOUNT = 0.98
CARD = 32  # numbers that say what a card is worth where
LIGHTER = {"upgrades": False}


class Scores(torch.nn.Module):
    """The score of each card of the hand in each register: float32 [.., 5, slots] from vectors [.., n].

    What lies in a slot is embedded, and each register asks for something that depends on the whole vector. So the order
    of the hand matters little.
    """

    def __init__(self, size: int, hand: tuple[int, int]) -> None:
        super().__init__()
        self.hand = hand  # slots, kinds of cards
        self.card = torch.nn.Linear(hand[1], CARD)
        self.wanted = MLP(size, 5 * CARD, num_cells=[256, 256], activation_class=torch.nn.ReLU)

    def forward(self, seen: torch.Tensor) -> torch.Tensor:
        """See the class; the hand stands first in a vector."""
        slots, kinds = self.hand
        cards = self.card(seen[..., : slots * kinds].unflatten(-1, (slots, kinds)))
        return self.wanted(seen).unflatten(-1, (5, CARD)) @ cards.mT / CARD**0.5


def make_env(games: int, seed: int, opponents: str | None = None, course: str | None = None) -> TorchRLEnv:
    """Races of the lighter game, with a reward for each bit of the way (`shaped`)."""
    return TorchRLEnv(
        games,
        course,
        opponents=opponents,
        players=4,
        reward="shaped",
        discount=DISCOUNT,
        max_rounds=60,
        rules=LIGHTER,
        seed=seed,
    )


def make_networks(env: TorchRLEnv) -> tuple[ProbabilisticActor, ValueOperator]:
    """The policy and the critic."""
    size = env.observation_spec["observation"].shape[-1]
    scores = Scores(size, env.rows.shapes["hand"])
    policy = ProbabilisticActor(
        TensorDictModule(scores, in_keys=["observation"], out_keys=["logits"]),
        in_keys={"logits": "logits", "mask": "action_mask"},
        distribution_class=MaskedPrograms,
        return_log_prob=True,
        spec=env.action_spec_unbatched,
    )
    return policy, ValueOperator(MLP(size, 1, num_cells=[256, 256]), in_keys=["observation"])


def minibatches(data: TensorDictBase) -> Iterator[TensorDictBase]:
    """All decisions, in a new order for each epoch."""
    flat = data.reshape(-1)
    for _ in range(EPOCHS):
        for chosen in torch.randperm(len(flat)).split(MINIBATCH):
            yield flat[chosen]


def train(
    env: TorchRLEnv, seconds: float, verbose: bool = True, clock: Callable[[], float] = time.perf_counter
) -> tuple[ProbabilisticActor, int]:
    """PPO on an env for so long; returns the policy and the number of decisions."""
    policy, critic = make_networks(env)
    advantages = GAE(gamma=DISCOUNT, lmbda=0.95, value_network=critic, average_gae=True)
    loss = ClipPPOLoss(policy, critic, clip_epsilon=0.2, entropy_coeff=0.01, normalize_advantage=False)
    optimizer = torch.optim.Adam(loss.parameters(), lr=5e-4)
    collector = Collector(env, policy, frames_per_batch=env.numel() * STEPS, total_frames=-1)
    began, decisions = clock(), 0
    for data in collector:
        with torch.no_grad():
            advantages(data)
        for part in minibatches(data):
            losses = loss(part)
            total = losses["loss_objective"] + losses["loss_critic"] + losses["loss_entropy"]
            optimizer.zero_grad()
            total.backward()
            torch.nn.utils.clip_grad_norm_(loss.parameters(), 0.5)
            optimizer.step()
        decisions += data.numel()
        spent = clock() - began
        if verbose:
            print_progress(data, decisions, spent)
        if spent > seconds:
            break
    collector.shutdown(close_env=False)
    return policy, decisions


def print_progress(data: TensorDictBase, decisions: int, spent: float) -> None:
    """A line of progress."""
    reward, races = data["next", "reward"].mean(), data["next", "done"][:, 0].sum()
    print(
        f"{spent:5.0f} s  {decisions:9,} decisions  {decisions / spent:6,.0f}/s  {races:4} races  reward {reward:+.4f}"
    )


def mean_place(policy: ProbabilisticActor, env: TorchRLEnv) -> float:
    """The policy's mean place in an env with opponents, each game once."""
    with torch.no_grad():
        races = env.rollout(10_000, policy, break_when_any_done=False, break_when_all_done=True)
    return float(races["next", "place"].amax(dim=(-1, -2)).mean())


def main() -> None:
    """Read the options, train, race, save."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=2.0, help="how long to train (2)")
    parser.add_argument("--games", type=int, default=64, help="races at once (64)")
    parser.add_argument("--course", help="a course, or generated:difficulty=3 (dizzy_highway)")
    parser.add_argument("--seed", type=int, default=1, help="of the races and the network (1)")
    parser.add_argument("--races", type=int, default=200, help="races against random at the end (200)")
    parser.add_argument("--threads", type=int, default=1, help="torch's CPU threads (1)")
    parser.add_argument("--out", type=Path, help="file for the weights")
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    torch.set_num_threads(options.threads)
    try:
        env = make_env(options.games, options.seed, course=options.course)
        policy, _ = train(env, 60 * options.minutes)
        place = mean_place(policy, make_env(options.races, options.seed + 1, "random", options.course))
    except RoboRallyError as error:
        sys.exit(f"train_torchrl: {error}")
    print(f"mean place {place:.2f} in {options.races} races against three random (equal: 2.5)")
    if options.out:
        options.out.parent.mkdir(parents=True, exist_ok=True)
        torch.save(policy.state_dict(), options.out)


if __name__ == "__main__":
    main()
