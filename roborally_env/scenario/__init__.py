"""Scenario files: a situation as data, played and compared with the expected outcome."""

from roborally_env.scenario.compare import differences
from roborally_env.scenario.load import load
from roborally_env.scenario.reader import Scenario

__all__ = ["Scenario", "differences", "load"]
