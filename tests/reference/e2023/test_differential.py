"""The compiled core against the slow reference over random scenarios of the 2023 edition."""

from collections import Counter

import pytest

from roborally_env.scenario import load
from tests.reference.e2016.test_differential import difference_of
from tests.reference.errors import NeedsChance

from .generate import scenario
from .race import play

COUNT = 900
BLOCKS = 3


@pytest.mark.parametrize("block", range(BLOCKS))
def test_core_and_reference_agree(block: int) -> None:
    size = COUNT // BLOCKS
    skipped = 0
    for seed in range(block * size, (block + 1) * size):
        found = difference_of(scenario(seed), play)
        assert not found, found
        skipped += found == ""
    assert skipped < size // 4


def test_the_scenarios_do_all_that_the_phase_allows() -> None:
    """Every kind of act is among them, often enough, and so are orders other than the rulebook's."""
    seen: Counter[str] = Counter()
    for seed in range(250):
        drawn = scenario(seed)
        try:
            outcome = play(drawn)
        except NeedsChance:
            continue
        asked = [(d["decision"], d["choice"]) for d in outcome["decisions"] if d["choice"] != "no"]
        acts = [decision.partition("_")[0] for decision, _ in asked]
        seen.update(acts)
        seen["installed before drawing"] += "install draw" in " ".join(acts)
        seen["uninstalled first"] += "uninstall install" in " ".join(acts)
        seen["discarded"] += bool(outcome["upgrade_discard"])
    for what in (
        "draw",
        "install",
        "uninstall",
        "replace",
        "installed before drawing",
        "uninstalled first",
        "discarded",
    ):
        assert seen[what] >= 10, seen


def test_a_scenario_of_the_generator_is_one_that_the_core_reads() -> None:
    assert load(scenario(0)).edition == "2023"
