"""C. Board elements move: express belts, express and normal belts, pushers, gears."""

from .board import EXPRESS, NORMAL


class Elements:
    """What the board of a race does after the robots."""

    def move_board_elements(self):
        """In the order of the rulebook."""
        self.move_belts({EXPRESS})
        self.move_belts({EXPRESS, NORMAL})
        self.push_panels()  # pushers, in this edition's words
        self.turn_gears()

    # ---- Belts ----------------------------------------------------------------------------------------------------

    def move_belts(self, speeds):
        """One step of the belts of these speeds, all at once: moves and turns, then the falls (R1 to R8)."""
        self.carry_flags(speeds)
        here = {robot: robot.cell for robot in self.order if robot.is_on_board}
        wanted = {robot: self.board.belt_target(cell, *speeds) or cell for robot, cell in here.items()}
        wanted = self.settle_conflicts(here, wanted)
        for robot, cell in here.items():
            if wanted[robot] == cell:
                continue
            robot.move_to(wanted[robot])
            if not robot.gyroscope_is_on:
                robot.facing = self.board.belt_turn(robot.facing, self.board.belts[cell]["out"], robot.cell)
        for robot, cell in here.items():
            if robot.cell != cell and self.board.is_deadly(robot.cell):
                self.destroy(robot)

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
            if cell is None and number not in self.carriers:
                self.board.flags[number] = self.board.first_cells[number]

    # ---- Gears ----------------------------------------------------------------------------------------------------

    def turn_gears(self):
        """Gears turn the robots on them, but not with the Gyroscopic Stabilizer on."""
        for robot in self.robots:
            if robot.is_on_board and not robot.gyroscope_is_on:
                robot.facing = self.board.gear_turn(robot.facing, robot.cell)
