"""What makes a page hard to read: axe's findings, headings, names, focus rings, and what is cut on a screen."""

from collections import Counter
from itertools import pairwise
from typing import Any, Literal

from playwright.sync_api import Page, ViewportSize, expect

from tests.e2e.steps import AXE, PROJECTOR, complete, main, until

Scheme = Literal["light", "dark"]

LEAST = {"resultTypes": ["violations"], "preload": False}
"""Without what axe reads beforehand for sounds and films, of which there are none."""
RULES = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}, **LEAST}
"""WCAG 2 up to 2.2, levels A and AA."""
CONTRAST = {"runOnly": {"type": "rule", "values": ["color-contrast"]}, **LEAST}
"""What other colours may break: all else on a page is the same in the light and in the dark."""
JUDGED = {"exclude": [[".js-plotly-plot svg"]]}
"""All but the drawings: axe goes through each of their letters, and leaves the contrast of all to whoever looks."""
SMALL: ViewportSize = {"width": 1024, "height": 768}
WIDE: ViewportSize = {"width": 1920, "height": 1080}
TABLET: ViewportSize = {"width": 768, "height": 1024}

HEADINGS = "headings => headings.map(heading => [Number(heading.tagName[1]), heading.textContent])"
UNNAMED_CHARTS = """charts => charts
    .filter(chart => !/\\w/.test(chart.closest("[role=figure]")?.ariaLabel ?? ""))
    .map(chart => chart.textContent)"""
WITHOUT_RING = """links => links.filter(link => link.checkVisibility()).filter(link => {
    link.focus();
    const look = getComputedStyle(link);
    const toolbar = link.closest(".stElementToolbar");
    const isHidden = toolbar && getComputedStyle(toolbar).opacity === "0";
    return look.outlineStyle === "none" || parseFloat(look.outlineWidth) < 2 || isHidden;
}).map(link => link.textContent)"""

NAMED = """() => [...document.querySelectorAll(".stElementToolbar button, .stFileUploader button")].every(
    button => (button.ariaLabel ?? "").match(/: |^Help/)
)"""
"""Whether the buttons of tables and uploads say whose they are."""
TOLD = """() => [...document.querySelectorAll(".stDataFrame")].every(table => {
    const shown = table.querySelector(".dvn-scroller");
    const isWider = shown && shown.scrollWidth > shown.clientWidth + 1;
    return !isWider || getComputedStyle(table, "::after").content.includes("columns: swipe");
})"""
"""Whether each table that is wider than its place says so."""
CUT = """() => [...document.querySelectorAll(".js-plotly-plot")].flatMap(chart => {
    const box = chart.getBoundingClientRect();
    return [...chart.querySelectorAll("svg text")].flatMap(text => {
        const inner = text.getBoundingClientRect();
        const beyond = Math.max(
            box.left - inner.left, inner.right - box.right, box.top - inner.top, inner.bottom - box.bottom
        );
        return inner.width && beyond > 2 ? [`${text.textContent}: ${Math.round(beyond)} px`] : [];
    });
})"""
"""Labels that reach more than 2 pixels beyond their chart."""
SHORTENED = """main => [...main.querySelectorAll(
    "[data-testid=stMetricLabel] p, [data-testid=stMetricValue] div, [data-tag] > span"
    + ", [data-testid=stFileUploaderDropzoneInstructions] span"
)]
    .concat(innerWidth < 768 ? [] : [...main.querySelectorAll("[data-testid=stSelectbox] input")])
    .filter(each => each.scrollWidth > each.clientWidth + 1)
    .map(each => each.value ?? each.textContent)"""
"""Names and values of figures, entries and kinds of files that end before they are read; on a phone a field may."""
COVERED = """() => [...document.querySelectorAll(".js-plotly-plot")].flatMap(chart => {
    const edges = found => [...chart.querySelectorAll(found)].map(each => each.getBoundingClientRect());
    const marks = edges(".scatterlayer .points path"), ticks = edges(".xtick, .ytick");
    const texts = [...chart.querySelectorAll(".annotation, .scatterlayer .textpoint, .legendtext")];
    return texts.filter(text => {
        const box = (text.querySelector("text") ?? text).getBoundingClientRect();
        return [...marks, ...text.matches(".legendtext") ? ticks : []].some(other =>
            other.width > 1
            && Math.min(box.right, other.right) - Math.max(box.left, other.left) > 2
            && Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top) > 2
        );
    }).map(text => text.textContent);
})"""
"""Labels that lie on a mark, or names in a legend that lie on a tick, by more than 2 pixels both ways."""
REDRAWN = """() => [...document.querySelectorAll(".js-plotly-plot")].every(chart =>
    Math.abs(chart.clientWidth - chart.querySelector(".main-svg").clientWidth) <= 1
    && Math.abs(chart.clientWidth - chart.closest("[role=figure]").clientWidth) <= 1
) && [...document.querySelectorAll("[data-testid=stDataFrame]")].every(table =>
    table.clientWidth <= table.closest("[data-testid=stElementContainer]").clientWidth + 1
)"""
"""Whether charts and tables have taken the width that is left for them."""
OVER_LABELS = """() => [...document.querySelectorAll(".modebar-btn[data-title=Fullscreen]")].flatMap(button => {
    const box = button.getBoundingClientRect();
    return [...button.closest(".js-plotly-plot").querySelectorAll("svg text")].filter(text => {
        const other = text.getBoundingClientRect();
        return Math.min(box.right, other.right) - Math.max(box.left, other.left) > 2
            && Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top) > 2;
    }).map(text => text.textContent);
})"""
"""Labels of a chart below the button that makes it as large as the screen."""
MENU = """menu => [...menu.children].filter(entry => !entry.ariaHidden)
    .filter(entry => entry.getBoundingClientRect().right > menu.getBoundingClientRect().right + 1)
    .map(entry => entry.textContent)"""


ROWS = """main => [...main.querySelectorAll("[class*=st-key-estimates-]")].map(row => {
    const tops = [...row.querySelectorAll("[data-testid=stMetric]")]
        .map(each => Math.round(each.getBoundingClientRect().top));
    return Math.max(0, ...tops.map(top => tops.filter(other => other === top).length));
})"""
BESIDE = """main => [...main.querySelectorAll("[data-testid=stHorizontalBlock]")].map(row => new Set(
    [...row.children].filter(column => column.querySelector(".js-plotly-plot"))
        .map(column => Math.round(column.getBoundingClientRect().left))
).size)"""


def scheme_of(visited: Page) -> Scheme:
    return "dark" if visited.evaluate("matchMedia('(prefers-color-scheme: dark)').matches") else "light"


def axe(
    visited: Page,
    rules: dict[str, Any] = RULES,
    scheme: Scheme = "light",
    size: ViewportSize = PROJECTOR,
) -> None:
    """Fail where axe finds something serious in these colours, on this screen."""
    visited.set_viewport_size(size)
    recoloured(visited, scheme)
    assert not violations(visited, rules)


def recoloured(visited: Page, scheme: Scheme) -> None:
    """Show a page in the light or in the dark."""
    if scheme != scheme_of(visited):
        visited.emulate_media(color_scheme=scheme)
        until(visited, f"!!document.querySelector('.st-key-scheme-{scheme}')")


def resized(visited: Page, screen: ViewportSize) -> None:
    """Show a page on another screen, and wait until all has taken the width that is left for it."""
    visited.set_viewport_size(screen)
    until(visited, "width => document.documentElement.clientWidth === width", screen["width"])
    complete(visited)
    until(visited, REDRAWN)


def violations(visited: Page, rules: dict[str, Any] = RULES) -> list[tuple[str, str, str]]:
    """Return what axe finds serious: rule, element and what is wrong with it."""
    complete(visited)
    found = AXE.run(visited, context=JUDGED, options=rules).response["violations"]
    serious = [violation for violation in found if violation["impact"] in ("serious", "critical")]
    return [
        (violation["id"], node["html"], node["failureSummary"]) for violation in serious for node in violation["nodes"]
    ]


def headings(visited: Page) -> list[str]:
    """Return headings that skip a level, or repeat another."""
    found = main(visited).locator("h1, h2, h3, h4, h5, h6").filter(visible=True).evaluate_all(HEADINGS)
    levels = [level for level, _ in found]
    skips = [text for (before, _), (after, text) in pairwise(found) if after > before + 1]
    first = [] if levels[:1] == [1] and levels.count(1) == 1 else [f"levels {levels}"]
    return [*first, *skips, *_repeated([text for _, text in found])]


def unnamed(visited: Page) -> list[str]:
    """Return names that several buttons or fields share, and charts without a name."""
    buttons = main(visited).locator("[data-testid=stPopoverButton], [data-testid=stDownloadButton] button")
    downloads = buttons.filter(visible=True)  # with a help text, a button stands there twice: once for touch
    until(visited, NAMED)
    fields = visited.locator(".stNumberInput button, .stFileUploader button, .stElementToolbar button")
    return [
        *_repeated(downloads.all_text_contents()),
        *_repeated(fields.evaluate_all("buttons => buttons.map(button => button.ariaLabel)")),
        *visited.locator(".js-plotly-plot").evaluate_all(UNNAMED_CHARTS),
    ]


def without_ring(visited: Page) -> list[str]:
    """Return what takes the focus and does not show it."""
    visited.keyboard.press("Tab")
    stops = "a[href], .modebar-btn, .stElementToolbar button, [data-testid=stMain], [data-testid=stTopNavSection]"
    corner = "[data-testid=stExpandSidebarButton], .stAppHeader [data-testid=stLogoLink]"
    return list(visited.locator(f"{stops}, {corner}").evaluate_all(WITHOUT_RING))


def beyond_three(visited: Page) -> list[int]:
    """Return how many figures stand in each row of more than three."""
    return [count for count in main(visited).evaluate(ROWS) if count > 3]


def uncut(visited: Page, screen: ViewportSize) -> dict[str, Any]:
    """Return what is cut, covered or too wide on a screen."""
    resized(visited, screen)
    if screen["width"] < 768:
        expect(visited.get_by_test_id("stTopNav")).to_have_count(0)  # a moment later, it stands at the side
        until(visited, TOLD)
    beyond = "main => Math.max(main.scrollWidth - main.clientWidth, 0)"
    found = {
        "cut": visited.evaluate(CUT),
        "shortened": main(visited).evaluate(SHORTENED),
        "covered": visited.evaluate(COVERED),
        "over labels": visited.evaluate(OVER_LABELS),
        "pixels beyond": main(visited).evaluate(beyond),
        "cut in the menu": visited.get_by_test_id("stTopNav").evaluate_all(f"menus => menus.flatMap({MENU})"),
    }
    if screen["width"] < 1100:
        found["columns"] = [count for count in main(visited).evaluate(BESIDE) if count > 1]
    return {f"{name} at {screen['width']}": each for name, each in found.items()}


def _repeated(names: list[str]) -> list[str]:
    return [name for name, count in Counter(names).items() if count > 1]
