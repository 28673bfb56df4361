"""Every course of the 2005 edition, played at random to its end or its last round: all invariants hold."""

import numpy as np
import pytest

from roborally_env import BatchRace
from roborally_env.core import options
from roborally_env.courses import list_courses
from tests.invariants import check_game
from tests.sizes import each_once, size

COURSES = list_courses("2005")
GAMES = 3
CHECKED = size(4, 1)  # a check of all invariants takes longer than a step: one after so many steps
DEALT = 3  # options for each robot, so that they are met
# decisions -> rounds, and the steps that so many rounds take at most
PLAYS = {"program": (15, 20), "all": (6, 1200)}
ROBOTS = (4, 8)  # records are made for so many: two machine codes


@pytest.mark.parametrize(
    ("course", "decisions"), each_once(COURSES, PLAYS), ids=lambda value: getattr(value, "slug", value)
)
def test_random_play_keeps_every_invariant_to_the_end(course, decisions):
    rounds, steps = PLAYS[decisions]
    robots = next(n for n in ROBOTS if n // course.robots_each in course.counts)
    batch = BatchRace(
        GAMES, course, players=robots // course.robots_each, decisions=decisions, observation="none",
        max_rounds=rounds, auto_reset=False, seed=7,
    )  # fmt: skip
    dice = np.random.default_rng(len(course.slug))
    waiting = set(range(GAMES))  # games whose players have no further options yet
    for i in range(steps):
        for n in sorted(waiting):
            if batch.programming[n]:
                deal_options(batch.games[n], dice)
                waiting.discard(n)
        batch.sample(i)
        batch.step_prepared()
        assert not batch.corrected.any()
        for game in batch.games if i % CHECKED == 0 or batch.over.all() else ():
            check_game(game, course)
        if batch.over.all():
            break
    assert batch.over.all()
    assert not waiting
    for game in batch.games:
        check_end(game, course, rounds)


def deal_options(game, dice) -> None:
    """Each robot draws options from the deck, as far as it has any."""
    for r in range(game.players):
        for _ in range(DEALT):
            left = int(game.options_left)
            if left == 0:
                return
            at = int(dice.integers(left))
            option = int(game.option_deck[at])
            assert 1 <= option <= options.COUNT
            game.option_deck[at], game.option_deck[left - 1] = game.option_deck[left - 1], 0
            game.options_left = left - 1
            for name in ("options", "had"):
                game[name][r] |= 1 << option
            game.on_table |= 1 << option


def check_end(game, course, rounds: int) -> None:
    """A race ends with a winner of its course, with nobody left, or with the last round."""
    tags = set(course.special_rules)
    if game.winner < 0:
        assert (game.cut and game.round_number == rounds) or not (game.lives[: game.players] > 0).any() or tags
        return
    winner = int(game.winner)
    mates = [r for r in range(game.players) if game.team[r] == game.team[winner]]
    others = [r for r in range(game.players) if game.team[r] != game.team[winner]]
    if "capture_the_flag" in tags:
        assert int(game.carrier[1 - int(game.home[game.team[winner]])]) == winner
    elif "claims" in tags:
        assert (game.claim[: len(course.checkpoints)] == game.team[winner]).all()
    elif "last_team_standing" in tags:
        assert not (game.lives[others] > 0).any()
        assert (game.lives[mates] > 0).any()
    elif "racers_and_blockers" in tags:
        assert winner % 2 == 0
        gone = not (game.lives[[r for r in others if r % 2 == 0]] > 0).any()
        assert gone or game.reached[winner] == len(course.checkpoints)
    else:
        assert game.reached[winner] == len(course.checkpoints)
