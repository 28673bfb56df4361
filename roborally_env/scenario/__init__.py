"""Scenario files: one situation as data, played, compared with what must come out."""

from roborally_env.scenario.compare import differences
from roborally_env.scenario.load import Scenario, load

__all__ = ["Scenario", "differences", "load"]
