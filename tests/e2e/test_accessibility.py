"""Every tab of every page can be read: contrast, headings, names, focus; no label is cut on any common screen."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from dashboard import navigation
from dashboard.kit import tabs
from tests.e2e.readable import (
    CONTRAST,
    SMALL,
    TABLET,
    WIDE,
    Scheme,
    axe,
    beyond_three,
    headings,
    recoloured,
    resized,
    scheme_of,
    uncut,
    unnamed,
    violations,
    without_ring,
)
from tests.e2e.steps import (
    PHONE,
    PROJECTOR,
    Name,
    complete,
    heading,
    main,
    open_form,
    open_tab,
    opened,
    policed,
    tab_of,
    unfold,
    until,
)

pytestmark = [pytest.mark.browser, pytest.mark.slow]

INKS: dict[Scheme, str] = {
    scheme: f"(colour => colour.match(/\\d+/g).slice(0, 3).every(part => part {bound}))"
    for scheme, bound in (("dark", "> 127"), ("light", "< 128"))
}
"""Whether a label of a chart can be read in the dark, and in the light."""
MORE = re.compile(r"^\d+ more$")
"""What stands for entries that a menu has no room for."""
TABS = [
    (page, tab)
    for page in navigation.declared()
    for tab in (tabs.ANSWER, tabs.HOW, tabs.DEFENSES, tabs.PAPER)
    if tab == tabs.ANSWER or page.attacks
]
"""Each tab of each page; what has no tabs counts as an answer."""
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
def turn_to(window: BrowserContext, address: str) -> Iterator[Callable[[str], Page]]:
    """Opens a page on the result that it opens on; the latest stays open for its other tabs."""
    with policed(window), window.new_page() as page:
        shown = ""

        def turned(name: str) -> Page:
            nonlocal shown
            if not shown:
                opened(page, f"{address}/{'' if name == navigation.declared()[0].name else name}")
            elif name != shown:
                choose(page, name)
            shown = name
            resized(page, PROJECTOR)  # what has just been chosen is not drawn yet, and so not drawn twice
            return page

        yield turned


def choose(page: Page, name: str) -> None:
    """Open a page by the menu, which costs half of what its address costs: no script is loaded anew."""
    complete(page)
    menu = page.get_by_test_id("stTopNav")
    question, title = next(
        (question, each.title)
        for question, entries in navigation.menus().items()
        for each in entries
        if each.name == name
    )
    if question:
        menu.get_by_role("button", name=question).click()
        page.get_by_role("menuitem").filter(has=page.get_by_text(title, exact=True)).click()
    else:
        menu.get_by_role("link", name=title).click()
    expect(page).to_have_url(re.compile(rf"/{name}(\?|$)"))
    expect(main(page).locator("h1").first).to_be_visible()


@pytest.mark.parametrize(("declared", "tab"), TABS, ids=lambda part: getattr(part, "name", part))
def test_a_tab_can_be_read(turn_to: Callable[[str], Page], declared: navigation.PageEntry, tab: str) -> None:
    """Each tab of each page, with all unfolded that is folded away, on every screen; all that is found is listed.

    Every page is seen in both colours, its tabs after the answer in those that the answer was left in. The colours
    change once a page, together with the screen, for each draws every chart anew. The next page is then met in these,
    so that each kind of tab is seen in both.
    """
    visited = turn_to(declared.name)
    if tab_of(visited, tab).count():
        open_tab(visited, tab)
        complete(visited)
    elif tab != tabs.ANSWER:
        pytest.skip("This result has no such tab.")
    found = {"height of the tab": too_high(visited, declared)}
    for label in main(visited).locator("[class*=st-key-folded] summary").filter(visible=True).all_inner_texts():
        unfold(visited, label.splitlines()[-1])
    complete(visited)
    for name, place, sight in SIGHTS:
        if (name, place) == (declared.name, tab):
            expect(heading(visited, sight)).to_be_visible()
    found |= {"axe": violations(visited), "headings": headings(visited), "names": unnamed(visited)}
    found |= {"focus": without_ring(visited), "figures in a row": beyond_three(visited)}
    found |= uncut(visited, PROJECTOR)
    if tab == tabs.ANSWER:
        other: Scheme = "light" if scheme_of(visited) == "dark" else "dark"
        visited.set_viewport_size(WIDE)
        recoloured(visited, other)
        until(visited, f"[...document.querySelectorAll('.xtick text')].every(tick => {INKS[other]}(tick.style.fill))")
        found[f"contrast in the {other}"] = violations(visited, CONTRAST)
    for screen in (WIDE, PHONE, SMALL):  # on the last, the menu to the next page stands at the top
        found |= uncut(visited, screen)
    if wrong := [f"{check}: {each}" for check, each in found.items() if each]:
        pytest.fail("\n".join(wrong))


def too_high(visited: Page, declared: navigation.PageEntry) -> list[str]:
    """Return the height of a tab that is beyond what its story may take; the overview lists everything."""
    height, highest = visited.evaluate(HEIGHT), HIGHEST if declared.name in STORIES else HIGHEST_OF_OTHERS
    return [f"{height} px"] if declared != navigation.declared()[0] and height >= highest else []


@pytest.mark.parametrize("place", APART)
def test_axe_finds_nothing_serious_apart_from_the_menu(page: Page, address: str, place: str) -> None:
    opened(page, f"{address}/lessons?{place}")
    axe(page)
    axe(page, CONTRAST, "dark")


def test_a_button_below_the_pointer_keeps_its_contrast(page: Page, address: str) -> None:
    opened(page, f"{address}/word_pairs?preset=demo")
    complete(page)
    recoloured(page, "dark")
    for button in ("Result as JSON", "About this result"):
        main(page).get_by_role("button", name=button).first.hover()
        page.evaluate("Promise.all(document.getAnimations().map(each => each.finished))")  # colours change gradually
        assert not violations(page, CONTRAST)


def test_the_menu_leads_to_every_page(page: Page, address: str) -> None:
    opened(page, f"{address}/word_pairs")
    titles = {declared.title for declared in navigation.declared()}
    titles |= {navigation.title_of(attack) for declared in navigation.declared() for attack in declared.listed}
    menu = page.get_by_test_id("stTopNav")
    for screen in (PROJECTOR, TABLET, PHONE, SMALL):
        resized(page, screen)
        is_small = screen["width"] < 768
        expect(menu).to_have_count(0 if is_small else 1)
        name = "Menu" if is_small else "Settings"
        expect(page.get_by_test_id("stExpandSidebarButton")).to_have_accessible_name(name)
        found = {each.splitlines()[-1] for each in (beside if is_small else above)(page)}
        assert found == titles, screen
    open_form(page)
    complete(page)
    assert not page.get_by_text(MORE).count(), "beside the open form"


def above(page: Page) -> list[str]:
    """Return the names in the menu at the top of a page."""
    menu = page.get_by_test_id("stTopNav")
    assert not page.get_by_text(MORE).count()
    found = menu.get_by_role("link").all_inner_texts()
    for section in menu.get_by_role("button").all():
        section.click()
        found += page.get_by_test_id("stTopNavPopover").get_by_role("menuitem").all_inner_texts()
        page.keyboard.press("Escape")
    return found


def beside(page: Page) -> list[str]:
    """Return the names in the menu at the side of a page, which opens and closes."""
    page.get_by_role("button", name="Menu", exact=True).click()
    sidebar = page.get_by_test_id("stSidebar")
    expect(sidebar).to_have_attribute("data-collapsed", "false")
    found = page.get_by_test_id("stSidebarNav").get_by_role("link").all_inner_texts()
    page.get_by_role("button", name="Close the menu").click()
    expect(sidebar).to_have_attribute("data-collapsed", "true")
    return found
