"""What leaks downstream: a label that flips, a next word that is completed too well, and a promise of privacy."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.e2e.steps import PATIENCE, drawn, figure, opened, sentence, settled, table_of

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.timeout(900)]


def test_another_pair_is_looked_at_where_it_stands_and_the_link_shows_it_too(
    page: Page, context: BrowserContext, address: str, tmp_path: Path
) -> None:
    opened(page, f"{address}/next_word?preset=demo")
    settled(page)
    drawn(page, "accuracy")
    said = sentence(page, "pairs").inner_text()
    points = drawn(page, "pairs").locator(".point")
    points.nth(1).click(force=True)
    expect(page).to_have_url(re.compile(r"view\.pair="), timeout=PATIENCE)
    settled(page)
    asked = page.get_by_test_id("stHeading").filter(has_text="asked for")
    expect(asked.first).to_be_visible()
    expect(page.get_by_text("Document").first).to_be_visible()
    chosen, at = asked.last.inner_text(), page.url
    assert sentence(page, "pairs").inner_text() == said, "the target is the same"

    other = context.new_page()
    opened(other, at)
    settled(other)
    expect(other.get_by_test_id("stHeading").filter(has_text="asked for").last).to_have_text(chosen)
    other.close()
    rows = table_of(page, "pairs", tmp_path)
    assert {"first", "second", "completed_in", "completed_out"} <= set(rows[0])


def test_private_training_is_read_above_its_cost(page: Page, address: str, tmp_path: Path) -> None:
    opened(page, f"{address}/next_word?preset=paper")
    settled(page)
    curve = drawn(page, "private-training")
    assert curve.locator(".js-plotly-plot .ytitle, .js-plotly-plot .y2title, .js-plotly-plot .y3title").count() == 3
    expect(sentence(page, "private-training")).to_contain_text("contradicts no promise")
    rows = table_of(page, "private-training", tmp_path)
    assert {row["promise"] for row in rows} >= {"none", "8"}
    assert {row["size"] for row in rows} == {"1", "10"}
    page.get_by_role("link", name="Open epsilon 8").press("Enter")
    expect(page).to_have_url(re.compile("defenses=dp_sgd"), timeout=PATIENCE)
    settled(page)
    expect(page.locator(".st-key-facts")).to_contain_text("differentially private training")
    expect(page.locator(".st-key-about")).to_contain_text("Precomputed")


def test_another_probe_flips_another_label(page: Page, address: str) -> None:
    opened(page, f"{address}/classifier_probing?preset=demo")
    settled(page)
    before = sentence(page, "probe").inner_text()
    drawn(page, "probes").locator(".point").nth(2).click(force=True)
    expect(page).to_have_url(re.compile(r"view\.probe="), timeout=PATIENCE)
    settled(page)
    expect(sentence(page, "probe")).not_to_have_text(before, use_inner_text=True, timeout=PATIENCE)
    expect(figure(page, "probe").locator(".js-plotly-plot")).to_be_visible()
