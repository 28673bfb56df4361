"""`roborally play --text`: a race in the terminal, in words."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from roborally_env.base.errors import RoboRallyError
from roborally_env.base.files import write_whole
from roborally_env.base.terminal import is_terminal, print_lines
from roborally_env.batch.board import course_of
from roborally_env.play.lobby import usual_path
from roborally_env.play.race import PlayRace
from roborally_env.play.saved_race import resume_command, save_race
from roborally_env.play.setup import PlaySetup
from roborally_env.replay.writer import as_text
from roborally_env.text.answers import AnswerError
from roborally_env.text.race import Seats
from roborally_env.text.words import course_text, goal_text, picture_text

HELP = (
    "Answer with the names of cards (move_2, turn_left, again, ..) or with the name of an option.\n"
    "board: a map; course: every space in words; again?: the question once more; help: these words;\n"
    "default: the cards of your hand in order, or the usual option; quit or Ctrl-D: stop, to resume later."
)
_GAP = "  "  # in lines of the map and its legend, in no sentence
_INTERRUPTED = 130  # the exit code of a command that Ctrl-C has stopped


def play_in_terminal(
    race: PlayRace, path: Path | None, read: Callable[[str], str] = input, write: Callable[[str], None] | None = None
) -> int:
    """Let the one person of a race play it in the terminal, and save it; returns the exit code.

    Args:
        race: with one person.
        path: of the replay; None: named after the course and the time.
        read, write: take a line after a prompt, show a text.

    Raises:
        RoboRallyError: for a race of several people, and for a file that cannot be written.
    """
    if len(race.setup.people) != 1:
        raise RoboRallyError(f"--text: expected one person at a terminal, got {len(race.setup.people)}")
    show = write or _print
    with suppress(ImportError):  # Windows has none
        import readline  # noqa: F401  # `input` edits and repeats lines then
    place = path or usual_path(race.setup)
    seats = Seats(race)
    show(f"{goal_text(race.setup.course)}\n\n{picture_text(race)}\n{HELP}\n")
    try:
        ended, code = _played(seats, read, show), 0
    except KeyboardInterrupt:
        show("")
        ended, code = False, _INTERRUPTED
    if not ended:
        _stop(race, place, show)
        return code
    show(seats.ending(0))
    write_whole(place, as_text(race.replay()))
    show(f"Saved as {place}; roborally watch {place} shows it.")
    return 0


def _played(seats: Seats, read: Callable[[str], str], show: Callable[[str], None]) -> bool:
    """Play until the race is over, or until the person stops: False."""
    asked = 0
    while (question := seats.question) is not None:
        if question.number != asked:
            show(seats.text(question, course=False))
            asked = question.number
        try:
            line = read("> ").strip()
        except EOFError:
            show("")
            return False
        word = line.lower()
        if word in ("quit", "exit"):
            return False
        if word in ("help", "?"):
            show(HELP)
        elif word in ("board", "map"):
            show(picture_text(seats.race))
        elif word == "course":
            show(course_text(course_of(seats.race.batch, 0)))
        elif word == "again?":
            asked = 0
        elif word == "default":
            seats.play_default(question)
        elif line:
            try:
                seats.answer(question, line)
            except AnswerError as error:
                show(str(error))
    return True


def _stop(race: PlayRace, place: Path, show: Callable[[str], None]) -> None:
    """Save a race that is not over, so that it can go on."""
    kept = race.kept({})
    race.close_round()
    shown = race.replay()
    save_race(place, kept, shown)
    show(f"Saved as {place}; {resume_command(str(place), race.setup.opponents)} --text resumes it.")


def _print(text: str) -> None:
    width = shutil.get_terminal_size().columns if is_terminal(sys.stdout) else 0
    with suppress(OSError):  # nobody reads
        print_lines(*(part for line in text.split("\n") for part in wrapped(line, width)))


def wrapped(line: str, width: int) -> list[str]:
    """A line broken between words for a terminal of `width` columns; 0: as it is. Lines of the map stay."""
    if len(line) <= width or not width or _GAP in line.strip():
        return [line]
    indent = " " * (len(line) - len(line.lstrip(" -")))
    return textwrap.wrap(line, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def check_setup(setup: PlaySetup) -> None:
    """Raise a RoboRallyError for a race that is not one person's, or has a timer."""
    if len(setup.people) != 1:
        raise RoboRallyError(f"--text: expected one person at a terminal, got {len(setup.people)} (--humans)")
    if setup.timer is not None:
        raise RoboRallyError("--text: a race in words has no timer; leave --timer out")
