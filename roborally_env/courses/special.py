"""The special rules that a course may have, as tags: what its file or a scenario's map lists and rules ask for."""

# tag -> what it changes, in one line; the order is that of the bits and stays
SPECIAL_RULES: dict[str, str] = {
    "moving_flags": "belts carry flags as they carry robots; one that falls into a pit is back on its first space",
    "double_lasers": "every robot laser fires twice as many shots, those of options too",
    "start_damage": "every robot begins with two damage tokens",
    "no_power_down": "no robot may power down",
    "options_for_repairs": "a wrench or a flag gives an option in place of the repair, wrench and hammer give two",
    "program_time_30": "30 seconds for a program; registers then empty are filled at random",
    "program_time_60": "60 seconds for a program; registers then empty are filled at random",
    "superbot": "the robot of dock 1 is the SuperBot: repaired each turn, lasers doubled, it alone touches flags",
    "racers_and_blockers": "each player has two robots, a racer and a blocker that touches no flags",
    "start_option": "each player is dealt an option at the start",
    "option_draft": "each player is dealt three options at the start and keeps one",
    "turning_boards": "who touches a flag flips a coin: on heads the board under it turns clockwise",
    "shared_flags": "teams of two; a flag touched by one robot is touched for its team",
    "two_teams": "two even teams; they win and lose together",
    "capture_the_flag": "a flag and six rows of home on each of two boards; the enemy flag is carried home",
    "claims": "flags in any order belong to the team that touched them last; all at once win",
    "sit_out": "a destroyed robot misses a whole turn before it is back",
    "last_team_standing": "the team that has lives left wins; no flags are needed",
}
SPECIAL_BITS = {tag: 1 << i for i, tag in enumerate(SPECIAL_RULES)}
# their players are in teams, which are even
TEAM_RULES = frozenset({"shared_flags", "two_teams"})


def special_bits(tags: tuple[str, ...]) -> int:
    """The tags as bits. What is no tag (editions without them have sentences for players) counts nothing."""
    return sum(SPECIAL_BITS.get(tag, 0) for tag in set(tags))


def special_table() -> str:
    """The tags as a Markdown table, as it stands in courses/README.md."""
    rows = (f"| `{tag}` | {meaning} |" for tag, meaning in SPECIAL_RULES.items())
    return "\n".join(["| tag | meaning |", "| --- | --- |", *rows]) + "\n"
