"""Pages of replays: a race is played again with a log, and the results of its checks stand above it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from roborally_env.base.files import make_folder, write_whole
from roborally_env.base.types import Fields
from roborally_env.replay import Comparison, Replay
from roborally_env.watch.page import race_page
from roborally_env.watch.timeline import Timeline

Note = tuple[str, str]  # "good", "warning" or "bad", and a sentence


def replay_page(replay: Replay, *, doubts: Sequence[str] = (), title: str = "", review: Fields | None = None) -> str:
    """The page of a replay as HTML.

    The race is played as far as the recording fits; a note above it names what does not fit.

    Args:
        replay: of any edition.
        doubts: what loading has noted (`replay.load(path, doubts)`): other versions, a course that has changed. States
            are not compared then.
        title: of the page; the course's, if not given.
        review: as for `race_page`.
    """
    batch = replay.batch(frames=True)
    comparison = Comparison(replay, batch, compares=not doubts)
    timeline = Timeline(batch, replay.agents, title=title)
    for _ in comparison.steps():
        timeline.step_done()
    notes = notes_of(comparison, doubts)
    differs = 0 if doubts else comparison.differs
    return race_page(timeline.header, timeline.chunks, notes=notes, differs=differs, review=review)


def notes_of(comparison: Comparison, doubts: Sequence[str] = ()) -> list[Note]:
    """The results of checking a replay that was played again."""
    rounds = len(comparison.replay.rounds)
    maybe = "What is shown may not be the race that was played."
    notes: list[Note] = [("warning", f"{_sentence(doubt)} {maybe}") for doubt in doubts]
    if comparison.differs is not None:
        notes.append(("bad", _difference(comparison)))
    elif not doubts:
        notes.append(("good", f"Checked: {_rounds(rounds)} as recorded."))
    if comparison.differs is None and not comparison.batch.over[0]:
        notes.append(("warning", f"The recording ends after round {rounds}; the race was not over."))
    return notes


def _difference(comparison: Comparison) -> str:
    """A note about the point from which on a race differs from the recording, and the part that could be shown."""
    first = comparison.differs
    if comparison.stopped:
        reason = f"{_sentence(comparison.stopped)} The rest could not be replayed."
    else:
        reason = "The file or the rules have changed."
    if not first:
        return f"This is not the race that was recorded: its start differs. {reason}"
    before = ""
    if first > 1 and comparison.compares:
        before = " Round 1 is as recorded." if first == 2 else f" Rounds 1 to {first - 1} are as recorded."
    return f"From round {first} on this is not the race that was recorded. {reason}{before}"


def _rounds(count: int) -> str:
    return f"all {count} rounds are" if count > 1 else "round 1 is" if count else "the start is"


def _sentence(message: str) -> str:
    """A message as a sentence."""
    text = message.partition(": ")[2] if message.startswith(("versions.", "config.")) else message
    return f"{text[:1].upper()}{text[1:]}."


def write_page(page: str, path: Path) -> None:
    """Write a page. Raises RoboRallyError if this is not possible."""
    make_folder(path.parent)
    write_whole(path, page)
