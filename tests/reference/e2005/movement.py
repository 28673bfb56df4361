"""B. Robots move: cards, steps and pushes, with the options that change them.

Conventions beyond the rulings:

- Brakes, Fourth Gear and Reverse Gear are asked when the robot's turn comes, whether or not its way is free; not for
  two cards in one register.
- Two cards in a register need an option when they are placed. If it has been lost since then, they are played as by the
  other one, if the robot has that; else as by the one that it had then (had it both: Crab Legs).
- Ramming Gear: a robot is touched where a step of an own card leads into its cell and no wall is between. The token
  comes before the push. The others of a chain are not touched.
- Radio Control: the controlled robot comes right after its controller in the order of the register, whose choice of
  options does not count for it; two cards in a register it plays as the controller did. If the controller is destroyed
  before, it plays its own card at its own place in the order, or at once if that has gone by. (There is one Radio
  Control, so nobody controls a robot that controls another.)
- A powered-down robot executes nothing, be it controlled or not.
"""

from tests.reference.board import left_of, neighbour, opposite, right_of

from .cards import action_of, cards_in, suits_crab_legs
from .robot import DESTRUCTION

STEPS = {"move_1": 1, "move_2": 2, "move_3": 3, "back_up": 1}


class Movement:
    """How the robots of a race move."""

    def move_robots(self):
        """Each robot executes its card, by priority; one under Radio Control that of its controller."""
        waiting = list(self.robots)
        while waiting:
            robot = min(waiting, key=self.order.index)  # the order changes when a controller is destroyed
            waiting.remove(robot)
            if robot.is_running:
                self.execute(robot, robot.controller or robot)

    # ---- One card -------------------------------------------------------------------------------------------------

    def execute(self, robot, leader):
        """The card (or two cards) in the leader's register of this phase."""
        self.touched_by_card = set()
        self.may_use_options = robot is leader
        cards = cards_in(leader.registers[self.register])
        if len(cards) == 2:
            self.execute_pair(robot, leader, *cards)
        elif cards:
            self.execute_card(robot, action_of(cards[0]))

    def execute_card(self, robot, action):
        """Moves or turns the robot as the card says, or as an option of its own lets it."""
        if action in STEPS:
            direction = opposite(robot.facing) if action == "back_up" else robot.facing
            self.move(robot, direction, self.choose_steps(robot, action))
        else:
            self.turn(robot, action)

    def choose_steps(self, robot, action):
        """Brakes, Fourth Gear, Reverse Gear."""
        option, steps = {"move_1": ("brakes", 0), "move_3": ("fourth_gear", 4), "back_up": ("reverse_gear", 2)}.get(
            action, (None, None)
        )
        if self.may_use_options and robot.has(option) and self.agrees(robot, option):
            return steps
        return STEPS[action]

    def turn(self, robot, action):
        """A rotation card."""
        robot.facing = {"turn_left": left_of, "turn_right": right_of, "u_turn": opposite}[action](robot.facing)

    def execute_pair(self, robot, leader, first, second):
        """Two cards: a step aside (Crab Legs), or one step less and a rotation (Dual Processor)."""
        if robot is leader:
            leader.pair_means = self.choose_meaning(leader, first, second)
        move, turn = action_of(first), action_of(second)
        if leader.pair_means == "crab_legs":
            aside = left_of(robot.facing) if turn == "turn_left" else right_of(robot.facing)
            self.move(robot, aside, 1)
            return
        direction = opposite(robot.facing) if move == "back_up" else robot.facing
        self.move(robot, direction, max(0, STEPS[move] - (2 if turn == "u_turn" else 1)))
        if not robot.is_destroyed:
            self.turn(robot, turn)

    def choose_meaning(self, robot, first, second):
        """Which option the two cards are for: one that it has, else one that it had; asked where it has both."""
        suits = {"crab_legs": suits_crab_legs(first, second), "dual_processor": True}
        owned = [name for name in robot.options_for_pairs() if suits[name]]
        if len(owned) == 2:
            return "crab_legs" if self.agrees(robot, "crab_legs") else "dual_processor"
        return (owned or [name for name in robot.pair_options[self.register] if suits[name]])[0]

    # ---- Steps and pushes -----------------------------------------------------------------------------------------

    def move(self, robot, direction, steps):
        """Up to `steps` steps; the first that is stopped ends the move (R10), and so does destruction (R11)."""
        for _ in range(steps):
            if not self.step(robot, direction) or robot.is_destroyed:
                return

    def step(self, robot, direction):
        """One step by a card, pushing every robot in line; returns whether it was made."""
        ahead = self.robot_ahead(robot, direction)
        line = self.line_of_push(robot, direction)
        if line is not None:
            if len(line) > 1:
                line[1].last_attacker = robot  # directly pushed
            self.note_push(robot, line[1:])
            self.shift(line, direction)
        if ahead is not None:
            self.ram(robot, ahead)
        return line is not None

    def ram(self, robot, ahead):
        """Ramming Gear: one damage token for a robot pushed or bumped into, once a card, after the step (R64)."""
        if not self.may_use_options or not robot.has("ramming_gear") or ahead in self.touched_by_card:
            return
        self.touched_by_card.add(ahead)
        if ahead.is_destroyed:
            return
        self.deal_damage(ahead, side=None)
        if ahead.damage >= DESTRUCTION:
            self.destroy(ahead)

    def push(self, robot, direction, shooter=None):
        """A robot is pushed by a pusher or a weapon, with every robot in line."""
        line = self.line_of_push(robot, direction)
        if line is not None:
            self.note_push(shooter, line)
            self.shift(line, direction)

    def robot_to_push(self, cell):
        """Nobody over a pit, where a board has turned under a robot: who comes there falls past it."""
        return None if self.board.is_deadly(cell) else self.robot_at(cell)

    def shift(self, line, direction):
        """Moves the whole line by one cell; the last of it may fall."""
        for robot in line:
            robot.move_to(neighbour(robot.cell, direction))
        for robot in line:
            if self.board.is_deadly(robot.cell):
                self.destroy(robot)
