"""PPO from Python: the trainer of `roborally train ppo`, whose options it takes, with a callback.

    python scripts/ppo.py --out out/ppo --rules '{"upgrades": false}' --decisions 1000000

After each evaluation the callback may do what it likes: draw, log, or end the run, as a search for good options does.
This one ends it once the policy beats every opponent. Copy it and change what you like; after Ctrl-C the same command
goes on. Needs torch: pip install "roborally_env[train]".
"""

from __future__ import annotations

from typing import Any

import click

from roborally_env import RoboRallyError
from roborally_env.cli.options import ManyValuesCommand
from roborally_env.cli.train import made, options_of
from roborally_env.training.ppo import Evaluation, Options, train


@click.command(cls=ManyValuesCommand, help=(__doc__ or "").splitlines()[0])
@options_of(Options)
def main(**given: Any) -> None:
    """Train, and print what came out."""
    options = made(Options, given)

    def beats_all(rows: list[Evaluation]) -> bool:
        """Whether the policy wins more than its equal share against each opponent, for certain."""
        return all(row.win_low > 1 / options.players for row in rows)

    result = train(options, on_evaluation=beats_all)
    for row in result.evaluations:
        print(f"{row.decisions:>12,} decisions: {row.win_rate:.0%} ({row.win_low:.0%} - {row.win_high:.0%}) "
              f"against {row.opponent}")  # fmt: skip
    print(f"{result.decisions:,} decisions in {result.seconds:,.0f} s; the agent ppo:weights={result.weights}")


if __name__ == "__main__":
    try:
        main()
    except RoboRallyError as error:
        raise SystemExit(f"ppo: {error}") from None
