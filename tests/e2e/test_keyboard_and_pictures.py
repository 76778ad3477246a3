"""What the keyboard reaches: fields without detours, the table behind a chart; and pictures that name their source."""

import re
import struct
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from core.experiment import Experiment
from tests.e2e.steps import complete, data_of, downloaded, drawn, main, open_form, opened, sentence, tab_to, until

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PAGE = "/word_pairs?preset=demo"
FIGURE = "Accuracy against shadow models"
MOST = 16
"""Stops of the Tab key from the top of a page to its menu: two before the form, and one a field or fold."""
FOCUS = """() => {
    const node = document.activeElement;
    const inMenu = Boolean(node.closest('[data-testid="stTopNav"]'));
    return [inMenu, node.ariaLabel ?? node.textContent, node.matches('[data-testid="stTooltipHoverTarget"] button')];
}"""


INSIDE = "() => Boolean(document.activeElement.closest('[data-testid=stPopoverBody]'))"
LOST = "() => { document.activeElement.blur(); document.body.append(document.createElement('i')); }"
"""What is drawn anew takes the focus with it: nothing has it, and the page has changed."""
FOLLOWS = """button => document.activeElement !== document.body
    && Boolean(button.compareDocumentPosition(document.activeElement) & Node.DOCUMENT_POSITION_FOLLOWING)"""


def edges(element: Locator) -> tuple[float, float, float, float]:
    """Return the left, upper, right and lower edge of something."""
    box = element.bounding_box()
    assert box is not None
    return box["x"], box["y"], box["x"] + box["width"], box["y"] + box["height"]


def _ends_a_run(message: bytes | str) -> bool:
    """Tell whether the server says that the page has been computed anew."""
    return isinstance(message, bytes) and ForwardMsg.FromString(message).HasField("script_finished")


def test_tab_goes_from_field_to_field_and_shows_the_help_of_each(page: Page, address: str) -> None:
    opened(page, address + PAGE)
    complete(page)
    stops = []
    for _ in range(MOST + 1):
        page.keyboard.press("Tab")
        in_menu, name, is_help = page.evaluate(FOCUS)
        if in_menu:
            break
        assert not is_help, name
        stops.append(name)
    assert page.evaluate(FOCUS)[0], stops
    assert stops[0] == "Skip to main content"
    assert "Shadow pairs (k)" not in stops, "a form that is folded away is passed over"
    field = page.get_by_role("spinbutton", name="Shadow pairs (k)")
    expect(field).not_to_be_in_viewport()
    expect(page.get_by_role("radio", name="Demo")).to_be_in_viewport()
    open_form(page)
    expect(page.get_by_role("button", name="Increment: Shadow pairs (k)", exact=True)).to_have_count(1)
    field.focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    expect(page.get_by_role("tooltip")).to_contain_text("Shadow models with each target")
    expect(field).to_have_accessible_description(re.compile("Shadow models with each target"))
    page.keyboard.press("Tab")
    expect(field).not_to_have_attribute("aria-describedby", re.compile("."))


def test_the_table_behind_a_chart_opens_by_the_keyboard_and_fits_on_a_projector(page: Page, address: str) -> None:
    with page.expect_websocket(lambda socket: "_stcore" in socket.url) as connected:
        opened(page, address + PAGE)
    complete(page)
    tab_to(page, main(page).get_by_role("button", name="Fullscreen").nth(2))
    page.keyboard.press("Tab")
    button = data_of(page, FIGURE)
    expect(button).to_be_focused()
    button.evaluate("node => node.scrollIntoView({ block: 'center' })")
    page.keyboard.press("Enter")
    body = page.get_by_test_id("stPopoverBody")
    expect(body.get_by_test_id("stDataFrame")).to_be_visible()
    complete(page)
    left, high, right, low = edges(body)
    assert left >= 0 and high >= 0 and right <= 1280 and low <= 720
    for name in ("Picture as PNG", "Picture as SVG", "Table as CSV", "Table as JSON"):
        *_, lower = edges(body.get_by_role("button", name=name))
        assert lower <= low, name

    until(page, INSIDE)
    page.evaluate(LOST)
    until(page, INSIDE)
    page.keyboard.press("Tab")
    assert page.evaluate(INSIDE), "the next Tab enters what the keyboard opened"
    with connected.value.expect_event("framereceived", _ends_a_run):
        page.keyboard.press("Escape")
    expect(body).to_have_count(0)
    expect(button).to_be_focused()

    complete(page)  # the server has closed it, too: before that, Enter would open what it closes
    page.keyboard.press("Enter")
    expect(body.get_by_test_id("stDataFrame")).to_be_visible()
    complete(page)
    until(page, INSIDE)
    for _ in range(30):
        page.keyboard.press("Tab")
        if not page.evaluate(INSIDE):
            break
    expect(body).to_have_count(0)
    assert page.evaluate(FOLLOWS, button.element_handle()), "Tab leads on behind the button"


def test_buttons_of_help_and_of_charts_are_named_after_what_they_belong_to(page: Page, address: str) -> None:
    opened(page, address + PAGE)
    complete(page)
    helps = main(page).locator("[data-testid=stTooltipHoverTarget] button[aria-label^=Help]")
    expect(main(page).locator("button:is([aria-label=Help], [aria-label=Fullscreen])")).to_have_count(0)
    names = helps.evaluate_all("buttons => buttons.map(button => button.ariaLabel)")
    assert len(names) == len(set(names)) > 3, names
    assert 0 in helps.evaluate_all("buttons => buttons.map(button => button.tabIndex)"), (
        "no field leads to help of a text"
    )
    expect(main(page).get_by_role("button", name=f"Fullscreen: {FIGURE}", exact=True)).to_have_count(1)


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("name", ["Report as HTML", "Result as JSON"])
def test_a_download_keeps_the_focus(page: Page, address: str, name: str) -> None:
    opened(page, f"{address}/encoder_fingerprint?preset=demo")
    complete(page)
    button = main(page).get_by_role("button", name=name).filter(visible=True)
    tab_to(page, button)
    with page.expect_download():
        page.keyboard.press("Enter")
    expect(button).to_be_focused()


def test_a_picture_holds_title_sentence_source_and_n_in_the_fonts_of_the_page(
    page: Page, address: str, tmp_path: Path
) -> None:
    opened(page, address + PAGE)
    complete(page)
    across = drawn(page, FIGURE).locator(".main-svg").first.bounding_box()
    assert across is not None
    data_of(page, FIGURE).click()
    body = page.get_by_test_id("stPopoverBody")
    caption = sentence(drawn(page, FIGURE))
    picture = _saved(page, body.get_by_role("button", name=f"Picture as SVG: {FIGURE}"), tmp_path).read_text("utf-8")
    texts = re.findall(r"<text[^>]*>([^<]+)</text>", picture)
    key = Experiment.preset("word_pairs", "demo").key
    whole = " ".join(texts)
    assert whole.startswith(f"Word pairs · {FIGURE} · Wikipedia excerpt, word2vec"), "attack, figure and data"
    assert whole.endswith(f"{caption} Telltale, result {key}; n of its answer: 160 decisions; seed 1, no defense"), (
        "and how it was got"
    )
    assert picture.count("@font-face") >= 2 and "url(&quot;http" not in picture and "vector-effect" not in picture
    image = _saved(page, body.get_by_role("button", name=f"Picture as PNG: {FIGURE}"), tmp_path).read_bytes()
    assert image.startswith(b"\x89PNG")
    width, height = struct.unpack(">II", image[16:24])
    assert width >= max(2000, 2 * across["width"]) and height > 2 * across["height"]
    expect(main(page).get_by_role("button", name="Download plot")).to_have_count(0)


def _saved(page: Page, button: Locator, folder: Path) -> Path:
    download = downloaded(page, button)
    file = folder / download.suggested_filename
    download.save_as(file)
    return file
