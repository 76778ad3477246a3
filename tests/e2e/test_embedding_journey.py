"""The pages about sentence embeddings: words, digits, defenses and encoders, with what comes with the code."""

import re
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from core.experiment import Experiment
from core.result import Result
from core.runtime.store import Store
from dashboard.kit import links, tabs
from tests.e2e.steps import (
    drawn,
    heading,
    main,
    open_tab,
    opened,
    opened_again,
    plot,
    point,
    sentence,
    settled,
    tab_to,
    table_of,
)

pytestmark = [pytest.mark.browser, pytest.mark.slow]

OWN = "The war is over, and there is music in every street."


@pytest.fixture
def small(folder: Path) -> Experiment:
    """The demo with few and short texts, so that a run embeds a few dozen; its result is said to be the demo's."""
    demo, store = Experiment.preset("keyword_inference", "demo"), Store(root=folder / "home")
    result = Result.load(store, demo.key)
    assert result is not None
    few = demo.replace(
        model=demo.model.replace(max_tokens=32),
        game=demo.game.replace(victims=5),
        attack=demo.attack.replace(texts=30),
    )
    replace(result, experiment=few.as_dict()).save(store, few.key)
    return few


def test_from_the_overview_to_the_words_of_a_sentence(page: Page, address: str) -> None:
    opened(page, address)
    drawn(page, "What leaked")
    settled(page)
    main(page).get_by_role("link", name="Keyword inference", exact=True).press("Enter")
    expect(heading(page, "Keyword inference")).to_be_visible()
    expect(page).to_have_url(re.compile("dataset=wikipedia_excerpt"))
    bars = drawn(page, "With texts of the same kind")
    assert {"war", "world", "music"} <= set(bars.locator("text").all_text_contents())
    expect(point(bars, 3)).to_be_attached()
    expect(main(page).get_by_text("Precomputed").first).to_be_visible()
    expect(page.get_by_role("textbox", name="Sentence for the run")).to_be_visible()


@pytest.mark.exhaustive  # tests/dashboard/test_inference_pages.py runs it without a browser
def test_ones_own_sentence_is_read(page: Page, address: str, small: Experiment) -> None:
    opened(page, f"{address}/keyword_inference?{urlencode(links.written(small, Store()))}")
    expect(main(page).get_by_text("Computed here").first).to_be_visible()
    page.get_by_role("textbox", name="Sentence for the run").fill(OWN)
    page.keyboard.press("ControlOrMeta+Enter")
    settled(page)
    main(page).get_by_role("button", name="Run", exact=True).click()
    ranked = drawn(page, "Keywords revealed by the embedding")
    assert {"war", "world", "music"} <= set(ranked.locator("text").all_text_contents())
    expect(ranked).to_have_accessible_name(re.compile(r"In the sentence: (war and music|music and war)"))


@pytest.mark.exhaustive  # tests/dashboard/test_inference_pages.py draws another victim without a browser
def test_another_victim_has_other_digits(page: Page, address: str) -> None:
    opened(page, f"{address}/pattern_reconstruction?preset=demo")
    open_tab(page, tabs.HOW)
    number = main(page).get_by_role("heading", level=2).filter(has_text=re.compile(r"(\d\D*){17}")).first
    before, sentence_before = number.inner_text(), sentence(drawn(page, "Year"))
    page.get_by_role("button", name="Draw another").click()
    expect(page).to_have_url(re.compile(r"view\.victim="))
    expect(number).not_to_have_text(before)
    expect(plot(page, "Year")).not_to_have_accessible_name(sentence_before)
    drawn(page, "Year")


def test_the_slider_of_a_defense_is_moved_with_the_keyboard(page: Page, address: str) -> None:
    opened(page, f"{address}/defenses")
    settled(page)
    slider, figure = page.get_by_role("slider"), main(page).get_by_role("figure").nth(1)
    figures, sentence_before = main(page).get_by_test_id("stMetricValue"), sentence(figure)
    before = figures.all_inner_texts()
    assert before
    tab_to(page, slider)
    expect(slider).to_have_accessible_name(str(slider.get_attribute("aria-label")))
    lowest, highest = (slider.get_attribute(end) for end in ("min", "max"))
    key, end = ("ArrowRight", highest) if slider.input_value() == lowest else ("ArrowLeft", lowest)
    while slider.input_value() != end:
        at = page.url
        page.keyboard.press(key)
        expect(page).not_to_have_url(at)
        settled(page)  # a key that is pressed while the page is redrawn may be lost
    expect(page).to_have_url(re.compile(r"view\.strength="))
    expect(figure).not_to_have_accessible_name(sentence_before)
    settled(page)
    shown, drawn_last, moved_to = figures.all_inner_texts(), sentence(figure), slider.input_value()
    assert shown != before

    opened_again(page)
    expect(figures).to_have_text(shown, use_inner_text=True)
    expect(figure).to_have_accessible_name(drawn_last)
    expect(slider).to_have_value(moved_to)


@pytest.mark.exhaustive  # tests/dashboard/test_embedding_pages.py shows both maps without a browser
def test_the_encoders_are_told_apart_on_both_maps_and_counted(page: Page, address: str, tmp_path: Path) -> None:
    opened(page, f"{address}/encoder_fingerprint?preset=demo")
    settled(page)
    for name in ("Accuracy by encoder", "Confusion matrix"):
        drawn(page, name)
    rows = table_of(page, "Confusion matrix", tmp_path)
    open_tab(page, tabs.HOW)
    for name in ("The embeddings", "Hidden layer of the classifier"):
        drawn(page, name)
    page.get_by_role("radio", name="UMAP").click()
    expect(page).to_have_url(re.compile(r"view\.map=UMAP"))
    settled(page)
    expect(drawn(page, "The embeddings").get_by_text("UMAP 1").first).to_be_visible()
    assert {"truth", "guess", "share"} <= set(rows[0])
    assert len({row["truth"] for row in rows}) ** 2 == len(rows) == 9
