"""Sizes of tests that could go on for ever: small ones for `make test`, large ones for `make test-all`."""

import os
from typing import TypeVar

Size = TypeVar("Size")
SLOW = os.environ.get("ROBORALLY_SLOW") == "1"


def size(usual: Size, slow: Size) -> Size:
    """The size of this run: `slow` with ROBORALLY_SLOW=1."""
    return slow if SLOW else usual
