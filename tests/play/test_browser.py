"""Races in a real browser: by clicks, by keys, by dragging, with lost connections, two windows, a small screen."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

import pytest

from roborally_env.core import upgrades
from roborally_env.play.messages import Choice
from roborally_env.replay import load, play
from tests.browser import cell_size, open_page, overflow, resize, shows, shows_first, tab_stops, until
from tests.contrast import low_contrasts
from tests.games import put_on_mat
from tests.play.desk import (
    PATIENCE,
    SHORT,
    answer,
    asked,
    confirm,
    decide_until,
    open_question,
    place_cards,
    play_to_the_end,
    race,
    served_to,
)
from tests.play.helpers import (
    COMPLETE,
    LIGHTER,
    RACE_2005,
    RACE_COMMUNITY,
    Served,
    new_race,
    program_of,
    served,
    wait_for,
)
from tests.sizes import each_once, size, some


@pytest.mark.parametrize("given", [SHORT, {**COMPLETE, "seed": 5}], ids=["lighter", "complete"])
def test_a_whole_race_is_played_by_clicks(page: Any, tmp_path: Path, given: dict[str, Any]) -> None:
    with race(page, tmp_path / "race.json", **given) as table:
        done = play_to_the_end(page)
        assert "program" in done
        assert table.table.race is not None
        if "rules" not in given:
            assert "choice" in done
            assert int(table.table.race.batch.games[0]["bought"][0])  # the last card of the shop, each time
        assert page.locator("#panels .rr-registers:visible").count() == 4  # one's own program, too
        places = page.locator(".places li").all_inner_texts()
        assert len(places) == 4
        assert sum("(player 1)" in place for place in places) == 1
        with page.expect_download() as download:
            page.get_by_role("link", name="Download the replay").click()
        download.value.save_as(tmp_path / "downloaded.json")
        *_, end = play(load(tmp_path / "downloaded.json"))
        assert end.over
        assert end.number == table.table.race.result()["rounds"]


def test_turns_of_2005_are_played_by_clicks(page: Any, tmp_path: Path) -> None:
    with race(page, tmp_path / "race.json", **RACE_2005) as table:
        while table.table.race is None or table.table.race.round < 4:
            assert answer(page) != "over"
        assert "flag" in page.locator("#panels").inner_html().lower()


def test_a_program_is_laid_by_keys(page: Any, tmp_path: Path) -> None:
    with race(page, tmp_path / "race.json", **SHORT) as table:
        race_ = table.table.race
        assert race_ is not None
        hand = race_.open[0].hand
        slots = [i for i, card in enumerate(hand) if card != "again"][:6]
        filled = page.locator(".registers .slot.is-full")
        for slot in slots[:5]:
            page.keyboard.press(str(slot + 1))
        assert filled.count() == 5
        page.keyboard.press("Backspace")
        assert filled.count() == 4
        page.keyboard.press(str(slots[5] + 1))
        number = race_.number
        page.keyboard.press("Enter")
        wait_for(lambda: race_.number > number, "the round")
        program = tuple(race_.recorder.batch.submitted_programs[0, 0].tolist())
        assert program == (*slots[:4], slots[5])


def test_a_question_is_answered_by_keys(page: Any, tmp_path: Path) -> None:
    with race(page, tmp_path / "race.json", **COMPLETE) as table:
        shows_first(page.locator(".asked"), "Upgrade phase: buy one of these?")
        assert page.evaluate("document.activeElement === document.body")  # Enter alone answers nothing
        page.keyboard.press("Enter")
        page.keyboard.press("2")
        title = page.evaluate("document.activeElement.querySelector('.answer-title span').textContent")
        page.keyboard.press("Enter")
        until(page, "title => document.getElementById('panels').innerText.includes(title)", arg=title)
        assert table.table.race is not None
        assert int(table.table.race.batch.games[0]["bought"][0]).bit_count() == 1


def test_a_confirmed_program_is_shown_while_others_are_waited_for(page: Any, tmp_path: Path) -> None:
    with race(page, tmp_path / "race.json", **{**SHORT, "opponents": ["random"] * 2}, humans=2, names=["Ann", "Bob"]):
        place_cards(page)
        cards = page.locator(".registers .rr-title").all_inner_texts()
        page.locator(".confirm").click()
        page.wait_for_selector(".desk.is-idle")
        for _ in range(2):  # the second time after the page was loaded again
            page.get_by_text("Waiting for robot 1 (Bob) …").wait_for()
            assert page.locator(".registers .rr-title").all_inner_texts() == cards
            page.reload()


def test_of_two_robots_it_is_said_whose_registers_lie_there(page: Any, tmp_path: Path) -> None:
    given = {
        "course": "2005/interference",
        "opponents": ["random"] * 2,
        "humans": 2,
        "names": ["Ann", "Bob"],
        "seed": 1,
    }
    with race(page, tmp_path / "race.json", **given) as table:
        page.goto(table.server.watch_link)
        page.get_by_text("Waiting for robot 0 (Ann), robot 1 (Ann), robot 2 (Bob) and robot 3 (Bob) …").wait_for()
        page.goto(table.link())
        asked(page)
        own = page.locator("#panels .is-own .rr-who > span")
        assert own.all_inner_texts() == ["robot 0 · blue · racer", "robot 1 · orange · blocker"]
        assert own.evaluate_all("spans => spans.every((span) => span.scrollWidth <= span.clientWidth)")  # "your robot"
        for _ in range(2):
            place_cards(page)
            confirm(page)
        page.locator(".desk.is-idle").get_by_text("Waiting for robot 2 (Bob) and robot 3 (Bob) …").wait_for()
        assert page.locator(".registers-of").all_inner_texts() == ["Robot 0, your racer", "Robot 1, your blocker"]


def test_keys_and_their_meanings_lie_side_by_side(page: Any, tmp_path: Path) -> None:
    with race(page, tmp_path / "race.json", **SHORT):
        page.keyboard.press("?")
        resize(page, 390, 844)
        is_cut = "keys => keys.filter((key) => key.scrollWidth > key.clientWidth).length"
        assert page.locator("#help-box dt").evaluate_all(is_cut) == 0


def test_the_race_is_shown_moment_by_moment_and_can_be_skipped(page: Any, tmp_path: Path) -> None:
    with race(page, tmp_path / "race.json", **SHORT):
        page.select_option("#speed", "0.5")
        place_cards(page)
        page.locator(".confirm").click()
        page.wait_for_selector(".skip")
        page.wait_for_selector(".desk .slot.is-lit")
        shows_first(page.locator("#clock"), "Round 1 · register ")
        page.wait_for_selector(".rr-robot:not(.is-own) .rr-register.rr-lit .rr-card[data-card]")
        page.locator(".skip").click()
        page.wait_for_selector(".desk:not(:has(.skip))")
        until(page, "document.querySelectorAll('#log li').length > 8")


SKIP_AFTER_EACH_MESSAGE = """
const Plain = WebSocket;
window.WebSocket = class extends Plain {
  set onmessage(take) {
    const skip = () => document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "s", bubbles: true }));
    super.onmessage = (event) => { take(event); skip(); };
  }
};
"""


def test_what_is_not_there_yet_can_be_skipped_to_as_well(page: Any, tmp_path: Path) -> None:
    """Between the header and the first state there is nothing to be shown."""
    page.add_init_script(SKIP_AFTER_EACH_MESSAGE)
    with race(page, tmp_path / "race.json", **SHORT):
        assert page.locator("#panels [data-robot]").count() == 4


def test_again_is_not_to_be_laid_first(page: Any, tmp_path: Path) -> None:
    with race(page, tmp_path / "race.json", **{**LIGHTER, "seed": seed_with_again()}) as table:
        assert table.table.race is not None
        slot = table.table.race.open[0].hand.index("again")
        card = page.locator(".hand-card").nth(slot)
        assert "is-off" in (card.get_attribute("class") or "")
        page.keyboard.press(str((slot + 1) % 10))
        assert page.locator(".registers .is-full").count() == 0
        shows(page.locator(".toast"), "Again cannot go in register 1.")
        page.keyboard.press("ArrowRight")
        page.keyboard.press(str((slot + 1) % 10))
        assert page.locator(".registers .slot").nth(1).get_attribute("class") == "slot is-full"


def seed_with_again() -> int:
    """A seed with which the first hand has an Again."""
    from tests.play.helpers import new_race

    return next(seed for seed in range(50) if "again" in new_race(**{**LIGHTER, "seed": seed}).open[0].hand)


def test_cards_are_dragged_into_registers_and_from_one_to_another(page: Any, tmp_path: Path) -> None:
    with race(page, tmp_path / "race.json", **SHORT):
        free = page.locator(".hand-card:not(.is-off)").first
        drag(page, free, page.locator(".registers .slot").nth(3))
        assert filled(page) == [3]
        drag(page, page.locator(".registers .slot").nth(3), page.locator(".registers .slot").nth(1))
        assert filled(page) == [1]
        drag(page, page.locator(".registers .slot").nth(1), page.locator("#title"))
        assert filled(page) == [1]
        assert page.locator(".ghost, .may-drop").count() == 0
        page.locator(".registers .slot button").nth(1).click()
        assert filled(page) == []


def filled(page: Any) -> list[int]:
    """The registers with a card, from 0."""
    classes = [slot.get_attribute("class") or "" for slot in page.locator(".registers .slot").all()]
    return [k for k, each in enumerate(classes) if "is-full" in each]


def drag(page: Any, source: Any, target: Any) -> None:
    """By the mouse, in steps as a hand makes them."""
    source.hover()
    page.mouse.down()
    box = target.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=5)
    page.mouse.up()


def drop_connection(table: Served) -> None:
    """The socket of the first seat breaks."""
    server = table.server
    closing = server.pages[0].socket.close(1011)
    asyncio.run_coroutine_threadsafe(closing, server._loop).result(10)


def test_a_lost_connection_comes_back_and_the_program_still_lies_there(page: Any, tmp_path: Path) -> None:
    with race(page, tmp_path / "race.json", **SHORT) as table:
        place_cards(page)
        drop_connection(table)
        page.wait_for_selector("#banner:not([hidden])")
        page.wait_for_selector("#banner", state="hidden", timeout=PATIENCE)
        assert page.locator(".registers .is-full").count() == 5
        confirm(page)


def test_a_page_that_is_loaded_again_goes_on_where_it_was(page: Any, tmp_path: Path) -> None:
    with race(page, tmp_path / "race.json", **SHORT) as table:
        while table.table.race is None or table.table.race.round < 2 or not table.table.race.programming:
            answer(page)
        page.keyboard.press("s")
        asked(page)
        place_cards(page)
        cards = page.locator(".registers").inner_text()
        lines = page.locator("#log li").count()
        page.reload()
        asked(page)
        assert page.locator(".registers").inner_text() == cards
        shows_first(page.locator("#clock"), "Round 2")
        assert page.locator("#log li").count() >= lines - 1
        confirm(page)


def test_the_newer_of_two_windows_plays_and_the_older_says_so(page: Any, tmp_path: Path) -> None:
    with race(page, tmp_path / "race.json", **SHORT) as table:
        newer = page.context.new_page()
        newer.goto(table.link())
        asked(newer)
        page.wait_for_selector("#banner:not([hidden])")
        shows(page.locator("#banner"), "in another window")
        place_cards(newer)
        confirm(newer)
        page.get_by_role("button", name="Play here").click()
        page.wait_for_selector("#banner", state="hidden")
        newer.wait_for_selector("#banner:not([hidden])")
        newer.close()


def test_a_message_that_is_refused_is_shown_and_can_be_sent_anew(page: Any, tmp_path: Path) -> None:
    page.add_init_script(
        "const send = WebSocket.prototype.send; let first = true;"
        "WebSocket.prototype.send = function (text) {"
        "  const wrong = first && text.includes('program');"
        "  if (wrong) first = false;"
        "  send.call(this, wrong ? text.replace(/.number.:\\d+/, '\"number\":999') : text); };"
    )
    with race(page, tmp_path / "race.json", **SHORT):
        place_cards(page)
        page.locator(".confirm").click()
        page.wait_for_selector(".toast")
        assert page.locator(".toast").inner_text() == "question 999 is unknown: question 1 is open"
        confirm(page)


def test_names_are_text_and_nothing_else(page: Any, tmp_path: Path) -> None:
    with race(page, tmp_path / "race.json", **SHORT, names=["<img src=x><b>Ann</b>"]):
        assert page.locator("#panels b:text('Ann')").count() == 0
        shows(page.locator("#panels"), "<img src=x><b>Ann</b>")


@pytest.mark.parametrize(
    ("screen", "shown"),
    each_once([(375, 667), (1400, 900), (768, 1024)], [(SHORT, "light"), (RACE_2005, "dark")]),
    ids=lambda value: str(value[0] if isinstance(value[0], int) else value[1]),
)
def test_board_and_hand_are_seen_together_on_every_screen(
    page: Any, tmp_path: Path, screen: tuple[int, int], shown: tuple[dict[str, Any], str]
) -> None:
    (width, height), (given, scheme) = screen, shown
    resize(page, width, height)
    page.emulate_media(color_scheme=scheme)
    with race(page, tmp_path / "race.json", **given):
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate("document.documentElement.dataset.theme") == scheme
        board = page.locator("#board").bounding_box()
        confirm = page.locator(".confirm").bounding_box()
        hand = page.locator(".hand").bounding_box()
        assert board["width"] >= 0.5 * min(width, 700)
        assert board["y"] >= 0
        assert hand["y"] + hand["height"] <= height + 1
        assert 0 <= confirm["y"] <= height - 40
        is_beside = board["x"] + board["width"] <= hand["x"]
        assert is_beside or board["y"] + board["height"] <= hand["y"]
        for card in page.locator(".hand-card button").all():
            assert card.bounding_box()["height"] >= 44  # a finger's width


def seed_with_a_fall() -> int:
    """A seed with which `decide_until` leads to a fall in the first round."""
    for seed in range(50):
        race_ = new_race(**FALLING, seed=seed)
        dice = random.Random(1)
        while race_.round == 1:
            race_.think()
            for robot in race_.waiting:
                question = race_.open[robot]
                if question.kind == "reboot_facing":
                    return seed
                race_.answer(0, race_.number, robot, program_of(question, dice))
            race_.step()
    raise AssertionError("nobody falls")


FALLING = {"course": "dizzy_highway", "opponents": ["random"] * 3, "rules": {"upgrades": False}}


@pytest.mark.slow
def test_what_led_to_a_question_is_shown_before_it(page: Any, tmp_path: Path) -> None:
    """The robot is seen to fall, the log says so, and the space on which it is put is marked."""
    with race(page, tmp_path / "race.json", **FALLING, seed=seed_with_a_fall()) as table:
        page.select_option("#speed", "8")
        question = decide_until(table, "reboot_facing")
        page.wait_for_selector(".asked-cell", timeout=PATIENCE)
        shows(page.locator(".asked"), "Which way should it face?")
        log = page.locator("#log").inner_text()
        assert log.rstrip().splitlines()[-1].endswith("takes 2 SPAM.")
        assert page.locator(".rr-bot[data-robot='0']").evaluate("robot => robot.style.visibility") == "hidden"
        assert page.locator(".led").inner_text().endswith("takes 2 SPAM.")  # beside the question too
        page.locator(".is-own .rr-badge").hover()
        page.get_by_text("lost the rest of its program").wait_for()
        answers, registers = (page.locator(found).bounding_box() for found in (".answers", ".desk .registers"))
        assert registers["y"] - answers["y"] - answers["height"] >= 10  # their numbers stand out above them
        x, y = question.cell
        assert page.locator(".asked-cell").get_attribute("transform") == f"translate({100 * x + 50} {100 * y + 50})"
        page.locator(".answer").first.hover()
        assert page.locator(".pointed-cell path").count() == 1
        page.locator(".answer").first.click()
        until(page, "document.querySelector('.asked-cell') === null")
        assert page.locator(".pointed-cell").count() == 0  # though the pointer is where the answer was


def test_enter_takes_no_card_back(page: Any, tmp_path: Path) -> None:
    with race(page, tmp_path / "race.json", **SHORT) as table:
        assert table.table.race is not None
        for count in range(1, 5):
            page.locator(".hand-card:not(.is-off) button").first.click()
            assert page.evaluate("document.activeElement === document.body")  # no card keeps the focus
            page.keyboard.press("Enter")
            assert len(filled(page)) == count
        assert page.locator(".toast").inner_text() == "Place 1 more card before you confirm."
        page.locator(".registers .slot button").nth(1).focus()
        page.keyboard.press("Enter")
        assert filled(page) == [0, 1, 2, 3]
        page.keyboard.press("Space")  # which does press the button
        assert filled(page) == [0, 2, 3]
        assert table.table.race.waiting == [0]


def test_a_drag_ends_where_it_is_released(page: Any, tmp_path: Path) -> None:
    """Also with one movement, at a register's edge, and back over others; beside all of them nothing is placed."""
    with race(page, tmp_path / "race.json", **SHORT):
        slots = page.locator(".registers .slot")
        boxes = [slots.nth(k).bounding_box() for k in range(5)]
        middle = boxes[0]["y"] + boxes[0]["height"] / 2
        for steps, x, y, wanted in (
            (1, boxes[3]["x"] + 5, middle, [3]),
            (9, boxes[4]["x"] + boxes[4]["width"] + 4, middle, [3, 4]),
            (2, boxes[0]["x"] - 3, boxes[0]["y"] - 5, [0, 3, 4]),
            (3, boxes[4]["x"] + 3 * boxes[4]["width"], middle, [0, 3, 4]),
        ):
            page.locator(".hand-card:not(.is-off) button").first.hover()
            page.mouse.down()
            page.mouse.move(boxes[1]["x"] + 20, middle)
            page.mouse.move(x, y, steps=steps)
            page.mouse.up()
            assert filled(page) == wanted


def test_a_power_down_is_a_toggle_on_the_desk(page: Any, tmp_path: Path) -> None:
    with race(page, tmp_path / "race.json", **RACE_2005) as table:
        race_ = table.table.race
        assert race_ is not None
        assert page.locator(".power-down").count() == 0  # there is no damage to lose
        race_.batch.games[0]["damage"][0] = 2
        race_._ask()  # as it would have been asked with that damage
        race_.think()
        table.table.changed()
        page.get_by_label("Power down next round: do nothing, repair all damage").check()
        place_cards(page)
        page.reload()  # what was chosen and not sent is still there
        asked(page)
        assert page.locator(".power-down input").is_checked()
        page.locator(".confirm").click()
        page.get_by_text("announces a power down").first.wait_for()


def test_a_question_can_be_left_out_for_the_rest_of_the_round(page: Any, tmp_path: Path) -> None:
    with race(page, tmp_path / "race.json", **{**COMPLETE, "course": "burnout", "opponents": ["random"] * 5}) as table:
        assert table.table.race is not None
        put_on_mat(table.table.race.batch.games[0], 0, upgrades.NUMBERS["deflector_shield"])
        question = decide_until(table, "deflector_shield")
        page.keyboard.press("s")
        page.get_by_role("button", name="No, and do not ask again this round").click()
        later = wait_for(lambda: (q := open_question(table)) and q.number > question.number and q, "the next question")
        while later.round == question.round:
            assert later.kind != "deflector_shield"
            table.table.answer(0, Choice(later.number, 0, later.answers[0].option))
            later = wait_for(lambda: open_question(table), "a question")


def test_after_the_race_it_can_be_watched_and_raced_again(page: Any, tmp_path: Path) -> None:
    with race(page, tmp_path / "race.json", **{**SHORT, "max_rounds": 2}) as table:
        first = table.table.id
        play_to_the_end(page)
        places = page.locator(".places li").all_inner_texts()
        assert all("checkpoint" in place for place in places)
        assert places[0].split("\n")[0].strip().lstrip("=") == "1st"
        page.locator("#theme").click()
        with page.expect_popup() as popup:
            page.get_by_role("link", name="Watch the race").click()
        popup.value.wait_for_selector(".rr-stage", timeout=PATIENCE)
        assert popup.value.locator(".rr-check").first.inner_text().endswith("as recorded.")
        assert popup.value.locator("#theme").inner_text() == "Dark"
        popup.value.close()
        page.get_by_role("button", name="Race again").click()
        asked(page)
        assert table.table.id != first
        assert page.locator("#clock").inner_text() == "Round 1"
        assert (tmp_path / "race.json").is_file()
        play_to_the_end(page)
        page.get_by_text("race_2.json").wait_for()
        assert (tmp_path / "race_2.json").is_file()


def test_after_the_race_it_can_be_looked_back_on(page: Any, tmp_path: Path) -> None:
    with race(page, tmp_path / "race.json", **{**COMPLETE, "max_rounds": 2}):
        play_to_the_end(page)
        with page.expect_popup() as popup:
            page.get_by_role("link", name="Look back").click()
        looked_back = popup.value
        looked_back.get_by_role("progressbar").wait_for()
        looked_back.wait_for_selector(".rr-review", timeout=PATIENCE)
        assert looked_back.locator(".rr-chances tbody tr").count() == 3
        looked_back.locator("[data-shows=all]").click()
        looked_back.locator(".rr-decision button", has_text="program").first.click()
        assert looked_back.locator(".rr-ghosts polyline").count() >= 2
        looked_back.close()


@pytest.mark.slow
def test_a_rematch_does_not_take_the_result_from_others(page: Any, tmp_path: Path) -> None:
    given = {**LIGHTER, "opponents": ["none"], "humans": 2, "max_rounds": 1}
    with served_to(page, tmp_path / "race.json", **given) as table:
        other = page.context.new_page()
        for each, player in ((page, 0), (other, 1)):
            each.goto(table.link(player))
            asked(each)
            place_cards(each)
            each.locator(".confirm").click()
        while {answer(page), answer(other)} != {"over"}:
            pass  # in turns: one may wait for the other's answer
        page.get_by_role("button", name="Race again").click()
        asked(page)
        other.get_by_role("button", name="Join it").wait_for()
        assert other.locator(".places li").count() == 2
        other.get_by_role("button", name="Join it").click()
        asked(other)
        other.close()


def test_a_server_that_is_gone_is_not_asked_for_ever(browser: Any, tmp_path: Path) -> None:
    errors: list[str] = []  # the browser's own, about connections that are refused
    page = open_page(browser, errors)
    page.add_init_script("const later = setTimeout; window.setTimeout = (act, ms) => later(act, ms / 30);")
    page.add_init_script(
        "window.tries = 0; const Plain = WebSocket;"
        "window.WebSocket = class extends Plain { constructor(...all) { super(...all); window.tries += 1; } };"
    )
    with served(tmp_path / "race.json", **SHORT) as table:
        page.goto(table.link())
        asked(page)
    page.get_by_text("The server does not answer").wait_for()
    tries = page.evaluate("tries")
    page.wait_for_timeout(1500)
    assert page.evaluate("tries") == tries <= 9
    page.get_by_role("button", name="Try again").click()
    until(page, "tries => window.tries > tries", arg=tries)
    page.context.close()


# the largest shipped courses of up to 24 columns, by shape
LARGE = [
    {"course": "undertow", "opponents": ["random"] * 3, "seed": 1},
    {"course": "passing_lane", "opponents": ["random"] * 3, "seed": 1},
    {"course": "2005/against_the_grain", "opponents": ["random"] * 3, "seed": 1},
    {"course": "2005/capture_the_flag", "opponents": ["random"] * 3, "seed": 1},
    {"course": "2005/frenetic_factory", "opponents": ["random"] * 4, "seed": 1},
    RACE_2005,
    COMPLETE,
]


OWN_IN_VIEW = """() => {
  const box = document.getElementById("board").getBoundingClientRect();
  const own = [...document.querySelectorAll(".rr-bot[data-robot='0']")];
  return own.filter((bot) => bot.style.visibility !== "hidden").map((bot) => bot.getBoundingClientRect())
    .every(({ left, right, top, bottom }) =>
      left >= box.left - 1 && right <= box.right + 1 && top >= box.top - 1 && bottom <= box.bottom + 1);
}"""


@pytest.mark.parametrize("given", size(LARGE[1::2], LARGE), ids=lambda given: given["course"])
def test_cells_are_large_and_the_own_robot_is_in_view(page: Any, tmp_path: Path, given: dict[str, Any]) -> None:
    with race(page, tmp_path / "race.json", **given):
        assert cell_size(page) >= 40
        assert overflow(page) <= 0
        panels = page.locator("#panels").bounding_box()
        until(page, OWN_IN_VIEW)  # when the board has been scrolled
        last = page.locator("#panels .rr-robot").nth(3).bounding_box()
        assert last["y"] + last["height"] <= panels["y"] + panels["height"] + 1  # four panels are seen whole
        assert page.locator("#log").bounding_box()["height"] >= 80
        resize(page, 375, 812)
        assert cell_size(page) >= 25
        assert overflow(page) <= 0


def test_a_phone_shows_where_the_board_goes_on(page: Any, tmp_path: Path) -> None:
    page.emulate_media(reduced_motion="reduce")
    with race(page, tmp_path / "race.json", **RACE_COMMUNITY):
        resize(page, 375, 660)
        resize(page, 375, 700)  # the board's box grows, the board does not
        fade = "getComputedStyle(document.querySelector('#board'), '::after').height"
        until(page, f"{fade} === document.querySelector('.rr-scroller').clientHeight + 'px'")
        page.locator(".rr-to-down").click()
        page.locator(".rr-to-up").wait_for()
        page.locator(".rr-to-right").click()
        page.locator(".rr-to-left").wait_for()
        assert not page.locator(".rr-to-down").is_visible()
        assert not page.locator(".rr-to-right").is_visible()
        assert page.locator(".rr-to-up").bounding_box()["y"] >= page.locator("#board").bounding_box()["y"]


@pytest.mark.parametrize("given", [{**SHORT, "course": "twister"}, RACE_2005], ids=lambda given: given["course"])
def test_a_small_window_covers_neither_the_board_nor_signs_of_cards(
    page: Any, tmp_path: Path, given: dict[str, Any]
) -> None:
    resize(page, 1024, 768)
    with race(page, tmp_path / "race.json", **given):
        stage, tools = (page.locator(found).bounding_box() for found in (".rr-stage", ".rr-lens-tools"))
        assert tools["x"] >= stage["x"] + stage["width"]
        for card in page.locator(".hand-card").all():
            sign, digit = (card.locator(found).bounding_box() for found in (".rr-glyph", ".digit"))
            assert digit["x"] >= sign["x"] + sign["width"] or digit["y"] + digit["height"] <= sign["y"]


def test_a_small_window_covers_no_cell_of_a_wide_board(page: Any, tmp_path: Path) -> None:
    resize(page, 1024, 768)
    with race(page, tmp_path / "race.json", **{**SHORT, "course": "pilgrimage"}):
        stage, tools, desk = (page.locator(found).bounding_box() for found in (".rr-stage", ".rr-lens-tools", ".desk"))
        assert tools["y"] >= stage["y"] + stage["height"] - cell_size(page) / 2, "the margin is half a cell"
        assert tools["y"] + tools["height"] <= desk["y"]


def test_the_tab_key_needs_few_presses(page: Any, tmp_path: Path) -> None:
    with race(page, tmp_path / "race.json", **{**FALLING, "course": "fractionation"}, seed=1) as table:
        while table.table.race is None or table.table.race.round < 2:
            assert answer(page) != "over"
        page.keyboard.press("s")
        asked(page)
        assert page.locator("#log li").count() > 15
        assert len(tab_stops(page)) <= 25
        assert not any("log" in stop for stop in tab_stops(page)[:-1])


WITH_ALL_COLOURS: dict[str, Any] = {
    f"{edition}-{scheme}": (given, scheme)
    for edition, given in (
        ("2016", {**COMPLETE, "course": "burnout"}),
        ("2005", {**RACE_2005, "opponents": ["random"] * size(3, 7)}),
    )
    for scheme in ("light", "dark")
}


@pytest.mark.parametrize("shown", some(WITH_ALL_COLOURS, usual=["2005-dark"]))
def test_all_text_has_enough_contrast(page: Any, tmp_path: Path, shown: tuple[dict[str, Any], str]) -> None:
    given, scheme = shown
    page.emulate_media(color_scheme=scheme)
    with race(page, tmp_path / "race.json", **given) as table:
        page.wait_for_timeout(200)
        assert low_contrasts(page) == []
        while table.table.race is None or table.table.race.round < 2:
            assert answer(page) != "over"
        page.keyboard.press("s")
        asked(page)
        assert low_contrasts(page) == []
