"""TextRace: a race whose players read text and answer in text, in the loop of TextArena's environments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from roborally_env.arguments import Courses
from roborally_env.base.checks import check_choice, check_flag, check_whole
from roborally_env.base.errors import RoboRallyError
from roborally_env.base.types import NamedValues
from roborally_env.batch.board import course_of
from roborally_env.core.choices import BUY_UPGRADE, NAMES, POWER_DOWN, REPLACE_UPGRADE
from roborally_env.play.questions import PROGRAM, Question
from roborally_env.play.race import PlayRace
from roborally_env.play.setup import PlaySetup, check_play
from roborally_env.replay import Replay
from roborally_env.text.answers import AnswerError, read_option, read_program
from roborally_env.text.news import News
from roborally_env.text.words import course_text, ending_text, goal_text, position_text, question_text, robot_names

DECISIONS = ("program", "all")
_ASKED = {PROGRAM, *(NAMES[kind] for kind in (BUY_UPGRADE, REPLACE_UPGRADE, POWER_DOWN))}  # by decisions="program"

TextAgent: TypeAlias = Callable[[str], str]


class Seats:
    """The text players of a race: whose turn it is, the texts that they get, and the meaning of their answers.

    Args:
        race: of people, who answer in text, and bots.
        decisions: `"all"`: players are asked every choice that the rules leave to them; `"program"`: programs,
            purchases and power downs, everything else takes its default.

    Attributes:
        race: as given.
    """

    def __init__(self, race: PlayRace, decisions: str = "all") -> None:
        self.race = race
        self._every = decisions == "all"
        self._names = robot_names(race)
        self._news = [News(self._names) for _ in race.setup.people]
        for news, timeline in zip(self._news, race.timelines, strict=False):  # the last one is nobody's
            news.add(timeline.chunks)
        self._go_on()

    @property
    def question(self) -> Question | None:
        """The question that is answered next; None when the race is over."""
        for player in range(len(self.race.setup.people)):
            for question in self.race.questions(player):
                return question
        return None

    def player_of(self, question: Question) -> int:
        """The player whose question it is."""
        player = self.race.player_of(question.robot)
        assert player is not None
        return player

    def text(self, question: Question, course: bool = True) -> str:
        """The whole text for a player that is to answer; with `course` the goal and the course too."""
        race, player = self.race, self.player_of(question)
        parts = []
        if course:
            parts += [goal_text(race.setup.course), course_text(course_of(race.batch, 0))]
        register = f", register {question.register}" if question.register else ""
        when = f"Round {question.round}{register}" if question.round else "Before the first round"
        parts.append(f"{when}. You are {self._names[question.robot]}.")
        parts += [self._news[player].text(), position_text(race, question.robot), question_text(race, question)]
        return "\n\n".join(filter(None, parts))

    def ending(self, player: int) -> str:
        """The text for a player when the race is over: what has happened since its last answer, and the result."""
        return "\n\n".join([self._news[player].text(), ending_text(self.race, player)]).strip()

    def answer(self, question: Question, text: object) -> None:
        """Take an answer, and play on to the next question.

        Raises:
            AnswerError: for one that does not fit; nothing has changed then.
        """
        if question.kind == PROGRAM:
            program, power_down = read_program(text, question, self.race.batch.kind)
            self._give(question, program, power_down)
        else:
            self._give(question, read_option(text, question))

    def play_default(self, question: Question) -> None:
        """Answer by the cards of the hand in order, or by the default option."""
        self._give(question, self._default(question))

    # -- inside

    def _default(self, question: Question) -> Sequence[int | None] | int:
        """The cards of the hand in order, or the default option."""
        if question.kind != PROGRAM:
            return int(self.race.batch.games[0]["ask_default"])
        program: list[int | None] = []
        for register in question.registers:
            program.append(next((slot for slot in register.slots if slot not in program), None))
        return program

    def _give(self, question: Question, value: Sequence[int | None] | int, power_down: bool = False) -> None:
        player = self.player_of(question)
        self.race.answer(player, question.number, question.robot, value, power_down=power_down)
        if not self.race.questions(player):
            self._news[player].clear()
        self._go_on()

    def _go_on(self) -> None:
        """Play until a player is asked something, or the race is over."""
        race = self.race
        while not race.over:
            question = self.question
            if question is None:
                race.think()
                for news, pieces in zip(self._news, race.step(), strict=False):
                    news.add(pieces)
            elif self._is_asked(question):
                return
            else:
                race.answer(self.player_of(question), question.number, question.robot, self._default(question))

    def _is_asked(self, question: Question) -> bool:
        """Whether the player answers: not where there is nothing to choose, or the default is wanted."""
        if question.kind == PROGRAM:
            return question.may_power_down or any(register.slots for register in question.registers)
        return len(question.answers) > 1 and (self._every or question.kind in _ASKED)


class TextRace:
    """A race whose players read text and answer in text.

    The loop is that of TextArena's environments:

        race = TextRace("dizzy_highway", opponents=["greedy"])
        race.reset(seed=1)
        done = False
        while not done:
            player, text = race.get_observation()
            done, info = race.step(agents[player](text))
        rewards, info = race.close()

    Each text stands alone: it has the course, the robots, the own hand, what has happened since the player's last
    answer, what is asked, and what may be answered. All players of a round decide before anybody sees a program; they
    are only asked one after the other. A wrong answer is explained in one sentence at the end of the next text; after
    `tries` of them in a row the default is played (the cards of the hand in order, or the default option) and counted.

    Args:
        course: a name, a path or a Course, as for `parallel_env`; None: one for beginners with three checkpoints.
        players: number of players that answer in text; they have the first seats.
        opponents: agents that have the other seats: their names.
        edition, rules, max_rounds: as in `parallel_env`.
        names: of the text players; without them "player 1" and so on.
        decisions: `"program"`: players are asked for programs, purchases and power downs; `"all"`: everything that the
            rules leave to them.
        tries: wrong answers in a row after which the default is played.
        repeat_course: whether each text has the course, or only the first one of each player.

    Attributes:
        faults: of each player, how many defaults were played for it.
        wrong: of each player, how many answers were wrong.

    Raises:
        RoboRallyError: for any value outside these.
    """

    def __init__(
        self,
        course: Courses | None = None,
        *,
        players: int = 1,
        opponents: Sequence[str] = ("greedy",),
        edition: str | None = None,
        rules: Mapping[str, Any] | None = None,
        max_rounds: int | None = 100,
        names: Sequence[str] = (),
        decisions: str = "program",
        tries: int = 3,
        repeat_course: bool = True,
    ) -> None:
        self._decisions = check_choice(decisions, "decisions", DECISIONS)
        self._tries = check_whole(tries, "tries", 1, 1_000_000)
        self._repeat = check_flag(repeat_course, "repeat_course")
        self._arguments: NamedValues = {
            "course": course, "opponents": list(opponents) or ["none"], "humans": players, "edition": edition,
            "rules": rules, "max_rounds": max_rounds, "names": names,
        }  # fmt: skip
        self._setup = self._checked(0)
        self.players = players
        self._seed: int | None = None
        self._seats: Seats | None = None

    def _checked(self, seed: int | None) -> PlaySetup:
        return check_play(**self._arguments, seed=seed)

    # -- TextArena's methods

    def reset(self, num_players: int | None = None, seed: int | None = None) -> None:
        """Begin the race of a seed.

        Args:
            num_players: as TextArena's loops give it; None, or `players`.
            seed: a whole number from 0; None: any.

        Raises:
            RoboRallyError: for any value outside these.
        """
        if num_players not in (None, self.players):
            raise RoboRallyError(f"num_players: expected {self.players}, as in the constructor, got {num_players!r}")
        self._setup = self._checked(seed)
        self._seats = Seats(PlayRace(self._setup), self._decisions)
        self.faults, self.wrong = Counter[int](), Counter[int]()
        self._shown_course: set[int] = set()
        self._in_a_row, self._error = 0, ""

    def get_observation(self) -> tuple[int, str]:
        """The player that answers next, and the text for it; when the race is over player 0, what has
        happened since its last answer, and the result."""
        seats = self._started()
        question = seats.question
        if question is None:
            return 0, seats.ending(0)
        player = seats.player_of(question)
        text = seats.text(question, self._repeat or player not in self._shown_course)
        if self._error:
            text += f"\n\nYour last answer was not accepted: {self._error} Answer again."
        return player, text

    def step(self, action: str) -> tuple[bool, NamedValues]:
        """Take the answer to the last text; returns whether the race is over, and an info.

        The info has `player`, whether the answer was `accepted`, the `error` in one sentence (empty if there is none),
        and whether a `default` was played in its place.

        Raises:
            RoboRallyError: before `reset`, and after the race is over.
        """
        seats = self._started()
        question = seats.question
        if question is None:
            raise RoboRallyError("step: the race is over; call reset()")
        player = seats.player_of(question)
        info: NamedValues = {"player": player, "accepted": True, "error": "", "default": False}
        try:
            seats.answer(question, action)
        except AnswerError as error:
            self.wrong[player] += 1
            self._in_a_row += 1
            self._error = str(error)
            info |= {"accepted": False, "error": str(error), "default": self._in_a_row >= self._tries}
            if not info["default"]:
                return False, info
            self.faults[player] += 1
            seats.play_default(question)
        self._shown_course.add(player)
        self._in_a_row, self._error = 0, ""
        return seats.race.over, info

    def close(self) -> tuple[dict[int, float], NamedValues]:
        """The rewards of the text players and the result.

        Rewards are from 1 for the first place to -1 for the last, where a team has one place; before the end of the
        race they are zeros. The result has `places` of all robots from 1, `winners`, `rounds`, `cut`, by `names`, and
        `faults` and `wrong` by player.
        """
        race = self._started().race
        result = race.result()
        sides = race.sides()
        best = [min(result["places"][robot] for robot in side) for side in sides]
        rewards = dict.fromkeys(range(self.players), 0.0)
        if race.over:
            for player in rewards:
                own = next(k for k, side in enumerate(sides) if race.setup.robots_of(player)[0] in side)
                before, level = sum(each < best[own] for each in best), best.count(best[own])
                rewards[player] = 1 - 2 * (before + (level - 1) / 2) / (len(sides) - 1)
        info = {key: result[key] for key in ("places", "winners", "rounds", "cut")}
        return rewards, {**info, "names": list(race.names), "faults": dict(self.faults), "wrong": dict(self.wrong)}

    # -- more

    @property
    def done(self) -> bool:
        """Whether the race is over."""
        return self._started().race.over

    @property
    def seed(self) -> int:
        """The seed of the race."""
        return self._setup.seed

    def replay(self) -> Replay:
        """The rounds played so far as a replay, for `roborally watch`."""
        return self._started().race.replay()

    def play(self, agents: Sequence[TextAgent] | TextAgent, seed: int | None = None) -> tuple[Any, ...]:
        """Play a whole race with these agents, functions from text to text, one a player or one for all; returns what
        `close` returns. The error of an agent ends the race."""
        all_agents = [agents] * self.players if callable(agents) else list(agents)
        if len(all_agents) != self.players:
            raise RoboRallyError(f"agents: expected {self.players}, one a player, got {len(all_agents)}")
        self.reset(seed=seed)
        while not self.done:
            player, text = self.get_observation()
            self.step(all_agents[player](text))
        return self.close()

    def _started(self) -> Seats:
        if self._seats is None:
            raise RoboRallyError("TextRace: call reset() first")
        return self._seats
