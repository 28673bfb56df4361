"""Capture the Flag: flags that robots carry, and robots that are pushed from home boards.

Team 0 is at home on the first board, team 1 on the second; a flag is that of the team on whose board it begins.

Conventions beyond the rulings:

- A carrier that is pushed on an enemy board has dropped its flag before it falls.
- At the end of a turn the destroyed robots come back first, then those that were sent home, by seat; then a team may
  win, of two teams that of the robot with the flag of the lower number.
- Nobody knows where a player who is not asked sets the robot up.
"""

from tests.reference.board import clockwise_from
from tests.reference.errors import Unanswered

BACK_ROWS = 6


class CapturingTheFlag:
    """What becomes of flags, and of robots that are pushed."""

    def is_at_home(self, robot, cell):
        """Is this a cell of its team's home board?"""
        return cell is not None and self.board.board_of(cell) is self.board.boards[robot.team]

    # ---- Flags ----------------------------------------------------------------------------------------------------

    def enemy_flags(self, robot):
        """The numbers of the other team's flags."""
        return [number for number, cell in self.board.first_cells.items() if not self.is_at_home(robot, cell)]

    def take_or_return(self, robot, number):
        """The enemy's flag is picked up, the own one, touched on the home board, returns to its starting space."""
        if number in self.enemy_flags(robot):
            self.carriers[number] = robot
            self.board.flags[number] = None
        elif self.is_at_home(robot, robot.cell):
            self.board.flags[number] = self.board.first_cells[number]

    def drop_flags(self, robot):
        """What it carries lies where it is or left the board; from a pit a flag is back where it began."""
        for number in [number for number, carrier in self.carriers.items() if carrier is robot]:
            del self.carriers[number]
            cell = self.last_cell(robot)
            self.board.flags[number] = self.board.first_cells[number] if cell in self.board.pits else cell

    def bring_flag_home(self):
        """At the end of a turn a team wins if one of its robots has the enemy flag on the home board."""
        for _, robot in sorted(self.carriers.items()):
            if self.winner is None and self.is_at_home(robot, robot.cell):
                self.winner = robot.index

    # ---- Pushes ---------------------------------------------------------------------------------------------------

    def note_push(self, pusher, pushed):
        """Before a push by a robot (or by nobody): carriers on an enemy board drop the flag, enemies may have to go."""
        if "capture_the_flag" not in self.special_rules:
            return
        for robot in pushed:
            if not self.is_at_home(robot, robot.cell):
                self.drop_flags(robot)
            if pusher is not None and pusher.team != robot.team and self.is_at_home(pusher, pusher.cell):
                self.pushed_from_home.append((pusher, robot))

    def send_home(self):
        """Enemies that were pushed from a home board leave the board, if their pusher has survived the phase."""
        pairs = [(pusher, robot) for pusher, robot in self.pushed_from_home if pusher.is_on_board and robot.is_on_board]
        self.pushed_from_home = []
        for _, robot in pairs:
            if robot.is_on_board:
                self.drop_flags(robot)
                robot.cell = robot.facing = None
                self.sent_home.append(robot)

    def enter_yard(self, robot):
        """Anywhere in the back rows, but for enemies in sight; if they see every space, anywhere."""
        facings = clockwise_from(self.board.start_facing)
        free = [cell for cell in self.back_rows(robot.team) if self.is_free(cell)]
        unseen = self.spaces_unseen(free, facings, robot.team)
        self.put_down(robot, unseen or dict.fromkeys(free, facings), ask_nobody)

    def back_rows(self, team):
        """The cells of the six rows (or columns) of the home board that are farthest from the other board."""
        home, other = self.board.boards[team], self.board.boards[1 - team]
        axis = 0 if abs(home["x"] - other["x"]) > abs(home["y"] - other["y"]) else 1
        cells = [cell for cell in self.board.cells() if self.board.board_of(cell) is home]
        rows = sorted({cell[axis] for cell in cells}, key=lambda row: -abs(row - other["xy"[axis]]))
        return [cell for cell in cells if cell[axis] in rows[:BACK_ROWS]]


def ask_nobody():
    """There is no default."""
    raise Unanswered("a robot is set up somewhere in its back rows")
