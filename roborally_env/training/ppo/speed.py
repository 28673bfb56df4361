"""The speed of `roborally train ppo`, as rows of `roborally bench`."""

from __future__ import annotations

import copy
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

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
HIDDEN, WIDTH = 64, 48  # units of a network with half the width


def training_tasks(course: str, players: int) -> list[Task]:
    """Rollouts and the updates from them, complete game: acting, simulating and learning, without checkpoints and
    evaluations. The default network on one thread, and on two that play and learn in turn (`--actors 2 --learners 2`);
    then a network with half its width on two."""
    one = Options(courses=[course], players=players, games=GAMES, minibatch=MINIBATCH)
    two = replace(one, actors=2, learners=2)
    half = replace(two, games=4 * GAMES, steps=two.steps // 2, minibatch=4 * MINIBATCH, hidden=HIDDEN, width=WIDTH)
    return [
        _task("train ppo", one),
        _task("train ppo", two),
        _task(f"train ppo --hidden {HIDDEN} --width {WIDTH}", half),
    ]


def _task(name: str, options: Options) -> Task:
    torch.set_num_threads(1)
    torch.manual_seed(options.seed)
    batches = [new_batch(options, None, part) for part in range(options.actors)]
    net = new_network(options, batches[0])
    acting, learner = copy.deepcopy(net), Learner(net, options)
    players = [(Table(options, batch, [], options.seed), Actor(acting, batch)) for batch in batches]
    pool = ThreadPoolExecutor(len(players), initializer=torch.set_num_threads, initargs=(1,))

    def play() -> list[Rollout]:
        acting.load_state_dict(net.state_dict())
        return list(pool.map(lambda player: player[0].play(player[1]), players))

    def once() -> Done:
        played = play()
        learner.learn(*played, left=1.0)
        return Done(sum(rollout.decisions for rollout in played))

    once()
    row = Row(name, "decisions/s", options.games, options.actors, "symbolic", rules=COMPLETE, players=options.players)
    return Task(row, once)
