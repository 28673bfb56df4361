"""Very much random play that follows the masks: nothing is ever repaired, every invariant holds."""

import numpy as np
import pytest

from roborally_env import BatchRace, parallel_env
from tests.api.helpers import play
from tests.games import FULL, LIGHTER, deal_upgrades
from tests.invariants import check_game

COURSES = ["dizzy_highway", "twister", "chop_shop_challenge", "death_trap", "gear_stripper", "undertow"]
PLAYS = {
    "purchases": (4, "program", {}),
    "choices": (4, "all", {}),
    "three players": (3, "all", {}),
    "advanced": (4, "all", {"advanced": True}),
    "timer": (4, "all", {"timer": True}),
    "again repeats": (4, "program", {"again_after_damage": "repeat"}),
    "two-ended lasers": (4, "all", {"two_ended_lasers": "both"}),
    "advanced, timer": (4, "program", {"advanced": True, "timer": True}),
    "lighter": (4, "all", LIGHTER),
    "two players": (2, "all", {}),
    "six players": (6, "all", {}),
    "six players, lighter": (6, "all", LIGHTER),
}
GAMES, STEPS = 100, 150  # of each play


@pytest.mark.parametrize(("players", "decisions", "rules"), PLAYS.values(), ids=PLAYS)
def test_random_play_by_the_masks_needs_no_repair(players, decisions, rules):
    # with six players a log as well, as scenarios have it: one machine code for both
    batch = BatchRace(
        GAMES, COURSES, players=players, decisions=decisions, rules=rules, seed=3, max_rounds=15,
        observation="none", events=players == 6,
    )  # fmt: skip
    if batch.upgrades:
        deal_upgrades(batch, 1)
    dice = np.random.default_rng(0)
    programs, choices, opened = batch.actions
    for i in range(STEPS):
        batch.sample(i)
        check_legal(batch, programs, choices)
        if rules.get("timer"):
            opened[:] = dice.integers(32, size=opened.shape) * (dice.random(opened.shape) < 0.2)
        batch.step_prepared()
        assert not batch.corrected.any()
        if i % 15 == 0:
            for game in batch.games[:: 1 + i % 7]:
                check_game(game, batch.courses[game.course])
    assert (batch.games["round_number"] > 1).any()


def check_legal(batch, programs, choices):
    """The actions are legal by the masks: with the masks alone a player plays on."""
    seen, programming = batch.observations, batch.programming
    games, seats = np.nonzero(np.repeat(programming[:, None], batch.players, axis=1))
    slots = programs[games, seats]
    assert seen["masks"][games[:, None], seats[:, None], np.arange(5), slots].all()
    assert (np.diff(np.sort(slots, axis=1), axis=1) > 0).all()  # no slot twice
    if batch.asks_choices:
        assert np.take_along_axis(seen["choice_masks"], choices[:, :, None].astype(np.int64), axis=2).all()
        # whoever is asked has options and cannot pass; all others have nothing to choose
        asked = np.arange(batch.players) == batch.games["ask_seat"][:, None]
        assert np.array_equal(seen["choice_masks"][:, :, 0] == 0, asked)
        assert np.array_equal(seen["choice_masks"][:, :, 1:].any(axis=2), asked)


@pytest.mark.parametrize("rules", [FULL, LIGHTER, {**FULL, "advanced": True}], ids=["upgrades", "lighter", "advanced"])
@pytest.mark.parametrize("decisions", ["program", "all"])
def test_random_play_is_legal_in_a_strict_env(decisions, rules):
    env = parallel_env("twister", decisions=decisions, rules=rules, strict=True, max_rounds=20)
    for _, (_, _, _, _, infos) in play(env, 8, 700):
        assert not any(info["corrected"] for info in infos.values())
