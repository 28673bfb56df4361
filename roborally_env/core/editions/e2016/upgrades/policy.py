"""The default policy: the answer of decisions="program" to each choice; the docs have one line for each card.

The policies are simple rules on the present board. Distances are counted in spaces, ignoring walls and belts.
"""

import numpy as np

from roborally_env.core import cards
from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics.lasers import silent, target_in
from roborally_env.core.mechanics.movement import robot_at, way
from roborally_env.core.mechanics.owned_upgrades import costs
from roborally_env.core.mechanics.places import column_of, row_of
from roborally_env.core.state import NOBODY, NOWHERE
from roborally_env.courses.tables import BLOCKED

# all cards, in the order in which they are given away first; Heal Routine is of the community edition
_UNWANTED = (
    cards.WORM, cards.TROJAN_HORSE, cards.VIRUS, cards.SPAM, cards.POWER_UP, cards.U_TURN, cards.BACK_UP,
    cards.ENERGY_ROUTINE, cards.SPAM_FOLDER, cards.AGAIN, cards.REPEAT_ROUTINE, cards.TURN_LEFT, cards.TURN_RIGHT,
    cards.WEASEL_ROUTINE, cards.MOVE_1, cards.MOVE_2, cards.SANDBOX_ROUTINE, cards.SPEED_ROUTINE, cards.MOVE_3,
    cards.HEAL_ROUTINE,
)  # fmt: skip
_WORST_FIRST = (cards.WORM, cards.TROJAN_HORSE, cards.VIRUS, cards.SPAM)
_FAR_CARDS = (cards.MOVE_3, cards.SPEED_ROUTINE, cards.MOVE_2)


# -- the hand


@kernel
def worst_damage_card(kinds):
    """The worst damage card of a bit set of kinds."""
    for card in _WORST_FIRST:
        if kinds >> card & 1:
            return card
    return cards.NONE


@kernel
def least_wanted_card(kinds):
    """The card that is given away first."""
    for card in _UNWANTED:
        if kinds >> card & 1:
            return card
    return cards.NONE


@kernel
def cards_to_cache(game, r):
    """The far moves left in the hand, farthest first: five bits for each card, the first card lowest."""
    wanted = 0
    count = 0
    for card in _FAR_CARDS:
        for i in range(game.held[r]):
            if game.hand[r, i] == card:
                wanted |= card << 5 * count
                count += 1
    return wanted


@kernel
def worth_recompiling(game, r):
    """Whether the hand has no far move, or four damage cards."""
    far = 0
    damage = 0
    for i in range(game.held[r]):
        card = game.hand[r, i]
        far += card == cards.MOVE_2 or card == cards.MOVE_3 or card == cards.SPEED_ROUTINE
        damage += cards.DAMAGE_BITS >> int(card) & 1
    return far == 0 or damage >= 4


# -- the goal


@kernel
def goal_of(course, game, r):
    """The cell of robot r's next checkpoint, or NOWHERE."""
    number = game.reached[r]
    return int(game.checkpoint[number]) if number < course.checkpoints else NOWHERE


@kernel
def apart(here, there):
    """Spaces between two cells, along rows and columns."""
    return abs(column_of(here) - column_of(there)) + abs(row_of(here) - row_of(there))


@kernel
def spaces_to_goal(course, game, r, cell):
    """Spaces from a cell to robot r's next checkpoint; 0 where there is none."""
    goal = goal_of(course, game, r)
    return apart(cell, goal) if goal >= 0 else 0


@kernel
def spaces_ahead(here, there, facing):
    """How far `there` lies ahead of `here`, negative behind."""
    dx, dy = column_of(there) - column_of(here), row_of(there) - row_of(here)
    if facing & 1:
        return dx if facing == 1 else -dx
    return dy if facing == 2 else -dy


@kernel
def run_alone(course, cell, direction, steps):
    """Where a robot alone ends after this many steps: a cell, or a negative number if it falls."""
    for _ in range(steps):
        to = int(course.next[cell, direction])
        if to == BLOCKED:
            return cell
        if to < 0:
            return to
        cell = to
    return cell


@kernel
def facing_to(cell, goal, first):
    """The facing with the most way to the goal ahead; ties go to the first one clockwise from `first`."""
    best, most = first, -1 << 20
    for quarters in range(4):
        facing = (first + quarters) & 3
        ahead = spaces_ahead(cell, goal, facing)
        if ahead > most:
            best, most = facing, ahead
    return best


# -- special cards


@kernel
def best_turn(cell, facing, goal):
    """Weasel Routine: the turn after which the goal lies farthest ahead."""
    if goal < 0:
        return cards.TURN_LEFT
    best, most = cards.TURN_LEFT, -1 << 20
    for card, quarters in ((cards.TURN_LEFT, 3), (cards.TURN_RIGHT, 1), (cards.U_TURN, 2)):
        ahead = spaces_ahead(cell, goal, (facing + quarters) & 3)
        if ahead > most:
            best, most = card, ahead
    return best


@kernel
def best_action(course, cell, facing, goal):
    """Sandbox Routine: the move of a robot alone that ends nearest to the goal, if it brings it nearer; else a turn."""
    if goal < 0:
        return cards.MOVE_1
    best, least = cards.NONE, apart(cell, goal)
    for card in (cards.MOVE_1, cards.MOVE_2, cards.MOVE_3, cards.BACK_UP):
        if card == cards.BACK_UP:
            to = run_alone(course, cell, (facing + 2) & 3, 1)
        else:
            to = run_alone(course, cell, facing, card)
        if to >= 0 and apart(to, goal) < least:
            best, least = card, apart(to, goal)
    if best != cards.NONE:
        return best
    return best_turn(cell, facing, goal)


# -- moves


@kernel
def steps_to_brake(course, game, r):
    """Brakes: whether the step would end in a pit or off the board."""
    to = way(course, game, int(game.cell[r]), int(game.facing[r]))
    return to < 0 and to != BLOCKED


@kernel
def side_to_step(course, game, r):
    """Crab Legs: the side on which all three steps are free and end on the next checkpoint; 0: none."""
    cell, facing = int(game.cell[r]), int(game.facing[r])
    goal = goal_of(course, game, r)
    if goal < 0 or apart(cell, goal) != 3:
        return 0
    for side in (1, 2):
        aside = (facing + (3 if side == 1 else 1)) & 3
        at = cell
        free = True
        for i in range(3):
            to = way(course, game, at, aside if i == 1 else facing)
            free = free and to >= 0 and robot_at(game, to) == NOBODY
            if not free:
                break
            at = to
        if free and at == goal:
            return side
    return 0


@kernel
def worth_teleporting(course, game, r, to, direction, steps):
    """Teleporter: whether the plain move would fall or be stopped, and the teleport ends nearer to the goal than it."""
    end = run_alone(course, int(game.cell[r]), direction, steps)
    if end < 0:
        return spaces_to_goal(course, game, r, to) < spaces_to_goal(course, game, r, game.cell[r])
    return end != to and spaces_to_goal(course, game, r, to) < spaces_to_goal(course, game, r, end)


@kernel
def side_to_push(course, game, r, other, left, right, ahead_is_blocked):
    """Side Arms: 1 left, 2 right, 0 ahead. `left` and `right` say whether that side is open.

    A side on which the robot falls; else, if the way ahead is blocked, any open side.
    """
    facing = int(game.facing[r])
    cell = int(game.cell[other])
    for side in (1, 2):
        to = way(course, game, cell, (facing + (3 if side == 1 else 1)) & 3)
        if (left if side == 1 else right) and to < 0 and to != BLOCKED:
            return side
    if ahead_is_blocked:
        return 1 if left else 2
    return 0


@kernel
def dearest(game, offered):
    """Modular Chassis: the dearest card of a bit set that costs more than one; 0: none."""
    best = 0
    for card in range(1, costs(game).shape[0]):
        if offered >> card & 1 and costs(game)[card] > max(1, costs(game)[best]):
            best = card
    return best


# -- shots


@kernel
def under_fire(course, game, r):
    """Whether another robot's shot would hit robot r from the present positions."""
    for q in range(game.players):
        shoots = not (np.int64(game.rebooted) | silent(game)) >> q & 1
        if q != r and shoots and target_in(course, game, q, int(game.facing[q])) == r:
            return True
    return False


@kernel
def worth_shifting(course, game, target, direction):
    """Pressor and Tractor Beam: whether the target would fall, or stand farther from its next checkpoint."""
    to = way(course, game, int(game.cell[target]), direction)
    if to == BLOCKED:
        return False
    if to < 0:
        return True
    return spaces_to_goal(course, game, target, to) > spaces_to_goal(course, game, target, game.cell[target])


# -- temporary cards


@kernel
def step_onto_goal(course, game, r):
    """Boink: 1 + the direction in which one step reaches the next checkpoint; 0 if none does."""
    goal = goal_of(course, game, r)
    if goal < 0 or robot_at(game, goal) != NOBODY:
        return 0
    for direction in range(4):
        if way(course, game, int(game.cell[r]), direction) == goal:
            return 1 + direction
    return 0


@kernel
def worth_repeating(course, game, r, action):
    """Hack: whether this is register five and the move ends nearer to the next checkpoint."""
    if action == cards.SPEED_ROUTINE:
        action = cards.MOVE_3
    if game.register < 4 or action > cards.BACK_UP:
        return False
    cell, facing = int(game.cell[r]), int(game.facing[r])
    if action == cards.BACK_UP:
        to = run_alone(course, cell, (facing + 2) & 3, 1)
    else:
        to = run_alone(course, cell, facing, action)
    return to >= 0 and spaces_to_goal(course, game, r, to) < spaces_to_goal(course, game, r, cell)


@kernel
def worth_rebooting(course, game, r):
    """Reboot: whether register five is over and the token is at least four spaces nearer to the next checkpoint."""
    token = course.token[game.cell[r]]
    if game.register < 4 or token < 0:
        return False
    there = spaces_to_goal(course, game, r, int(course.token_cell[token]))
    return there + 4 <= spaces_to_goal(course, game, r, game.cell[r])


@kernel
def facing_to_goal(course, game, r):
    """Zoop: after register five, 1 + the facing to the next checkpoint if it differs from the present one; else 0."""
    goal = goal_of(course, game, r)
    if game.register < 4 or goal < 0:
        return 0
    facing = facing_to(int(game.cell[r]), goal, int(game.facing[r]))
    return 1 + facing if facing != game.facing[r] else 0
