"""What a player sees in the 2005 edition: one deck for all, damage, lives, options, teams, robots off the board."""

from tests.reference.board import CLOCKWISE
from tests.reference.cards import words
from tests.reference.e2005.cards import DECK, NUMBERS, action_of, number_of

from .view import PROGRAM, View, cell_named, flags_of, has_bit

BEGIN_REGISTER, TOUCH = 7, 14  # steps of a turn

KINDS = words("move_1 move_2 move_3 back_up turn_left turn_right u_turn")
# A card's number in a record is its priority number / 10.
CARDS = {number_of(card) // 10: card for card in DECK}

OPTIONS = words(
    "ablative_coat abort_switch brakes circuit_breaker conditional_program crab_legs double_barreled_laser"
    " dual_processor extra_memory fire_control flywheel fourth_gear gyroscopic_stabilizer high_power_laser"
    " mechanical_arm mini_howitzer power_down_shield pressor_beam radio_control ramming_gear rear_firing_laser"
    " recompile reverse_gear scrambler superior_archive tractor_beam"
)
DECISIONS = words(
    "reboot_facing power_down stay_down reenter_powered_down reentry_cell reentry_row option_for_damage option_lost"
    " keep_option set_aside home_board"
)


class View2005(View):
    """A player's view of the 2005 edition."""

    parts = words(
        "hand locked locked_cards damage lives archive own_options power position facing progress distance target ways"
        " cell decision flags role unseen others"
    )
    more_parts = words("asked options register registers laid_by marks")

    def seen_from(self):
        """A robot that is off the board sees from its archive marker."""
        return self.cell_of_robot(self.seat) or cell_named(self.own("archive"))

    def plays_by(self, rule):
        """Has the course this special rule?"""
        return rule in self.board.drawing.get("special_rules", [])

    # ---- Cards ----------------------------------------------------------------------------------------------------

    def shown(self, cards):
        """Of each card one-hot its kind, and its number / 840."""
        numbers = []
        for card in cards:
            name = CARDS.get(card)
            numbers += [int(name is not None and action_of(name) == kind) for kind in KINDS]
            numbers.append(number_of(name) / 840 if name else 0)
        return numbers

    def hand(self):
        return self.shown(self.own("hand")[:9])

    def locks(self, robot):
        """1 for each locked register: the fifth with five damage tokens, all five with nine; and by Fire Control."""
        jammed = self.game["jammed"][robot]
        return [int(self.game["damage"][robot] >= 10 - number or has_bit(jammed, number - 1)) for number in range(1, 6)]

    def locked(self):
        return self.locks(self.seat)

    def locked_cards(self):
        cards = zip(self.own("registers"), self.locks(self.seat), strict=True)
        return self.shown([card if locked else 0 for card, locked in cards])

    def played_register(self):
        return min(4, self.game["register"]) if self.game["step"] >= BEGIN_REGISTER else -1

    def revealed_register(self):
        """The last register that was revealed in this turn, from 0; -1: none. Abort Switch is asked about it."""
        step = self.game["step"]
        if step > TOUCH:
            return 4
        is_revealed = step > BEGIN_REGISTER or self.question == "abort_switch"
        return self.played_register() if is_revealed else self.played_register() - 1

    def lies_open(self, robot, register):
        """Is the card in a register, counted from 0, locked or revealed in this turn?"""
        return bool(self.locks(robot)[register]) or register <= self.revealed_register()

    def open_cards(self, robot):
        """The cards in a robot's registers as far as they lie open, 0 in the others."""
        cards = self.game["registers"][robot]
        return [card if self.lies_open(robot, register) else 0 for register, card in enumerate(cards)]

    def registers(self):
        programmed = self.game["step"] > PROGRAM
        return self.shown(self.own("registers") if programmed else [0] * 5)

    def laid_by(self):
        return self.shown([self.own("conditional"), self.own("flywheel")])

    def unseen(self):
        """The cards of the deck less those that the player sees."""
        seen = [*self.own("hand"), *self.own("registers"), *self.own("laid_on")]
        seen += [self.own("conditional"), self.own("flywheel")]
        for robot in self.other_robots():
            seen += self.open_cards(robot)
            laid_on = enumerate(self.game["laid_on"][robot])
            seen += [card for register, card in laid_on if self.lies_open(robot, register)]
        names = [CARDS[card] for card in seen if card]
        return [(len(NUMBERS[kind]) - sum(action_of(name) == kind for name in names)) / 18 for kind in KINDS]

    # ---- The robot ------------------------------------------------------------------------------------------------

    def damage(self):
        return [self.own("damage") / 10]

    def lives(self):
        return [self.own("lives") / 4]

    def archive(self):
        return self.place(cell_named(self.own("archive")))

    def own_options(self):
        return flags_of(self.own("options"), len(OPTIONS))

    def power(self):
        return self.power_of(self.seat)

    def power_of(self, robot):
        """Powered down, announced for the next turn, off the board: destroyed, or not put on it yet."""
        states = [has_bit(self.game[state], robot) for state in ("down", "announced")]
        return [*states, int(self.cell_of_robot(robot) is None)]

    def cell(self):
        return [*super().cell(), self.board.sites.get(self.here, 0)]

    def marks(self):
        return [has_bit(self.game[mark], self.seat) for mark in ("aborted", "stabilized", "recompiled")]

    # ---- Flags and teams ------------------------------------------------------------------------------------------

    def touches_flags(self, robot):
        """Neither blockers nor, beside a SuperBot, other robots touch flags."""
        is_superbot, is_blocker = self.roles(robot)
        return not is_blocker and bool(is_superbot or not self.plays_by("superbot"))

    def next_checkpoint(self, robot):
        """The place of the flag that a robot goes for; None: it touches none, or all are held."""
        team = self.game["team"][robot]
        if self.plays_by("capture_the_flag"):
            home = self.game["home"][team]
            return home if self.game["carrier"][1 - home] == robot else 1 - home
        if self.plays_by("claims"):
            return self.first_unclaimed(range(robot // 2, robot // 2 + len(self.board.checkpoints)), team)
        return super().next_checkpoint(robot) if self.touches_flags(robot) else None

    def first_unclaimed(self, places, team):
        """The first of the places, counted round and round, of a flag that the team does not hold; None: it has all."""
        flags = [place % len(self.board.checkpoints) for place in places]
        return next((flag for flag in flags if self.game["claim"][flag] != team), None)

    def checkpoint_after(self, place):
        """In Toggle Boggle the next flag that the own team does not hold; in Capture the Flag the other of the two."""
        if place is None:
            return None
        if self.plays_by("capture_the_flag"):
            return 1 - place
        if self.plays_by("claims"):
            return self.first_unclaimed(range(place + 1, place + len(self.board.checkpoints)), self.own("team"))
        return super().checkpoint_after(place)

    def goes_on_from(self, robot):
        """A robot that is off the board comes back at its archive marker."""
        cell = self.cell_of_robot(robot) or cell_named(self.game["archive"][robot])
        return None if cell is None else (cell, CLOCKWISE[self.game["facing"][robot]])

    def is_ours(self, team):
        """Is it the team of the own robot?"""
        return team == self.own("team")

    def flags(self):
        """1 for each flag that is the own team's, -1 for another team's."""
        holders = list(self.game["claim"])
        for flag, robot in enumerate(self.game["carrier"]):
            if robot >= 0:
                holders[flag] = self.game["team"][robot]
        return [0 if team < 0 else 1 if self.is_ours(team) else -1 for team in holders]

    def roles(self, robot):
        """The SuperBot, a blocker."""
        return [int(self.game["superbot"] == robot), int(self.plays_by("racers_and_blockers") and robot % 2 == 1)]

    def role(self):
        return self.roles(self.seat)

    # ---- Questions ------------------------------------------------------------------------------------------------

    def is_asked_program(self):
        """Robots that are off the board or powered down get no program."""
        out = has_bit(self.game["down"], self.seat) or has_bit(self.game["destroyed"], self.seat)
        return super().is_asked_program() and not out

    def asked(self):
        return [int(self.open_question() == decision) for decision in DECISIONS + OPTIONS]

    def options(self):
        return self.legal_options(40)

    # ---- The others -----------------------------------------------------------------------------------------------

    def row(self, robot):
        """The numbers of another robot."""
        game = self.game
        about = self.open_question() is not None and game["ask_about"] == robot
        return [
            *super().row(robot),
            game["damage"][robot] / 10,
            game["lives"][robot] / 4,
            sum(self.locks(robot)) / 5,
            *self.power_of(robot),
            int(self.is_ours(game["team"][robot])),
            *self.roles(robot),
            int(robot in game["carrier"]),
            int(about),
            *flags_of(game["options"][robot], len(OPTIONS)),
            *self.shown(self.open_cards(robot)),
        ]
