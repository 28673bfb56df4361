"""Races by community rules as text: random legal programs and answers, every choice asked, every event in words."""

from collections.abc import Sequence
from typing import Any

from roborally_env.batch import BatchRace
from roborally_env.core.upgrades import ALL_NAMES
from roborally_env.courses.tables import WIDTH

from .playthrough import NAMES, asked_to_the_end
from .playthrough import WORDS as SHARED_WORDS
from .playthrough2005 import in_words, where

WORDS = SHARED_WORDS | {
    "panel": "{robot} is pushed by a pusher {from} to {to}",
    "repaired": "{robot} is repaired: {damage}",
    "locked": "{robot}'s register {register} is locked",
    "announced": "{robot} will power down",
    "powered_down": "{robot} is powered down",
    "hurt": "{robot} takes damage: {damage}",
    "ledge": "{robot} falls down a ledge to {cell}, levels: {levels}",
    "button": "{robot} presses the button at {cell}",
    "ramp": "the ramp at {cell} is switched: {on}",
    "slide": "{robot} slides down {from} to {to}",
    "trapdoor": "{robot} falls through the trapdoor at {cell}",
    "stomped": "{robot} is stomped at {cell}",
    "radiation": "{robot} is in the radiation at {cell}",
    "lost": "{robot} is destroyed at {cell}",
    "virtual": "{robot} is in virtual mode",
    "real": "{robot} is real again",
    "finished": "{robot} is at the goal, place {place}",
}


def race(course: str, at: Sequence[tuple[int, int]], rounds: int, seed: int, **rules: Any) -> str:
    """The text of one race. at: (x, y) where each robot is put down before the first round."""
    batch = BatchRace(
        1, course, edition="community", players=len(at), seed=seed, decisions="all", observation="none",
        max_rounds=rounds, auto_reset=False, events=True, rules=rules,
    )  # fmt: skip
    game = batch.games[0]
    for r, (x, y) in enumerate(at):
        game.cell[r] = y * WIDTH + x
    lines = [f"{course}, {len(at)} robots, seed {seed}, every choice asked, random legal answers", ""]
    lines += [sentence(event) for event in batch.events_of(0)]
    return "\n".join([*lines, *asked_to_the_end(batch, sentence), "", *standings(game)]) + "\n"


def sentence(event: dict[str, Any]) -> str:
    """One event as a line."""
    if event["kind"] == "card":
        event = {**event, "action": "" if event["action"] == event["card"] else f" as {event['action']}"}
    if event["kind"] == "ramp":
        event = {**event, "on": "on" if event["on"] else "off"}
    return in_words(event, WORDS)


def standings(game: Any) -> list[str]:
    """One line a robot."""
    return [
        f"  {NAMES[r]} {where(int(game.cell[r]), int(game.facing[r]))}, checkpoint {game.reached[r]}, "
        f"damage {game.damage[r]}, energy {game.energy[r]}, upgrades "
        + (", ".join(name for u, name in enumerate(ALL_NAMES) if u and game.owned[r] >> u & 1) or "none")
        for r in range(game.players)
    ]
