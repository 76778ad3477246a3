"""The way through the pages: steps of the history, a phone’s menu, notices, one click to run."""

import re
from itertools import combinations

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.steps import complete, heading, main, open_tab, opened, until

pytestmark = [pytest.mark.browser, pytest.mark.slow]

EDGES = """node => {
    const content = document.createRange();
    content.selectNodeContents(node);
    const { left, top, right, bottom } = content.getBoundingClientRect();
    return [left, top, right, bottom];
}"""
"""The edges of what something holds: a title's padding keeps room for the presets."""


def steps(page: Page) -> int:
    """Return how many steps the history of a tab has."""
    return int(page.evaluate("history.length"))


def box(element: Locator) -> tuple[float, float, float, float]:
    """Return the left, upper, right and lower edge of something."""
    left, top, right, low = element.evaluate(EDGES)
    return left, top, right, low


def test_one_click_is_one_step_of_the_history_and_back_leads_back(new_tab: Page, address: str) -> None:
    opened(new_tab, address)
    expect(new_tab.get_by_text("Attack only models and texts that are yours")).to_be_visible()
    expect(new_tab).to_have_title("Overview – Telltale")
    complete(new_tab)
    before = steps(new_tab)
    expect(main(new_tab).get_by_role("img", name="touch_app icon")).to_have_count(0)
    new_tab.evaluate("document.querySelector('[data-testid=stMain]').scrollTop = 700")
    new_tab.get_by_test_id("stTopNav").get_by_role("button", name="Was it in there?").click()
    new_tab.get_by_role("menuitem", name="Word pairs").click()
    expect(new_tab.get_by_role("radio", name="Demo")).to_be_checked()
    expect(new_tab).to_have_url(re.compile("/word_pairs.*dataset=wikipedia_excerpt"))
    expect(new_tab).to_have_title("Word pairs – Telltale")
    complete(new_tab)
    demo = sorted(new_tab.url.split("?")[1].split("&"))
    assert steps(new_tab) == before + 1
    open_tab(new_tab, "How it works")
    new_tab.get_by_role("radio", name="Paper").click()
    expect(new_tab).to_have_url(re.compile("dataset=enron&"))
    complete(new_tab)
    assert steps(new_tab) == before + 2
    new_tab.go_back(wait_until="commit")
    expect(new_tab.get_by_role("radio", name="Demo")).to_be_checked()
    complete(new_tab)
    assert [each for each in sorted(new_tab.url.split("?")[1].split("&")) if not each.startswith("view.")] == demo
    expect(new_tab.get_by_role("tab", name="How it works")).to_have_attribute("aria-selected", "true")
    new_tab.go_back(wait_until="commit")
    expect(heading(new_tab, "What a text model gives away")).to_be_attached()
    complete(new_tab)
    assert steps(new_tab) == before + 2
    until(new_tab, "() => document.querySelector('[data-testid=stMain]').scrollTop === 700")


def test_the_first_address_of_a_visit_costs_no_step_of_the_history(new_tab: Page, address: str) -> None:
    before, start = steps(new_tab), new_tab.url
    opened(new_tab, f"{address}/encoder_fingerprint")
    expect(new_tab).to_have_url(re.compile("dataset="))
    complete(new_tab)
    assert steps(new_tab) == before + 1
    new_tab.go_back(wait_until="commit")
    expect(new_tab).to_have_url(start)


def test_no_notice_covers_the_presets_or_the_title(page: Page, address: str) -> None:
    opened(page, f"{address}/inversion?attack=nonsense&seed=x&dataset=nope")
    for width in (1280, 1024, 390):
        page.set_viewport_size({"width": width, "height": 720})
        until(page, "width => document.documentElement.clientWidth === width", width)
        complete(page)
        _is_apart(page)


def test_the_files_that_a_link_asks_for_are_uploaded_below_the_title(page: Page, address: str) -> None:
    opened(page, f"{address}/word_pairs?dataset=documents")
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 720})
        until(page, "width => document.documentElement.clientWidth === width", width)
        complete(page)
        title = main(page).get_by_role("heading", level=1).locator("span")
        upload = main(page).get_by_test_id("stFileUploader").first
        assert box(upload)[1] >= box(title)[3]


def _is_apart(page: Page) -> None:
    notice = main(page).get_by_test_id("stAlert")
    expect(notice).to_have_count(1)
    for name in ("Attack: there is no", "Seed: ", "Dataset: there is no"):
        expect(notice).to_contain_text(name)
    presets, methods = (main(page).get_by_role("radiogroup", name=name) for name in ("Preset", "Method"))
    parts = [notice, presets, main(page).get_by_role("heading", level=1).locator("span"), methods]
    assert box(notice)[1] >= box(parts[2])[3], "what a link could not say stands below the title"
    for (left, top, right, low), (other_left, other_top, other_right, other_low) in combinations(map(box, parts), 2):
        assert right <= other_left or other_right <= left or low <= other_top or other_low <= top


def test_on_a_phone_the_menu_closes_behind_a_choice(phone: Page, address: str) -> None:
    opened(phone, f"{address}/runs")
    complete(phone)
    phone.get_by_test_id("stExpandSidebarButton").tap()
    sidebar = phone.get_by_test_id("stSidebar")
    expect(sidebar).to_have_attribute("data-collapsed", "false")
    sidebar.get_by_role("link", name="Lessons").tap()
    expect(heading(phone, "Lessons")).to_be_visible()
    expect(sidebar).to_have_attribute("data-collapsed", "true")


def test_one_tap_on_a_point_opens_it(phone: Page, address: str) -> None:
    opened(phone, address)
    complete(phone)
    point = main(phone).locator(".js-plotly-plot .scatterlayer .point").nth(6)
    point.scroll_into_view_if_needed()
    area = point.bounding_box()
    assert area is not None
    phone.touchscreen.tap(area["x"] + area["width"] / 2, area["y"] + area["height"] / 2)
    expect(phone).not_to_have_title("Overview – Telltale")


def test_the_menu_at_the_side_takes_the_focus_says_how_it_closes_and_gives_it_back(page: Page, address: str) -> None:
    opened(page, f"{address}/encoder_fingerprint?preset=demo")
    complete(page)
    for width, name, closing in ((1280, "Settings", "Enter"), (390, "Menu", "Escape")):
        page.set_viewport_size({"width": width, "height": 800})
        menu = page.get_by_role("button", name=name, exact=True)
        assert name in menu.evaluate("node => getComputedStyle(node, '::after').content"), "seen as it is called"
        sidebar = page.get_by_test_id("stSidebar")
        expect(sidebar).to_have_attribute("inert", "")
        menu.focus()
        page.keyboard.press("Enter")
        expect(sidebar).not_to_have_attribute("inert", "")
        close = page.get_by_role("button", name=f"Close the {name.lower()}")
        expect(close).to_be_focused()
        assert "Close" in close.evaluate("node => getComputedStyle(node, '::after').content"), "seen without a pointer"
        page.keyboard.press("Tab")
        assert page.evaluate("() => Boolean(document.activeElement.closest('[data-testid=stSidebar]'))")
        page.keyboard.press("Shift+Tab")
        page.keyboard.press(closing)
        expect(menu).to_be_focused()


def test_a_tab_is_named_after_the_attack_among_those_that_share_a_page(page: Page, address: str) -> None:
    opened(page, f"{address}/recitation?attack=secret_sharer")
    expect(page).to_have_title("Secret sharer – Telltale")


def test_one_click_runs_it_live(new_tab: Page, address: str) -> None:
    opened(new_tab, f"{address}/word_pairs?preset=demo&seed=1")
    complete(new_tab)
    before = steps(new_tab)
    new_tab.get_by_role("button", name="Run it live with seed 2").click()
    expect(new_tab.get_by_role("button", name="Cancel")).to_be_visible()
    expect(new_tab).to_have_url(re.compile("seed=2"))
    assert steps(new_tab) == before + 1
    new_tab.get_by_role("button", name="Cancel").click()
    expect(main(new_tab).get_by_text("cancelled").first).to_be_visible()
