"""What the views of all editions share: places, ways, belts and beams as a robot sees them, heading up."""

from tests.reference.board import CLOCKWISE, STEP, cell_of, clockwise_from, neighbour, right_of

PROGRAM = 4  # the step that waits for programs
ALL = 1  # every choice is asked
BEGIN_REGISTER = 6  # the first step of a register, in 2005 one later
COLUMNS = 32  # cell numbers in a row of a record
MOST = 8  # what has no end is shown up to here


def one_hot(place, length):
    """`length` numbers with a 1 at the place; zeros where it is not among them."""
    return [int(i == place) for i in range(length)]


def has_bit(bits, place):
    """Whether the bit is set."""
    return bits >> place & 1


def flags_of(bits, count):
    """1 for each of the numbers 1 to `count` whose bit is set."""
    return [has_bit(bits, number) for number in range(1, count + 1)]


def cell_named(number):
    """The cell (x, y) of a number in a record; None for a robot or a checkpoint that is nowhere."""
    return None if number < 0 else (number % COLUMNS, number // COLUMNS)


class View:
    """One player's view of a game.

    Args:
        board: of the edition's reference, as the map lies now.
        game: the record.
        seat: whose view it is.
        robots: how many robots race.
        distance_to: of a checkpoint (its number less 1), a cell and a facing: the distance in quarters of a register.
        question: the name of the decision that is open, or None.
    """

    parts = ()  # in their order
    more_parts = ()  # which follow where every choice is asked

    def __init__(self, board, game, seat, robots, distance_to, question):
        self.board = board
        self.game = game
        self.seat = seat
        self.robots = robots
        self.distance_to = distance_to
        self.question = question
        self.here = self.seen_from()
        self.ahead = CLOCKWISE[game["facing"][seat]]

    def vector(self):
        """Name -> numbers of each part, in order."""
        more = self.more_parts if self.game["asking"] == ALL else ()
        return {name: getattr(self, name)() for name in (*self.parts, *more)}

    def seen_from(self):
        """The cell from which the player sees, None where there is none."""
        return self.cell_of_robot(self.seat)

    def cell_of_robot(self, robot):
        """Where a robot stands; None off the board."""
        return cell_named(self.game["cell"][robot])

    def own(self, field):
        """A field of the own robot."""
        return self.game[field][self.seat]

    def other_robots(self):
        """The others, in seat order after the own seat."""
        return [(self.seat + i) % self.robots for i in range(1, self.robots)]

    # ---- Questions ------------------------------------------------------------------------------------------------

    def is_asked_program(self):
        """Is this player to submit a program?"""
        return self.game["step"] == PROGRAM

    def open_question(self):
        """The decision besides programs that this player is asked, or None."""
        return self.question if self.game["ask_seat"] == self.seat else None

    def decision(self):
        return [int(self.is_asked_program()), int(self.open_question() is not None)]

    def legal_options(self, count):
        """1 for each option from 0 that this player may choose now."""
        bits = self.game["ask_options"] if self.open_question() else 0
        return [has_bit(bits, option) for option in range(count)]

    # ---- The robot ------------------------------------------------------------------------------------------------

    def position(self):
        x, y = self.cell_of_robot(self.seat) or (0, 0)
        return [x / 32, y / 32]

    def facing(self):
        return one_hot(self.own("facing"), 4)

    def progress(self):
        rounds = min(MOST, self.game["round_number"] / 32)
        return [self.own("reached") / 8, len(self.board.checkpoints) / 8, rounds]

    def next_checkpoint(self, robot):
        """The place, from 0, of the checkpoint that a robot goes for; None: none."""
        reached = self.game["reached"][robot]
        return reached if reached < len(self.board.checkpoints) else None

    def goes_on_from(self, robot):
        """From which cell, with which facing, a robot will go on; None: nobody knows."""
        cell = self.cell_of_robot(robot)
        return None if cell is None else (cell, CLOCKWISE[self.game["facing"][robot]])

    def registers_to_go(self, robot):
        """A robot's distance to its next checkpoint / 16 registers."""
        goal, start = self.next_checkpoint(robot), self.goes_on_from(robot)
        if goal is None or start is None:
            return 0
        return min(MOST, self.distance_to(goal, *start) / 4 / 16)

    def distance(self):
        return [self.registers_to_go(self.seat)]

    def played_register(self):
        """The register that is played, from 0; -1 before programs are submitted."""
        return self.game["register"] if self.game["step"] >= BEGIN_REGISTER else -1

    def register(self):
        return one_hot(self.played_register(), 5)

    # ---- Places ---------------------------------------------------------------------------------------------------

    def ahead_and_right(self, cell):
        """Cells from the own to another, ahead and to the right."""
        dx, dy = cell[0] - self.here[0], cell[1] - self.here[1]
        return [dx * step[0] + dy * step[1] for step in (STEP[self.ahead], STEP[right_of(self.ahead)])]

    def place(self, cell):
        """Cells ahead, right / 16, 1 if there."""
        if cell is None or self.here is None:
            return [0, 0, 0]
        return [cells / 16 for cells in self.ahead_and_right(cell)] + [1]

    def checkpoint(self, place):
        """The cell of a checkpoint, counted from 0; None where there is none."""
        cells = self.game["checkpoint"][: len(self.board.checkpoints)]
        return cell_named(cells[place]) if place is not None and place < len(cells) else None

    def checkpoint_after(self, place):
        """The place of the checkpoint that the own robot goes for after this one; None: none."""
        return None if place is None else place + 1

    def target(self):
        goal = self.next_checkpoint(self.seat)
        return self.place(self.checkpoint(goal)) + self.place(self.checkpoint(self.checkpoint_after(goal)))

    def antenna(self):
        return self.place(self.board.antenna)

    def directions(self):
        """Ahead, right, behind, left."""
        return clockwise_from(self.ahead)

    def ways(self):
        return [number for direction in self.directions() for number in self.way(direction)]

    def way(self, direction):
        """[stopped, falls] of the steps that way onto three cells; zeros after a step that is stopped or a fall."""
        found, cell = [], self.here
        for _ in range(3 if cell is not None else 0):
            stopped, cell = self.board.is_shut(cell, direction), neighbour(cell, direction)
            falls = not stopped and self.board.is_deadly(cell)
            found += [int(stopped), int(falls)]
            if stopped or falls:
                break
        return found + [0] * (6 - len(found))

    def beams(self):
        """Beams that cross the own cell; a line with a pointer at both ends counts from both."""
        lasers = self.board.lasers
        return sum(laser["beams"] for laser in lasers if self.here in self.board.beam(cell_of(laser), laser["fires"]))

    def cell(self):
        """Slow, fast belt, its way, gear, beams."""
        if self.here is None:
            return [0] * 8
        belt = self.board.belts.get(self.here)
        speeds = [int(belt is not None and belt["speed"] == speed) for speed in (1, 2)]
        way = [int(belt is not None and belt["out"] == direction) for direction in self.directions()]
        gear = {"cw": 1, "ccw": -1}.get(self.board.gears.get(self.here), 0)
        return [*speeds, *way, gear, min(MOST, self.beams() / 3)]

    # ---- The others -----------------------------------------------------------------------------------------------

    def others(self):
        return [number for robot in self.other_robots() for number in self.row(robot)]

    def row(self, robot):
        """The numbers of another robot; each edition adds its own."""
        cell = self.cell_of_robot(robot)
        heading = (self.game["facing"][robot] - self.own("facing")) % 4
        reached = self.game["reached"][robot] / 8
        return [*self.place(cell)[:2], *one_hot(heading, 4), reached, self.registers_to_go(robot)]
