"""What a newcomer does: open, choose, run, watch, cancel, run again, look closely, share, download."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.e2e.steps import PATIENCE, RUN, opened, settled, tab_to, table_of

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.timeout(900)]

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
LINK = "/word_pairs?" + "&".join(f"{name}={text}" for name, text in SMALL.items())

EMBEDDINGS = (
    "/keyword_inference?preset=demo",
    "/pattern_reconstruction?preset=demo",
    "/encoder_fingerprint?preset=demo",
    "/defenses",
)
"""The pages about embeddings, each with a result that comes with the code."""

DOWNSTREAM = ("/classifier_probing?preset=demo", "/next_word?preset=paper")


def finished(locator: Locator) -> int:
    found = re.search(r"(\d[\d,]*) of (\d[\d,]*)", locator.inner_text())
    return int(found[1].replace(",", "")) if found else 0


def test_from_the_overview_to_the_form(page: Page, address: str) -> None:
    opened(page, address)
    expect(page.get_by_text("Attack only models and texts that are yours")).to_be_visible()
    page.get_by_role("link", name="Word pairs").first.click()
    expect(page.locator("h1", has_text="Word pairs")).to_be_visible(timeout=PATIENCE)
    page.get_by_role("radio", name="Paper").click()
    expect(page).to_have_url(re.compile("dataset=enron&"), timeout=PATIENCE)
    page.get_by_role("radio", name="Demo").click()
    expect(page).to_have_url(re.compile("dataset=wikipedia_excerpt"), timeout=PATIENCE)


def test_a_link_opens_on_a_server_that_has_just_started(page: Page, fresh_address: str) -> None:
    opened(page, fresh_address + LINK)
    settled(page)
    expect(page.get_by_role("link", name="Overview").first).to_be_visible()
    expect(page.get_by_role("link", name="app", exact=True)).to_have_count(0)
    expect(page.locator("h1", has_text="Word pairs")).to_be_visible()
    for name, text in SMALL.items():
        expect(page).to_have_url(re.compile(re.escape(f"{name}={text}")))


def test_run_cancel_run_again_look_share_download(
    page: Page, context: BrowserContext, address: str, tmp_path: Path
) -> None:
    opened(page, address + LINK)
    page.get_by_role("button", name="Run", exact=True).click()
    run = page.locator(".st-key-run")
    expect(run.get_by_role("progressbar")).to_be_visible(timeout=PATIENCE)

    expect(run).to_contain_text(re.compile(r"shadow models.* of "), timeout=RUN)
    before = finished(run)
    expect(run).not_to_contain_text(re.compile(rf"\b{before} of "), timeout=RUN)

    second = context.new_page()
    opened(second, address + LINK)
    expect(second.locator(".st-key-run").get_by_role("progressbar")).to_be_visible(timeout=PATIENCE)
    second.close()

    run.get_by_role("button", name="Cancel").click()
    expect(run).to_contain_text("cancelled", timeout=PATIENCE)
    page.reload()
    expect(page.locator(".st-key-run")).to_contain_text("cancelled", timeout=PATIENCE)
    page.get_by_role("button", name="Run again").click()

    expect(page.get_by_role("heading", name="The pairs that betray")).to_be_visible(timeout=RUN)
    _look_at_another_pair(page)
    _follow_the_link(page, context)
    rows = table_of(page, "pairs", tmp_path)
    assert rows
    assert {"first", "second", "weight"} <= set(rows[0])
    _find_in_the_list(page, address)


def test_the_keyboard_alone_is_enough(page: Page, address: str) -> None:
    opened(page, address + LINK)
    settled(page)
    seed = page.get_by_test_id("stSidebar").get_by_label("Seed", exact=True)
    tab_to(page, seed)
    page.keyboard.press("ControlOrMeta+A")
    page.keyboard.type("61")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("seed=61"), timeout=PATIENCE)
    settled(page)

    run = page.locator(".st-key-run")
    tab_to(page, run.get_by_role("button", name="Run", exact=True))
    page.keyboard.press("Enter")
    expect(run.get_by_role("progressbar")).to_be_visible(timeout=PATIENCE)
    tab_to(page, run.get_by_role("button", name="Cancel"))
    page.keyboard.press("Enter")
    expect(run).to_contain_text("cancelled", timeout=PATIENCE)

    tab_to(page, page.get_by_role("link", name="Runs", exact=True).first)
    page.keyboard.press("Enter")
    expect(page.locator("h1", has_text="Runs")).to_be_visible(timeout=PATIENCE)


def test_own_documents_are_uploaded_and_the_link_finds_them(page: Page, context: BrowserContext, address: str) -> None:
    page.goto(f"{address}/word_pairs?dataset=documents", wait_until="commit", timeout=PATIENCE)
    expect(page.get_by_text("Upload documents of your own")).to_be_visible(timeout=PATIENCE)
    rows = "".join(f"meeting number {number} is about gas prices,user {number % 5}\n" for number in range(50))
    table = {"name": "my mail.csv", "mimeType": "text/csv", "buffer": f"text,owner\n{rows}".encode()}
    page.locator("input[type=file]").set_input_files(table)  # type: ignore[arg-type]
    expect(page).to_have_url(re.compile(r"dataset\.source=[0-9a-f]{16}(/|%2F)my_mail\.csv"), timeout=PATIENCE)
    expect(page.get_by_role("button", name="Run", exact=True)).to_be_visible(timeout=PATIENCE)

    other = context.new_page()
    opened(other, page.url)
    expect(other.get_by_text("In use:")).to_contain_text("my_mail.csv", timeout=PATIENCE)
    expect(other.get_by_role("button", name="Run", exact=True)).to_be_visible(timeout=PATIENCE)


@pytest.mark.parametrize("width", [390, 1280])
def test_no_page_is_wider_than_the_screen(page: Page, address: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 720})
    for path in ("/", "/runs", LINK, *EMBEDDINGS, *DOWNSTREAM):
        opened(page, address + path)
        settled(page)
        main = page.get_by_test_id("stMain")
        assert main.evaluate("main => main.scrollWidth <= main.clientWidth"), path


def _look_at_another_pair(page: Page) -> None:
    bars = page.locator(".st-key-figure-pairs .point path")
    expect(bars.nth(1)).to_be_visible(timeout=PATIENCE)
    settled(page)
    bars.nth(1).click(force=True)
    expect(page).to_have_url(re.compile(r"view\.pair="), timeout=PATIENCE)
    settled(page)
    expect(page.locator(".st-key-figure-distances .js-plotly-plot")).to_be_visible(timeout=PATIENCE)


def _follow_the_link(page: Page, context: BrowserContext) -> None:
    page.get_by_role("button", name="Share").click()
    link = page.get_by_test_id("stCode").locator("code").inner_text().strip()
    page.keyboard.press("Escape")
    other = context.new_page()
    opened(other, link)
    expect(other.get_by_role("heading", name="The pairs that betray")).to_be_visible(timeout=PATIENCE)
    for name, text in SMALL.items():
        expect(other).to_have_url(re.compile(re.escape(f"{name}={text}")))
    other.close()


def _find_in_the_list(page: Page, address: str) -> None:
    opened(page, f"{address}/runs")
    row = page.locator("[class*=st-key-job-]").first
    expect(row).to_contain_text("Done")
    with page.expect_download() as download:
        row.get_by_role("button", name="Export").click()
    assert download.value.suggested_filename.endswith(".zip")
    row.get_by_role("link", name="Open").click()
    expect(page.get_by_role("heading", name="The pairs that betray")).to_be_visible(timeout=PATIENCE)
    expect(page).to_have_url(re.compile("seed=5"))
