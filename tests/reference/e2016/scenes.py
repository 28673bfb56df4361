"""Small scenarios of 2016 and what came of them, on a map of 10 by 6."""

from tests.reference.scenes import play_scene

from .race import Race


def race(robots, elements=(), span=(1, 1), order=None, rules=None, answers=(), **drawing):
    """The outcome of some registers, without upgrades; span None: a round."""
    return game(robots, elements, span, order, {"upgrades": False, **(rules or {})}, answers, **drawing)


def game(robots, elements=(), span=(1, 1), order=None, rules=None, answers=(), shop=None, **drawing):
    """As `race`, with upgrades; a `shop` begins the round with the upgrade phase."""
    more = {} if shop is None else {"shop": shop}
    return play_scene(Race, robots, elements, span, order, rules, answers, drawing, **more)
