"""The 2023 edition, played slowly: the 2016 race with another upgrade phase, written from its rulebook.

    outcome = play(scenario)

- An upgrade that lies nowhere else (deck, collections, mats, routines that were dealt) lies in the discard pile.
- Where only a shuffle can tell which upgrade is drawn, `NeedsChance` is raised.
- What may be done is asked in the order of the rulebook, drawing, installing, uninstalling, and after each act anew.
"""

from tests.reference.e2016.cards import Robot
from tests.reference.e2016.race import Race as Race2016
from tests.reference.e2016.upgrades import COST, LIMIT, ROUTINES, check_names, same_type
from tests.reference.errors import BadScenario, NeedsChance

START, END_OF_TRACK = 3, 10


class Robot2023(Robot):
    """A robot with an energy track and a collection."""

    def __init__(self, index, entry, start, end):
        self.end_of_track = end
        super().__init__(index, {"energy": start, **entry}, True)
        self.collection = list(entry.get("collection", []))

    @property
    def energy(self):
        """On the track: it has an end."""
        return self._energy

    @energy.setter
    def energy(self, value):
        self._energy = min(value, self.end_of_track)


class Race(Race2016):
    """One race of the 2023 edition."""

    edition = "2023"

    def new_robot(self, index, entry):
        """A robot of the scenario."""
        endless = self.rules.get("most_energy", END_OF_TRACK) == "unlimited"
        return Robot2023(index, entry, self.rules.get("start_energy", START), 10**6 if endless else END_OF_TRACK)

    def hand_out_upgrades(self, scenario):
        """Upgrades to mats and collections; the deck's known top, and the rest of it that nobody knows."""
        super().hand_out_upgrades(scenario)
        if "shop" in scenario:
            raise BadScenario("there is no shop")
        self.out_of_play = {routine for robot in self.robots for routine in self.routines_of(robot)}
        for entry in scenario["robots"]:
            self.out_of_play |= {name for name in entry.get("upgrades", []) if name in ROUTINES}
        self.deck = list(scenario.get("upgrade_deck", []))
        discarded = scenario.get("upgrade_discard", [])
        check_names(
            [*self.deck, *discarded, *(name for robot in self.robots for name in robot.collection)], "piles", COST
        )
        self.unknown = set()
        self.unknown = set(self.discarded()) - set(discarded)

    def discarded(self):
        """The upgrade discard pile: all that lies nowhere else."""
        lies = {*self.deck, *self.unknown, *self.out_of_play}
        for robot in self.robots:
            lies |= {*robot.upgrades, *robot.collection}
        return [name for name in COST if name not in lies]

    # ---- The upgrade phase ----------------------------------------------------------------------------------------

    def upgrade_phase(self):
        """Each robot in priority order does what it wants to, until it wants nothing more."""
        self.phase_order = self.measured_order()
        for robot in self.phase_order:
            self.drew = self.installed = False
            while self.draws(robot) or self.installs(robot) or self.uninstalls(robot):
                pass

    def draws(self, robot):
        """One energy for the top card, once a phase."""
        if self.drew or robot.energy < 1 or not (self.deck or self.unknown or self.discarded()):
            return False
        if self.answers.ask(robot, "draw_upgrade", ["no", "yes"]) == "no":
            return False
        self.drew = True
        robot.energy -= 1
        robot.collection.append(self.top_card())
        return True

    def top_card(self):
        """The top card of the deck, which is made of the discard pile where it is empty."""
        if self.deck:
            return self.deck.pop(0)
        if not self.unknown:
            self.unknown = set(self.discarded())
        if len(self.unknown) > 1:
            raise NeedsChance("an upgrade is drawn that is not known")
        return self.unknown.pop()

    def installs(self, robot):
        """One card of the collection at its cost, once a phase; at three of its type another one goes."""
        offered = sorted(name for name in robot.collection if COST[name] <= robot.energy)
        if self.installed or not robot.collection:  # what it can pay does not matter: R90
            return False
        name = self.answers.ask(robot, "install_upgrade", ["no", *offered])
        if name == "no":
            return False
        self.installed = True
        of_its_type = same_type(robot.upgrades, name)
        if len(of_its_type) == LIMIT:
            robot.upgrades.remove(self.answers.ask(robot, "replace_upgrade", sorted(of_its_type)))
        robot.collection.remove(name)
        robot.energy -= COST[name]
        if name in ROUTINES:
            robot.discard.append(ROUTINES[name])
            self.out_of_play.add(name)
        else:
            robot.upgrades.append(name)
        return True

    def uninstalls(self, robot):
        """One installed card is discarded."""
        if not robot.upgrades:
            return False
        name = self.answers.ask(robot, "uninstall_upgrade", ["no", *sorted(robot.upgrades)])
        if name == "no":
            return False
        robot.upgrades.remove(name)
        return True

    # ---- The outcome ----------------------------------------------------------------------------------------------

    def outcome(self):
        """As in 2016, with the collections and the discard pile."""
        outcome = super().outcome()
        if "rounds" in self.span:
            outcome["upgrade_discard"] = sorted(self.discarded())
            for entry, robot in zip(outcome["robots"], self.robots, strict=True):
                entry["collection"] = sorted(robot.collection)
        return outcome


play = Race.play
