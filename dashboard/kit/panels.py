"""Figures, tables and estimates on a page, with their sentences and downloads."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from core.errors import InvalidSpec, RoomRefused, StoreError, TelltaleError, TooManyRuns
from core.report import answer
from core.result import Estimate, Result
from core.statistics.wording import CONSTANT, decimal, ends, fixed, percent, written, written_area
from core.statistics.wording.naming import capitalised, cases, estimate_name, spoken
from core.statistics.wording.units import AREA, in_percent
from dashboard.kit import glossary, headings
from dashboard.kit.browser import picture, scheme
from dashboard.kit.figures import tables
from dashboard.kit.words import listed, literal, minus, number

Table = pd.DataFrame | Callable[[], pd.DataFrame]
"""A table, or a function that returns it on demand."""

_BUTTONS = ["toImage", "select2d", "lasso2d", "autoScale2d"]
"""Buttons of plotly that no figure has; `picture` saves a figure with its title and source."""
_OUTSIDE = "not around the value: the largest of many differences grows when decisions are resampled"
"""Why a value lies outside its interval; that happens only to a maximum over thresholds, close to chance."""
_DECIMALS: Mapping[str, Callable[[float], str]] = {AREA: decimal, "times chance": "{:.1f}".format}
"""How values and ends of intervals are written, by their unit; `number` and two decimals elsewhere."""


def show_error(error: TelltaleError | str) -> None:
    """Show an error, or its text, as a calm message."""
    st.warning(literal(str(error)), icon=":material/info:")


def act(action: Callable[..., object], *arguments: object, **options: object) -> None:
    """Run the action of a button; show why it was refused."""
    try:
        action(*arguments, **options)
    except (InvalidSpec, RoomRefused, StoreError, TooManyRuns) as error:
        st.toast(literal(str(error)), icon=":material/info:")


def estimates(result: Result, names: Iterable[str] | Mapping[str, str], *, width: int = 230) -> None:
    """Show estimates side by side, each with its interval, chance and counts.

    Args:
        result: Holds the estimates.
        names: Names of estimates, as a mapping with labels; those that the result lacks are left out.
        width: Width of each, in pixels.
    """
    labels = (
        names
        if isinstance(names, Mapping)
        else {name: capitalised(estimate_name(name, result.experiment["game"]["part"])) for name in names}
    )
    present = {
        name: label for name, label in labels.items() if name in result.estimates and not _is_short(name, result)
    }
    with st.container(horizontal=True, key="-".join(["estimates", *list(present)[:1]]), gap="medium"):
        for name, label in present.items():
            estimate = result.estimates[name]
            help_text = " ".join(filter(None, (estimate.help, answer.unvaried(estimate, result.experiment["game"]))))
            metric(label, value(estimate), interval(estimate), width=width, help=literal(help_text) or None)


def _is_short(name: str, result: Result) -> bool:
    """Tell whether an estimate is a utility of one split below chance, which any service has: it names one class."""
    estimate = result.estimates[name]
    return name == "utility" and estimate.chance is not None and estimate.value < estimate.chance


def metric(label: str, value: str, caption: str, *, width: int, **options: Any) -> None:
    """Show a number with its label and a caption; ``width`` is in pixels, ``options`` go to `st.metric`."""
    options["help"] = glossary.explained(f"{label} {caption}", options.get("help"))
    with st.container(width=width, gap=None):
        st.metric(label, value, **options)
        st.caption(literal(caption))


def value(estimate: Estimate) -> str:
    """Return the value of an estimate: a share in percent, anything else as a number.

    >>> value(Estimate(value=0.65, low=0.6, high=0.7, chance=0.5, unit="share of decisions"))
    '65%'
    >>> value(Estimate(value=0.9984, low=0.9, high=1.0, chance=0.5, unit="probability"))
    '0.998'
    >>> value(Estimate(value=1.0, low=0.99, high=1.0, chance=0.1, unit="mean reciprocal rank"))
    '1.00'
    """
    if in_percent(estimate.unit):
        return written(estimate.value, estimate.low, estimate.high)[0]
    if estimate.unit == AREA:
        return written_area(estimate.value, estimate.low, estimate.high)[0]
    text = _DECIMALS.get(estimate.unit, number)(estimate.value)
    is_bare = text.isdigit() and len(text) == 1 and estimate.low < estimate.high
    return f"{text}.00" if is_bare else text


def interval(estimate: Estimate) -> str:
    """Return interval, chance and counts of an estimate as one line.

    >>> interval(Estimate(value=0.93, low=0.9, high=0.96, chance=0.5, unit="share", members=250, nonmembers=250))
    '95% interval 90–96%, chance 50%, 500 decisions'
    >>> interval(Estimate(value=0.5, low=0.49999, high=0.50001, chance=0.5, unit="probability"))
    'the same in 95% of resamples, chance 0.50'
    >>> interval(Estimate(value=0.93, low=0.9, high=0.96, chance=0.5, unit="probability"))
    '95% interval 0.90–0.96, chance 0.50'
    >>> interval(Estimate(value=37.74, low=23.06, high=61.5, chance=6002.0, unit="words"))
    '95% interval 23.1–61.5, chance 6,002'
    """
    parts = []
    formatted = percent if in_percent(estimate.unit) else _DECIMALS.get(estimate.unit, _two)
    if estimate.low < estimate.high:
        _, low, high = written(estimate.value, estimate.low, estimate.high)
        if not in_percent(estimate.unit):
            low, high = (_alike(estimate, end) for end in (estimate.low, estimate.high))
            if estimate.unit == AREA:
                _, low, high = written_area(estimate.value, estimate.low, estimate.high)
            if low == high:
                low, high = fixed(estimate.low, 3), fixed(estimate.high, 3)
        parts.append(CONSTANT if low == high else ends(low, high))
        if not estimate.low <= estimate.value <= estimate.high:
            parts[0] += f" ({_OUTSIDE})"
    if estimate.chance is not None:
        parts.append(f"chance {formatted(estimate.chance)}")
    if estimate.n:
        parts.append(cases(estimate))
    return ", ".join(parts) or estimate.unit


def figure(
    fig: go.Figure, table: Table, name: str, sentence: str, *, title: str = "", called: str = "", **options: Any
) -> Any:
    """Draw a figure with its title, one sentence that reads it, and its downloads; return the selection.

    Args:
        fig: The figure.
        table: The numbers behind it, or a function that returns them on demand.
        name: Name of the downloaded files, and of the widgets; unique on its page.
        sentence: Reads the figure aloud.
        title: Heading above it; none when empty.
        called: What its buttons call it, where the page has drawn its heading before.
        options: Passed on to `st.plotly_chart`, for example ``on_select="rerun"``.
    """
    called = called or _called(title, name)
    with st.container(key=f"figure-{name}", gap="small"):
        _heading(title, sentence)
        config = {"displaylogo": False, "modeBarButtonsToRemove": _BUTTONS}
        options = {"key": f"{name}.figure", "alt": sentence or called, "config": config, **options}
        selected = scheme.draw(fig, **options)
        _behind(table, name, called, sentence, picture.current())
    return selected


@st.fragment
def _behind(numbers: Table, name: str, called: str, sentence: str, caption: picture.Caption) -> None:
    """Offer the numbers behind a figure as a table and as files, and its picture; drawn when opened."""
    label = f"Data and picture: {called}"
    with st.popover(label, icon=":material/table:", type="tertiary", key=f"{name}.data", on_change="rerun") as popover:
        if popover.open:
            frame = numbers() if callable(numbers) else numbers
            with st.container(horizontal=True, vertical_alignment="center"):
                picture.offer(name, called, sentence, caption)
                _tables(frame, name)
            columns, order = headings.configured(frame.columns), headings.order(frame)
            key = f"{name}.numbers"
            st.dataframe(headings.shown(frame), hide_index=True, key=key, column_config=columns, column_order=order)


def side_by_side(*draws: Callable[[], object]) -> None:
    """Draw sections in columns of one row, on small screens below one another."""
    for column, draw in zip(st.columns(len(draws), gap="large"), draws, strict=True):
        with column:
            draw()


def statement(sentence: str, *, title: str = "") -> None:
    """Show a sentence with its terms explained; below its title, where a figure would have a single point."""
    _heading(title, sentence)


def listing(sentences: Iterable[str]) -> None:
    """Show sentences, a line each, with their terms explained."""
    text = listed(sentences)
    st.markdown(text, help=glossary.explained(text))


def note(text: str) -> None:
    """Show a note below a figure, and explain the terms in it."""
    st.caption(literal(text), help=glossary.explained(text))


def table(
    frame: pd.DataFrame, name: str, sentence: str = "", *, title: str = "", called: str = "", **options: Any
) -> Any:
    """Show a table with its downloads; options go to `st.dataframe`, whose selection is returned.

    Args:
        frame: The table.
        name: Name of the downloaded files, and of the widgets; unique on its page.
        sentence: Reads the table aloud.
        title: Heading above it; none when empty.
        called: What its buttons call it, where it has no heading.
        options: Passed on to `st.dataframe`.
    """
    with st.container(key=f"table-{name}", gap="small"):
        _heading(title, sentence)
        custom = options.get("column_config", {})
        options["column_config"] = headings.configured(frame.columns, custom)
        selected = st.dataframe(
            headings.shown(frame, custom), **{"hide_index": True, "key": f"{name}.table", **options}
        )
        with st.container(horizontal=True):
            _tables(frame, name, f": {called or _called(title, name)}")
    return selected


def more_estimates(result: Result, names: Mapping[str, str]) -> None:
    """Offer further estimates, folded away; those that the result lacks are left out."""
    if any(name in result.estimates for name in names):
        folded("Further figures", lambda: estimates(result, names), icon=":material/pin:")


def folded_table(frame: pd.DataFrame, name: str, label: str, columns: Mapping[str, str] | None = None) -> None:
    """Offer a table below a figure, folded away; ``columns`` are those to show, with their headings."""

    def draw() -> None:
        table(frame if columns is None else frame[list(columns)].rename(columns=dict(columns)), name)

    folded(label, draw, icon=":material/table:")


@st.fragment
def folded(label: str, draw: Callable[[], object], *, icon: str | None = None) -> None:
    """Offer a secondary section, folded away and built only once it is unfolded.

    Args:
        label: What is inside; unique on its page.
        draw: Draws it.
        icon: A Material symbol.
    """
    with st.expander(label, icon=icon, key=f"folded/{label}", on_change="rerun") as expander:
        if expander.open:
            draw()


def _heading(title: str, sentence: str) -> None:
    """Show a title and its sentence; the last of the two explains the terms in both."""
    terms = glossary.explained(f"{title} {sentence}")
    if title:
        st.subheader(title, anchor=False, help=None if sentence else terms)
    if sentence:
        st.markdown(literal(sentence), help=terms)


def _called(title: str, name: str) -> str:
    """Return what the buttons of a figure or table call it."""
    return title or spoken(name.replace("-", " "))


def _tables(table: Table, name: str, called: str = "") -> None:
    def frame() -> pd.DataFrame:
        return table() if callable(table) else table

    kinds: dict[str, tuple[str, Callable[[], bytes]]] = {
        "CSV": ("text/csv", lambda: tables.csv(frame())),
        "JSON": ("application/json", lambda: frame().to_json(orient="records", indent=1).encode()),
    }
    for kind, (mime, content) in kinds.items():
        st.download_button(
            f"Table as {kind}{called}",
            content,
            f"{name}.{kind.lower()}",
            mime,
            key=f"{name}.{kind}",
            on_click="ignore",
            type="tertiary",
            icon=":material/download:",
        )


def _alike(estimate: Estimate, end: float) -> str:
    """Return an end of an interval with as many decimals as the value beside it."""
    if estimate.unit in _DECIMALS:
        return _DECIMALS[estimate.unit](end)
    written_value = value(estimate)
    if abs(estimate.value) < 10 or "e" in written_value:
        return _two(end)
    return minus(f"{end:,.{len(written_value.partition('.')[2])}f}")


def _two(value: float) -> str:
    if abs(value) >= 10:
        return f"{value:,.0f}"
    return fixed(value, 2) if abs(value) >= 0.095 or value == 0 else f"{value:.2g}"
