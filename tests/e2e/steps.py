"""What every journey does: open a page, wait until it stands still, find a figure by its heading, save its table."""

import csv
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Download, Locator, Page, ViewportSize, expect
from playwright.sync_api import TimeoutError as NeverCame

from tests.patience import PATIENCE, UNANSWERED

Name = str | re.Pattern[str]

PROJECTOR: ViewportSize = {"width": 1280, "height": 720}
PHONE: ViewportSize = {"width": 390, "height": 844}

LOST = 1000 * UNANSWERED
"""Milliseconds after which what was pressed counts as lost."""

AXE = Axe(f"if (!window.axe) {{ {AXE_SCRIPT} }}")
"""Looks at a page; its script is read once a page, however often one looks."""


def opened(page: Page, url: str) -> None:
    """Open an address, and wait for the page's title."""
    page.goto(url, wait_until="commit")
    expect(main(page).locator("h1").first).to_be_visible()


def opened_again(page: Page) -> None:
    """Open the address that a page shows anew, as whoever is sent the link does: in a session without a past."""
    opened(page, page.url)
    settled(page)


def new_window(browser: Browser, size: ViewportSize = PROJECTOR, **options: Any) -> BrowserContext:
    """Return a window without a past, in which everything waits patiently."""
    window = browser.new_context(viewport=size, reduced_motion="reduce", **options)
    window.set_default_timeout(1000 * PATIENCE)
    return window


@contextmanager
def policed(window: BrowserContext) -> Iterator[None]:
    """Fail where a page wants what the policy of the server forbids; Streamlit's icons from elsewhere are to be."""
    messages: list[str] = []

    def listen(message: ConsoleMessage) -> None:
        messages.append(message.text)

    window.on("console", listen)
    yield
    window.remove_listener("console", listen)
    refused = [text for text in messages if "Content Security Policy" in text]
    assert not [text for text in refused if "https://fonts.gstatic.com/s/i/" not in text]


IDLE = "!!document.querySelector('[data-testid=stApp][data-test-script-state=notRunning]')"
"""Whether nothing is computed for the page any more."""
STILL = (
    f"{IDLE} && !document.querySelector('[data-testid=stSkeleton]')"
    " && document.getAnimations().every(animation => animation.playState !== 'running')"
)
"""Whether every part of the page is drawn besides, and nothing moves any more."""


def settled(page: Page) -> None:
    """Wait until nothing is computed for the page any more."""
    until(page, IDLE)


def complete(page: Page) -> None:
    """Wait until every part of the page is drawn and nothing moves any more."""
    until(page, STILL)


def until(page: Page, condition: str, argument: Any = None) -> None:
    """Wait until an expression is true; what Playwright waits for itself, the page's policy refuses to evaluate.

    Cheaper than ``expect``, too, which reads the whole page aloud each time that it waits on.
    """
    deadline = time.monotonic() + PATIENCE
    while not page.evaluate(condition, argument):
        assert time.monotonic() < deadline, condition
        page.wait_for_timeout(50)


def pressed_until(page: Page, press: Callable[[], object], is_done: Callable[[], bool]) -> None:
    """Press something until it has done what it is for.

    What is pressed while a page is drawn anew may be lost, and a menu then closes. Whoever uses the page presses again.

    Args:
        page: The page.
        press: Presses, and waits for at most `LOST` for what follows.
        is_done: Tells whether it has followed.
    """
    deadline = time.monotonic() + PATIENCE
    while not is_done():
        assert time.monotonic() < deadline, press
        complete(page)
        with suppress(NeverCame):
            press()


def downloaded(page: Page, button: Locator) -> Download:
    """Return the file that a button gives, which is pressed again where that was lost."""
    files: list[Download] = []

    def press() -> None:
        with page.expect_download(timeout=LOST) as download:
            button.click(timeout=LOST)
        files.append(download.value)

    pressed_until(page, press, lambda: bool(files))
    return files[-1]


def open_tab(page: Page, name: str) -> None:
    """Open a tab of an attack's page."""
    settled(page)
    tab_of(page, name).click()
    expect(tab_of(page, name)).to_have_attribute("aria-selected", "true")
    settled(page)


def tab_of(page: Page, name: str) -> Locator:
    """Return a tab of an attack's page by its name: a search by role would look at all that is on the page."""
    return main(page).locator("[role=tab]").filter(has_text=re.compile(f"^{re.escape(name)}$"))


def unfold(page: Page, label: Name) -> None:
    """Unfold what is folded away below its label, once all is drawn: a click on what is drawn anew may be lost."""
    complete(page)
    main(page).locator("summary").filter(has_text=label, visible=True).click()
    settled(page)


def open_form(page: Page) -> None:
    """Show the form of an experiment, which is folded away until somebody opens it; the browser remembers that."""
    sidebar = page.get_by_test_id("stSidebar")
    expect(sidebar).to_have_attribute("data-collapsed", re.compile("true|false"))
    if sidebar.get_attribute("data-collapsed") == "true":
        page.get_by_test_id("stExpandSidebarButton").click()
    expect(sidebar).to_have_attribute("data-collapsed", "false")


def main(page: Page) -> Locator:
    """Return the page without its sidebar."""
    return page.get_by_test_id("stMain")


def top(element: Locator) -> float:
    """Return how far below the upper edge of the window something begins, in pixels."""
    box = element.bounding_box()
    assert box is not None
    return box["y"]


def tab_to(page: Page, wanted: Locator, most: int = 200) -> None:
    """Press Tab until an element has the focus, at most so often."""
    expect(wanted).to_be_visible()
    for _ in range(most):
        page.keyboard.press("Tab")
        if wanted.evaluate("node => node === document.activeElement"):
            return
    pytest.fail(f"the Tab key does not reach {wanted}")


def heading(page: Page, name: Name) -> Locator:
    """Return a heading by its text: a search by role makes the browser look at the style of all that is on the page."""
    text = re.compile(rf"^\s*{re.escape(name)}\s*$") if isinstance(name, str) else name
    return main(page).locator("h1, h2, h3, h4, h5, h6").filter(has_text=text, visible=True).first


def plot(page: Page, name: Name) -> Locator:
    """Return the figure below a heading, whose accessible name is the sentence that reads it aloud."""
    return heading(page, name).locator("xpath=following::*[@role='figure'][1]")


def drawn(page: Page, name: Name) -> Locator:
    """Return the figure below a heading once it is drawn."""
    figure = plot(page, name)
    expect(figure.locator("svg").first).to_be_visible()
    return figure


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
    download = downloaded(page, page.get_by_test_id("stPopoverBody").get_by_role("button", name="CSV"))
    assert download.suggested_filename.endswith(".csv")
    file = folder / download.suggested_filename
    download.save_as(file)
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("stPopoverBody")).to_have_count(0)
    settled(page)
    with file.open(newline="") as text:
        return list(csv.DictReader(text))
