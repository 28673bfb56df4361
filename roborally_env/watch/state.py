"""The state of a race as the viewer shows it: plain dicts and lists, read from a game's record."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from roborally_env.base.types import Fields, JsonObject, Record
from roborally_env.batch import BatchRace
from roborally_env.core import options, upgrades
from roborally_env.core.cards import DAMAGE_KINDS, DAMAGE_NAMES, SPAM
from roborally_env.core.cards2005 import NAMES as CARDS_2005
from roborally_env.core.mechanics.owned_upgrades import locked
from roborally_env.core.state import REGISTERS, Kind
from roborally_env.core.steps import OVER
from roborally_env.courses import Course
from roborally_env.courses.special import CAPTURE_THE_FLAG, CLAIMS
from roborally_env.courses.tables import WIDTH, tables_of

State = JsonObject
Event = JsonObject  # as `BatchRace.events_of` gives it


def state_of(batch: BatchRace, record: Record) -> State:
    """The state in the record of a game of a batch. docs/watch.md describes its keys.

    Facts that only the history shows (the register, whose turn it is) are left out.
    """
    game = dict(zip(record.dtype.names, record.item(), strict=True))  # a record takes longer to read
    if batch.kind.has("damage"):
        game["locked"] = [locked(record, seat) for seat in range(batch.players)]
    state: State = {
        "round": int(game["round_number"]),
        "winner": int(game["winner"]) if game["winner"] >= 0 else None,
        "over": bool(game["step"] == OVER),
        "board": board_key(batch, game),
        "checkpoints": [place(cell) for cell in game["checkpoint"].tolist()][: len(course_of(batch, game).checkpoints)],
        "robots": [robot_of(batch.kind, game, seat) for seat in range(batch.players)],
    }
    if batch.kind.has("special"):
        state |= _specials(game, len(state["checkpoints"]))
    if batch.kind.has("cubes"):
        state["cubes"] = _cubes(batch, game)
    if batch.kind.has("ramps"):
        state["ramps"] = _ramps(batch, game)
    if batch.sells and batch.rules.get("upgrades", True):
        state["shop"] = [upgrades.ALL_NAMES[u] for u in sorted(game["shop"].tolist()) if u]
    if batch.collects:
        state["upgrade_deck"] = int(game["upgrades_left"])
        state["upgrade_discard"] = names_of(int(game["upgrade_discard"]), upgrades.ALL_NAMES)
    return state


def robot_of(kind: Kind, game: Fields, seat: int) -> JsonObject:
    """A robot of `state_of`."""
    names = kind.card_names
    registers, laid_on = game["registers"][seat].tolist(), game["laid_on"][seat].tolist()
    robot = {
        "at": place(int(game["cell"][seat])),
        "facing": int(game["facing"][seat]),
        "checkpoint": int(game["reached"][seat]),
        "reboots": int(game["reboots"][seat]),
        "registers": [names[card] if card else None for card in registers],
        "laid_on": {str(k): names[laid_on[k]] for k in range(REGISTERS) if laid_on[k]},
        # while the registers are filled a taken card leaves a hole in the record's hand
        "hand": [names[card] for card in game["hand"][seat][: game["held"][seat]].tolist() if card],
    }
    if kind.has("pile"):
        robot |= _with_pile(game, seat, kind)
    if kind.has("damage"):
        robot |= _with_tokens(game, seat, kind)
    if kind.has("options"):
        robot |= _with_options(game, seat)
    return robot


def _with_pile(game: Fields, seat: int, kind: Kind) -> JsonObject:
    """The keys of a robot that has a draw pile of its own."""
    robot: JsonObject = {
        "deck": int(game["drawable"][seat]) + int(game["known"][seat]),
        "discard": int(game["discarded"][seat]),
        "energy": int(game["energy"][seat]),
    }
    if not kind.has("damage"):
        robot["damage_cards"] = _damage_cards(game, seat)
        robot["rebooted"] = _bit(game, "rebooted", seat)
    if kind.has("owned"):
        robot["upgrades"] = names_of(int(game["owned"][seat]), upgrades.ALL_NAMES)
    if kind.has("collection"):
        robot["collection"] = names_of(int(game["collection"][seat]), upgrades.ALL_NAMES)
    return robot


def _damage_cards(game: Fields, seat: int) -> dict[str, int]:
    """The damage cards that a robot owns, wherever they lie, by kind."""
    places = [game[name][seat] for name in ("pile", "hand", "registers", "laid_on")]
    counts = np.bincount(np.concatenate(places), minlength=SPAM + DAMAGE_KINDS)[SPAM : SPAM + DAMAGE_KINDS]
    return {name: int(count) for name, count in zip(DAMAGE_NAMES, counts, strict=True)}


def _with_tokens(game: Fields, seat: int, kind: Kind) -> JsonObject:
    """The keys of a robot with damage tokens, locked registers and power downs."""
    robot: JsonObject = {"damage": int(game["damage"][seat])}
    if kind.has("lives"):
        robot["lives"] = int(game["lives"][seat])
    if kind.has("archive"):
        robot["archive"] = place(int(game["archive"][seat]))
    robot["locked"] = registers_in(game["locked"][seat])
    if kind.has("place"):  # a robot off the board is destroyed or at the goal
        goal = int(game["place"][seat])
        robot |= {"destroyed": _bit(game, "rebooted", seat) and not goal, "place": goal or None}
    states = ("virtual", "stomped", "down", "announced", "destroyed")
    return robot | {name: _bit(game, name, seat) for name in states if kind.has(name)}


def _with_options(game: Fields, seat: int) -> JsonObject:
    """The keys of a robot in a game with option cards."""
    return {
        "superbot": int(game["superbot"]) == seat,
        "controller": int(game["controller"][seat]) if game["controller"][seat] >= 0 else None,
        "options": names_of(int(game["options"][seat]), options.NAMES),
        "tokens": _tokens(game, seat),
        "kept": _kept(game, seat),
    }


def _bit(game: Fields, field: str, seat: int) -> bool:
    return bool(int(game[field]) >> seat & 1)


def _tokens(game: Fields, seat: int) -> dict[str, int]:
    """Tokens that lie on options."""
    found = {"ablative_coat": int(game["coat"][seat]), "mini_howitzer": int(game["howitzer"][seat])}
    return {name: count for name, count in found.items() if count}


def _kept(game: Fields, seat: int) -> dict[str, str]:
    """Program cards that lie on options."""
    found = {"flywheel": int(game["flywheel"][seat]), "conditional_program": int(game["conditional"][seat])}
    return {name: CARDS_2005[card] for name, card in found.items() if card}


def _specials(game: Fields, flags: int) -> State:
    """The keys for the special rules of some courses."""
    special = int(game["special"])
    state: State = {}
    if special & CLAIMS:
        state["claims"] = [team if team >= 0 else None for team in game["claim"][:flags].tolist()]
    if special & CAPTURE_THE_FLAG:
        state["carriers"] = [robot if robot >= 0 else None for robot in game["carrier"].tolist()]
    return state


def course_of(batch: BatchRace, game: Fields) -> Course:
    """The course of a game, its boards not turned."""
    return batch.courses[int(game["course"])]


def board_key(batch: BatchRace, game: Fields) -> str:
    """The quarter turns of the boards, as "0" or "010"."""
    if not batch.kind.has("turned"):
        return "0"
    turned = game["turned"][: len(course_of(batch, game).boards)]
    return "".join(str(quarters) for quarters in turned.tolist()) if turned.any() else "0"


def _cubes(batch: BatchRace, game: Fields) -> list[list[int] | None]:
    """The cells of energy cubes."""
    spaces = tables_of(course_of(batch, game))[0]
    left = int(game["cubes"])
    return [place(int(spaces.energy_cell[i])) for i in range(int(spaces.energy_spaces)) if left >> i & 1]


def _ramps(batch: BatchRace, game: Fields) -> list[list[int] | None]:
    """The ramps that are on."""
    cells = tables_of(course_of(batch, game))[0]
    on = [place(int(cells.ramp_cell[i])) for i in range(int(cells.ramps)) if int(game["ramps"]) >> i & 1]
    return sorted(on, key=lambda cell: cell or [])


def place(cell: int) -> list[int] | None:
    """A cell as [x, y]; None off the board."""
    return [cell % WIDTH, cell // WIDTH] if cell >= 0 else None


def names_of(bits: int, names: Sequence[str]) -> list[str]:
    """The names of a bit set, number 0 left out."""
    return [name for number, name in enumerate(names) if number and bits >> number & 1]


def registers_in(bits: int) -> list[int]:
    """The registers 1..5 of a bit set."""
    return [k + 1 for k in range(REGISTERS) if bits >> k & 1]
