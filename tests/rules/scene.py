"""Scenes: a picture, cards for its robots, and what must come out. Each scene is a scenario file too.

    scene('''
        +    +    +    +
          A>   B^   .
        +    +    +    +
          .    .    .
        +    +    +    +
    ''').play(A="move_1").shows('''
        +    +    +    +
          .    A>   B^
        +    +    +    +
          .    .    .
        +    +    +    +
    ''')

    scene("A>  B^  .  .").play(A="move_2").at(A="2 0 E", B="3 0 N")

The notation is in picture.py. Robots are the scenario's robots in the order of their letters, so without an antenna
A acts before B.

Upgrades, and what is asked for them:

    scene(picture, A="rail_gun hack", B={"upgrades": ["brakes"], "energy": 0}).play(
        A="move_1", answers=("A hack yes", "A rail_gun yes")
    ).asked("A hack yes", "A rail_gun yes")

An answer that is never asked for is an error, so an answer also says that the question came.

The 2005 edition, with flags `1`, repair sites `r1` `r2` and pushers in the picture. A text for a robot names its option
cards; `archive` and `at` are written "x y". A robot that is not in the picture is one that is out of the game.

    scene(picture, edition="2005", special_rules=["double_lasers"],
          A="brakes fourth_gear",
          B={"damage": 6, "registers": [None, None, None, "u_turn:10", "back_up"], "lives": 1, "archive": "3 1",
             "locked": [2], "powered_down": True, "options": ["flywheel"], "checkpoint": 1, "team": 0},
          D={"lives": 0},
          draw=["move_1:650"],                        # what the one deck deals next
    ).play(
        2, to=3,                                      # registers 2 and 3; the programs are lists from register one on
        A=["u_turn", "move_3:800", "move_1:490"],     # with priority numbers; cards without one act last, A before B
        answers=("A fourth_gear yes", "B option_for_damage flywheel"),
    ).damage(A=0, B=7).destroyed("").lives(B=1).archive(B="3 1").options(A="brakes fourth_gear", B="")

    scene(picture, edition="2005", A={"hand": [...]}).play_rounds(
        B=["move_1"] * 5,                             # a program that lies there: no hand is dealt to B
        answers=("A program move_1 turn_left move_1 - -", "A power_down yes", "B reboot_facing N"),
    )

A program may be as short as there are open registers; `-` is an empty or locked register. Two cards share a register
as "move_1+turn_left". `shows` draws what is on the board: destroyed robots are not. Cards are compared by name where
the wanted card has no number.
"""

import json
from typing import Any

import pytest

from roborally_env.scenario import differences, load

from .picture import ROBOTS, Robots, draw, read, side_by_side
from .slowly import agree

DAMAGE = ("spam", "worm", "virus", "trojan_horse")
REGISTERS = 5
LISTS = ("program", "cache_memory", "memory_swap")  # the decisions that are answered with a list of cards
# runs a scene whose rule is the same in both: its argument `edition`
in_2016_and_2005 = pytest.mark.parametrize("edition", ["2016", "2005"])

Mat = dict[str, Any]


def scene(
    picture: str, rules: dict[str, Any] | None = None, *, edition: str = "2016", draw: list[str] | None = None,
    **options: Any,
) -> "Scene":  # fmt: skip
    """The situation of a picture.

    `rules` are rule options, `draw` the top of the one deck (2005). Of the other options, A to J are what a robot has
    beside its place, as `A={"draw": ["move_1"], "energy": 3}` or, where it is only upgrades or option cards, as
    `A="brakes hack"`; the rest belongs to the map (`moving_checkpoints`, `start_facing`, `special_rules`).
    """
    found = read(picture)
    mats = {name: _mat(options.pop(name), edition) for name in list(options) if name in ROBOTS}
    for name, mat in mats.items():
        if mat.get("lives") == 0:
            found.robots.setdefault(name, (0, 0, "N"))
    assert mats.keys() <= found.robots.keys(), "cards for a robot that is not in the picture"
    return Scene({"map": {**found.map, **options}}, found.robots, mats, rules, edition, draw)


def _mat(given: Mat | str, edition: str) -> Mat:
    if isinstance(given, str):
        return {"options" if edition == "2005" else "upgrades": given.split()}
    if isinstance(given.get("archive"), str):
        return {**given, "archive": _cell(given["archive"])}
    return given


def _cell(text: str) -> dict[str, int]:
    x, y = text.split()
    return {"x": int(x), "y": int(y)}


def race_on(
    course: str, rules: dict[str, Any] | None = None, *, edition: str = "2016", draw: list[str] | None = None,
    mats: dict[str, Mat | str] | None = None, **robots: str,
) -> "Scene":  # fmt: skip
    """Robots on a printed course, each as column, row and facing: `race_on("dizzy_highway", A="4 3 E")`.

    `mats` are what they have beside that, as in `scene`.
    """
    places = {name: text.split() for name, text in robots.items()}
    read_places = {name: (int(x), int(y), f) for name, (x, y, f) in places.items()}
    read_mats = {name: _mat(mat, edition) for name, mat in (mats or {}).items()}
    return Scene({"course": course}, read_places, read_mats, rules, edition, draw)


class Scene:
    """A board with robots on it, ready to be played."""

    def __init__(
        self, board: dict[str, Any], robots: Robots, mats: dict[str, Mat], rules: dict[str, Any] | None,
        edition: str = "2016", draw: list[str] | None = None,
    ) -> None:  # fmt: skip
        self.board, self.robots, self.mats, self.rules = board, robots, mats, rules or {}
        self.edition, self.deck_top = edition, draw
        self.names = "".join(sorted(robots))

    def play(
        self, register: int = 1, *, to: int | None = None, order: str = "", answers: tuple[str, ...] = (),
        seed: int = 0, **programs: str | list[str | None],
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
        return self._run(play, order, answers, cards, seed)

    def play_rounds(
        self, rounds: int = 1, *, order: str = "", answers: tuple[str, ...] = (), seed: int = 0, start: str = "",
        shop: tuple[str, ...] = (), upgrade_deck: str = "", upgrade_discard: str = "", option_deck: str = "",
        **programs: list[str | None],
    ) -> "Result":  # fmt: skip
        """Play whole rounds from programming on, or from the upgrade phase on: `start="upgrade"`.

        Robots in `programs` have their registers filled already. `shop` are the cards that lie there. 2023: the cards
        known on top of the upgrade deck, the top one first, and those in its discard pile. 2005: the cards known on top
        of the option deck.
        """
        play = {"rounds": rounds, "start": start} if start else {"rounds": rounds}
        given = {"upgrade_deck": upgrade_deck, "upgrade_discard": upgrade_discard, "option_deck": option_deck}
        piles = {key: names.split() for key, names in given.items()}
        return self._run(play, order, answers, programs, seed, shop, piles)

    def _run(
        self, play: dict[str, Any], order: str, answers: tuple[str, ...], programs: dict[str, Any], seed: int = 0,
        shop: tuple[str, ...] = (), piles: dict[str, list[str]] | None = None,
    ) -> "Result":  # fmt: skip
        assert programs.keys() <= set(self.names), "a program for a robot that is not in the picture"
        if order:
            play["order"] = [self.names.index(name) for name in order]
        scenario = {
            "edition": self.edition,
            "rules": self.rules,
            **self.board,
            "robots": [self._robot(name, programs) for name in self.names],
            "answers": [self._answer(text) for text in answers],
            "play": play,
            "seed": seed,
        }
        if shop:
            scenario["shop"] = list(shop)
        scenario |= {key: cards for key, cards in (piles or {}).items() if cards}
        return self._result(scenario)

    def _result(self, scenario: dict[str, Any]) -> "Result":
        """What comes out of a scenario, by the core and by the reference."""
        outcome = load(scenario).run()
        agree(scenario)
        return Result(self, scenario, outcome)

    def _robot(self, name: str, programs: dict[str, Any]) -> dict[str, Any]:
        x, y, facing = self.robots[name]
        robot = {"x": x, "y": y, "facing": facing, **self.mats.get(name, {})}
        if self.deck_top is not None:
            robot["draw"] = self.deck_top
        if name in programs:
            program = programs[name]
            under = robot.get("registers", [])[len(program) :]  # cards in locked registers beyond the program
            robot["registers"] = [*program, *under]
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
        """Places and facings of those that are on the board."""
        places = {name: tuple(self.robot(name)[key] for key in ("x", "y", "facing")) for name in self.scene.names}
        return {name: place for name, place in places.items() if place[0] is not None}

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
        return "".join(
            self.scene.names[event["robot"]]
            for event in self.happened("play" if self.scene.edition == "2005" else "card")
        )

    def happened(self, kind: str, name: str = "") -> list[dict[str, Any]]:
        """The events of a kind, of one robot or of all."""
        wanted = [event for event in self.events if event["kind"] == kind]
        return [event for event in wanted if not name or event.get("robot") == self.scene.names.index(name)]

    def drawn(self, name: str) -> list[str]:
        """The cards that a robot has drawn, in order: for its hand, for a register, for Scrambler."""
        return [event["card"] for event in self.happened("draw", name)]

    def checkpoint_cells(self) -> dict[int, tuple[int, int] | None]:
        """Where the checkpoints are now; None: off the board."""
        cells: dict[int, tuple[int, int] | None] = {
            spot["number"]: (spot["x"], spot["y"]) for spot in self.scenario["map"].get("checkpoints", [])
        }
        for event in self.happened("checkpoint_moved"):
            cells[event["number"]] = tuple(event["to"]) if event["to"] else None
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
            x, y, facing = (self.robot(name)[key] for key in ("x", "y", "facing"))
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
            assert not differences(wanted, found), self._report(f"registers of {name} {wanted}, got {found}")
        return self

    def damage(self, **tokens: int) -> "Result":
        """2005: the damage tokens of these robots at the end; those not named have what they began with."""
        for name in self.scene.names:
            self._equal(name, "damage", tokens.get(name, self.scene.mats.get(name, {}).get("damage", 0)))
        return self

    def destroyed(self, names: str) -> "Result":
        """2005: these robots were destroyed in this turn or are out of the game, and no others."""
        return self.has("destroyed", **{name: name in names for name in self.scene.names})

    def lives(self, **tokens: int) -> "Result":
        """2005: the life tokens that these robots have left."""
        return self.has("lives", **tokens)

    def archive(self, **cells: str) -> "Result":
        """2005: where the archive markers of these robots are: `archive(A="3 1")`."""
        return self.has("archive", **{name: _cell(cell) for name, cell in cells.items()})

    def options(self, **cards: str) -> "Result":
        """2005: these robots have exactly these option cards: `options(A="brakes flywheel", B="")`."""
        return self.has("options", **{name: sorted(wanted.split()) for name, wanted in cards.items()})

    def flags(self, **numbers: int) -> "Result":
        """The last flag or checkpoint that these robots have touched."""
        return self.has("checkpoint", **numbers)

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

    def collects(self, **upgrades: str) -> "Result":
        """2023, after whole rounds: robots have exactly these upgrades in their collections."""
        return self.has("collection", **{name: sorted(wanted.split()) for name, wanted in upgrades.items()})

    def discarded(self, names: str) -> "Result":
        """2023, after whole rounds: the upgrade discard pile holds exactly these cards."""
        found = self.outcome["upgrade_discard"]
        assert found == sorted(names.split()), self._report(f"discarded {names}, got {found}")
        return self

    def shop_holds(self, *names: str) -> "Result":
        """After whole rounds: exactly these cards are for sale."""
        found = self.outcome["shop"]
        assert found == sorted(names), self._report(f"shop {sorted(names)}, got {found}")
        return self

    def pile(self, key: str, **cards: list[str]) -> "Result":
        """After whole rounds: the hand, draw or discard pile holds exactly these cards, in any order."""
        for name, wanted in cards.items():
            found = self.robot(name)[key]
            assert not differences(sorted(wanted), found), self._report(f"{key} of {name} {wanted}, got {found}")
        return self

    def in_pile(self, key: str, card: str, **counts: int) -> "Result":
        """After whole rounds: a pile has this number of a card: `in_pile("draw", "spam", B=1)`."""
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
        now = [{"number": n, "x": c[0], "y": c[1]} for n, c in self.checkpoint_cells().items() if c]
        wanted = self._drawn({**board, "checkpoints": checkpoints or now}, robots)
        found = self._drawn({**board, "checkpoints": now}, self.robots)
        return self._report("another picture\n" + side_by_side(wanted, found, ("expected", "got")), picture=False)

    def _drawn(self, board: dict[str, Any], robots: Robots) -> str:
        return draw(board, robots, self.scene.edition)

    def _report(self, message: str, picture: bool = True) -> str:
        parts = [message]
        if picture and "map" in self.scene.board:
            board = self.scene.board["map"]
            before_and_after = self._drawn(board, self.scene.robots), self._drawn(board, self.robots)
            parts.append(side_by_side(*before_and_after, ("before", "after")))
        parts += ["asked:", *(f"  {text}" for text in self.decisions)]
        parts += ["events:", *(f"  {json.dumps(event)}" for event in self.events)]
        return "\n".join([*parts, f"scenario: {self.to_json()}"])


def _words(choice: str | list[str | None]) -> str:
    return choice if isinstance(choice, str) else " ".join(card or "-" for card in choice)
