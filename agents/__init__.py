"""Bots: a batched protocol that all of them follow, and a registry of names."""

from roborally_env.agents.base import (
    Agent,
    Info,
    agent_names,
    check_editions,
    check_from_file,
    make_agent,
    register_agent,
)

__all__ = ["Agent", "Info", "agent_names", "check_editions", "check_from_file", "make_agent", "register_agent"]
