"""A race of 2005 that counts what happens in it."""

from tests.reference.counters import Counting

from .race import Race
from .robot import DESTRUCTION


class CountingRace(Counting, Race):
    """A race that counts what happens in it."""

    def __init__(self, scenario):
        super().__init__(scenario)
        self.seen["whole turn"] += "rounds" in self.span

    def play_round(self):
        self.seen["second turn"] += self.round == 2
        super().play_round()

    # ---- Moving ---------------------------------------------------------------------------------------------------

    def execute(self, robot, leader):
        self.seen["controlled robot plays"] += robot is not leader
        super().execute(robot, leader)

    def execute_pair(self, robot, leader, first, second):
        self.seen["two cards in a register"] += 1
        self.seen["two cards without their option"] += not leader.options_for_pairs()
        super().execute_pair(robot, leader, first, second)

    def ram(self, robot, ahead):
        touched = len(self.touched_by_card)
        super().ram(robot, ahead)
        self.seen["ramming_gear"] += len(self.touched_by_card) > touched

    # ---- Board elements -------------------------------------------------------------------------------------------

    def move_belts(self, speeds):
        before = {robot: (robot.cell, robot.facing) for robot in self.robots if not robot.is_destroyed}
        super().move_belts(speeds)
        for robot, (cell, facing) in before.items():
            self.seen["belt move"] += robot.cell != cell
            self.seen["fall by belt"] += robot.is_destroyed
            self.seen["belt turn"] += not robot.is_destroyed and robot.facing != facing

    def carry_flags(self, speeds):
        before = dict(self.board.flags)
        super().carry_flags(speeds)
        self.seen["flag carried"] += before != self.board.flags

    def bring_flags_back(self):
        self.seen["flag back"] += None in self.board.flags.values()
        super().bring_flags_back()

    # ---- Lasers and damage ----------------------------------------------------------------------------------------

    def aim(self, shooter):
        hits = super().aim(shooter)
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
        archives, flags = self.each("archive"), self.each("checkpoint")
        claims = dict(self.claims)
        super().touch()
        self.seen["archive moved"] += archives != self.each("archive")
        self.seen["flag touched"] += flags != self.each("checkpoint")
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

    def stand(self, robot, cell, facings):
        super().stand(robot, cell, facings)
        self.seen["re-entry"] += 1
        self.seen["re-entry beside"] += cell != robot.archive
        self.seen["re-entry with a facing forbidden"] += len(facings) < 4
