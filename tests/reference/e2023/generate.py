"""Random scenarios of the 2023 edition: those of 2016 with collections, a known upgrade deck and a discard pile."""

import random
from itertools import count

from tests.reference.e2016.generate import placed_routines
from tests.reference.e2016.generate import scenario as scenario_of_2016
from tests.reference.e2016.inventor import Inventor
from tests.reference.e2016.upgrades import COST
from tests.reference.inventor import invent_answers

from .race import END_OF_TRACK, Race


class Inventor2023(Inventor):
    """Players who say themselves which card makes room."""

    forced = (*Inventor.forced, "replace_upgrade")


def scenario(seed):
    """One random scenario of whole rounds, most of them beginning with the upgrade phase."""
    dice = random.Random(f"2023 {seed}")
    drawn = next(found for k in count() if "rounds" in (found := scenario_of_2016(64 * seed + k, True))["play"])
    drawn |= {"name": f"random {seed}", "edition": "2023", "play": {**drawn["play"]}}
    drawn.pop("shop", None)
    drawn.pop("answers", None)
    if dice.random() < 0.9:
        drawn["play"]["start"] = "upgrade"
    drawn["rules"] = choose_rules(dice, drawn["rules"])
    for robot in drawn["robots"]:
        if "energy" in robot:
            robot["energy"] = min(robot["energy"], END_OF_TRACK)
    share_out(dice, drawn)
    invent_answers(Inventor2023(dice, dice.choice([1, 0.97, 0.97, 0.9, 0.6, 0])), Race, drawn)
    return drawn


def choose_rules(dice, rules):
    """Those of 2016, and the energy track's."""
    rules = {name: value for name, value in rules.items() if name != "upgrades"}
    if dice.random() < 0.2:
        rules["start_energy"] = dice.choice([3, 5])
    if dice.random() < 0.2:
        rules["most_energy"] = dice.choice([10, "unlimited"])
    return rules


def share_out(dice, drawn):
    """There is one of each upgrade: on a mat, in a collection, in the deck from its top on, or discarded."""
    gone = placed_routines(drawn["robots"])
    for robot in drawn["robots"]:
        if "upgrades" in robot:
            robot["upgrades"] = [name for name in robot["upgrades"] if name not in gone]
            gone |= set(robot["upgrades"])
    left = dice.sample([name for name in COST if name not in gone], len(COST) - len(gone))
    for robot in drawn["robots"]:
        robot["collection"] = [left.pop() for _ in range(min(len(left), dice.choice([0, 1, 1, 2, 3, 6])))]
    size = dice.choice([len(left), len(left), dice.randint(0, min(3, len(left)))])
    drawn["upgrade_deck"], drawn["upgrade_discard"] = left[:size], left[size:]
