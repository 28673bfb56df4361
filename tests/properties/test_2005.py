"""The 2005 edition: invariants in random play, determinism, saving, and what a seat cannot know."""

import numpy as np
import pytest

from roborally_env import load_course
from roborally_env.batch import BatchRace
from roborally_env.core.editions.e2005.locks import LOCKS
from roborally_env.core.editions.e2005.steps import BEGIN_REGISTER, LEFTOVERS
from tests.invariants import check_game
from tests.invariants.e2005 import cards_of

from .races import (
    check_all,
    differing_fields,
    goes_on_from_here,
    play,
    play_alone_as_together,
    redealt_for,
    state_bytes,
)

COURSES = ["risky_exchange", "death_trap", "tricksy", "robot_stew"]
PLAYERS = 4
DECISIONS = ["program", "all"]
# what may change in a redeal: cards that others hold or will draw, and chance to come
HIDDEN = {"key", "draws", "hand", "registers", "laid_on", "pace", "deck", "conditional", "flywheel"}
OWN = ("hand", "registers", "laid_on", "pace", "conditional", "flywheel")


def batch_of(num_games=5, course=None, **options):
    """A batch of four-player races over several courses, cut after six turns."""
    usual = {"players": PLAYERS, "max_rounds": 6, "seed": 11, "edition": "2005"}
    courses = [load_course(name, "2005") for name in COURSES]
    return BatchRace(num_games, courses if course is None else course, **{**usual, **options})


# each with rules of its own: teams, claims, flags that are carried or ride, drafted options, no flags
SPECIAL = [
    "capture_the_flag", "tandem_carnage", "interference", "toggle_boggle", "tricksy", "moving_targets", "war_zone",
]  # fmt: skip


@pytest.mark.parametrize("decisions", DECISIONS)
@pytest.mark.parametrize("course", SPECIAL)
def test_observations_rewards_and_places_of_special_races(course, decisions):
    loaded = load_course(course, "2005")
    batch = BatchRace(
        4, loaded, players=4 // loaded.robots_each, decisions=decisions, max_rounds=12, seed=2, reward="shaped",
        components=True,
    )  # fmt: skip
    for i in range(30 if decisions == "program" else 250):
        batch.sample(i)
        step = batch.step_prepared()
        assert not batch.corrected.any()
        assert np.isfinite(step.observations["symbolic"]).all()
        assert np.isfinite(step.rewards).all()
        check_all(batch)
        if step.terminated.any() or step.truncated.any():
            over = step.terminated | step.truncated
            teams = batch.games["team"][0, :4]
            sides = [np.flatnonzero(teams == team) for team in set(teams.tolist())]
            places = batch.results["place"][over]
            race = batch.reward_parts["race"][over]
            for side in sides:
                assert (places[:, side] == places[:, side[:1]]).all()
                assert (race[:, side] == race[:, side[:1]]).all()
            firsts = [side[0] for side in sides]
            assert np.allclose(places[:, firsts].sum(axis=1), len(sides) * (len(sides) + 1) / 2)
            assert np.allclose(race[:, firsts].sum(axis=1), 0, atol=1e-6)
    assert (batch.games["episode"] > 0).any()


@pytest.mark.parametrize("decisions", DECISIONS)
def test_a_game_alone_equals_the_same_game_in_any_batch_place(decisions):
    together = batch_of(5, decisions=decisions)
    alone = [batch_of(1, first_game=i, decisions=decisions) for i in range(5)]
    play_alone_as_together(together, alone, 15 if decisions == "program" else 120)


@pytest.mark.parametrize("decisions", DECISIONS)
def test_any_thread_count_gives_the_same_bytes(decisions):
    one, two = (batch_of(33, decisions=decisions, threads=n) for n in (1, 2))
    steps = 15 if decisions == "program" else 60
    assert play(one, steps) == play(two, steps)


def test_another_seed_gives_other_races():
    assert play(batch_of(seed=12), 1) != play(batch_of(), 1)


@pytest.mark.parametrize("decisions", DECISIONS)
def test_a_restored_snapshot_goes_on_as_the_race_did(decisions):
    batch, other = batch_of(decisions=decisions), batch_of(decisions=decisions, seed=5)
    for stop in (3, 4, 30):
        play(batch, stop)
        goes_on_from_here(batch, other, 10)


@pytest.mark.parametrize("decisions", DECISIONS)
@pytest.mark.parametrize("observation", ["symbolic", "planes"])
def test_a_redeal_changes_nothing_that_the_seat_sees(decisions, observation):
    batch = batch_of(20, decisions=decisions, observation=observation, max_rounds=30)
    face_down = 0
    for steps in (0, 1, 5, 9, 20, 50):
        play(batch, steps, steps)
        for seat in range(PLAYERS):
            other = redealt_for(batch, seat, HIDDEN, OWN)
            if decisions == "program":
                check_all(other)
            face_down += sum(map(changed_registers, batch.games, other.games))
    assert (face_down > 100) == (decisions == "all")


def changed_registers(game, other):
    """How many face-down registers differ; those that lie open must not."""
    changed = 0
    for r in range(game.players):
        locked = int(LOCKS[game.damage[r]]) | int(game.jammed[r])
        shown = int(game.register) if game.step >= BEGIN_REGISTER else 0
        for k in range(5):
            differs = game.registers[r, k] != other.registers[r, k]
            assert not (differs and (locked >> k & 1 or k < shown))
            changed += differs
    return changed


def test_the_hands_of_others_and_the_deck_change_in_a_redeal():
    batch = batch_of(20)
    other = batch.redeal(1, 7)
    same = (batch.games["hand"] == other.games["hand"]).all(axis=2)
    assert same[:, 1].all()
    assert not same[:, [0, 2, 3]].any()
    for mine, its in zip(batch.games, other.games, strict=True):
        assert mine.deck_left == its.deck_left
        assert mine.held.tolist() == its.held.tolist()
        held = [card for r in range(PLAYERS) for card in cards_of(its, r)]
        assert len(set(held)) == len(held)
    again, another = batch.redeal(1, 7), batch.redeal(1, 8)
    assert differing_fields(again.games, other.games) == []
    assert "hand" in differing_fields(another.games, other.games)


def test_redealt_races_go_on_and_differ():
    batch = batch_of(20, decisions="all", max_rounds=20)
    play(batch, 40)
    other = batch.redeal(2, 3)
    for i in range(60):
        play(other, 1, i)
    assert state_bytes(other.games) != state_bytes(batch.games)


def test_hidden_cards_are_dealt_from_the_deck_and_each_other_s_hands():
    """Over many redeals every card that the seat does not see turns up in another's hand."""
    batch = batch_of(1)
    game = batch.games[0]
    mine = set(cards_of(game, 0))
    seen = set()
    for seed in range(60):
        seen |= {int(card) for card in batch.redeal(0, seed).games["hand"][0, 1] if card}
    assert seen == set(range(1, 85)) - mine


def test_the_steps_of_a_program_reach_the_leftovers():
    """A batch that asks everything stops in the middle of turns with registers face down."""
    batch = batch_of(20, decisions="all", course="tricksy", max_rounds=20)
    steps = set()
    for i in range(150):
        play(batch, 1, i)
        steps |= set(batch.games["step"].tolist())
    assert {LEFTOVERS + 1, BEGIN_REGISTER} <= steps


def test_eight_robots_race():
    batch = BatchRace(3, "risky_exchange", players=8, seed=1, max_rounds=8, rules={"lives": 4})
    assert (batch.games["lives"][:, :8] == 4).all()
    for i in range(20):
        batch.sample(i)
        batch.step_prepared()
        check_all(batch)


def test_without_options_nobody_gets_one():
    batch = batch_of(5, course="tricksy", rules={"options": False})
    play(batch, 20)
    assert not batch.games["had"].any()
    assert batch_of(5, course="tricksy").games["had"][:, :PLAYERS].all()


BROKEN = {
    "places": lambda game: game.cell.__setitem__(1, game.cell[0]),
    "deck": lambda game: game.hand.__setitem__((0, 0), int(game.hand[1, 0])),
    "lives": lambda game: game.lives.__setitem__(0, 5),
    "hands": lambda game: game.held.__setitem__(0, 4),
    "options": lambda game: game.options.__setitem__(0, 2),
    "scratch": lambda game: game.shots.__setitem__((0, 1), 1),
    "flags": lambda game: game.reached.__setitem__(0, 7),
    "registers": lambda game: game.pace.__setitem__((0, 0), 3),
    "turn_order": lambda game: game.order.__setitem__(0, int(game.order[1])),
    "question": lambda game: setattr(game, "ask_kind", 50),
    "ending": lambda game: setattr(game, "winner", 1),
    "seats": lambda game: setattr(game, "destroyed", 1 << 5),
}


@pytest.mark.parametrize("name", BROKEN)
def test_check_game_finds_what_is_broken(name):
    batch = batch_of(1, course="risky_exchange")
    check_game(batch.games[0], batch.courses[0])
    BROKEN[name](batch.games[0])
    with pytest.raises(AssertionError, match=f"^{name}: "):
        check_game(batch.games[0], batch.courses[0])
