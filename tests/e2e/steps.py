"""What every journey does: open a page, wait until it stands still, find a figure by its heading, save its table."""

import csv
import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

Name = str | re.Pattern[str]


def opened(page: Page, url: str) -> None:
    """Open an address, and wait for the page's title."""
    page.goto(url, wait_until="commit")
    expect(main(page).get_by_role("heading", level=1).first).to_be_visible()


def settled(page: Page) -> None:
    """Wait until nothing is computed for the page any more."""
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")


def complete(page: Page) -> None:
    """Wait until every part of the page is drawn and nothing moves any more."""
    settled(page)
    expect(page.get_by_test_id("stSkeleton")).to_have_count(0)
    page.wait_for_function("document.getAnimations().every(animation => animation.playState !== 'running')")


def main(page: Page) -> Locator:
    """Return the page without its sidebar."""
    return page.get_by_test_id("stMain")


def tab_to(page: Page, wanted: Locator) -> None:
    """Press Tab until an element has the focus."""
    expect(wanted).to_be_visible()
    for _ in range(200):
        page.keyboard.press("Tab")
        if wanted.evaluate("node => node === document.activeElement"):
            return
    pytest.fail(f"the Tab key does not reach {wanted}")


def heading(page: Page, name: Name) -> Locator:
    """Return a heading."""
    return main(page).get_by_role("heading", name=name, exact=isinstance(name, str)).first


def plot(page: Page, name: Name) -> Locator:
    """Return the figure below a heading, whose accessible name is the sentence that reads it aloud."""
    return heading(page, name).locator("xpath=following::*[@role='figure'][1]")


def drawn(page: Page, name: Name) -> Locator:
    """Return the figure below a heading once it is drawn."""
    found = plot(page, name)
    expect(found.locator("svg").first).to_be_visible()
    return found


def point(figure: Locator, number: int) -> Locator:
    """Return a mark of a figure that can be clicked."""
    return figure.locator(".point").nth(number)


def sentence(figure: Locator) -> str:
    """Return what a figure says to whoever does not see it."""
    expect(figure).to_have_accessible_name(re.compile(r"\w"))
    return figure.get_attribute("aria-label") or ""


def data_of(page: Page, name: Name) -> Locator:
    """Return the button below a heading's figure that opens its table, its files and its picture."""
    return heading(page, name).locator("xpath=following::button[contains(., 'Data and picture')][1]")


def table_of(page: Page, name: Name, folder: Path) -> list[dict[str, str]]:
    """Save the table behind the figure below a heading as CSV, and return its rows."""
    data_of(page, name).click()
    with page.expect_download() as download:
        page.get_by_test_id("stPopoverBody").get_by_role("button", name="CSV").click()
    assert download.value.suggested_filename.endswith(".csv")
    file = folder / download.value.suggested_filename
    download.value.save_as(file)
    page.keyboard.press("Escape")
    with file.open(newline="") as text:
        return list(csv.DictReader(text))
