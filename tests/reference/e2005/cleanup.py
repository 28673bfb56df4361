"""5. Cleanup: repairs and upgrades, wiping registers, setup for the next turn.

Conventions beyond the rulings:

- With a Mechanical Arm the space that was touched in register 5 repairs, or the own one if that repairs more.
- Circuit Breaker powers down whether the robot was powered down in this turn or not; `stay_down` is not asked then.
- Re-entry: facing and adjacent space are asked even if only one is legal. Defaults: the start facing, else clockwise
  from it; the first space by rows. Line of sight: up to three spaces ahead, walls and robots bar it.
- The Option deck is not shuffled anew from its discards here: where that would matter the outcome is undetermined.
"""

from tests.reference.board import clockwise_from, neighbour, spaces_around
from tests.reference.errors import NeedsChance
from tests.reference.race import REGISTERS

from .board import CROSSED
from .cards import cards_in

DAMAGE_AT_REENTRY = 2
SIGHT = 3  # nobody may be put down with a robot in front of it so near


class CleanUp:
    """What a race does after the fifth register."""

    def clean_up(self):
        """In the order of the rulebook."""
        for robot in self.robots:
            if robot.is_on_board:
                self.repair_and_upgrade(robot)
        for robot in self.robots:
            self.wipe_registers(robot)
            if robot.conditional_card is not None:
                self.discard.append(robot.conditional_card)
                robot.conditional_card = None
        self.set_up_next_turn()

    # ---- Repairs and options --------------------------------------------------------------------------------------

    def repair_and_upgrade(self, robot):
        """Single wrench or flag: one token. Crossed wrench and hammer: one token and one option."""
        level = max(self.repair_level(robot, place) for place in (robot.touched or robot.cell, robot.cell))
        if level > 0 and "options_for_repairs" in self.special_rules:
            self.draw_options(robot, 2 if level == CROSSED else 1)
        elif level > 0:
            robot.repair(1)
            if level == CROSSED:
                self.draw_options(robot, 1)
        if robot is self.superbot:
            robot.repair(robot.damage)

    def draw_options(self, robot, count):
        """So many cards of the Option deck, which only a shuffle can tell unless they are known or these are all."""
        known, self.known_options = self.known_options[:count], self.known_options[count:]
        robot.options += known
        count -= len(known)
        if count == 0:
            return
        if len(self.option_deck) > count or (len(self.option_deck) < count and self.option_discards):
            raise NeedsChance("an option is drawn that is not known")
        robot.options += self.option_deck
        self.option_deck = []

    # ---- Registers ------------------------------------------------------------------------------------------------

    def wipe_registers(self, robot):
        """The cards of unlocked registers, and all of a destroyed robot."""
        for register in REGISTERS:
            if robot.is_destroyed or not robot.is_locked(register):
                self.discard_register(robot, register)

    def discard_register(self, robot, register):
        """The cards of one register go to the discards; the priority number stays as it was."""
        self.discard += cards_in(robot.registers[register])
        robot.registers[register] = None

    # ---- Setup for the next turn ----------------------------------------------------------------------------------

    def set_up_next_turn(self):
        """Who is powered down in the next turn, and who comes back."""
        was_down = [robot for robot in self.robots if robot.powered_down and not robot.is_destroyed]
        for robot in self.robots:
            robot.powered_down = robot.will_power_down and not robot.is_destroyed
            if self.breaks_circuit(robot):
                robot.powered_down = True
        for robot in was_down:
            if not robot.powered_down and self.may_power_down():
                robot.powered_down = self.agrees(robot, "stay_down")
        for robot in self.destroyed_last_turn if "sit_out" in self.special_rules else self.destroyed_this_turn:
            if robot.lives > 0:
                self.reenter(robot)
        for robot in self.robots:
            if robot in self.sent_home:
                self.enter_yard(robot)
        self.sent_home = []

    def may_power_down(self):
        """Factory Rejects cannot."""
        return "no_power_down" not in self.special_rules

    def breaks_circuit(self, robot):
        """Circuit Breaker: with three damage tokens at the end of the turn."""
        return robot.has("circuit_breaker") and robot.damage >= 3 and not robot.is_destroyed and self.may_power_down()

    # ---- Re-entry -------------------------------------------------------------------------------------------------

    def reenter(self, robot):
        """Onto the archive space, or beside it; with two damage tokens; powered down if the player wishes."""
        self.choose_space(robot)
        robot.is_destroyed = False
        robot.damage = 0 if robot.has("superior_archive") else DAMAGE_AT_REENTRY
        robot.extra_locks = set()
        if self.may_power_down():
            robot.powered_down = self.agrees(robot, "reenter_powered_down")

    def choose_space(self, robot):
        """The space of its Archive marker or one beside it (R63)."""
        all_facings = clockwise_from(self.board.start_facing)
        if self.is_free(robot.archive):  # else a robot is there, or a pit where the board has turned
            self.stand(robot, robot.archive, all_facings)
            return
        around = [cell for cell in spaces_around(robot.archive) if self.is_free(cell)]
        unseen = self.spaces_unseen(around, all_facings)
        if unseen:
            self.put_down(robot, unseen)
        else:
            free = [cell for cell in self.board.cells() if self.is_free(cell)]
            nearest = min(free, key=lambda cell: ring(cell, robot.archive))  # the first of several, by rows
            self.stand(robot, nearest, all_facings)

    def put_down(self, robot, legal, default=None):
        """On one of these spaces, with one of its facings."""
        names = [f"{x},{y}" for x, y in legal]
        name = self.answers.ask(robot, "reentry_cell", names, default or names[0])
        cell = tuple(int(number) for number in name.split(","))
        self.stand(robot, cell, legal[cell])

    def stand(self, robot, cell, facings):
        """The robot stands there; of the facings that are allowed the first is the default."""
        robot.cell = cell
        robot.facing = self.answers.ask(robot, "reboot_facing", facings, facings[0])

    def spaces_unseen(self, cells, facings, team=None):
        """The spaces with a facing that sees no robot (no enemy of a team), and those facings."""
        legal = {cell: [facing for facing in facings if not self.sees_a_robot(cell, facing, team)] for cell in cells}
        return {cell: allowed for cell, allowed in legal.items() if allowed}

    def is_free(self, cell):
        """On the board, no pit, no robot."""
        return not self.board.is_deadly(cell) and self.robot_at(cell) is None

    def sees_a_robot(self, cell, facing, team=None):
        """Is a robot (but one of that team) in the line of sight from there, three spaces away or closer?"""
        for _ in range(SIGHT):
            if self.board.is_shut(cell, facing):
                return False
            cell = neighbour(cell, facing)
            robot = self.robot_at(cell)
            if robot is not None:
                return team is None or robot.team != team
        return False


def ring(cell, middle):
    """Which ring of spaces round the middle the cell is in."""
    return max(abs(cell[0] - middle[0]), abs(cell[1] - middle[1]))
