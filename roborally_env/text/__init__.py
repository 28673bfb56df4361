"""Races in words: for language models, and for people in a terminal.

`TextRace` asks in plain text and takes plain text, in the loop of TextArena's environments.
"""

from __future__ import annotations

from roborally_env.text.answers import AnswerError
from roborally_env.text.race import TextAgent, TextRace

__all__ = ["AnswerError", "TextAgent", "TextRace"]
