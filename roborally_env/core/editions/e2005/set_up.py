"""A new race of the 2005 edition (rulebook p. 3, and the special rules of courses)."""

import numpy as np

from roborally_env.core import options
from roborally_env.core.chance import below
from roborally_env.core.choices import HOME_BOARD, KEEP_OPTION, choose
from roborally_env.core.editions.e2005.reentry import enter_yard
from roborally_env.core.editions.e2005.specials import team_of
from roborally_env.core.editions.e2005.table import draw_option, place_option, take_option_card
from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics.setup import clear, draw_course, place_robots
from roborally_env.core.rule_options import RULE_FOUR_LIVES, RULE_NO_OPTIONS
from roborally_env.core.state import NOBODY
from roborally_env.courses.special import CAPTURE_THE_FLAG, OPTION_DRAFT, START_DAMAGE, START_OPTION, SUPERBOT
from roborally_env.courses.tables import MAX_CHECKPOINTS

LIVES = 3
START_TOKENS = 2
DRAFT = 3


@kernel
def begin_race(courses, game):
    """Begin a 2005 race."""
    draw_course(courses, game)
    course = courses[game.course]
    clear(game)
    game.tables_at = course.first_tables
    game.special = course.special
    for i in range(MAX_CHECKPOINTS):
        game.checkpoint[i] = course.checkpoint[i]
    if not course.special & CAPTURE_THE_FLAG:
        place_robots(course, game, int(game.players))  # docks 1 to n (p. 3; R88)
    number_docks(course, game)
    for r in range(game.players):
        game.lives[r] = LIVES + (game.rules & RULE_FOUR_LIVES > 0)
        game.archive[r] = game.start[r]
        game.team[r] = team_of(course.special, r)
        if course.special & START_DAMAGE:
            game.damage[r] = START_TOKENS


@kernel
def number_docks(course, game):
    """The dock of each robot, and the seats in the order of their docks. Without docks: in seat order."""
    place = 0
    for dock in range(course.docks):
        for r in range(game.players):
            if game.start[r] == course.dock[dock]:
                game.dock[r] = dock
                game.dock_order[place] = r
                place += 1
    if course.special & SUPERBOT:
        game.superbot = game.dock_order[0]


@kernel
def deal_options(course, game):
    """Deal options before the race, in dock order, and set up Capture the Flag."""
    if course.special & CAPTURE_THE_FLAG:
        set_up_teams(course, game)
    if game.rules & RULE_NO_OPTIONS:
        return
    for i in range(game.players):
        r = np.int64(game.dock_order[i])
        if course.special & START_OPTION:
            draw_option(game, r)
        if course.special & OPTION_DRAFT:
            draft_option(game, r)


@kernel
def draft_option(game, r):
    """Deal three options to player r, who keeps one; the others go under the deck (Tricksy)."""
    offered = 0
    best = options.NONE
    for i in range(DRAFT):
        card = take_option_card(game)
        game.offered[r, i] = card
        if card != options.NONE:
            offered |= 1 << card
            if best == options.NONE or options.VALUE[card] > options.VALUE[best]:
                best = card
    if best == options.NONE:
        return
    kept = choose(game, r, KEEP_OPTION, offered, best)
    place_option(game, r, kept)


@kernel
def put_back_offered(game):
    """Put the options that were not kept under the deck."""
    for r in range(game.players):
        for i in range(DRAFT):
            card = np.int64(game.offered[r, i])
            if card != options.NONE and not game.had[r] >> card & 1:
                game.options_under += 1
                game.option_deck[options.COUNT - game.options_under] = card
            game.offered[r, i] = options.NONE


@kernel
def set_up_teams(course, game):
    """Draw which team chooses its home board; that team sets up its robots first, then the other."""
    first = below(game, 2)
    captain = NOBODY
    for r in range(game.players - 1, -1, -1):
        if game.team[r] == first:
            captain = r
    game.home[first] = choose(game, captain, HOME_BOARD, 0b11, 0)
    game.home[1 - first] = 1 - game.home[first]
    for side in range(2):
        for r in range(game.players):
            if game.team[r] == (first if side == 0 else 1 - first):
                enter_yard(course, game, r, False)
                game.start[r] = game.archive[r] = game.cell[r]
