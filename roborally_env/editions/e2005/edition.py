"""The 2005 edition."""

from __future__ import annotations

from typing import Any

from roborally_env.core.rule_options import (
    RULE_FIRE_CONTROL_TOKEN,
    RULE_FIXED_STARTS,
    RULE_FOUR_LIVES,
    RULE_NO_OPTIONS,
    RULE_TIMER,
    TWO_ENDED_LASERS,
    Option,
)
from roborally_env.courses.model import Edition as CourseRules
from roborally_env.courses.model import N
from roborally_env.courses.special import SPECIAL_RULES
from roborally_env.editions.edition import Benchmark, Edition, Learned, SpeedRows, StartPage
from roborally_env.generated.style import CourseStyle

COURSES = CourseRules(
    players=(2, 8),
    antenna=False,
    tokens=False,
    special=tuple(SPECIAL_RULES),
    timer_of_one=True,
    default_course="risky_exchange",
    belts=((2,), (1, 2)),
    belt_names=("belt", "express belt"),
    checkpoint="flag",
    kinds=frozenset({"belt", "dock", "gear", "laser", "panel", "pit", "repair", "wall"}),
)
GENERATED = CourseStyle(
    shares={
        "belts": (220, 600), "gears": (0, 70), "pushers": (0, 80), "lasers": (0, 45), "walls": (15, 75),
        "pits": (10, 110), "repairs": (20, 40),
    },
    sizes=(((12, 12), (10, 10), (12, 8), (8, 12)), (13, 1, 1, 1)),
    # with any other count fewer than one attempt in a hundred makes a course
    checkpoints={1: (1, 2), 2: (1, 4), 3: (2, 6), 4: (3, 8), 5: (4, 8)},
    rounds=(0.549, 0.952, 0.240),
    # Eight start spaces lie in a row, and few cells are equally far from all of them. But it is no distance that wins
    fair=14,
    best_share=1.44,
    symmetries=(3, 6, 3),
    rim=(2, 4, -5, -3),
    first_belts=(4, 3, 6, 2, 1, 3),
    lasers_on_belts=True,
    start_length=12,
    printed="2005",
    starts={"docking_bay_a": (None, N, ()), "docking_bay_b": (None, N, ())},
)  # fmt: skip
OPTIONS = {
    "options": Option((True, False), {False: RULE_NO_OPTIONS}, "option cards are drawn and dealt"),
    "lives": Option((3, 4), {4: RULE_FOUR_LIVES}, "life tokens; four are for races of five and more robots"),
    "timer": Option(
        (False, True),
        {True: RULE_TIMER},
        "the caller names the registers that the timer left open: of one player only, on courses with program "
        "timers of any player",
    ),
    "two_ended_lasers": TWO_ENDED_LASERS,
    "starts": Option(
        ("random", "listed"),
        {"listed": RULE_FIXED_STARTS},
        "docks 1 to n of n robots drawn by the seed, or taken in order by seat (R88)",
    ),
    "fire_control_token": Option(
        (False, True),
        {True: RULE_FIRE_CONTROL_TOKEN},
        "Fire Control locks a register with a damage token, which repairs and a power down take away (R91)",
    ),
}

LEARNED = Learned(
    "2005",
    {
        "locked": 5, "locked_cards": 40, "damage": 1, "lives": 1, "archive": 3, "own_options": 26, "power": 3,
        "position": 2, "facing": 4, "progress": 3, "distance": 1, "target": 6, "ways": 24, "cell": 9, "flags": 8,
        "role": 2, "unseen": 7, "others": 85,
    },
)  # fmt: skip
BENCHMARK = Benchmark(
    training=(
        "risky_exchange", "dizzy_dash", "island_hop", "option_world", "moving_targets", "bloodbath_chess", "death_trap",
        "vault_assault", "chop_shop_challenge", "robot_stew",
    ),
    test=(
        "against_the_grain", "ball_lightning", "flag_fry", "lost_bearings", "pilgrimage", "tight_collar", "tricksy",
    ),
    races=160,
    quick_races=16,
)  # fmt: skip


def _kinds() -> Any:
    from roborally_env.core.editions.e2005 import rules

    return rules.KINDS


def _cards() -> Any:
    from roborally_env.editions.e2005 import cards

    return cards.list_cards()


def _scenario() -> Any:
    from roborally_env.editions.e2005.scenario import SCENARIO

    return SCENARIO


EDITION = Edition(
    name="2005",
    courses=COURSES,
    kinds=_kinds,
    cards=_cards,
    new_cards=_cards,
    scenario=_scenario,
    options=OPTIONS,
    generated=GENERATED,
    learned=LEARNED,
    # fitted as in 2016, on nine courses. `lives` is a guess: it made no difference there, but it must matter on courses
    # where the last robot standing wins
    planner={"start": 22.7, "steep": 6.3, "damage": 0.27, "energy": 0.0, "lives": 0.2},
    temperature=0.71,
    start_page=StartPage("Eight robots, damage that locks registers, option cards.", slips=1.0),
    benchmark=BENCHMARK,
    speed=SpeedRows(("2005/risky_exchange",), (4, 8), made="2005"),
)
