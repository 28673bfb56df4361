"""Registers "RoboRally-v0" for `gymnasium.make` and `gymnasium.make_vec` without importing gymnasium too early."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType

ENV_ID = "RoboRally-v0"
ENTRY_POINT = "roborally_env.envs.single:RoboRallyEnv"
VECTOR_ENTRY_POINT = "roborally_env.envs.vector:RoboRallyVectorEnv"


def register() -> None:
    """Put the env into gymnasium's registry, once."""
    from gymnasium.envs import registration

    if ENV_ID not in registration.registry:
        registration.register(id=ENV_ID, entry_point=ENTRY_POINT, vector_entry_point=VECTOR_ENTRY_POINT)


class _WhenGymnasiumComes:
    """An import hook that registers the env right after gymnasium's own, if gymnasium is imported after this
    package."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None, /
    ) -> ModuleSpec | None:
        if fullname != "gymnasium.envs":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(fullname)
        if spec is not None and spec.loader is not None:
            execute = spec.loader.exec_module

            def execute_and_register(module: ModuleType) -> None:
                execute(module)
                register()

            spec.loader.exec_module = execute_and_register  # type: ignore[method-assign]
        return spec


def register_now_or_later() -> None:
    """Register at once if gymnasium is loaded, else as soon as it is: importing it costs a quarter of a second."""
    if "gymnasium.envs" in sys.modules:
        register()
    else:
        sys.meta_path.insert(0, _WhenGymnasiumComes())
