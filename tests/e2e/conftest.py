"""A server of its own, on a free port and with an empty home, and a real browser."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.e2e.steps import PHONE, PROJECTOR, new_window, policed
from tests.errands import QUICK
from tests.patience import PATIENCE
from tests.serving import serving

_MILLISECONDS = 1000 * PATIENCE
_ARGUMENTS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the dashboard that all tests of a worker share; its home lies in it."""
    return tmp_path_factory.mktemp("server")


@pytest.fixture(scope="session")
def address(folder: Path) -> Iterator[str]:
    """The address of a dashboard that all tests of a worker share."""
    with serving(folder, PYTHONPATH=str(QUICK)) as server:
        yield server.address


@pytest.fixture
def fresh_address(tmp_path: Path) -> Iterator[str]:
    """The address of a dashboard that nobody has opened yet."""
    with serving(tmp_path, PYTHONPATH=str(QUICK)) as server:
        yield server.address


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium: ``CHROMIUM``, or the one on the path."""
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
    path = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    if path is None:
        pytest.fail("The browser tests need Chromium. Install it, or name it in CHROMIUM.")
    expect.set_options(timeout=_MILLISECONDS)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=_ARGUMENTS, timeout=_MILLISECONDS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def window(browser: Browser) -> Iterator[BrowserContext]:
    """A browser window of the size of a projector, which loads the scripts of the dashboard once for all tests."""
    window = new_window(browser)
    yield window
    window.close()


@pytest.fixture(scope="session")
def touched(browser: Browser) -> Iterator[Page]:
    """A tab of a phone that stays open, in a window of its own."""
    with new_window(browser, PHONE, has_touch=True) as window:
        yield window.new_page()


@pytest.fixture
def phone(touched: Page, address: str) -> Page:
    """A phone that remembers nothing but its history."""
    touched.context.clear_cookies()
    _forget(touched, address)
    return touched


@pytest.fixture(scope="session")
def kept(window: BrowserContext) -> Page:
    """A tab that stays open: a page in it costs less than half of one in a new tab, whose process compiles all anew."""
    return window.new_page()


@pytest.fixture
def context(window: BrowserContext, kept: Page) -> Iterator[BrowserContext]:
    """The window without cookies, with one tab; nothing may break the policy of the server."""
    with policed(window):
        yield window
        for page in window.pages:
            if page is not kept:
                page.close()
        window.clear_cookies()


@pytest.fixture
def page(context: BrowserContext, kept: Page, address: str) -> Page:
    """A tab that remembers nothing but its history; `new_tab` has none."""
    return _at_the_projector(kept, address)


@pytest.fixture
def new_tab(context: BrowserContext, address: str) -> Page:
    """A tab without a past."""
    return _at_the_projector(context.new_page(), address)


def _at_the_projector(page: Page, address: str) -> Page:
    """Clear a tab, and make it as large as a projector."""
    _forget(page, address)
    page.set_viewport_size(PROJECTOR)
    page.emulate_media(color_scheme="light")
    return page


def _forget(page: Page, address: str) -> None:
    """Leave what a tab shows, and clear what it stores for a server."""
    page.goto(f"{address}/_stcore/health")
    page.evaluate("localStorage.clear(), sessionStorage.clear()")
