"""Random scenarios of the community edition, small and crowded, for the comparison of the reference with the core.

    scenario(seed)                      the same scenario for the same seed, legal by the rules of scenario files
    scenario(seed, upgrades=False)      without upgrades only (True: with them only)

Every robot's cards are all named, so that nothing is left to chance until a draw pile runs dry. Answers are invented
while the reference plays (inventor.py).
"""

import random

from tests.reference.cards import words
from tests.reference.e2016.generate import DECK, cards_of, placed_routines, shuffled_deck
from tests.reference.e2016.upgrades import respects_limits
from tests.reference.inventor import invent_answers

from .inventor import Inventor
from .race import Race
from .upgrades import COST, ROUTINES
from .world import World

DAMAGES = [0, 0, 0, 0, 1, 2, 3, 4, 4, 5, 6, 7, 8, 9]

# Upgrades that make scenes together.
THEMES = {
    "weapons": words(
        "deflector_shield double_barrel_laser mini_howitzer pressor_beam rail_gun rear_laser scrambler tractor_beam"
    ),
    "moves": words(
        "boink brakes crab_legs firewall hack hover_unit modular_chassis ramming_gear reboot side_arms teleporter zoop"
    ),
    "hands": words("cache_memory memory_stick memory_swap recharge recompile manual_sort refresh"),
}


def scenario(seed, upgrades=None):
    """One random scenario."""
    dice = random.Random(seed)
    if upgrades is None:
        upgrades = dice.random() < 0.45
    span, filled = choose_span(dice, upgrades)
    theme = dice.choice(["weapons", "weapons", "moves", "moves", "hands" if filled is None else "weapons"])
    world = World(dice, walled=0.75, pits=[0, 0, 0.04, 0.1])
    world.draw_map()
    count = dice.choice([1, 2, 3, 4, 4, 5, 6])
    robots = world.place_robots(count, in_line=dice.random() < 0.5)
    world.map["elements"] = world.elements()
    give_counters(dice, robots, len(world.map["checkpoints"]))
    deal_cards(dice, robots, span, filled, upgrades)
    if dice.random() < 0.2:
        span["order"] = dice.sample(range(count), count)
    drawn = {
        "name": f"random {seed}",
        "edition": "community",
        "rules": choose_rules(dice, upgrades),
        "map": world.map,
        "robots": robots,
        "play": span,
    }
    if upgrades:
        give_upgrades(dice, robots, theme)
        fill_shop(dice, drawn)
    invent_answers(Inventor(dice, dice.choice([1, 0.97, 0.9, 0.6, 0])), Race, drawn)
    return drawn


def choose_span(dice, upgrades):
    """What is played, and how many registers are to be filled (None: programmed in the round)."""
    if dice.random() < 0.4:
        span = {"rounds": dice.choice([1, 1, 2])}
        if upgrades and span["rounds"] == 1 and dice.random() < 0.5:
            span["start"] = "upgrade"
        return span, None
    first = dice.choice([1, 1, 1, 2, 3, 4, 5])
    last = dice.randint(first, 5)
    return {"from": first, "to": last}, dice.choice([last, 5])


def choose_rules(dice, upgrades):
    """The rule options, mostly left out."""
    rules = {} if upgrades else {"upgrades": False}
    if dice.random() < 0.1:
        rules["two_ended_lasers"] = dice.choice(["once", "both"])
    if dice.random() < 0.15:
        rules["race_on"] = True
    return rules


def give_counters(dice, robots, checkpoints):
    """Damage, energy; some robots powered down."""
    for robot in robots:
        robot["damage"] = dice.choice(DAMAGES)
        robot["checkpoint"] = dice.randrange(checkpoints)
        if dice.random() < 0.12:
            robot["powered_down"] = True


# ---- Cards --------------------------------------------------------------------------------------------------------


def deal_cards(dice, robots, span, filled, upgrades):
    """Names all cards of every robot."""
    for robot in robots:
        deck = shuffled_deck(dice)
        locked = [register for register in range(1, 6) if register >= 10 - robot["damage"]]
        specials = dice.sample(sorted(ROUTINES.values()), dice.choice([0, 0, 1, 2])) if upgrades else []
        if filled is None:
            fill_for_a_round(dice, robot, deck, locked)
        else:
            registers = [deck.pop(0) for _ in range(filled)]
            place_specials(dice, registers, deck, specials)
            robot["registers"] = registers
        if robot.get("powered_down") and (filled is None or dice.random() < 0.8):
            deck += [card for card in robot.pop("registers", []) if card in DECK]
            robot["registers"] = []
            if filled is None and dice.random() < 0.8:  # as it is once the round has started
                robot["damage"] = 0
                locked = []
        if locked and dice.random() < 0.2:
            robot["locked"] = locked
        dice.shuffle(deck)
        is_long = span.get("rounds", 1) > 1
        robot["hand"] = [deck.pop() for _ in range(dice.choice([0, 0, 2]))] if robot.pop("draws", False) else []
        robot["discard"] = [deck.pop() for _ in range(0 if is_long else dice.choice([0, 0, 1, 4]))]
        used = robot.get("registers", [])
        for card in specials:
            if card not in used:
                deck.insert(dice.randrange(min(len(deck), 8) + 1), card)
        robot["draw"] = deck


def fill_for_a_round(dice, robot, deck, locked):
    """Cards in the locked registers, now and then in all; or none."""
    kind = dice.choice(["locked", "locked", "bare", "all"])
    robot["draws"] = kind != "all"
    if kind == "bare":
        return
    registers = [deck.pop(0) if kind == "all" or register in locked else None for register in range(1, 6)]
    if any(registers):
        robot["registers"] = registers


def place_specials(dice, registers, deck, specials):
    """Half of the special cards take the place of cards in the registers."""
    for card in specials:
        place = dice.randrange(len(registers))
        if registers[place] in DECK and dice.random() < 0.6:
            deck.append(registers[place])
            registers[place] = card


# ---- Upgrades -----------------------------------------------------------------------------------------------------


def give_upgrades(dice, robots, theme):
    """Up to four upgrades for each robot, most of them from one theme, and energy."""
    gone = set()
    for robot in robots:
        robot["energy"] = dice.randint(0, 6)
        held = cards_of(robot)
        names = []
        for _ in range(dice.choice([0, 2, 4, 6])):
            name = dice.choice(THEMES[theme] if dice.random() < 0.8 else sorted(COST))
            kept = [other for other in [*names, name] if other not in ROUTINES]
            fits = name not in names and name not in gone and respects_limits(kept)
            if fits and ROUTINES.get(name) not in held:
                names.append(name)
        gone |= set(names)
        if names:
            robot["upgrades"] = names


def fill_shop(dice, drawn):
    """A full shop where there is an upgrade phase."""
    if "start" not in drawn["play"]:
        return
    robots = drawn["robots"]
    gone = {name for robot in robots for name in robot.get("upgrades", [])} | placed_routines(robots, ROUTINES)
    drawn["shop"] = dice.sample([name for name in COST if name not in gone], len(robots))
