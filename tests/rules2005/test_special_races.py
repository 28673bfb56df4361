"""How races on courses with special rules begin, and who plays them: 2005 course manual p. 21 to 32."""

import numpy as np
import pytest

from roborally_env import BatchRace
from roborally_env.base.errors import ActionError, RoboRallyError
from roborally_env.core import options
from roborally_env.core.choices import HOME_BOARD, KEEP_OPTION, REBOOT_FACING, REENTRY_CELL, REENTRY_ROW
from roborally_env.core.editions.e2005 import table
from roborally_env.core.editions.e2005.steps import SET_UP
from roborally_env.courses import load_course
from roborally_env.courses.rotation import turned_by
from roborally_env.courses.tables import WIDTH, tables_of
from tests.games import seated

GAMES = 6


def races(course: str, players: int, games: int = GAMES, **arguments) -> BatchRace:
    """Races at their start; without observations all courses share one machine code a number of seats."""
    return BatchRace(games, course, edition="2005", players=players, observation="none", seed=5, **arguments)


def names(bits: int) -> list[int]:
    """The options of a bit set."""
    return [o for o in range(1, options.COUNT + 1) if int(bits) >> o & 1]


def answer(batch: BatchRace, option: int) -> None:
    """The first race's open question is answered; nobody else is asked."""
    programs, choices, _ = batch.actions
    programs[:] = 0
    choices[:] = 0
    choices[0, batch.games["ask_seat"][0]] = 1 + option
    batch.step_prepared()


# -- options and damage at the start


@pytest.mark.parametrize(("course", "players"), [("flag_fry", 4), ("war_zone", 4), ("marathon_madness", 8)])
def test_each_player_is_dealt_one_option(course, players):
    """p. 26, 28 and 32: at the beginning of the game, deal one Option card to each player."""
    for game in races(course, players).games:
        dealt = [names(game.options[r]) for r in range(players)]
        assert [len(own) for own in dealt] == [1] * players
        assert len({own[0] for own in dealt}) == players
        assert game.options_left == options.COUNT - players


def test_without_option_cards_none_is_dealt():
    """The rule option leaves them out."""
    assert not races("flag_fry", 4, rules={"options": False}).games["options"].any()


def test_elsewhere_nobody_begins_with_an_option():
    """p. 12: special rules are those of the course."""
    assert not races("risky_exchange", 4).games["options"].any()


def test_in_factory_rejects_all_begin_with_two_damage_and_cannot_power_down():
    """p. 23; p. 9: seven cards."""
    batch = races("factory_rejects", 8)
    assert (batch.games["damage"] == 2).all()
    assert (batch.games["held"] == 7).all()
    assert not batch.observations["choice_masks"][:, :, 1].any()


# -- Tricksy


def test_each_player_keeps_one_of_three_options():
    """p. 21: dealt three Option cards, select one. Asked in the order of the docks (p. 8)."""
    batch = races("tricksy", 4, games=1, decisions="all")
    game, asked, kept = batch.games[0], [], {}
    while game.ask_kind == KEEP_OPTION:
        seat, offered = int(game.ask_seat), names(game.ask_options)
        assert len(offered) == 3
        asked.append(seat)
        kept[seat] = offered[1]
        answer(batch, offered[1])
    assert asked == game.dock_order[:4].tolist()
    assert {r: names(game.options[r]) for r in range(4)} == {r: [o] for r, o in kept.items()}


def test_the_other_two_are_drawn_last():
    """p. 21: put them on the bottom of the Option deck."""
    batch = races("tricksy", 4, games=1, decisions="all")
    game, others = batch.games[0], set()
    while game.ask_kind == KEEP_OPTION:
        offered = names(game.ask_options)
        others |= {*offered[1:]}
        answer(batch, offered[0])
    draw = getattr(table.take_option_card, "py_func", table.take_option_card)
    drawn = [int(draw(game)) for _ in range(options.COUNT - 4)]
    assert set(drawn[-8:]) == others
    assert len(set(drawn)) == options.COUNT - 4
    assert int(draw(game)) == options.NONE


def test_unasked_everybody_has_one_too():
    """p. 21, with the default."""
    for game in races("tricksy", 4).games:
        assert [len(names(game.options[r])) for r in range(4)] == [1] * 4
        assert (game.options_left, game.options_under) == (options.COUNT - 12, 8)


# -- teams, the SuperBot, racers and blockers


@pytest.mark.parametrize(
    ("course", "teams"),
    [("tandem_carnage", [0, 0, 1, 1]), ("all_for_one_or_one_for_all", [0, 1, 0, 1]), ("toggle_boggle", [0, 1, 0, 1]),
     ("war_zone", [0, 1, 0, 1]), ("capture_the_flag", [0, 1, 0, 1])],
)  # fmt: skip
def test_teams(course, teams):
    """p. 29: teams of two; p. 30 to 32: two even teams."""
    assert (seated(races(course, 4), "team") == teams).all()


@pytest.mark.parametrize("players", [3, 5, 7])
def test_teams_are_even(players):
    """p. 29 to 32: players 4, 6 or 8."""
    with pytest.raises(RoboRallyError, match="expected"):
        races("war_zone", players)


def test_the_robot_of_dock_one_is_the_superbot():
    """p. 25."""
    batch = races("day_of_the_superbot", 8)
    first_dock = int(tables_of(batch.courses[0])[0].dock[0])
    assert batch.games["start"][np.arange(GAMES), batch.games["superbot"]].tolist() == [first_dock] * GAMES
    assert len(set(batch.games["superbot"].tolist())) > 1  # docks are drawn


def test_each_player_of_interference_has_a_racer_and_a_blocker():
    """p. 26: two robots, two distinct hands."""
    batch = races("interference", 2)
    assert batch.players == 4
    assert (seated(batch, "team") == [0, 0, 1, 1]).all()
    assert (seated(batch, "held") == 9).all()
    for game in batch.games:
        cards = [card for hand in game.hand for card in hand.tolist() if card]
        assert len(set(cards)) == len(cards) == 36


# -- program timers


@pytest.mark.parametrize("course", ["ball_lightning", "tight_collar"])
def test_the_timer_may_catch_everybody(course):
    """p. 24: players have thirty seconds, or a minute. The own unused cards fill in the registers."""
    batch = races(course, 4)
    programs = np.zeros((GAMES, 4, 5), np.int8)
    programs[:, :, 1], programs[:, :, 3] = 8, 2
    opened = np.full((GAMES, 4), 0b10101, np.uint8)
    batch.step(programs, open_registers=opened)
    submitted = batch.submitted_programs
    assert (submitted[:, :, 1] == 8).all()
    assert (submitted[:, :, 3] == 2).all()
    assert (np.diff(np.sort(submitted, axis=2), axis=2) > 0).all()  # five cards of nine
    assert len({tuple(program) for program in submitted.reshape(-1, 5)}) > GAMES  # at random


def test_elsewhere_the_timer_catches_one_player_at_most():
    """p. 4: it is turned when only one player remains; p. 26: who may still program both robots."""
    opened = np.zeros((1, 4), np.uint8)
    opened[0, 2:] = 1
    programs = np.tile(np.arange(5, dtype=np.int8), (1, 4, 1))
    with pytest.raises(ActionError):
        races("risky_exchange", 4, games=1, rules={"timer": True}).step(programs, open_registers=opened)
    two = races("interference", 2, games=1, rules={"timer": True})
    two.step(programs, open_registers=opened)
    opened[0, 1] = 1
    with pytest.raises(ActionError):
        two.step(programs, open_registers=opened)


# -- Capture the Flag


def homes_of(game) -> list[int]:
    """In whose back rows each robot stands: the number of the board."""
    yard = tables_of(load_course("capture_the_flag"))[0]["yard"]
    return [int(yard[cell]) for cell in game.cell[: game.players]]


def test_each_team_sets_up_in_the_back_rows_of_its_home_board():
    """p. 31: anywhere there, except in a pit. A coin says who chooses."""
    batch = races("capture_the_flag", 8, games=16)
    for game in batch.games:
        assert homes_of(game) == [int(game.home[r & 1]) for r in range(8)]
        assert sorted(game.home.tolist()) == [0, 1]
        assert len(set(game.cell.tolist())) == 8
        assert (game.archive == game.cell).all()
    assert len({tuple(game.home.tolist()) for game in batch.games}) == 2
    assert len({tuple(game.cell.tolist()) for game in batch.games}) == 16


@pytest.mark.parametrize("chosen", [0, 1])
def test_the_winner_of_the_coin_toss_chooses_its_board_and_sets_up_first(chosen):
    """p. 31: then the other team."""
    first_teams = set()
    for seed in range(8):
        batch = races("capture_the_flag", 4, games=1, decisions="all")
        batch.reset(seed)
        game = batch.games[0]
        captain = int(game.ask_seat)
        assert (game.ask_kind, int(game.ask_options)) == (HOME_BOARD, 0b11)
        answer(batch, chosen)
        first_teams.add(captain & 1)
        placed = []
        while game.step == SET_UP:
            seat, kinds = int(game.ask_seat), []
            while game.step == SET_UP and game.ask_seat == seat:
                kinds.append(int(game.ask_kind))
                answer(batch, int(game.ask_options).bit_length() - 1)
            placed.append(seat)
            assert kinds == [REENTRY_CELL, REENTRY_ROW, REBOOT_FACING]
        other = 1 - (captain & 1)
        assert placed == [captain, captain + 2, other, other + 2]
        assert int(game.home[captain & 1]) == chosen
        assert homes_of(game) == [int(game.home[r & 1]) for r in range(4)]
        assert (game.facing[:4] == 3).all()  # the last of the four was chosen
    assert first_teams == {0, 1}


def test_every_space_of_the_back_rows_is_offered():
    """p. 31: anywhere in the back six rows. The first robot finds all of them free."""
    batch = races("capture_the_flag", 4, games=1, decisions="all")
    yard = tables_of(batch.courses[0])[0]["yard"].reshape(-1, WIDTH)
    answer(batch, 1)
    game = batch.games[0]
    columns = [x for x in range(24) if int(game.ask_options) >> x & 1]
    assert columns == list(range(18, 24))
    answer(batch, 22)
    rows = [y for y in range(12) if int(game.ask_options) >> y & 1]
    assert rows == [y for y in range(12) if yard[y, 22] == 1]


# -- Frenetic Factory


def test_the_tables_of_turned_boards_are_those_of_the_turned_course():
    """p. 27: for every way in which the four boards can lie; flags stay, and what is known of distances."""
    batch = races("frenetic_factory", 8, games=1)
    course, tables = batch.courses[0], batch.maps.courses
    first, codes = int(tables[0].first_tables), tables[0].turn_code
    assert len(tables) == first + 4**4
    assert (codes[:4] > 0).all()
    assert not codes[4:].any()
    kept = ("distance_at", "to_go", "track", "next_place", "place_of", "unturned", "first_tables", "turn_code")
    for number in range(0, 4**4, 15):
        expected = tables_of(turned_by(course, tuple(codes[:5].tolist()), number))[0]
        for name in tables.dtype.names:
            wanted = tables[0][name] if name in kept else expected[name]
            assert np.array_equal(tables[first + number][name], wanted), (number, name)
