"""C. Board elements move: express belts, express and normal belts, pushers, gears."""

from tests.reference.board import left_of, right_of

from .board import EXPRESS, NORMAL


class Elements:
    """What the board of a race does after the robots."""

    def move_board_elements(self):
        """In the order of the rulebook."""
        self.move_belts({EXPRESS})
        self.move_belts({EXPRESS, NORMAL})
        self.push_pushers()
        self.turn_gears()

    # ---- Belts ----------------------------------------------------------------------------------------------------

    def move_belts(self, speeds):
        """One step of the belts of these speeds, all at once: moves and turns, then the falls (R1 to R8)."""
        self.carry_flags(speeds)
        here = {robot: robot.cell for robot in self.order if not robot.is_destroyed}
        wanted = {robot: self.board.belt_target(cell, *speeds) or cell for robot, cell in here.items()}
        wanted = self.settle_conflicts(here, wanted)
        for robot, cell in here.items():
            if wanted[robot] == cell:
                continue
            robot.cell = wanted[robot]
            if not robot.gyroscope_is_on:
                robot.facing = self.board.belt_turn(robot.facing, self.board.belts[cell]["out"], robot.cell)
        for robot in here:
            if self.board.is_deadly(robot.cell):
                self.destroy(robot)

    def settle_conflicts(self, here, wanted):
        """Sends belt movers home until no cell is wanted twice and no two robots change places (R1, R3)."""
        while True:
            sent_home = [
                robot
                for robot in here
                if wanted[robot] != here[robot]
                and any(self.is_in_the_way(robot, other, here, wanted) for other in here if other is not robot)
            ]
            if not sent_home:
                return wanted
            wanted = {robot: here[robot] if robot in sent_home else wanted[robot] for robot in here}

    def is_in_the_way(self, robot, other, here, wanted):
        """Does the other robot keep this one from the cell that it wants?"""
        if self.board.is_deadly(wanted[robot]):
            return False
        same_cell = wanted[other] == wanted[robot]
        swap = wanted[other] == here[robot] and wanted[robot] == here[other]
        return same_cell or swap

    def carry_flags(self, speeds):
        """Moving Targets: belts carry the flags too; walls stop them, nothing else does."""
        if "moving_flags" not in self.special_rules:
            return
        for number, cell in self.board.flags.items():
            target = None if cell is None else self.board.belt_target(cell, *speeds)
            if target is not None:
                self.board.flags[number] = None if self.board.is_deadly(target) else target

    def bring_flags_back(self):
        """A flag that fell appears in its starting location at the beginning of the next phase."""
        for number, cell in self.board.flags.items():
            if cell is None:
                self.board.flags[number] = self.board.first_cells[number]

    # ---- Pushers and gears ----------------------------------------------------------------------------------------

    def push_pushers(self):
        """Active pushers push the robots that stood on them when the phase began and still do (R13)."""
        pushers = self.board.panels
        on_them = [(robot, robot.cell) for robot in self.order if robot.cell in pushers]
        for robot, cell in on_them:
            if robot.cell == cell and self.register in pushers[cell]["registers"]:
                self.push(robot, pushers[cell]["push"])

    def turn_gears(self):
        """Gears turn the robots on them, but not with the Gyroscopic Stabilizer on."""
        for robot in self.robots:
            if robot.is_destroyed or robot.gyroscope_is_on:
                continue
            if self.board.gears.get(robot.cell) == "cw":
                robot.facing = right_of(robot.facing)
            elif self.board.gears.get(robot.cell) == "ccw":
                robot.facing = left_of(robot.facing)
