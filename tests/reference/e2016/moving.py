"""Moving, pushing and rebooting, with the upgrades that change them.

Conventions beyond the rulings:

- A contact (Side Arms) is a step into a cell that no wall shuts off and where a robot stands, made or not.
- A touch (R45) is a step that was made with a robot directly before the mover, or pushed aside by it.
- Who hovers falls when the card ends; all who are then on a pit fall at once and reboot in turn order. So do several
  that fall by one step (which takes a robot that hovered).
"""

from tests.reference.board import cell_of, clockwise_from, left_of, neighbour, opposite, right_of

from .board import priority_key
from .upgrades import respects_limits


class Moving:
    """How the robots of a race move."""

    # ---- One card, or one Boink -----------------------------------------------------------------------------------

    def begin_card(self):
        """Nobody has been met or touched by this card yet."""
        self.met = set()
        self.touched = set()

    def end_card(self):
        """Robots that hover over a pit fall (Hover Unit)."""
        fallen = [robot for robot in self.order if robot.cell in self.board.pits]
        for robot in fallen:
            self.take_off(robot)
        for robot in fallen:
            self.reboot(robot, [])

    def move_one(self, robot):
        """A Move 1, which Brakes and Crab Legs may change (R49)."""
        if self.can_step_to(robot, robot.facing):
            if robot.can_use("brakes") and self.agrees(robot, "brakes"):
                return
            if robot.can_use("crab_legs"):
                side = self.answers.ask(robot, "crab_legs", ["no", "left", "right"])
                if side != "no":
                    self.walk_as_a_crab(robot, side)
                    return
        self.move(robot, robot.facing, 1)

    def can_step_to(self, robot, direction):
        """Is a step in this direction possible, be it that Side Arms clear the way?"""
        return bool(self.line_of_push(robot, direction) or self.sides_for_arms(robot, direction))

    def walk_as_a_crab(self, robot, side):
        """Crab Legs: ahead, aside, ahead, each an ordinary step; a blocked one ends the move."""
        aside = left_of(robot.facing) if side == "left" else right_of(robot.facing)
        for direction in (robot.facing, aside, robot.facing):
            if robot.rebooted or not self.step(robot, direction):
                return

    def move(self, robot, direction, steps):
        """Up to `steps` steps; the first that is stopped ends the move, and so does a reboot."""
        if self.teleports(robot, direction, steps):
            return
        for _ in range(steps):
            stopped = not self.step(robot, direction)
            if stopped or robot.rebooted:
                return

    def teleports(self, robot, direction, steps):
        """Teleporter: for one energy straight to the last cell; a robot there changes places."""
        cell = robot.cell
        for _ in range(steps):
            cell = neighbour(cell, direction)
        if not robot.can_use("teleporter") or robot.energy < 1:
            return False
        if self.board.is_deadly(cell) or cell == self.board.antenna or not self.agrees(robot, "teleporter"):
            return False
        robot.energy -= 1
        other = self.robot_at(cell)
        if other is not None:
            other.cell = robot.cell
        robot.cell = cell
        return True

    def step(self, robot, direction):
        """One step of a robot by its own card or Boink (R10); returns whether it was made."""
        met = self.robot_ahead(robot, direction)
        aside = self.choose_side(robot, direction, met)
        line = self.line_of_push(robot, direction)
        if aside is not None:
            fallen = self.shift(self.line_of_push(met, aside), aside, may_hover=True)
            fallen += self.shift([robot], direction, may_hover=True)
        elif line is not None:
            fallen = self.shift(line, direction, may_hover=True)
        else:
            return False
        if met is not None and met not in self.touched:
            self.touched.add(met)
            self.push_effects(robot, met)
        for other in self.in_turn_order(fallen):
            self.reboot(other, [])
        return True

    def push(self, robot, direction):
        """A robot is pushed by a panel or a weapon, with every robot in line; returns whether it could be."""
        line = self.line_of_push(robot, direction)
        if line is None:
            return False
        for other in self.shift(line, direction):
            self.reboot(other, [])
        return True

    # ---- Upgrades upon a push -------------------------------------------------------------------------------------

    def sides_for_arms(self, robot, direction):
        """The sides to which Side Arms can push the robot ahead (or behind), side -> direction."""
        met = self.robot_ahead(robot, direction)
        if met is None or direction not in (robot.facing, opposite(robot.facing)) or not robot.can_use("side_arms"):
            return {}
        sides = {"left": left_of(robot.facing), "right": right_of(robot.facing)}
        return {side: aside for side, aside in sides.items() if self.line_of_push(met, aside)}

    def choose_side(self, robot, direction, met):
        """Side Arms, asked at the first contact of a card with each robot: the direction, or None."""
        if met is None or met in self.met:
            return None
        self.met.add(met)
        sides = self.sides_for_arms(robot, direction)
        side = self.answers.ask(robot, "side_arms", ["no", *sides]) if sides else "no"
        return sides.get(side)

    def push_effects(self, robot, pushed):
        """What upgrades do to a robot that was touched and moved (R45, R46)."""
        cards = list(robot.upgrades)  # as they are now: what Modular Chassis brings does not count yet
        worm = "blue_screen_of_death" in cards and self.agrees(robot, "blue_screen_of_death")
        if worm:
            self.deal(pushed, "worm")
        if "modular_chassis" in cards:
            self.exchange_chassis(robot, pushed)
        horse = "trojan_needler" in cards and not worm
        if "ramming_gear" in cards and not horse:
            asked = "corruption_wave" in cards and self.box["spam"] > 0
            self.deal(pushed, "spam", on_top=asked and self.agrees(robot, "corruption_wave"))
        if horse:
            self.deal(pushed, "trojan_horse")
        if "virus_module" in cards:
            self.deal(pushed, "virus")

    def exchange_chassis(self, robot, pushed):
        """Modular Chassis: it goes to the pushed robot, for one of its upgrades."""
        legal = [name for name in sorted(pushed.upgrades) if self.may_exchange(robot, pushed, name)]
        name = self.answers.ask(robot, "modular_chassis", ["no", *legal]) if legal else "no"
        if name == "no":
            return
        robot.upgrades.remove("modular_chassis")
        pushed.upgrades.remove(name)
        robot.upgrades.append(name)
        pushed.upgrades.append("modular_chassis")
        if name in pushed.used:  # the mark goes with the card
            pushed.used.remove(name)
            robot.used.add(name)

    def may_exchange(self, robot, pushed, name):
        """Would both respect the limits, and neither have an upgrade twice? (R52)"""
        if name in robot.upgrades or "modular_chassis" in pushed.upgrades:
            return False
        mine = [other for other in robot.upgrades if other != "modular_chassis"] + [name]
        theirs = [other for other in pushed.upgrades if other != name] + ["modular_chassis"]
        return respects_limits(mine) and respects_limits(theirs)

    # ---- Lines of robots ------------------------------------------------------------------------------------------

    def in_turn_order(self, robots):
        """These robots, in the turn order of the register."""
        return [robot for robot in self.order if robot in robots] if len(robots) > 1 else robots

    def shift(self, line, direction, may_hover=False):
        """Moves the whole line by one cell (R17a) and returns those that fell, none of them on the board any more."""
        for robot in line:
            robot.move_to(neighbour(robot.cell, direction))
        fallen = [robot for robot in line if self.falls(robot, may_hover)]
        for robot in fallen:
            self.take_off(robot)
        return fallen

    def take_off(self, robot):
        """Off the board, of which it keeps in mind where that was (R16)."""
        robot.fell_at = self.last_cell(robot)
        robot.cell = None

    def falls(self, robot, may_hover):
        """Is it off the board, or over a pit, where only a Hover Unit holds it while a card is carried out?"""
        over_pit = robot.cell in self.board.pits
        return self.board.is_deadly(robot.cell) and not (over_pit and may_hover and robot.can_use("hover_unit"))

    # ---- Reboot ---------------------------------------------------------------------------------------------------

    def reboot(self, robot, chain, spam=True):
        """Reboots a robot; `chain` are those whose reboots led to this one (Rebooting, R15 to R20)."""
        has_firewall = robot.can_use("firewall")
        if robot.cell is not None:
            self.take_off(robot)
        robot.rebooted = True
        robot.reboots += 1
        if spam and not has_firewall:
            self.deal(robot, "spam")
            self.deal(robot, "spam")
        robot.cancel_programming()
        self.put_down(robot, [*chain, robot])

    def put_down(self, robot, chain):
        """Onto the token, else onto its own start space, else as near to that as can be (R16, R17, R17b)."""
        board = self.board
        token = board.token_for(robot.fell_at)
        if token is not None and self.arrive(robot, cell_of(token), token["facing"], chain):
            return
        if self.arrive(robot, robot.start, board.start_facing, chain):
            return
        robot.cell = self.nearest_free_cell(robot.start)
        self.choose_facing(robot, board.start_facing)

    def arrive(self, robot, cell, arrow, chain):
        """Puts the robot down here if the space is free or can be made free; returns whether it could."""
        occupant = self.robot_at(cell)
        if occupant is None:
            robot.cell = cell
            self.choose_facing(robot, arrow)
            return True
        for direction in clockwise_from(arrow):
            line = self.line_of_push(occupant, direction)
            if line is None or self.would_fall_again(line, direction, chain):
                continue
            fallen = self.shift(line, direction)
            robot.cell = cell
            self.choose_facing(robot, arrow)
            for other in self.in_turn_order(fallen):
                self.reboot(other, chain)
            return True
        return False

    def would_fall_again(self, line, direction, chain):
        """Would the push make a robot fall that has already rebooted in this chain? (R17b)"""
        return any(robot in chain and self.board.is_deadly(neighbour(robot.cell, direction)) for robot in line)

    def nearest_free_cell(self, start):
        """The free cell nearest to a start space that is occupied (R17b)."""
        board = self.board
        cells = [cell for cell in board.cells() if not board.is_deadly(cell) and cell != board.antenna]
        free = [cell for cell in cells if not self.robot_at(cell)]
        return min(free, key=lambda cell: priority_key(cell, start, board.start_facing))

    def choose_facing(self, robot, default):
        """Any facing, when the robot is put down (R19)."""
        robot.facing = self.answers.ask(robot, "reboot_facing", list("NESW"), default)
