"""Downloads: tables offer their own only, as in Streamlit's a text could be a formula; files outlast the next page."""

import re

import pytest
from playwright.sync_api import Page

from dashboard.kit import tabs
from tests.e2e.steps import downloaded, main, open_tab, opened, unfold

pytestmark = pytest.mark.browser


def test_a_table_offers_its_own_downloads_which_outlast_the_next_pages(page: Page, address: str) -> None:
    opened(page, f"{address}/word_pairs?preset=demo")
    open_tab(page, tabs.HOW)
    unfold(page, re.compile("pairs as a table$"))
    page.locator(".stDataFrame").first.wait_for(state="attached")
    toolbar = page.locator(".stDataFrame [data-testid=stElementToolbar]").first
    toolbar.wait_for(state="attached")
    download = toolbar.locator("button[aria-label^='Download as CSV']")
    assert download.count() == 1, "it is what the style sheet hides"
    assert download.evaluate("button => getComputedStyle(button).display") == "none"
    other = toolbar.locator("button[aria-label^=Fullscreen]")
    assert other.evaluate("button => getComputedStyle(button).display") != "none"
    saved = downloaded(page, main(page).get_by_role("button", name=re.compile("Table as CSV")).first)
    for name in (tabs.ANSWER, tabs.HOW):
        open_tab(page, name)
    answer = page.request.get(saved.url)
    assert answer.ok and answer.body(), "a slow phone may ask for it after pages have been drawn"
