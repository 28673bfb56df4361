"""The community edition: invariants in random play, determinism, saving, and what a seat cannot know."""

import numpy as np
import pytest

from roborally_env.batch import BatchRace
from roborally_env.core import cards
from roborally_env.core.editions.e2005.locks import LOCKS
from roborally_env.core.editions.e2016.steps import BEGIN_REGISTER
from roborally_env.core.searching.alone import greedy_programs
from roborally_env.core.searching.distances import STATES
from tests.invariants import check_game
from tests.sizes import size

from .races import HIDDEN, check_all, goes_on_from_here, play, play_alone_as_together, redealt_for

COURSES = [f"community/{name}" for name in ("summit_works", "terraces", "hot_floor", "rain_yard")] + ["gear_stripper"]
PLAYERS = 4
DECISIONS = ["program", "all"]


def batch_of(num_games=5, course=None, **options):
    """A batch of four-player races over several courses, cut after six rounds, so that new races begin soon."""
    usual = {"players": PLAYERS, "max_rounds": 6, "seed": 11, "edition": "community"}
    return BatchRace(num_games, COURSES if course is None else course, **{**usual, **options})


RULES = {
    "upgrades": {},
    "no upgrades": {"upgrades": False},
    "race on": {"race_on": True, "upgrades": False},
    "timer": {"timer": True},
}


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
@pytest.mark.parametrize("decisions", DECISIONS)
def test_every_invariant_holds_after_each_step(decisions, rules):
    batch = batch_of(8, decisions=decisions, rules=rules, max_rounds=30)
    dice = np.random.default_rng(0)
    seen = {"rebooted": 0, "virtual": 0, "down": 0, "locks": 0}
    for i in range(60 if decisions == "program" else 120):
        batch.sample(i)
        if rules.get("timer"):
            batch.actions[2][:] = dice.integers(32, size=(8, PLAYERS)) * (dice.random((8, PLAYERS)) < 0.3)
        step = batch.step_prepared()
        assert not batch.corrected.any()
        assert np.isfinite(step.observations["symbolic"]).all()
        check_all(batch)
        for name in ("rebooted", "virtual", "down"):
            seen[name] += int((batch.games[name] > 0).sum())
        seen["locks"] += int((batch.games["damage"] > 4).sum())
    assert seen["down"] > 5
    assert seen["locks"] > 5
    assert seen["virtual"] > 0 or decisions == "program"
    assert seen["rebooted"] > 5 or decisions == "program"


def test_locked_cards_stay_and_are_out_of_the_deck():
    batch = batch_of(20, max_rounds=40, rules={"upgrades": False})
    stayed = 0
    for i in range(60):
        before = batch.games.copy()
        play(batch, 1, i)
        for game, now in zip(before, batch.games, strict=True):
            if now.episode != game.episode or now.round_number != game.round_number + 1:
                continue
            for r in range(PLAYERS):
                if now.reboots[r] > game.reboots[r] or int(now.down | game.down) >> r & 1:
                    continue
                both = int(LOCKS[game.damage[r]]) & int(LOCKS[now.damage[r]])
                for k in range(5):
                    if both >> k & 1 and now.damage[r] >= game.damage[r]:
                        assert game.registers[r, k] == now.registers[r, k] != 0
                        stayed += 1
    assert stayed > 5


def test_random_play_goes_on_where_everybody_is_powered_down():
    """A round of robots that are all down may draw nothing; the next announcement is another draw all the same."""
    batch = BatchRace(64, "hot_floor", edition="community", players=4, observation="none", max_rounds=None, seed=3)
    programmed = []
    for _ in range(1200):
        if batch.programming.any():
            programmed.append(batch.programmed[batch.programming].mean())
        batch.sample()
        batch.step_prepared()
    assert int(batch.games["round_number"].max()) > 100  # long races among them
    assert np.mean(programmed[-100:]) > 0.3  # of robots that announce a power down in half of their rounds


@pytest.mark.parametrize("decisions", DECISIONS)
def test_a_game_alone_equals_the_same_game_in_any_batch_place(decisions):
    together = batch_of(5, decisions=decisions)
    alone = [batch_of(1, first_game=i, decisions=decisions) for i in range(5)]
    play_alone_as_together(together, alone, 25 if decisions == "program" else 120)


@pytest.mark.parametrize("decisions", DECISIONS)
def test_a_restored_snapshot_goes_on_as_the_race_did(decisions):
    batch, other = batch_of(decisions=decisions), batch_of(decisions=decisions, seed=5)
    for stop in (3, 4, 30):
        play(batch, stop)
        goes_on_from_here(batch, other, 10)


# -- what a seat cannot know


@pytest.mark.parametrize("decisions", DECISIONS)
@pytest.mark.parametrize("observation", ["symbolic", "planes"])
def test_a_redeal_changes_nothing_that_the_seat_sees(decisions, observation):
    batch = batch_of(15, decisions=decisions, observation=observation, max_rounds=30)
    face_down = 0
    for steps in (0, 1, 5, 9, 20, 50):
        play(batch, steps, steps)
        for seat in range(PLAYERS):
            other = redealt_for(batch, seat, HIDDEN, ("hand", "registers", "pile"))
            check_all(other)
            face_down += sum(map(changed_registers, batch.games, other.games))
    assert (face_down > 50) == (decisions == "all")


def changed_registers(game, other):
    """How many face-down registers differ; locked ones and those that have been played must not."""
    changed = 0
    for r in range(PLAYERS):
        locked = int(LOCKS[game.damage[r]])
        shown = int(game.register) if game.step >= BEGIN_REGISTER else 0
        for k in range(5):
            differs = game.registers[r, k] != other.registers[r, k]
            assert not (differs and (locked >> k & 1 or k < shown))
            changed += differs
    return changed


def test_a_locked_card_stays_where_it_is_in_a_redeal_and_hands_change():
    batch = batch_of(20, rules={"upgrades": False})
    game = batch.games[0]
    game.damage[2] = 6
    game.registers[2, 3], game.registers[2, 4] = cards.MOVE_3, cards.AGAIN
    game.held[2] = 3
    game.hand[2] = [cards.MOVE_1, cards.MOVE_2, cards.U_TURN, *[0] * 10]
    hands = set()
    for seed in range(30):
        other = batch.redeal(0, seed).games[0]
        assert other.registers[2].tolist() == [0, 0, 0, cards.MOVE_3, cards.AGAIN]
        hands.add(tuple(other.hand[2].tolist()))
    assert len(hands) > 20


# -- maps


def test_a_checkpoint_on_pushers_is_met_where_they_will_have_pushed_it():
    """Checkpoint 1 of Summit Works: a pusher tosses it up in registers one and three, another back in two and four."""
    batch = batch_of(1, course="community/summit_works")
    course = batch.maps.courses[0]
    start, above = 8 * 32 + 8, 7 * 32 + 8
    assert course.checkpoint[0] == start
    assert int(course.place_of[0, start]) == 0
    cells, place = [], 0
    for _ in range(10):
        cells.append(int(course.track[0, place]))
        place = int(course.next_place[0, place])
    assert cells == [start, above, start, above, start] * 2
    assert 0 < int(batch.maps.distance[course.distance_at[0] + start * 4 : course.distance_at[0] + STATES].min()) < 100


def test_the_last_checkpoint_can_be_reached_alone_from_every_start():
    for name in COURSES:
        batch = batch_of(1, course=name)
        course = batch.maps.courses[0]
        for i in range(course.checkpoints):
            at = int(course.distance_at[i])
            for dock in course.dock[: course.docks]:
                assert batch.maps.distance[at + int(dock) * 4 + int(course.start_facing)] < 1000


# -- searches


@pytest.mark.parametrize("tokens", size([0, 7, 9], [0, 3, 5, 7, 8, 9]))
def test_greedy_lays_legal_programs_with_any_damage(tokens):
    batch = batch_of(6, rules={"upgrades": False}, max_rounds=40)
    for i in range(6):
        play(batch, 2, i)
        games = batch.games
        for g in range(6):
            hurt_before_programming(games[g], 1, tokens)
        out = np.zeros((6, 5), np.int8)
        greedy_programs(batch.maps, games, np.arange(6), np.ones(6, np.int64), out)
        batch.observe()
        masks = batch.observations["masks"]
        for g in range(6):
            closed = int(batch.closed_registers[g, 1])
            taken = [int(slot) for k, slot in enumerate(out[g]) if not closed >> k & 1]
            assert len(set(taken)) == len(taken)
            assert all(masks[g, 1, k, slot] for k, slot in enumerate(out[g]))


def hurt_before_programming(game, r, tokens):
    """Robot r has `tokens` damage tokens while programs are wanted."""
    own = [int(card) for card in cards.DECK]
    held = max(0, 9 - tokens)
    game.damage[r], game.held[r] = tokens, held
    game.hand[r] = 0
    game.hand[r, :held] = own[:held]
    game.registers[r] = 0
    for k in range(5):
        if int(LOCKS[tokens]) >> k & 1:
            game.registers[r, k] = own[10 + k]


BROKEN = {
    "places": lambda game: game.cell.__setitem__(1, game.cell[0]),
    "health": lambda game: game.damage.__setitem__(0, 10),
    "own_cards": lambda game: game.hand.__setitem__((0, 0), cards.HEAL_ROUTINE),
    "registers": lambda game: game.damage.__setitem__(0, 5),
    "progress": lambda game: game.place.__setitem__(0, 1),
    "board": lambda game: setattr(game, "ramps", 1 << 60),
    "power": lambda game: setattr(game, "down", 1),
    "phase": lambda game: setattr(game, "stomped", 1 << 5),
    "mats": lambda game: game.shop.__setitem__(0, 1),
    "actions": lambda game: game.damage_pile.__setitem__(0, 3),
    "scratch": lambda game: game.want.__setitem__(0, 3),
    "question": lambda game: setattr(game, "ask_kind", 4),
}


@pytest.mark.parametrize("name", BROKEN)
def test_check_game_finds_what_is_broken(name):
    batch = batch_of(1, course="community/terraces", rules={"upgrades": False})
    check_game(batch.games[0], batch.courses[0])
    BROKEN[name](batch.games[0])
    with pytest.raises(AssertionError, match=f"^{name}: "):
        check_game(batch.games[0], batch.courses[0])
