"""A stranger finds the way by the questions of the menu and the labels of links; old addresses still lead there."""

import re
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from core.registry import part
from core.statistics.wording.naming import capitalised
from dashboard.kit import glossary, tabs
from dashboard.topics.inversion import same_texts
from tests.e2e.steps import complete, drawn, heading, main, opened
from tests.e2e.test_accessibility import SIGHTS

pytestmark = [pytest.mark.browser, pytest.mark.slow]

ENTRIES = """menu => [...menu.children].filter(entry => !entry.ariaHidden && entry.getBoundingClientRect().width)
    .sort((one, other) => one.getBoundingClientRect().left - other.getBoundingClientRect().left)
    .map(entry => entry.querySelector("[data-testid=stTopNavSection], p").textContent.trim())"""
"""What the menu shows from left to right."""

LABELS = (
    "Word pairs that tell, chosen by LASSO",
    "A decision boundary",
    "Utility against privacy",
    "Your own sentence, read back",
)
"""What the overview calls each of the sights."""
BEGINNINGS = {
    "New here? Start with a lesson": "lessons",
    "Attack your own documents": "word_pairs?preset=demo&dataset=documents",
    "Audit your own vectors": "vector_audit",
}
"""Where a visitor begins: label and address."""
BEFORE = """icon => {
    const before = document.createElement("span");
    before.tabIndex = 0;
    icon.before(before);
    before.focus();
}"""
"""Puts the focus just before an icon, so that one press of Tab reaches it."""


@pytest.mark.sampled(every=3)
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


IN_VIEW = "links => links.filter(a => a.getBoundingClientRect().bottom <= innerHeight).map(a => a.innerText)"
"""The texts of links on the first screen."""


def test_the_menu_asks_its_questions_in_their_order_and_each_sight_is_one_link_away(page: Page, address: str) -> None:
    opened(page, address)
    complete(page)
    entries = page.get_by_test_id("stTopNav").evaluate(ENTRIES)
    assert entries == [
        "Overview",
        "Was it in there?",
        "What does it say?",
        "Who wrote it?",
        "What helps?",
        "Audit your own",
        "Lessons",
        "Runs",
    ]

    addresses = {}
    for label in (*BEGINNINGS, *LABELS):
        link = main(page).locator("a").filter(has=page.get_by_text(label, exact=True))
        expect(link).to_be_in_viewport()
        addresses[label] = str(link.get_attribute("href")).rpartition("/")[2]
    first_screen = main(page).locator("a[href]").evaluate_all(IN_VIEW)
    assert sorted(text.splitlines()[-1] for text in first_screen) == sorted(addresses), "and no link besides"
    assert addresses == {**BEGINNINGS, **{label: _behind(label) for label in LABELS}}

    main(page).get_by_role("link", name=LABELS[0]).click()
    expect(heading(page, SIGHTS[0][2])).to_be_visible()
    complete(page)
    page.get_by_test_id("stTopNav").get_by_role("link", name="Overview").click()
    main(page).get_by_role("link", name="Attack your own documents").click()
    expect(heading(page, "Word pairs")).to_be_visible()
    expect(main(page).get_by_test_id("stFileUploader")).to_be_in_viewport()


def _behind(label: str) -> str:
    """Return the address where a sight stands, which its own test visits."""
    name, tab, _ = SIGHTS[LABELS.index(label)]
    return f"{name}?{urlencode({tabs.KEY: tab})}" if name != "defenses" else name


def test_a_click_beside_the_dots_of_a_row_opens_it(page: Page, address: str) -> None:
    opened(page, address)
    figure = drawn(page, "What leaked")
    complete(page)
    expect(main(page).get_by_text("Click a row to open it.")).to_be_visible()
    row = figure.locator(".bars .point path").first
    row.scroll_into_view_if_needed()
    row.click(position={"x": 60, "y": 20}, force=True)
    expect(heading(page, "Word pairs")).to_be_visible()


def test_a_term_is_explained_by_finger_and_by_keyboard(phone: Page, address: str) -> None:
    opened(phone, f"{address}/word_pairs?preset=demo")
    complete(phone)
    icon = heading(phone, "AUC").locator("xpath=following::*[@data-testid='stTooltipIcon'][1]//button")
    explained = phone.get_by_test_id("stTooltipContent")
    icon.tap()
    expect(explained).to_contain_text(glossary.TERMS["AUC"])
    phone.keyboard.press("Escape")
    phone.evaluate("document.activeElement.blur()")
    expect(explained).to_have_count(0)
    icon.evaluate(BEFORE)
    phone.keyboard.press("Tab")
    expect(icon).to_be_focused()
    expect(explained).to_contain_text(glossary.TERMS["AUC"])
