"""What a player sees in both games of 2016: decks of their own, energy, the antenna, upgrades."""

from tests.reference.cards import words
from tests.reference.e2016.board import priority_key

from .view import MOST, PROGRAM, View, flags_of, has_bit, one_hot

SPAM, TROJAN_HORSE = 10, 13
PILE = 104  # places of a pile in a record

UPGRADES = words(
    "admin_privilege blue_screen_of_death brakes cache_memory corruption_wave crab_legs deflector_shield defrag_gizmo"
    " double_barrel_laser firewall hover_unit memory_stick mini_howitzer modular_chassis pressor_beam rail_gun"
    " ramming_gear rear_laser scrambler side_arms teleporter tractor_beam trojan_needler virus_module boink"
    " energy_routine hack manual_sort memory_swap reboot recharge recompile refresh repeat_routine sandbox_routine"
    " spam_blocker spam_folder_routine speed_routine weasel_routine zoop"
)
ADMIN_PRIVILEGE, DEFRAG_GIZMO = 1 + UPGRADES.index("admin_privilege"), 1 + UPGRADES.index("defrag_gizmo")
DECISIONS = ["program", *words("reboot_facing damage_kind buy_upgrade replace_upgrade"), *UPGRADES]


class DeckView(View):
    """A player's view where every robot has a deck of its own."""

    slots = 10  # of a hand
    kinds = 19  # numbers that show a card
    upgrade_count = len(UPGRADES)
    decisions = DECISIONS

    # ---- Cards ----------------------------------------------------------------------------------------------------

    def shown(self, cards):
        """One-hot: each of these cards."""
        return [number for card in cards for number in one_hot(card - 1, self.kinds)]

    def counted(self, cards):
        """Cards of each kind / 4."""
        return [cards.count(kind) / 4 for kind in range(1, self.kinds + 1)]

    def hand(self):
        return self.shown(self.own("hand")[: self.slots])

    def known_cards(self, robot):
        """The cards that lie known on a deck, the uppermost first."""
        known = self.game["known"][robot]
        return self.game["pile"][robot][PILE - known :]

    def drawn_from(self, robot):
        """A draw pile, with what lies known on it."""
        return self.game["pile"][robot][: self.game["drawable"][robot]] + self.known_cards(robot)

    def thrown(self, robot):
        """A discard pile."""
        first = self.game["drawable"][robot]
        return self.game["pile"][robot][first : first + self.game["discarded"][robot]]

    def draw_pile(self):
        return self.counted(self.drawn_from(self.seat))

    def discard_pile(self):
        return self.counted(self.thrown(self.seat))

    def is_face_down(self, robot, register):
        """Is the card in a register, counted from 0, hidden from the others?"""
        return register > self.played_register()

    def hidden(self, robot):
        """A robot's cards in hand, face-down registers and draw pile."""
        registers = [
            card for register, card in enumerate(self.game["registers"][robot]) if self.is_face_down(robot, register)
        ]
        return self.game["hand"][robot] + registers + self.drawn_from(robot)

    def damage_piles(self):
        return [cards / 32 for cards in self.game["damage_pile"]]

    def registers(self):
        programmed = self.game["step"] > PROGRAM
        return self.shown(self.own("registers") if programmed else [0] * 5)

    def known_top(self):
        cards = self.known_cards(self.seat)[:3]
        return self.shown(cards + [0] * (3 - len(cards)))

    # ---- Priority, energy, upgrades -------------------------------------------------------------------------------

    def priority_of(self, robot):
        """Sorts the robots by the order in which they would act."""
        cell = self.cell_of_robot(robot)
        if self.board.antenna is None or cell is None:
            return (cell is None, (0, 0), robot)
        return (False, priority_key(cell, self.board.antenna, self.board.dish), robot)

    def acts_before(self, robot):
        """Would the other robot act before the own?"""
        return int(self.priority_of(robot) < self.priority_of(self.seat))

    def priority(self):
        return [sum(map(self.acts_before, self.other_robots())) / 8]

    def cubes_of(self, robot):
        """Energy / 10."""
        return min(MOST, self.game["energy"][robot] / 10)

    def energy(self):
        return [self.cubes_of(self.seat)]

    def upgrades_of(self, robot):
        """1 for each upgrade on a mat."""
        return flags_of(self.game["owned"][robot], self.upgrade_count)

    def upgrades(self):
        return self.upgrades_of(self.seat)

    def shop(self):
        for_sale = [int(number in self.game["shop"]) for number in range(1, self.upgrade_count + 1)]
        if self.open_question() != "buy_upgrade":
            return for_sale
        may_buy = self.legal_options(1 + self.upgrade_count)[1:]
        return [1 + may if sold else 0 for sold, may in zip(for_sale, may_buy, strict=True)]

    # ---- Where every choice is asked --------------------------------------------------------------------------------

    def asked(self):
        question = "program" if self.is_asked_program() else self.open_question()
        return [int(question == decision) for decision in self.decisions]

    def options(self):
        return self.legal_options(1 + self.upgrade_count)

    def marks(self):
        used = [has_bit(self.own("used"), upgrade) for upgrade in (ADMIN_PRIVILEGE, DEFRAG_GIZMO)]
        return [*used, has_bit(self.game["shielded"], self.seat)]

    def revealed(self):
        return [number for robot in self.other_robots() for number in self.revealed_by(robot)]

    def revealed_by(self, robot):
        """The card in another robot's revealed register, whether its shield is up, whether the question is about it."""
        register = self.played_register()
        card = self.game["registers"][robot][register] if register >= 0 else 0
        about = self.open_question() is not None and self.game["ask_about"] == robot
        return [*self.shown([card]), has_bit(self.game["shielded"], robot), int(about)]


class LighterView(DeckView):
    """The lighter game."""

    parts = words(
        "hand draw_pile discard_pile position facing energy progress distance target antenna ways cell priority"
        " damage_piles decision options others"
    )
    more_parts = ()
    slots = 9
    kinds = 13

    def decision(self):
        question = "program" if self.is_asked_program() else self.open_question()
        return [int(question == decision) for decision in DECISIONS[:3]]

    def options(self):
        return self.legal_options(4)

    def row(self, robot):
        """The numbers of another robot, to its hidden cards."""
        hidden = self.hidden(robot)
        damage = [card for card in self.thrown(robot) + hidden if SPAM <= card <= TROJAN_HORSE]
        return [
            *super().row(robot),
            self.cubes_of(robot),
            self.acts_before(robot),
            has_bit(self.game["rebooted"], robot),
            len(damage) / 16,
            *self.counted(hidden),
        ]


class CompleteView(LighterView):
    """The complete game."""

    parts = words(
        "hand draw_pile discard_pile position facing energy progress distance target antenna ways cell priority"
        " damage_piles decision upgrades shop others"
    )
    more_parts = words("asked options register registers known_top marks revealed")
    slots = 10
    kinds = 19

    options = DeckView.options

    def decision(self):
        return [int(self.is_asked_program()), int(self.open_question() == "buy_upgrade")]

    def row(self, robot):
        """The numbers of another robot, to its upgrades."""
        return [*super().row(robot), *self.upgrades_of(robot)]
