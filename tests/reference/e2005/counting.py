"""A race of 2005 that counts what happens in it."""

from collections import Counter

from .race import Race
from .robot import DESTRUCTION


class CountingRace(Race):
    """A race that counts what happens in it."""

    def __init__(self, scenario):
        self.seen = Counter()
        super().__init__(scenario)
        self.seen["whole turn"] += "rounds" in self.span

    def run(self):
        super().run()
        self.seen["winner"] += self.winner is not None
        for entry in self.answers.record:
            self.seen[f"{entry['decision']} asked"] += 1

    # ---- Moving ---------------------------------------------------------------------------------------------------

    def execute(self, robot, leader):
        self.seen["controlled robot plays"] += robot is not leader
        super().execute(robot, leader)

    def execute_pair(self, robot, leader, first, second):
        self.seen["two cards in a register"] += 1
        super().execute_pair(robot, leader, first, second)

    def step(self, robot, direction):
        made = super().step(robot, direction)
        self.seen["step blocked"] += not made
        return made

    def ram(self, robot, ahead):
        touched = len(self.touched_by_card)
        super().ram(robot, ahead)
        self.seen["ramming_gear"] += len(self.touched_by_card) > touched

    def shift(self, line, direction):
        self.seen["push"] += len(line) > 1
        self.seen["chain of pushes"] += len(line) > 2
        super().shift(line, direction)

    # ---- Board elements -------------------------------------------------------------------------------------------

    def move_belts(self, speeds):
        before = {robot: (robot.cell, robot.facing) for robot in self.robots if not robot.is_destroyed}
        super().move_belts(speeds)
        for robot, (cell, facing) in before.items():
            self.seen["belt move"] += robot.cell != cell
            self.seen["fall by belt"] += robot.is_destroyed
            self.seen["belt turn"] += not robot.is_destroyed and robot.facing != facing

    def settle_conflicts(self, here, wanted):
        settled = super().settle_conflicts(here, wanted)
        self.seen["belt conflict"] += settled != wanted
        return settled

    def carry_flags(self, speeds):
        before = dict(self.board.flags)
        super().carry_flags(speeds)
        self.seen["flag carried"] += before != self.board.flags

    def bring_flags_back(self):
        self.seen["flag back"] += None in self.board.flags.values()
        super().bring_flags_back()

    def push_panels(self):
        before = [robot.cell for robot in self.robots]
        super().push_panels()
        self.seen["pusher"] += before != [robot.cell for robot in self.robots]

    def turn_gears(self):
        before = [robot.facing for robot in self.robots]
        super().turn_gears()
        self.seen["gear"] += before != [robot.facing for robot in self.robots]

    # ---- Lasers and damage ----------------------------------------------------------------------------------------

    def find_board_hits(self):
        hits = super().find_board_hits()
        self.seen["board laser hit"] += len(hits)
        return hits

    def aim(self, shooter):
        hits = super().aim(shooter)
        self.seen["robot laser hit"] += len(hits)
        self.seen["several hits by one laser"] += len(hits) > len({hit.direction for hit in hits})
        return hits

    def count_howitzer(self, shooter):
        super().count_howitzer(shooter)
        self.seen["mini_howitzer used up"] += not shooter.has("mini_howitzer")

    def use_weapon(self, hit):
        self.seen["radio control"] += hit.weapon == "radio_control"
        self.seen["scrambled"] += hit.weapon == "scrambler" and self.can_scramble(hit.target)
        super().use_weapon(hit)

    def deal_shot(self, target, shot, side):
        self.seen["register locked by fire_control"] += shot.startswith("register_")
        self.seen["option destroyed by fire_control"] += target.has(shot)
        super().deal_shot(target, shot, side)

    def shift_target(self, hit):
        before = hit.target.cell
        super().shift_target(hit)
        self.seen["weapon moves a robot"] += hit.target.cell != before

    def put_on_coat(self, robot):
        self.seen["ablative_coat"] += 1
        super().put_on_coat(robot)

    def shield_stops(self, robot, side):
        stops = super().shield_stops(robot, side)
        self.seen["power_down_shield"] += stops
        return stops

    def option_takes_it(self, robot):
        takes = super().option_takes_it(robot)
        self.seen["option taken for damage"] += takes
        return takes

    def program_at_random(self, robot, register):
        before = robot.registers[register]
        super().program_at_random(robot, register)
        self.seen["programmed from the deck"] += robot.registers[register] != before

    def destroy(self, robot):
        self.seen["destroyed by damage" if robot.damage >= DESTRUCTION else "destroyed by a fall"] += 1
        super().destroy(robot)

    def pass_superbot_on(self, robot):
        before = self.superbot
        super().pass_superbot_on(robot)
        self.seen["superbot passed on"] += self.superbot is not before

    # ---- Reveal and touch -----------------------------------------------------------------------------------------

    def reveal_program_cards(self):
        later = [robot for robot in self.robots if robot.aborted]
        super().reveal_program_cards()
        self.seen["abort_switch, later register"] += sum(self.can_replace(robot) for robot in later)

    def touch(self):
        archives = [robot.archive for robot in self.robots]
        flags = [robot.checkpoint for robot in self.robots]
        claims = dict(self.claims)
        super().touch()
        self.seen["archive moved"] += archives != [robot.archive for robot in self.robots]
        self.seen["flag touched"] += flags != [robot.checkpoint for robot in self.robots]
        self.seen["claim"] += claims != self.claims
        for robot in self.robots:
            reaches = not robot.is_destroyed and robot.touched not in (None, robot.cell)
            self.seen["mechanical_arm reaches out"] += reaches

    # ---- Clean-up -------------------------------------------------------------------------------------------------

    def repair_and_upgrade(self, robot):
        damage = robot.damage
        super().repair_and_upgrade(robot)
        self.seen["repaired"] += robot.damage < damage

    def draw_options(self, robot, count):
        super().draw_options(robot, count)
        self.seen["option drawn"] += 1

    def choose_space(self, robot):
        cell, facings = super().choose_space(robot)
        self.seen["re-entry"] += 1
        self.seen["re-entry beside"] += cell != robot.archive
        self.seen["re-entry with a facing forbidden"] += len(facings) < 4
        return cell, facings
