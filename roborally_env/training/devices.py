"""Where torch computes."""

from __future__ import annotations

import torch

from roborally_env.base.errors import RoboRallyError


def device_of(name: str) -> torch.device:
    """The device of that name; auto: a GPU if there is one.

    Raises:
        RoboRallyError: if it cannot be used here.
    """
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    try:
        device = torch.device(name)
        torch.zeros(1, device=device)
    except (RuntimeError, AssertionError) as error:
        reason = str(error).splitlines()[0]
        raise RoboRallyError(f"--device: expected auto, cpu or cuda, got {name!r}: {reason}") from None
    return device
