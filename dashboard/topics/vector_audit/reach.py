"""What decides how much is read from vectors, by shipped results: the length of the texts, and leaked pairs."""

from collections.abc import Mapping

import streamlit as st

from core.catalog import vector_reading
from core.catalog.entry import Entry
from core.encoders.records import RECORDS
from core.result import Estimate
from dashboard.kit import choices, panels, stored_results
from dashboard.topics.vector_audit.figures import reach

_TARGET = "view.leaked"


def lengths() -> None:
    """Draw what is read from texts of several lengths."""
    st.header(reach.LENGTHS, anchor=False)
    points = reach.table({"the encoder is known": _f1_by_number(vector_reading.lengths())})
    drawn = reach.figure(points, reach.LENGTHS)
    panels.figure(drawn, points, "lengths", reach.of_lengths(points), called=reach.LENGTHS)


def pairs() -> None:
    """Draw what is read by an adversary that has a few pairs, for the vectors of a chosen encoder."""
    st.header(reach.PAIRS, anchor=False)
    titles = {name: RECORDS[name].title for name in vector_reading.ENCODERS}
    target = choices.few("Vectors of", titles, _TARGET)
    f1_by_series = {
        f"through {RECORDS[curve.local].title}" if curve.local else "without an encoder": _f1_by_number(curve.entries)
        for curve in vector_reading.curves()
        if curve.target == target
    }
    points = reach.table(f1_by_series)
    drawn = reach.figure(points, reach.PAIRS)
    panels.figure(drawn, points, "pairs", reach.of_pairs(points, titles[target]), called=reach.PAIRS)


def _f1_by_number(entries: Mapping[int, Entry]) -> dict[int, Estimate]:
    """Return the stored F1 by number of words or pairs."""
    stored = {number: stored_results.readable_estimates(entry.key) for number, entry in entries.items()}
    return {number: estimates["f1"] for number, estimates in stored.items() if "f1" in estimates}
