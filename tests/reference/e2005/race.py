"""Robo Rally, the 2005 edition, played slowly: the rules once more, written from the rulebook.

    outcome = play(scenario)

A scenario and an outcome are plain dicts, as the scenario files have them (here: a `map`, no `events`).
Nothing is shared with the compiled core, so that the two can be compared over many random rounds.

There is no generator. Cards come from the draw pile that the scenario names (the one deck: equal lists for all robots);
where only a shuffle can tell the next card, `NeedsChance` is raised. There is one discard pile too: each robot's
`discard` names cards of it.

Conventions beyond the rulings, for all parts (each part names its own):

- Dock order is list order. Robots without a card with a number come after those with one, in list order.
- `destroyed` in the outcome: in this turn, be it back by now or not. `active`: on the board, and neither destroyed nor
  powered down in this turn, nor sitting it out. `energy` is what the scenario says, `taken` is always zero.
- The race is over too when a phase ends and nobody has Life tokens left.
- A destroyed robot keeps its damage tokens and its registers until the clean-up.

The parts of a race: programming.py (what comes before the registers), registers.py (A. reveal), movement.py (B. robots
move), elements.py (C. board elements), lasers.py (D. lasers fire), touching.py (E. touch), cleanup.py, damage.py,
special.py and capturing.py (what courses change).
"""

from tests.reference.errors import BadScenario, NeedsChance
from tests.reference.race import Race as AnyRace

from .answers import Answers
from .board import Board
from .cards import DECK, OPTIONS
from .cleanup import CleanUp
from .damage import Damage
from .elements import Elements
from .lasers import Lasers
from .movement import Movement
from .programming import Programming
from .registers import Registers
from .robot import Robot
from .special import TAGS, SpecialRules
from .touching import Touching

DEFAULT_RULES = {"two_ended_lasers": "once", "lives": 3, "timer": False, "fire_control_token": False}
TIMERS = {"program_time_30", "program_time_60"}


class Race(Programming, Registers, Movement, Elements, Lasers, Damage, Touching, CleanUp, SpecialRules, AnyRace):
    """One race: the decks and the special rules beside what all editions have."""

    edition = "2005"
    default_rules = DEFAULT_RULES
    board_class = Board
    answers_class = Answers

    def __init__(self, scenario, answers=None):
        self.special_rules = set(scenario.get("map", {}).get("special_rules", []))
        if not self.special_rules <= set(TAGS):
            raise BadScenario(f"no such special rule: {self.special_rules - set(TAGS)}")
        super().__init__(scenario, answers)
        self.set_up_decks(scenario)

        self.superbot = self.first_superbot(scenario) if "superbot" in self.special_rules else None
        self.new_superbots = []  # those who became the SuperBot in this phase
        self.claims = {number: robot.team for robot in self.robots for number in robot.holds}  # flag -> who claims it
        self.has_timers = bool(self.special_rules & TIMERS)  # every player is limited
        self.heads = list(scenario.get("heads", []))  # the touches of flags on which a coin came up heads
        self.placed_by_timer = scenario.get(
            "laid", []
        )  # [round, register, robot, card], where the timer may have run out
        self.turning = []  # the cells whose boards are about to turn
        self.carriers = {}  # flag -> the robot that carries it
        for robot in self.robots:
            if robot.carries is not None:
                self.carriers[robot.carries] = robot
                self.board.flags[robot.carries] = None
        self.pushed_from_home = []  # (pusher, robot) of this phase
        self.sent_home = []  # the robots that have been taken off the board in this turn
        self.touched_a_flag = []  # the robots that touched one that counts, or any for claims, in this phase
        self.touched_by_card = set()  # the robots that the present card has touched
        self.may_use_options = True  # False: the present card is played under Radio Control
        self.fire_controlled = set()  # (target, register or option) that Fire Control has chosen in this phase
        self.destroyed_this_turn = []  # in the order in which they were destroyed
        self.destroyed_last_turn = []

    def new_robot(self, index, entry):
        """A robot of the scenario."""
        damage = 2 if "start_damage" in self.special_rules else 0
        robot = Robot(index, entry, damage, self.rules["lives"], self.first_team(index))
        robot.locks_are_tokens = self.rules["fire_control_token"]
        return robot

    # ---- Decks ----------------------------------------------------------------------------------------------------

    def set_up_decks(self, scenario):
        """The known top of the Program deck, the cards below it in an order that nobody knows, and the Option deck."""
        tops = [entry["draw"] for entry in scenario["robots"] if "draw" in entry]
        if any(top != tops[0] for top in tops):
            raise BadScenario("there is one deck: equal lists for all robots")
        self.draw_pile = list(tops[0]) if tops else []
        self.discard = [card for entry in scenario["robots"] for card in entry.get("discard", [])]
        named = [card for robot in self.robots for card in robot.all_cards()] + self.draw_pile + self.discard
        numbered = [card for card in named if ":" in card]
        if len(set(numbered)) < len(numbered):
            raise BadScenario("a card is named twice")
        self.knows_all_cards = len(numbered) == len(named)  # else nobody knows which of its kind a card is
        self.unknown = [card for card in DECK if card not in named]

        held = [name for robot in self.robots for name in robot.options]
        if len(set(held)) < len(held):
            raise BadScenario("there is one of each option")
        self.known_options = list(scenario.get("option_deck", []))  # on top of the others
        self.option_deck = [name for name in OPTIONS if name not in [*held, *self.known_options]]
        self.option_discards = []

    def draw_card(self):
        """The top card of the Program deck."""
        if not self.draw_pile:
            raise NeedsChance("a card is drawn that is not known")
        return self.draw_pile.pop(0)

    # ---- The turn -------------------------------------------------------------------------------------------------

    def play_round(self):
        """How to Play: deal, program, announce power downs, complete registers, clean up."""
        self.begin_turn()
        self.deal_program_cards()
        self.program_registers()
        self.announce_power_down()
        self.play_registers(1, 5)
        if not self.is_over():
            self.clean_up()
            self.bring_flag_home()

    def is_over(self):
        """Has somebody won, or is nobody left?"""
        no_flags = self.superbot is not None and self.superbot.lives == 0
        return super().is_over() or no_flags or all(robot.lives == 0 for robot in self.who_stay_in())

    def play_register(self, register):
        """The register phase sequence."""
        self.register = register
        for robot in self.robots:
            robot.shielded = set()
        self.bring_flags_back()
        self.announce_options()
        self.reveal_program_cards()
        self.move_robots()
        self.move_board_elements()
        self.fire_lasers()
        self.touch()
        self.send_home()
        self.look_for_last_team()
        self.new_superbots = []

    # ---- The outcome ----------------------------------------------------------------------------------------------

    def outcome(self):
        """The outcome object of the scenario files, without events."""
        if self.heads:
            raise BadScenario(f"nobody flipped a coin at {self.heads}")
        return super().outcome()

    def outcome_of(self, robot):
        """What the outcome says of one robot."""
        return {
            **super().outcome_of(robot),
            "checkpoint": self.flags_of(robot),
            "taken": {"spam": 0, "worm": 0, "virus": 0, "trojan_horse": 0},
            "damage": robot.damage,
            "lives": robot.lives,
            "rebooted": False,
            "destroyed": robot in self.destroyed_this_turn or robot.lives == 0,
            "active": robot.is_on_board and not (self.missed_the_turn(robot) or robot.was_down),
            "archive": robot.archive and {"x": robot.archive[0], "y": robot.archive[1]},
            "level": 0,
            **self.special_outcome_of(robot),
        }

    def missed_the_turn(self, robot):
        """Was it destroyed in this turn, or did it sit it out?"""
        sits_out = "sit_out" in self.special_rules and robot in self.destroyed_last_turn
        return robot in self.destroyed_this_turn or sits_out

    def cards_of(self, robot):
        """The cards of a robot after a turn; there is one deck, which is known where all cards have their numbers."""
        deck = {"draw": sorted(self.draw_pile + self.unknown), "discard": sorted(self.discard)}
        cards = {"hand": sorted(robot.hand), "upgrades": [], "options": sorted(robot.options)}
        return {**cards, **deck} if self.knows_all_cards else cards


play = Race.play
