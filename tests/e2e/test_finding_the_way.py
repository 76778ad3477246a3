"""A stranger finds the way by the questions of the menu and the labels of links; old addresses still lead there."""

import pytest
from playwright.sync_api import Page

from tests.e2e.steps import complete, opened

pytestmark = [pytest.mark.browser, pytest.mark.slow]

ENTRIES = """menu => [...menu.children].filter(entry => !entry.ariaHidden && entry.getBoundingClientRect().width)
    .sort((one, other) => one.getBoundingClientRect().left - other.getBoundingClientRect().left)
    .map(entry => entry.querySelector("[data-testid=stTopNavSection], p").textContent.trim())"""
"""What the menu shows from left to right."""


def test_the_menu_asks_its_questions_in_their_order(page: Page, address: str) -> None:
    opened(page, address)
    complete(page)
    entries = page.get_by_test_id("stTopNav").evaluate(ENTRIES)
    assert entries == ["Overview", "Was it in there?", "What does it say?", "Who wrote it?", "Defenses", "Runs"]
