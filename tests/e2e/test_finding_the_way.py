"""A stranger finds the way by the questions of the menu and the labels of links; old addresses still lead there."""

import re

import pytest
from playwright.sync_api import Page, expect

from core.registry import part
from dashboard.kit.words import capitalised
from dashboard.topics.inversion import same_texts
from tests.e2e.steps import complete, heading, opened

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


@pytest.mark.parametrize("old", ["sparse_inversion", "corrective_inversion", "decoder"])
def test_an_old_address_opens_the_shared_page_on_its_method(page: Page, address: str, old: str) -> None:
    opened(page, f"{address}/{old}?preset=demo&view.victim=Victim+4")
    title = str(part("attack", old).title)
    expect(heading(page, title)).to_be_visible()
    expect(page).to_have_url(re.compile(rf"/inversion\?attack={old}&.*dataset=wikipedia_excerpt"))
    complete(page)
    expect(page.get_by_text("Page not found")).to_have_count(0)
    expect(page.get_by_role("radio", name=capitalised(same_texts.short_title(title)))).to_be_checked()


def test_a_method_is_chosen_on_the_page_and_its_link_leads_back(page: Page, address: str) -> None:
    opened(page, f"{address}/inversion?preset=demo")
    complete(page)
    page.get_by_role("radio", name="Relaxation").click()
    expect(heading(page, "Inversion by relaxation")).to_be_visible()
    expect(page).to_have_url(re.compile(r"/inversion\?attack=relaxed_inversion&"))
    opened(page, page.url)
    expect(heading(page, "Inversion by relaxation")).to_be_visible()
    page.get_by_role("radio", name="Word by word").click()
    expect(heading(page, "Inversion word by word")).to_be_visible()
