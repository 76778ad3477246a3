"""The overview: the precomputed experiments as one figure and one list, each opening its page."""

import streamlit as st

from core.catalog import Entry, entries
from core.errors import TelltaleError
from core.store import Store
from dashboard import links, navigation, panels, running
from dashboard.charts import leakage
from dashboard.words import literal


def shown() -> list[tuple[Entry, leakage.Row]]:
    """Return the promised experiments with what is known about each."""
    return [(entry, _row(entry)) for entry in entries()]


def figure(rows: list[tuple[Entry, leakage.Row]]) -> None:
    """Draw all rows that have a result; clicking one opens it."""
    known = [(entry, row) for entry, row in rows if row.figures]
    drawn = [row for _, row in known]
    picked = panels.figure(
        leakage.figure(drawn), lambda: leakage.table(drawn), "overview", leakage.sentence(drawn), title=leakage.TITLE,
        on_select="rerun", selection_mode="points",
    )  # fmt: skip
    points = picked["selection"]["points"]
    if points:
        _open(known[int(points[0]["customdata"][0])][0])


def listing(rows: list[tuple[Entry, leakage.Row]]) -> None:
    """List all rows with what was asked, of which model, with what access."""
    with st.container(key="entries"):
        for number, (entry, row) in enumerate(rows):
            with st.container(key=f"entry-{number}", gap=None):
                _entry(entry, row)


def _entry(entry: Entry, row: leakage.Row) -> None:
    experiment = entry.experiment
    page = navigation.file_of(experiment.attack.part_name())
    if page is None:
        st.markdown(f"**{literal(entry.title)}**")
    else:
        st.page_link(page, label=f"**{literal(entry.title)}**", query_params=links.written(experiment, Store()))
    st.markdown(literal(entry.says))
    st.markdown(f"Right guesses: **{literal(leakage.summary(row))}**" if row.figures else "**Not computed here yet**")
    st.caption(
        literal(
            f"{experiment.attack.title} against {experiment.model.title} on {experiment.dataset.title}. "
            f"The adversary may ask for {experiment.attack.needs.title}."
        )
    )


def _open(entry: Entry) -> None:
    page = navigation.file_of(entry.experiment.attack.part_name())
    if page is not None:
        st.switch_page(page, query_params=links.written(entry.experiment, Store()))


def _row(entry: Entry) -> leakage.Row:
    try:
        return leakage.row(entry.title, running.figures(entry.experiment.key))
    except TelltaleError as error:
        panels.told(error)
        return leakage.Row(entry.title, {})
