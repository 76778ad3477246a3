"""Every tab of every page can be read: contrast, headings, names, focus; no label is cut on any common screen."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from dashboard import navigation
from dashboard.kit import tabs
from tests.e2e.steps import (
    AXE,
    LOST,
    PHONE,
    PROJECTOR,
    Name,
    complete,
    drawn,
    heading,
    main,
    new_window,
    open_form,
    open_tab,
    opened,
    policed,
    pressed_until,
    settled,
    tab_of,
    until,
)

pytestmark = [pytest.mark.browser, pytest.mark.slow]

LEAST = {"resultTypes": ["violations"], "preload": False}
"""Without what axe reads beforehand for sounds and films, of which there are none."""
RULES = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}, **LEAST}
"""WCAG 2 up to 2.2, levels A and AA."""
CONTRAST = {"runOnly": {"type": "rule", "values": ["color-contrast"]}, **LEAST}
"""What other colours may break: all else on a page is the same in the light and in the dark."""
JUDGED = {"exclude": [[".js-plotly-plot svg"]]}
"""All but the drawings: axe goes through each of their letters, and leaves the contrast of all to whoever looks."""
SMALL, WIDE, TABLET = {"width": 1024, "height": 768}, {"width": 1920, "height": 1080}, {"width": 768, "height": 1024}

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
BRIGHT, DIM = (
    f"(colour => colour.match(/\\d+/g).slice(0, 3).every(part => part {bound}))" for bound in ("> 127", "< 128")
)
"""Whether a label of this colour can be read in the dark, and in the light."""
BACKGROUND = "getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor"
LABELS = "[...document.querySelectorAll('.js-plotly-plot :is(.xtick, .ytick) text')]"
"""The labels of all axes, in which a chart is drawn anew when the colours change."""
MENU = """menu => [...menu.children].filter(entry => !entry.ariaHidden)
    .filter(entry => entry.getBoundingClientRect().right > menu.getBoundingClientRect().right + 1)
    .map(entry => entry.textContent)"""


ROWS = """main => {
    const figures = [...main.querySelectorAll("[data-testid=stMetric]")].filter(each => each.checkVisibility());
    const places = figures.map(each => ({
        row: each.closest("[data-testid=stHorizontalBlock]"), top: Math.round(each.getBoundingClientRect().top)
    }));
    return places.map(({ row, top }) => places.filter(other => other.row === row && other.top === top).length);
}"""
"""For each figure that is seen, how many stand side by side in its row, itself counted."""
BESIDE = """main => [...main.querySelectorAll("[data-testid=stHorizontalBlock]")].map(row => new Set(
    [...row.children].filter(column => column.querySelector(".js-plotly-plot"))
        .map(column => Math.round(column.getBoundingClientRect().left))
).size)"""


TABS = [
    (page, tab)
    for page in navigation.declared()
    for tab in (tabs.ANSWER, tabs.HOW, tabs.DEFENSES, tabs.PAPER)
    if tab == tabs.ANSWER or page.attacks
]
"""Each tab of each page; what has no tabs counts as an answer."""
SECOND = {page.name for page in [page for page in navigation.declared() if page.attacks][1::2]}
"""Every second page of an attack: its tabs beside the answer are made of the same parts as those of the others."""
APART = ("tour=ten_minutes", "lesson=mailbox&step=1", "lesson=mailbox&step=1&screen=large")
"""What no menu leads to: a tour, a step before its answer is revealed, and the same on the large screen."""
SIGHTS: list[tuple[str, str, Name]] = [
    ("word_pairs", tabs.HOW, "Along the LASSO path"),
    ("keyword_inference", tabs.HOW, re.compile("^Decision boundary of")),
    ("defenses", tabs.ANSWER, "Utility against privacy"),
    ("inversion", tabs.ANSWER, "Type a sentence"),
]
"""What a visitor comes to see: page, tab and heading."""
STORIES = ("canary_extraction", "translation_overlap", "defenses")
HIGHEST, HIGHEST_OF_OTHERS = 4.5 * 720, 7 * 720
"""About four screens for a story, and seven for what compares many attacks or methods; the overview lists them all."""
HEIGHT = "document.querySelector('[data-testid=stMainBlockContainer]').scrollHeight"


@pytest.fixture(scope="module")
def turn_to(browser: Browser, address: str) -> Iterator[Callable[[str], Page]]:
    """Opens a page on the result that it opens on; the latest stays open for its other tabs."""
    with new_window(browser) as context, policed(context):
        page, shown = context.new_page(), ""

        def turned(name: str) -> Page:
            nonlocal shown
            page.set_viewport_size(PROJECTOR)
            if name != shown:
                if shown:
                    choose(page, name)
                else:
                    opened(page, f"{address}/{'' if name == navigation.declared()[0].name else name}")
                shown = name
            complete(page)
            return page

        yield turned


def choose(page: Page, name: str) -> None:
    """Open a page by the menu, which costs half of what its address costs: no script is loaded anew."""
    menu, address = page.get_by_test_id("stTopNav"), re.compile(rf"/{name}(\?|$)")
    question, title = next(
        (question, each.title)
        for question, entries in navigation.menus().items()
        for each in entries
        if each.name == name
    )

    def press() -> None:
        if question:
            menu.get_by_role("button", name=question).click(timeout=LOST)
            page.get_by_role("menuitem").filter(has=page.get_by_text(title, exact=True)).click(timeout=LOST)
        else:
            menu.get_by_role("link", name=title).click(timeout=LOST)
        page.wait_for_url(address, timeout=LOST)

    pressed_until(page, press, lambda: bool(address.search(page.url)))
    expect(main(page).locator("h1").first).to_be_visible()


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(
            (page, tab),
            id=f"{page.name}-{tab}",
            marks=[pytest.mark.exhaustive] if page.name in SECOND and tab != tabs.ANSWER else [],
        )
        for page, tab in TABS
    ],
)
def visited(request: pytest.FixtureRequest, turn_to: Callable[[str], Page]) -> Page:
    """Each tab of each page, with all unfolded that is folded away; of experiments of many attacks, those of one."""
    declared, tab = request.param
    page = turn_to(declared.name)
    if tab_of(page, tab).count():
        scheme = scheme_of(page)
        if tab == tabs.HOW:
            scheme = other(scheme)
            page.emulate_media(color_scheme=scheme)
        open_tab(page, tab)
        until(page, in_colours(scheme))
        complete(page)
    elif tab != tabs.ANSWER:
        pytest.skip("This result has no such tab.")
    page.evaluate(f"window.foldedHeight = {HEIGHT}")
    closed = main(page).locator("details:not([open]) > summary").filter(visible=True)
    labels = [text.splitlines()[-1] for text in closed.all_inner_texts()]
    for label in {re.sub(r"\d+|: .*", "", label): label for label in labels}.values():
        complete(page)
        closed.filter(has_text=label).first.click()
        settled(page)
    complete(page)
    return page


def test_axe_finds_nothing_serious(visited: Page, request: pytest.FixtureRequest) -> None:
    """Every page in both colours: its answer in those that the page before was left in, its other tabs in the others.

    The colours change once a page, with a tab whose charts are drawn in any case, and each kind of tab is seen in both.
    """
    declared, _ = request.node.callspec.params["visited"]
    scheme = scheme_of(visited)
    axe(visited, scheme=scheme)
    if not declared.attacks:
        axe(visited, CONTRAST, other(scheme))


def in_colours(scheme: Literal["light", "dark"]) -> str:
    """Return whether the page, and the labels of every chart that is drawn, have the colours of a scheme."""
    paper, ink = (BRIGHT, DIM) if scheme == "light" else (DIM, BRIGHT)
    return f"{paper}({BACKGROUND}) && {LABELS}.every(label => {ink}(label.style.fill))"


def scheme_of(visited: Page) -> Literal["light", "dark"]:
    return "dark" if visited.evaluate("matchMedia('(prefers-color-scheme: dark)').matches") else "light"


def other(scheme: Literal["light", "dark"]) -> Literal["light", "dark"]:
    return "light" if scheme == "dark" else "dark"


def test_charts_change_their_colours_with_the_browser(page: Page, address: str) -> None:
    opened(page, f"{address}/encoder_fingerprint?preset=demo")
    drawn(page, "Accuracy by encoder")
    inks_by_scheme: dict[Literal["dark", "light"], str] = {"dark": BRIGHT, "light": DIM}
    for scheme, inks in inks_by_scheme.items():
        page.emulate_media(color_scheme=scheme)
        until(page, f"[...document.querySelectorAll('.xtick text')].every(tick => {inks}(tick.style.fill))")


@pytest.mark.parametrize("query", APART)
def test_axe_finds_nothing_serious_apart_from_the_menu(page: Page, address: str, query: str) -> None:
    opened(page, f"{address}/lessons?{query}")
    axe(page)
    axe(page, CONTRAST, "dark")


def test_a_button_below_the_pointer_keeps_its_contrast(page: Page, address: str) -> None:
    opened(page, f"{address}/encoder_fingerprint?preset=demo")
    for button in ("Result as JSON", "About this result"):
        main(page).get_by_role("button", name=button).first.hover()
        axe(page, CONTRAST, "dark")


def axe(
    visited: Page,
    rules: dict[str, Any] = RULES,
    scheme: Literal["light", "dark"] = "light",
    size: ViewportSize = PROJECTOR,
) -> None:
    visited.set_viewport_size(size)
    if scheme != scheme_of(visited):
        visited.emulate_media(color_scheme=scheme)
        until(visited, in_colours(scheme))
    complete(visited)
    violations = AXE.run(visited, context=JUDGED, options=rules).response["violations"]
    serious = [violation for violation in violations if violation["impact"] in ("serious", "critical")]
    assert not [
        (violation["id"], node["html"], node["failureSummary"]) for violation in serious for node in violation["nodes"]
    ]


def test_headings_neither_skip_a_level_nor_repeat(visited: Page) -> None:
    headings = main(visited).locator("h1, h2, h3, h4, h5, h6").filter(visible=True).evaluate_all(HEADINGS)
    levels = [level for level, _ in headings]
    assert levels[0] == 1, headings
    assert levels.count(1) == 1, headings
    assert all(after <= before + 1 for before, after in pairwise(levels)), headings
    assert not _repeated([text for _, text in headings])


def test_buttons_and_charts_have_names_of_their_own(visited: Page) -> None:
    buttons = main(visited).locator("[data-testid=stPopoverButton], [data-testid=stDownloadButton] button")
    downloads = buttons.filter(visible=True)  # with a help text, a button stands there twice: once for touch
    assert not _repeated(downloads.all_text_contents())
    until(visited, NAMED)
    fields = visited.locator(".stNumberInput button, .stFileUploader button, .stElementToolbar button")
    assert not _repeated(fields.evaluate_all("buttons => buttons.map(button => button.ariaLabel)"))
    assert not visited.locator(".js-plotly-plot").evaluate_all(UNNAMED_CHARTS)


def test_whatever_takes_the_focus_shows_it(visited: Page) -> None:
    visited.keyboard.press("Tab")
    stops = "a[href], .modebar-btn, .stElementToolbar button, [data-testid=stMain], [data-testid=stTopNavSection]"
    corner = "[data-testid=stExpandSidebarButton], .stAppHeader [data-testid=stLogoLink]"
    assert not visited.locator(f"{stops}, {corner}").evaluate_all(WITHOUT_RING)


def test_at_most_three_figures_stand_in_a_row(visited: Page) -> None:
    visited.set_viewport_size(PROJECTOR)
    complete(visited)
    assert max(main(visited).evaluate(ROWS), default=0) <= 3


def test_nothing_is_cut_on_a_projector(visited: Page) -> None:
    uncut(visited, PROJECTOR)


@pytest.mark.sampled(every=3)
@pytest.mark.parametrize("screen", [WIDE, SMALL], ids=lambda screen: str(screen["width"]))
def test_nothing_is_cut_on_other_screens(visited: Page, screen: ViewportSize) -> None:
    uncut(visited, screen)


def test_nothing_is_cut_on_a_phone(visited: Page) -> None:
    uncut(visited, PHONE)


def uncut(visited: Page, screen: ViewportSize) -> None:
    visited.set_viewport_size(screen)
    until(visited, "width => document.documentElement.clientWidth === width", screen["width"])
    complete(visited)
    until(visited, REDRAWN)
    if screen["width"] < 768:
        expect(visited.get_by_test_id("stTopNav")).to_have_count(0)  # a moment later, it stands at the side
        until(visited, TOLD)
    assert not visited.evaluate(CUT)
    assert not main(visited).evaluate(SHORTENED)
    assert not visited.evaluate(COVERED)
    assert not visited.evaluate(OVER_LABELS)
    if screen["width"] < 1100:
        assert max(main(visited).evaluate(BESIDE), default=0) <= 1, "one column"
    assert not main(visited).evaluate("main => Math.max(main.scrollWidth - main.clientWidth, 0)")
    assert not visited.get_by_test_id("stTopNav").evaluate_all(f"menus => menus.flatMap({MENU})")


def test_each_tab_tells_its_story_on_about_four_screens(visited: Page, request: pytest.FixtureRequest) -> None:
    declared, _ = request.node.callspec.params["visited"]
    highest = HIGHEST if declared.name in STORIES else HIGHEST_OF_OTHERS
    assert declared == navigation.declared()[0] or visited.evaluate("foldedHeight") < highest


def test_each_sight_stands_on_the_page_and_the_tab_that_lead_to_it(
    visited: Page, request: pytest.FixtureRequest
) -> None:
    declared, tab = request.node.callspec.params["visited"]
    for name, tab_of_sight, title in SIGHTS:
        if (name, tab_of_sight) == (declared.name, tab):
            expect(heading(visited, title)).to_be_visible()


def test_the_menu_leads_to_every_page_on_any_screen(page: Page, address: str) -> None:
    opened(page, f"{address}/word_pairs")
    for screen in (PHONE, TABLET, PROJECTOR, SMALL):
        page.set_viewport_size(screen)
        until(page, "width => document.documentElement.clientWidth === width", screen["width"])
        expect(page.get_by_test_id("stTopNav")).to_have_count(int(screen["width"] >= 768))
        complete(page)
        _leads_to_every_page(page)
    open_form(page)
    complete(page)
    assert not page.get_by_text(re.compile(r"^\d+ more$")).count(), "beside the open form"


def _leads_to_every_page(page: Page) -> None:
    menu = page.get_by_test_id("stTopNav")
    labels = set()
    name = "Settings" if menu.count() else "Menu"
    expect(page.get_by_test_id("stExpandSidebarButton")).to_have_accessible_name(name)
    if menu.count():
        assert not page.get_by_text(re.compile(r"^\d+ more$")).count()
        labels.update(menu.get_by_role("link").all_inner_texts())
        for section in menu.get_by_role("button").all():
            section.click()
            labels.update(page.get_by_test_id("stTopNavPopover").get_by_role("menuitem").all_inner_texts())
            page.keyboard.press("Escape")
    else:
        page.get_by_role("button", name="Menu", exact=True).click()
        labels.update(page.get_by_test_id("stSidebarNav").get_by_role("link").all_inner_texts())
        page.get_by_role("button", name="Close the menu").click()
    titles = {declared.title for declared in navigation.declared()}
    titles |= {navigation.title_of(attack) for declared in navigation.declared() for attack in declared.listed}
    assert {name.splitlines()[-1] for name in labels} == titles


def _repeated(names: list[str]) -> list[str]:
    return [name for name, count in Counter(names).items() if count > 1]
