"""The page about sentence pairs: from what one pair says to thirty, and to whoever is sent the link."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from dashboard.kit import tabs
from tests.e2e.steps import (
    drawn,
    heading,
    main,
    open_tab,
    opened,
    opened_again,
    plot,
    sentence,
    settled,
    table_of,
    unfold,
)

pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.exhaustive,  # what is chosen on this page, tests/dashboard/translation chooses without a browser
]

PAGE = "translation_overlap?preset=demo"
COURSE, GROUPS, PAIR = "Leak by epoch", "Groups of pairs", "Overlap with the reference"


def choose(page: Page, label: str, option: str) -> None:
    """Choose an option from a list with the keyboard."""
    box = page.get_by_role("combobox", name=label)
    box.click()
    box.fill(option)
    page.keyboard.press("Enter")
    settled(page)


def test_what_one_pair_and_what_thirty_give_away(page: Page, address: str, tmp_path: Path) -> None:
    opened(page, f"{address}/{PAGE}")
    settled(page)
    expect(main(page).get_by_text("Precomputed").first).to_be_visible()
    drawn(page, GROUPS)
    sizes = {int(row["size"]): row for row in table_of(page, GROUPS, tmp_path)}
    assert 1 in sizes and int(sizes[1]["members"]) > int(sizes[max(sizes)]["members"]) > 0
    open_tab(page, tabs.HOW)
    drawn(page, "Split of the pairs")
    unfold(page, "Training of the translators")
    expect(drawn(page, "Loss and perplexity by epoch")).to_have_accessible_name(re.compile("Alice.* Bob"))
    unfold(page, "Leak and quality during training")
    drawn(page, "Quality of the translations")
    before = sentence(drawn(page, COURSE))
    page.get_by_role("radio", name="AUC, 30 pairs together").click()
    expect(page).to_have_url(re.compile(r"view\.course=AUC"))
    expect(plot(page, COURSE)).not_to_have_accessible_name(before)
    _look_at_another_pair(page)
    before = sentence(plot(page, PAIR))
    opened_again(page)
    expect(drawn(page, PAIR)).to_have_accessible_name(before)
    open_tab(page, tabs.PAPER)
    expect(page).to_have_url(re.compile(r"view\.tab=Beside"))
    expect(heading(page, "Accuracy of the classifiers")).to_be_visible()
    expect(heading(page, PAIR)).to_have_count(0)


def _look_at_another_pair(page: Page) -> None:
    settled(page)
    before = sentence(drawn(page, PAIR))
    choose(page, "Pair", "Pair 2")
    expect(plot(page, PAIR)).not_to_have_accessible_name(before)
    for who in (r"\(trained on it\)|, trained on it| trained on it", "not trained on it"):
        expect(main(page).get_by_text(re.compile(who)).first).to_be_visible()
