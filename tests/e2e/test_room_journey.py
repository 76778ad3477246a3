"""A room on two screens: one leads, one predicts on a phone, both see the dots; each lesson by the keyboard alone."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, PdfMargins, ViewportSize, expect

from core.runtime.store import Store
from dashboard.room.rooms import Rooms
from dashboard.room.rooms_file import Value
from dashboard.topics.lessons import asking, evidence, shelf
from dashboard.topics.lessons.lesson import Adversary, Choice, Measured, Prediction
from tests.e2e.steps import (
    LOST,
    PROJECTOR,
    complete,
    heading,
    main,
    new_window,
    opened,
    policed,
    pressed_until,
    tab_to,
    until,
)
from tests.e2e.test_accessibility import CONTRAST, axe

pytestmark = pytest.mark.browser


SMALL_PHONE: ViewportSize = {"width": 360, "height": 740}
FULL_HD: ViewportSize = {"width": 1920, "height": 1080}
PAPER: PdfMargins = {"top": "10mm", "right": "10mm", "bottom": "10mm", "left": "10mm"}
"""What a browser leaves free around a printed page."""
PRINTED = """main => {
    const seen = name => [...main.querySelectorAll(name)].filter(node => node.checkVisibility());
    const colours = new Set(seen("h1, h2, p, td, th").map(node => getComputedStyle(node).color));
    const [titles, stops] = ["h1", "button, a"].map(name => seen(name).map(node => node.textContent));
    return [titles, stops, [...colours], getComputedStyle(document.body).backgroundColor];
}"""
"""Titles, what can be pressed, and the colours of text and paper."""
SAMPLE = "translator"
"""The lesson that stands for all others: its first question asks for a point, its last for a number."""
TALLEST = "main => main.querySelector('h1').getBoundingClientRect().height"
"""Height of the title, in pixels of the screen."""
COVERED = """main => {
    const way = main.querySelector(".st-key-presenter-leave").getBoundingClientRect();
    return [...main.querySelectorAll(".st-key-presenter :is(p, li, svg[role=img])")].filter(part => {
        const box = part.getBoundingClientRect();
        const [right, top] = [Math.min(box.right, way.right), Math.max(box.top, way.top)];
        return right > Math.max(box.left, way.left) && Math.min(box.bottom, way.bottom) > top
            && !part.closest(".st-key-presenter-leave");
    }).map(part => part.textContent);
}"""
"""What lies below the way back from the large screen."""
OTHERS = [f"{number:032x}" for number in range(2, 13)]
"""People who predict without a browser."""


@pytest.fixture(scope="module")
def window_of_phone(browser: Browser) -> Iterator[BrowserContext]:
    window = new_window(browser, SMALL_PHONE)
    with policed(window):
        yield window
    window.close()


@pytest.fixture(scope="module")
def phone(window_of_phone: BrowserContext) -> Page:
    """One tab for all lessons: its scripts are loaded once."""
    return window_of_phone.new_page()


@pytest.fixture(scope="module")
def looked_at() -> set[type[Prediction]]:
    """Kinds of predictions whose screens axe has seen: those of one kind are alike in all lessons."""
    return set()


@pytest.mark.slow
@pytest.mark.sampled(every=7)
@pytest.mark.parametrize("name", sorted(shelf.lessons(), key=lambda name: name != SAMPLE))
def test_a_lesson_in_a_room_by_the_keyboard(
    page: Page, phone: Page, address: str, folder: Path, looked_at: set[type[Prediction]], name: str
) -> None:
    lesson, rooms = shelf.lessons()[name], Rooms(Store(folder / "home"))
    opened(page, f"{address}/lessons?lesson={name}")
    press_key(page, "Start a room")
    expect(page).to_have_url(re.compile("room=[A-Z0-9]{6}$"))
    code = page.url[-6:]
    opened(phone, f"{address}/lessons?room={code}")
    press_key(phone, "Join")
    expect(main(page).get_by_text("1 participant")).to_be_visible()
    for other in OTHERS:
        rooms.join(code, other)
    tab_to(page, main(page).get_by_role("link", name="Large screen"))
    page.keyboard.press("Enter")
    expect(button_of(page, "Begin")).to_be_visible()
    for number, step in enumerate(lesson.steps, start=1):
        turn(page, button_of(page, "Reveal"))
        expect(heading(page, step.title)).to_be_visible()
        fits(page, FULL_HD, PROJECTOR)
        kind, is_walked = type(step.prediction), number in (1, len(lesson.steps))
        is_new = is_walked and kind not in looked_at
        if is_walked:
            expect(heading(phone, step.title)).to_be_visible()
            predict_by_keyboard(phone, step.prediction)
            if is_new:
                axe(phone, size=SMALL_PHONE)
            press_key(phone, "Lock my prediction")
            expect(main(phone).get_by_text("You predicted")).to_be_visible()
        for voter, other in enumerate(OTHERS):
            rooms.vote(code, number, other, answer_of(step.prediction, voter))
        if kind is not Adversary:
            rooms.change_stage(code, rooms.people(code)[0].visitor, number, is_shown=True)
            votes = len(OTHERS) + is_walked
            shown = re.compile(f"{votes} predictions|of {votes}")
            pictures = main(page).locator("svg[role=img]")
            expect(pictures.first).to_have_accessible_name(shown)  # for a moment that of the question stands below
            fits(page)
            expect(pictures).to_have_count(1)
        turn(page, button_of(page, "Why"))
        expect(main(page).locator("svg[role=img]").first).to_be_visible()
        fits(page, explains=True)
        if is_new:
            looked_at.add(kind)
            expect(heading(phone, "Why")).to_be_visible()
            for screen, size in ((page, PROJECTOR), (phone, SMALL_PHONE)):
                axe(screen, CONTRAST, "dark", size)
        turn(page, main(page).get_by_text("Many think:"))
        if number < len(lesson.steps):
            expect(button_of(page, "Next step")).to_be_visible()
        fits(page, explains=True)
    expect(heading(phone, "Why")).to_be_visible()
    axe(page)
    axe(phone, size=SMALL_PHONE)
    assert main(phone).evaluate("main => main.scrollWidth <= main.clientWidth")


def turn(page: Page, following: Locator) -> None:
    """Turn the large screen on by its key, until it shows what follows."""

    def press() -> None:
        page.keyboard.press("ArrowRight")
        following.wait_for(timeout=LOST)

    pressed_until(page, press, following.is_visible)


def button_of(page: Page, label: str) -> Locator:
    """Return a button of the large screen."""
    return main(page).locator("button").get_by_text(label, exact=True)


def fits(page: Page, *sizes: ViewportSize, explains: bool = False) -> None:
    """Fail where the large screen is higher than a projector, or its way back lies on what is read.

    Args:
        page: The large screen, as wide as the last projector.
        sizes: Projectors, the last of them as now; by default that alone.
        explains: Whether it says why, at a length that may reach its way back.
    """
    for size in sizes or (PROJECTOR,):
        if sizes:
            page.set_viewport_size(size)
            until(page, "width => document.documentElement.clientWidth === width", size["width"])
        complete(page)
        assert main(page).evaluate("main => Math.max(main.scrollHeight - main.clientHeight, 0)") == 0, size
        assert explains or not main(page).evaluate(COVERED), size


def answer_of(prediction: Prediction, voter: int) -> Value:
    """Return what somebody without a browser predicts; people differ, so that dots stand beside and on one another."""
    match prediction:
        case Choice():
            options = list(prediction.measured)
            return options[voter % len(options)]
        case Adversary():
            return tuple(item % 3 == voter % 3 for item in range(len(asking.game(prediction)[1])))
        case _:
            return prediction.low + (prediction.high - prediction.low) * (voter % 5) / 5


def predict_by_keyboard(screen: Page, prediction: Prediction) -> None:
    """Answer a question: one step of a slider to the right, or the first option of each group."""
    complete(screen)
    if not isinstance(prediction, Adversary | Choice):
        tab_to(screen, main(screen).get_by_role("slider"))
        screen.keyboard.press("ArrowRight")
        return
    groups = main(screen).get_by_role("radiogroup")
    for group in range(groups.count()):
        tab_to(screen, groups.nth(group).get_by_role("radio").first)
        screen.keyboard.press("Space")


def press_key(screen: Page, name: str) -> None:
    """Press a button by the keyboard once nothing moves."""
    button = main(screen).get_by_role("button", name=name, exact=True)
    expect(button).to_be_enabled()
    complete(screen)
    tab_to(screen, button)
    screen.keyboard.press("Enter")


def test_join_vote_reveal(page: Page, phone: Page, address: str, folder: Path) -> None:
    opened(page, f"{address}/lessons?lesson=mailbox")
    press(page, "Start a room")
    expect(page).to_have_url(re.compile("room=[A-Z0-9]{6}$"))
    expect(main(page).get_by_text("Nobody has joined yet.")).to_be_visible()
    code, rooms = page.url[-6:], Rooms(Store(folder / "home"))
    leader = rooms.people(code)[0].visitor
    opened(phone, f"{address}/room?{page.url.partition('?')[2]}")
    press(phone, "Join")
    expect(main(page).get_by_text("1 participant")).to_be_visible()
    press_key(page, "Begin")
    first, second, *_ = shelf.lessons()["mailbox"].steps
    expect(heading(phone, first.title)).to_be_visible()
    main(phone).get_by_role("slider").press("ArrowRight")
    press(phone, "Lock my prediction")
    expect(main(phone).get_by_text("You predicted 51%.")).to_be_visible()
    phone.reload(wait_until="commit")
    expect(main(phone).get_by_text("You predicted 51%.")).to_be_visible()
    expect(main(page).get_by_text("1 of 1 have predicted.")).to_be_visible()
    press_key(page, "Reveal")
    measured = evidence.estimate(Measured("mailboxes"))
    for screen, addition in ((page, ""), (phone, " Yours: 51%.")):
        dots = main(screen).locator("svg[role=img]")
        expect(dots).to_be_visible()
        expect(dots).to_have_accessible_name(
            f"Measured: 96% (95% interval {100 * measured.low:.0f}–{100 * measured.high:.0f}%); chance 50%, "
            f"n = 600 decisions. 1 prediction: 51%, below the interval.{addition}"
        )
    axe(page)
    axe(page, CONTRAST, "dark")
    axe(phone, size=SMALL_PHONE)
    assert main(phone).evaluate("main => main.scrollWidth <= main.clientWidth")
    press_key(page, "Next step")
    expect(heading(phone, second.title)).to_be_visible()
    for number in range(1, 6):
        rooms.change_stage(code, leader, number, is_revealed=True)
    rooms.go(code, leader, 6)
    for screen in (page, phone):
        expect(heading(screen, "To remember")).to_be_visible()
        complete(screen)
        assert len(re.findall(rb"/Type\s*/Page\b", screen.pdf(format="A4", margin=PAPER))) == 1
        screen.emulate_media(media="print", color_scheme="dark")
        assert main(screen).evaluate(PRINTED) == [
            ["Was your mailbox in there?"],
            [],
            ["rgb(0, 0, 0)"],
            "rgba(0, 0, 0, 0)",
        ]
        screen.emulate_media(media="screen", color_scheme="light")


def test_the_large_screen_by_its_keys(page: Page, address: str) -> None:
    opened(page, f"{address}/lessons?lesson=mailbox&step=3&screen=large&hide=answer,why")
    expect(main(page).get_by_role("img", name="Measured for ten: 93%")).to_be_visible()
    complete(page)
    fits(page)
    axe(page)
    page.keyboard.press("ArrowRight")
    expect(main(page).get_by_role("button", name="Why")).to_be_visible()
    title = heading(page, shelf.lessons()["mailbox"].steps[2].title)
    assert title.evaluate("""title => {
        title.tabIndex = -1;
        title.focus();
        return title.matches(":focus-visible");
    }"""), "as behind a link from the page of a step"
    outlines = "title => [title, ...title.querySelectorAll('*')].map(node => getComputedStyle(node).outlineStyle)"
    assert set(title.evaluate(outlines)) == {"none"}
    small = main(page).evaluate(TALLEST)
    fits(page)
    page.set_viewport_size({"width": 1920, "height": 1080})
    assert main(page).evaluate(TALLEST) >= 1.4 * small, "a projector of more pixels shows larger type"
    fits(page)
    page.keyboard.press("PageDown")
    expect(main(page).get_by_text("Many think:")).to_be_visible()
    fits(page)
    page.keyboard.press("PageUp")
    expect(main(page).get_by_role("button", name="Why")).to_be_visible()
    tab_to(page, main(page).get_by_role("link", name="Lesson"))
    page.keyboard.press("Enter")
    expect(main(page).get_by_text("Step 3 of 5")).to_be_visible()


def press(page: Page, name: str) -> None:
    """Press a button once nothing moves."""
    button = main(page).get_by_role("button", name=name)
    expect(button).to_be_enabled()
    complete(page)
    button.click()
