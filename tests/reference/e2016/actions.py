"""A robot's turn in a register: temporary upgrades, the programming card, damage cards and Again."""

from tests.reference.board import clockwise_from, left_of, opposite, right_of
from tests.reference.errors import BadScenario, Unanswered

from .board import distance
from .cards import AGAINS, DAMAGE_BOX, DAMAGE_IN_ORDER_OF_CHOICE

BEFORE_THE_CARD = ("boink", "reboot", "recharge", "refresh", "zoop")
AFTER_THE_CARD = ("boink", "hack", "reboot", "recharge", "zoop")

TURNS = ["turn_left", "turn_right", "u_turn"]
PLAIN_ACTIONS = ["move_1", "move_2", "move_3", "back_up", *TURNS]
ROUTINE_CHOICES = {"weasel_routine": TURNS, "sandbox_routine": PLAIN_ACTIONS}


class Actions:
    """What the cards of a race do."""

    def take_turn(self, robot):
        """Temporary upgrades, the card of the register, temporary upgrades (R53)."""
        robot.refreshed = None
        self.use_again_and_again(robot, BEFORE_THE_CARD)
        if robot.rebooted:
            return
        self.activate(robot)
        self.use_again_and_again(robot, AFTER_THE_CARD)

    # ---- Temporary upgrades ---------------------------------------------------------------------------------------

    def choices_of_boink(self, robot):
        """The directions in which a step is not blocked, or in which Side Arms clear the way."""
        free = [side for side in clockwise_from("N") if self.can_step_to(robot, side)]
        return ["no", *free] if free else None

    def use_boink(self, robot, direction):
        """Boink: one step in any direction."""
        self.begin_card()
        self.step(robot, direction)
        self.end_card()

    def choices_of_zoop(self, robot):
        """Every direction."""
        return ["no", *clockwise_from("N")]

    def use_zoop(self, robot, direction):
        """Zoop: face any direction."""
        robot.facing = direction

    def choices_of_reboot(self, robot):
        """At any time of the turn."""
        return ["no", "yes"]

    def use_reboot(self, robot, _):
        """Reboot: as by a Worm, without the SPAM."""
        self.reboot(robot, [], spam=False)

    def choices_of_refresh(self, robot):
        """Upon a card in the register; Again not in register one."""
        if robot.registers[self.register] is None:
            return None
        return ["no", *PLAIN_ACTIONS, *(["again"] if self.register > 1 else [])]

    def use_refresh(self, robot, card):
        """Refresh: the register's card acts as another; a damage card goes back to its pile."""
        robot.refreshed = card
        refreshed = robot.registers[self.register]
        if refreshed in DAMAGE_BOX:
            self.box[refreshed] += 1
            robot.registers[self.register] = None

    def choices_of_hack(self, robot):
        """Where an action was carried out in this register."""
        return ["no", "yes"] if robot.done[self.register] is not None else None

    def use_hack(self, robot, _):
        """Hack: the action done in this register, once more (R51)."""
        self.do_action(robot, robot.done[self.register])

    # ---- The card of the register ---------------------------------------------------------------------------------

    def activate(self, robot):
        """A robot plays the card of the register."""
        register = self.register
        robot.latest = register
        robot.held[register] = robot.refreshed or robot.registers[register]
        robot.done[register] = None
        if robot.refreshed:
            self.play_card(robot, robot.refreshed)
            return

        if register == 1 and robot.registers[1] in AGAINS:  # R23
            robot.discard.append(robot.registers[1])
            robot.registers[1] = None
            robot.registers[1] = robot.draw_card_but_again()

        while robot.registers[register] in DAMAGE_BOX:
            self.play_damage_card(robot, robot.registers[register])
            robot.registers[register] = None
            if robot.rebooted:  # R20: a Worm is not replaced
                return
            robot.registers[register] = robot.draw_card_but_again() if register == 1 else robot.draw_card()
        self.play_card(robot, robot.registers[register])

    def play_card(self, robot, card):
        """Plays a programming card, if there is one."""
        if card in AGAINS:
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
        """Carries out one programming card (Card Index), or once more what such a card did."""
        robot.done[self.register] = action
        self.begin_card()
        if action in ROUTINE_CHOICES:  # what is done is the card: repeated, it asks anew
            action = self.answers.ask(robot, action, ROUTINE_CHOICES[action], default=no_default)
        self.carry_out(robot, action)
        self.end_card()

    def carry_out(self, robot, action):
        """Moves or turns the robot, or gives it what the card says."""
        if action == "move_1":
            self.move_one(robot)
        elif action in ("move_2", "move_3"):
            self.move(robot, robot.facing, int(action[-1]))
        elif action == "speed_routine":
            self.move(robot, robot.facing, 3)
        elif action == "back_up":
            self.move(robot, opposite(robot.facing), 1)
        elif action == "turn_right":
            robot.facing = right_of(robot.facing)
        elif action == "turn_left":
            robot.facing = left_of(robot.facing)
        elif action == "u_turn":
            robot.facing = opposite(robot.facing)
        elif action in ("power_up", "energy_routine"):
            robot.energy += 1
        elif action == "spam_folder":
            self.fold_spam(robot)
        else:
            raise BadScenario(f"no such programming card: {action}")

    def fold_spam(self, robot):
        """SPAM Folder: one SPAM of the own discard pile goes back to its pile."""
        if "spam" in robot.discard:
            robot.discard.remove("spam")
            self.box["spam"] += 1

    def deal(self, robot, kind, on_top=False):
        """The robot takes one damage card; another kind where that pile is empty (R27).

        `on_top` (Corruption Wave) puts a SPAM on its deck, but no card of another kind.
        """
        if self.box[kind] == 0:
            left = [other for other in DAMAGE_IN_ORDER_OF_CHOICE if self.box[other] > 0]
            if not left:
                return
            kind = left[0]
            if len(left) > 1:
                kind = self.answers.ask(robot, "damage_kind", left, left[0])
        self.box[kind] -= 1
        robot.taken[kind] += 1
        if on_top and kind == "spam":
            robot.draw_pile.insert(0, kind)
        else:
            robot.discard.append(kind)


def no_default():
    """Weasel and Sandbox Routine have no "no"."""
    raise Unanswered("a routine is not answered")
