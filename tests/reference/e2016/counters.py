"""A race that counts what happens in it."""

from tests.reference.board import cell_of
from tests.reference.counters import Counting

from .actions import ROUTINE_CHOICES
from .cards import AGAINS, DAMAGE_BOX
from .race import Race
from .upgrades import LIMIT, ROUTINES, TEMPORARY, same_type


class CountingRace(Counting, Race):
    """A race that counts what happens in it."""

    def __init__(self, scenario):
        super().__init__(scenario)
        self.seen["several robots have one upgrade"] += self.is_shared()

    def is_shared(self):
        """Have two robots the same upgrade?"""
        names = [name for robot in self.robots for name in robot.upgrades]
        return len(names) > len(set(names))

    def reboot(self, robot, chain, spam=True):
        self.seen["firewall"] += spam and robot.can_use("firewall")
        self.seen["firewall, second reboot"] += spam and robot.rebooted and "firewall" in robot.upgrades
        self.seen["reboot"] += 1
        self.seen["robot rebooted twice"] += robot.rebooted
        self.seen["chain of reboots"] += bool(chain)
        super().reboot(robot, chain, spam)

    def shift(self, line, direction, may_hover=False):
        fallen = super().shift(line, direction, may_hover)
        self.seen["hover_unit"] += any(robot.cell in self.board.pits for robot in line)
        self.seen["hover_unit, pushed over a pit"] += any(robot.cell in self.board.pits for robot in line[1:])
        self.seen["several fall by one step"] += len(fallen) > 1
        return fallen

    def arrive(self, robot, cell, arrow, chain):
        occupied = self.robot_at(cell) is not None
        on_token = cell in map(cell_of, self.board.tokens)
        arrived = super().arrive(robot, cell, arrow, chain)
        self.seen["token occupied"] += occupied and on_token
        self.seen["start space occupied"] += occupied and not on_token
        self.seen["token blocked on all sides"] += not arrived and on_token
        self.seen["start space blocked on all sides"] += not arrived and not on_token
        clockwise = occupied and on_token and self.board.is_shut(cell, arrow)
        self.seen["push off the token blocked, then clockwise"] += arrived and clockwise
        return arrived

    def would_fall_again(self, line, direction, chain):
        stops = super().would_fall_again(line, direction, chain)
        self.seen["loop of reboots stopped"] += stops
        return stops

    def settle_conflicts(self, here, wanted):
        wishes = dict(wanted)
        settled = super().settle_conflicts(here, wanted)
        self.seen["belt move"] += any(settled[robot] != here[robot] for robot in here)
        movers = [robot for robot in here if wishes[robot] != here[robot]]
        pairs = [(one, two) for one in movers for two in movers if one.index < two.index]
        self.seen["belt merge of two"] += any(wishes[one] == wishes[two] for one, two in pairs)
        self.seen["belt swap"] += any(wishes[one] == here[two] and wishes[two] == here[one] for one, two in pairs)
        self.seen["belt train"] += any(settled[one] in (here[two],) for one in movers for two in movers if one != two)
        fallen = [robot for robot in here if self.board.is_deadly(settled[robot])]
        self.seen["fall by belt"] += bool(fallen)
        self.seen["several falls by belt"] += len(fallen) > 1
        self.seen["belt turn"] += any(
            self.board.belt_turn(robot.facing, self.board.belts[here[robot]]["out"], settled[robot]) != robot.facing
            for robot in movers
            if settled[robot] != here[robot]
        )
        return settled

    def board_laser_hits(self):
        hits = super().board_laser_hits()
        ends = [(laser, self.board.far_end(laser)) for laser in self.board.lasers if self.target(laser)]
        pairs = [(one, two) for one, two in ends if two is not None]
        self.seen["two-ended laser, two robots"] += any(self.target(one) is not self.target(two) for one, two in pairs)
        self.seen["two-ended laser, one robot"] += any(self.target(one) is self.target(two) for one, two in pairs)
        return hits

    def deal(self, robot, kind, on_top=False):
        self.seen["damage pile exhausted"] += self.box[kind] == 0
        self.seen["all damage piles exhausted"] += not any(self.box.values())
        super().deal(robot, kind, on_top)

    def play_damage_card(self, robot, card):
        self.seen[f"{card} played"] += 1
        super().play_damage_card(robot, card)

    def play_again(self, robot):
        held = robot.held[self.register]
        before = robot.held[self.register - 1]
        self.seen["again"] += 1
        self.seen["repeat_routine played"] += held == "repeat_routine"
        self.seen["again after again"] += before in AGAINS
        self.seen["again drawn for damage"] += held not in AGAINS
        self.seen["again after damage"] += before in self.box
        super().play_again(robot)

    def activate(self, robot):
        self.seen["again in register one"] += (
            self.register == 1 and robot.registers[1] in AGAINS and not robot.refreshed
        )
        before = len(robot.discard)
        super().activate(robot)
        self.seen["discard pile turned over"] += len(robot.discard) < before

    def carry_checkpoints(self, speed, at_rest):
        before = dict(self.board.checkpoints)
        resting = len(at_rest)
        super().carry_checkpoints(speed, at_rest)
        self.seen["checkpoint carried"] += self.board.checkpoints != before
        self.seen["checkpoint reset"] += len(at_rest) > resting

    def reach_checkpoints(self):
        before = self.each("checkpoint")
        super().reach_checkpoints()
        self.seen["checkpoint reached"] += before != self.each("checkpoint")

    # ---- Upgrades -------------------------------------------------------------------------------------------------

    def buy(self, robot, name):
        self.seen["bought permanent" if name not in TEMPORARY else "bought temporary"] += 1
        self.seen[f"{name} bought"] += name in ROUTINES
        self.seen["replace_upgrade"] += len(same_type(robot.upgrades, name)) == LIMIT
        super().buy(robot, name)

    def upgrade_phase(self):
        before = list(self.shop.row)
        self.seen["new row in the shop"] += not self.shop.sold
        super().upgrade_phase()
        self.seen["shop filled"] += bool(set(self.shop.row) - set(before))

    def choose_program(self, robot):
        self.seen["memory_stick"] += robot.can_use("memory_stick") and len(robot.hand) > 9
        super().choose_program(robot)

    def cache_what_is_left(self, robot):
        before = len(robot.draw_pile)
        super().cache_what_is_left(robot)
        self.seen["cache_memory after programming"] += len(robot.draw_pile) > before

    def settle_turn_order(self):
        measured = self.measured_order()
        order = super().settle_turn_order()
        self.seen["turn order changed"] += order != measured
        return order

    def do_action(self, robot, action):
        self.seen[f"{action} carried out"] += 1
        self.seen["routine repeated"] += action in ROUTINE_CHOICES and robot.registers[self.register] in AGAINS
        super().do_action(robot, action)

    def fold_spam(self, robot):
        self.seen["spam folded"] += "spam" in robot.discard
        super().fold_spam(robot)

    def use_refresh(self, robot, card):
        self.seen["refresh of a damage card"] += robot.registers[self.register] in DAMAGE_BOX
        self.seen["refresh to again"] += card == "again"
        super().use_refresh(robot, card)

    def use_hack(self, robot, choice):
        self.seen["hack of a move"] += robot.done[self.register].startswith("move")
        super().use_hack(robot, choice)

    def use_boink(self, robot, direction):
        self.seen["boink pushes"] += self.robot_ahead(robot, direction) is not None
        super().use_boink(robot, direction)

    def teleports(self, robot, direction, steps):
        before = self.each("cell")
        done = super().teleports(robot, direction, steps)
        moved = sum(one != other for one, other in zip(self.each("cell"), before, strict=True))
        self.seen["teleporter swap"] += done and moved > 1
        return done

    def end_card(self):
        falling = sum(robot.cell in self.board.pits for robot in self.order)
        self.seen["hover_unit, fall at the end"] += falling > 0
        super().end_card()

    def push_effects(self, robot, pushed):
        cards = list(robot.upgrades)
        before = dict(pushed.taken)
        deck = len(pushed.draw_pile)
        super().push_effects(robot, pushed)
        more = {kind: pushed.taken[kind] - before[kind] for kind in before}
        self.seen["ramming_gear"] += "ramming_gear" in cards and more["spam"] > 0
        self.seen["trojan_needler, push"] += "trojan_needler" in cards and more["trojan_horse"] > 0
        self.seen["virus_module"] += "virus_module" in cards and more["virus"] > 0
        self.seen["blue_screen_of_death, push"] += "blue_screen_of_death" in cards and more["worm"] > 0
        self.seen["corruption_wave, push"] += len(pushed.draw_pile) > deck
        self.seen["worm and needler, push"] += more["worm"] > 0 and "trojan_needler" in cards

    def aim(self, shooter):
        shots = super().aim(shooter)
        self.seen["rail_gun hits several"] += len({shot.direction for shot in shots}) < len(shots)
        self.seen["rail_gun and rear_laser"] += len(shots) > 2
        shielded = [shot.target for shot in shots if shot.target.shield_is_up and not shot.target.rebooted]
        self.seen["deflector_shield stops a shot"] += bool(shielded)
        return shots

    def deal_shot(self, shot):
        cards = shot.cards()
        self.seen["double_barrel_laser"] += shot.has("double_barrel_laser")
        self.seen["trojan_needler, shot"] += "trojan_horse" in cards
        self.seen["blue_screen_of_death, shot"] += "worm" in cards
        self.seen["worm and needler, shot"] += "worm" in cards and shot.has("trojan_needler")
        self.seen["corruption_wave, shot"] += shot.wave
        self.seen["four SPAM and more by one shot"] += cards.count("spam") > 3
        robot, following = shot.target, self.register + 1
        self.seen["scrambler"] += shot.has("scrambler") and following < 6 and robot.registers[following] is not None
        super().deal_shot(shot)
        self.seen["scrambler draws the SPAM of the wave"] += (
            shot.has("scrambler") and shot.wave and following < 6 and robot.registers[following] == "spam"
        )

    def shift_target(self, shot):
        before = shot.target.cell, shot.target.reboots
        super().shift_target(shot)
        self.seen["mini_howitzer pushes"] += shot.howitzer and (shot.target.cell, shot.target.reboots) != before
        self.seen["weapon makes a robot fall"] += shot.target.reboots > before[1]
