"""A secret is read out of a network, and its course is played; another one is chosen, and the link shows that one."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from dashboard.kit import tabs
from tests.e2e.steps import (
    complete,
    drawn,
    heading,
    main,
    open_tab,
    opened,
    opened_again,
    plot,
    sentence,
    settled,
    table_of,
    top,
    until,
)

pytestmark = [pytest.mark.browser, pytest.mark.slow]

COURSE, OUTCOME = "Mixtures by step", "By method"
STEP = re.compile(r"^After step \d+$")


def watch_steps(figure: Locator) -> None:
    """Let the page write down each step that a figure shows, however briefly."""
    figure.evaluate(
        """
        figure => {
            window.steps = new Set();
            const look = () => (figure.textContent.match(/After step \\d+/g) || []).forEach(s => window.steps.add(s));
            new MutationObserver(look).observe(figure, {subtree: true, childList: true, characterData: true});
        }
        """
    )


def test_a_secret_settles(page: Page, address: str) -> None:
    opened(page, f"{address}/canary_extraction?preset=demo")
    settled(page)
    expect(main(page).get_by_text("Precomputed").first).to_be_visible()
    expect(heading(page, re.compile(r"\bpin\b"))).to_be_visible()
    complete(page)
    assert top(main(page).get_by_text(re.compile("^Given .* secrets read whole")).first) < 300
    assert top(page.get_by_role("textbox", name="Your own secret")) < 600, "on the first screen"
    open_tab(page, tabs.HOW)
    course = drawn(page, COURSE)
    at = course.get_by_text(STEP).first
    last = str(at.text_content())
    watch_steps(course)
    course.get_by_text("Play", exact=True).first.click(force=True)  # its letters lie under the button
    until(page, "window.steps.size > 2")
    expect(at).to_have_text(last)


@pytest.mark.exhaustive  # tests/dashboard/canaries/test_page.py chooses both without a browser
def test_another_secret_and_another_measure_are_chosen(page: Page, address: str, tmp_path: Path) -> None:
    opened(page, f"{address}/canary_extraction?preset=demo")
    open_tab(page, tabs.HOW)
    before = sentence(drawn(page, COURSE))
    page.get_by_role("radio", name="Colours").click()
    expect(page).to_have_url(re.compile(r"view\.secret=Colours"))
    settled(page)
    expect(plot(page, COURSE)).not_to_have_accessible_name(before)
    rows = table_of(page, COURSE, tmp_path)
    assert {"step", "position", "candidate", "probability"} <= set(rows[0])
    assert {row["candidate"] for row in rows} >= {"red", "mauve"}
    open_tab(page, tabs.ANSWER)
    expect(page.get_by_role("radio", name="Colours")).to_be_checked()
    secret = heading(page, re.compile(r"^color "))
    expect(secret).to_be_visible()
    chosen = secret.inner_text()

    opened_again(page)
    expect(heading(page, chosen)).to_be_visible()
    _switch_the_measure(page)


def _switch_the_measure(page: Page) -> None:
    before = sentence(drawn(page, OUTCOME))
    main(page).get_by_role("radio", name="Whole secrets").first.click()
    expect(page).to_have_url(re.compile(r"view\.measure=Whole"))
    expect(plot(page, OUTCOME)).not_to_have_accessible_name(before)
    settled(page)
    expect(heading(page, "By kind of secret")).to_be_visible()
