"""Random scenarios, small and crowded, for the comparison of the reference with the core.

    scenario(seed)                      the same scenario for the same seed, legal by the rules of scenario files
    scenario(seed, upgrades=False)      of the lighter game only (True: of the whole game only)

Every robot's cards are all named, so that nothing is left to chance until a draw pile runs dry. Answers are invented
while the reference plays (inventor.py).
"""

import random

from tests.reference.cards import shuffled, words
from tests.reference.inventor import invent_answers

from .cards import DAMAGE_BOX, PROGRAMMING_DECK, SPECIAL_CARDS
from .inventor import Inventor
from .race import Race
from .upgrades import COST, PERMANENT, ROUTINES, TEMPORARY, respects_limits
from .world import World

DECK = [card for card, count in PROGRAMMING_DECK.items() for _ in range(count)]

# How likely a card is to be taken for a register before the others; moves and Again make the scenes.
WEIGHT = {"move_1": 4, "move_2": 6, "move_3": 8, "back_up": 5, "again": 5}

# Upgrades that make scenes together.
THEMES = {
    "weapons": words(
        "blue_screen_of_death corruption_wave deflector_shield double_barrel_laser mini_howitzer pressor_beam "
        "rail_gun rear_laser scrambler tractor_beam trojan_needler"
    ),
    "pushes": words(
        "blue_screen_of_death boink corruption_wave hover_unit modular_chassis ramming_gear side_arms trojan_needler "
        "virus_module"
    ),
    "moves": words("boink brakes crab_legs firewall hover_unit modular_chassis side_arms teleporter"),
    "turns": words("admin_privilege boink hack manual_sort reboot recharge refresh zoop"),
    "hands": words("cache_memory defrag_gizmo memory_stick memory_swap recharge recompile spam_blocker"),
}

# Upgrades of one robot that act upon each other.
COMBINATIONS = {
    "weapons": [
        ["rail_gun", "rear_laser", "mini_howitzer"],
        ["rail_gun", "pressor_beam", "tractor_beam"],
        ["double_barrel_laser", "mini_howitzer", "corruption_wave"],
        ["scrambler", "corruption_wave", "rear_laser"],
        ["blue_screen_of_death", "trojan_needler", "double_barrel_laser"],
        ["trojan_needler", "corruption_wave", "mini_howitzer"],
    ],
    "pushes": [
        ["ramming_gear", "corruption_wave", "virus_module"],
        ["ramming_gear", "corruption_wave", "blue_screen_of_death"],
        ["blue_screen_of_death", "trojan_needler", "ramming_gear"],
        ["modular_chassis", "side_arms", "ramming_gear"],
        ["hover_unit", "virus_module", "boink"],
        ["hover_unit", "modular_chassis", "hack"],
    ],
    "moves": [
        ["brakes", "crab_legs", "side_arms"],
        ["crab_legs", "hover_unit", "ramming_gear"],
        ["teleporter", "hover_unit", "brakes"],
        ["firewall", "reboot", "hover_unit"],
        ["teleporter", "side_arms", "hack"],
    ],
    "turns": [
        ["admin_privilege", "manual_sort"],
        ["hack", "refresh", "zoop"],
        ["boink", "reboot", "recharge"],
        ["boink", "side_arms", "hack"],
    ],
    "hands": [
        ["cache_memory", "defrag_gizmo", "memory_stick"],
        ["memory_swap", "recompile", "spam_blocker"],
        ["cache_memory", "memory_stick", "memory_swap"],
    ],
}


def scenario(seed, upgrades=None):
    """One random scenario."""
    dice = random.Random(seed)
    if upgrades is None:
        upgrades = dice.random() < 0.75
    is_whole_box = upgrades and dice.random() < 0.02
    span, wanted = choose_span(dice, upgrades, is_whole_box)
    themes = choose_themes(dice, span) if upgrades else []
    world = World(dice, walled=0.65 if upgrades else 0.35, pits=[0, 0.1, 0.2] if "moves" in themes else [0, 0.05, 0.1])
    world.draw_map()
    count = 6 if is_whole_box else dice.choice([2, 3, 4, 4, 5, 6])
    robots = world.place_robots(count, in_line="weapons" in themes)
    world.map["elements"] = world.elements()
    deal_cards(dice, robots, wanted, span, upgrades)
    if dice.random() < 0.2:
        span["order"] = dice.sample(range(len(robots)), len(robots))
    drawn = {
        "name": f"random {seed}",
        "edition": "2016",
        "rules": choose_rules(dice, upgrades),
        "map": world.map,
        "robots": robots,
        "play": span,
    }
    if upgrades:
        give_energy(dice, robots, how_often_much=0.4 if "start" in span else 0.15)
        if is_whole_box:
            drawn["shop"] = give_whole_box(dice, robots)
        else:
            give_upgrades(dice, robots, themes)
            fill_shop(dice, drawn)
    invent_answers(Inventor(dice, eagerness(dice, upgrades)), Race, drawn)
    return drawn


def choose_span(dice, upgrades, is_whole_box):
    """What is played, and how many registers are to be filled (None: programmed in the round)."""
    if is_whole_box or dice.random() < (0.35 if upgrades else 0.2):
        rounds = 2 if is_whole_box or (not upgrades and dice.random() < 0.1) else 1
        starts_with_upgrades = upgrades and dice.random() < 0.6
        return {"rounds": rounds, **({"start": "upgrade"} if starts_with_upgrades else {})}, None
    first = dice.choice([1, 1, 1, 2, 3, 4, 5])
    last = dice.randint(first, 5)
    return {"from": first, "to": last}, dice.choice([last, 5, 5] if upgrades else [last, 5])


def choose_rules(dice, upgrades):
    """The rule options, mostly left out."""
    rules = {} if upgrades else {"upgrades": False}
    if upgrades and dice.random() < 0.1:
        rules["upgrades"] = True
    if dice.random() < 0.2:
        rules["again_after_damage"] = dice.choice(["draw", "repeat"])
    if dice.random() < 0.2:
        rules["two_ended_lasers"] = dice.choice(["once", "both"])
    if dice.random() < 0.2:
        rules["advanced"] = dice.choice([True, False])
    return rules


# ---- Cards --------------------------------------------------------------------------------------------------------


def deal_cards(dice, robots, wanted, span, upgrades):
    """Names all cards of every robot: the twenty, damage cards and special ones among them."""
    by_hand = "rounds" in span
    is_long = span.get("rounds", 1) > 1
    box = dict(DAMAGE_BOX)
    for robot in robots:
        if wanted == 5 and box["spam"] >= 3 and dice.random() < (0.05 if upgrades else 0.1):
            deal_a_pile_nearly_dry(dice, robot, box)
            continue
        filled = dice.choice([0, 5] if is_long else [0, 0, 0, 5]) if by_hand else wanted
        deck = shuffled_deck(dice)
        damage = take_damage(dice, box)
        registers = [deck.pop(0) for _ in range(filled)]
        for place in range(filled):
            if damage and dice.random() < 0.3:
                deck.append(registers[place])
                registers[place] = damage.pop()
        specials = place_specials(dice, registers, deck) if upgrades else []
        if filled or not by_hand:
            robot["registers"] = registers
        dice.shuffle(deck)

        hand_size = dice.choice([0, 0, 2, 4]) if by_hand != bool(filled) or (upgrades and by_hand) else 0
        robot["hand"] = [deck.pop() for _ in range(hand_size)]
        robot["discard"] = [deck.pop() for _ in range(0 if is_long else dice.choice([0, 0, 1, 4]))]
        for card in damage + specials:
            pile = dice.choice([deck, deck, robot["discard"], robot["hand"] if hand_size else deck])
            pile.insert(dice.randrange(min(len(pile), 4) + 1), card)
        robot["draw"] = deck
    if dice.random() < 0.2:
        empty_the_box(dice, robots, box)


def deal_a_pile_nearly_dry(dice, robot, box):
    """Five cards are drawn in the five registers, four are there, and the discards are all equal: no chance in it."""
    deck = [card for card in shuffled_deck(dice) if card not in ("move_1", "again")]
    box["spam"] -= 3
    robot["registers"] = ["spam", "again", "spam", "again", "spam"]
    robot["hand"] = [deck.pop(0) for _ in range(9)]
    robot["draw"] = deck
    robot["discard"] = ["move_1"] * 5


def shuffled_deck(dice):
    """The twenty cards, those that make scenes more often in front."""
    return shuffled(dice, DECK, lambda card: WEIGHT.get(card, 2))


def take_damage(dice, box):
    """Some damage cards out of the box."""
    cards = []
    for _ in range(dice.choice([0, 0, 1, 2, 3, 5])):
        kind = dice.choice(["spam", "spam", "worm", "virus", "trojan_horse"])
        if box[kind]:
            box[kind] -= 1
            cards.append(kind)
    return cards


def place_specials(dice, registers, deck):
    """Some special cards: half of them take the place of cards in the registers; the others are returned."""
    left = []
    for card in dice.sample(SPECIAL_CARDS, dice.choice([0, 0, 1, 2])):
        place = dice.randrange(len(registers)) if registers else 0
        if registers and registers[place] in PROGRAMMING_DECK and dice.random() < 0.6:
            deck.append(registers[place])
            registers[place] = card
        else:
            left.append(card)
    return left


def empty_the_box(dice, robots, box):
    """Puts nearly all of some damage piles into the discard piles, SPAM always among them."""
    kinds = {"spam", *dice.sample(sorted(DAMAGE_BOX), dice.randint(0, 3))}
    for kind in sorted(kinds):
        left = min(box[kind], dice.choice([0, 0, 1, 2, 4]))
        for _ in range(box[kind] - left):
            dice.choice(robots)["discard"].append(kind)
        box[kind] = left


# ---- Upgrades -----------------------------------------------------------------------------------------------------


def choose_themes(dice, span):
    """Two themes; where hands are played, upgrades for them are one."""
    themes = [dice.choice(["weapons", "weapons", "pushes", "pushes", "moves", "moves", "turns"]) for _ in range(2)]
    if "rounds" in span and dice.random() < 0.7:
        themes[0] = "hands"
    return themes


def give_energy(dice, robots, how_often_much):
    """Little energy mostly."""
    for robot in robots:
        robot["energy"] = dice.randint(5, 12) if dice.random() < how_often_much else dice.randint(0, 4)
        if dice.random() < 0.1:
            del robot["energy"]


def give_upgrades(dice, robots, themes):
    """Up to four upgrades for each robot, most of them from one theme; seldom the same to two robots."""
    may_share = dice.random() < 0.25
    gone = set()
    for robot in robots:
        names = []
        theme = dice.choice(themes)
        wishes = list(dice.choice(COMBINATIONS[theme])) if dice.random() < 0.4 else []
        for _ in range(dice.choice([0, 1, 3, 5])):
            wishes.append(dice.choice(THEMES[theme] if dice.random() < 0.8 else sorted(COST)))
        for name in wishes:
            fits = len(names) < 4 and name not in names and respects_limits(without_routines([*names, name]))
            if fits and (name not in gone or may_share) and ROUTINES.get(name) not in cards_of(robot):
                names.append(name)
        gone |= set(names)
        if names or dice.random() < 0.5:
            robot["upgrades"] = names


def fill_shop(dice, drawn):
    """A full shop where there is an upgrade phase, sometimes where there is none."""
    if "start" not in drawn["play"] and dice.random() < 0.95:
        return
    robots = drawn["robots"]
    gone = {name for robot in robots for name in robot.get("upgrades", [])} | placed_routines(robots)
    left = [name for name in COST if name not in gone]
    row = dice.sample(left, min(len(robots), len(left)))
    routines = [name for name in left if name in ROUTINES and name not in row]
    if routines and dice.random() < 0.6:
        row[0] = dice.choice(routines)
    drawn["shop"] = row


def give_whole_box(dice, robots):
    """All upgrades but six are given out; these lie in the shop or come into its open slots, so there is no chance."""
    permanent = dice.sample(list(PERMANENT), len(PERMANENT))
    temporary = dice.sample(list(TEMPORARY), len(TEMPORARY))
    for robot in robots:
        robot["upgrades"] = [permanent.pop() for _ in range(3)]
    gone = placed_routines(robots)
    for name in temporary:
        if name not in gone:
            able = [robot for robot in robots if respects_limits(without_routines([*robot["upgrades"], name]))]
            dice.choice(able)["upgrades"].append(name)
    return permanent[: dice.choice([2, 4, 5, 6, 6])]


def without_routines(names):
    """Those that are kept beside the mat."""
    return [name for name in names if name not in ROUTINES]


def cards_of(robot):
    """All cards that the scenario names for a robot."""
    return robot.get("registers", []) + robot["hand"] + robot["draw"] + robot["discard"]


def placed_routines(robots, routines=ROUTINES):
    """The routines whose cards are among those of the robots."""
    cards = {card for robot in robots for card in cards_of(robot)}
    return {name for name, card in routines.items() if card in cards}


# ---- Answers ------------------------------------------------------------------------------------------------------


def eagerness(dice, upgrades):
    """How likely a player's answers are to go on; 0: none are given but those that must be."""
    return dice.choice([1, 0.97, 0.97, 0.9, 0.9, 0.6, 0] if upgrades else [0, 0, 0, 0.6, 0.9])
