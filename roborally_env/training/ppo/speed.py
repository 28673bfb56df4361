"""The speed of `roborally train ppo`, as a row of `roborally bench`."""

from __future__ import annotations

import torch

from roborally_env.core.state import COMPLETE
from roborally_env.speed.rows import Row
from roborally_env.speed.tasks import Done, Task
from roborally_env.training.ppo.actor import Actor
from roborally_env.training.ppo.learner import Learner
from roborally_env.training.ppo.options import Options
from roborally_env.training.ppo.rollout import Table
from roborally_env.training.ppo.run import new_batch, new_network

GAMES, STEPS = 256, 16


def training_task(course: str, players: int) -> Task:
    """Rollouts and the updates from them, complete game, with the default network on one thread: acting, simulating and
    learning, without checkpoints and evaluations."""
    options = Options(courses=[course], players=players, games=GAMES, steps=STEPS)
    torch.set_num_threads(1)
    torch.manual_seed(options.seed)
    batch = new_batch(options)
    net = new_network(options, batch)
    table, actor, learner = Table(options, batch, [], options.seed), Actor(net, batch), Learner(net, options)

    def once() -> Done:
        rollout = table.play(actor)
        learner.learn(rollout, 1.0)
        return Done(rollout.decisions)

    once()
    row = Row("train ppo", "decisions/s", GAMES, 1, "symbolic", rules=COMPLETE, players=players)
    return Task(row, once)
