"""A visitor types a sentence and reads at once what its embedding gives away; nothing else is drawn again."""

import os
import re
from pathlib import Path
from unittest.mock import patch

import pytest
from playwright.sync_api import Page, expect

from core.readers.endpoint import here
from core.registry import part
from tests.benchmarks.visitor import visiting
from tests.e2e.steps import AXE, complete, heading, main, opened
from tests.errands import awaited

pytestmark = [pytest.mark.browser, pytest.mark.slow]

RULES = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]}}
JUDGED = {"include": [["[data-testid=stMain]"]], "exclude": [[".js-plotly-plot svg"]]}
"""The page without its drawings, which other tests look at."""
READ = re.compile(r"Read: \d+ of \d+ different words")
"""What the row of each method counts."""
SENTENCE = "The music of the second world war, said the zeppelin."


def test_a_sentence_is_read_at_once(page: Page, address: str, folder: Path) -> None:
    opened(page, f"{address}/multilabel_inversion?preset=demo")
    expect(heading(page, "Type a sentence")).to_be_visible()
    complete(page)
    before = page.url
    box = main(page).get_by_role("textbox", name="Sentence, then Enter")
    box.fill(SENTENCE)
    box.press("Enter")
    rows = main(page).get_by_test_id("stHorizontalBlock").filter(has_text=READ)
    expect(rows).to_have_count(4)
    row = rows.filter(has_text=part("attack", "multilabel_inversion").title)
    expect(row.locator("strong").filter(has_text="world")).to_be_visible()
    assert page.url == before
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        violations = AXE.run(page, context=JUDGED, options=RULES).response["violations"]
        assert [violation["id"] for violation in violations] == []

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
