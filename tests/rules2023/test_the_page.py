"""What docs/edition_2023.md says can be done."""

import json
import re
from pathlib import Path

from roborally_env.core import choices, upgrades
from roborally_env.core.editions.e2023.policy import WORTH_HAVING
from roborally_env.scenario import differences, load
from tests.rules.slowly import core_decides

from .phase import phase

PAGE = (Path(__file__).parents[2] / "docs" / "edition_2023.md").read_text(encoding="utf-8")


def test_its_scenario_comes_out_as_it_says():
    scenario = json.loads(re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)[0])
    assert not differences(scenario["expect"], load(scenario).run())


def test_its_table_has_every_decision_of_the_phase():
    for kind in (*choices.KINDS_2023, choices.REPLACE_UPGRADE):
        assert f"| `{choices.NAMES[kind]}` |" in PAGE


def test_the_default_policy_goes_by_values():
    """Of value 3 and more: Pressor Beam (8), Defrag Gizmo (8), Recharge (3); Hack (1) and Zoop (1) are below."""
    from roborally_env.batch import BatchRace

    batch = BatchRace(1, "2023/dizzy_highway", players=2, decisions="all", observation="none", seed=1, auto_reset=False)
    game = batch.games[0]
    for collection, energy, default in (
        ((), 3, "yes"),
        (("hack", "zoop"), 3, "yes"),
        (("recharge",), 3, "no"),
    ):
        assert asked(batch, game, collection, energy)[0] == default
    for collection, energy, default in (
        (("hack", "zoop"), 5, "no"),  # worth too little
        (("pressor_beam", "hack"), 2, "no"),  # the one too dear, the other worth too little
        (("pressor_beam", "recharge"), 2, "recharge"),
        (("pressor_beam", "recharge"), 3, "pressor_beam"),
    ):
        assert asked(batch, game, collection, energy)[1] == default
    assert WORTH_HAVING == 3


def asked(batch, game, collection, energy) -> tuple[str, str]:
    """What the default policy says to the first player, about drawing and about installing."""
    from roborally_env.core.editions.e2023.phase import installable
    from roborally_env.core.editions.e2023.policy import wanted_upgrade, wants_to_draw

    kept, r = batch.games.copy(), int(game.order[0])
    game.collection[r] = upgrades.bits(*(upgrades.NUMBERS[name] for name in collection))
    game.energy[r] = energy
    found = ("no", "yes")[wants_to_draw(game, r)], upgrades.NAMES[wanted_upgrade(game, r, installable(game, r))]
    batch.games[:] = kept
    return found


@core_decides("the reference has no default policy")
def test_what_is_replaced_by_default_is_worth_less():
    """R82: at three of its type a card is installed by default only for one that is worth less."""
    mat = {"upgrades": ["rear_laser", "pressor_beam", "defrag_gizmo"], "collection": ["scrambler"]}
    phase("A install_upgrade scrambler", A=mat).asks("replace_upgrade", "A rear_laser")
