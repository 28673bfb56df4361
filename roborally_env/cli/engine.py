"""`roborally engine`: an agent for other programs, by the protocol of docs/protocol.md."""

from __future__ import annotations

import sys

import click


@click.command()
@click.argument("agent", default="planner")
def engine(agent: str) -> None:
    """Read questions from standard input and answer them as AGENT (default: planner), one line of JSON each.

    docs/protocol.md describes the lines; `--agents "exec:roborally engine greedy"` lets it race.
    """
    from roborally_env.engine import Engine, serve

    serve(Engine(agent), sys.stdin.buffer, sys.stdout)
