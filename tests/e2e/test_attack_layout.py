"""The frame of an attack's page on common screens: the answer first, the form folded away, tabs that links open."""

import re

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from dashboard.kit import tabs
from tests.e2e.steps import complete, drawn, heading, main, open_form, open_tab, opened

pytestmark = [pytest.mark.browser, pytest.mark.slow]

HIGHEST = 4.5 * 720
"""About four screens."""
HEIGHT = "main => main.querySelector('[data-testid=stMainBlockContainer]').scrollHeight"


def top(found: Locator) -> float:
    """Return how far below the upper edge of the window something begins."""
    box = found.bounding_box()
    assert box is not None
    return box["y"]


@pytest.mark.parametrize("width", [390, 1280])
def test_the_form_is_folded_away_until_it_is_asked_for(page: Page, address: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 720})
    opened(page, f"{address}/word_pairs?preset=demo")
    complete(page)
    seed = page.get_by_test_id("stSidebar").get_by_label("Seed", exact=True)
    expect(seed).not_to_be_in_viewport()
    expect(page.get_by_role("radio", name="Demo")).to_be_in_viewport()
    open_form(page)
    seed.scroll_into_view_if_needed()
    expect(seed).to_be_in_viewport()


def test_the_answer_and_a_field_for_ones_own_secret_are_on_the_first_screen(page: Page, address: str) -> None:
    opened(page, f"{address}/canary_extraction?preset=demo")
    complete(page)
    assert top(main(page).get_by_text(re.compile("^Given .* secrets read whole")).first) < 300
    assert top(page.get_by_role("textbox", name="Your own secret")) < 600


def test_the_decision_boundary_is_on_the_first_screen_of_its_tab(page: Page, address: str) -> None:
    opened(page, f"{address}/keyword_inference?preset=demo")
    open_tab(page, tabs.HOW)
    boundary = heading(page, "Decision boundary of the perceptron")
    expect(boundary).to_be_in_viewport()
    assert top(drawn(page, re.compile("^The victims"))) < 660


def test_the_tab_is_in_the_address_and_a_link_opens_it(page: Page, context: BrowserContext, address: str) -> None:
    opened(page, f"{address}/translation_overlap?preset=demo")
    open_tab(page, tabs.PAPER)
    expect(page).to_have_url(re.compile(r"view\.tab=Beside"))
    other = context.new_page()
    opened(other, page.url)
    expect(heading(other, "Accuracy of the classifiers")).to_be_visible()
    open_tab(other, tabs.ANSWER)
    expect(heading(other, "Conclusions")).to_be_visible()
    expect(heading(other, "Accuracy of the classifiers")).to_have_count(0)


def test_a_choice_made_in_one_tab_holds_in_another(page: Page, address: str) -> None:
    opened(page, f"{address}/canary_extraction?preset=demo")
    complete(page)
    page.get_by_role("radio", name="Colours").click()
    expect(heading(page, re.compile("^color "))).to_be_visible()
    open_tab(page, tabs.HOW)
    expect(page.get_by_role("radio", name="Colours")).to_be_checked()
    expect(page).to_have_url(re.compile(r"view\.secret=Colours"))


@pytest.mark.parametrize("name", ["canary_extraction", "translation_overlap"])
def test_each_tab_tells_its_story_on_about_four_screens(page: Page, address: str, name: str) -> None:
    opened(page, f"{address}/{name}?preset=demo")
    complete(page)
    for label in page.get_by_role("tab").all_inner_texts():
        open_tab(page, label)
        complete(page)
        assert main(page).evaluate(HEIGHT) < HIGHEST, label
