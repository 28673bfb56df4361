"""Files that are written as a whole."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path

from roborally_env.errors import RoboRallyError


def write_whole(path: Path, content: str | bytes, private: bool = False) -> None:
    """Write a file that is there as a whole or not at all, whenever the process is killed.

    Args:
        path: of the file; where it is a link, that of the file to which it leads.
        content: bytes, or a text that is written in UTF-8.
        private: whether only its owner may read it.

    Raises:
        RoboRallyError: if it cannot be written.
    """
    data = content.encode() if isinstance(content, str) else content
    place = path.resolve()  # a link stays one
    part = place.with_name(f".{secrets.token_hex(8)}.part")
    try:
        if place.exists() and not place.is_file():  # as /dev/null
            place.write_bytes(data)
            return
        with open(part, "xb", opener=_only_for_me if private else None) as file:
            file.write(data)
        part.replace(place)
    except OSError as error:
        raise RoboRallyError(f"{path}: cannot be written: {error.strerror or error}") from None
    finally:
        with suppress(OSError):  # it has its name by now, or was never begun
            part.unlink()


def _only_for_me(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
