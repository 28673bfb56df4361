"""Races of the 2005 edition as text: random legal programs and answers, every choice asked, every event in words."""

from collections.abc import Mapping
from typing import Any

from roborally_env.batch import BatchRace
from roborally_env.core.editions.e2005.table import place_option, take_option_card
from roborally_env.core.options import NAMES as OPTIONS
from roborally_env.core.options import NAMES as OPTION_NAMES
from roborally_env.core.state import NOBODY
from roborally_env.courses.tables import WIDTH

from .playthrough import NAMES, asked_to_the_end, place
from .playthrough import WORDS as SHARED_WORDS

WORDS = SHARED_WORDS | {
    "shuffle": "the deck is shuffled: {cards} cards",
    "checkpoint": "{robot} touches flag {number}",
    "checkpoint_moved": "flag {number} goes from {from} to {to}",
    "deal": "{robot} is dealt {card}",
    "play": "{robot} plays {card}{second}",
    "panel": "{robot} is pushed by a pusher {from} to {to}",
    "token": "{robot} takes damage: {damage}",
    "repaired": "{robot} is repaired: {damage}",
    "locked": "{robot}'s register {register} is locked",
    "destroyed": "{robot} is destroyed, lives left: {lives}",
    "archive": "{robot}'s archive marker goes to {cell}",
    "announced": "{robot} will power down",
    "powered_down": "{robot} is powered down",
    "option": "{robot} gets {option}",
    "option_gone": "{robot} loses {option}",
    "option_used": "{robot} uses {option}",
    "replaced": "{robot}'s register {register} gets {card}",
    "controlled": "{robot} plays the program of {controller}",
    "shift": "{robot} is moved {from} to {to}",
    "superbot": "{robot} is the SuperBot",
    "flag_taken": "{robot} carries flag {number}",
    "flag_dropped": "flag {number} lies at {cell}",
    "claimed": "{robot} claims flag {number}",
    "sent_home": "{robot} is sent home by {sender}",
    "board_turned": "{robot}'s coin turns board {board}: {quarters} quarters",
    "rear_laser": "{robot} is shot from behind by {shooter}",
    "protected": "{robot} is protected by {option}",
}
_SEATS = ("robot", "shooter", "controller", "sender")


def race(course: str, players: int, rounds: int, seed: int, options_each: int = 0, **rules: Any) -> str:
    """The text of one race. `options_each` more option cards are dealt to each player before it."""
    batch = BatchRace(
        1, course, edition="2005", players=players, seed=seed, decisions="all", observation="none",
        max_rounds=rounds, auto_reset=False, events=True, rules=rules,
    )  # fmt: skip
    game = batch.games[0]
    lines = [f"{course}, {players} robots, seed {seed}, every choice asked, random legal answers", ""]
    lines += [in_words(event) for event in batch.events_of(0)]
    for r in range(players):
        for _ in range(options_each):
            option = int(take_option_card(game))
            place_option(game, r, option)
            lines.append(in_words({"kind": "option", "robot": r, "option": OPTION_NAMES[option]}))
    return "\n".join([*lines, *asked_to_the_end(batch, in_words), "", *standings(game)]) + "\n"


def in_words(event: dict[str, Any], words: Mapping[str, str] = WORDS) -> str:
    """One event as a line."""
    values = {key: place(value) if isinstance(value, list) else value for key, value in event.items()}
    values = {key: "off the board" if value is None else value for key, value in values.items()}
    for key in _SEATS:
        if key in values:
            values[key] = NAMES[values[key]] if values[key] != NOBODY else "nobody"
    if event["kind"] == "play":
        values["second"] = f" with {event['second_card']}" if "second_card" in event else ""
    if event["kind"] == "fall":
        values["pit"] = f"into the pit at {values['pit']}" if event["pit"] else "off the board"
    return ("" if event["kind"] in ("round", "register") else "    ") + words[event["kind"]].format(**values)


def where(cell: int, facing: int) -> str:
    """Where a robot stands."""
    return f"at {cell % WIDTH},{cell // WIDTH} {'NESW'[facing]}" if cell >= 0 else "off the board"


def standings(game: Any) -> list[str]:
    """One line a robot."""
    return [
        f"  {NAMES[r]} {where(int(game.cell[r]), int(game.facing[r]))}, flags {game.reached[r]}, "
        f"damage {game.damage[r]}, lives {game.lives[r]}, options "
        + (", ".join(name for o, name in enumerate(OPTIONS) if o and game.options[r] >> o & 1) or "none")
        for r in range(game.players)
    ]
