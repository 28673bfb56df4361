"""The `roborally` command: a table of subcommands, each imported when it is called."""

from __future__ import annotations

import sys

from roborally_env.base.terminal import print_lines


def main(argv: list[str] | None = None) -> None:
    """Run the command line, see `command.run`; Ctrl-C while its modules are imported ends it quietly too."""
    try:
        from roborally_env.cli.command import run

        run(argv)
    except KeyboardInterrupt:
        print_lines("roborally: stopped", err=True)
        sys.exit(130)


__all__ = ["main"]
