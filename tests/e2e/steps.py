"""What every journey does: open a page, wait until it stands still, go somewhere with the Tab key, save a table."""

import csv
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

PATIENCE = 120_000
RUN = 600_000


def opened(page: Page, url: str) -> None:
    """Open an address, and wait for the page's title."""
    page.goto(url, wait_until="commit", timeout=PATIENCE)
    expect(page.get_by_test_id("stMain").locator("h1")).to_be_visible(timeout=PATIENCE)


def settled(page: Page) -> None:
    """Wait until nothing is computed for the page any more."""
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning", timeout=PATIENCE)


def tab_to(page: Page, wanted: Locator) -> None:
    """Press Tab until an element has the focus."""
    expect(wanted).to_be_visible(timeout=PATIENCE)
    for _ in range(200):
        page.keyboard.press("Tab")
        if wanted.evaluate("node => node === document.activeElement"):
            return
    pytest.fail(f"the Tab key does not reach {wanted}")


def figure(page: Page, name: str) -> Locator:
    """Return a figure with its title, its sentence and its downloads."""
    return page.locator(f".st-key-figure-{name}")


def drawn(page: Page, name: str) -> Locator:
    """Return a figure once it is drawn."""
    expect(figure(page, name).locator(".js-plotly-plot .main-svg").first).to_be_visible(timeout=PATIENCE)
    return figure(page, name)


def sentence(page: Page, name: str) -> Locator:
    """Return what a figure says of itself."""
    return figure(page, name).get_by_test_id("stMarkdown").first


def table_of(page: Page, name: str, folder: Path) -> list[dict[str, str]]:
    """Save the table behind a figure as CSV, and return its rows."""
    figure(page, name).get_by_role("button", name="Download", exact=True).click()
    with page.expect_download() as download:
        page.locator(f".st-key-{name}-CSV").get_by_role("button").click()
    file = folder / f"{name}.csv"
    download.value.save_as(file)
    assert download.value.suggested_filename == file.name
    page.keyboard.press("Escape")
    with file.open(newline="") as text:
        return list(csv.DictReader(text))
