"""A secret is read out of a network: its course is played, another one is chosen, and the link shows that one too."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.e2e.steps import PATIENCE, drawn, figure, opened, sentence, settled, table_of

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.timeout(900)]


def test_a_secret_settles_and_another_one_is_looked_at(
    page: Page, context: BrowserContext, address: str, tmp_path: Path
) -> None:
    opened(page, f"{address}/canary_extraction?preset=demo")
    settled(page)
    expect(page.locator(".st-key-about")).to_contain_text("Precomputed")
    expect(page.get_by_role("heading", name="my pin code is")).to_be_visible()
    course = drawn(page, "course")
    at = course.locator(".slider-group .slider-label").first
    expect(at).to_have_text("After step 250", timeout=PATIENCE)
    said = sentence(page, "course").inner_text()
    course.locator(".updatemenu-button").filter(has_text="Play").click()
    expect(at).not_to_have_text("After step 250", timeout=PATIENCE)
    expect(at).to_have_text("After step 250", timeout=PATIENCE)

    page.locator(".st-key-choose-canary").get_by_text("Colours", exact=True).click()
    expect(page).to_have_url(re.compile(r"view\.secret=Colours"), timeout=PATIENCE)
    settled(page)
    heading = page.get_by_role("heading", name=re.compile("^color "))
    expect(heading).to_be_visible(timeout=PATIENCE)
    expect(sentence(page, "course")).not_to_have_text(said, use_inner_text=True, timeout=PATIENCE)
    secret, url = heading.inner_text(), page.url

    other = context.new_page()
    opened(other, url)
    settled(other)
    expect(other.get_by_role("heading", name=secret)).to_be_visible()
    other.close()
    rows = table_of(page, "course", tmp_path)
    assert {"step", "position", "candidate", "probability"} <= set(rows[0])
    assert {row["candidate"] for row in rows} >= {"red", "mauve"}


def test_the_measure_is_switched_and_stays_in_the_address(page: Page, address: str) -> None:
    opened(page, f"{address}/canary_extraction?preset=demo")
    settled(page)
    expect(sentence(page, "outcome")).to_contain_text("words that are wrong", timeout=PATIENCE)
    page.get_by_test_id("stMain").get_by_text("Whole secrets", exact=True).first.click()
    expect(page).to_have_url(re.compile(r"view\.measure=Whole"), timeout=PATIENCE)
    expect(sentence(page, "outcome")).to_contain_text("read whole", timeout=PATIENCE)
    settled(page)
    expect(figure(page, "methods").locator(".js-plotly-plot")).to_have_count(1, timeout=PATIENCE)
