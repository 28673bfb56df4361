"""The event log on request: it changes nothing, and reports what happened in the step."""

import pytest

from roborally_env import BatchRace, RoboRallyError
from roborally_env.core import log, upgrades
from roborally_env.core.state import LOG_ROWS
from roborally_env.courses.tables import WIDTH
from tests.games import FULL, LIGHTER, both_games, deal_upgrades


def batch_of(num_games, rules, events=True, **options):
    """A batch with upgrades on the mats where the game has any."""
    options = {"course": "twister", "decisions": "all", "observation": "none", "seed": 2, "players": 6, **options}
    batch = BatchRace(num_games, rules=rules, events=events, **options)
    if batch.upgrades:
        deal_upgrades(batch, 1)
    return batch


@pytest.mark.parametrize("frames", [False, True])
@pytest.mark.parametrize(("rules", "steps"), [(LIGHTER, 12), (FULL, 60)], ids=["lighter", "upgrades"])
def test_a_log_changes_nothing(rules, steps, frames):
    """Not a byte of the records: no copy of one points at another's log."""
    options = {"players": 4, "decisions": "program"}
    plain = batch_of(3, rules, events=False, **options)
    logged = batch_of(3, rules, frames=frames, **options)
    for i in range(steps):
        for race in (plain, logged):
            race.sample(i)
            race.step_prepared()
        assert plain.games.tobytes() == logged.games.tobytes()
        assert any(logged.events_of(g) for g in range(3))


@both_games
@pytest.mark.parametrize("decisions", ["program", "all"])
def test_a_log_tells_where_everyone_went(rules, decisions):
    """And who has which upgrade."""
    batch = batch_of(6, rules, decisions=decisions, auto_reset=False, max_rounds=12)
    for i in range(200 if rules == FULL else 12):
        before = batch.games.copy()
        batch.sample(i)
        batch.step_prepared()
        for g, game in enumerate(batch.games):
            events = batch.events_of(g)
            if before["step"][g] == game.step and not events:
                continue
            assert follow(before["cell"][g], events) == game.cell.tolist()
            if rules == FULL:
                assert upgrades_after(before["owned"][g], events) == game.owned.tolist(), events


def follow(cells, events):
    """Where the robots are after the events, from what these say alone."""
    cells = cells.tolist()
    for event in events:
        if event["kind"] in ("move", "push", "belt", "panel", "teleport"):
            x, y = event["to"]
            cells[event["robot"]] = y * 32 + x
        elif event["kind"] == "placed":
            x, y = event["cell"]
            cells[event["robot"]] = y * 32 + x
    return cells


def upgrades_after(owned, events):
    """The upgrades on the mats after the events, as bits."""
    owned = owned.tolist()
    for event in events:
        if "upgrade" not in event or "robot" not in event:
            continue
        number, robot = upgrades.NUMBERS[event["upgrade"]], event["robot"]
        if event["kind"] == "buy" and not upgrades.upgrade(number).special:
            owned[robot] |= 1 << number
        elif event["kind"] == "gone" or (
            event["kind"] == "use" and upgrades.upgrade(number).type == upgrades.TEMPORARY
        ):
            owned[robot] &= ~(1 << number)
        elif event["kind"] == "handed":
            owned[robot] |= 1 << number
            owned[event["giver"]] &= ~(1 << number)
    return owned


NUMBERS = {row[0]: row[1] for row in log.TABLE if row[0] <= log.TOP}  # of edition 2016
OF_UPGRADES = {"shop", "gone", "buy", "use", "handed", "refreshed", "teleport", "top"}
MAY_STAY_OUT = {"gear", "idle"}  # gears are logged as turns; idle is who has nothing but Agains to draw


@both_games
def test_every_kind_of_event_comes_up_and_has_a_name(rules):
    courses = ["twister", "burnout", "gear_stripper", "chop_shop_challenge", "undertow"]
    batch = batch_of(30, rules, course=courses)
    batch.games["reached"] = [[len(batch.courses[k].checkpoints) - 1] for k in batch.games["course"]]  # somebody wins
    wanted = set(NUMBERS.values()) - MAY_STAY_OUT - (set() if rules == FULL else OF_UPGRADES)
    found = set()
    for i in range(2000 if rules == FULL else 300):
        batch.sample(i)
        batch.step_prepared()
        for g in range(30):
            rows = batch.event_rows(g)
            assert len(rows) < LOG_ROWS  # nothing was dropped
            found |= set(rows[:, 0].tolist())
        if i % 50 == 0:
            assert all(event["kind"] in NUMBERS.values() for g in range(30) for event in batch.events_of(g))
            if wanted <= {NUMBERS[number] for number in found}:
                break
    names = {NUMBERS[number] for number in found}
    assert names - MAY_STAY_OUT == wanted, (wanted - names, names - wanted)


# event -> the field that it changes, and the key of its new value
REPORTED = {
    "round": ("round_number", "round"),
    "checkpoint": ("reached", "number"),
    "token": ("damage", "damage"),
    "hurt": ("damage", "damage"),
    "repaired": ("damage", "damage"),
    "destroyed": ("lives", "lives"),
}


def shown(frame, event):
    """Pairs of a value in an event and the same value in its frame."""
    kind, r = event["kind"], event.get("robot")
    if kind in ("fall", "reboot", "lost", "destroyed", "sent_home"):
        yield frame["cell"][r] < 0, True
    if event.get("to") or kind in ("placed", "archive"):
        x, y = event["to"] if "to" in event else event["cell"]
        place = frame["archive" if kind == "archive" else "cell"]
        yield frame["checkpoint"][event["number"] - 1] if kind == "checkpoint_moved" else place[r], y * WIDTH + x
    if kind in ("turn", "gear", "belt", "placed"):
        yield frame["facing"][r], "NESW".index(event["facing"])
    if kind in REPORTED:
        field, key = REPORTED[kind]
        yield frame[field] if r is None else frame[field][r], event[key]
    if kind in ("program", "replaced") and "card" in event:
        yield bool(frame["registers"][r][event["register"] - 1]), True
    if "upgrade" in event and r is not None and kind in ("buy", "installed", "handed", "use", "gone"):
        row = upgrades.upgrade(upgrades.ALL_NAMES.index(event["upgrade"]))
        if kind != "use" or row.type == upgrades.TEMPORARY:
            yield bool(frame["owned"][r] >> row.number & 1), kind not in ("use", "gone") and not row.special


OF_EDITIONS = {
    "lighter": ("twister", {"rules": LIGHTER}),
    "complete": ("burnout", {"decisions": "all"}),
    "2023": ("twister", {"edition": "2023", "decisions": "all"}),
    "2005": ("tricksy", {"edition": "2005"}),
    "2005, every choice": ("risky_exchange", {"edition": "2005", "decisions": "all"}),
    "moving flags": ("moving_targets", {"edition": "2005", "players": 5}),
    "community": ("terraces", {"edition": "community"}),
    "community, every choice": ("summit_works", {"edition": "community", "decisions": "all"}),
}


@pytest.mark.parametrize("name", OF_EDITIONS)
def test_a_frame_shows_what_its_event_tells(name):
    """Whatever is logged is logged after it has happened, also in steps that were played again for an answer."""
    course, options = OF_EDITIONS[name]
    options = {"players": 4, "auto_reset": False, "max_rounds": 8, "observation": "none", **options}
    batch = BatchRace(6, course, frames=True, seed=3, **options)
    if name == "complete":
        deal_upgrades(batch, 1)
    kinds = set()
    for i in range(400):
        for g in range(6):
            events, frames = batch.events_of(g), batch.frames_of(g)
            assert len(events) == len(frames)
            for event, frame in zip(events, frames, strict=True):
                for found, wanted in shown(frame, event):
                    assert found == wanted, event
                    kinds.add(event["kind"])
        if batch.over.all():
            break
        batch.sample(i)
        batch.step_prepared()
    assert {"move", "turn", "belt", "fall", "placed", "round", "program"} <= kinds


def test_the_frames_of_a_step_lead_to_the_record_after_it():
    """Byte for byte, but for what the end of the last phase has changed after the last event."""
    batch = BatchRace(1, "twister", players=4, rules=LIGHTER, frames=True, observation="none", seed=1)
    for i in range(10):
        batch.sample(i)
        batch.step_prepared()
        last = batch.frames_of(0)[-1]
        changed = {name for name in batch.dtype.names if (last[name] != batch.games[0][name]).any()}
        assert changed <= {"log_at", "frames_at", "logged", "step", "ask_seat"}, changed


def test_a_batch_without_a_log_says_so():
    with pytest.raises(RoboRallyError, match="events=True"):
        BatchRace(1, players=4).events_of(0)
    with pytest.raises(RoboRallyError, match="frames=True"):
        BatchRace(1, players=4, events=True).frames_of(0)
