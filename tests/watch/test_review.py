"""The page of a race that was looked back on, in a real browser: curve, marks, decisions, ghosts, keys, looks."""

import json
import re
from dataclasses import replace

import pytest

from roborally_env.replay import play
from roborally_env.review import review
from roborally_env.review.ghosts import Ghosts
from roborally_env.review.pages import review_page
from roborally_env.watch import replay_page
from tests.browser import open_page, overflow, tab_stops
from tests.contrast import low_contrasts
from tests.sizes import each_once
from tests.watch.conftest import record_race

FEW = 1_000  # simulations


@pytest.fixture(scope="module")
def looked_back(replay):
    """The results of a review of the race."""
    return review(replay, simulations=FEW)


@pytest.fixture(scope="module")
def address(replay, looked_back, tmp_path_factory):
    """The page's address."""
    path = tmp_path_factory.mktemp("review") / "race.html"
    path.write_text(review_page(replay, looked_back), encoding="utf-8")
    return path.as_uri()


@pytest.fixture
def opened(page, address):
    """The page, at the start of the race."""
    page.goto(address)
    page.wait_for_selector(".rr-review")
    return page


def marked(found):
    return [each for each in found.decisions if each.mark]


def percent(chance):
    return f"{int(100 * round(chance, 4) + 0.5)}%"


# -- ghosts


@pytest.mark.parametrize(
    ("course", "edition", "options"),
    [
        ("dizzy_highway", "2016", {"decisions": "all"}),
        ("twister", "2016", {}),
        ("dizzy_highway", "2023", {}),
        ("risky_exchange", "2005", {"seed": 26, "decisions": "all"}),
        ("summit_works", "community", {}),
    ],
)
def test_the_ghost_of_what_was_laid_goes_where_the_robot_went(course, edition, options):
    race = record_race(course, edition=edition, **options)
    ghosts = Ghosts(race)
    ways = 0
    for decision in list(play(race))[1:]:
        for seat, robot in enumerate(decision.robots):
            found = ghosts.of(decision.number, seat, decision.programs[seat])
            at = () if robot["x"] is None else (robot["x"], robot["y"], "NESW".index(robot["facing"]))
            assert found.path[-1][1:] == at
            assert found.reached == robot["checkpoint"]
            assert found.won == (decision.winner == seat)
            assert found.path[0][0] == 0
            assert [place[0] for place in found.path] == sorted(place[0] for place in found.path)
            assert sum(len(place) == 1 for place in found.path) >= decision.rebooted[seat]
            ways += len(found.path)
    assert ways > 2 * len(race.rounds) * race.robots


def test_the_ghost_of_another_program_goes_another_way(replay, looked_back):
    """The same cards in another order: where they are all moves and turns, the ways differ."""
    ghosts = Ghosts(replay)
    better = [each for each in looked_back.decisions if each.kind == "program" and each.better]
    ways = [[ghosts.of(each.round, each.seat, cards).path for cards in (each.made, each.better)] for each in better]
    assert len(better) > 5
    assert all(made[0] == other[0] for made, other in ways)
    assert sum(made != other for made, other in ways) > 0.9 * len(ways)


# -- the page


def test_a_page_without_a_review_has_nothing_of_it(replay):
    assert "rr-review" not in replay_page(replay)


def test_the_curve_and_the_tables_tell_what_the_review_tells(opened, looked_back):
    lines = opened.locator(".rr-curve-box polyline.rr-line-of")
    points = [line.get_attribute("points").split() for line in lines.all()]
    for seat, drawn in enumerate(points):
        heights = [100 - float(point.split(",")[1]) for point in drawn]
        assert heights == pytest.approx([100 * row[seat] for row in looked_back.chances], abs=0.02)
    opened.click(".rr-chances summary")
    rows = opened.locator(".rr-chances tbody tr")
    assert rows.count() == len(looked_back.chances)
    assert rows.nth(1).locator("td").all_inner_texts() == [percent(chance) for chance in looked_back.chances[1]]
    summary = opened.locator(".rr-summary tbody tr")
    for robot, row in zip(looked_back.robots, summary.all(), strict=True):
        cells = row.locator("td").all_inner_texts()
        assert (cells[0], cells[4]) == (percent(robot.first), percent(robot.last))
        assert (int(cells[5]), int(cells[6])) == (robot.blunders, robot.brilliant)


def test_names_in_a_review_are_text_too(opened):
    assert opened.locator(".rr-review img").count() == 0
    assert "</script><b>random" in opened.inner_text(".rr-legend")


def test_marks_are_on_the_curve_and_in_the_list(opened, looked_back):
    wanted = [{"blunder": "??", "brilliant": "!!"}[each.mark] for each in marked(looked_back)]
    assert len(wanted) > 3
    assert opened.locator(".rr-curve-marks button").all_inner_texts() == wanted
    assert opened.locator(".rr-decision").count() == len(wanted)
    opened.click("[data-shows=all]")
    assert opened.locator(".rr-decision").count() == len(looked_back.decisions)


def test_a_mark_leads_to_its_program_and_its_ghost(opened, looked_back):
    blunder = next(each for each in marked(looked_back) if each.mark == "blunder")
    opened.locator(".rr-curve-marks button").nth(marked(looked_back).index(blunder)).click()
    assert opened.inner_text("#where") == f"Round {blunder.round}"
    chosen = opened.inner_text(".rr-chosen")
    assert "blunder" in chosen
    assert f"{100 * blunder.loss:.0f}% win probability lost" in chosen
    for cards, row in ((blunder.made, 0), (blunder.better, 1)):
        shown = opened.locator(".rr-choice").nth(row).locator(".rr-card")
        assert [card.get_attribute("data-card") for card in shown.all()] == list(cards)
    registers = opened.locator(f"#panels [data-robot='{blunder.seat}'] .rr-register .rr-card:not(.rr-small)")
    assert [card.get_attribute("data-card") for card in registers.all()] == list(blunder.made)
    assert opened.locator(".rr-ghosts .rr-way-better").count() >= 1
    # it stays while the round is played, and goes with the round
    opened.keyboard.press("Shift+ArrowRight")
    assert opened.locator(".rr-ghosts").count() == 1
    opened.keyboard.press("]")
    assert opened.locator(".rr-ghosts").count() == 0
    assert "a mark on the curve" in opened.inner_text(".rr-chosen")


def test_the_drawn_way_is_the_ghost_s(opened, replay, looked_back):
    """Lines go through the middles of the places, and the ghost stands at the end, facing as it would."""
    ghosts = Ghosts(replay)
    for each in [each for each in looked_back.decisions if each.better and each.kind == "program"][:6]:
        path = ghosts.of(each.round, each.seat, each.better).path
        opened.evaluate(
            """([round, seat]) => {
                const { review } = viewer;
                review.choose(review.data.decisions.find(
                    decision => decision.round === round && decision.seat === seat && decision.kind === "program"));
            }""",
            [each.round, each.seat],
        )
        lines = opened.locator(".rr-ghosts polyline.rr-way-better").all()
        drawn = " ".join(line.get_attribute("points") for line in lines).split()
        cells = {tuple(int(float(part) // 100) for part in point.split(",")) for point in drawn}
        assert cells == {place[1:3] for place in path if len(place) > 1}
        ghost = opened.locator(".rr-ghosts .rr-ghost")
        if len(path[-1]) == 1:
            assert ghost.count() == 0
            continue
        _, x, y, facing = path[-1]
        assert ghost.get_attribute("transform") == f"translate({100 * x + 50} {100 * y + 50})"
        assert ghost.locator(".rr-robot-body > g").first.get_attribute("transform") == f"rotate({90 * facing})"


def test_a_purchase_leads_to_the_moment_in_which_it_is_made(opened, looked_back):
    bought = [each for each in looked_back.decisions if each.kind == "buy_upgrade" and each.made != ("no",)]
    assert bought
    opened.click("[data-shows=all]")
    for each in bought[:5]:
        number = looked_back.decisions.index(each)
        opened.locator(".rr-decision button").nth(number).click()
        assert opened.inner_text("#where") == f"Round {each.round}"
        assert re.search(rf"Robot {each.seat} \(.*\) buys ", opened.inner_text("#what"))
        assert opened.locator(".rr-ghosts polyline").count() == 0


def test_the_keyboard_goes_from_mark_to_mark(opened, looked_back):
    decision = marked(looked_back)
    for each in decision[:3]:
        opened.keyboard.press("n")
        assert f"Round {each.round}" in opened.inner_text(".rr-chosen h3")
        assert opened.inner_text("#where") == f"Round {each.round}"
    opened.keyboard.press("Shift+N")
    assert opened.locator(".rr-decision button[aria-current]").get_attribute("aria-label").startswith(
        f"Round {decision[1].round}, "
    )  # fmt: skip
    stops = tab_stops(opened)
    assert len(stops) <= 40
    listed = opened.locator(".rr-decision button[tabindex='0']")
    assert listed.count() == 1
    listed.focus()
    opened.keyboard.press("ArrowDown")
    opened.keyboard.press("Enter")
    assert f"Round {decision[2].round}" in opened.inner_text(".rr-chosen h3")
    opened.keyboard.press("?")
    assert "next or previous blunder" in opened.inner_text("dialog")


def test_the_curve_is_in_step_with_the_race(opened, looked_back):
    box = opened.locator(".rr-curve-box > svg").bounding_box()
    rounds = len(looked_back.chances) - 1
    for number in (1, 3, rounds):
        opened.mouse.click(box["x"] + box["width"] * (number - 1) / rounds + 1, box["y"] + box["height"] - 2)
        assert opened.inner_text("#where") == f"Round {number}"
        shown = opened.locator(".rr-legend b").all_inner_texts()
        assert shown == [percent(chance) for chance in looked_back.chances[number - 1]]
        at = float(opened.get_attribute(".rr-cursor", "x1"))
        assert 100 * (number - 1) / rounds <= at < 100 * number / rounds
    opened.keyboard.press("End")
    assert float(opened.get_attribute(".rr-cursor", "x1")) == 100
    assert opened.locator(".rr-legend b").all_inner_texts() == [percent(chance) for chance in looked_back.chances[-1]]


def test_a_line_of_the_curve_stands_out_on_request(opened):
    opened.locator(".rr-legend button").nth(1).click()
    faint = opened.locator("polyline.rr-line-of.rr-faint")
    assert [line.get_attribute("data-robot") for line in faint.all()] == ["0", "2", "3"]
    opened.locator(".rr-legend button").nth(1).click()
    assert faint.count() == 0


@pytest.mark.parametrize(("size", "scheme"), each_once([(1400, 900), (375, 812), (800, 1000)], ["light", "dark"]))
def test_it_fits_every_screen_and_can_be_read(browser, address, size, scheme):
    errors = []
    page = open_page(browser, errors, viewport={"width": size[0], "height": size[1]}, color_scheme=scheme)
    page.goto(address)
    page.wait_for_selector(".rr-review")
    for key in ("n", "n", "End"):
        page.keyboard.press(key)
        assert overflow(page) <= 0
        assert low_contrasts(page) == []
    page.keyboard.press("Shift+N")
    to_board = page.locator(".rr-to-board")
    assert to_board.is_visible() == (size[0] < 1100)
    if size[0] < 1100:
        page.emulate_media(reduced_motion="reduce")
        to_board.click()
        board = page.locator(".rr-stage").bounding_box()
        assert board["y"] > -100
    curve = page.locator(".rr-curve-box").bounding_box()
    assert curve["width"] > 0.3 * min(size[0], 700)
    page.context.close()
    assert not errors


@pytest.mark.slow
def test_a_wide_course_with_many_robots_has_its_review_too(browser, tmp_path):
    race = record_race("island_king", edition="2005", players=8, max_rounds=2)
    path = tmp_path / "race.html"
    path.write_text(review_page(race, review(race, simulations=FEW)), encoding="utf-8")
    errors = []
    for width in (1400, 375):
        page = open_page(browser, errors, viewport={"width": width, "height": 900})
        page.goto(path.as_uri())
        page.wait_for_selector(".rr-review")
        page.keyboard.press("n")
        assert overflow(page) <= 0
        assert page.locator(".rr-legend button").count() == 8
        page.context.close()
    assert not errors


def test_the_page_needs_nothing_but_itself_and_says_the_same_each_time(replay, looked_back):
    page = review_page(replay, looked_back)
    assert page == review_page(replay, looked_back)
    assert not re.search(r"""(src|href)=["']|@import|url\(""", page)
    data = json.loads(re.search(r'id="race">(.*?)</script>', page, re.DOTALL)[1])
    assert len(data["review"]["decisions"]) == len(looked_back.decisions)
    assert len(page) < 700_000


def test_a_brilliant_program_is_shown_beside_the_obvious_one(page, replay, looked_back, tmp_path):
    decision = next(
        each for each in looked_back.decisions if each.kind == "program" and each.plain not in ((), each.made)
    )
    brilliant = replace(decision, better=(), chance=0.6, best=0.6, obvious=0.3, error=0.0, above_error=0.0)
    path = tmp_path / "race.html"
    path.write_text(review_page(replay, replace(looked_back, decisions=(brilliant,))), encoding="utf-8")
    page.goto(path.as_uri())
    page.keyboard.press("n")
    assert page.locator(".rr-choice-name").all_inner_texts() == ["Played", "Obvious"]
    drawn = page.locator(".rr-choice-cards").nth(1).locator(".rr-card")
    assert [card.get_attribute("data-card") for card in drawn.all()] == list(brilliant.plain)
    assert page.locator(".rr-way-obvious").count() > 0
    assert page.locator(".rr-way-better").count() == 0
    assert "the obvious path" in page.inner_text(".rr-ghosts-key")
