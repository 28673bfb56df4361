"""A slow proof that a lone robot can always finish a course, played with the references of the rules.

    problem = lost(course)  # "" or a state from which the goal cannot be reached

Nothing is shared with the package's tables and proof but the writing of a course as a map. Each register with each card
is played by the reference of the edition from every place that the robot gets to, and the graph of these registers is
searched: forward from the start spaces, backward from the last checkpoint. A state is the robot's place, the register,
the space on which the robot comes back if no token is there for it, the ramps that are on, where the checkpoints lie,
and how many are reached.

Conventions:

- The robot has every card in every register. Nobody powers down: the robot could as well turn on the spot.
- Damage is none: it is repaired before the next register.
- A robot that fell chooses its facing. It has lives without end.
"""

from collections import deque
from typing import Any, NamedTuple

from roborally_env.courses import Course, course_as_dict
from tests.reference import community, e2005, e2016
from tests.reference.answers import Answers
from tests.reference.board import CLOCKWISE, cell_of, neighbour

RACES = {"2016": e2016.Race, "2005": e2005.Race, "community": community.Race}
MOVES = ("move_1", "move_2", "move_3", "back_up", "turn_left", "turn_right", "u_turn")
WAIT = "power_up"
LAST = 5  # register

Cell = tuple[int, int]


class State(NamedTuple):
    """What a lone robot, the ramps and the checkpoints are like when a register begins."""

    cell: Cell
    facing: str
    register: int
    home: Cell | None  # where it comes back without a token; None where that never matters
    ramps: frozenset[Cell]  # that are on
    places: tuple[Cell, ...]  # of the checkpoints
    reached: int  # how many of them


class End(NamedTuple):
    """What a register comes to: the robot's place, the space that it has touched (2005), the ramps, the checkpoints."""

    cell: Cell
    facing: str
    fell: bool
    touched: Cell | None
    ramps: frozenset[Cell]
    places: tuple[Cell, ...]


class Player(Answers):
    """Faces this way after a fall; no to all else."""

    facing = "N"

    def ask(self, robot: Any, decision: str, legal: Any, default: Any = "no") -> Any:
        """The answer to a question."""
        return self.facing if decision == "reboot_facing" else default


def lost(course: Course) -> str:
    """A state from which a lone robot cannot reach the goal though it can get there; "" if there is none."""
    return Graph(Alone(course)).lost()


def drawing_of(course: Course) -> dict[str, Any]:
    """The course as a map with its boards, as the references read it."""
    sides = ("x", "y", "width", "height")
    boards = [{side: getattr(board, side) for side in sides} for board in course.boards]
    return {**course_as_dict(course)["map"], "boards": boards}


class Alone:
    """One robot and a course: what comes of each register."""

    def __init__(self, course: Course) -> None:
        drawing = drawing_of(course)
        self.edition = course.edition
        self.player = Player([])
        rules = {} if course.edition == "2005" else {"upgrades": False}
        first = {"x": course.docks[0][1], "y": course.docks[0][2], "facing": CLOCKWISE[course.start_facing]}
        scenario = {"edition": course.edition, "map": drawing, "robots": [first], "rules": rules}
        self.race = RACES[course.edition]({**scenario, "play": {"from": 1, "to": 1}}, self.player)
        self.board = self.race.board
        self.docks = [(x, y) for _, x, y in course.docks]
        self.facing = CLOCKWISE[course.start_facing]
        self.cards = MOVES if course.edition == "2005" else (*MOVES, WAIT)
        self.numbers = sorted(self.board.checkpoints)
        self.places = tuple(self.board.checkpoints[number] for number in self.numbers)
        self.ramps = frozenset(getattr(self.board, "ramps_on", ()))
        self.by_register = bool(self.board.panels or getattr(self.board, "trapdoors", ()))
        self.riding = self._may_ride()
        self.rides_by_ramps = self.riding and bool(getattr(self.board, "buttons", ())) and self._meets_ramps()
        self.keeps_time = self.by_register or self.riding or self._drifts()
        self.homes = self.edition == "2005" or self._needs_homes()
        self.known: dict[Any, list[End]] = {}
        self.turned: dict[Any, tuple[Cell | None, str, frozenset[Cell]]] = {}
        self.settled: dict[Any, list[End]] = {}
        self.asleep: dict[Any, tuple[Cell, str]] = {}
        self.ridden: dict[Any, tuple[Cell, ...]] = {}

    def starts(self) -> list[State]:
        """The states at the start of a race, one for each start space."""
        ends = (self.ramps, self.places, 0)
        return list({State(dock, self.facing, 1, dock if self.homes else None, *ends): 0 for dock in self.docks})

    # ---- What matters on this course ------------------------------------------------------------------------------

    def _needs_homes(self) -> bool:
        """Is there a board without a reboot token for it?"""
        return any(self.board.token_for((part["x"], part["y"])) is None for part in self.board.boards)

    def _drifts(self) -> bool:
        """May a robot that fell be carried on in the rest of the round?"""
        homes = {*self.docks, *(cell_of(token) for token in getattr(self.board, "tokens", ()))}
        return self.edition == "2016" and any(home in self.board.belts for home in homes)

    def _may_ride(self) -> bool:
        """Does anything ever carry a checkpoint?"""
        if not getattr(self.board, "checkpoints_move", False):
            return False
        panels = self.board.panels if self.edition == "community" else {}
        return any(place in self.board.belts or place in panels for place in self.places)

    def _meets_ramps(self) -> bool:
        """May a checkpoint ride to a ramp?"""
        seen = set(self.places)
        todo = list(seen)
        while todo:
            cell = todo.pop()
            ways = [
                holder[cell][key]
                for holder, key in ((self.board.belts, "out"), (self.board.panels, "push"))
                if cell in holder
            ]
            ahead = {neighbour(cell, way) for way in ways}
            if ahead & set(self.board.ramps):
                return True
            todo += ahead - seen
            seen |= ahead
        return False

    # ---- A register -----------------------------------------------------------------------------------------------

    def moves(self, state: State) -> set[State]:
        """The states after the register with any card, or after the round if the robot fell."""
        return {self._after(state, end) for end in self.ends(state)}

    def ends(self, state: State) -> list[End]:
        """What the register comes to, with any card; a robot that fell chooses its facing."""
        register = state.register if self.by_register or self.rides_by_ramps else 1
        places = state.places if self.rides_by_ramps else self.places
        key = (state.cell, state.facing, register, state.ramps, places)
        found = self.known.get(key) or self.known.get((*key, state.home))
        if found is None:
            found = list({end: 0 for card in self.cards for end in self._played(*key, card, state.home)})
            by_home = self.homes and any(end.fell for end in found)
            self.known[(*key, state.home) if by_home else key] = found
        return found

    def _played(
        self, cell: Cell, facing: str, register: int, ramps: Any, places: Any, card: str, home: Any
    ) -> list[End]:
        """What one card comes to: the robot's turn, then what the board does with a robot that plays no card."""
        turn = (cell, facing, ramps, card)
        if turn not in self.turned:
            self.turned[turn] = self._turn(*turn)
        key = (*self.turned[turn], register, places)
        if key[0] is None:  # it fell in its turn
            return self._facings(cell, facing, register, ramps, places, card, home)
        found = self.settled.get(key)
        if found is None:
            where, looks, switched = self.turned[turn]
            found = self._facings(where, looks, register, switched, places, None, home)
            if not (self.homes and found[0].fell):
                self.settled[key] = found
        return found

    def _facings(self, *register: Any) -> list[End]:
        """What a register comes to; four ends where the robot fell."""
        self.player.facing = "N"
        ends = [self._play(*register)]
        for facing in "ESW" if ends[0].fell else "":
            self.player.facing = facing
            ends.append(self._play(*register))
        return ends

    def _turn(
        self, cell: Cell, facing: str, ramps: frozenset[Cell], card: str
    ) -> tuple[Cell | None, str, frozenset[Cell]]:
        """The robot's turn only: its place then, None if it fell, and the ramps."""
        race = self.race
        robot = self._put(cell, facing, 1, ramps, self.places, card, None)
        race.order, race.register = [robot], 1
        if self.edition == "2005":
            race.execute(robot, robot)
        else:
            race.take_turn(robot)
        fell = robot.cell is None or getattr(robot, "rebooted", False)
        return None if fell else robot.cell, robot.facing, frozenset(getattr(race.board, "ramps_on", ()))

    def _put(self, cell: Cell, facing: str, register: int, ramps: Any, places: Any, card: str | None, home: Any) -> Any:
        """A new robot with a card in the register, alone on the board."""
        race = self.race
        entry = {"x": cell[0], "y": cell[1], "facing": facing, "registers": [None] * (register - 1) + [card]}
        robot = race.new_robot(0, entry)
        race.robots, race.winner, race.destroyed_this_turn = [robot], None, []
        race.board.checkpoints = dict(zip(self.numbers, places, strict=True))
        if self.edition == "2005":
            race.board.flags = race.board.checkpoints
            robot.archive = home or cell
        else:
            robot.start = home or cell
        if self.edition == "community":
            race.board.ramps_on = set(ramps)
        return robot

    def _play(
        self,
        cell: Cell,
        facing: str,
        register: int,
        ramps: frozenset[Cell],
        places: tuple[Cell, ...],
        card: str | None,
        home: Cell | None,
        asleep: bool = False,
    ) -> End:
        """One register by the reference; a robot that is off the board comes back at once."""
        race = self.race
        robot = self._put(cell, facing, register, ramps, places, card, home)
        if asleep:
            robot.rebooted = True
        race.play_register(register)
        fell = robot.cell is None or (not asleep and getattr(robot, "reboots", 0) > 0)
        touched = getattr(robot, "touched", None)
        if robot.cell is None:
            race.clean_up()
        ramps = frozenset(getattr(race.board, "ramps_on", ()))
        return End(robot.cell, robot.facing, fell, touched, ramps, tuple(race.board.checkpoints.values()))

    # ---- What follows ---------------------------------------------------------------------------------------------

    def _after(self, state: State, end: End) -> State:
        """The state in which the next register begins."""
        late = self.edition != "2016"
        cell, facing, register = end.cell, end.facing, state.register
        places = end.places if self.rides_by_ramps else self.ride(state.places, register)
        reached = self._count(state.reached, places, None if end.fell and late else cell)
        if not self.keeps_time:
            register = LAST
        while end.fell and register < LAST:
            register += 1
            places = self.ride(places, register, end.ramps)
            if not late:
                cell, facing = self._sleep(cell, facing, register, state.home)
                reached = self._count(reached, places, cell)
        home = end.touched or state.home if self.edition == "2005" else state.home
        return State(cell, facing, register % LAST + 1, home, end.ramps, places, reached)

    def _count(self, reached: int, places: tuple[Cell, ...], cell: Cell | None) -> int:
        return reached + (reached < len(places) and places[reached] == cell)

    def _sleep(self, cell: Cell, facing: str, register: int, home: Cell | None) -> tuple[Cell, str]:
        """Where the board brings a robot in a register in which it plays no card."""
        key = (cell, facing, register, home)
        if key not in self.asleep:
            end = self._play(cell, facing, register, self.ramps, self.places, None, home, asleep=True)
            self.asleep[key] = end.cell, end.facing
        return self.asleep[key]

    def ride(self, places: tuple[Cell, ...], register: int, ramps: frozenset[Cell] | None = None) -> tuple[Cell, ...]:
        """Where the checkpoints lie after a register."""
        if not self.riding:
            return places
        ramps = self.ramps if ramps is None or not self.rides_by_ramps else ramps
        key = (places, register if self.by_register else 1, ramps)
        if key not in self.ridden:
            dock = self.docks[0]
            self.ridden[key] = self._play(dock, self.facing, key[1], ramps, places, None, dock).places
        return self.ridden[key]


class Graph:
    """All states that the robot can get into, and from which of them it can finish."""

    def __init__(self, alone: Alone) -> None:
        self.alone = alone
        self.states = alone.starts()
        self.number = {state: i for i, state in enumerate(self.states)}
        self.before: list[list[int]] = [[] for _ in self.states]  # the states from which one comes to this
        for i, state in enumerate(self.states):  # grows as it goes on
            if state.reached < len(alone.places):
                self._expand(i, state)

    def _expand(self, i: int, state: State) -> None:
        for after in self.alone.moves(state):
            j = self.number.setdefault(after, len(self.states))
            if j == len(self.states):
                self.states.append(after)
                self.before.append([])
            self.before[j].append(i)

    def lost(self) -> str:
        """A state from which the goal is out of reach."""
        good = [state.reached == len(self.alone.places) for state in self.states]
        todo = deque(i for i, is_good in enumerate(good) if is_good)
        while todo:
            for i in self.before[todo.popleft()]:
                if not good[i]:
                    good[i] = True
                    todo.append(i)
        bad = next((state for state, is_good in zip(self.states, good, strict=True) if not is_good), None)
        if bad is None:
            return ""
        return f"checkpoint {bad.reached + 1} and all after it: no way from {bad.cell} facing {bad.facing}"
