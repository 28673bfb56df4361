"""Reading answers in words: programs by the names of cards, choices by the names of options."""

from __future__ import annotations

import re
from collections.abc import Sequence

from roborally_env.base.errors import ActionError, cut, nearest
from roborally_env.base.text import counted, joined
from roborally_env.core.state import REGISTERS, Kind
from roborally_env.play.questions import Question
from roborally_env.play.text import card_title

_LONGEST = 4000  # characters that are read of an answer, its last ones
_LABEL = re.compile(r"^\W*(?:final answer|answer|program|registers?|choice|option)\s*(?::|=|is\b)\s*", re.IGNORECASE)
_NUMBER = re.compile(r"^\s*(?:register\s*)?[1-5]\s*[.):=]\s*", re.IGNORECASE)
_POWER_DOWN = "powerdown"
_TWO_WORDS = re.compile(r"\bpower[ -]down\b", re.IGNORECASE)


class AnswerError(ActionError):
    """An answer in words that does not fit its question: the message is a sentence to the player."""


def read_program(text: object, question: Question, kind: Kind) -> tuple[list[int | None], bool]:
    """The hand slot of each register (None for one that takes no card), and whether a power down is announced.

    The last line that is not empty is read: card names or titles, separated by commas, in the order of the registers.

    Raises:
        AnswerError: for a card that is not in the hand, too many or too few of them, or one that may not lie there.
    """
    words = [_NUMBER.sub("", word) for word in _words(text)]
    announced = [word for word in words if _letters(word) == _POWER_DOWN]
    words = [word for word in words if _letters(word) != _POWER_DOWN]
    if announced and not question.may_power_down:
        raise AnswerError("You cannot announce a power down now.")
    registers = [k for k, register in enumerate(question.registers) if register.slots]
    if not registers and [_letters(word) for word in words] in (["no"], ["none"]):
        words = []
    if len(words) == REGISTERS > len(registers):
        words = [words[k] for k in registers]  # locked registers were named too
    if len(words) != len(registers):
        raise AnswerError(
            f"Your answer has {counted(len(words), 'card')}, and {len(registers)} "
            f"{'is' if len(registers) == 1 else 'are'} needed, separated by commas: one for each of the registers "
            f"{joined([str(k + 1) for k in registers]) or 'none'}."
        )
    program: list[int | None] = [None] * REGISTERS
    used: set[int] = set()
    for k, word in zip(registers, words, strict=True):
        program[k] = _slot(word, k, question, kind, used)
        used.add(program[k] or 0)
    return program, bool(announced)


def _slot(word: str, k: int, question: Question, kind: Kind, used: set[int]) -> int:
    """The first slot of the hand with a card of this name that may lie in register k."""
    named = [slot for slot, card in enumerate(question.hand) if _letters(word) in names_of(card, kind)]
    if not named:
        known = {card.partition(":")[0] for card in question.hand}
        hint = nearest(word.strip().lower().replace(" ", "_"), sorted(known))
        raise AnswerError(f"There is no card {cut(word)!r} in your hand{hint}; it has {', '.join(question.hand)}.")
    free = [slot for slot in named if slot not in used]
    name = question.hand[named[0]]
    if not free:
        raise AnswerError(f"Your hand has only {counted(len(named), 'card')} {name}, and your answer names more.")
    legal = [slot for slot in free if slot in question.registers[k].slots]
    if not legal:
        raise AnswerError(f"{name} may not go into register {k + 1}.")
    return legal[0]


def read_option(text: object, question: Question) -> int:
    """The option that an answer names, by its name or title, or the only one that occurs in its last line.

    Raises:
        AnswerError: for none or several of them.
    """
    line = " ".join(_words(text))
    by_word: dict[str, int] = {}
    for answer in question.answers:
        for name in (answer.name, answer.title):
            by_word.setdefault(_letters(name), answer.option)
    if _letters(line) in by_word:
        return by_word[_letters(line)]
    padded = f" {' '.join(re.findall(r'[a-z0-9,_-]+', line.lower()))} "
    found = {answer.option for answer in question.answers if f" {answer.name.lower()} " in padded}
    if len(found) == 1:
        return found.pop()
    names = ", ".join(answer.name for answer in question.answers)
    got = f"{cut(line)!r} names {'several' if found else 'none'} of them" if line else "it is empty"
    raise AnswerError(f"Your answer must be one of: {names}; {got}.")


def names_of(card: str, kind: Kind) -> set[str]:
    """The spellings of a card: name and title, of a card with a priority number also without it."""
    title = card_title(card, kind)
    return {_letters(each) for each in (card, card.partition(":")[0], title, title.partition(" (")[0])}


def _words(text: object) -> Sequence[str]:
    """The parts of the last line that is not empty, as commas separate them; without commas its words."""
    if not isinstance(text, str):
        raise AnswerError(f"Your answer must be text, not {type(text).__name__}.")
    lines = [line for line in text[-_LONGEST:].splitlines() if re.search(r"\w", line)]
    if not lines:
        raise AnswerError("Your answer is empty.")
    line = _LABEL.sub("", lines[-1]).strip("`*[](){}\"'. \t")
    line = _TWO_WORDS.sub("power_down", line)
    parts = re.split(r"[,;|]|->|→", line)
    words = parts if len(parts) > 1 else line.split()
    return [found for word in words if (found := word.strip("`*[](){}\"' \t"))]


def _letters(name: str) -> str:
    """The part of a name that is compared."""
    return re.sub(r"[^a-z0-9,:]", "", name.lower())
