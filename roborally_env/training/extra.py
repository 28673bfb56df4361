"""Whether the libraries of the extra `train` are there."""

import importlib.util

from roborally_env.base.errors import RoboRallyError


def check_extra(*modules: str) -> None:
    """Raise a RoboRallyError that names the extra, if one of these modules is not installed."""
    for name in modules:
        if importlib.util.find_spec(name) is None:
            raise RoboRallyError(f'train: {name} is not installed; pip install "roborally_env[train]" gives it')
