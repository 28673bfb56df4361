"""The upgrade phase and the programming phase.

Conventions: hands keep their order, a card that leaves closes the gap (of equal cards the first leaves), a drawn card
comes last. A robot whose `registers` the scenario gives draws no hand and programs nothing, but is asked all else.
"""

from tests.reference.answers import AnyChoice, Pick
from tests.reference.race import REGISTERS

from .cards import AGAINS, DAMAGE_BOX
from .upgrades import LIMIT, TEMPORARY, same_type

HAND_UPGRADES = ("cache_memory", "defrag_gizmo", "memory_swap", "recharge", "recompile", "spam_blocker")


class Programming:
    """What a race does before its registers."""

    # ---- Upgrade phase --------------------------------------------------------------------------------------------

    def upgrade_phase(self):
        """The shop is filled, then each robot in priority order may buy one card (R42, R44)."""
        self.phase_order = self.who_buy()
        self.shop.refill()
        for robot in self.phase_order:
            offered = sorted(name for name in self.shop.row if self.cost[name] <= robot.energy)
            choice = self.answers.ask(robot, "buy_upgrade", ["no", *offered]) if offered else "no"
            if choice != "no":
                self.buy(robot, choice)

    def who_buy(self):
        """All robots, in priority order."""
        return self.measured_order()

    def buy(self, robot, name):
        """One card is bought; at three of its type another one goes."""
        of_its_type = same_type(robot.upgrades, name)
        if len(of_its_type) == LIMIT:
            cheapest = min(sorted(of_its_type), key=self.cost.get)
            robot.upgrades.remove(self.answers.ask(robot, "replace_upgrade", sorted(of_its_type), cheapest))
        self.shop.take(name)
        robot.energy -= self.cost[name]
        if name in self.routines:
            robot.discard.append(self.routines[name])
        else:
            robot.upgrades.append(name)

    # ---- Programming phase ----------------------------------------------------------------------------------------

    def program(self):
        """The programming phase: hands, upgrades upon them, programs, and what is left goes."""
        order = self.phase_order or self.measured_order()
        for robot in self.robots:
            if not robot.is_programmed:
                robot.draw_up_to(10 if robot.can_use("memory_stick") else 9)
        for robot in order:
            self.use_again_and_again(robot, HAND_UPGRADES)
        for robot in self.robots:
            if not robot.is_programmed:
                self.choose_program(robot)
        for robot in order:
            self.cache_what_is_left(robot)
        for robot in self.robots:
            if not self.rules["advanced"]:
                robot.discard_hand()

    def choose_program(self, robot):
        """Asks for five cards of the hand; the first may not be an Again (R23). The timer may leave registers open."""
        left_open = [None] * 5 if self.rules["timer"] else []
        legal = Pick(robot.hand + left_open, 5, 5, never_first=AGAINS, or_no=False)
        program = self.answers.ask(robot, "program", legal, lambda: default_program(robot.hand))
        for register, card in enumerate(program, start=1):
            robot.registers[register] = card
            if card is not None:
                robot.hand.remove(card)
        if None in program:
            self.run_out_of_time(robot)

    def run_out_of_time(self, robot):
        """The hand is discarded, and open registers get cards from the top of the deck (R31)."""
        robot.discard_hand()
        for register in REGISTERS:
            if robot.registers[register] is None:
                robot.registers[register] = robot.draw_card()

    def cache_what_is_left(self, robot):
        """Cache Memory once more, for the cards that were not programmed."""
        if robot.can_use("cache_memory") and robot.hand:
            cards = self.answers.ask(robot, "cache_memory", Pick(robot.hand, 1, len(robot.hand)))
            if cards != "no":
                robot.put_on_top(cards)

    # ---- Offers ---------------------------------------------------------------------------------------------------

    def use_again_and_again(self, robot, names):
        """Asks for these upgrades in passes, until one pass in which none was used. A reboot of the robot ends it."""
        something_was_used = True
        while something_was_used:
            something_was_used = False
            for name in names:
                something_was_used |= self.offer(robot, name)

    def offer(self, robot, name):
        """Asks for one upgrade if it can be used now, and carries it out; returns whether it was used."""
        if not robot.can_use(name):
            return False
        legal = getattr(self, f"choices_of_{name}")(robot)
        if legal is None:
            return False
        choice = self.answers.ask(robot, name, legal)
        if choice == "no":
            return False
        if name in TEMPORARY:
            robot.upgrades.remove(name)  # out of play
        getattr(self, f"use_{name}")(robot, choice)
        return True

    def choices_of_cache_memory(self, robot):
        """Any cards, as long as five are left to program."""
        most = len(robot.hand) if robot.is_programmed else len(robot.hand) - 5
        return Pick(robot.hand, 1, most) if most > 0 else None

    def use_cache_memory(self, robot, cards):
        """Cache Memory: cards of the hand go on top of the deck, the first uppermost."""
        robot.put_on_top(cards)

    def choices_of_defrag_gizmo(self, robot):
        """Each kind of damage card in the hand; once a round."""
        kinds = sorted(set(robot.hand) & set(DAMAGE_BOX))
        return ["no", *kinds] if kinds and "defrag_gizmo" not in robot.used else None

    def use_defrag_gizmo(self, robot, kind):
        """Defrag Gizmo: a damage card goes back to its pile, a card is drawn for it."""
        robot.used.add("defrag_gizmo")
        robot.hand.remove(kind)
        self.box[kind] += 1
        robot.draw_hand_cards(1)

    def choices_of_memory_swap(self, robot):
        """Three cards of the hand as it will be with the three that are drawn."""
        drawn = robot.next_cards(3)
        if drawn is None:
            return AnyChoice()
        hand = robot.hand + drawn
        wanted = min(3, len(hand))
        return Pick(hand, wanted, wanted)

    def use_memory_swap(self, robot, cards):
        """Memory Swap: draw three, then three of the hand go on top of the deck, the first uppermost."""
        robot.draw_hand_cards(3)
        robot.put_on_top(cards)

    def choices_of_recharge(self, robot):
        """At any time."""
        return ["no", "yes"]

    def use_recharge(self, robot, _):
        """Recharge: three energy."""
        robot.energy += 3

    def choices_of_recompile(self, robot):
        """With cards in the hand."""
        return ["no", "yes"] if robot.hand else None

    def use_recompile(self, robot, _):
        """Recompile: a new hand of the same size."""
        size = len(robot.hand)
        robot.discard_hand()
        robot.draw_hand_cards(size)

    def choices_of_spam_blocker(self, robot):
        """With SPAM in the hand."""
        return ["no", "yes"] if "spam" in robot.hand else None

    def use_spam_blocker(self, robot, _):
        """Spam Blocker: all SPAM of the hand go back to their pile, as many cards are drawn."""
        count = robot.hand.count("spam")
        robot.hand = [card for card in robot.hand if card != "spam"]
        self.box["spam"] += count
        robot.draw_hand_cards(count)


def default_program(hand):
    """The first five cards of the hand; one that may not be placed is replaced by the next free card, cyclic."""
    slots = []
    for register in range(5):
        for step in range(len(hand)):
            slot = (register + step) % len(hand)
            if slot not in slots and not (register == 0 and hand[slot] in AGAINS):
                slots.append(slot)
                break
    return [hand[slot] for slot in slots]
