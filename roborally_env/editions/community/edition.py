"""The community edition."""

from __future__ import annotations

from typing import Any

from roborally_env.core.rule_options import RULE_NO_UPGRADES, RULE_RACE_ON, STARTS, TIMER, TWO_ENDED_LASERS, Option
from roborally_env.courses.model import E
from roborally_env.editions.e2016.edition import BENCHMARK as BENCHMARK_2016
from roborally_env.editions.e2016.edition import COURSES as COURSES_2016
from roborally_env.editions.edition import Benchmark, Edition, Learned, SpeedRows, StartPage
from roborally_env.generated.style import CourseStyle

COURSES = COURSES_2016._replace(
    riding=True,
    backs=True,
    late=True,
    borrows=("2016",),
    kinds=COURSES_2016.kinds
    | {"button", "level", "one_way", "puddle", "radiation", "ramp", "repair", "stomper", "trapdoor"},
)
GENERATED = CourseStyle(
    shares={
        "belts": (80, 280), "gears": (0, 25), "pushers": (0, 40), "lasers": (0, 30), "walls": (5, 40),
        "pits": (0, 40), "energy": (10, 30), "repairs": (10, 25), "heights": (0, 520), "one_ways": (0, 30),
        "hazards": (15, 110),
    },
    sizes=(((12, 12), (10, 10), (12, 8), (8, 12)), (6, 6, 1, 1)),
    checkpoints={1: (1, 2), 2: (1, 4), 3: (2, 6), 4: (2, 8), 5: (4, 8)},
    rounds=(0.490, 1.022, 0.161),
    symmetries=(9, 3, 1),
    first_belts=(6, 2, 3, 1, 5, 1),
    registers=((1, 3, 5), (2, 4), (1, 3), (2, 5), (1, 5)),
    printed="community",
    starts={"bay": ((0, 5), E, ((0, 6), (0, 2)))},
    apart=frozenset({"gate", "quarry", "summit"}),
)  # fmt: skip
OPTIONS = {
    "upgrades": Option((True, False), {False: RULE_NO_UPGRADES}, "the upgrade phase and its cards"),
    "race_on": Option(
        (False, True),
        {True: RULE_RACE_ON},
        "after the first winner the others race on for second and third place",
    ),
    "timer": TIMER,
    "two_ended_lasers": TWO_ENDED_LASERS,
    "starts": STARTS,
}

LEARNED = Learned(
    "community",
    {
        "locked": 5, "locked_cards": 105, "draw_pile": 21, "discard_pile": 21, "position": 2, "facing": 4, "energy": 1,
        "damage": 1, "power": 5, "progress": 3, "distance": 1, "target": 6, "antenna": 3, "ways": 36, "cell": 19,
        "priority": 1, "upgrades": 41, "shop": 41, "others": 186,
    },
)  # fmt: skip
BENCHMARK = Benchmark(
    training=("rain_yard", "terraces", *BENCHMARK_2016.training),
    test=("hot_floor", "summit_works", *BENCHMARK_2016.test),
    races=120,
    quick_races=12,
)


def _kinds() -> Any:
    from roborally_env.core.editions.community import rules

    return rules.KINDS


def _cards() -> Any:
    from roborally_env.editions.community import cards

    return cards.list_cards()


def _new_cards() -> Any:
    from roborally_env.editions.community import cards

    return cards.new_cards()


def _scenario() -> Any:
    from roborally_env.editions.community.scenario import SCENARIO

    return SCENARIO


EDITION = Edition(
    name="community",
    courses=COURSES,
    kinds=_kinds,
    cards=_cards,
    new_cards=_new_cards,
    scenario=_scenario,
    options=OPTIONS,
    generated=GENERATED,
    learned=LEARNED,
    planner={"start": 22.7, "steep": 6.3, "damage": 0.27, "energy": 0.026, "lives": 0.0},
    temperature=0.74,
    start_page=StartPage("Ramps and levels, damage, moving checkpoints.", course="hot_floor"),
    benchmark=BENCHMARK,
    speed=SpeedRows(
        courses=("dizzy_highway", "community/summit_works"),  # flat, on levels
        players=(4,),
        skips_idle=True,
        may_power_down=False,
        made="community",
    ),
)
