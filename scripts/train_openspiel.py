"""Train OpenSpiel's PPO in one seat of two against random cards, and race it.

    pip install -e ".[openspiel]" torch
    python scripts/train_openspiel.py --seconds 60

Prints the mean return of the races while it learns, and at the end that of others with its 95% interval: from -1
(lost) to 1 (won); equal players have 0. Rewards come at the end of a race alone, so the default course is short.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

try:
    import torch
    from open_spiel.python import rl_environment
    from open_spiel.python.observation import make_observation
    from open_spiel.python.pytorch import ppo
except ImportError as error:
    sys.exit(f'train_openspiel: {error}; pip install "roborally_env[openspiel]" torch gives what it needs')

from roborally_env.base.errors import RoboRallyError
from roborally_env.envs.openspiel import load_game

YARD = str(Path(__file__).with_name("experiments") / "tiny_yard.toml")
RACES = 32  # at once
STEPS = 64  # of each race between updates
REPORT = 2000  # races between two lines


class Table:
    """One race after the other with random cards in the second seat.

    OpenSpiel's `rl_environment.Environment` does the same, and takes several times as long: it looks at both seats at
    each card.

    Attributes:
        step: the time step at which the first seat decides, or the last one of a race.
    """

    def __init__(self, game: Any, seed: int) -> None:
        self._game, self._draw = game, np.random.default_rng(seed)
        self._seen = make_observation(game)
        self.begin()

    def begin(self) -> None:
        """Begin a race."""
        self._state = self._game.new_initial_state()
        self._state.apply_action(int(self._draw.integers(self._game.max_chance_outcomes())))  # the deal
        self._go_on()

    def play(self, action: int) -> None:
        """Play a card of the first seat, and what the other one plays until it is asked again."""
        self._state.apply_action(action)
        self._go_on()

    def _go_on(self) -> None:
        state = self._state
        while state.current_player() == 1:
            state.apply_action(int(self._draw.choice(state.legal_actions())))
        over = state.is_terminal()
        self._seen.set_from(state, 0)
        seen = {"info_state": [self._seen.tensor.copy()], "legal_actions": [[] if over else state.legal_actions()]}
        kind = rl_environment.StepType.LAST if over else rl_environment.StepType.MID
        self.step = rl_environment.TimeStep(seen, state.rewards(), None, kind)


def main() -> None:
    """Read the options, train, race."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--course", default=YARD, help="by name or file (four steps straight ahead)")
    parser.add_argument("--seconds", type=float, default=60.0, help="of processor time (60)")
    parser.add_argument("--races", type=int, default=416, help="after the training, a multiple of 32 (416)")
    parser.add_argument("--seed", type=int, default=1, help="(1)")
    parser.add_argument("--out", type=Path, help="a file for the result")
    options = parser.parse_args()
    if options.races < RACES or options.races % RACES:
        parser.error(f"--races: expected a multiple of {RACES}, got {options.races}")
    np.random.seed(options.seed)  # noqa: NPY002  # what OpenSpiel's agents draw with
    torch.manual_seed(options.seed)
    torch.set_num_threads(1)
    try:
        game = load_game(options.course, players=2, rules={"upgrades": False}, max_rounds=15)
    except RoboRallyError as error:
        parser.error(str(error))
    tables = [Table(game, options.seed * RACES + k) for k in range(RACES)]
    size, actions = game.observation_tensor_size(), game.num_distinct_actions()
    agent = ppo.PPO(
        (size,), actions, num_players=2, num_envs=RACES, steps_per_batch=STEPS, learning_rate=1e-3, gamma=0.99,
        agent_fn=ppo.PPOAgent,
    )  # fmt: skip
    trained = train(agent, tables, options.seconds)
    after = race(agent, tables, options.races)
    mean, error = float(np.mean(after)), float(1.96 * np.std(after) / len(after) ** 0.5)
    print(f"{trained} races of training; then {mean:.2f} ± {error:.2f} in {len(after)} races")
    if options.out:
        found = {
            "seconds": round(options.seconds), "trained": trained, "races": len(after),
            "mean": round(mean, 2), "interval": {"low": round(mean - error, 2), "high": round(mean + error, 2)},
        }  # fmt: skip
        options.out.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def train(agent: ppo.PPO, tables: list[Table], seconds: float) -> int:
    """Train for so long; returns the number of races."""
    returns: list[float] = []
    began, next_report = time.process_time(), REPORT
    while time.process_time() - began < seconds:
        for _ in range(STEPS):
            ended = play_cards(agent, tables, evaluating=False)
            agent.post_step([result or 0.0 for result in ended], [result is not None for result in ended])
            returns += [result for result in ended if result is not None]
        agent.learn([table.step for table in tables])
        if len(returns) >= next_report:
            next_report += REPORT
            print(
                f"{len(returns)} races; the last {REPORT} had a mean return of {np.mean(returns[-REPORT:]):.2f}",
                flush=True,
            )
    return len(returns)


def play_cards(agent: ppo.PPO, tables: list[Table], *, evaluating: bool) -> list[float | None]:
    """Play a card of the agent in each race; returns the results of races that are over, and begins new ones there."""
    found: list[float | None] = []
    for table, chosen in zip(tables, agent.step([table.step for table in tables], evaluating), strict=True):
        table.play(chosen.action)
        found.append(float(table.step.rewards[0]) if table.step.last() else None)
        if table.step.last():
            table.begin()
    return found


def race(agent: ppo.PPO, tables: list[Table], races: int) -> list[float]:
    """The returns of `races` new races; each table plays as many, so that long races count as often as short ones."""
    left = {table: races // len(tables) for table in tables}
    for table in tables:
        table.begin()
    found: list[float] = []
    while left:
        playing = list(left)
        for table, result in zip(playing, play_cards(agent, playing, evaluating=True), strict=True):
            if result is not None:
                found.append(result)
                left[table] -= 1
        left = {table: number for table, number in left.items() if number}
    return found


if __name__ == "__main__":
    main()
