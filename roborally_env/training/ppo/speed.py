"""The speed of `roborally train ppo`, as rows of `roborally bench`."""

from __future__ import annotations

import copy
from concurrent.futures import ThreadPoolExecutor

import torch

from roborally_env.core.state import COMPLETE
from roborally_env.speed.rows import Row
from roborally_env.speed.tasks import Done, Task
from roborally_env.training.ppo.actor import Actor
from roborally_env.training.ppo.learner import Learner
from roborally_env.training.ppo.options import Options
from roborally_env.training.ppo.rollout import Rollout, Table
from roborally_env.training.ppo.run import new_batch, new_network

GAMES, MINIBATCH = 512, 1024


def training_tasks(course: str, players: int) -> list[Task]:
    """Rollouts and the updates from them, complete game, default network: acting, simulating and learning, without
    checkpoints and evaluations. On one thread; and on two, of which one plays the next rollout while the other learns
    (`--ahead`)."""
    return [_task(course, players, threads) for threads in (1, 2)]


def _task(course: str, players: int, threads: int) -> Task:
    options = Options(courses=[course], players=players, games=GAMES, minibatch=MINIBATCH, ahead=threads > 1)
    torch.set_num_threads(1)
    torch.manual_seed(options.seed)
    batch = new_batch(options)
    net = new_network(options, batch)
    acting = copy.deepcopy(net) if options.ahead else net
    table, actor, learner = Table(options, batch, [], options.seed), Actor(acting, batch), Learner(net, options)
    helper = ThreadPoolExecutor(1, initializer=torch.set_num_threads, initargs=(1,))
    played: list[Rollout] = [table.play(actor)]

    def once() -> Done:
        rollout = played.pop()
        if options.ahead:
            acting.load_state_dict(net.state_dict())
            coming = helper.submit(table.play, actor)
            learner.learn(rollout, left=1.0)
            played.append(coming.result())
        else:
            learner.learn(rollout, left=1.0)
            played.append(table.play(actor))
        return Done(rollout.decisions)

    once()
    row = Row("train ppo", "decisions/s", GAMES, threads, "symbolic", rules=COMPLETE, players=players)
    return Task(row, once)
