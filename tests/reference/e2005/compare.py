"""The reference against the compiled core, over random scenarios.

python -m tests.reference.e2005.compare START COUNT     prints what differs, seed by seed
"""

import sys

from roborally_env.scenario import differences
from tests.reference import comparing
from tests.reference.errors import BadScenario, NeedsChance

from .generate import scenario
from .race import play


def difference(drawn):
    """What core and reference say differently of a scenario: None for nothing, "" where only a shuffle can tell."""
    return comparing.difference(drawn, play, NeedsChance, BadScenario, compare, comparing.in_words)


def compare(drawn, expected, outcome):
    """A line for each difference, keys that the reference does not have too; it tells no events."""
    del outcome["events"]
    lines = differences(expected, outcome, "outcome")
    return lines + [f"outcome.{key}: the reference has no such key" for key in sorted(set(outcome) - set(expected))]


if __name__ == "__main__":
    first, number = map(int, sys.argv[1:3])
    sys.exit(1 if comparing.print_all(first, number, lambda seed: difference(scenario(seed))) else 0)
