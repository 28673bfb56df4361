"""Are the random scenarios of 2023 worth playing, and does the core read them?"""

from collections import Counter

from roborally_env.scenario import load
from tests.reference.errors import NeedsChance

from .generate import scenario
from .race import play


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
