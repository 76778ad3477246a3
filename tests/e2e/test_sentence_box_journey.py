"""A visitor types a sentence and reads at once what its embedding gives away; nothing else is drawn again."""

import os
from pathlib import Path
from unittest.mock import patch

import pytest
from playwright.sync_api import Page, expect

from core.readers.endpoint import here
from tests.benchmarks.visitor import visiting
from tests.e2e.steps import AXE, complete, heading, main, opened
from tests.errands import awaited

pytestmark = [pytest.mark.browser, pytest.mark.slow]

RULES = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]}}
SENTENCE = "The music of the second world war, said the zeppelin."


def test_a_sentence_is_read_at_once(page: Page, address: str, folder: Path) -> None:
    opened(page, f"{address}/multilabel_inversion?preset=demo")
    expect(heading(page, "Type a sentence")).to_be_visible()
    complete(page)
    before = page.url
    box = main(page).get_by_role("textbox", name="Sentence, then Enter")
    box.fill(SENTENCE)
    box.press("Enter")
    row = main(page).locator(".st-key-read-multilabel_inversion")
    expect(row.locator("strong").filter(has_text="world")).to_be_visible()
    expect(main(page).locator("[class*='st-key-read-']")).to_have_count(4)
    assert page.url == before
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        found = AXE.run(page, context=".st-key-sentence-box-rows", options=RULES).response["violations"]
        assert [violation["id"] for violation in found] == []

    fragment, charts = awaited(lambda: _typed(address))
    assert fragment
    assert charts == 0
    assert "zeppelin" not in (folder / "log.txt").read_text()
    with patch.dict(os.environ, TELLTALE_HOME=str(folder / "home")):
        here().end()


async def _typed(address: str) -> tuple[str, int]:
    """Type into the box; return the fragment that was drawn again, and the charts drawn then."""
    async with visiting(address) as visitor:
        drawn = await visitor.open("multilabel_inversion", {"preset": "demo"})
        assert drawn.charts
        box = next(box for box in drawn.boxes if box.label.startswith("Sentence"))
        return box.fragment, (await visitor.type(box, "Nothing else moves.")).charts
