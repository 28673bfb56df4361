"""The effects of programming and damage cards (2016 rulebook, card index; R20 to R28)."""

from roborally_env.core import cards, log
from roborally_env.core.editions.e2016.upgrades.moving import move_with_upgrades
from roborally_env.core.editions.e2016.upgrades.specials import plain_action
from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics.energy import gain_energy
from roborally_env.core.mechanics.movement import MOVED, STOPPED, cost_of_step, is_gone, shift_line, turn
from roborally_env.core.mechanics.owned_upgrades import plays_upgrades
from roborally_env.core.mechanics.piles import (
    discard,
    is_again,
    only_agains_left,
    place_top,
    return_damage,
    take_damage,
)
from roborally_env.core.mechanics.places import column_of, row_of
from roborally_env.core.mechanics.reboot import reboot, reboot_where_it_stands
from roborally_env.core.rule_options import RULE_AGAIN_REPEATS
from roborally_env.core.traits import with_upgrades

VIRUS_RADIUS = 6


@kernel
def move(course, game, r, steps, direction):
    """Move a number of steps; a blocked step ends the move (R10), and so does the robot's own reboot."""
    while steps > 0:
        steps -= cost_of_step(course, game, r)
        if steps < 0:
            return
        fell = shift_line(course, game, r, direction, 0, log.MOVE)
        if fell == STOPPED:
            return
        if fell > MOVED:
            reboot(course, game, fell - 1)
            if game.rebooted >> r & 1:
                return
        if is_gone(game, r):
            return


@kernel
def carry_out(course, game, r, action):
    """Carry out a programming card."""
    if plays_upgrades(game) and action > cards.POWER_UP:
        action = plain_action(course, game, r, action)
    if action <= cards.BACK_UP:
        if action == cards.NONE:
            return
        steps = 1 if action == cards.BACK_UP else action  # the cards are numbered by their steps
        direction = (int(game.facing[r]) + (2 if action == cards.BACK_UP else 0)) & 3
        if not move_with_upgrades(course, game, r, action, steps, direction):
            move(course, game, r, steps, direction)
    elif action == cards.TURN_LEFT:
        turn(game, r, 3)
    elif action == cards.TURN_RIGHT:
        turn(game, r, 1)
    elif action == cards.U_TURN:
        turn(game, r, 2)
    elif action == cards.POWER_UP:
        gain_energy(game, r, 1)


@kernel
def is_damage(card):
    return card >= cards.SPAM and card <= cards.TROJAN_HORSE


@kernel
def play_register(course, game, r):
    """Robot r plays the card in the current register, damage cards and stray Agains replaced from the deck first."""
    k = int(game.register)
    card = refreshed_card(game, r)
    if card == cards.NONE:
        card = replace_damage(course, game, r, k)
    if card == cards.NONE:
        return
    action = card
    if is_again(card):
        action = repeated_action(course, game, r, k)
    log.log(game, log.CARD, r, card, action)
    if action != cards.NONE:
        game.done[r, k] = action
        carry_out(course, game, r, action)


@with_upgrades(cards.NONE)
def refreshed_card(game, r):
    """The card that Refresh put in place of the register's card, or NONE."""
    return int(game.instead[r])


@kernel
def replace_damage(course, game, r, k):
    """Play the damage cards in register k until a programming card lies there; return that card, or NONE if none
    came."""
    card = int(game.registers[r, k])
    if is_damage(card):
        game.damaged[r] |= 1 << k
    return play_out(course, game, r, game.registers, k, k == 0)  # R23, R25a: no Again in register one


@kernel
def play_out(course, game, r, places, k, no_again):
    """Play damage cards in `places[r, k]`, and put Agains aside where `no_again`, until another card comes there from
    the deck.

    Returns that card; NONE if none came, or if a Worm ended the register.
    """
    card = int(places[r, k])
    while is_damage(card) or (no_again and is_again(card)):
        if is_again(card):
            put_aside_again(game, r, places, k)
        elif play_damage(course, game, r, places, k):
            return cards.NONE
        card = next_card(game, r, places, k)
    return card


@kernel
def put_aside_again(game, r, places, k):
    """An Again in `places[r, k]` that cannot be played goes to the discard pile."""
    card = int(places[r, k])
    places[r, k] = cards.NONE
    discard(game, r, card)
    log.log(game, log.DISCARD, r, card)


@kernel
def next_card(game, r, places, k):
    """Put the top card of the deck into `places[r, k]`; NONE if there is none, or if only Agains are left, which would
    never end (R26)."""
    if only_agains_left(game, r):
        log.log(game, log.IDLE, r, game.register + 1)
        return cards.NONE
    return place_top(game, r, places, k)


@kernel
def play_damage(course, game, r, places, k):
    """Carry out the damage card in `places[r, k]` and return it to its pile. True if this rebooted the robot, which
    ends its register."""
    card = int(places[r, k])
    log.log(game, log.CARD, r, card, card)
    places[r, k] = cards.NONE
    if card == cards.WORM:
        reboot_where_it_stands(course, game, r)
        return_damage(game, r, card)
        return True
    if card == cards.TROJAN_HORSE:
        take_damage(game, r, 0)
        take_damage(game, r, 0)
    elif card == cards.VIRUS:
        spread_virus(game, r)
    return_damage(game, r, card)
    return False


@kernel
def spread_virus(game, source):
    """Every other robot within Manhattan distance six takes a Virus, in turn order (R28)."""
    here = int(game.cell[source])
    for place in range(game.players):
        r = int(game.order[place])
        there = int(game.cell[r])
        if r != source and there >= 0:
            away = abs(column_of(here) - column_of(there)) + abs(row_of(here) - row_of(there))
            if away <= VIRUS_RADIUS:
                take_damage(game, r, cards.VIRUS - cards.SPAM)


@kernel
def repeated_action(course, game, r, k):
    """The action that an Again in register k repeats (R24, R25); NONE for nothing."""
    if game.damaged[r] >> (k - 1) & 1 and not game.rules & RULE_AGAIN_REPEATS:
        return drawn_for_again(course, game, r, k)
    return int(game.done[r, k - 1])


@kernel
def drawn_for_again(course, game, r, k):
    """Place the top card on the Again and play it (R25); damage is played as usual, an Again is discarded for the
    next."""
    next_card(game, r, game.laid_on, k)
    return play_out(course, game, r, game.laid_on, k, True)
