"""The pages about sentence embeddings: words, digits, defenses and encoders, with what comes with the code."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.e2e.steps import PATIENCE, RUN, drawn, figure, opened, sentence, settled, tab_to, table_of

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.timeout(900)]

DEMO = "Keyword inference, small and offline"
OWN = "The war is over, and there is music in every street."


def test_from_the_overview_to_the_words_of_ones_own_sentence(page: Page, address: str) -> None:
    opened(page, address)
    drawn(page, "overview")
    settled(page)
    attack = page.locator(".st-key-entry-keyword_inference")
    attack.locator("summary").first.click()
    attack.get_by_role("link", name=DEMO).press("Enter")  # a click may miss what is still sliding open
    expect(page.locator("h1", has_text="Keyword inference")).to_be_visible(timeout=PATIENCE)
    expect(page).to_have_url(re.compile("dataset=wikipedia_excerpt"), timeout=PATIENCE)
    bars = drawn(page, "white_box")
    assert {"war", "world", "music"} <= set(bars.locator(".js-plotly-plot text").all_text_contents())
    assert bars.locator(".point").count() >= 4, "one for each word, and their mean"
    expect(page.locator(".st-key-about")).to_contain_text("Precomputed")

    page.get_by_role("textbox", name="Your sentence").fill(OWN)
    page.keyboard.press("ControlOrMeta+Enter")
    settled(page)
    page.locator(".st-key-run").get_by_role("button", name="Run", exact=True).click()
    expect(figure(page, "own-sentence")).to_be_visible(timeout=RUN)
    ranked = drawn(page, "own-sentence")
    assert {"war", "world", "music"} <= set(ranked.locator(".js-plotly-plot text").all_text_contents())
    expect(ranked).to_contain_text(re.compile(r"In the sentence: (war and music|music and war)"))


def test_a_text_is_written_that_comes_close_to_ones_own_sentence(page: Page, address: str) -> None:
    opened(page, f"{address}/corrective_inversion?preset=demo")
    settled(page)
    drawn(page, "search")
    written = page.locator(".st-key-written-yours")
    before = written.inner_text()
    page.get_by_role("textbox", name="Your sentence").fill(OWN)
    page.keyboard.press("ControlOrMeta+Enter")
    settled(page)
    page.locator(".st-key-run").get_by_role("button", name="Run", exact=True).click()
    expect(page.locator(".st-key-text-yours")).to_contain_text("music in every street", timeout=RUN)
    expect(written).not_to_have_text(before, use_inner_text=True, timeout=PATIENCE)
    assert {"the", "is", "war"} & {word.casefold() for word in written.locator("strong").all_inner_texts()}
    expect(sentence(page, "search")).to_contain_text("from the classifier alone")


def test_another_victim_has_other_digits(page: Page, address: str) -> None:
    opened(page, f"{address}/pattern_reconstruction?preset=demo")
    settled(page)
    number = page.get_by_test_id("stMarkdown").locator("h2")
    before, said = number.inner_text(), sentence(page, "likeliest-year").inner_text()
    assert len(re.sub(r"\D", "", before)) >= 17, "the digits of a citizen number"
    page.get_by_role("button", name="Draw another").click()
    expect(page).to_have_url(re.compile(r"view\.victim="), timeout=PATIENCE)
    expect(number).not_to_have_text(before, timeout=PATIENCE)
    expect(sentence(page, "likeliest-year")).not_to_have_text(said, use_inner_text=True, timeout=PATIENCE)
    drawn(page, "likeliest-year")


def test_the_slider_of_a_defense_is_moved_with_the_keyboard(page: Page, context: BrowserContext, address: str) -> None:
    opened(page, f"{address}/defenses")
    settled(page)
    slider, headline = page.get_by_role("slider"), page.locator(".st-key-headline")
    before, said = headline.inner_text(), sentence(page, "strength").inner_text()
    tab_to(page, slider)
    lowest, highest = (slider.get_attribute(end) for end in ("min", "max"))
    key, end = ("ArrowRight", highest) if slider.input_value() == lowest else ("ArrowLeft", lowest)
    while slider.input_value() != end:
        at = page.url
        page.keyboard.press(key)
        expect(page).not_to_have_url(at, timeout=PATIENCE)
    expect(page).to_have_url(re.compile(r"view\.strength="), timeout=PATIENCE)
    expect(headline).not_to_have_text(before, use_inner_text=True, timeout=PATIENCE)
    expect(sentence(page, "strength")).not_to_have_text(said, use_inner_text=True, timeout=PATIENCE)
    settled(page)

    other = context.new_page()
    opened(other, page.url)
    settled(other)
    shown = headline.inner_text(), sentence(page, "strength").inner_text()
    expect(other.locator(".st-key-headline")).to_have_text(shown[0], use_inner_text=True, timeout=PATIENCE)
    expect(sentence(other, "strength")).to_have_text(shown[1], use_inner_text=True, timeout=PATIENCE)
    expect(other.get_by_role("slider")).to_have_value(slider.input_value())


def test_the_encoders_are_told_apart_on_both_maps_and_counted(page: Page, address: str, tmp_path: Path) -> None:
    opened(page, f"{address}/encoder_fingerprint?preset=demo")
    settled(page)
    for name in ("accuracy", "confusion", "map-embedding", "map-hidden"):
        drawn(page, name)
    page.get_by_role("radio", name="UMAP").click()
    expect(page).to_have_url(re.compile(r"view\.map=UMAP"), timeout=PATIENCE)
    settled(page)
    drawn(page, "map-embedding")
    rows = table_of(page, "confusion", tmp_path)
    assert {"truth", "guess", "share"} <= set(rows[0])
    assert len({row["truth"] for row in rows}) ** 2 == len(rows) == 9
