"""What a record that comes from outside must keep to in the 2005 edition; see `core.soundness`."""

import numpy as np

from roborally_env.core import options
from roborally_env.core.cards2005 import DECK_SIZE, NONE
from roborally_env.core.editions.e2005.specials import team_of
from roborally_env.core.editions.e2005.steps import ANNOUNCE, DEAL, SET_UP, TAKE_TURN
from roborally_env.core.editions.e2005.superbot import INHERITED
from roborally_env.core.kernel import kernel
from roborally_env.core.soundness import (
    ARCHIVE,
    DECK,
    DOCK_ORDER,
    HAND,
    NO_TURNS,
    OPTION,
    ORDER,
    SOUND,
    TABLES,
    TEAMS,
    hand_is_packed,
    names_each_robot,
)
from roborally_env.core.state import NOBODY, NOWHERE
from roborally_env.courses.special import CAPTURE_THE_FLAG, SUPERBOT
from roborally_env.courses.tables import HAS_MOVING


@kernel
def turns_of_step(game):
    """See `soundness.turns_of_step`."""
    step = game.step
    return int(game.players) if (step >= DEAL and step <= ANNOUNCE) or step == TAKE_TURN else NO_TURNS


@kernel
def may_be_away(game, r):
    """See `soundness.may_be_away`."""
    if (game.destroyed | game.sent_home) >> r & 1:
        return True
    return may_lack_start(game, r)


@kernel
def may_lack_start(game, r):
    """See `soundness.may_lack_start`."""
    return game.step == SET_UP and bool(game.special & CAPTURE_THE_FLAG)


@kernel
def may_be_nowhere(course, game, i):
    """See `soundness.may_be_nowhere`: flags that a robot carries, or that belts have carried off the board."""
    if game.special & CAPTURE_THE_FLAG and i < 2 and game.carrier[i] != NOBODY:
        return True
    return bool(course.has & HAS_MOVING)


@kernel
def fault_of_edition(courses, course, game):
    """See `soundness.fault_of_edition`."""
    if not names_each_robot(game.dock_order, game.players):
        return DOCK_ORDER
    if not names_each_robot(game.given_order, game.players):
        return ORDER
    if not fits_tables(courses[game.course], game):
        return TABLES
    if not fits_course(course, game):
        return TEAMS
    for r in range(game.players):
        archive = np.int64(game.archive[r])
        if course.on_board[archive] == 0 if archive != NOWHERE else game.step != SET_UP:
            return ARCHIVE
        if not hand_is_packed(game, r) or game.held[r] + (game.flywheel[r] != NONE) > game.hand.shape[1]:
            return HAND
    if not deck_is_whole(game):
        return DECK
    return SOUND if options_are_apart(game) else OPTION


@kernel
def fits_tables(unturned, game):
    """Whether `tables_at` are the tables of the course with its boards as they are turned."""
    at = np.int64(unturned.first_tables)
    for board in range(game.turned.shape[0]):
        if game.turned[board] and unturned.turn_code[board] == 0:
            return False
        at += np.int64(unturned.turn_code[board]) * np.int64(game.turned[board])
    return at == game.tables_at


@kernel
def fits_course(course, game):
    """Whether teams, special rules and the SuperBot are as the course says."""
    if game.special != course.special or (game.special & SUPERBOT != 0) != (game.superbot != NOBODY):
        return False
    if game.sent_home and not game.special & CAPTURE_THE_FLAG:  # there is no yard to come back in
        return False
    for r in range(game.players):
        hit = np.int64(game.last_to_hit[r])
        if game.team[r] != team_of(course.special, r):
            return False
        if (hit - INHERITED if hit >= INHERITED + NOBODY else hit) >= game.players:
            return False
    return True


@kernel
def deck_is_whole(game):
    """Whether the deck lists each card once, and known cards lie at the front of `top`."""
    low, high = np.uint64(0), np.uint64(0)
    for i in range(DECK_SIZE):
        card = np.int64(game.deck[i]) - 1
        if card < 64:
            low |= np.uint64(1) << np.uint64(card)
        else:
            high |= np.uint64(1) << np.uint64(card - 64)
        if (game.top[i] != NONE) != (i < game.tops):
            return False
    return low == ~np.uint64(0) and high == (np.uint64(1) << np.uint64(DECK_SIZE - 64)) - np.uint64(1)


@kernel
def options_are_apart(game):
    """Whether each option is in one place at most: in the deck, offered, or in front of a player."""
    left, under = np.int64(game.options_left), options.COUNT - np.int64(game.options_under)
    seen = np.int64(0)
    for i in range(options.COUNT):
        card = np.int64(game.option_deck[i])
        if (card != options.NONE) != (i < left or i >= under) or (card != options.NONE and seen >> card & 1):
            return False
        seen |= np.int64(card != options.NONE) << card
    on_table = np.int64(0)
    for r in range(game.cell.shape[0]):
        mine = np.int64(game.options[r])
        if mine & seen or mine & 1:
            return False
        seen |= mine
        on_table |= mine
        for i in range(game.offered.shape[1]):
            if game.offered[r, i] != options.NONE:
                return False
    return left <= under and on_table == game.on_table
