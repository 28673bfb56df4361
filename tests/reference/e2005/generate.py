"""Random scenarios of 2005, small and crowded, for the comparison of the reference with the core.

    scenario(seed)      the same scenario for the same seed, legal by the rules of scenario files

Every card carries its number. Nothing is left to chance: where a first draft would be, another one is drawn. Answers
are invented while the reference plays (inventor.py).
"""

import random

from tests.reference.cards import shuffled, words
from tests.reference.inventor import invent_answers

from .cards import DECK, OPTIONS, TURNS, action_of, suits_crab_legs, suits_dual_processor
from .inventor import Inventor
from .race import Race
from .world import World, at

# How likely a card is to be taken before the others; moves make the scenes.
WEIGHT = {"move_1": 4, "move_2": 4, "move_3": 6, "back_up": 5}

# Options that make scenes together.
THEMES = {
    "weapons": words(
        "ablative_coat double_barreled_laser fire_control high_power_laser mini_howitzer power_down_shield "
        "pressor_beam radio_control rear_firing_laser scrambler tractor_beam"
    ),
    "moves": words(
        "ablative_coat brakes crab_legs dual_processor fourth_gear gyroscopic_stabilizer mechanical_arm radio_control "
        "ramming_gear reverse_gear"
    ),
    "programs": words(
        "abort_switch circuit_breaker conditional_program crab_legs dual_processor extra_memory flywheel "
        "mechanical_arm radio_control recompile scrambler superior_archive"
    ),
}

# Options of one robot that act upon each other.
COMBINATIONS = [
    ["double_barreled_laser", "fire_control", "high_power_laser"],
    ["high_power_laser", "tractor_beam", "rear_firing_laser"],
    ["high_power_laser", "radio_control"],
    ["fire_control", "mini_howitzer", "pressor_beam"],
    ["mini_howitzer", "high_power_laser"],
    ["ablative_coat", "power_down_shield"],
    ["crab_legs", "dual_processor", "ramming_gear"],
    ["abort_switch", "conditional_program"],
    ["conditional_program", "flywheel", "extra_memory"],
    ["reverse_gear", "ramming_gear", "fourth_gear"],
    ["circuit_breaker", "mechanical_arm"],
]

TEAM_RULES = {"shared_flags", "two_teams"}
NEED_TWO_TEAMS = {"claims", "last_team_standing"}

# The special rules that can show in registers, and those that show in a whole turn.
RULES_FOR_REGISTERS = [
    *["moving_flags", "moving_flags", "double_lasers", "superbot", "superbot", "shared_flags", "claims", "claims"],
    *["racers_and_blockers", "last_team_standing", "two_teams", "start_damage", "start_option"],
]
RULES_FOR_TURNS = [*RULES_FOR_REGISTERS, "no_power_down", "options_for_repairs", "sit_out", "superbot"]

ATTEMPTS = 20


def scenario(seed):
    """One random scenario in which nothing is left to chance."""
    for attempt in range(ATTEMPTS):
        drawn = draft(random.Random(f"{seed}/{attempt}"))
        drawn["name"] = f"random {seed}"
        if drawn.pop("is_determined"):
            break
    return drawn


def draft(dice):
    """One random scenario."""
    is_turn = dice.random() < 0.25
    special_rules = choose_special_rules(dice, is_turn)
    theme = dice.choice(["weapons", "weapons", "moves", "moves", "programs" if is_turn else "weapons", "programs"])
    world = World(dice, walled=0.35, pits=[0, 0, 0.05, 0.1])
    world.draw_map(special_rules)
    count = dice.choice([1, 2, 3, 3, 4, 4, 5])
    robots = world.place_robots(count, in_line=theme == "weapons")
    give_counters(dice, robots, len(world.map["checkpoints"]), special_rules)
    if "options_for_repairs" in special_rules or (is_turn and dice.random() < 0.15):
        give_whole_box(dice, robots)
    else:
        give_options(dice, robots, theme)
    if is_turn:
        span = {"rounds": 1}
        if dice.random() < 0.4 and "no_power_down" not in special_rules:
            rest_on_site(dice, world, dice.choice(robots))
        deal_hands(dice, robots)
    else:
        first = dice.choice([1, 1, 1, 2, 3, 4, 5])
        span = {"from": first, "to": dice.randint(first, 5)}
        filled = dice.choice([span["to"], 5, 5])
        if theme == "weapons" and dice.random() < 0.15:  # they stand and shoot
            span, filled = {"from": 1, "to": 5}, 0
        fill_registers(dice, robots, filled)
    if dice.random() < 0.15:
        span["order"] = dice.sample(range(count), count)
    drawn = {"name": "", "edition": "2005", "map": world.map, "robots": robots, "play": span}
    if dice.random() < 0.1:
        drawn["rules"] = {"two_ended_lasers": dice.choice(["once", "both"])}
    begin_later(random.Random(f"{dice.random()}"), drawn, special_rules)
    players = Inventor(dice, dice.choice([1, 0.97, 0.97, 0.9, 0.6, 0]))
    drawn["is_determined"] = invent_answers(players, Race, drawn)
    return drawn


def choose_special_rules(dice, is_turn):
    """None mostly, else one; or one for the start beside it."""
    if dice.random() < 0.6:
        return []
    rules = [dice.choice(RULES_FOR_TURNS if is_turn else RULES_FOR_REGISTERS)]
    if rules[0] in NEED_TWO_TEAMS:
        rules.append("two_teams")
    if dice.random() < 0.1 and "start_option" not in rules:
        rules.append("start_option")
    return rules


def give_counters(dice, robots, flags, special_rules):
    """Damage, lives, flags touched, teams; some robots powered down."""
    touched = [dice.randrange(flags), dice.randrange(flags)]
    for index, robot in enumerate(robots):
        damage = dice.choice([0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9])
        robot["damage"] = damage
        if dice.random() < 0.6:
            robot["lives"] = dice.choice([1, 1, 2, 3])
        if dice.random() < 0.15 and "no_power_down" not in special_rules:
            robot["powered_down"] = True
        if set(special_rules) & TEAM_RULES:
            robot["team"] = index % 2
        if "shared_flags" in special_rules:
            robot["checkpoint"] = touched[index % 2]
        elif "claims" not in special_rules and dice.random() < 0.5:
            robot["checkpoint"] = dice.randrange(flags)


def begin_later(dice, drawn, special_rules):
    """Now and then another SuperBot, flags that a team holds, known options, tokens with the locks of Fire Control, a
    second turn."""
    robots = drawn["robots"]
    if "superbot" in special_rules and dice.random() < 0.5:
        dice.choice(robots)["superbot"] = True
    flags = len(drawn["map"]["checkpoints"])
    if "claims" in special_rules and flags > 1 and dice.random() < 0.5:
        dice.choice(robots)["holds"] = [dice.randint(1, flags)]
    if dice.random() < 0.5:
        held = {name for robot in robots for name in robot["options"]}
        left = [name for name in OPTIONS if name not in held]
        drawn["option_deck"] = dice.sample(left, min(len(left), 3))
    if dice.random() < 0.2 and not any("locked" in robot for robot in robots):
        drawn["rules"] = {**drawn.get("rules", {}), "fire_control_token": True}
    if "rounds" in drawn["play"] and dice.random() < 0.4:
        drawn["play"] = {**drawn["play"], "rounds": 2}


def rest_on_site(dice, world, robot):
    """A robot powered down on a repair site."""
    robot["powered_down"] = True
    cell = (robot["x"], robot["y"])
    if world.is_free(cell):
        world.map["elements"].append({"kind": "repair", **at(cell), "level": dice.choice([1, 2])})


# ---- Options ------------------------------------------------------------------------------------------------------


def give_options(dice, robots, theme):
    """Up to five options for each robot, most of them of one theme; there is one of each."""
    left = dice.sample(OPTIONS, len(OPTIONS))
    for robot in robots:
        wishes = list(dice.choice(COMBINATIONS)) if dice.random() < 0.4 else []
        for _ in range(dice.choice([0, 0, 1, 2, 3])):
            wishes.append(dice.choice(THEMES[theme] if dice.random() < 0.8 else OPTIONS))
        robot["options"] = []
        for name in wishes:
            if name in left:
                left.remove(name)
                robot["options"].append(name)


def give_whole_box(dice, robots):
    """All options but one or two are given out, or all: then there is no chance in what is drawn."""
    names = dice.sample(OPTIONS, len(OPTIONS))
    names = names[dice.choice([0, 1, 1, 2]) :]
    for robot in robots:
        robot["options"] = []
    for name in names:
        dice.choice(robots)["options"].append(name)


# ---- Cards --------------------------------------------------------------------------------------------------------


def shuffled_deck(dice):
    """The whole deck, the cards that make scenes more often in front."""
    return shuffled(dice, DECK, lambda card: WEIGHT.get(action_of(card), 2))


def fill_registers(dice, robots, filled):
    """Cards in the registers, in those of powered-down robots only where they are locked; the top of the deck."""
    deck = shuffled_deck(dice)
    for robot in robots:
        is_down = robot.get("powered_down", False)
        locked = [] if is_down else lock_more(dice, robot, filled)
        registers = []
        for register in range(1, 6):
            is_locked = register >= 10 - robot["damage"] or register in locked
            wanted = is_locked if is_down else is_locked or register <= filled
            registers.append(register_cards(dice, robot, deck) if wanted and dice.random() < 0.97 else None)
        robot["registers"] = registers
    dice.shuffle(deck)
    top = deck[: dice.choice([0, 8, 16, 16])]
    for robot in robots:
        robot["draw"] = list(top)


def lock_more(dice, robot, filled):
    """Now and then registers that Fire Control has locked."""
    if filled == 0 or dice.random() < 0.9:
        return []
    robot["locked"] = sorted(dice.sample(range(1, filled + 1), dice.randint(1, min(2, filled))))
    return robot["locked"]


def register_cards(dice, robot, deck):
    """The next card of the deck; two where the robot has an option for that, now and then."""
    card = deck.pop(0)
    fits = {"crab_legs": suits_crab_legs, "dual_processor": suits_dual_processor}
    for option, suits in fits.items():
        partners = [other for other in deck if action_of(other) in TURNS and suits(card, other)]
        if option in robot["options"] and partners and dice.random() < 0.6:
            partner = dice.choice(partners)
            deck.remove(partner)
            return f"{card}+{partner}"
    return card


def deal_hands(dice, robots):
    """Hands, mostly whole, cards in the locked registers, some discards, and all other cards on the draw pile."""
    deck = shuffled_deck(dice)
    is_dealt_from_deck = dice.random() < 0.2
    for robot in robots:
        robot["hand"] = []
        if robot.get("powered_down", False):
            robot["damage"] = 0  # as it is once the turn has started
            continue
        locked = set(lock_more(dice, robot, 5)) | {
            register for register in range(1, 6) if register >= 10 - robot["damage"]
        }
        if locked:
            robot["registers"] = [
                register_cards(dice, robot, deck) if number in locked else None for number in range(1, 6)
            ]
        size = 9 - robot["damage"] + ("extra_memory" in robot["options"])
        if is_dealt_from_deck:
            size = dice.randint(0, size)
        robot["hand"] = [deck.pop(0) for _ in range(size)]
    dice.shuffle(deck)
    discard = [deck.pop() for _ in range(dice.choice([0, 0, 0, 5]))]
    for robot in robots:
        robot["draw"] = list(deck)
    dice.choice(robots)["discard"] = discard
