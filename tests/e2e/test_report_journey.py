"""A report: downloaded from a result, read without a network in light and dark, and printed on eight pages."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page

from core import catalog
from core.report import build, rendered, verify
from core.report.evidence import MOST
from core.runtime.store import Store
from tests.e2e.steps import AXE, PHONE, downloaded, main, opened

pytestmark = pytest.mark.browser

PAGES = 8
_AUDIT = [
    f"audit_vectors_{tried}"
    for tried in ("float16", "int8", "binary", "Gaussian_noise_0.5", "Gaussian_noise_1", "Gaussian_noise_2")
] + ["audit_vectors_secret_rotation", "audit_vectors_secret_order_of_the_coordinates"]
"""A vector audit, of which most is said of each result."""
SHEETS = re.compile(rb"/Type\s*/Page\b")
WIDER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
CUT = """() => [...document.querySelectorAll("figure, figure *, table, caption, tr, th, td")]
    .filter((each) => each.getBoundingClientRect().right > document.documentElement.clientWidth)
    .map((each) => each.outerHTML.slice(0, 80))"""
"""Parts of figures and tables that reach beyond the page, even where they lie in something that scrolls."""


def test_a_report_is_kept_read_and_printed(page: Page, address: str, tmp_path: Path) -> None:
    opened(page, f"{address}/keyword_inference")
    download = downloaded(page, main(page).get_by_text("Report as HTML", exact=True).first)
    small, large, audit = (tmp_path / f"{name}.html" for name in ("small", "large", "audit"))
    download.save_as(small)
    assert verify(small.read_bytes(), Store()).intact
    evidence = [entry for entry in catalog.entries() if not entry.experiment.game.caveat()]
    every = {entry.experiment.attack.part_name(): entry.name for entry in evidence}
    large.write_bytes(rendered(build(list(every.values())[:MOST], Store()), ".html"))
    audit.write_bytes(rendered(build(_AUDIT, Store()), ".html"))
    page.context.set_offline(True)
    try:
        for path in (small, large, audit):
            page.goto(path.as_uri())
            for scheme in ("light", "dark"):
                page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
                assert not AXE.run(page, options={"resultTypes": ["violations"]}).response["violations"]
            page.set_viewport_size(PHONE)
            assert page.evaluate(WIDER) == 0
            assert page.evaluate(CUT) == []
            assert 1 <= len(SHEETS.findall(page.pdf(prefer_css_page_size=True))) <= PAGES
    finally:
        page.context.set_offline(False)
