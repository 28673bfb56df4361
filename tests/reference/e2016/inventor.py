"""How the players of 2016 answer at random."""

from typing import ClassVar

from tests.reference.inventor import Inventor as AnyInventor


class Inventor(AnyInventor):
    """The two routines that ask have no default."""

    refuses: ClassVar = {"reboot": 0.8, "brakes": 0.5, "teleporter": 0.4, "cache_memory": 0.5, "buy_upgrade": 0.1}
    forced = ("weasel_routine", "sandbox_routine")
