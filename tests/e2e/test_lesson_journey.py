"""A lesson by the keyboard alone: predict, lock, reveal, go on, go back; and its sheet prints on one page."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.steps import PROJECTOR, complete, drawn, heading, main, opened, tab_to, until
from tests.e2e.test_accessibility import CUT, PHONE, REDRAWN, axe

pytestmark = [pytest.mark.browser, pytest.mark.slow]

LESSON = "lessons?lesson=mailbox"

SHOWS_ROWS = """() => {
    const [bar, figure] = [".st-key-tour", ".st-key-figure-overview .main-svg"].map(key => document.querySelector(key));
    if (!bar || !figure) return false;
    const [free, drawn] = [innerHeight - bar.getBoundingClientRect().bottom, figure.getBoundingClientRect()];
    return drawn.top >= innerHeight - free - 2 && Math.min(drawn.bottom, innerHeight) - drawn.top > 0.8 * free;
}"""
"""Whether the figure of the first stop fills what the bar leaves free of the screen."""


def test_a_lesson_by_the_keyboard(new_tab: Page, address: str) -> None:
    page = new_tab
    opened(page, f"{address}/{LESSON}")
    complete(page)
    before = page.evaluate("history.length")
    tab_to(page, main(page).get_by_role("button", name="Begin", exact=True))
    page.keyboard.press("Enter")
    expect(heading(page, "Only a list of vectors")).to_be_visible()
    expect(page).to_have_url(re.compile("step=1$"))
    expect(heading(page, "Only a list of vectors")).to_be_focused()
    slider = main(page).get_by_role("slider")
    tab_to(page, slider, most=3)
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(slider).to_have_attribute("aria-valuetext", "53%")
    press(page, "Lock my prediction")
    expect(main(page).get_by_text("You predicted 53%.")).to_be_visible()
    expect(heading(page, "Prediction and measurement")).to_have_count(0)
    press(page, "Reveal what was measured")
    drawn(page, "Prediction and measurement")
    axe(page)
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    until(page, "width => document.documentElement.clientWidth === width", PHONE["width"])
    complete(page)
    until(page, REDRAWN)
    assert not page.evaluate(CUT)
    assert not main(page).evaluate("main => Math.max(main.scrollWidth - main.clientWidth, 0)")
    follow(page, "Next", "More to look at")
    expect(heading(page, "More to look at")).to_be_focused()
    assert page.evaluate("history.length") == before + 2, "a step is a step of the history"
    page.go_back(wait_until="commit")
    expect(heading(page, "Prediction and measurement")).to_be_visible()
    page.go_forward(wait_until="commit")
    expect(heading(page, "More to look at")).to_be_visible()
    page.reload(wait_until="commit")
    expect(heading(page, "More to look at")).to_be_visible()
    expect(page).to_have_url(re.compile("step=2$"))
    page.go_back(wait_until="commit")
    expect(
        heading(page, "Prediction and measurement")
    ).to_be_visible()  # what was locked and revealed before the reload
    opened(page, f"{address}/{LESSON}&step=5")
    follow(page, "Your sheet", "Was your mailbox in there?")
    expect(heading(page, "Was your mailbox in there?")).to_be_in_viewport()
    expect(main(page).get_by_role("table")).to_be_in_viewport()
    complete(page)
    axe(page)
    assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4"))) == 1
    follow(page, "All lessons", "Lessons")
    expect(page).to_have_url(re.compile("/lessons$"))


def press(page: Page, name: str) -> None:
    """Press a button by the keyboard."""
    button = main(page).get_by_role("button", name=name)
    expect(button).to_be_enabled()
    tab_to(page, button)
    page.keyboard.press("Enter")


def test_a_tour_is_begun_from_the_shelf(page: Page, address: str) -> None:
    opened(page, f"{address}/lessons")
    complete(page)
    main(page).get_by_role("link", name="Live demo").click()
    expect(page).to_have_url(re.compile(r"lessons\?tour=ten_minutes$"))
    complete(page)
    page.keyboard.press("PageDown")
    expect(page).to_have_url(re.compile(r"view\.tour=ten_minutes-1"))
    until(page, SHOWS_ROWS)
    box = main(page).get_by_role("button", name="Next").bounding_box()
    assert box is not None and 0 < box["y"] < PROJECTOR["height"] / 3, "the bar stays in view"


def follow(page: Page, name: str, title: str) -> None:
    """Follow a link by the keyboard."""
    complete(page)
    tab_to(page, main(page).get_by_role("link", name=name, exact=True))
    page.keyboard.press("Enter")
    expect(heading(page, title)).to_be_visible()
