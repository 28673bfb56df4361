"""Pausing for a choice and going on equals playing through."""

import numpy as np

from roborally_env.core.editions.steps2016 import OVER, PROGRAM

from .races import batch_of, check_all, differing_fields

# what a game that asks has beside
QUESTIONS = ("asking", "answers", "answered", "answers_read")
ROUNDS = 12


def race(i, decisions, **options):
    """One race on a course with many reboots, to be played without a new one after it."""
    return batch_of(
        1, course=["gear_stripper", "twister"][i % 2], decisions=decisions, first_game=i, auto_reset=False,
        max_rounds=ROUNDS, **options,
    )  # fmt: skip


def answer_defaults(batch):
    """Take the default of each choice until programs are wanted; how many were asked."""
    asked = 0
    nothing = np.zeros((1, batch.players, 5), np.int8)
    while batch.games["step"][0] not in (PROGRAM, OVER):
        game = batch.games[0]
        choices = np.zeros((1, batch.players), np.int8)
        choices[0, game.ask_seat] = 1 + game.ask_default
        batch.step(nothing, choices)
        assert not batch.repairs.any()
        asked += 1
    return asked


def test_taking_every_default_equals_not_being_asked():
    asked = 0
    for i in range(8):
        through, pausing = race(i, "program"), race(i, "all")
        for k in range(ROUNDS):
            programs = through.sample(k)[0].copy()
            assert np.array_equal(pausing.sample(k)[0], programs)
            through.step(programs)
            pausing.step(programs)
            asked += answer_defaults(pausing)
            assert differing_fields(through.games, pausing.games, QUESTIONS) == []
    assert asked > 50


def test_an_illegal_choice_is_replaced_by_the_default_and_counted():
    pausing = race(0, "all")
    for k in range(40):
        pausing.sample(k)
        if not pausing.programming[0] and not pausing.over[0]:
            seat, kept = int(pausing.games["ask_seat"][0]), pausing.copy()
            choices = np.zeros((1, pausing.players), np.int8)
            pausing.step(np.zeros((1, pausing.players, 5), np.int8), choices)
            assert pausing.repairs[0, seat] == 1
            choices[0, seat] = 1 + kept.games["ask_default"][0]
            kept.step(np.zeros((1, pausing.players, 5), np.int8), choices)
            assert differing_fields(pausing.games, kept.games) == []
            return
        pausing.step_prepared()
    raise AssertionError("nothing was asked")


def test_any_legal_choices_lead_through_the_race():
    batch = batch_of(20, course="twister", decisions="all", max_rounds=8)
    kinds = set()
    for i in range(60):
        batch.sample(i)
        batch.step_prepared()
        assert not batch.repairs.any()
        kinds |= set(batch.games["ask_kind"].tolist())
        check_all(batch)
    assert {0, 2} <= kinds  # programs, and where to face after a reboot
