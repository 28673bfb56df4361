"""Robo Rally, the 2016 edition without upgrades, played slowly: the rules once more, written from the rulebook.

    outcome = play(scenario)

A scenario and an outcome are plain dicts, as the scenario files have them (here: a plain `map`, no `events`).
Nothing is shared with the compiled core, so that the two can be compared over many random rounds.

There is no generator. Cards are drawn from the piles that the scenario names; where only a shuffle can tell the next
card, `NeedsChance` is raised, unless all the cards it could be are alike, or there is none (R26).

What both sides of the comparison have agreed on:

- `registers` in the outcome are always five, None for an empty one. A damage card that was played has made room for the
  card drawn for it. An Again after a damage register (R25) stays; the card drawn for it lies upon it, is not shown, and
  goes to the discard pile with it. Every Again that comes up while that card is drawn is discarded at once.
- An Again in register one (R23) makes room for the next card drawn that is none. Nothing but Again left: no action.
- A reboot empties the registers that the robot has not begun; those that it has begun stay until the end of the round.
- A damage card goes back to its pile when its instructions have been carried out, before the next card is drawn.
- Damage to several robots at once is dealt in the turn order of the register: Virus, board lasers, robot lasers.
- The turn order is measured when a register begins; the order of falls from belts, on the cells that the robots left.
- Each robot that falls by its own act starts a chain of reboots (R17b) of its own; several from one belt step do too.
- All robots on their next checkpoint count it, then the winner is named, and play stops: nothing is cleaned up.
- Registers before `from` count as carried out. Where the action is unknown (a damage card, or an Again that drew a
  card) nothing is there to be repeated, though an Again right after a damage card draws.
- Defaults: `program` the first five cards of the hand, one that may not be laid replaced by the next free card;
  `reboot_facing` the token's arrow or the start facing; `damage_kind` the first of Trojan Horse, Virus, Worm, SPAM.
"""

from .board import Board, clockwise_from, distance, left_of, neighbour, opposite, priority_key, right_of
from .cards import DAMAGE_BOX, DAMAGE_IN_ORDER_OF_CHOICE, Answers, BadScenario, NeedsChance, Robot

__all__ = ["BadScenario", "NeedsChance", "Race", "play"]

DEFAULT_RULES = {
    "upgrades": False,
    "advanced": False,
    "timer": False,
    "again_after_damage": "draw",
    "two_ended_lasers": "once",
}


def play(scenario):
    """Plays the scenario and returns its outcome."""
    race = Race(scenario)
    span = scenario["play"]
    if "rounds" in span:
        race.play_round()
    else:
        race.play_registers(span["from"], span["to"])
    race.answers.check_all_were_asked()
    return race.outcome(with_piles="rounds" in span)


class Race:
    """One race: the board, the robots, the damage piles and the order of play."""

    def __init__(self, scenario):
        if scenario.get("edition", "2016") != "2016" or "map" not in scenario:
            raise BadScenario("the reference plays the 2016 edition on a plain map")
        self.rules = {**DEFAULT_RULES, **scenario.get("rules", {})}
        if self.rules["upgrades"]:
            raise BadScenario("the reference plays without upgrades")
        if scenario["play"].get("rounds", 1) != 1:
            raise BadScenario("the reference plays one round")

        self.board = Board(scenario["map"])
        self.robots = [Robot(index, entry) for index, entry in enumerate(scenario["robots"])]
        self.answers = Answers(scenario.get("answers", []))
        self.fixed_order = scenario["play"].get("order")
        self.box = dict(DAMAGE_BOX)
        for robot in self.robots:
            for card in robot.all_named_cards():
                if card in self.box:
                    self.box[card] -= 1
        if min(self.box.values()) < 0:
            raise BadScenario("more damage cards than the box has")

        self.register = 0
        self.order = []  # the robots in the turn order of the register
        self.winner = None
        self.fell_with = set()  # (robot, checkpoint) of this register

    # ---- The round ------------------------------------------------------------------------------------------------

    def play_round(self):
        """A round: programming, five registers, clean-up."""
        self.program()
        self.play_registers(1, 5)
        if self.winner is None:
            self.clean_up()

    def program(self):
        """The programming phase."""
        for robot in self.robots:
            if not robot.is_programmed:
                robot.draw_up_to(9)
        for robot in self.robots:
            if not robot.is_programmed:
                self.choose_program(robot)
            if not self.rules["advanced"]:
                robot.discard_hand()

    def choose_program(self, robot):
        """Asks for five cards of the hand; the first may not be an Again (R23)."""
        program = self.answers.ask(
            robot,
            "program",
            lambda cards: len(cards) == 5 and cards[0] != "again" and all_are_in(cards, robot.hand),
            default_program(robot.hand),
        )
        for register, card in enumerate(program, start=1):
            robot.hand.remove(card)
            robot.registers[register] = card

    def clean_up(self):
        """After the fifth register the cards of the registers go to the discard pile."""
        for robot in self.robots:
            for register in range(1, 6):
                robot.discard_register(register)

    def play_registers(self, first, last):
        """The registers `first` to `last`, those before them taken as carried out."""
        for robot in self.robots:
            for register in range(1, first):
                self.remember_register(robot, register)
        for register in range(first, last + 1):
            self.play_register(register)
            if self.winner is not None:
                return

    def remember_register(self, robot, register):
        """Notes what an earlier register did, for an Again to come."""
        card = robot.registers[register]
        robot.latest = register
        robot.held[register] = card
        if card == "again":
            repeats = register > 1 and robot.held[register - 1] not in DAMAGE_BOX
            robot.done[register] = robot.done[register - 1] if repeats else None
        else:
            robot.done[register] = None if card in DAMAGE_BOX else card

    def play_register(self, register):
        """Activating your robots, then board elements and robot lasers in their order."""
        self.register = register
        self.fell_with = set()  # (robot, checkpoint): does not count in this register (R38)
        self.order = self.in_priority_order({robot: robot.cell for robot in self.robots})
        for robot in self.order:
            if not robot.rebooted:
                self.activate(robot)

        at_rest = set()  # checkpoints that have just been reset (R38a: both blue steps are one phase)
        self.move_belts(2, at_rest)
        self.move_belts(2, at_rest)
        self.move_belts(1, set())
        self.push_panels()
        self.turn_gears()
        self.fire_board_lasers()
        self.fire_robot_lasers()
        self.take_energy()
        self.reach_checkpoints()

    def in_priority_order(self, cells):
        """The robots of a dict robot -> cell, by priority (Determining Priority, R41, R42)."""

        def place(robot):
            if self.fixed_order is not None:
                return (self.fixed_order.index(robot.index), 0)
            if self.board.antenna is None:
                return (robot.index, 0)
            return priority_key(cells[robot], self.board.antenna, self.board.dish)

        return sorted(cells, key=place)

    # ---- Cards ----------------------------------------------------------------------------------------------------

    def activate(self, robot):
        """A robot plays the card of the register."""
        register = self.register
        robot.latest = register
        robot.held[register] = robot.registers[register]
        robot.done[register] = None

        if register == 1 and robot.registers[1] == "again":  # R23
            robot.discard.append("again")
            robot.registers[1] = None
            robot.registers[1] = robot.draw_card_but_again()

        while robot.registers[register] in DAMAGE_BOX:
            self.play_damage_card(robot, robot.registers[register])
            robot.registers[register] = None
            if robot.rebooted:  # R20: a Worm is not replaced
                return
            robot.registers[register] = robot.draw_card_but_again() if register == 1 else robot.draw_card()

        card = robot.registers[register]
        if card == "again":
            self.play_again(robot)
        elif card is not None:
            self.do_action(robot, card)

    def play_damage_card(self, robot, card):
        """Carries out a damage card and returns it to its pile (Damage and Reboots)."""
        if card == "worm":
            self.reboot(robot, [])
        elif card == "trojan_horse":
            self.deal(robot, "spam")
            self.deal(robot, "spam")
        elif card == "virus":
            for other in self.order:
                if other is not robot and distance(other.cell, robot.cell) <= 6:  # R28
                    self.deal(other, "virus")
        self.box[card] += 1

    def play_again(self, robot):
        """Again: repeats the register before (R24), or draws a card after a damage register (R25)."""
        before = self.register - 1
        if robot.held[before] in DAMAGE_BOX and self.rules["again_after_damage"] == "draw":
            self.play_drawn_card(robot)
        elif robot.done[before] is not None:
            self.do_action(robot, robot.done[before])

    def play_drawn_card(self, robot):
        """Plays the top card of the deck upon an Again."""
        card = robot.draw_card_but_again()
        while card in DAMAGE_BOX:
            self.play_damage_card(robot, card)
            if robot.rebooted:
                return
            card = robot.draw_card_but_again()
        if card is not None:
            robot.drawn_upon[self.register].append(card)
            self.do_action(robot, card)

    def do_action(self, robot, action):
        """Carries out one programming card (Card Index)."""
        robot.done[self.register] = action
        if action in ("move_1", "move_2", "move_3"):
            self.move(robot, robot.facing, int(action[-1]))
        elif action == "back_up":
            self.move(robot, opposite(robot.facing), 1)
        elif action == "turn_right":
            robot.facing = right_of(robot.facing)
        elif action == "turn_left":
            robot.facing = left_of(robot.facing)
        elif action == "u_turn":
            robot.facing = opposite(robot.facing)
        elif action == "power_up":
            robot.energy += 1
        else:
            raise BadScenario(f"no such programming card: {action}")

    def deal(self, robot, kind):
        """The robot takes one damage card; another kind where that pile is empty (R27)."""
        if self.box[kind] == 0:
            left = [other for other in DAMAGE_IN_ORDER_OF_CHOICE if self.box[other] > 0]
            if not left:
                return
            kind = left[0]
            if len(left) > 1:
                kind = self.answers.ask(robot, "damage_kind", lambda choice: choice in left, default=left[0])
        self.box[kind] -= 1
        robot.taken[kind] += 1
        robot.discard.append(kind)

    # ---- Moving and pushing ---------------------------------------------------------------------------------------

    def robot_at(self, cell):
        """The robot that stands on the cell, or None."""
        for robot in self.robots:
            if robot.cell == cell:
                return robot
        return None

    def move(self, robot, direction, steps):
        """Up to so many steps; the first that is stopped ends the move, and so does a reboot."""
        for _ in range(steps):
            stopped = not self.step(robot, direction)
            if stopped or robot.rebooted:
                return

    def step(self, robot, direction):
        """One step, pushing every robot in line (R10); tells whether it was made."""
        line = self.line_of_push(robot, direction)
        if line is None:
            return False
        fallen = self.shift(line, direction)
        if fallen is not None:
            self.reboot(fallen, [])
        return True

    def line_of_push(self, robot, direction):
        """The robots that one step of this one moves, itself first; None where a wall or the antenna stops it."""
        line = [robot]
        while True:
            last = line[-1]
            if self.board.is_shut(last.cell, direction):
                return None
            behind = self.robot_at(neighbour(last.cell, direction))
            if behind is None:
                return line
            line.append(behind)

    def shift(self, line, direction):
        """Moves the whole line by one cell (R17a) and returns the robot that fell, or None."""
        for robot in line:
            robot.cell = neighbour(robot.cell, direction)
        last = line[-1]
        if not self.board.is_deadly(last.cell):
            return None
        last.cell = None
        return last

    # ---- Reboot ---------------------------------------------------------------------------------------------------

    def reboot(self, robot, chain):
        """Reboots a robot; `chain` are those whose reboots led to this one (Rebooting, R15 to R20)."""
        robot.cell = None
        robot.rebooted = True
        self.deal(robot, "spam")
        self.deal(robot, "spam")
        robot.cancel_programming()
        self.put_down(robot, [*chain, robot])

    def put_down(self, robot, chain):
        """Onto the token, else onto its own start space, else as near to that as can be (R16, R17, R17b)."""
        board = self.board
        if board.token is not None and self.arrive(robot, board.token, board.arrow, chain):
            return
        if self.arrive(robot, robot.start, board.start_facing, chain):
            return
        robot.cell = self.nearest_free_cell(robot.start)
        self.choose_facing(robot, board.start_facing)

    def arrive(self, robot, cell, arrow, chain):
        """Puts the robot down here if the space is free or can be made free; tells whether it could."""
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
            if fallen is not None:
                self.reboot(fallen, chain)
            return True
        return False

    def would_fall_again(self, line, direction, chain):
        """Would the push make a robot fall that has already rebooted in this chain? (R17b)"""
        return line[-1] in chain and self.board.is_deadly(neighbour(line[-1].cell, direction))

    def nearest_free_cell(self, start):
        """The free cell nearest to a start space that is occupied (R17b)."""
        board = self.board
        cells = [(x, y) for x in range(board.width) for y in range(board.height)]
        free = [cell for cell in cells if cell not in board.pits and cell != board.antenna and not self.robot_at(cell)]
        return min(free, key=lambda cell: priority_key(cell, start, board.start_facing))

    def choose_facing(self, robot, default):
        """Any facing, when the robot is put down (R19)."""
        robot.facing = self.answers.ask(robot, "reboot_facing", lambda choice: choice in list("NESW"), default)

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
            robot.cell = wanted[robot]
            robot.facing = self.board.belt_turn(robot.facing, direction, robot.cell)
            if self.board.is_deadly(robot.cell):
                robot.cell = None
                fallen[robot] = left[robot]
        for robot in self.in_priority_order(fallen):
            self.reboot(robot, [])

    def wanted_cells(self, speed):
        """Every robot's wish: the next cell for those on an acting belt, its own for the others (R1, R4)."""
        return {robot: self.board.belt_target(robot.cell, speed) or robot.cell for robot in self.robots}

    def settle_conflicts(self, here, wanted):
        """Sends belt movers home until no cell is wanted twice and no two robots change places (R1, R3)."""
        while True:
            sent_home = [
                robot
                for robot in self.robots
                if wanted[robot] != here[robot]
                and any(self.in_the_way(robot, other, here, wanted) for other in self.robots if other is not robot)
            ]
            if not sent_home:
                return wanted
            wanted = {robot: here[robot] if robot in sent_home else wanted[robot] for robot in self.robots}

    def in_the_way(self, robot, other, here, wanted):
        """Does the other robot keep this one from the cell that it wants?"""
        if self.board.is_deadly(wanted[robot]):
            return False
        same_cell = wanted[other] == wanted[robot]
        swap = wanted[other] == here[robot] and wanted[robot] == here[other]
        return same_cell or swap

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

    def push_panels(self):
        """Panels push the robots that stood on them when the phase began and still do (R13)."""
        panels = self.board.panels
        taken = [(robot, robot.cell) for robot in self.order if robot.cell in panels]
        for robot, cell in taken:
            if robot.cell == cell and self.register in panels[cell]["registers"]:
                self.step(robot, panels[cell]["push"])

    def turn_gears(self):
        """Gears turn the robots that rest on them."""
        for robot in self.robots:
            if self.board.gears.get(robot.cell) == "cw":
                robot.facing = right_of(robot.facing)
            elif self.board.gears.get(robot.cell) == "ccw":
                robot.facing = left_of(robot.facing)

    # ---- Lasers ---------------------------------------------------------------------------------------------------

    def first_robot(self, cells):
        """The first robot on a row of cells, or None."""
        for cell in cells:
            robot = self.robot_at(cell)
            if robot is not None:
                return robot
        return None

    def target(self, laser):
        """The robot that a board laser hits, or None."""
        return self.first_robot(self.board.beam((laser["x"], laser["y"]), laser["fires"]))

    def fire_board_lasers(self):
        """One SPAM for each beam that hits; all hits are found first, then dealt (R32, R33)."""
        hits = dict.fromkeys(self.robots, 0)
        counted = []
        for laser in self.board.lasers:
            robot = self.target(laser)
            if robot is None:
                continue
            counted.append(laser)
            far_end = self.board.far_end(laser)
            if self.rules["two_ended_lasers"] == "once" and far_end in counted and self.target(far_end) is robot:
                continue  # nearest to both ends of one line: hit once
            hits[robot] += laser["beams"]
        self.deal_hits(hits)

    def fire_robot_lasers(self):
        """Every robot that has not rebooted shoots straight ahead (Robot Lasers, R18, R35)."""
        hits = dict.fromkeys(self.robots, 0)
        for robot in self.robots:
            if robot.rebooted:
                continue
            robot_hit = self.first_robot(self.board.beam(robot.cell, robot.facing)[1:])
            if robot_hit is not None:
                hits[robot_hit] += 1
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

    # ---- The outcome ----------------------------------------------------------------------------------------------

    def outcome(self, with_piles):
        """The outcome object of the scenario files, without events."""
        outcome = {
            "round": 1,
            "register": self.register,
            "winner": self.winner,
            "robots": [robot_outcome(robot, with_piles) for robot in self.robots],
            "decisions": self.answers.record,
        }
        if with_piles:
            outcome["shop"] = []
        return outcome


def robot_outcome(robot, with_piles):
    """What the outcome says of one robot."""
    entry = {
        "x": robot.cell[0],
        "y": robot.cell[1],
        "facing": robot.facing,
        "checkpoint": robot.checkpoint,
        "energy": robot.energy,
        "taken": robot.taken,
        "damage": 0,
        "lives": 3,
        "rebooted": robot.rebooted,
        "destroyed": False,
        "active": True,
        "registers": list(robot.registers.values()),
        "archive": {"x": robot.start[0], "y": robot.start[1]},
        "level": 0,
    }
    if with_piles:
        entry["hand"] = sorted(robot.hand)
        entry["draw"] = sorted(robot.draw_pile + robot.unknown)
        entry["discard"] = sorted(robot.discard)
        entry["upgrades"] = []
        entry["options"] = []
    return entry


def all_are_in(cards, hand):
    """Are these cards, each as often as it is named, in the hand?"""
    return all(cards.count(card) <= hand.count(card) for card in cards)


def default_program(hand):
    """The first five cards of the hand; one that may not be laid is replaced by the next free card, cyclic."""
    slots = []
    for register in range(5):
        for step in range(len(hand)):
            slot = (register + step) % len(hand)
            if slot not in slots and not (register == 0 and hand[slot] == "again"):
                slots.append(slot)
                break
    return [hand[slot] for slot in slots]
