"""The page about sentence pairs: from what one pair says to thirty, and to another browser, with what comes with it."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.e2e.steps import PATIENCE, drawn, figure, opened, sentence, settled, table_of

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.timeout(900)]

PAGE = "translation_overlap?preset=demo"


def chosen(page: Page, label: str, option: str) -> None:
    """Choose an option from a list with the keyboard."""
    box = page.get_by_role("combobox", name=label)
    box.click()
    box.fill(option)
    page.keyboard.press("Enter")
    settled(page)


def test_what_one_pair_and_what_thirty_give_away(page: Page, address: str, tmp_path: Path) -> None:
    opened(page, f"{address}/{PAGE}")
    settled(page)
    expect(page.get_by_role("heading", name="Was it translated from memory?")).to_be_visible()
    expect(page.locator(".st-key-about")).to_contain_text("Precomputed")
    for name in ("sets", "training", "course", "quality", "groups", "roc"):
        drawn(page, name)
    expect(sentence(page, "training")).to_contain_text(re.compile("Alice’s translators: .* Bob’s shadow models: "))
    sizes = {int(row["size"]): row for row in table_of(page, "groups", tmp_path)}
    assert 1 in sizes and int(sizes[1]["members"]) > int(sizes[max(sizes)]["members"]) > 0
    before = sentence(page, "course").inner_text()
    page.get_by_role("radio", name="AUC, 30 pairs together").click()
    expect(page).to_have_url(re.compile(r"view\.course=AUC"), timeout=PATIENCE)
    expect(sentence(page, "course")).not_to_have_text(before, use_inner_text=True, timeout=PATIENCE)


def test_a_pair_is_the_same_in_another_browser(page: Page, context: BrowserContext, address: str) -> None:
    opened(page, f"{address}/{PAGE}")
    settled(page)
    before = page.locator("[class*=st-key-text-]").first.inner_text()
    chosen(page, "Pair", "Pair 2")
    expect(page.locator("[class*=st-key-text-]").first).not_to_have_text(before, use_inner_text=True, timeout=PATIENCE)
    expect(figure(page, "overlaps")).to_be_visible()
    expect(page.get_by_test_id("stMain")).to_contain_text("Marked: words that stand in the reference.")
    shown = page.locator("[class*=st-key-text-]").all_inner_texts()
    assert len(shown) == 2 and "trained on it" in shown[0] and "not trained on it" in shown[1]

    other = context.new_page()
    opened(other, page.url)
    settled(other)
    drawn(other, "overlaps")
    assert other.locator("[class*=st-key-text-]").all_inner_texts() == shown
