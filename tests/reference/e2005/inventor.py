"""How the players of 2005 answer at random."""

from typing import ClassVar

from tests.reference.inventor import Inventor as AnyInventor


class Inventor(AnyInventor):
    """What wears out or stops the scene is refused more often."""

    refuses: ClassVar = {
        **dict.fromkeys(("option_for_damage", "power_down", "brakes", "abort_switch"), 0.6),
        **dict.fromkeys(("recompile", "pressor_beam"), 0.4),
        "mini_howitzer": 0.1,
    }
    forced = ("option_lost",)  # the default is no matter of the rules
