"""Train OpenSpiel's DQN in one seat of two against random cards, and race it.

    pip install -e ".[openspiel]" torch dm-tree
    python scripts/train_openspiel.py --seconds 60

Prints the mean return of the races while it learns, and at the end, without exploration, that of other races: from -1
(lost) to 1 (won); equal players have 0.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
import torch
from open_spiel.python import rl_environment
from open_spiel.python.pytorch import dqn

from roborally_env.envs.openspiel import load_game

YARD = str(Path(__file__).with_name("experiments") / "short_yard.toml")


def main() -> None:
    """Read the options, train, race."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--course", default=YARD, help="by name or file (seven cells straight ahead)")
    parser.add_argument("--seconds", type=float, default=60.0, help="of processor time (60)")
    parser.add_argument("--races", type=int, default=100, help="after the training (100)")
    parser.add_argument("--seed", type=int, default=1, help="(1)")
    options = parser.parse_args()
    np.random.seed(options.seed)  # noqa: NPY002  # what OpenSpiel's agents draw with
    torch.manual_seed(options.seed)
    game = load_game(options.course, players=2, rules={"upgrades": False}, max_rounds=15)
    env = rl_environment.Environment(game, chance_event_sampler=rl_environment.ChanceEventSampler(options.seed))
    size, actions = env.observation_spec()["info_state"][0], env.action_spec()["num_actions"]
    agent = dqn.DQN(
        0, state_representation_size=size, num_actions=actions, hidden_layers_sizes=[64, 64], batch_size=64,
        learn_every=8, min_buffer_size_to_learn=500, replay_buffer_capacity=50_000, learning_rate=1e-3,
        optimizer_str="adam", epsilon_decay_duration=20_000, epsilon_end=0.05, discount_factor=1.0,
        update_target_network_every=500,
    )  # fmt: skip
    draw = np.random.default_rng(options.seed)
    returns: list[float] = []
    began = time.process_time()
    while time.process_time() - began < options.seconds:
        returns.append(race(env, agent, draw, evaluating=False))
        if len(returns) % 100 == 0:
            print(f"{len(returns)} races: mean return of the last hundred {np.mean(returns[-100:]):.2f}", flush=True)
    after = [race(env, agent, draw, evaluating=True) for _ in range(options.races)]
    error = 1.96 * np.std(after) / len(after) ** 0.5
    print(f"{len(returns)} races of training; then {np.mean(after):.2f} ± {error:.2f} in {len(after)} races")


def race(env: rl_environment.Environment, agent: dqn.DQN, draw: np.random.Generator, *, evaluating: bool) -> float:
    """The return of the agent in a race against random cards."""
    step = env.reset()
    while not step.last():
        seat = step.observations["current_player"]
        if seat == 0:
            action = agent.step(step, is_evaluation=evaluating).action
        else:
            action = draw.choice(step.observations["legal_actions"][seat])
        step = env.step([int(action)])
    agent.step(step, is_evaluation=evaluating)
    return float(step.rewards[0])


if __name__ == "__main__":
    main()
