"""Bots: one batched protocol for all of them, and a table of names."""

from roborally_env.agents.base import Agent, Info, agent_names, check_editions, make_agent, register_agent

__all__ = ["Agent", "Info", "agent_names", "check_editions", "make_agent", "register_agent"]
