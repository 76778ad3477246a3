"""A room on two screens: one leads, one predicts on a phone, both see the dots; each lesson by the keyboard alone."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, expect

from dashboard.topics.lessons import shelf
from dashboard.topics.lessons.lesson import Adversary, Choice, Prediction
from tests.e2e.steps import complete, heading, main, new_window, opened, policed, tab_to
from tests.e2e.test_accessibility import axe

pytestmark = pytest.mark.browser


SMALL_PHONE: ViewportSize = {"width": 360, "height": 740}
WHOLE = "pin"
"""The lesson whose every step is walked; of the others, the first and the last."""


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


@pytest.mark.slow
@pytest.mark.parametrize("name", shelf.lessons())
def test_a_lesson_in_a_room_by_the_keyboard(page: Page, phone: Page, address: str, name: str) -> None:
    lesson = shelf.lessons()[name]
    opened(page, f"{address}/lessons?lesson={name}")
    press_key(page, "Start a room")
    expect(page).to_have_url(re.compile("room=[A-Z0-9]{6}$"))
    opened(phone, f"{address}/lessons?{page.url.partition('?')[2]}")
    press_key(phone, "Join")
    expect(main(page).get_by_text("1 participant")).to_be_visible()
    press_key(page, "Begin")
    for number, step in enumerate(lesson.steps, start=1):
        expect(heading(page, step.title)).to_be_visible()
        if number in (1, len(lesson.steps)) or name == WHOLE:
            expect(heading(phone, step.title)).to_be_visible()
            predict_by_keyboard(phone, step.prediction)
            complete(phone)
            axe(phone)
            press_key(phone, "Lock my prediction")
            expect(main(phone).get_by_text("You predicted")).to_be_visible()
            press_key(page, "Reveal")
            expect(heading(page, "Why")).to_be_visible()
            expect(heading(phone, "Why")).to_be_visible()
        if number < len(lesson.steps):
            press_key(page, "Next step")
    for screen in (page, phone):
        complete(screen)
        axe(screen)
    assert main(phone).evaluate("main => main.scrollWidth <= main.clientWidth")


def predict_by_keyboard(screen: Page, prediction: Prediction) -> None:
    """Answer a question: one step of a slider to the right, or the first option of each group."""
    complete(screen)
    if not isinstance(prediction, Adversary | Choice):
        tab_to(screen, main(screen).get_by_role("slider"))
        screen.keyboard.press("ArrowRight")
        return
    groups = main(screen).get_by_role("radiogroup")
    for place in range(groups.count()):
        tab_to(screen, groups.nth(place).get_by_role("radio").first)
        screen.keyboard.press("Space")


def press_key(screen: Page, name: str) -> None:
    """Press a button by the keyboard once nothing moves."""
    button = main(screen).get_by_role("button", name=name, exact=True)
    expect(button).to_be_enabled()
    complete(screen)
    tab_to(screen, button)
    screen.keyboard.press("Enter")


def test_join_vote_reveal(page: Page, address: str, browser: Browser) -> None:
    opened(page, f"{address}/lessons?lesson=mailbox")
    press(page, "Start a room")
    expect(page).to_have_url(re.compile("room=[A-Z0-9]{6}$"))
    expect(main(page).get_by_text("Nobody has joined yet.")).to_be_visible()
    phone = new_window(browser, SMALL_PHONE)
    with policed(phone):
        ann = phone.new_page()
        opened(ann, f"{address}/room?{page.url.partition('?')[2]}")
        press(ann, "Join")
        expect(main(page).get_by_text("1 participant")).to_be_visible()
        press(page, "Begin")
        expect(heading(ann, "Only a list of vectors")).to_be_visible()
        main(ann).get_by_role("slider").press("ArrowRight")
        press(ann, "Lock my prediction")
        expect(main(ann).get_by_text("You predicted 51%.")).to_be_visible()
        expect(main(page).get_by_text("1 of 1 have predicted.")).to_be_visible()
        press(page, "Reveal")
        for screen, own in ((page, ""), (ann, " Yours: 51%.")):
            dots = main(screen).locator("svg[role=img]")
            expect(dots).to_be_visible()
            expect(dots).to_have_accessible_name(
                f"Measured: 96% (95% interval 90–98%); chance 50%, n = 600 decisions. "
                f"1 prediction: 51%, below the interval.{own}"
            )
        complete(ann)
        assert main(ann).evaluate("main => main.scrollWidth <= main.clientWidth")
        axe(ann)
    phone.close()


def test_the_large_screen_by_its_keys(page: Page, address: str) -> None:
    opened(page, f"{address}/lessons?lesson=mailbox&step=3&screen=large&hide=answer,why")
    expect(main(page).get_by_role("img", name="Measured for ten: 94%")).to_be_visible()
    complete(page)
    axe(page)
    page.keyboard.press("ArrowRight")
    expect(main(page).get_by_role("button", name="Why")).to_be_visible()
    title = heading(page, "One message among thousands")
    assert title.evaluate("""title => {
        title.tabIndex = -1;
        title.focus();
        return title.matches(":focus-visible");
    }"""), "as behind a link from the page of a step"
    outlines = "title => [title, ...title.querySelectorAll('*')].map(node => getComputedStyle(node).outlineStyle)"
    assert set(title.evaluate(outlines)) == {"none"}
    assert main(page).evaluate("main => main.scrollHeight <= main.clientHeight")


def press(page: Page, name: str) -> None:
    """Press a button once nothing moves."""
    button = main(page).get_by_role("button", name=name)
    expect(button).to_be_enabled()
    complete(page)
    button.click()
