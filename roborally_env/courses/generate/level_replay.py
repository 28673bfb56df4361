"""The former name of `roborally_env.generated.level_replay`."""

from roborally_env.generated.level_replay import LevelReplay

__all__ = ["LevelReplay"]
