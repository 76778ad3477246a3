"""Every page of stored results: its figures end where they must and name what they draw, its texts read well."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from core import catalog
from core.experiment import Experiment
from core.result import Result
from core.runtime.store import Store
from dashboard import navigation
from dashboard.kit import links, tabs
from dashboard.kit.browser import scheme
from dashboard.kit.drawing import Finished
from dashboard.kit.figures import theme
from dashboard.kit.forms import form
from tests.dashboard import drawn
from tests.dashboard.kept_results import elements, in_tab, words
from tests.dashboard.test_glossary import unexplained

pytestmark = pytest.mark.slow

OTHERS = ("overview", "defenses", "lessons", "runs", "vector_audit")
ATTACKS = sorted({entry.experiment.attack.part_name() for entry in catalog.entries()})
KINDS = (
    "title",
    "header",
    "subheader",
    "markdown",
    "caption",
    "warning",
    "info",
    "error",
    "success",
    "metric",
    "button",
)
CHECKS = (
    drawn.unpainted,
    drawn.beyond_the_whole,
    drawn.ticks_named_twice,
    drawn.curves_of_one_point,
    drawn.unexplained,
    drawn.overlapping,
    drawn.covering,
)
_EVERY = 6
"""Of the results of an attack, a sample takes one of so many."""
_EVERY_CONTRAST = 30
"""Of its results for comparison, which are more alike, a sample takes one of so many."""
BLANK = Finished({"data": [], "layout": {}})
"""Drawn in place of each figure: how Streamlit sends figures to a browser does not depend on what they show."""
FAULTS = {
    "a space before %": r"\d %",
    "another word for chance": r"(?i)\b(guessing|coin|majority class"
    r"|(?:better|worse|more) than (?:a )?(?:random )?guess\w*|guess(?:es|er)? (?:find|give|reach)\w*"
    r"|frequent words (?:give|reach)\w*|frequency baseline)\b",
    "a share that is no percentage": r"(?<!AUC )\b[01]\.\d+ \[|\bF1 (?:of )?0\.\d",
    "a share as cases of a hundred": r"right in [\d.]+ of 100 cases",
    "an interval without a dash": r"(?<![−.\d])\d[\d.]* to \d[\d.]*%\)",
    "a word twice": r"(?i)\b(a|an|and|at|by|in|is|it|of|on|or|that|the|to|was|with) \1\b",
    "no space after a sentence": r"[a-z][.!?][A-Z][a-z]",
    "a short form as a name": r"\b(Mlp|Auc|Tpr|Fpr|Roc|Pca|Umap|Svm)\b",
}


@pytest.mark.sampled
@pytest.mark.parametrize("name", [*ATTACKS, *OTHERS])
def test_figures_and_texts_of_stored_results(
    name: str, app: AppTest, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    """The form, which stands beside all tabs of a result alike, is drawn with the first.

    Each term of the glossary is explained where it stands, and an attack on its own page says how often it is right.
    """
    figures: dict[str, Any] = {}
    draw = st.plotly_chart

    def seen(figure: Any, **options: Any) -> Any:
        figures[options["key"]] = figure.to_dict()
        return draw(BLANK, **options)

    forms: list[Experiment | None] = []
    draw_form = form.experiment_form

    def drawn_once(attack: str) -> Experiment | None:
        if not forms:
            forms.append(draw_form(attack))
        return forms[0]

    monkeypatch.setattr(st, "plotly_chart", seen)
    monkeypatch.setattr(form, "experiment_form", drawn_once)
    faults: list[str] = []
    page = navigation.page_of(name)
    app.switch_page(f"views/{name if page is None else page.name}.py")
    entries = {entry.name: entry for entry in _drawn_apart(name, request.config.getoption("exhaustive"))}
    labels: list[str] = []
    for number, shown in enumerate(entries or [name]):
        entry = entries.get(shown)
        if entry is not None and Result.load(Store(), entry.key) is None:
            pytest.fail(f"{shown} is not stored: python -m core precompute --only {shown}")
        query = {} if entry is None else links.written(entry.experiment, Store())
        forms.clear()
        alike = labels[number % len(labels)] if labels and entry and entry.contrast else ""
        for tab in _tabs(app, query, alike):
            labels += [tab] if tab not in labels else []
            of_figures = [(key, fault) for key, spec in figures.items() for check in CHECKS for fault in check(spec)]
            faults += [f"{shown}, {key}: {fault}" for key, fault in of_figures]
            faults += [f"{shown}: {fault}" for text in _texts(app, figures) for fault in _misread(text)]
            faults += [f"{shown}: {term} is not explained" for term in unexplained(app)]
            if entry is not None and tab == tabs.ANSWER and page is not None and page.name == name:
                faults += [f"{shown}: {fault}" for fault in _unanswered(app, entry.experiment)]
            figures.clear()
    assert not faults, "\n".join(dict.fromkeys(faults))


def test_planted_faults_are_found() -> None:
    blank = theme.blank("x", "y").figure()
    assert theme.INK in drawn.unpainted(blank.to_dict())
    assert not list(drawn.unpainted(blank.painted(scheme.palette("dark")).to_dict()))
    line = {"type": "scatter", "mode": "lines", "x": [1, 2], "line": {"color": "#000001", "width": 2}}
    other = {**line, "x": [1], "name": "other", "line": {"color": "#000002", "width": 2}}
    note = {"showarrow": False, "x": 0.5, "xref": "x domain", "y": 0.5, "yref": "y", "text": "chance"}
    layout = {
        "height": 400,
        "margin": {"t": 26},
        "xaxis": {"ticktext": ["10%", "10%"], "tickvals": [1, 2]},
        "yaxis": {"title": {"text": "Accuracy"}, "range": [0, 1.1], "tickformat": ".0%", "dtick": 0.001},
        "annotations": [note, {**note, "text": "1 doc"}],
    }
    spec = {"data": [line, other], "layout": layout}
    assert [len(list(check(spec))) for check in CHECKS] == [2, 1, 2, 1, 2, 1, 0]
    covered = {**line, "mode": "markers", "x": [0.5], "y": [0.52], "marker": {"color": "#000001", "size": 11}}
    marked = {**layout, "xaxis": {"range": [0, 1]}}
    assert len(list(drawn.covering({"data": [covered], "layout": marked}))) == 2, "both notes lie on the mark"
    assert not list(drawn.covering({"data": [{**covered, "y": [0.8]}], "layout": marked}))
    layout |= {
        "annotations": [note, {**note, "y": 0.9}],
        "showlegend": True,
        "xaxis": {},
        "yaxis": {"range": [0, 1.02]},
    }
    spec["data"] = [{**line, "name": "one"}, {**other, "x": [1, 2]}]
    assert not any(list(check(spec)) for check in CHECKS if check != drawn.unpainted)
    rows = {"ticktext": ["One", "Two"], "tickvals": [0, 1], "range": [1.5, -0.5]}
    first = {**covered, "x": [0.2, 0.4], "y": [0, 1], "name": "first"}
    second = {**first, "x": [0.3], "y": [1], "name": "second", "marker": {"color": "#000002", "size": 11}}
    named = {**layout, "xaxis": {"range": [0, 1]}, "yaxis": rows, "annotations": [], "showlegend": False}
    twice = list(drawn.unexplained({"data": [first, second], "layout": named}))
    assert twice == ["first in #000001", "second in #000002"], "two colours in one named row"
    apart = [{**first, "x": [0.2], "y": [0]}, second]
    assert not list(drawn.unexplained({"data": apart, "layout": named})), "the row names each"
    misread = (
        "right in 67 of 100 cases",
        "83% (80 to 86%)",
        "95 % of the cases",
        "it is is so",
        "It ends.Then it begins",
        "the Mlp",
        "no better than guessing",
    )
    assert all(len(list(_misread(text))) == 1 for text in misread)
    foreign = (
        "guesses find 1%",
        "better than a random guesser",
        "frequent words give 19%",
        "frequency baseline reaches",
    )
    decimals = ("right in 0.57 [0.5, 0.6] of 400", "read with F1 0.60")
    assert all(len(list(_misread(text))) == 1 for text in (*foreign, *decimals))
    assert not list(_misread("AUC 0.57 [0.50, 0.61]; one guesses first; half of the guesses; F1 60% (59–62%)"))
    assert not list(_misread("an advantage of 2% (−3 to 7%), from 5 to 7% of the texts"))
    assert not list(_misread("It ends. Then 95% begin; that that Accuracy is 5.0."[:30]))


def _drawn_apart(attack: str, exhaustive: bool) -> list[catalog.Entry]:
    """Return the stored results of an attack, those for comparison last, and one of those that differ in the seed only.

    What differs between seeds is noise. A sample takes some of the others.
    """
    apart = {entry.unseeded: entry for entry in reversed(catalog.entries_of(attack))}.values()
    first, contrasting = ([entry for entry in apart if entry.contrast == contrast] for contrast in (False, True))
    every, every_contrast = (1, 1) if exhaustive else (_EVERY, _EVERY_CONTRAST)
    return [*first[::-every], *contrasting[::every_contrast]]


def _tabs(app: AppTest, query: dict[str, str], only: str) -> Iterator[str]:
    """Open each tab of the page at an address in turn, with all unfolded that is folded away; yield its name.

    Args:
        app: The dashboard, on the page.
        query: The address.
        only: The one tab to open, of results that serve for comparison: they are many and alike. All when empty.
    """
    waiting = [only or tabs.ANSWER]
    while waiting:
        app.query_params.clear()
        app.query_params.update(query)
        in_tab(app, waiting[0])
        if not only and waiting[0] == tabs.ANSWER:
            waiting += [tab.label for tab in app.tabs if tab.label != tabs.ANSWER]
        yield waiting.pop(0)


def _texts(app: AppTest, figures: dict[str, Any]) -> Iterator[str]:
    """Yield what a page and its figures say; quoted texts of a dataset are not its own."""
    for element in elements(app, KINDS):
        text = str(element.label if element.type in ("metric", "button") else element.value)
        yield re.sub(r"“[^”]*”", "“”", text.replace("\\", ""))
    for spec in figures.values():
        yield from (note["text"] for note in spec["layout"].get("annotations", ()))
        yield from (drawn.title(axis) for _, axis in drawn.axes(spec))
        yield from (str(trace.get("name") or "") for trace in spec["data"])


def _unanswered(app: AppTest, experiment: Experiment) -> Iterator[str]:
    """Yield what the first tab of a result lacks: the claim with how often the attack is right, and a second tab."""
    if (claim := experiment.attack.claimed) and f"{claim}: **" not in words(app):
        yield f"“{claim}” is not said with an answer"
    if [tab.label for tab in app.tabs][:2] != [tabs.ANSWER, tabs.HOW]:
        yield "its tabs begin otherwise"


def _misread(text: str) -> Iterator[str]:
    """Yield the faults of a text."""
    for fault, pattern in FAULTS.items():
        if match := re.search(pattern, text):
            yield f"{fault}: {text[max(match.start() - 40, 0) : match.end() + 40]}"
