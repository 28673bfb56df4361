"""Robo Rally by the community rules, played slowly: the rules once more, written from the rules text.

    outcome = play(scenario)

A scenario and an outcome are plain dicts, as the scenario files have them (here: a `map`; of the `events` only
where checkpoints are carried). What the edition shares with 2016 is taken from the reference of 2016: Again, program
cards, upgrades, belts' conflicts, priority. There is no generator: where only a shuffle can tell the next card,
`NeedsChance` is raised.

Each part names its conventions beyond the rulings. Of the whole:

- The end of the race ends the play: nothing is cleaned up.
- Play that begins with programming begins after powered-down robots have discarded their damage.
- A robot that was destroyed in a round that is over counts as `destroyed` until the next one begins.

The parts: board.py (heights, walls, beams), damage.py (tokens, destruction, buttons, virtual mode), moving.py (steps
and pushes), elements.py, weapons.py, programming.py, actions.py (a robot's turn), cleanup.py.
"""

from tests.reference.e2016.cards import AGAINS
from tests.reference.e2016.race import Race as Race2016
from tests.reference.errors import BadScenario
from tests.reference.race import Race as AnyRace

from .actions import Actions
from .answers import Answers
from .board import Board
from .cleanup import CleanUp
from .damage import Damage
from .elements import Elements
from .moving import Moving
from .programming import Programming
from .robot import Robot
from .upgrades import COST, ROUTINES
from .weapons import Weapons

DEFAULT_RULES = {"upgrades": True, "timer": False, "two_ended_lasers": "once", "race_on": False}


class Race(Damage, Actions, Moving, Elements, Weapons, CleanUp, Programming, Race2016):
    """One race: the board, the robots and the order of play."""

    edition = "community"
    default_rules = DEFAULT_RULES
    board_class = Board
    answers_class = Answers
    cost = COST
    routines = ROUTINES

    def __init__(self, scenario, answers=None):
        super().__init__(scenario, answers)
        self.check_places(scenario)
        self.finishers = []
        self.checkpoint_moves = []  # (number, cell)

    def new_robot(self, index, entry):
        """A robot of the scenario."""
        return Robot(index, entry, self.rules["upgrades"])

    def check_places(self, scenario):
        """Robots stand on the board at the level that they name, and only virtual ones share a cell."""
        real = [robot.cell for robot in self.robots if not robot.virtual]
        if len(set(real)) < len(real):
            raise BadScenario("two robots that are not virtual share a cell")
        for robot, entry in zip(self.robots, scenario["robots"], strict=True):
            if self.board.is_deadly(robot.cell) or robot.cell == self.board.antenna:
                raise BadScenario(f"robot {robot.index} stands where none can stand")
            level = self.board.level_of(robot.cell)
            if entry.get("level", level) != level:
                raise BadScenario(f"robot {robot.index} stands at level {level}")

    # ---- The round ------------------------------------------------------------------------------------------------

    def begin_round(self):
        """Robots that are powered down discard their damage as the round begins."""
        super().begin_round()
        if self.round > 1 or "start" in self.span:
            self.begin_power_downs()

    def remember_register(self, robot, register):
        """Notes what an earlier register did, for an Again to come."""
        card = robot.registers[register]
        robot.latest = register
        robot.held[register] = card
        robot.done[register] = robot.done.get(register - 1) if card in AGAINS else card

    def play_register(self, register):
        """The robots move, then the board elements in their order, then lasers, energy, checkpoints."""
        self.register = register
        self.order = self.settle_turn_order()
        for robot in self.order:
            if robot.plays:
                self.take_turn(robot)
        self.move_belts(2)
        self.move_belts(2)
        self.move_belts(1)
        self.push_panels()
        self.turn_gears()
        self.slide_down_ramps()
        self.open_trapdoors()
        self.stomp()
        self.fire_board_lasers()
        self.fire_robot_lasers()
        self.take_energy()
        self.reach_checkpoints()

    def finish(self, robot):
        """Past the last checkpoint. Where the race goes on the robot leaves the board, its cards are discarded."""
        self.finishers.append(robot)
        if self.winner is None:
            self.winner = robot.index
        if self.rules["race_on"]:
            robot.has_finished = True
            robot.virtual = robot.announced = False
            robot.cancel_programming()
            robot.cell = None
            robot.facing = None
            self.settle_virtual()

    def is_over(self):
        """With the first finisher; where the race goes on, when only one robot is left."""
        if not self.rules["race_on"]:
            return self.winner is not None
        return len(self.finishers) > 0 and len(self.finishers) >= len(self.robots) - 1

    # ---- Turn order -----------------------------------------------------------------------------------------------

    def measured_order(self):
        """All robots by priority, who was stomped in the register before last.

        Those off the board have their place behind the others, by seat; a `play.order` names theirs too, and so does
        the list of robots where there is no antenna.
        """
        listed = self.fixed_order is not None or self.board.antenna is None
        cells = {robot: robot.cell for robot in self.robots if robot.is_on_board or listed}
        order = self.in_priority_order(cells)
        order += [robot for robot in self.robots if robot not in order]
        return sorted(order, key=lambda robot: robot.stomped > 0)

    def settle_turn_order(self):
        """Manual Sort and Admin Privilege change the order among those who were not stomped."""
        order = super().settle_turn_order()
        return sorted(order, key=lambda robot: robot.stomped > 0)

    def acts_last(self, robot):
        """Who was stomped does."""
        return robot.stomped > 0

    def offer_shield(self, robot):
        """Deflector Shield is asked of a robot that is not powered down, where another one may shoot."""
        if robot.plays and any(other is not robot and other.plays for other in self.robots):
            super().offer_shield(robot)

    # ---- The outcome ----------------------------------------------------------------------------------------------

    def outcome(self):
        """The outcome object of the scenario files; of the events only those of checkpoints."""
        moves = self.checkpoint_moves
        events = [{"kind": "checkpoint_moved", "number": number, "to": list(cell)} for number, cell in moves]
        return {**super().outcome(), "events": events}

    def outcome_of(self, robot):
        """What the outcome says of one robot."""
        entry = {
            **AnyRace.outcome_of(self, robot),
            "damage": robot.damage,
            "destroyed": robot.rebooted,
            "rebooted": robot.rebooted,
            "active": robot.is_on_board and not robot.rebooted and not robot.was_down,
            "level": self.board.level_of(robot.cell) if robot.cell else None,
            "virtual": robot.virtual,
            "powered_down": robot.powered_down,
        }
        if self.rules["race_on"]:
            entry["place"] = self.finishers.index(robot) + 1 if robot in self.finishers else None
        return entry


play = Race.play
