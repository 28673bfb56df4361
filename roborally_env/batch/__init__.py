"""Many races at once: the environment that all other interfaces wrap."""

from roborally_env.batch.race import DECISIONS, LAYOUT_VERSION, RULES_VERSION, BatchRace, Step

__all__ = ["DECISIONS", "LAYOUT_VERSION", "RULES_VERSION", "BatchRace", "Step"]
