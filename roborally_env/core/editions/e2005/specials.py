"""The special rules of courses as bits, and who plays for whom (2005 rulebook, Course Manual)."""

import numpy as np

from roborally_env.core.kernel import kernel
from roborally_env.core.state import NOBODY, NOWHERE
from roborally_env.courses.special import SPECIAL_BITS

DOUBLE_LASERS = SPECIAL_BITS["double_lasers"]
START_DAMAGE = SPECIAL_BITS["start_damage"]
NO_POWER_DOWN = SPECIAL_BITS["no_power_down"]
OPTIONS_FOR_REPAIRS = SPECIAL_BITS["options_for_repairs"]
SUPERBOT = SPECIAL_BITS["superbot"]
TIMERS = SPECIAL_BITS["program_time_30"] | SPECIAL_BITS["program_time_60"]
RACERS_AND_BLOCKERS = SPECIAL_BITS["racers_and_blockers"]
START_OPTION = SPECIAL_BITS["start_option"]
OPTION_DRAFT = SPECIAL_BITS["option_draft"]
TURNING_BOARDS = SPECIAL_BITS["turning_boards"]
SHARED_FLAGS = SPECIAL_BITS["shared_flags"]
TWO_TEAMS = SPECIAL_BITS["two_teams"]
CAPTURE_THE_FLAG = SPECIAL_BITS["capture_the_flag"]
CLAIMS = SPECIAL_BITS["claims"]
SIT_OUT = SPECIAL_BITS["sit_out"]
LAST_TEAM_STANDING = SPECIAL_BITS["last_team_standing"]
TEAMS = SHARED_FLAGS | TWO_TEAMS | RACERS_AND_BLOCKERS


@kernel
def team_of(special, r):
    """The team that seat r is in from the start."""
    if special & (SHARED_FLAGS | RACERS_AND_BLOCKERS):
        return r >> 1
    return r & 1 if special & TWO_TEAMS else r


@kernel
def is_blocker(game, r):
    """Whether robot r is a blocker of Interference: the odd seats."""
    return bool(game.special & RACERS_AND_BLOCKERS) and r & 1 == 1


@kernel
def touches_flags(game, r):
    """Whether touching a flag counts for robot r: not for blockers, and in races with a SuperBot only for it."""
    if is_blocker(game, r):
        return False
    return not game.special & SUPERBOT or game.superbot == r


@kernel
def next_flag(course, game, r):
    """The number, from 0, of robot r's next flag, or NOBODY."""
    if game.special & CAPTURE_THE_FLAG:
        own = game.home[game.team[r]]
        return int(own if game.carrier[1 - own] == r else 1 - own)
    if game.special & CLAIMS:
        return next_claim(game, r)
    return next_in_order(course, game, r)


@kernel
def next_in_order(course, game, r):
    """The flag from which robot r takes the rest in order; NOBODY if it wins in another way."""
    if game.special & (CAPTURE_THE_FLAG | CLAIMS) or not touches_flags(game, r):
        return NOBODY
    return np.int64(game.reached[r]) if game.reached[r] < course.checkpoints else NOBODY


@kernel
def next_claim(game, r):
    """Toggle Boggle: the first flag that the own team does not hold; each robot counts from a different flag."""
    flags = 0
    for i in range(game.checkpoint.shape[0]):
        flags += game.checkpoint[i] != NOWHERE
    for i in range(flags):
        flag = (i + r // 2) % flags
        if game.claim[flag] != game.team[r]:
            return flag
    return NOBODY
