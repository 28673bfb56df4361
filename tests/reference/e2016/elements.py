"""Board elements, board lasers, energy and checkpoints."""


class Elements:
    """What the board of a race does after the robots."""

    # ---- Board elements -------------------------------------------------------------------------------------------

    def move_belts(self, speed, at_rest):
        """One step of all belts of one colour: all moves and turns, then the falls (R1 to R8, R17a)."""
        self.carry_checkpoints(speed, at_rest)
        left = {robot: robot.cell for robot in self.robots}
        wanted = self.settle_conflicts(left, self.wanted_cells(speed))
        fallen = {}
        for robot in self.robots:
            if wanted[robot] == left[robot]:
                continue
            direction = self.board.belts[left[robot]]["out"]
            robot.move_to(wanted[robot])
            robot.facing = self.board.belt_turn(robot.facing, direction, robot.cell)
            if self.board.is_deadly(robot.cell):
                self.take_off(robot)
                fallen[robot] = left[robot]
        for robot in self.in_priority_order(fallen):
            self.reboot(robot, [])

    def wanted_cells(self, speed):
        """Every robot's wish: the next cell for those on an acting belt, its own for the others (R1, R4)."""
        return {robot: self.board.belt_target(robot.cell, speed) or robot.cell for robot in self.robots}

    def carry_checkpoints(self, speed, at_rest):
        """Checkpoints on acting belts are carried; one that is lost is reset and rests (R38, R38a)."""
        if not self.board.checkpoints_move:
            return
        for number, cell in self.board.checkpoints.items():
            target = self.board.belt_target(cell, speed)
            if target is None or number in at_rest:
                continue
            if self.board.is_deadly(target):
                target = self.board.first_cells[number]
                at_rest.add(number)
                self.fell_with |= {(robot, number) for robot in self.robots if robot.cell == cell}
            self.board.checkpoints[number] = target

    def turn_gears(self):
        """Gears turn the robots that rest on them."""
        for robot in self.robots:
            robot.facing = self.board.gear_turn(robot.facing, robot.cell)

    def fire_board_lasers(self):
        """One SPAM for each beam that hits; all hits are found first, then dealt (R32, R33)."""
        hits = dict.fromkeys(self.robots, 0)
        for laser, robot in self.board_laser_hits():
            hits[robot] += laser["beams"]
        self.deal_hits(hits)

    def deal_hits(self, hits):
        """Deals the SPAM for hits in the turn order of the register."""
        for robot in self.order:
            for _ in range(hits[robot]):
                self.deal(robot, "spam")

    # ---- The end of a register ------------------------------------------------------------------------------------

    def take_energy(self):
        """The cube of an energy space; in register five one from the bank where none lies (R36)."""
        for robot in self.robots:
            if robot.cell in self.board.cubes:
                self.board.cubes.remove(robot.cell)
                robot.energy += 1
            elif robot.cell in self.board.energy_spaces and self.register == 5:
                robot.energy += 1

    def reach_checkpoints(self):
        """The next checkpoint in order counts, one a register; the highest wins (R37)."""
        for robot in self.robots:
            following = robot.checkpoint + 1
            on_it = following in self.board.checkpoints and robot.cell == self.board.checkpoints[following]
            if on_it and (robot, following) not in self.fell_with:
                robot.checkpoint = following
                if following == max(self.board.checkpoints):
                    self.winner = robot.index
