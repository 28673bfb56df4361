"""Scenes: a picture, cards for its robots, and what must come out. Each scene is a scenario file too.

    scene('''
        +    +    +    +    +
          A>   B^   .    .
        +    +    +    +    +
    ''').play(A="move_2").shows('''
        +    +    +    +    +
          .    .    A>   B^
        +    +    +    +    +
    ''')

The notation is in picture.py. Robots are the scenario's robots in the order of their letters, so without an antenna
A acts before B.

Upgrades, and what is asked for them:

    scene(picture, A="rail_gun hack", B={"upgrades": ["brakes"], "energy": 0}).play(
        A="move_1", answers=("A hack yes", "A rail_gun yes")
    ).asked("A hack yes", "A rail_gun yes")

An answer that is never asked for is an error, so an answer also says that the question came.
"""

import json
from typing import Any

from roborally_env.scenario import load

from .picture import ROBOTS, Robots, draw, read, side_by_side

DAMAGE = ("spam", "worm", "virus", "trojan_horse")
REGISTERS = 5
LISTS = ("program", "cache_memory", "memory_swap")  # the decisions that are answered with a list of cards

Mat = dict[str, Any]


def scene(picture: str, rules: dict[str, Any] | None = None, **options: Any) -> "Scene":
    """The situation of a picture.

    `rules` are rule options. Of the other options, A to G are what a robot has beside its place, as
    `A={"draw": ["move_1"], "energy": 3}` or, where it is only upgrades, as `A="brakes hack"`; the rest belongs to the
    map (`moving_checkpoints`, `start_facing`).
    """
    found = read(picture)
    mats = {name: _mat(options.pop(name)) for name in list(options) if name in ROBOTS}
    assert mats.keys() <= found.robots.keys(), "cards for a robot that is not in the picture"
    return Scene({"map": {**found.map, **options}}, found.robots, mats, rules)


def _mat(given: Mat | str) -> Mat:
    return {"upgrades": given.split()} if isinstance(given, str) else given


def race_on(course: str, rules: dict[str, Any] | None = None, **robots: str) -> "Scene":
    """Robots on a printed course, each as column, row and facing: `race_on("dizzy_highway", A="4 3 E")`."""
    places = {name: text.split() for name, text in robots.items()}
    return Scene({"course": course}, {name: (int(x), int(y), f) for name, (x, y, f) in places.items()}, {}, rules)


class Scene:
    """A board with robots on it, ready to be played."""

    def __init__(
        self, board: dict[str, Any], robots: Robots, mats: dict[str, dict[str, Any]], rules: dict[str, Any] | None
    ) -> None:
        self.board, self.robots, self.mats, self.rules = board, robots, mats, rules or {}
        self.names = "".join(sorted(robots))

    def play(
        self, register: int = 1, *, to: int | None = None, order: str = "", answers: tuple[str, ...] = (),
        **programs: str | list[str | None],
    ) -> "Result":  # fmt: skip
        """Play from `register` on, as far as the longest program, or to register `to`.

        A program is the list of its cards from register one on, or the one card of `register`. `order`, as "BA",
        stands for priority. Each answer is robot, decision and choice, as "A reboot_facing N".
        """
        cards = {
            name: [None] * (register - 1) + [program] if isinstance(program, str) else program
            for name, program in programs.items()
        }
        last = to or max([register, *map(len, cards.values())])
        play = {"from": register, "to": last}
        return self._run(play, order, answers, cards)

    def play_rounds(
        self, rounds: int = 1, *, order: str = "", answers: tuple[str, ...] = (), seed: int = 0, start: str = "",
        shop: tuple[str, ...] = (), **programs: list[str],
    ) -> "Result":  # fmt: skip
        """Play whole rounds from programming on, or from the upgrade phase on: `start="upgrade"`.

        Robots in `programs` have their registers filled already. `shop` are the cards that lie there.
        """
        play = {"rounds": rounds, "start": start} if start else {"rounds": rounds}
        return self._run(play, order, answers, programs, seed, shop)

    def _run(
        self, play: dict[str, Any], order: str, answers: tuple[str, ...], programs: dict[str, Any], seed: int = 0,
        shop: tuple[str, ...] = (),
    ) -> "Result":  # fmt: skip
        assert programs.keys() <= set(self.names), "a program for a robot that is not in the picture"
        if order:
            play["order"] = [self.names.index(name) for name in order]
        scenario = {
            "edition": "2016",
            "rules": self.rules,
            **self.board,
            "robots": [self._robot(name, programs) for name in self.names],
            "answers": [self._answer(text) for text in answers],
            "play": play,
            "seed": seed,
        }
        if shop:
            scenario["shop"] = list(shop)
        return Result(self, scenario, load(scenario).run())

    def _robot(self, name: str, programs: dict[str, Any]) -> dict[str, Any]:
        x, y, facing = self.robots[name]
        robot = {"x": x, "y": y, "facing": facing, **self.mats.get(name, {})}
        if name in programs:
            robot["registers"] = programs[name]
        return robot

    def _answer(self, text: str) -> dict[str, Any]:
        name, decision, *choice = text.split()
        cards = [None if card == "-" else card for card in choice]
        return {
            "robot": self.names.index(name),
            "decision": decision,
            "choice": cards if decision in LISTS and choice != ["no"] else choice[0],
        }


class Result:
    """How a scene came out. The checks return the result again, so that they can be chained."""

    def __init__(self, scene: Scene, scenario: dict[str, Any], outcome: dict[str, Any]) -> None:
        self.scene, self.scenario, self.outcome = scene, scenario, outcome
        self.events: list[dict[str, Any]] = outcome["events"]
        self.register: int = outcome["register"]
        self.winner = None if outcome["winner"] is None else scene.names[outcome["winner"]]

    # -- looking

    def robot(self, name: str) -> dict[str, Any]:
        """What the outcome says of a robot."""
        return self.outcome["robots"][self.scene.names.index(name)]

    @property
    def robots(self) -> Robots:
        """Places and facings."""
        return {name: tuple(self.robot(name)[key] for key in ("x", "y", "facing")) for name in self.scene.names}

    @property
    def decisions(self) -> list[str]:
        """All that was asked, as "A reboot_facing N"."""
        return [
            f"{self.scene.names[d['robot']]} {d['decision']} {_words(d['choice'])}" for d in self.outcome["decisions"]
        ]

    def asked_about(self, decision: str) -> list[str]:
        """What was answered each time that this was asked, as "A no"."""
        words = [text.split(" ", 2) for text in self.decisions]
        return [f"{name} {choice}" for name, asked, choice in words if asked == decision]

    @property
    def turns(self) -> str:
        """The robots in the order in which they played cards."""
        return "".join(self.scene.names[event["robot"]] for event in self.happened("card"))

    def happened(self, kind: str, name: str = "") -> list[dict[str, Any]]:
        """The events of a kind, of one robot or of all."""
        wanted = [event for event in self.events if event["kind"] == kind]
        return [event for event in wanted if not name or event.get("robot") == self.scene.names.index(name)]

    def drawn(self, name: str) -> list[str]:
        """The cards that a robot has drawn, in order: for its hand, for a register, for Scrambler."""
        return [event["card"] for event in self.happened("draw", name)]

    def checkpoint_cells(self) -> dict[int, tuple[int, int]]:
        """Where the checkpoints are now."""
        cells = {spot["number"]: (spot["x"], spot["y"]) for spot in self.scenario["map"].get("checkpoints", [])}
        cells.update({event["number"]: tuple(event["to"]) for event in self.happened("checkpoint_moved")})
        return cells

    # -- checking

    def shows(self, picture: str) -> "Result":
        """The robots are those of the picture, and the checkpoints where it has any; other elements may be left out."""
        wanted = read(picture)
        board = self.scene.board["map"]
        assert all(board[side] == wanted.map[side] for side in ("width", "height")), "a picture of another size"
        right = self.robots == wanted.robots
        if "checkpoints" in wanted.map:
            cells = {spot["number"]: (spot["x"], spot["y"]) for spot in wanted.map["checkpoints"]}
            right = right and cells == self.checkpoint_cells()
        assert right, self._picture_report(wanted.robots, wanted.map.get("checkpoints"))
        return self

    def at(self, **places: str) -> "Result":
        """Robots stand on these cells: `at(A="3 1")`, with the facing `at(A="3 1 E")`."""
        for name, place in places.items():
            x, y, facing = self.robots[name]
            found = f"{x} {y}" + (f" {facing}" if len(place.split()) == 3 else "")
            assert found == place, self._report(f"robot {name} at {place}, got {found}")
        return self

    def took(self, **damage: int | dict[str, int]) -> "Result":
        """Each robot was dealt exactly these damage cards (a number is so many SPAM), those not named none."""
        for name in self.scene.names:
            given = damage.get(name, 0)
            kinds = {"spam": given} if isinstance(given, int) else given
            self._equal(name, "taken", {kind: kinds.get(kind, 0) for kind in DAMAGE})
        return self

    def has(self, key: str, **values: Any) -> "Result":
        """A key of the outcome has these values for these robots: `has("energy", A=6)`."""
        for name, value in values.items():
            self._equal(name, key, value)
        return self

    def rebooted(self, names: str) -> "Result":
        """These robots have rebooted, and no others."""
        return self.has("rebooted", **{name: name in names for name in self.scene.names})

    def register_cards(self, **cards: list[str | None]) -> "Result":
        """The first registers of these robots hold these cards at the end."""
        for name, wanted in cards.items():
            found = self.robot(name)["registers"][: len(wanted)]
            assert found == wanted, self._report(f"registers of {name} {wanted}, got {found}")
        return self

    def asked(self, *decisions: str) -> "Result":
        """Exactly these decisions were asked and answered so, in this order."""
        assert self.decisions == list(decisions), self._report(f"decisions {list(decisions)}, got {self.decisions}")
        return self

    def never_asked(self, *decisions: str) -> "Result":
        """None of these decisions came up."""
        for decision in decisions:
            assert not self.asked_about(decision), self._report(f"{decision} was asked")
        return self

    def asks(self, decision: str, *answers: str) -> "Result":
        """Whenever this decision was asked, by whom and what was answered: `asks("hack", "A no", "A yes")`."""
        found = self.asked_about(decision)
        assert found == list(answers), self._report(f"{decision} asked {list(answers)}, got {found}")
        return self

    def owns(self, **upgrades: str) -> "Result":
        """After whole rounds: robots own exactly these upgrades: `owns(A="rail_gun hack", B="")`."""
        return self.has("upgrades", **{name: sorted(wanted.split()) for name, wanted in upgrades.items()})

    def shop_holds(self, *names: str) -> "Result":
        """After whole rounds: exactly these cards are for sale."""
        found = self.outcome["shop"]
        assert found == sorted(names), self._report(f"shop {sorted(names)}, got {found}")
        return self

    def pile(self, key: str, **cards: list[str]) -> "Result":
        """After whole rounds: the hand, draw or discard pile holds exactly these cards, in any order."""
        return self.has(key, **{name: sorted(wanted) for name, wanted in cards.items()})

    def in_pile(self, key: str, card: str, **counts: int) -> "Result":
        """After whole rounds: so many of a card are in a pile: `in_pile("draw", "spam", B=1)`."""
        for name, wanted in counts.items():
            found = self.robot(name)[key].count(card)
            assert found == wanted, self._report(f"{wanted} {card} in the {key} pile of {name}, got {found}")
        return self

    def _equal(self, name: str, key: str, wanted: Any) -> None:
        found = self.robot(name)[key]
        assert found == wanted, self._report(f"{key} of {name} {wanted}, got {found}")

    # -- explaining

    def to_json(self) -> str:
        """The scenario file of what was played."""
        return json.dumps(self.scenario)

    def _picture_report(self, robots: Robots, checkpoints: list[dict[str, Any]] | None) -> str:
        board = self.scene.board["map"]
        now = [{"number": n, "x": x, "y": y} for n, (x, y) in self.checkpoint_cells().items()]
        wanted = draw({**board, "checkpoints": checkpoints or now}, robots)
        found = draw({**board, "checkpoints": now}, self.robots)
        return self._report("another picture\n" + side_by_side(wanted, found, ("expected", "got")), picture=False)

    def _report(self, message: str, picture: bool = True) -> str:
        parts = [message]
        if picture and "map" in self.scene.board:
            board = self.scene.board["map"]
            before_and_after = draw(board, self.scene.robots), draw(board, self.robots)
            parts.append(side_by_side(*before_and_after, ("before", "after")))
        parts += ["asked:", *(f"  {text}" for text in self.decisions)]
        parts += ["events:", *(f"  {json.dumps(event)}" for event in self.events)]
        return "\n".join([*parts, f"scenario: {self.to_json()}"])


def _words(choice: str | list[str | None]) -> str:
    return choice if isinstance(choice, str) else " ".join(card or "-" for card in choice)
