"""The board in a real browser: zoom, pan, pinch, only the board, following, marks, belts, finish, sound."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from roborally_env.watch import replay_page
from tests.browser import cell_size, open_page, overflow, resize, shows_first, until
from tests.watch.conftest import record_race


@pytest.fixture(scope="module")
def address(replay: Any, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The page of a race."""
    path = tmp_path_factory.mktemp("stage") / "race.html"
    path.write_text(replay_page(replay), encoding="utf-8")
    return path.as_uri()


@pytest.fixture
def opened(page: Any, address: str) -> Any:
    """The page, without movements of the camera."""
    page.emulate_media(reduced_motion="reduce")
    page.goto(f"{address}#m=60")
    page.wait_for_selector(".rr-stage")
    return page


def cell_under(page: Any, x: float, y: float) -> tuple[float, float]:
    """What lies at a place of the window, in cells of the board."""
    place = """([x, y]) => {
        const stage = document.querySelector('.rr-stage');
        const { left, top, width } = stage.getBoundingClientRect();
        const box = stage.viewBox.baseVal, scale = box.width / width;
        return [((x - left) * scale + box.x) / 100, ((y - top) * scale + box.y) / 100];
    }"""
    found = page.evaluate(place, [x, y])
    return found[0], found[1]


def sees_board(page: Any) -> bool:
    """Whether the box of the board is full of it, or the board is whole in it."""
    return bool(
        page.evaluate(
            """() => {
                const [board, box] = ['.rr-stage', '.rr-scroller']
                    .map(name => document.querySelector(name).getBoundingClientRect());
                const along = (from, to, low, high) => (from <= low + 1 && to >= high - 1)
                    || (from >= low - 1 && to <= high + 1);
                return along(board.left, board.right, box.left, box.right)
                    && along(board.top, board.bottom, box.top, box.bottom);
            }"""
        )
    )


def test_the_wheel_zooms_where_the_pointer_is_and_never_loses_the_board(opened: Any) -> None:
    box = opened.locator(".rr-scroller").bounding_box()
    x, y = box["x"] + 0.7 * box["width"], box["y"] + 0.3 * box["height"]
    usual, under = cell_size(opened), cell_under(opened, x, y)
    opened.evaluate("() => { window.wheels = 0; addEventListener('wheel', () => { wheels += 1; }); }")
    opened.mouse.move(x, y)
    opened.mouse.wheel(0, -400)
    opened.wait_for_function("was => document.querySelector('.rr-stage').clientWidth > was + 50", arg=box["width"])
    assert cell_under(opened, x, y) == pytest.approx(under, abs=0.05)
    for place in ((x, y), (box["x"] + 5, box["y"] + 5)):
        opened.mouse.move(*place)
        for turn in (-4000, 300, -3000, 9000, -200):
            before = opened.evaluate("wheels")
            opened.mouse.wheel(0, turn)
            until(opened, "before => wheels > before", arg=before)
            assert sees_board(opened)
            assert cell_size(opened) <= 191
    opened.keyboard.press("0")
    assert cell_size(opened) == pytest.approx(usual, abs=0.01)


def test_at_the_smallest_the_wheel_scrolls_the_page(opened: Any) -> None:
    resize(opened, 800, 700)
    box = opened.locator(".rr-scroller").bounding_box()
    opened.mouse.move(box["x"] + 100, box["y"] + 100)
    opened.mouse.wheel(0, 300)
    opened.wait_for_function("scrollY > 100")
    opened.mouse.wheel(0, -100)  # the page goes up before the board grows
    opened.wait_for_function("scrollY < 300")
    assert cell_size(opened) == pytest.approx(opened.evaluate("viewer.board.root.clientWidth / 14"), abs=0.1)


def test_keys_and_buttons_zoom_and_the_controls_stay(opened: Any) -> None:
    usual, controls = cell_size(opened), opened.locator("#do-play").bounding_box()
    opened.keyboard.press("+")
    opened.keyboard.press("+")
    assert cell_size(opened) == pytest.approx(usual * 1.69, rel=0.01)
    assert opened.locator("#do-play").bounding_box() == controls
    opened.keyboard.press("-")
    assert cell_size(opened) == pytest.approx(usual * 1.3, rel=0.01)
    opened.get_by_role("button", name="Reset the view").click()
    assert cell_size(opened) == pytest.approx(usual, abs=0.01)
    opened.get_by_role("button", name="Zoom in").click()
    assert cell_size(opened) > usual * 1.25
    assert overflow(opened) <= 0


def test_the_board_is_dragged_and_stays_until_the_next_register(opened: Any) -> None:
    for _ in range(4):
        opened.keyboard.press("+")
    box = opened.locator(".rr-scroller").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    under = cell_under(opened, x, y)
    opened.mouse.move(x, y)
    opened.mouse.down()
    opened.mouse.move(x + 90, y + 40, steps=4)
    opened.mouse.up()
    assert cell_under(opened, x + 90, y + 40) == pytest.approx(under, abs=0.05)
    scroll = "(({ scrollLeft, scrollTop }) => [scrollLeft, scrollTop])(document.querySelector('.rr-scroller'))"
    where = opened.evaluate(scroll)
    kinds = opened.evaluate("viewer.race.moments.map(moment => moment.kind)")
    begins = next(k for k in range(60, len(kinds)) if kinds[k] in ("register", "round"))
    for k in range(61, begins + 1):
        opened.evaluate("k => viewer.go(k)", k)
        assert opened.evaluate(scroll) == where
    turn = next(k for k in range(begins, len(kinds)) if kinds[k] == "card") + 1
    opened.evaluate("k => { viewer.go(k - 1); viewer.go(k); }", begins + 1)
    opened.evaluate("k => viewer.go(k)", turn)
    assert in_view(opened, opened.locator(".rr-bot.rr-turn"))


def in_view(page: Any, robot: Any) -> bool:
    """Whether a robot is seen whole in the box of the board."""
    at, box = robot.bounding_box(), page.locator(".rr-scroller").bounding_box()
    across = box["x"] - 1 <= at["x"] and at["x"] + at["width"] <= box["x"] + box["width"] + 1
    return bool(across and box["y"] - 1 <= at["y"] and at["y"] + at["height"] <= box["y"] + box["height"] + 1)


def test_arrow_keys_move_a_board_that_has_the_focus_and_nothing_else(opened: Any) -> None:
    assert opened.locator(".rr-scroller[tabindex]").count() == 0  # it is whole: no stop of the tab key
    for _ in range(4):
        opened.keyboard.press("+")
    opened.locator(".rr-scroller").focus()
    before = opened.evaluate("document.querySelector('.rr-scroller').scrollLeft")
    opened.keyboard.press("ArrowRight")
    assert opened.evaluate("document.querySelector('.rr-scroller').scrollLeft") == before + 60
    assert opened.input_value("#slider") == "60"


def test_two_fingers_zoom_what_is_between_them(browser: Any, address: str) -> None:
    errors: list[str] = []
    size = {"width": 375, "height": 812}
    page = open_page(browser, errors, viewport=size, has_touch=True, is_mobile=True, reduced_motion="reduce")
    page.goto(address)
    page.wait_for_selector(".rr-stage")
    usual = cell_size(page)
    box = page.locator(".rr-scroller").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    under = cell_under(page, x, y)
    touch = page.context.new_cdp_session(page)

    def fingers(kind: str, apart: float) -> None:
        points = [{"x": x - apart, "y": y, "id": 1}, {"x": x + apart, "y": y, "id": 2}] if kind != "touchEnd" else []
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    fingers("touchStart", 30)
    for apart in (40, 50, 60):
        fingers("touchMove", apart)
    fingers("touchEnd", 0)
    assert cell_size(page) == pytest.approx(2 * usual, rel=0.08)
    assert cell_under(page, x, y) == pytest.approx(under, abs=0.4)
    assert sees_board(page)
    assert page.evaluate("visualViewport.scale") == pytest.approx(1, abs=0.01)  # the page itself is not zoomed
    page.context.close()
    assert not errors


@pytest.mark.parametrize("size", [(1400, 900), (375, 812)])
def test_only_the_board_and_back(opened: Any, size: tuple[int, int]) -> None:
    width, height = size
    resize(opened, width, height)
    before = cell_size(opened)
    opened.keyboard.press("t")
    assert not opened.locator("#panels").is_visible()
    assert not opened.locator(".rr-top").is_visible()
    board, bar = opened.locator(".rr-scroller").bounding_box(), opened.locator(".rr-controls").bounding_box()
    assert (board["x"], board["y"], board["width"]) == (0, 0, width)
    assert board["height"] + bar["height"] == pytest.approx(height, abs=1)
    assert bar["height"] <= 50
    assert cell_size(opened) > before
    assert overflow(opened) <= 0
    opened.keyboard.press("Escape")
    assert opened.locator("#panels").is_visible()
    assert cell_size(opened) == pytest.approx(before, abs=0.01)
    opened.locator(".rr-lens-theatre").click()
    assert opened.locator(".rr-lens-theatre").get_attribute("aria-pressed") == "true"


def test_a_robot_is_followed(opened: Any) -> None:
    opened.locator("section.rr-robot").nth(2).locator(".rr-stats").click()
    assert opened.locator("section.rr-followed").get_attribute("data-robot") == "2"
    assert opened.locator(".rr-bot.rr-followed").get_attribute("data-robot") == "2"
    lines = opened.locator("#log details[open] li.rr-about")
    assert lines.count() > 3
    assert all(line.locator(".rr-dot", has_text="2").count() for line in lines.all())
    for _ in range(4):
        opened.keyboard.press("+")
    count = opened.evaluate("viewer.race.count")
    seen = 0
    for k in range(60, count, 5):
        opened.evaluate("k => viewer.go(k)", k)
        robot = opened.locator(".rr-bot.rr-followed")
        if robot.evaluate("robot => robot.style.visibility") == "visible":
            seen += 1
            assert in_view(opened, robot)
    assert seen > 10
    opened.keyboard.press("f")
    assert opened.locator(".rr-bot.rr-followed").get_attribute("data-robot") == "3"
    opened.keyboard.press("f")
    assert opened.locator(".rr-followed, .rr-about").count() == 0
    opened.keyboard.press("Shift+F")
    assert opened.locator(".rr-follow[aria-pressed=true]").count() == 1


def test_marks_above_the_slider_tell_what_happened(opened: Any) -> None:
    lost = """() => viewer.race.moments.flatMap((moment, i) =>
        Object.values(moment.robots ?? {}).some(robot => 'reboots' in robot) ? [i + 1] : [])"""
    wanted = opened.evaluate(lost)
    assert wanted
    opened.keyboard.press("Home")
    seen = []
    for _ in range(len(wanted) + 40):
        before = opened.input_value("#slider")
        opened.keyboard.press("e")
        if opened.input_value("#slider") == before:
            break
        seen.append(int(opened.input_value("#slider")))
    assert set(wanted) <= set(seen)
    mark = opened.locator(".rr-event.rr-lost").first
    mark.hover()
    tip = opened.locator(".rr-tip")
    shows_first(tip, "Round ")
    assert any(word in tip.inner_text() for word in ("reboots", "falls"))
    mark.click()
    assert int(opened.input_value("#slider")) in wanted
    opened.mouse.move(5, 500)
    assert tip.is_hidden()


def test_belts_run_when_they_carry_and_not_where_motion_is_unwanted(page: Any, address: str) -> None:
    running = "document.getAnimations().filter(each => each.animationName === 'rr-run').length"
    carried = f"""async () => {{
        const {{ race }} = viewer;
        viewer.go(race.moments.findIndex(moment => moment.kind === 'belt'));
        const before = {running}, done = viewer.stepOn(), during = {running};
        await done;
        return [before > 0, during > 0, {running} > 0];
    }}"""
    page.goto(address)
    page.wait_for_selector(".rr-stage")
    assert page.evaluate(carried) == [False, True, False]
    page.emulate_media(reduced_motion="reduce")
    assert page.evaluate(carried) == [False, False, False]


def test_belts_run_on_every_belt_in_its_direction(page: Any, address: str) -> None:
    page.goto(address)
    page.wait_for_selector(".rr-stage")
    belts = page.locator('.rr-static [data-kind="belt"]').count()
    ways = page.evaluate(
        "[...document.querySelectorAll('.rr-run')].map(path => path.getAttribute('d').split('M').length - 1)"
    )
    assert sum(ways) >= belts > 30
    assert all(
        float(apart) < 0
        for apart in page.evaluate(
            "[...document.querySelectorAll('.rr-run')].map(path => path.style.getPropertyValue('--apart'))"
        )
    )


def test_a_win_is_celebrated_once_and_calmly_where_that_is_wanted(page: Any, tmp_path: Path) -> None:
    path = tmp_path / "race.html"
    for seed in range(40):
        race = record_race("dizzy_highway", seed=seed, players=4, max_rounds=60)
        path.write_text(replay_page(race), encoding="utf-8")
        page.goto(path.as_uri())
        if page.evaluate("viewer.race.stateAt(viewer.race.count).winner !== null"):
            break
    else:
        raise AssertionError("nobody wins")
    seen = """async () => {
        viewer.go(viewer.race.count - 1);
        await viewer.stepOn();
        const papers = [...document.querySelectorAll('.rr-paper')];
        const isMoved = papers.every(paper => getComputedStyle(paper).transform !== 'none');
        return [papers.length > 20, isMoved, document.querySelectorAll('.rr-hop').length];
    }"""
    assert page.evaluate(seen) == [True, True, 1]
    assert page.locator(".rr-event.rr-win").count() == 1
    page.keyboard.press("ArrowLeft")
    assert page.locator(".rr-paper").count() == 0
    page.keyboard.press("End")
    assert page.locator(".rr-paper").count() == 0  # who jumps there is not delayed
    page.emulate_media(reduced_motion="reduce")
    assert page.evaluate(seen) == [False, True, 0]
    assert page.locator("#winner").is_visible()


COUNTED_TONES = """
window.tones = 0;
const { start } = AudioScheduledSourceNode.prototype;
AudioScheduledSourceNode.prototype.start = function (...when) { window.tones += 1; start.apply(this, when); };
"""


@pytest.mark.slow
def test_sound_is_off_until_it_is_wanted_and_remembered(page: Any, address: str) -> None:
    page.add_init_script(COUNTED_TONES)
    page.goto(address)
    page.wait_for_selector(".rr-stage")
    play = """async () => {
        viewer.setSpeed(8);
        viewer.go(0);
        for (let i = 0; i < 40; i += 1) await viewer.next();
        return window.tones;
    }"""
    assert page.evaluate(play) == 0
    page.keyboard.press("m")
    assert page.get_by_role("button", name="Sound off").count() == 1
    assert page.evaluate(play) > 8
    page.reload()
    page.wait_for_selector(".rr-stage")
    assert page.get_by_role("button", name="Sound off").count() == 1
    page.get_by_role("button", name="Sound off").click()
    assert page.evaluate(play) == 0


def test_robots_have_faces_of_their_own(opened: Any) -> None:
    from roborally_env.render.robots import robot_svg

    drawn = {robot_svg(number).split('<g class="rr-robot-label">')[0] for number in range(8)}
    assert len(drawn) == 8
    assert opened.locator(".rr-bot .rr-robot-body").count() == 4


def test_a_window_of_1024_pixels_covers_no_part_of_a_board(page: Any, address: str) -> None:
    resize(page, 1024, 768)
    page.goto(f"{address}#m=60")
    page.wait_for_selector(".rr-stage")
    box, tools = (page.locator(found).bounding_box() for found in (".rr-scroller", ".rr-lens-tools"))
    assert tools["y"] >= box["y"] + box["height"]


def test_a_printed_page_has_nothing_to_press_and_all_of_the_log(opened: Any) -> None:
    opened.emulate_media(media="print")
    buttons = opened.locator("button:visible").evaluate_all("found => found.map(one => one.className)")
    assert opened.locator("select:visible, input:visible").count() == 0
    assert not [each for each in buttons if each.startswith(("rr-tool", "rr-lens", "rr-more", "rr-event"))], buttons
    assert not opened.locator("#buttons, .rr-tools, .rr-lens-tools, .rr-slide").filter(visible=True).count()
    log, last = (opened.locator(found).last.bounding_box() for found in ("#log", "#log summary"))
    assert last["y"] + last["height"] <= log["y"] + log["height"] + 1
    assert overflow(opened) <= 0
    opened.emulate_media(media="screen")
    assert opened.locator("#buttons").is_visible()
