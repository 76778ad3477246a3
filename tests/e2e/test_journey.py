"""What a newcomer does: open, choose, run, watch, cancel, run again, look closely, share, download."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from dashboard.kit import tabs
from tests.benchmarks.visitor import visiting
from tests.e2e.steps import (
    downloaded,
    drawn,
    heading,
    main,
    open_form,
    open_tab,
    opened,
    opened_again,
    point,
    settled,
    tab_to,
    table_of,
)
from tests.errands import awaited

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SMALL = {
    "dataset": "wikipedia_excerpt",
    "model": "word2vec",
    "model.dimension": "16",
    "model.epochs": "8",
    "model.minimum_count": "5",
    "game.target_sizes": "20",
    "game.targets": "3",
    "game.plays": "6",
    "game.documents": "600",
    "attack.shadow_pairs": "25",
    "seed": "5",
}
LONG = {**SMALL, "attack.shadow_pairs": "1000"}
"""Far from done, on any machine, when somebody cancels it."""


def link(settings: dict[str, str]) -> str:
    """Return the address of an experiment on a server."""
    return "/word_pairs?" + "&".join(f"{name}={text}" for name, text in settings.items())


PAIRS = "Selected pairs"
GOING = re.compile(r"shadow models\D*\d[\d,]* of \d")


def test_a_link_opens_on_a_server_that_has_just_started(page: Page, fresh_address: str) -> None:
    opened(page, fresh_address + link(SMALL))
    settled(page)
    expect(page.get_by_role("link", name="Overview").first).to_be_visible()
    expect(page.get_by_role("link", name="app", exact=True)).to_have_count(0)
    expect(heading(page, "Word pairs")).to_be_visible()
    for name, text in SMALL.items():
        expect(page).to_have_url(re.compile(re.escape(f"{name}={text}")))


def test_run_cancel_run_again(page: Page, context: BrowserContext, address: str) -> None:
    opened(page, address + link(LONG))
    idle = context.new_page()
    opened(idle, address + link(LONG))
    expect(idle.get_by_role("button", name="Run", exact=True)).to_be_visible()
    page.get_by_role("button", name="Run", exact=True).click()
    progress, cancelled = main(page).get_by_role("progressbar"), main(page).get_by_text("cancelled").first
    expect(progress).to_be_visible()
    stage = main(page).get_by_text(GOING).first
    expect(stage).to_be_visible()
    expect(stage).not_to_have_text(stage.inner_text())
    expect(main(idle).get_by_role("progressbar")).to_be_visible()  # it noticed that another session started the run

    page.get_by_role("button", name="Cancel").click()
    expect(cancelled).to_be_visible()
    expect(main(idle).get_by_text("cancelled").first).to_be_visible()
    page.reload()
    expect(cancelled).to_be_visible()
    page.get_by_role("button", name="Run again").click()
    expect(stage).to_be_visible()
    page.get_by_role("button", name="Cancel").click()
    expect(cancelled).to_be_visible()


def test_run_look_share_download(page: Page, context: BrowserContext, address: str, tmp_path: Path) -> None:
    opened(page, address + link(SMALL))
    idle = context.new_page()
    opened(idle, address + link(SMALL))
    expect(idle.get_by_role("button", name="Run", exact=True)).to_be_visible()
    page.get_by_role("button", name="Run", exact=True).click()

    open_tab(page, tabs.HOW)
    expect(heading(page, PAIRS)).to_be_visible()
    open_tab(idle, tabs.HOW)
    expect(heading(idle, PAIRS)).to_be_visible()
    _look_at_another_pair(page)
    _follow_the_link(page, idle)
    rows = table_of(page, PAIRS, tmp_path)
    assert rows
    assert {"first", "second", "weight"} <= set(rows[0])
    _find_in_the_list(page, address)


def test_the_keyboard_alone_is_enough(page: Page, address: str) -> None:
    opened(page, address + link(LONG))
    settled(page)
    tab_to(page, page.get_by_test_id("stExpandSidebarButton"))
    page.keyboard.press("Enter")
    seed = page.get_by_test_id("stSidebar").get_by_label("Seed", exact=True)
    tab_to(page, seed)
    page.keyboard.press("ControlOrMeta+A")
    page.keyboard.type("61")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("seed=61"))
    settled(page)

    tab_to(page, main(page).get_by_role("button", name="Run", exact=True))
    page.keyboard.press("Enter")
    expect(main(page).get_by_role("progressbar")).to_be_visible()
    expect(main(page).get_by_role("button", name="Cancel")).to_be_focused()
    page.keyboard.press("Enter")
    expect(main(page).get_by_text("cancelled").first).to_be_visible()
    expect(main(page).get_by_role("button", name="Run again")).to_be_focused()

    tab_to(page, page.get_by_role("link", name="Runs", exact=True).first)
    page.keyboard.press("Enter")
    expect(heading(page, "Runs")).to_be_visible()


def test_own_documents_are_uploaded_and_the_link_finds_them(page: Page, address: str) -> None:
    page.goto(f"{address}/word_pairs?dataset=documents", wait_until="commit")
    expect(main(page).get_by_text("Upload your documents").first).to_be_visible()
    rows = "".join(f"meeting number {number} is about gas prices,user {number % 5}\n" for number in range(50))
    expect(main(page).get_by_text("200MB per file")).to_be_visible()
    table = {"name": "my mail.csv", "mimeType": "text/csv", "buffer": f"text,owner\n{rows}".encode()}
    page.locator("input[type=file]").set_input_files(table)  # type: ignore[arg-type]
    expect(page).to_have_url(re.compile(r"dataset\.source=[0-9a-f]{16}(/|%2F)my_mail\.csv"))
    expect(main(page).get_by_text("Your own documents: my_mail.csv")).to_be_visible()
    expect(
        page.get_by_text("my_mail.csv: 50 of 50 rows read as documents, 5 owners. 49 are near copies")
    ).to_be_visible()
    expect(page.get_by_role("radio", name="Changed")).to_be_checked()
    expect(page.get_by_role("button", name="Run", exact=True)).to_be_visible()
    expect(page).to_have_url(re.compile(r"dataset\.owner_column=owner"))

    opened_again(page)
    open_form(page)
    expect(page.get_by_text("my_mail.csv: 50 of 50 rows")).to_be_visible()
    expect(page.get_by_role("button", name="Run", exact=True)).to_be_visible()


def _look_at_another_pair(page: Page) -> None:
    pairs = drawn(page, PAIRS)
    settled(page)
    point(pairs, 1).locator("path").click(force=True)
    expect(page).to_have_url(re.compile(r"view\.pair="))
    settled(page)
    drawn(page, re.compile("^“.*” and “.*”$"))


def _follow_the_link(page: Page, other: Page) -> None:
    page.get_by_role("button", name="Share").click()
    shared = page.get_by_test_id("stCode").locator("code").inner_text().strip()
    page.keyboard.press("Escape")
    opened(other, shared)
    expect(heading(other, PAIRS)).to_be_visible()
    for name, text in SMALL.items():
        expect(other).to_have_url(re.compile(re.escape(f"{name}={text}")))
    other.close()


def _find_in_the_list(page: Page, address: str) -> None:
    opened(page, f"{address}/runs")
    expect(main(page).get_by_text(re.compile("Done$")).first).to_be_visible()
    download = downloaded(page, main(page).get_by_role("button", name="Export").first)
    assert download.suggested_filename.endswith(".zip")
    main(page).get_by_role("link", name="Open").first.click()
    expect(page.get_by_role("tab", name=tabs.HOW)).to_be_visible()
    expect(page).to_have_url(re.compile("seed=5"))


@pytest.mark.parametrize("name", ["word_pairs", "runs"])
def test_an_idle_tab_asks_every_three_seconds_or_sooner_whether_a_run_of_another_ended(address: str, name: str) -> None:
    async def repeated() -> dict[str, float]:
        async with visiting(address) as visitor:
            return (await visitor.open(name, {"seed": "991"})).repeated

    assert 0 < min(awaited(repeated).values()) <= 3
