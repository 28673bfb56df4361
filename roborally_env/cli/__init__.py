"""The `roborally` command: a table of subcommands, each imported when it is called."""

from roborally_env.cli.main import main

__all__ = ["main"]
