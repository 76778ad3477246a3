"""What leaks downstream: a label that flips, a next word that is completed too well, and a promise of privacy."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from dashboard.kit import tabs
from tests.e2e.steps import drawn, main, open_tab, opened, opened_again, plot, point, sentence, settled, table_of

pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.exhaustive,  # tests/dashboard chooses the same without a browser, and a journey of word pairs clicks
]

PAIRS, PROBES, PROBE = (
    re.compile(r"^(The \d+ most informative of|All) \d+ pairs$"),
    "Probes with the largest difference",
    re.compile("and the label$"),
)
PROMISES = re.compile("^Private training")


def test_another_pair_is_looked_at_where_it_stands_and_the_link_shows_it_too(
    page: Page, address: str, tmp_path: Path
) -> None:
    opened(page, f"{address}/next_word?preset=demo")
    open_tab(page, tabs.HOW)
    pairs = drawn(page, PAIRS)
    before = sentence(pairs)
    point(pairs, 1).click(force=True)
    expect(page).to_have_url(re.compile(r"view\.pair="))
    settled(page)
    title = main(page).get_by_role("heading", name=re.compile("^Contexts of")).last
    expect(title).to_be_visible()
    expect(main(page).get_by_text("Document").first).to_be_visible()
    chosen = title.inner_text()
    assert sentence(plot(page, PAIRS)) == before, "the target is the same"

    opened_again(page)
    expect(title).to_have_text(chosen)
    rows = table_of(page, PAIRS, tmp_path)
    assert {"first", "second", "completed_in", "completed_out"} <= set(rows[0])


def test_private_training_is_read_above_its_cost(page: Page, address: str, tmp_path: Path) -> None:
    opened(page, f"{address}/next_word?preset=paper")
    open_tab(page, tabs.DEFENSES)
    expect(drawn(page, PROMISES)).to_have_accessible_name(re.compile("guarantee"))
    rows = table_of(page, PROMISES, tmp_path)
    assert {row["promise"] for row in rows} >= {"none", "8"}
    assert {row["size"] for row in rows} == {"1", "10"}
    page.get_by_role("link", name="Open epsilon 8").press("Enter")
    expect(page).to_have_url(re.compile("defenses=dp_sgd"))
    settled(page)
    expect(main(page).get_by_text("differentially private training").first).to_be_visible()
    expect(main(page).get_by_text("Precomputed").first).to_be_visible()


def test_another_probe_flips_another_label(page: Page, address: str) -> None:
    opened(page, f"{address}/classifier_probing?preset=demo")
    open_tab(page, tabs.HOW)
    before = sentence(drawn(page, PROBE))
    point(drawn(page, PROBES), 2).click(force=True)
    expect(page).to_have_url(re.compile(r"view\.probe="))
    settled(page)
    expect(plot(page, PROBE)).not_to_have_accessible_name(before)
    drawn(page, PROBE)
