"""Choices by re-execution: a rule asks where it stands; where no answer lies ready, the step is played again later."""

from roborally_env.core.kernel import kernel
from roborally_env.core.state import ANSWERS

# decision numbers and names, the same in info, docs and scenario files
PROGRAM, REBOOT_FACING, DAMAGE_KIND = 1, 2, 3
NAMES = ("none", "program", "reboot_facing", "damage_kind")
OPTION_NAMES = {
    REBOOT_FACING: ("N", "E", "S", "W"),
    DAMAGE_KIND: ("spam", "worm", "virus", "trojan_horse"),
}
MAX_OPTIONS = 4  # the largest set of options of a decision other than the program


class ChoiceOpen(Exception):
    """Raised in a step when a player must be asked; the driver puts the game back and waits."""


@kernel
def choose(game, seat, kind, options, default):
    """The option (its number) that player `seat` takes: the next given answer, or the default where nobody is asked.

    `options` is a bit set of legal option numbers, `default` one of them. Raises ChoiceOpen, with the open
    question in the record, when the game asks and no answer is left.
    """
    if game.asking == 0:
        return default
    if game.answers_read < game.answered:
        answer = game.answers[game.answers_read]
        game.answers_read += 1
        return int(answer)
    if game.answered >= ANSWERS:  # no step of any edition asks so much; never wait for what cannot be stored
        return default
    game.ask_seat = seat
    game.ask_kind = kind
    game.ask_options = options
    game.ask_default = default
    raise ChoiceOpen
