"""Scenario files: a situation as data, played and compared with the expected outcome."""

from roborally_env.scenario.compare import differences
from roborally_env.scenario.load import Scenario, load

__all__ = ["Scenario", "differences", "load"]
