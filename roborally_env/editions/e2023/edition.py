"""The 2023 edition: the complete 2016 game with another upgrade phase."""

from __future__ import annotations

from typing import Any

from roborally_env.core.rule_options import RULE_ENERGY_UNLIMITED, RULE_FIVE_ENERGY, Option
from roborally_env.editions.e2016.edition import BENCHMARK, LEARNED, TEMPERATURE
from roborally_env.editions.e2016.edition import COURSES as COURSES_2016
from roborally_env.editions.e2016.edition import OPTIONS as OPTIONS_2016
from roborally_env.editions.edition import Edition, SpeedRows, StartPage

OPTIONS = {
    **{name: option for name, option in OPTIONS_2016.items() if name != "upgrades"},
    "start_energy": Option((3, 5), {5: RULE_FIVE_ENERGY}, "energy on each track at the start"),
    "most_energy": Option(
        (10, "unlimited"),
        {"unlimited": RULE_ENERGY_UNLIMITED},
        "the end of the energy track; energy above it is discarded",
    ),
}


def _kinds() -> Any:
    from roborally_env.core.editions.e2023 import rules

    return rules.KINDS


def _cards() -> Any:
    from roborally_env.editions.e2023 import cards

    return cards.list_cards()


def _scenario() -> Any:
    from roborally_env.editions.e2023.scenario import SCENARIO

    return SCENARIO


EDITION = Edition(
    name="2023",
    courses=COURSES_2016._replace(borrows=("2016",)),
    kinds=_kinds,
    cards=_cards,
    scenario=_scenario,
    options=OPTIONS,
    learned=LEARNED,
    temperature=TEMPERATURE,
    start_page=StartPage("The 2016 game with the 2023 upgrade phase.", course="fractionation"),
    benchmark=BENCHMARK,
    speed=SpeedRows(),
)
