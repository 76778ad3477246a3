"""Tables offer their own downloads only: in those of Streamlit a text could be a formula."""

import pytest
from playwright.sync_api import Page

pytestmark = pytest.mark.browser


def test_streamlit_s_own_download_of_a_table_is_not_offered(page: Page, address: str) -> None:
    page.goto(f"{address}/word_pairs?preset=demo", wait_until="commit")
    page.locator(".stDataFrame").first.wait_for(state="attached")
    toolbar = page.locator(".stDataFrame [data-testid=stElementToolbar]").first
    toolbar.wait_for(state="attached")
    download = toolbar.locator("button[aria-label='Download as CSV']")
    assert download.count() == 1, "it is what the style sheet hides"
    assert download.evaluate("button => getComputedStyle(button).display") == "none"
    other = toolbar.locator("button[aria-label=Fullscreen]")
    assert other.evaluate("button => getComputedStyle(button).display") != "none"
