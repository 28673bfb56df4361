"""Pausing for a choice and going on equals playing through."""

from collections import Counter

import numpy as np
import pytest

from roborally_env.core import cards, choices, upgrades
from roborally_env.core.driving.advance import advance_asking
from roborally_env.core.state import NOBODY
from roborally_env.core.steps import OVER
from tests.games import FULL, LIGHTER, both_games, put_on_mat

from .races import batch_of, check_all, differing_fields, state_bytes

# what a game that asks has beside
QUESTIONS = ("asking", "answers", "answered", "answers_read")
ROUNDS = 12
NEVER_ASKED = {
    # these act by themselves
    "double_barrel_laser", "firewall", "hover_unit", "memory_stick", "ramming_gear", "scrambler", "trojan_needler",
    "virus_module", "energy_routine", "repeat_routine", "spam_folder_routine", "speed_routine",
}  # fmt: skip


def race(i, decisions, **options):
    """One race on a course with many reboots, to be played without a new one after it."""
    return batch_of(
        1, course=["gear_stripper", "twister"][i % 2], decisions=decisions, first_game=i, auto_reset=False,
        max_rounds=ROUNDS, **options,
    )  # fmt: skip


def answer_defaults(batch):
    """Take the default of each choice but purchases, until those or programs are wanted; how many were asked."""
    asked = 0
    nothing = np.zeros((1, batch.players, 5), np.int8)
    while not batch.programming[0] and not batch.over[0] and batch.games["ask_kind"][0] != choices.BUY_UPGRADE:
        game = batch.games[0]
        choice = np.zeros((1, batch.players), np.int8)
        choice[0, game.ask_seat] = 1 + game.ask_default
        batch.step(nothing, choice)
        assert not batch.corrected.any()
        asked += 1
    return asked


@pytest.mark.parametrize(
    "rules",
    [FULL, LIGHTER, {**FULL, "advanced": True, "again_after_damage": "repeat"}],
    ids=["upgrades", "lighter", "advanced"],
)
def test_taking_every_default_equals_not_being_asked(rules):
    """With upgrades purchases are asked in both: they are the same."""
    asked = 0
    for i in range(8):
        through, pausing = (race(i, decisions, rules=rules, dealt=True) for decisions in ("program", "all"))
        k = 0
        while not through.over[0]:
            programs, choice = (array.copy() for array in through.sample(k))
            if through.programming[0]:
                assert np.array_equal(pausing.sample(k)[0], programs)
            through.step(programs, choice)
            pausing.step(programs, choice)
            asked += answer_defaults(pausing)
            assert differing_fields(through.games, pausing.games, QUESTIONS) == []
            k += 1
        assert pausing.over[0]
    assert asked > (300 if rules["upgrades"] else 50)


@both_games
def test_an_illegal_choice_is_replaced_by_the_default_and_counted(rules):
    pausing = race(0, "all", rules=rules)
    for k in range(40):
        pausing.sample(k)
        if not pausing.programming[0] and not pausing.over[0]:
            seat, kept = int(pausing.games["ask_seat"][0]), pausing.copy()
            choice = np.zeros((1, pausing.players), np.int8)
            pausing.step(np.zeros((1, pausing.players, 5), np.int8), choice)
            assert pausing.corrected[0, seat] == 1
            choice[0, seat] = 1 + kept.games["ask_default"][0]
            kept.step(np.zeros((1, pausing.players, 5), np.int8), choice)
            assert differing_fields(pausing.games, kept.games) == []
            return
        pausing.step_prepared()
    raise AssertionError("nothing was asked")


def test_the_default_of_a_list_is_a_card_that_is_still_there():
    """Cache Memory by default takes Move 3, Move 2. Where a player begins with the Move 2 it is done by default."""
    batch = race(0, "all", rules=FULL)
    for k in range(100):
        batch.sample(k)
        if batch.programming[0]:
            break
        batch.step_prepared()
    put_on_mat(batch.games[0], 0, upgrades.CACHE_MEMORY)
    batch.games[0].hand[0, :9] = [cards.TURN_LEFT] * 5 + [cards.MOVE_3, cards.MOVE_2, cards.TURN_RIGHT, cards.POWER_UP]
    slots = np.tile(np.arange(5, dtype=np.int8), (1, batch.players, 1))
    choice = np.zeros((1, batch.players), np.int8)
    batch.step(slots, choice)
    not_offered = choices.NO  # once a card was taken, it is `done` that ends the list
    for taken, default in ((cards.MOVE_2, cards.MOVE_3), (not_offered, choices.DONE)):
        game = batch.games[0]
        assert (game.ask_seat, game.ask_kind) == (0, choices.UPGRADE + upgrades.CACHE_MEMORY)
        assert game.ask_default == default
        assert game.ask_options >> default & 1
        choice[0, 0] = 1 + taken
        batch.step(slots, choice)
    assert batch.corrected[0, 0] == 1


@both_games
def test_any_legal_choices_lead_through_the_race(rules):
    batch = batch_of(20, course="twister", decisions="all", max_rounds=8, rules=rules, dealt=True)
    kinds = set()
    for i in range(200 if rules == FULL else 60):
        batch.sample(i)
        batch.step_prepared()
        assert not batch.corrected.any()
        kinds |= set(batch.games["ask_kind"].tolist())
        if i % 4 == 0:
            check_all(batch)
    assert {0, 2} <= kinds  # programs, and where to face after a reboot


@both_games
def test_playing_with_the_answers_given_beforehand_comes_to_the_same_bytes(rules):
    """A step that was interrupted for each of its questions, and the same step with all answers in the record."""
    courses = ["twister", "gear_stripper"]
    batch = batch_of(30, course=courses, decisions="all", rules=rules, dealt=True, auto_reset=False, max_rounds=None)
    kept = batch.games[:1].copy()
    opened = {}  # game -> its record where the step's first question was open
    lengths = Counter()
    for i in range(300):
        for g, game in enumerate(batch.games):
            if game.ask_seat != NOBODY and game.answered == 0:
                opened[g] = batch.games[g : g + 1].copy()
        given = batch.games["answers"].copy(), batch.games["answered"].copy()
        _, picked = batch.sample(i)
        picked, asked = picked.copy(), batch.games["ask_seat"].copy()
        batch.step_prepared()
        for g in list(opened):
            game = batch.games[g]
            if asked[g] == NOBODY or (game.ask_seat != NOBODY and game.answered > 0):
                continue  # nothing was answered, or the step is not done yet
            again, n = opened.pop(g), int(given[1][g])
            again["answers"][0, :n] = given[0][g, :n]
            again["answers"][0, n] = picked[g, asked[g]] - 1
            again["answered"] = n + 1
            again["ask_seat"], again["ask_kind"], again["ask_default"], again["ask_options"] = NOBODY, 0, 0, 0
            if rules == FULL:
                again["ask_about"] = NOBODY
            if again["step"][0] != OVER:
                advance_asking(batch.maps.courses, again, 0, kept)
            assert state_bytes(again[0]) == state_bytes(game), (g, i, n)
            lengths[n + 1] += 1
    assert sum(lengths.values()) > (1000 if rules == FULL else 100)
    assert max(lengths) >= (5 if rules == FULL else 2), lengths


def test_every_decision_of_the_game_comes_up():
    """Of random play with upgrades on every mat, in the order of their numbers."""
    batch = batch_of(60, decisions="all", dealt=True, max_rounds=4, course=["twister", "gear_stripper"])
    found = set()
    for i in range(600):
        batch.sample(i)
        batch.step_prepared()
        found |= {choices.NAMES[kind] for kind in batch.games["ask_kind"].tolist()}
    wanted = set(choices.NAMES[: choices.KINDS_2016]) - NEVER_ASKED - {"none", "program"}
    assert wanted <= found, wanted - found
    assert not found & NEVER_ASKED


def test_a_game_that_asks_for_purchases_alone_asks_for_nothing_else():
    batch = batch_of(40, dealt=True)
    found = Counter()
    for i in range(150):
        found.update(batch.games["ask_kind"].tolist())
        batch.sample(i)
        batch.step_prepared()
    assert set(found) == {0, choices.BUY_UPGRADE}
