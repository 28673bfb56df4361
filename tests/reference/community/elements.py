"""Board elements: belts, pushers, gears, ramps, trapdoors, stompers; board lasers, energy, checkpoints.

Conventions beyond the rulings:

- Those slide who stand on a ramp that is on when the phase begins, each only if the ramp is still on then. A virtual
  robot slides onto robots too.
- Robots that share a cell: the first seat takes the cube; of two on the last checkpoint the first in turn order wins.
"""

from tests.reference.board import neighbour
from tests.reference.e2016.elements import Elements as Elements2016

STOMP = 2  # damage


class Elements(Elements2016):
    """What the board of a race does after the robots."""

    # ---- Belts ----------------------------------------------------------------------------------------------------

    def move_belts(self, speed):
        """One step of all belts of one speed: moves and turns, then what comes of it (R1 to R8)."""
        self.carry_checkpoints(speed)
        here = {robot: robot.cell for robot in self.order if robot.is_on_board}
        wanted = {robot: self.board.belt_target(cell, speed) or cell for robot, cell in here.items()}
        wanted.update(self.settle_conflicts(here, {robot: wanted[robot] for robot in here if not robot.virtual}))
        steps = []
        for robot, cell in here.items():
            if wanted[robot] != cell:
                direction = self.board.belts[cell]["out"]
                steps.append((robot, self.board.drop(cell, direction)))
                robot.move_to(wanted[robot])
                robot.facing = self.board.belt_turn(robot.facing, direction, robot.cell)
        self.land(steps)

    # ---- Checkpoints ----------------------------------------------------------------------------------------------

    def carry_checkpoints(self, speed):
        """Checkpoints ride the belts, but never to where they could not be reached (Checkpoints, Map)."""
        for number, cell in self.board.checkpoints.items():
            belt = self.board.belts.get(cell)
            if belt is not None and belt["speed"] == speed:
                self.carry(number, cell, belt["out"])

    def carry(self, number, cell, direction):
        """Moves one checkpoint by one cell if it may be there."""
        if self.board.carries_checkpoint(cell, direction):
            self.board.checkpoints[number] = neighbour(cell, direction)
            self.checkpoint_moves.append((number, self.board.checkpoints[number]))

    # ---- Pushers, gears, ramps ------------------------------------------------------------------------------------

    def push_panels(self):
        """Pushers push the checkpoints and then the robots that were on them when the phase began (R13)."""
        panels = {cell: panel for cell, panel in self.board.panels.items() if self.register in panel["registers"]}
        for number, cell in list(self.board.checkpoints.items()):
            if cell in panels:
                self.carry(number, cell, panels[cell]["push"])
        super().push_panels()

    def slide_down_ramps(self):
        """Who stands on a ramp slips down to the cell at its foot, unless a robot is there."""
        riders = [robot for robot in self.order if self.foot_of(robot.cell) is not None]
        for robot in riders:
            direction = self.foot_of(robot.cell)
            if direction is not None and self.line_of_push(robot, direction) == [robot]:
                self.shift([robot], direction)

    # ---- Trapdoors, stompers --------------------------------------------------------------------------------------

    def open_trapdoors(self):
        """Active trapdoors destroy."""
        for robot in self.order:
            if self.register in self.board.trapdoors.get(robot.cell, []):
                self.destroy(robot)
        self.settle_virtual()

    def stomp(self):
        """Active stompers: two damage, and the robot acts last in the next register."""
        for robot in self.order:
            robot.stomped = 0  # what it was stomped before is over now
            if self.register in self.board.stompers.get(robot.cell, []) and not robot.virtual:
                robot.stomped = self.register
                self.deal_tokens(robot, STOMP)
        self.settle_virtual()

    # ---- Lasers, checkpoints --------------------------------------------------------------------------------------

    def fire_board_lasers(self):
        """All hits are found, then dealt."""
        super().fire_board_lasers()
        self.settle_virtual()

    def reach_checkpoints(self):
        """The next checkpoint in order counts, one a register; the first to have all wins."""
        last = max(self.board.checkpoints, default=0)
        for robot in self.order:
            following = robot.checkpoint + 1
            if robot.is_on_board and self.board.checkpoints.get(following) == robot.cell:
                robot.checkpoint = following
                if following == last:
                    self.finish(robot)
