"""The moments at which cards of an edition from outside act: one rule for each moment, by default without cards.

The cards of 2016 come first. The kernel that overrides a rule checks whether the robot may use its card
(`can_use`), asks (`choices.choose`) and records the use (`use`, `use_up`). A moment is skipped if no
card with that moment (`upgrades.Upgrade.moments`) lies on a mat.
"""

from roborally_env.core.rule import rule


@rule
def more_in_hand(game, r):
    """Moment "hand": robot r has drawn and not programmed yet. True if a card was used; then all cards are
    tried again."""
    return False


@rule
def more_at_register(course, game, r):
    """Moment "register": a register begins with its cards revealed. The robots decide in the measured order."""


@rule
def more_in_turn(course, game, r, after):
    """Moment "turn": robot r's turn, before its card or `after` it. True if a card was used; then all are tried
    again."""
    return False


@rule
def more_on_move(course, game, r, card, steps, direction):
    """Moment "move": robot r begins a move card. True if a card was used in place of the move."""
    return False


@rule
def more_on_push(game, r, other):
    """Moment "push": robot r has pushed another robot by its own card; once for each card and robot (R45)."""


@rule
def more_on_hit(game, r, other):
    """Moment "shot": a shot of robot r has hit another robot and dealt its damage."""
