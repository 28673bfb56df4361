"""Output on consoles that cannot show every character."""

import io
import sys

from roborally_env.base.terminal import print_as_json


def replace_unknown_characters() -> None:
    """Let standard output and error print `?` for a character that their encoding lacks, as cp1252, cp437 and ASCII do.

    Without this the first such character raises an error, after all the work has been done.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.errors in ("strict", "surrogateescape"):
            stream.reconfigure(errors="replace")


def print_json(value: object) -> None:
    """Print a value as JSON; characters that the output cannot show are escaped, so that nothing of it is lost."""
    encoding = getattr(sys.stdout, "encoding", None) or "ascii"
    print_as_json(value, 2, ensure_ascii=not encoding.lower().startswith("utf"))
