"""The frame of an attack's page on common screens: the form folded away, a figure on the first screen of its tab."""

import re

import pytest
from playwright.sync_api import Page, expect

from dashboard.kit import tabs
from tests.e2e.steps import complete, drawn, heading, open_form, open_tab, opened, top

CUT = """options => options.flatMap(option => [...option.children].filter(text => {
    const inner = document.createRange();
    inner.selectNodeContents(text);
    return inner.getBoundingClientRect().right > text.getBoundingClientRect().right + 0.5;
}).map(text => text.textContent))"""

TOPS = "each => each.map(one => Math.round(one.getBoundingClientRect().top))"

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_the_form_is_folded_away_on_a_phone_until_it_is_asked_for(page: Page, address: str) -> None:
    page.set_viewport_size({"width": 390, "height": 720})
    opened(page, f"{address}/encoder_fingerprint?preset=demo")
    complete(page)
    seed = page.get_by_test_id("stSidebar").get_by_label("Seed", exact=True)
    expect(seed).not_to_be_in_viewport()
    expect(page.get_by_role("radio", name="Demo")).to_be_in_viewport()
    assert top(heading(page, "Encoder fingerprint")) < top(page.get_by_role("radio", name="Demo")), (
        "the title comes first"
    )
    open_form(page)
    seed.scroll_into_view_if_needed()
    expect(seed).to_be_in_viewport()


def test_no_option_of_the_settings_is_cut(page: Page, address: str) -> None:
    opened(page, f"{address}/keyword_inference?preset=demo")
    open_form(page)
    complete(page)
    page.get_by_test_id("stSidebar").get_by_text("Model parameters").click()
    for name in ("Dataset", "Encoder"):
        page.get_by_role("combobox", name=name, exact=True).click()
        expect(page.get_by_role("option").first).to_be_visible()
        assert not page.get_by_role("option").evaluate_all(CUT), name
        page.keyboard.press("Escape")


def test_the_decision_boundary_is_on_the_first_screen_of_its_tab(page: Page, address: str) -> None:
    opened(page, f"{address}/keyword_inference?preset=demo")
    open_tab(page, tabs.HOW)
    boundary = heading(page, "Decision boundary of the perceptron")
    expect(boundary).to_be_in_viewport()
    assert top(drawn(page, re.compile("^The victims"))) < 660


def test_nothing_stands_alone_in_a_second_line_on_a_small_screen(page: Page, address: str) -> None:
    page.set_viewport_size({"width": 1024, "height": 768})
    opened(page, f"{address}/inversion?preset=demo")
    complete(page)
    methods = page.locator(".st-key-inversion-method button[data-variant=segmented_control]").evaluate_all(TOPS)
    assert len(methods) == 9 and len(set(methods)) == 1
    opened(page, f"{address}/attribute_inference?preset=demo")
    complete(page)
    figures = page.get_by_test_id("stMetric").evaluate_all(TOPS)
    assert [figures.count(top) for top in sorted(set(figures))] == [2, 2]
