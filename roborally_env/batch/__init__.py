"""Many races at once: the real environment, which the others adapt."""

from roborally_env.batch.race import DECISIONS, LAYOUT_VERSION, RULES_VERSION, BatchRace, Step

__all__ = ["DECISIONS", "LAYOUT_VERSION", "RULES_VERSION", "BatchRace", "Step"]
