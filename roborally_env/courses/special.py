"""The special rules of courses, as tags that a course file or a scenario's map lists."""

# tag -> its effect, in one line; the order is that of the bits and must not change
SPECIAL_RULES: dict[str, str] = {
    "moving_flags": "belts carry flags as they carry robots; a flag that falls into a pit returns to its first space",
    "double_lasers": "every robot laser fires twice as many shots, also those of options",
    "start_damage": "every robot begins with two damage tokens",
    "no_power_down": "no robot may power down",
    "options_for_repairs": "a wrench or a flag gives an option instead of a repair, wrench and hammer give two options",
    "program_time_30": "30 seconds for a program; registers that are then still empty are filled at random",
    "program_time_60": "60 seconds for a program; registers that are then still empty are filled at random",
    "superbot": "the robot of dock 1 is the SuperBot: repaired each turn, with doubled lasers; only it touches flags",
    "racers_and_blockers": "each player has two robots, a racer and a blocker that touches no flags",
    "start_option": "each player is dealt an option at the start",
    "option_draft": "each player is dealt three options at the start and keeps one",
    "turning_boards": "a player who touches a flag flips a coin: on heads the board with the flag turns clockwise",
    "shared_flags": "teams of two; a flag that one robot touches counts for its team",
    "two_teams": "two teams of equal size; each wins and loses together",
    "capture_the_flag": "each of two boards has a flag and six home rows; a team wins by carrying the enemy flag home",
    "claims": "a flag belongs to the team that touched it last, in any order; a team that holds all of them wins",
    "sit_out": "a destroyed robot misses a whole turn before it is back",
    "last_team_standing": "the team that still has lives at the end wins; no flags are needed",
}
SPECIAL_BITS = {tag: 1 << i for i, tag in enumerate(SPECIAL_RULES)}
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
# those with aims other than reaching the flags in order
OTHER_AIMS = CAPTURE_THE_FLAG | CLAIMS | LAST_TEAM_STANDING | RACERS_AND_BLOCKERS | SUPERBOT
# rules with teams of equal size
TEAM_RULES = frozenset({"shared_flags", "two_teams"})


def special_bits(tags: tuple[str, ...]) -> int:
    """The tags as bits. Sentences for players, which editions without tags have, are ignored."""
    return sum(SPECIAL_BITS.get(tag, 0) for tag in set(tags))


def team_of(special: int, seat: int) -> int:
    """The team of a seat from the start, by the bits of its course."""
    if special & (SHARED_FLAGS | RACERS_AND_BLOCKERS):
        return seat >> 1
    return seat & 1 if special & TWO_TEAMS else seat


def special_table() -> str:
    """The tags as a Markdown table, as it stands in courses/README.md."""
    rows = (f"| `{tag}` | {meaning} |" for tag, meaning in SPECIAL_RULES.items())
    return "\n".join(["| tag | meaning |", "| --- | --- |", *rows]) + "\n"
