"""Robo Rally, the 2016 edition, played slowly: the rules once more, written from the rulebook.

    outcome = play(scenario)

A scenario and an outcome are plain dicts, as the scenario files have them (here: a `map`, no `events`).
Nothing is shared with the compiled core, so that the two can be compared over many random rounds.

There is no generator. Cards are drawn from the piles that the scenario names; where only a shuffle can tell the next
card, `NeedsChance` is raised, unless all the cards it could be are alike, or there is none (R26).

What both sides of the comparison have agreed on:

- `registers` in the outcome are always five, None for an empty one. A damage card that was played has made room for the
  card drawn for it. An Again after a damage register (R25) stays; the card drawn for it lies upon it, is not shown, and
  goes to the discard pile with it. Every Again that comes up while that card is drawn is discarded at once.
- An Again in register one (R23) makes room for the next card drawn that is none. Nothing but Again left: no action.
- A reboot empties the registers that the robot has not started; the started ones stay until the end of the round.
- A damage card goes back to its pile when its instructions have been carried out, before the next card is drawn.
- Damage to several robots at once is dealt in the turn order of the register: Virus, board lasers, robot lasers.
- The turn order is measured when a register begins; the order of falls from belts, on the cells that the robots left.
- Each robot that falls by its own act starts a chain of reboots (R17b) of its own; several from one belt step do too.
- All robots on their next checkpoint count it, then the winner is named, and play stops: nothing is cleaned up.
- Registers before `from` count as carried out. Where the action is unknown (a damage card, or an Again that drew a
  card) nothing is there to be repeated, though an Again right after a damage card draws.
- Defaults: `program` the first five cards of the hand, one that may not be placed replaced by the next free card;
  `reboot_facing` the token's arrow or the start facing; `damage_kind` the first of Trojan Horse, Virus, Worm, SPAM;
  `replace_upgrade` the cheapest; "no" for every upgrade that may be used. The two routines that ask have none.
- A robot has the use of its upgrades until it reboots; a shield paid for lasts until the register ends or it reboots.
- What an upgrade asks is asked only where its conditions hold, as the methods say. Those of one moment are asked in
  the order of the alphabet, permanent ones first.
- Admin Privilege and Manual Sort change the turn order of the register, not the priority by which belts let fall.

The parts of a race: programming.py (what comes before the registers), actions.py (a robot's turn), moving.py (steps,
pushes, reboots), elements.py (the board), weapons.py (robot lasers).
"""

from tests.reference.errors import BadScenario
from tests.reference.race import Race as AnyRace

from .actions import Actions
from .board import Board, priority_key
from .cards import AGAINS, DAMAGE_BOX, Robot
from .elements import Elements
from .moving import Moving
from .programming import Programming
from .upgrades import COST, ROUTINES, Shop, check_names, respects_limits
from .weapons import Weapons

DEFAULT_RULES = {
    "upgrades": True,
    "advanced": False,
    "timer": False,
    "again_after_damage": "draw",
    "two_ended_lasers": "once",
}


class Race(Programming, Actions, Moving, Elements, Weapons, AnyRace):
    """One race: the damage piles and the upgrades beside what all editions have."""

    edition = "2016"
    default_rules = DEFAULT_RULES
    board_class = Board
    cost = COST
    routines = ROUTINES

    def __init__(self, scenario, answers=None):
        super().__init__(scenario, answers)
        self.check_rules(scenario)
        self.box = dict(DAMAGE_BOX)
        for robot in self.robots:
            for card in robot.all_named_cards():
                if card in self.box:
                    self.box[card] -= 1
        if min(self.box.values()) < 0:
            raise BadScenario("more damage cards than the box has")
        self.hand_out_upgrades(scenario)

        self.phase_order = []  # the robots of the upgrade phase of this round, if there was one
        self.fell_with = set()  # (robot, checkpoint) of this register
        self.met = set()  # the robots that the present card has met
        self.touched = set()  # those of them that it moved by touching them

    def new_robot(self, index, entry):
        """A robot of the scenario."""
        return Robot(index, entry, self.rules["upgrades"])

    def check_rules(self, scenario):
        """What belongs to upgrades is refused in a game without, and an upgrade phase without a round."""
        if "start" in self.span and (self.span["start"] != "upgrade" or "rounds" not in self.span):
            raise BadScenario('play.start is "upgrade", beside rounds')
        if self.rules["upgrades"]:
            return
        if "start" in self.span or "shop" in scenario or any("upgrades" in entry for entry in scenario["robots"]):
            raise BadScenario("a game without upgrades")

    def hand_out_upgrades(self, scenario):
        """Upgrades go to their robots, the cards of routines to the discard piles, and the shop gets the others."""
        gone = [upgrade for robot in self.robots for upgrade in self.routines_of(robot)]
        for robot, entry in zip(self.robots, scenario["robots"], strict=True):
            names = entry.get("upgrades", [])
            check_names(names, f"robot {robot.index}", self.cost)
            gone += names
            robot.upgrades = [name for name in names if name not in self.routines]
            robot.discard += [self.routines[name] for name in names if name in self.routines]
            if not respects_limits(robot.upgrades):
                raise BadScenario(f"robot {robot.index}: more than three upgrades of a type")
        self.shop = Shop(scenario.get("shop", []), gone, len(self.robots), self.cost)

    def routines_of(self, robot):
        """The routines whose cards the scenario names among this robot's."""
        cards = robot.all_named_cards()
        return [upgrade for upgrade, card in self.routines.items() if card in cards]

    # ---- The round ------------------------------------------------------------------------------------------------

    def play_round(self):
        """A round: upgrades, programming, five registers, clean-up."""
        self.begin_round()
        if self.rules["upgrades"] and (self.round > 1 or "start" in self.span):
            self.upgrade_phase()
        self.program()
        self.play_registers(1, 5)
        if not self.is_over():
            self.clean_up()

    def begin_round(self):
        """Nothing of the last round is left but the cards in the hand (advanced game)."""
        self.phase_order = []
        if self.round > 1:
            for robot in self.robots:
                robot.begin_round()

    def clean_up(self):
        """After the fifth register the cards of the registers go to the discard pile."""
        for robot in self.robots:
            for register in range(1, 6):
                robot.discard_register(register)

    def play_registers(self, first, last):
        """The registers `first` to `last`, those before them taken as carried out."""
        for robot in self.robots:
            for register in range(1, first):
                self.remember_register(robot, register)
        super().play_registers(first, last)

    def remember_register(self, robot, register):
        """Notes what an earlier register did, for an Again to come."""
        card = robot.registers[register]
        robot.latest = register
        robot.held[register] = card
        if card in AGAINS:
            repeats = register > 1 and robot.held[register - 1] not in DAMAGE_BOX
            robot.done[register] = robot.done[register - 1] if repeats else None
        else:
            robot.done[register] = None if card in DAMAGE_BOX else card

    def play_register(self, register):
        """Activating your robots, then board elements and robot lasers in their order."""
        self.register = register
        self.fell_with = set()  # (robot, checkpoint): does not count in this register (R38)
        self.order = self.settle_turn_order()
        for robot in self.order:
            if not robot.rebooted:
                self.take_turn(robot)

        at_rest = set()  # checkpoints that have just been reset (R38a: both blue steps are one phase)
        self.move_belts(2, at_rest)
        self.move_belts(2, at_rest)
        self.move_belts(1, set())
        self.push_panels()
        self.turn_gears()
        self.fire_board_lasers()
        self.fire_robot_lasers()
        self.take_energy()
        self.reach_checkpoints()

    # ---- Turn order -----------------------------------------------------------------------------------------------

    def measured_order(self):
        """The robots by priority, as they stand now."""
        return self.in_priority_order({robot: robot.cell for robot in self.robots})

    def in_priority_order(self, cells):
        """The robots of a dict robot -> cell, by priority (Determining Priority, R41, R42)."""

        def place(robot):
            if self.fixed_order is not None:
                return (self.fixed_order.index(robot.index), 0)
            if self.board.antenna is None:
                return (robot.index, 0)
            return priority_key(cells[robot], self.board.antenna, self.board.dish)

        return sorted(cells, key=place)

    def settle_turn_order(self):
        """The order of a register: Manual Sort first, then Admin Privilege, then the rest, each as measured (R52)."""
        measured = self.measured_order()
        rank = dict.fromkeys(measured, 2)
        for robot in measured:
            robot.shield_is_up = False
        for robot in measured:
            peers = [other for other in measured if self.acts_last(other) == self.acts_last(robot)]
            may_gain = robot is not peers[0] or any(self.can_overtake(other) for other in peers[1:])
            if self.has_admin_privilege(robot) and may_gain and self.agrees(robot, "admin_privilege"):
                robot.used.add("admin_privilege")
                rank[robot] = 1
            self.offer_shield(robot)
            if robot.can_use("manual_sort") and may_gain and self.agrees(robot, "manual_sort"):
                robot.upgrades.remove("manual_sort")
                rank[robot] = 0
        return sorted(measured, key=rank.get)

    def acts_last(self, robot):
        """Does it act after the others, whatever is used? By the community edition."""
        return False

    def can_overtake(self, robot):
        """Has it a card that could put it first in this register?"""
        return robot.can_use("manual_sort") or self.has_admin_privilege(robot)

    def has_admin_privilege(self, robot):
        """Admin Privilege is for once a round."""
        return robot.can_use("admin_privilege") and "admin_privilege" not in robot.used

    def offer_shield(self, robot):
        """Deflector Shield: one energy, no robot attack hits in this register."""
        can_be_attacked = any(other is not robot and not other.rebooted for other in self.robots)
        if robot.can_use("deflector_shield") and robot.energy >= 1 and can_be_attacked:
            if self.agrees(robot, "deflector_shield"):
                robot.energy -= 1
                robot.shield_is_up = True

    # ---- The outcome ----------------------------------------------------------------------------------------------

    def outcome_of(self, robot):
        """What the outcome says of one robot."""
        return {
            **super().outcome_of(robot),
            "taken": robot.taken,
            "damage": 0,
            "lives": 3,
            "rebooted": robot.rebooted,
            "destroyed": False,
            "active": True,
            "archive": {"x": robot.start[0], "y": robot.start[1]},
            "level": 0,
        }

    def cards_of(self, robot):
        """The cards of a robot after whole rounds."""
        return {
            "hand": sorted(robot.hand),
            "draw": sorted(robot.draw_pile + robot.unknown),
            "discard": sorted(robot.discard),
            "upgrades": sorted(robot.upgrades),
            "options": [],
        }

    def for_sale(self):
        """The row of the shop."""
        return sorted(self.shop.row)


play = Race.play
