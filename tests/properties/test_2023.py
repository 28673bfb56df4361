"""Properties of the 2023 edition: masked random play, defaults, drawing hidden collections anew."""

from collections import Counter

import numpy as np
import pytest

from roborally_env.base.errors import SnapshotError
from roborally_env.batch import BatchRace
from roborally_env.core import choices, upgrades
from tests.invariants import check_game
from tests.sizes import size

from .races import HIDDEN, batch_of, check_all, differing_fields, play, redealt_for, state_bytes
from .test_decisions import QUESTIONS

COURSES = ["dizzy_highway", "twister", "gear_stripper", "undertow"]
COLLECTIONS = ("collection", "upgrade_deck")


def races(num_games: int, decisions: str = "all", **options) -> BatchRace:
    """Races of four robots on several courses."""
    given = {"course": COURSES, "edition": "2023", "decisions": decisions, "observation": "none", "max_rounds": 12}
    return batch_of(num_games, **{**given, **options})


@pytest.mark.parametrize("rules", [{}, {"most_energy": "unlimited", "start_energy": 5, "advanced": True}], ids=str)
def test_random_decisions_by_the_masks_need_no_repair(rules):
    """Some games are checked at every step, each in its turn; a hundred thousand decisions in `make test-all`."""
    part = size(3, 1)
    batch, decisions, kinds = races(300 // part, rules=rules, seed=7), 0, Counter()
    for i in range(120 if rules else 270):
        batch.sample(i)
        decisions += int(np.where(batch.programming, batch.players, 1).sum())
        kinds.update(choices.NAMES[kind] for kind in batch.games["ask_kind"].tolist())
        batch.step_prepared()
        assert not batch.corrected.any()
        for game in batch.games[i % 31 :: 31]:
            check_game(game, batch.courses[game.course])
    assert decisions > (40_000 if rules else 100_000) // part
    assert all(kinds[name] > 100 // part for name in ("draw_upgrade", "install_upgrade", "uninstall_upgrade")), kinds


def test_taking_every_default_equals_not_being_asked():
    """The default policy is the same whether it is asked or not."""
    asked = 0
    for number in range(6):
        through, pausing = (
            races(1, decisions, first_game=number, auto_reset=False, seed=3) for decisions in ("program", "all")
        )
        answer_defaults(pausing)
        while not through.over[0]:
            assert differing_fields(through.games, pausing.games, QUESTIONS) == []
            programs, choice = (array.copy() for array in through.sample(number))
            through.step(programs)
            pausing.step(programs, choice)
            asked += answer_defaults(pausing)
        assert pausing.over[0]
        assert differing_fields(through.games, pausing.games, QUESTIONS) == []
    assert asked > 100


def answer_defaults(batch: BatchRace) -> int:
    """Take the default of each choice until programs are wanted; how many were asked."""
    asked = 0
    while not batch.programming[0] and not batch.over[0]:
        choice = np.zeros((1, batch.players), np.int8)
        choice[0, batch.games["ask_seat"][0]] = 1 + batch.games["ask_default"][0]
        batch.step(np.zeros((1, batch.players, 5), np.int8), choice)
        asked += 1
    return asked


def test_programs_alone_are_asked_with_the_default_policy():
    batch = races(20, "program")
    assert not batch.asks_choices
    for i in range(12):
        assert batch.programming.all()
        batch.sample(i)
        batch.step_prepared()
    assert (batch.games["had"][:, :4] != 0).any()  # and yet upgrades are installed


def test_every_act_is_possible_whenever_its_conditions_hold():
    """The masks are exact: worked out once more from the record, whenever somebody is asked in an upgrade phase."""
    batch, seen = races(60, observation="symbolic"), Counter()
    for i in range(150):
        masks = batch.observations["choice_masks"]
        for number, game in enumerate(batch.games):
            if game.ask_kind in choices.KINDS_2023:
                seat = int(game.ask_seat)
                options = set(np.flatnonzero(masks[number, seat, 1:]).tolist())
                assert options == {0} | legal(game, seat), choices.NAMES[game.ask_kind]
                seen[int(game.ask_kind)] += 1
        batch.sample(i)
        batch.step_prepared()
    assert len(seen) == 3
    assert min(seen.values()) > 100


def legal(game, seat: int) -> set[int]:
    """What may be done besides declining."""
    if game.ask_kind == choices.DRAW_UPGRADE:
        return {choices.YES}
    cards = game.collection if game.ask_kind == choices.INSTALL_UPGRADE else game.owned
    payable = game.energy[seat] if game.ask_kind == choices.INSTALL_UPGRADE else 99
    return {
        u for u in range(1, upgrades.COUNT + 1) if int(cards[seat]) >> u & 1 and upgrades.upgrade(u).cost <= payable
    }


# -- drawing anew


def hoarding(num_games: int = 40) -> BatchRace:
    """Races in whose collections many cards lie, some of them from a deck that was shuffled."""
    batch = races(num_games, observation="symbolic", max_rounds=60, players=4)
    for i in range(400):
        picks = batch.actions[1]
        batch.sample(i)
        kinds, seats = batch.games["ask_kind"], batch.games["ask_seat"]
        rows = np.flatnonzero(kinds == choices.DRAW_UPGRADE)
        picks[rows, seats[rows]] = 1 + choices.YES
        rows = np.flatnonzero((kinds == choices.INSTALL_UPGRADE) & (np.arange(num_games) % 3 > 0))
        picks[rows, seats[rows]] = 1 + choices.NO
        batch.games["energy"][:, :4] = np.maximum(batch.games["energy"][:, :4], 4)
        batch.step_prepared()
    return batch


@pytest.fixture(scope="module")
def hoards() -> BatchRace:
    return hoarding()


def test_the_seat_sees_the_same(hoards):
    assert (hoards.games["shuffles"] > 0).any(), "no deck was shuffled"
    for seat in range(4):
        hidden = {*HIDDEN, *COLLECTIONS, "ask_options", "ask_default"}
        other = redealt_for(hoards, seat, hidden, ("collection",))
        check_all(other)


def test_what_others_collect_changes_and_its_number_stays(hoards):
    changed = held = 0
    for seed in range(5):
        other = hoards.redeal(0, seed)
        for one, two in zip(hoards.games, other.games, strict=True):
            for r in range(1, 4):
                before, after = int(one.collection[r]), int(two.collection[r])
                assert before.bit_count() == after.bit_count()
                changed += (before & ~after).bit_count()
                held += before.bit_count()
    assert changed > 0.5 * held > 100


def test_a_card_seen_before_a_shuffle_stays_where_its_draw_puts_it(hoards):
    """Of each shuffle a player holds as many cards as before: everybody knows when it drew them."""
    other = hoards.redeal(0, 5)
    for one, two in zip(hoards.games, other.games, strict=True):
        for r in range(4):
            assert ages(one, r) == ages(two, r)


def ages(game, r: int) -> Counter:
    """How many cards of robot r's collection were last shuffled when."""
    return Counter(int(game.shuffled[u - 1]) for u in range(1, 41) if int(game.collection[r]) >> u & 1)


def test_every_unseen_card_may_be_anywhere():
    """Before any shuffle each card that seat 0 does not see is as likely in each hidden place."""
    batch = races(1, auto_reset=False)
    game = batch.games[0]
    game.collection[:4] = [upgrades.bits(1, 2), upgrades.bits(3, 4), upgrades.bits(5), 0]
    game.upgrade_deck[:] = 0
    game.upgrade_deck[:5] = [6, 7, 8, 9, 10]
    game.upgrades_left = 5
    game.upgrade_discard = upgrades.bits(*range(11, 41))
    held = Counter()
    for seed in range(400):
        other = batch.redeal(0, seed).games[0]
        check_game(other, batch.courses[other.course])
        held.update(u for u in range(1, 41) if (int(other.collection[1]) | int(other.collection[2])) >> u & 1)
    assert set(held) == set(range(3, 11))
    assert all(100 < count < 200 for count in held.values()), held  # 3 of 8 places: 150


def test_a_redeal_in_the_middle_of_a_phase_can_be_played_on():
    batch, asked = races(40, max_rounds=4), 0
    for i in range(36):
        asked += int(np.isin(batch.games["ask_kind"], choices.KINDS_2023).sum())
        for seat in range(4) if i % 6 == 0 else ():
            other = batch.redeal(seat, i)
            for k in range(4):
                other.sample(k)
                other.step_prepared()
                assert not other.corrected.any()
            for game in other.games[i % 7 :: 7]:
                check_game(game, other.courses[game.course])
        batch.sample(i)
        batch.step_prepared()
    assert asked > 300


# -- saving


def test_a_snapshot_goes_on_to_the_same_bytes():
    batch = races(8)
    play(batch, 60)
    kept = batch.snapshot()
    play(batch, 40, 60)
    first = state_bytes(batch.games)
    batch.restore(kept)
    assert state_bytes(batch.games) != first
    play(batch, 40, 60)
    assert state_bytes(batch.games) == first


def test_a_snapshot_of_another_edition_is_refused():
    with pytest.raises(SnapshotError, match="'2016'"):
        races(2, edition="2023").restore(races(2, edition="2016").snapshot())


def test_a_game_alone_is_the_game_in_a_batch():
    batch, alone = races(5, auto_reset=True), races(1, first_game=3, auto_reset=True)
    for i in range(80):
        for each in (batch, alone):
            each.sample(i)
            each.step_prepared()
    assert state_bytes(batch.games[3:4]) == state_bytes(alone.games)


# -- check_game notices


BREAKS = {
    "a card in two places": lambda game: put_in(game, "collection", 0, int(game.upgrade_deck[0])),
    "a card that is nowhere": lambda game: drop_from_deck(game),
    "collected and discarded": lambda game: both(game),
    "a flag of nobody": lambda game: game.__setattr__("drew", 1 << 6),
    "energy beyond the track": lambda game: game.energy.__setitem__(0, 11),
    "a shop": lambda game: game.shop.__setitem__(0, 1),
    "more known than there is": lambda game: game.__setattr__("upgrade_tops", 41),
}


def put_in(game, field, r, card):
    game[field][r] |= 1 << card


def drop_from_deck(game):
    game.upgrades_left -= 1
    game.upgrade_deck[game.upgrades_left] = 0


def both(game):
    card = int(game.upgrade_deck[0])
    drop_from_deck(game)
    game.collection[0] |= 1 << card
    game.upgrade_discard |= 1 << card


@pytest.mark.parametrize("change", BREAKS.values(), ids=BREAKS)
def test_a_broken_invariant_is_noticed(change):
    batch = races(1, "program")
    check_all(batch)
    change(batch.games[0])
    with pytest.raises(AssertionError):
        check_all(batch)
