"""A room on two screens: somebody leads, somebody predicts on a phone, and both see the dots beside the measurement."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.steps import complete, heading, main, opened, policed
from tests.e2e.test_accessibility import axe
from tests.patience import PATIENCE

pytestmark = pytest.mark.browser


def test_join_vote_reveal(page: Page, address: str, browser: Browser) -> None:
    opened(page, f"{address}/lessons?lesson=mailbox")
    press(page, "Start a room")
    expect(page).to_have_url(re.compile("room=[A-Z0-9]{6}$"))
    expect(main(page).get_by_text("Nobody has joined yet.")).to_be_visible()
    phone = browser.new_context(viewport={"width": 360, "height": 740}, reduced_motion="reduce")
    phone.set_default_timeout(1000 * PATIENCE)
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


def press(page: Page, name: str) -> None:
    """Press a button once nothing moves."""
    button = main(page).get_by_role("button", name=name)
    expect(button).to_be_enabled()
    complete(page)
    button.click()
