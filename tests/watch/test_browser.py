"""The replay page in a real browser: stepping, scrubbing, keys, links, looks."""

import json
import re

import pytest

from roborally_env.watch import race_page, replay_page
from tests.browser import cell_size, open_page, overflow, resize, tab_stops
from tests.contrast import low_contrasts
from tests.sizes import each_once
from tests.sizes import size as sized
from tests.watch.conftest import record_race
from tests.watch.test_timeline_community import moments_of, staged


@pytest.fixture(scope="module")
def race(replay, tmp_path_factory):
    """The page's address, and what it plays."""
    path = tmp_path_factory.mktemp("pages") / "race.html"
    path.write_text(replay_page(replay), encoding="utf-8")
    data = re.search(r'id="race">(.*?)</script>', path.read_text(encoding="utf-8"), re.DOTALL)[1]
    return path.as_uri(), [moment for chunk in json.loads(data)["rounds"] for moment in chunk["moments"]]


@pytest.fixture
def opened(page, race):
    """The page of the race, at its start."""
    page.goto(race[0])
    page.wait_for_selector(".rr-stage")
    return page


def at(page):
    """The moment that is shown."""
    return int(page.input_value("#slider"))


def first(moments, kind, start=0):
    """The number of the state after the first moment of a kind."""
    return next(i + 1 for i, moment in enumerate(moments) if i >= start and moment["kind"] == kind)


def test_the_page_has_all_its_parts(opened, race):
    assert opened.locator(".rr-bot").count() == 4
    assert opened.locator("section.rr-robot").count() == 4
    assert opened.locator("section.rr-robot .rr-register").count() == 20
    assert opened.locator("#log details").count() == 6
    assert opened.locator("#marks button").count() == 6
    assert int(opened.get_attribute("#slider", "max")) == len(race[1])
    assert "as recorded" in opened.inner_text("#checks")


def test_names_are_text_and_run_nothing(opened):
    names = opened.locator(".rr-who strong").all_inner_texts()
    assert names == ["planner", "greedy", "<img src=x onerror=alert(1)>", "</script><b>random"]
    assert opened.locator("section.rr-robot img").count() == 0


def test_stepping_shows_what_the_timeline_says(opened, race):
    """Robots stand where they should at every tenth moment, whichever way one comes there."""
    places = """() => [...document.querySelectorAll('.rr-bot')].map(bot => {
        const [x, y] = bot.getAttribute('transform').match(/-?[\\d.]+/g).map(Number);
        return bot.style.visibility === 'hidden' ? null : [x, y];
    })"""
    wanted = "k => viewer.race.stateAt(k).robots.map(({ at }) => at && [100 * at[0] + 50, 100 * at[1] + 50])"
    for number in range(0, len(race[1]), 10):
        opened.evaluate("k => viewer.go(k)", number)
        assert opened.evaluate(places) == opened.evaluate(wanted, number)
        assert at(opened) == number


def test_playing_leads_to_the_same_state_as_jumping(opened):
    played = opened.evaluate(
        """async () => {
            viewer.setSpeed(8);
            viewer.go(0);
            for (let i = 0; i < 60; i += 1) await viewer.next();
            return [JSON.stringify(viewer.board.state), JSON.stringify(viewer.race.stateAt(60))];
        }"""
    )
    assert played[0] == played[1]


def test_a_step_during_a_movement_leaves_nobody_on_its_way(opened):
    strays = opened.evaluate(
        """async () => {
            const strays = [];
            const soon = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
            for (let k = 0; k + 2 < viewer.race.count; k += 1) {
                const [from, to] = [viewer.race.stateAt(k), viewer.race.stateAt(k + 1)];
                const next = viewer.race.stateAt(k + 2);
                const moves = ({ at }, n) => at && to.robots[n].at && String(at) !== String(to.robots[n].at);
                const moved = from.robots.findIndex(moves);
                if (moved < 0 || JSON.stringify(to.robots[moved]) !== JSON.stringify(next.robots[moved])) continue;
                if (viewer.race.moment(k + 1).fx) continue;
                viewer.go(k);
                viewer.stepOn();
                await soon(40);
                viewer.stepOn();
                const transform = document.querySelector(`.rr-bot[data-robot="${moved}"]`).getAttribute('transform');
                const [x, y] = transform.match(/-?[\\d.]+/g).map(Number);
                const [cx, cy] = to.robots[moved].at;
                strays.push(Math.abs(x - 100 * cx - 50) + Math.abs(y - 100 * cy - 50));
                if (strays.length > 8) break;
            }
            return strays;
        }"""
    )
    assert strays
    assert max(strays) < 1


def test_a_lit_register_and_its_words(opened, race):
    number = first(race[1], "card", first(race[1], "register"))
    opened.evaluate("k => viewer.go(k)", number)
    assert opened.locator(".rr-register.rr-lit").count() == 4
    assert opened.locator(".rr-register.rr-lit[data-register='1']").count() == 4
    assert opened.locator("section.rr-robot.rr-turn").count() == 1
    assert opened.inner_text("#where") == "Round 1, register 1"
    assert "plays" in opened.inner_text("#what")
    assert opened.locator("#log .rr-now").count() == len(race[1][number - 1]["text"])


def test_keys_move_through_the_race(opened, race):
    moments = race[1]
    press = opened.keyboard.press
    press("ArrowRight")
    opened.wait_for_function("document.getElementById('slider').value === '1'")
    press("End")
    assert at(opened) == len(moments)
    press("ArrowLeft")
    assert at(opened) == len(moments) - 1
    press("Home")
    assert at(opened) == 0
    press("]")
    assert at(opened) == first(moments, "round")
    press("]")
    assert at(opened) == first(moments, "round", first(moments, "round"))
    press("Shift+ArrowRight")
    assert moments[at(opened) - 1]["kind"] == "register"
    press("[")
    assert moments[at(opened) - 1]["kind"] == "round"
    press("Home")
    assert opened.inner_text("#where") == "The start"


def test_letters_are_keys_with_capitals_too(opened):
    opened.keyboard.press("Shift+L")
    assert opened.inner_text("#theme") == "Dark"


def test_space_plays_and_pauses(opened):
    opened.select_option("select", "8")
    opened.locator("body").press("Space")
    opened.wait_for_function("Number(document.getElementById('slider').value) > 4")
    assert opened.get_attribute("#do-play", "aria-label") == "Pause"
    opened.keyboard.press("Space")
    stopped = at(opened)
    opened.wait_for_timeout(200)
    assert at(opened) == stopped
    assert opened.get_attribute("#do-play", "aria-label") == "Play"


def test_help_lists_the_keys(opened):
    opened.keyboard.press("?")
    assert opened.locator("dialog[open] tr").count() >= 8
    opened.keyboard.press("Escape")
    assert opened.locator("dialog[open]").count() == 0


def test_a_line_of_the_log_and_a_mark_go_there(opened, race):
    opened.keyboard.press("]")
    opened.locator("#log details[open] button").nth(3).click()
    assert race[1][at(opened) - 1]["text"]
    assert opened.locator("#log .rr-now").count() >= 1
    opened.locator("#marks button").nth(2).click()
    assert opened.inner_text("#where") == "Round 3"


def test_a_link_leads_to_its_moment(page, race):
    page.goto(f"{race[0]}#m=77")
    page.wait_for_selector(".rr-stage")
    assert at(page) == 77
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("location.hash") == "#m=76"
    page.evaluate("location.hash = '#m=12'")
    page.wait_for_function("document.getElementById('slider').value === '12'")
    for wrong in ("#m=999999", "#m=-3", "#m=x", "#else"):
        page.evaluate("hash => { location.hash = hash; }", wrong)
        page.wait_for_timeout(30)
        assert 0 <= at(page) <= len(race[1])


def test_the_link_is_copied(browser, race):
    errors = []
    page = open_page(browser, errors, permissions=["clipboard-read", "clipboard-write"])
    page.goto(f"{race[0]}#m=5")
    page.click("#copy")
    page.wait_for_function("document.getElementById('copy').textContent === 'Copied'")
    assert page.evaluate("navigator.clipboard.readText()").endswith("race.html#m=5")
    page.context.close()
    assert not errors


def test_a_jump_costs_little_more_than_a_step(opened):
    step, jump = opened.evaluate(
        """() => {
            const count = viewer.race.count;
            const median = (times) => times.sort((a, b) => a - b)[times.length >> 1];
            const timed = (moment) => {
                const started = performance.now();
                viewer.go(moment);
                return performance.now() - started;
            };
            const steps = [], jumps = [];
            for (let k = 1; k + 1 < count; k += 7) {
                jumps.push(timed(k));
                steps.push(timed(k + 1));
                jumps.push(timed((k + (count >> 1)) % count));
            }
            return [median(steps), median(jumps)];
        }"""
    )
    assert jump < 20 * step + 1  # milliseconds; a jump that played the race up to there would cost hundreds of steps


def test_the_end_shows_who_has_won(opened):
    opened.keyboard.press("End")
    assert re.search(r"wins in round|Nobody wins", opened.inner_text("#winner"))
    opened.keyboard.press("ArrowLeft")
    assert opened.locator("#winner").is_hidden()


@pytest.mark.parametrize(("width", "scheme"), each_once([375, 1400, 768], ["light", "dark"]))
def test_it_fits_every_screen(browser, race, width, scheme):
    errors = []
    page = open_page(browser, errors, viewport={"width": width, "height": 812}, color_scheme=scheme)
    page.goto(f"{race[0]}#m=40")
    page.wait_for_selector(".rr-stage")
    assert overflow(page) <= 0
    board, controls = page.locator(".rr-stage").bounding_box(), page.locator("#do-play").bounding_box()
    assert board["width"] > 0.4 * width
    assert controls["y"] + controls["height"] <= 812  # without scrolling
    assert controls["height"] >= 36
    back = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (int(re.search(r"\d+", back)[0]) > 128) == (scheme == "light")
    page.context.close()
    assert not errors


def test_all_robots_of_a_team_that_has_won_are_winners(page, tmp_path):
    race = record_race("toggle_boggle", edition="2005", max_rounds=2)
    path = tmp_path / "race.html"
    path.write_text(replay_page(race), encoding="utf-8")
    page.goto(path.as_uri())
    page.evaluate(
        """() => {
            viewer.panels.show({ ...viewer.race.stateAt(0), winner: 0 });
        }"""
    )
    teams = page.evaluate("viewer.header.robots.map(({ team }) => team)")
    badges = page.locator(".rr-badge").all_inner_texts()
    assert badges == ["winner" if team == teams[0] else "" for team in teams]
    assert badges.count("winner") == 2


BADGES = [
    ({"place": 2}, "2nd place", "It has reached the goal"),
    ({"lives": 0}, "out", "It has lost its last life"),
    ({"lives": 2, "destroyed": True}, "destroyed", "It is off the board until the end of the turn."),
    ({"destroyed": True}, "destroyed", "It is off the board until the end of the round"),
    ({"virtual": True}, "virtual", "It came back on another robot's space"),
    ({"stomped": True}, "stomped", "A stomper has hit it"),
    ({"rebooted": True}, "rebooted", "It fell or was hit by a Worm"),
    ({"lives": 2, "down": True}, "powered down", "It does nothing this turn"),
    ({"announced": True}, "will power down", "Next round it does nothing"),
    ({"controller": 3}, "controlled by 3", "Radio Control: this turn it plays the program of robot 3."),
    ({"superbot": True}, "SuperBot", "It is repaired each turn"),
    ({}, "", ""),
]


def test_every_badge_says_what_it_means(opened):
    show = """keys => {
        const state = viewer.race.stateAt(0);
        const robots = state.robots.map((robot) => ({ ...robot, archive: null, options: [], ...keys }));
        viewer.panels.show({ ...state, robots });
        const badge = document.querySelector(".rr-badge");
        return [badge.textContent, badge.title];
    }"""
    for keys, word, meant in BADGES:
        shown = opened.evaluate(show, keys)
        assert shown[0] == word
        assert shown[1].startswith(meant)
        assert bool(shown[1]) == bool(meant)


@pytest.mark.parametrize("width", sized([375, 1400], [375, 768, 1400]))
def test_a_tall_board_with_eight_robots_fits(browser, tmp_path_factory, width):
    path = tmp_path_factory.mktemp("tall") / "race.html"
    race = record_race("island_king", edition="2005", players=8, max_rounds=1)
    path.write_text(replay_page(race), encoding="utf-8")
    errors = []
    page = open_page(browser, errors, viewport={"width": width, "height": 900})
    page.goto(f"{path.as_uri()}#m=100")
    page.wait_for_selector(".rr-stage")
    assert overflow(page) == 0
    assert page.locator(".rr-stage").bounding_box()["width"] > 300
    buttons = "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.getElementById('buttons'))"
    assert page.evaluate(buttons) <= 0
    page.context.close()
    assert not errors


def test_the_theme_can_be_chosen(opened):
    colors = set()
    for _ in range(3):
        opened.click("#theme")
        colors.add(opened.evaluate("getComputedStyle(document.body).backgroundColor"))
    assert len(colors) == 2


def test_without_motion_steps_are_at_once(browser, race):
    frames = []
    for motion in ("reduce", "no-preference"):
        errors = []
        page = open_page(browser, errors, reduced_motion=motion)
        page.goto(race[0])
        frames.append(
            page.evaluate(
                """async () => {
                    let frames = 0;
                    const next = window.requestAnimationFrame;
                    window.requestAnimationFrame = (draw) => { frames += 1; return next(draw); };
                    for (let i = 0; i < 5; i += 1) await viewer.next();
                    return frames;
                }"""
            )
        )
        page.context.close()
        assert not errors
    assert frames[0] == 0 < frames[1]


def test_a_race_of_2005_shows_damage_lives_and_locks(page, tmp_path):
    path = tmp_path / "race.html"
    path.write_text(replay_page(record_race("risky_exchange", edition="2005", max_rounds=5, seed=3)), encoding="utf-8")
    page.goto(f"{path.as_uri()}#m=100000")
    page.wait_for_selector(".rr-stage")
    assert page.locator("section.rr-robot").count() == 4
    assert "damage" in page.inner_text("#panels")
    assert "lives" in page.inner_text("#panels")
    assert page.locator(".rr-places .rr-archive").count() == 4
    assert page.evaluate("viewer.race.rounds.length") == 6
    moment, locked = page.evaluate(
        """() => {
          const race = viewer.race, count = k => race.stateAt(k).robots.flatMap(r => r.locked).length;
          for (let k = race.count; k > 0; k--) if (count(k)) return [k, count(k)];
          return [0, 0];
        }"""
    )
    assert locked
    page.goto(f"{path.as_uri()}#m={moment}")
    page.wait_for_function("n => document.querySelectorAll('#panels .rr-locked').length === n", arg=locked)


def test_a_race_of_the_community_edition_switches_ramps_and_shows_who_is_virtual(page, tmp_path):
    """Each ramp is shown as it is now, forwards and back; a robot in virtual mode is small, beside the other."""
    timeline, moments = moments_of(staged())
    path = tmp_path / "race.html"
    path.write_text(race_page(timeline.header, timeline.chunks), encoding="utf-8")
    on = """() => [...document.querySelectorAll('.rr-static [data-kind="ramp"]')]
        .filter(ramp => ramp.querySelector('.rr-on').getAttribute('display') !== 'none')
        .map(ramp => [Number(ramp.dataset.x), Number(ramp.dataset.y)])"""
    pressed = first(moments, "button")
    page.goto(f"{path.as_uri()}#m={pressed - 1}")
    page.wait_for_selector(".rr-stage")
    before = page.evaluate(on)
    assert [8, 2] in before
    assert page.locator(".rr-bot.rr-virtual").get_attribute("data-robot") == "2"
    assert "scale(0.420)" in page.locator(".rr-bot.rr-virtual").get_attribute("transform")
    page.keyboard.press("ArrowRight")
    page.wait_for_function(f"() => !JSON.stringify(({on})()).includes('[8,2]')")
    assert [9, 9] in page.evaluate(on)
    page.keyboard.press("ArrowLeft")
    page.wait_for_function(f"() => JSON.stringify(({on})()) === '{json.dumps(before, separators=(',', ':'))}'")
    assert "damage" in page.inner_text("#panels")
    assert page.locator("#panels .rr-locked").count() == 2
    page.goto(f"{path.as_uri()}#m=100000")
    page.wait_for_function("document.querySelectorAll('.rr-bot.rr-virtual').length === 0")


def log_place(page):
    """Of the log: the lit lines' text, whether they are all seen in its box, whether its box is seen, its scroll."""
    return page.evaluate(
        """() => {
            const box = document.getElementById('log').getBoundingClientRect();
            const lit = [...document.querySelectorAll('#log .rr-now')];
            const seen = lit.every(line => {
                const { top, bottom } = line.getBoundingClientRect();
                return top >= box.top - 1 && bottom <= box.bottom + 1;
            });
            return [lit.map(line => line.innerText).join(' '), seen, box.top < innerHeight - 60,
                document.getElementById('log').scrollTop];
        }"""
    )


def test_the_log_stands_where_the_race_is(opened, race):
    """The start and the begin of each round are lit and the rest is not run ahead to; at the end the winner is seen."""
    lit, seen, on_screen, scrolled = log_place(opened)
    assert (lit, seen, on_screen, scrolled) == ("Round 1", True, True, 0)
    for number in range(1, 5):
        opened.keyboard.press("]")
        lit, seen, *_ = log_place(opened)
        assert (lit, seen) == (f"Round {number}", True)
        line = opened.locator("#log .rr-now").bounding_box()
        assert line["y"] <= opened.locator("#log").bounding_box()["y"] + 40 * (number + 1)  # below closed rounds
    for k in range(1, len(race[1]), 17):
        opened.evaluate("k => viewer.go(k)", k)
        assert log_place(opened)[0]
        assert log_place(opened)[1]
    opened.keyboard.press("End")
    lit, seen, on_screen, _ = log_place(opened)
    assert seen
    assert on_screen
    assert re.search(r"wins in round|Nobody wins", lit)


@pytest.mark.parametrize("size", sized([(375, 812)], [(1400, 900), (800, 1000), (375, 812)]))
def test_the_controls_stay_where_they_are(browser, race, size):
    errors = []
    page = open_page(browser, errors, viewport={"width": size[0], "height": size[1]})
    page.goto(race[0])
    page.wait_for_selector(".rr-stage")
    places = set()
    for k in (*range(0, len(race[1]), 9), len(race[1])):
        page.evaluate("k => viewer.go(k)", k)
        places.add(tuple(round(page.locator("#do-play").bounding_box()[key]) for key in ("x", "y")))
    assert page.locator("#winner").is_visible()
    page.context.close()
    assert len(places) == 1
    assert not errors


@pytest.mark.parametrize(
    ("course", "edition", "players"),
    sized(
        [("dizzy_highway", "2016", 6), ("summit_works", "community", 4), ("frenetic_factory", "2005", 8)],
        [
            ("dizzy_highway", "2016", 6),
            ("undertow", "2016", 4),
            ("passing_lane", "2016", 6),
            ("gear_stripper", "2016", 4),
            ("summit_works", "community", 4),
            ("risky_exchange", "2005", 4),
            ("island_king", "2005", 8),
            ("against_the_grain", "2005", 4),
            ("capture_the_flag", "2005", 8),
            ("frenetic_factory", "2005", 8),
        ],
    ),
)
def test_cells_are_large_enough_to_be_seen(browser, tmp_path, course, edition, players):
    path = tmp_path / "race.html"
    path.write_text(replay_page(record_race(course, edition=edition, players=players, max_rounds=1)), encoding="utf-8")
    errors = []
    page = open_page(browser, errors, reduced_motion="reduce")
    page.goto(path.as_uri())
    page.wait_for_selector(".rr-stage")
    assert cell_size(page) >= 40
    assert overflow(page) <= 0
    kinds = page.evaluate("viewer.race.moments.map(moment => moment.kind)")
    turns = [k for k, kind in enumerate(kinds, 1) if kind in ("card", "play")]
    for k in turns[:8]:  # whose turn it is stays in view
        page.evaluate("k => viewer.go(k)", k)
        robot, box = page.locator(".rr-bot.rr-turn").bounding_box(), page.locator("#board").bounding_box()
        assert box["x"] <= robot["x"] + 1
        assert robot["x"] + robot["width"] <= box["x"] + box["width"] + 1
        assert box["y"] <= robot["y"] + 1
        assert robot["y"] + robot["height"] <= box["y"] + box["height"] + 1
    resize(page, 375, 812)
    assert cell_size(page) >= 25
    assert overflow(page) <= 0
    page.context.close()
    assert not errors


def test_the_log_is_one_stop_of_the_tab_key(opened, race):
    opened.evaluate("k => viewer.go(k)", len(race[1]) // 2)
    stops = tab_stops(opened)
    assert len(stops) <= 25
    assert sum("log" in stop for stop in stops) == 1
    opened.locator("#log .rr-now button").first.focus()
    before = opened.evaluate("document.activeElement.innerText")
    opened.keyboard.press("ArrowDown")
    assert opened.evaluate("document.activeElement.innerText") != before
    opened.keyboard.press("ArrowUp")
    assert opened.evaluate("document.activeElement.innerText") == before
    opened.keyboard.press("ArrowDown")
    opened.keyboard.press("Enter")
    assert at(opened) >= len(race[1]) // 2


@pytest.mark.parametrize(("edition", "scheme"), each_once(["2016", "2005"], ["light", "dark"]))
def test_all_text_has_enough_contrast(browser, tmp_path, edition, scheme):
    course, players = ("burnout", 6) if edition == "2016" else ("risky_exchange", 8)
    path = tmp_path / "race.html"
    race = record_race(course, edition=edition, players=players, max_rounds=4)
    path.write_text(replay_page(race), encoding="utf-8")
    errors = []
    page = open_page(browser, errors, color_scheme=scheme)
    page.goto(path.as_uri())
    page.wait_for_selector(".rr-stage")
    count = page.evaluate("viewer.race.count")
    for k in (0, count // 4, count // 2, 3 * count // 4, count):
        page.evaluate("k => viewer.go(k)", k)
        assert low_contrasts(page) == []
    page.context.close()
    assert not errors
