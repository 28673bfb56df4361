"""A hint: the program that `planner` would choose, what it does for the robot alone, and why, in a sentence; or the
purchase that the network of `learned` values most, as in a review.

Both know what the player knows: hidden cards are dealt anew before, and in each simulation of a search.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from roborally_env.agents import Agent, Info, check_editions, make_agent
from roborally_env.base.errors import RoboRallyError
from roborally_env.base.text import joined
from roborally_env.base.types import JsonObject
from roborally_env.batch import BatchRace
from roborally_env.courses import EDITIONS
from roborally_env.play.ghost import Ghost, ghost_of
from roborally_env.play.questions import Question, Refused
from roborally_env.review.builder import Buying, shifted

SIMULATIONS = 10_000  # of a hint: less than a tenth of a second
_ADVISER = f"planner:simulations={SIMULATIONS}"
_PLAIN = "greedy"  # shows whether the other robots are the reason
SEARCHES = (_ADVISER, _PLAIN)  # the bots whose programs a hint compares
_SEED = 1
_LEAST = 0.5  # registers: a smaller difference is none


@dataclass(frozen=True)
class PurchaseHint:
    """A purchase that is worth most."""

    option: int
    why: str

    def as_json(self) -> JsonObject:
        """The hint as a page gets it."""
        return {"option": self.option, "why": self.why}


@dataclass(frozen=True)
class Hint:
    """A program that a search would choose."""

    slots: tuple[int | None, ...]  # as a page sends a program
    power_down: bool  # whether it would announce a power down with it
    why: str
    ghost: Ghost

    def as_json(self, word: str) -> JsonObject:
        """The hint as a page gets it; `word` is what the edition calls a checkpoint."""
        ghost = self.ghost.as_json(word)
        return {"slots": self.slots, "power_down": self.power_down, "why": self.why, "ghost": ghost}


def hint_of(batch: BatchRace, question: Question) -> Hint:
    """The hint for a program.

    Args:
        batch: a copy of the race's batch, of one race, with masks and frames.
        question: the question for the program.

    Raises:
        Refused: for other questions, and for an edition that the search does not play.
    """
    question.check_asks_program()
    known = batch.redeal(question.robot, _SEED)
    try:
        slots = _program_by(_ADVISER, known, question)
        plain = _program_by(_PLAIN, known, question)
    except RoboRallyError as error:
        raise Refused(f"there are no hints in this race: {error}") from None
    ghost = ghost_of(known.copy(), question, slots)
    without_others = ghost if plain == slots else ghost_of(known.copy(), question, plain)
    word = EDITIONS[batch.edition].checkpoint
    why = reason(ghost, without_others.gained, word, last=len(batch.courses[int(batch.games[0]["course"])].checkpoints))
    return Hint(slots, question.may_power_down and _announces(known, question), why, ghost)


def purchase_hint(batch: BatchRace, question: Question) -> PurchaseHint:
    """The hint for a purchase.

    Args:
        batch: a copy of the race's batch, of one race.
        question: the question for the purchase.

    Raises:
        Refused: for other questions, and for editions whose purchases nothing values.
    """
    if not question.may_hint:
        raise Refused(f"there are no hints for {question.kind} in this race")
    known = batch.redeal(question.robot, _SEED)
    gains = Buying(known).gains(known.games[0])
    best = max(gains, key=lambda option: gains[option])
    title = next(answer.title for answer in question.answers if answer.option == best)
    return PurchaseHint(best, purchase_reason(title, gains[best], 1.0 / batch.players))


def purchase_reason(title: str, gain: float, even: float) -> str:
    """Why a purchase is a good one.

    Args:
        title: of the upgrade, or of buying nothing.
        gain: the log-odds of winning that it adds to those of buying nothing.
        even: the chance to win of a robot that is as good as the others.
    """
    often, without = (round(100 * shifted(even, each)) for each in (gain, 0.0))
    if gain <= 0.0:
        return f"{title}: no upgrade here raises your chance of winning now, and saved energy may buy more later."
    if often == without:
        return f"{title}: it raises your chance of winning, but by less than 1 in 100."
    return f"{title}: out of 100 even races, your robot wins {often} with it and {without} without it."


def _program_by(spec: str, batch: BatchRace, question: Question) -> tuple[int | None, ...]:
    """The program of a bot: a hand slot for each register, None where it takes no card."""
    agent = _adviser(spec, batch.edition)
    masks = batch.observations["masks"][:, question.robot]
    found = agent.act(None, masks, _asked(batch, question))[0].tolist()
    return tuple(slot if register.slots else None for slot, register in zip(found, question.registers, strict=True))


def _announces(batch: BatchRace, question: Question) -> bool:
    """Whether the bot would announce a power down; by community rules and in 2005 all bots have `announce`."""
    return bool(_adviser(_ADVISER, batch.edition).announce(None, _asked(batch, question))[0])


def _adviser(spec: str, edition: str) -> Agent:
    agent = make_agent(spec, _SEED)
    check_editions([agent], edition)
    return agent


def _asked(batch: BatchRace, question: Question) -> Info:
    return Info(batch, np.zeros(1, np.int64), np.array([question.robot], np.int64))


def reason(ghost: Ghost, without_others: float, word: str, last: int) -> str:
    """Why a program is a good one.

    Args:
        ghost: its way alone.
        without_others: registers that the best program of a robot alone gains.
        word: what the edition calls a checkpoint.
        last: the number of the last checkpoint.
    """
    if ghost.chance == 1:
        return "Register 1 draws a card, so its path is unknown. It did best in simulated rounds with many deals."
    parts = [_reaching(register, number, word, last) for register, number in ghost.checkpoints]
    is_best = without_others - ghost.gained < _LEAST
    if not ghost.won:
        parts.append(_gaining(ghost, is_best))
    if ghost.damage and not ghost.falls:
        parts.append(f"takes {ghost.damage} damage from the board")
    sentence = f"Alone, it {joined(parts)}."
    if not is_best and not ghost.won and ghost.chance is None:
        sentence += (
            " Another program gets farther alone, but this one did better in simulated rounds with the other robots."
        )
    return sentence


def _reaching(register: int, number: int, word: str, last: int) -> str:
    wins = " and wins" if number == last else ""
    return f"reaches {word} {number} in register {register}{wins}"


def _gaining(ghost: Ghost, is_best: bool) -> str:
    """What the way gains or loses, in a few words; `is_best`: no program of the hand gains more alone."""
    gained = round(ghost.gained)
    far = f"{abs(gained)} register{'s' * (abs(gained) != 1)}"
    if ghost.falls:
        how = f"falls in register {ghost.falls[0].register}, and after it returns it is"
        return f"{how} {far} nearer to the goal" if gained > 0 else f"{how} no nearer to the goal"
    until = f" before it draws a card in register {ghost.chance}" if ghost.chance else ""
    if gained > 0:
        return f"ends about {far} nearer to the goal{until}"
    if not gained:
        return f"ends no nearer to the goal{until}{': this hand has nothing better' if is_best else ''}"
    return f"ends about {far} farther from the goal{until}{', the best that this hand allows' if is_best else ''}"
