"""The moments of the cards that an edition from outside adds to those of 2016: a rule each, by default without cards.

A card is asked about after those of 2016. The kernel in a rule's place looks whether the robot may use its card
(`mats.can_use`), asks (`choices.choose`) and notes the use (`mats.use`, `mats.use_up`). A moment is skipped where no
card with that moment (`upgrades.Upgrade.moments`) lies on a mat.
"""

from roborally_env.core.rule import rule


@rule
def more_in_hand(game, r):
    """Moment "hand": robot r has drawn and not programmed yet. True if a card was used: then all are asked again."""
    return False


@rule
def more_at_register(course, game, r):
    """Moment "register": a register begins, its cards lie open. The robots are asked in the measured order."""


@rule
def more_in_turn(course, game, r, after):
    """Moment "turn": robot r's turn, before its card or `after` it. True if a card was used: all are asked again."""
    return False


@rule
def more_on_move(course, game, r, card, steps, direction):
    """Moment "move": robot r begins a move card. True if a card was used in place of the move."""
    return False


@rule
def more_on_push(game, r, other):
    """Moment "push": robot r has pushed another by its own card; once a card and robot (R45)."""


@rule
def more_on_hit(game, r, other):
    """Moment "shot": a shot of robot r has hit another and dealt its damage."""
