"""Tables offer their own downloads only: in those of Streamlit a text could be a formula."""

import re

import pytest
from playwright.sync_api import Page

from dashboard.kit import tabs
from tests.e2e.steps import open_tab, opened, unfold

pytestmark = pytest.mark.browser


def test_streamlit_s_own_download_of_a_table_is_not_offered(page: Page, address: str) -> None:
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
