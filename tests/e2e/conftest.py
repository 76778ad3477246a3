"""A server of its own, on a free port and with an empty home, and a real browser."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.e2e.steps import policed
from tests.errands import QUICK
from tests.patience import PATIENCE
from tests.serving import serving

_MILLISECONDS = 1000 * PATIENCE
_ARGUMENTS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a dashboard that all tests of a worker share."""
    with serving(tmp_path_factory.mktemp("server"), PYTHONPATH=str(QUICK)) as server:
        yield server.address


@pytest.fixture
def fresh_address(tmp_path: Path) -> Iterator[str]:
    """The address of a dashboard that nobody has opened yet."""
    with serving(tmp_path, PYTHONPATH=str(QUICK)) as server:
        yield server.address


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium: ``CHROMIUM``, or the one on the path."""
    names = ("chromium", "chromium-browser", "google-chrome")
    found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    if found is None:
        pytest.fail("The browser tests need Chromium. Install it, or name it in CHROMIUM.")
    expect.set_options(timeout=_MILLISECONDS)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=found, args=_ARGUMENTS, timeout=_MILLISECONDS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def window(browser: Browser) -> Iterator[BrowserContext]:
    """A browser window of the size of a projector, which loads the scripts of the dashboard once for all tests."""
    window = browser.new_context(viewport={"width": 1280, "height": 720}, reduced_motion="reduce")
    window.set_default_timeout(_MILLISECONDS)
    yield window
    window.close()


@pytest.fixture
def context(window: BrowserContext) -> Iterator[BrowserContext]:
    """The window without a past; nothing may break the policy of the server."""
    with policed(window):
        yield window
        for page in window.pages:
            if page.url.startswith("http"):
                page.evaluate("localStorage.clear()")
            page.close()
        window.clear_cookies()


@pytest.fixture
def page(context: BrowserContext) -> Page:
    """A tab."""
    return context.new_page()
