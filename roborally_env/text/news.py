"""What has happened since a player's last answer, a line for each register."""

from __future__ import annotations

import re
from collections.abc import Sequence

from roborally_env.base.text import counted
from roborally_env.base.types import JsonObject
from roborally_env.watch.text import plain

_HEADS = ("round", "register")  # kinds of moments that begin a line
_MOST_LINES = 40
_MOVE = re.compile(r"(.+ moves to )(\d+,\d+)\.")


class News:
    """The sentences that a player has not read yet, under the headings of rounds and registers.

    Args:
        names: of all robots.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names
        self._lines: list[tuple[str, list[str]]] = []  # heading and sentences
        self._head = ""  # of the present round or register
        self._has_answered = False  # whether the player has answered before

    def add(self, pieces: Sequence[JsonObject]) -> None:
        """Keep what the moments of a timeline say."""
        for moment in (moment for piece in pieces for moment in piece["moments"]):
            sentences = [plain(sentence, self._names) for sentence in moment["text"]]
            if moment["kind"] in _HEADS:
                self._head, *sentences = sentences
                self._lines.append((self._head, sentences))
            elif not sentences:
                continue
            elif self._lines:
                self._lines[-1][1].extend(sentences)
            else:
                self._lines.append((f"{self._head}, continued" if self._head else "", sentences))

    def clear(self) -> None:
        """Forget what the player has read."""
        self._lines, self._has_answered = [], True

    def text(self) -> str:
        """The news as lines under a heading; empty if there are none."""
        if not self._lines:
            return ""
        left_out = max(0, len(self._lines) - _MOST_LINES)
        lines = [f"({counted(left_out, 'earlier line')} left out)"] * (left_out > 0)
        lines += [_line(head, sentences) for head, sentences in self._lines[left_out:]]
        heading = "Since your last answer:" if self._has_answered else "So far:"
        return "\n".join([heading, *(f"- {line}" for line in lines)])


def _line(head: str, sentences: Sequence[str]) -> str:
    """A heading with its sentences; steps of one robot are joined: `Anna moves to 2,5, 2,6.`"""
    joined: list[str] = []
    before = ""  # robot and verb of the last sentence, if it was a step
    for sentence in sentences:
        step = _MOVE.fullmatch(sentence)
        if step and step[1] == before:
            joined[-1] = f"{joined[-1][:-1]}, {step[2]}."
        else:
            joined.append(sentence)
        before = step[1] if step else ""
    return ": ".join(filter(None, (head, " ".join(joined))))
