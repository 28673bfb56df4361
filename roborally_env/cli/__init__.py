"""The `roborally` command: a table of subcommands, each imported when it is called."""

from __future__ import annotations

import sys


def main(argv: list[str] | None = None) -> None:
    """Run the command line, see `command.run`; Ctrl-C while its modules are imported ends it quietly too."""
    try:
        from roborally_env.cli.command import run

        run(argv)
    except KeyboardInterrupt:
        print("roborally: stopped", file=sys.stderr, flush=True)
        sys.exit(130)


__all__ = ["main"]
