"""A race of random legal programs as text: round by round, register by register, every event in words."""

import random
from collections.abc import Callable
from typing import Any

import numpy as np

from roborally_env.batch import BatchRace
from roborally_env.cards.option_names import option_name
from roborally_env.core import cards
from roborally_env.core.choices import NAMES as DECISIONS
from roborally_env.core.state import NOBODY
from roborally_env.courses.tables import WIDTH

NAMES = "ABCDFGHJ"

# what each kind of event is called; {robot}, and the values of the event
WORDS = {
    "round": "\nround {round}",
    "register": "\n  register {register}",
    "draw": "{robot} draws {card}",
    "shuffle": "{robot} shuffles {cards} discards into a new draw pile",
    "card": "{robot} plays {card}{action}",
    "move": "{robot} moves {from} to {to}",
    "push": "{robot} is pushed {from} to {to}",
    "blocked": "{robot} is stopped at {cell}, facing {direction}",
    "turn": "{robot} turns {facing_from} to {facing}",
    "belt": "{robot} is carried {from} to {to}, facing {facing} (belt {speed})",
    "panel": "{robot} is pushed by a panel {from} to {to}",
    "fall": "{robot} falls from {from} {pit}",
    "reboot": "{robot} reboots",
    "placed": "{robot} is put down at {cell}, facing {facing}",
    "board_laser": "{robot} is hit by the laser at {laser} ({beams})",
    "robot_laser": "{robot} is shot by {shooter}",
    "damage": "{robot} takes {card}",
    "energy": "{robot} gains {cubes} energy",
    "checkpoint": "{robot} reaches checkpoint {number}",
    "checkpoint_moved": "checkpoint {number} is carried {from} to {to}",
    "win": "{robot} wins",
    "returned": "{robot} returns {card} to the box",
    "discard": "{robot} discards {card}",
    "idle": "{robot} has no card to play",
    "program": "{robot} programs {card} in register {register}",
    "gear": "{robot} is turned by a gear, {facing_from} to {facing}",
    "shop": "the shop offers {upgrade}",
    "gone": "{upgrade} leaves the game",
    "buy": "{robot} buys {upgrade} for {cubes}",
    "use": "{robot} uses {upgrade}",
    "handed": "{robot} gets {upgrade} from {giver}",
    "refreshed": "{robot} makes {card} a {action}",
    "teleport": "{robot} is teleported {from} to {to}",
    "top": "{robot} puts {card} on top of the deck",
    "upgrade_drawn": "{robot} draws the upgrade {upgrade}",
    "installed": "{robot} installs {upgrade} for {cubes}",
    "uninstalled": "{robot} discards {upgrade}",
    "upgrades_shuffled": "the {cards} discarded upgrades are shuffled",
}


def playthrough(course: str, players: int, rounds: int, seed: int) -> str:
    """The text of one race of the lighter game."""
    batch = BatchRace(
        1, course, players=players, rules={"upgrades": False}, observation="none", auto_reset=False, events=True
    )
    batch.games["seed"], batch.games["episode"] = seed, np.uint64(2**64 - 1)
    batch.reset()  # the first episode of this very seed
    game = batch.games[0]
    dice = random.Random(seed)
    lines = [f"{course}, {players} robots, seed {seed}, random legal programs", "", *positions(game)]
    lines += news(batch)
    for _ in range(rounds):
        if batch.over[0]:
            break
        programs = np.zeros((1, players, 5), np.int8)
        for r in range(players):
            slots = random_slots(dice, game.hand[r, : game.held[r]].tolist())
            program = " ".join(cards.NAMES[game.hand[r, slot]] for slot in slots)
            lines.append(f"  {NAMES[r]} programs {program}")
            programs[0, r] = slots
        batch.step(programs)
        happened = news(batch)
        end = next((i for i, line in enumerate(happened) if line.startswith("\nround")), len(happened))
        lines += [*happened[:end], "", *positions(game), *happened[end:]]
    return "\n".join(lines) + "\n"


def complete_playthrough(course: str, players: int, rounds: int, seed: int, edition: str = "2016") -> str:
    """The text of one race of the complete game in which every choice is asked; all is random among what is legal."""
    batch = BatchRace(
        1, course, edition=edition, players=players, seed=seed, decisions="all", observation="none", max_rounds=rounds,
        auto_reset=False, events=True,
    )  # fmt: skip
    lines = [f"{course}, {players} robots, seed {seed}, every choice asked, random legal answers", ""]
    lines += [sentence(event) for event in batch.events_of(0)]
    lines += [*asked_to_the_end(batch, sentence), "", *positions(batch.games[0])]
    return "\n".join(lines) + "\n"


def asked_to_the_end(batch: BatchRace, sentence: Callable[[dict[str, Any]], str]) -> list[str]:
    """What happens from here to the end, each event in a sentence, and what the robots are asked and say at random."""
    game, step = batch.games[0], 0
    lines: list[str] = []
    while not batch.over[0]:
        batch.sample(step)
        if not batch.programming[0]:
            seat, kind = int(game.ask_seat), int(game.ask_kind)
            choice = option_name(game, int(batch.actions[1][0, seat]) - 1)
            lines.append(f"    {NAMES[seat]}, asked {DECISIONS[kind]}, says {choice}")
        batch.step_prepared()
        lines += [sentence(event) for event in batch.events_of(0)]
        step += 1
    return lines


def sentence(event: dict[str, Any]) -> str:
    """One event as a line."""
    return ("" if event["kind"] in ("round", "register") else "    ") + in_words(event)


def random_slots(dice: random.Random, hand: list[int]) -> list[int]:
    """Five slots of a hand, no Again in the first register."""
    first = dice.choice([slot for slot, card in enumerate(hand) if card != cards.AGAIN])
    return [first, *dice.sample([slot for slot in range(len(hand)) if slot != first], 4)]


def news(batch: BatchRace) -> list[str]:
    """The events of the last step in words; the programs stand there already."""
    lines: list[str] = []
    before: tuple[str, int] = ("", NOBODY)
    for event in batch.events_of(0):
        if event["kind"] == "program":
            continue
        now = event["kind"], event.get("robot", NOBODY)
        if now == before and now[0] == "draw":
            lines[-1] += f" {event['card']}"
        else:
            lines.append(("" if now[0] in ("round", "register") else "    ") + in_words(event))
        before = now
    return lines


def in_words(event: dict[str, Any]) -> str:
    """One event as a sentence."""
    values = {key: place(value) if isinstance(value, list) else value for key, value in event.items()}
    for key in ("robot", "shooter", "giver"):
        if key in values:
            values[key] = NAMES[values[key]] if values[key] != NOBODY else "nobody"
    if event["kind"] == "card":
        values["action"] = "" if event["action"] == event["card"] else f" as {event['action']}"
    if event["kind"] == "fall":
        values["pit"] = f"into the pit at {values['pit']}" if event["pit"] else "off the board"
    return WORDS[event["kind"]].format(**values)


def place(cell: list[int]) -> str:
    """A cell as column,row."""
    return f"{cell[0]},{cell[1]}"


def positions(game: Any) -> list[str]:
    """One line a robot."""
    return [
        f"  {NAMES[r]} at {game.cell[r] % WIDTH},{game.cell[r] // WIDTH} {'NESW'[game.facing[r]]}, "
        f"checkpoint {game.reached[r]}, energy {game.energy[r]}, damage taken {game.taken[r].tolist()}"
        for r in range(game.players)
    ]
