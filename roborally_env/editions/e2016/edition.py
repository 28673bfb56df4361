"""The 2016 edition."""

from __future__ import annotations

from typing import Any

from roborally_env.core.rule_options import RULE_ADVANCED, RULE_AGAIN_REPEATS, STARTS, TIMER, TWO_ENDED_LASERS, Option
from roborally_env.courses.model import E
from roborally_env.courses.model import Edition as CourseRules
from roborally_env.editions.edition import Benchmark, Edition, Learned, SpeedRows, StartPage
from roborally_env.generated.style import CourseStyle

COURSES = CourseRules(
    players=(2, 6),
    antenna=True,
    tokens=True,
    special=(),
    belts=((2,), (2,), (1,)),
    belt_names=("green belt", "blue belt"),
    checkpoint="checkpoint",
    kinds=frozenset({"belt", "dock", "energy", "gear", "laser", "panel", "pit", "wall"}),
)
GENERATED = CourseStyle(
    shares={  # here and in other editions as measured on the printed boards
        "belts": (200, 520), "gears": (0, 60), "pushers": (0, 80), "lasers": (0, 80), "walls": (10, 90),
        "pits": (0, 90), "energy": (40, 70),
    },
    moving=0.15,
    printed="2016",
    starts={
        "start_a": ((0, 4), E, ((0, 7), (0, 2), (1, 7))),
        "start_b": ((0, 4), E, ((0, 6), (0, 3), (1, 6))),
    },
    two_sided=True,
)  # fmt: skip
OPTIONS = {
    "upgrades": Option((True, False), {}, "the upgrade phase and its forty cards; without it the lighter game"),
    "advanced": Option((False, True), {True: RULE_ADVANCED}, "unused cards stay in the hand"),
    "timer": TIMER,
    "again_after_damage": Option(
        ("draw", "repeat"),
        {"repeat": RULE_AGAIN_REPEATS},
        "Again after a damage card draws, or repeats the replacement (R25)",
    ),
    "two_ended_lasers": TWO_ENDED_LASERS,
    "starts": STARTS,
}

LEARNED = Learned(
    "complete",
    {
        "draw_pile": 19, "discard_pile": 19, "position": 2, "facing": 4, "energy": 1, "progress": 3, "distance": 1,
        "target": 6, "antenna": 3, "ways": 24, "cell": 8, "priority": 1, "damage_piles": 4, "upgrades": 40, "shop": 40,
        "others": 71,
    },
)  # fmt: skip
# the weights in the package were trained on the training courses of 2016 and 2005, and on no others
BENCHMARK = Benchmark(
    training=(
        "dizzy_highway", "risky_crossing", "high_octane", "sprint_cramp", "corridor_blitz", "fractionation", "burnout",
        "twister", "extra_crispy", "chop_shop_challenge", "gear_stripper",
    ),
    test=(
        "dodge_this", "lost_bearings", "passing_lane", "heavy_merge_area", "undertow", "pilgrimage", "death_trap",
        "burn_run",
    ),
    races=144,
    quick_races=12,
)  # fmt: skip
TEMPERATURE = 0.94  # here and in other editions fitted by scripts/experiments/calibration.py


def _kinds() -> Any:
    from roborally_env.core.editions.e2016 import rules

    return rules.KINDS


def _cards() -> Any:
    from roborally_env.editions.e2016 import cards

    return cards.list_cards()


def _scenario() -> Any:
    from roborally_env.editions.e2016.scenario import SCENARIO

    return SCENARIO


EDITION = Edition(
    name="2016",
    courses=COURSES,
    kinds=_kinds,
    cards=_cards,
    new_cards=_cards,
    scenario=_scenario,
    kind_of=lambda values: "complete" if values["upgrades"] else "lighter",
    options=OPTIONS,
    generated=GENERATED,
    learned=LEARNED,
    # fitted by maximum likelihood to the winners of races among four `greedy`, from the positions after each round, on
    # all courses
    planner={"start": 10.8, "steep": 4.4, "damage": 5.1, "energy": 0.026, "lives": 0.0},
    temperature=TEMPERATURE,
    start_page=StartPage(
        "Upgrade cards, and an antenna that sets the turn order. Start with this one.",
        course="fractionation",
        hard=("learned-search",),
    ),
    benchmark=BENCHMARK,
    speed=SpeedRows(players=(2, 4, 6), made="lighter"),
)
