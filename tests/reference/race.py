"""What a race is in all editions: its parts, who stands where, and the rulings for all of them (R1, R3, R10, R13, R33).

An edition's own race adds its rules.
"""

from .answers import Answers
from .board import Board, cell_of, neighbour
from .errors import BadScenario

REGISTERS = range(1, 6)


class Robot:
    """A robot as a scenario has it."""

    def __init__(self, index, entry):
        self.index = index
        self.cell = cell_of(entry)  # None while it is off the board
        self.left = self.cell  # the cell that it left last
        self.facing = entry["facing"]
        self.checkpoint = entry.get("checkpoint", 0)
        self.energy = entry.get("energy", 5)
        cards = list(entry.get("registers") or [])
        self.registers = dict(zip(REGISTERS, cards + [None] * (5 - len(cards)), strict=True))
        self.hand = list(entry.get("hand", []))

    def move_to(self, cell):
        """It is now on that cell, which need not be on the board."""
        self.left, self.cell = self.cell, cell


class Race:
    """One race: the board, the robots, the players' answers, and the order of play."""

    edition = ""
    default_rules = ()
    board_class = Board
    answers_class = Answers

    def __init__(self, scenario, answers=None):
        if scenario.get("edition", "2016") != self.edition or "map" not in scenario:
            raise BadScenario(f"the reference plays the {self.edition} edition on a map")
        self.rules = {**dict(self.default_rules), **scenario.get("rules", {})}
        self.span = scenario["play"]
        self.board = self.board_class(scenario["map"])
        self.robots = [self.new_robot(index, entry) for index, entry in enumerate(scenario["robots"])]
        self.check_checkpoints(scenario)
        self.answers = answers or self.answers_class(scenario.get("answers", []))
        self.fixed_order = self.span.get("order")
        self.round = 1
        self.register = 0
        self.order = []  # the robots in the turn order of the register
        self.winner = None

    def check_checkpoints(self, scenario):
        """Nobody has reached the last one: the race would be over (R94)."""
        last = max((spot["number"] for spot in scenario["map"].get("checkpoints", [])), default=0)
        if last and any(robot.checkpoint >= last for robot in self.robots):
            raise BadScenario("the race is over")

    @classmethod
    def play(cls, scenario):
        """Plays the scenario and returns its outcome."""
        race = cls(scenario)
        race.run()
        race.answers.check_all_were_asked()
        return race.outcome()

    def run(self):
        """Plays what the scenario says."""
        if "rounds" not in self.span:
            self.play_registers(self.span["from"], self.span["to"])
            return
        for number in range(1, self.span["rounds"] + 1):
            self.round = number
            self.play_round()
            if self.is_over():
                return

    def play_registers(self, first, last):
        """These registers, until the race is over."""
        for register in range(first, last + 1):
            self.play_register(register)
            if self.is_over():
                return

    def is_over(self):
        """Has somebody won?"""
        return self.winner is not None

    def agrees(self, robot, decision):
        """Does the player say yes?"""
        return self.answers.ask(robot, decision, ["no", "yes"]) == "yes"

    # ---- Who stands where -----------------------------------------------------------------------------------------

    def robot_at(self, cell):
        """The robot that stands on the cell, or None."""
        for robot in self.robots:
            if robot.cell == cell:
                return robot
        return None

    def last_cell(self, robot):
        """The cell that the robot is on, or that it left over the edge."""
        return robot.cell if self.board.has(robot.cell) else robot.left

    def robot_ahead(self, robot, direction):
        """The robot in the next cell, if no wall is between."""
        if self.board.is_shut(robot.cell, direction):
            return None
        return self.robot_to_push(neighbour(robot.cell, direction))

    def line_of_push(self, robot, direction):
        """The robots that one step of this one moves, itself first; None where something stops it (R10)."""
        line = [robot]
        while True:
            last = line[-1]
            if self.board.is_shut(last.cell, direction):
                return None
            ahead = self.robot_to_push(neighbour(last.cell, direction))
            if ahead is None:
                return line
            line.append(ahead)

    def robot_to_push(self, cell):
        """The robot that who comes to this cell meets."""
        return self.robot_at(cell)

    # ---- Board elements -------------------------------------------------------------------------------------------

    def settle_conflicts(self, here, wanted):
        """Sends belt movers home until no cell is wanted twice and no two robots change places (R1, R3)."""
        while True:
            sent_home = [
                robot
                for robot in wanted
                if wanted[robot] != here[robot]
                and any(self.in_the_way(robot, other, here, wanted) for other in wanted if other is not robot)
            ]
            if not sent_home:
                return wanted
            wanted = {robot: here[robot] if robot in sent_home else wanted[robot] for robot in wanted}

    def in_the_way(self, robot, other, here, wanted):
        """Does the other robot keep this one from the cell that it wants?"""
        if self.board.is_deadly(wanted[robot]):
            return False
        same_cell = wanted[other] == wanted[robot]
        swap = wanted[other] == here[robot] and wanted[robot] == here[other]
        return same_cell or swap

    def push_panels(self):
        """Panels push the robots that stood on them when the phase began and still do (R13)."""
        panels = self.board.panels
        on_them = [(robot, robot.cell) for robot in self.order if robot.cell in panels]
        for robot, cell in on_them:
            if robot.cell == cell and self.register in panels[cell]["registers"]:
                self.push(robot, panels[cell]["push"])

    def target(self, laser):
        """The first robot in the beam of a board laser, or None."""
        standing = (self.robot_at(cell) for cell in self.board.beam(cell_of(laser), laser["fires"]))
        return next((robot for robot in standing if robot is not None), None)

    def board_laser_hits(self):
        """The board lasers that hit, each with its robot; one nearest to both ends of a line is hit once (R33)."""
        hits = []
        counted = []
        for laser in self.board.lasers:
            robot = self.target(laser)
            if robot is None:
                continue
            counted.append(laser)
            far_end = self.board.far_end(laser)
            if self.rules["two_ended_lasers"] == "both" or far_end not in counted or self.target(far_end) is not robot:
                hits.append((laser, robot))
        return hits

    # ---- The outcome ----------------------------------------------------------------------------------------------

    def outcome(self):
        """The outcome object of the scenario files, without events."""
        robots = [self.outcome_of(robot) for robot in self.robots]
        outcome = {"round": self.round, "register": self.register, "winner": self.winner, "robots": robots}
        if "rounds" in self.span:
            outcome["shop"] = self.for_sale()
            for entry, robot in zip(robots, self.robots, strict=True):
                entry.update(self.cards_of(robot))
        return {**outcome, "decisions": self.answers.record}

    def outcome_of(self, robot):
        """What the outcome says of one robot."""
        x, y = robot.cell or (None, None)
        registers = list(robot.registers.values())
        counters = {"checkpoint": robot.checkpoint, "energy": robot.energy}
        return {"x": x, "y": y, "facing": robot.facing, "registers": registers, **counters}

    def for_sale(self):
        """The upgrades in the shop, where there is one."""
        return []
