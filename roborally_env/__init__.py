"""Robo Rally as a reinforcement-learning environment."""

from roborally_env.errors import RoboRallyError

__all__ = ["RoboRallyError"]
