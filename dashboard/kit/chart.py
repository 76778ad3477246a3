"""A figure module on a page: its figure, its sentence and its title belong together."""

from typing import Any, Protocol

import plotly.graph_objects as go

from dashboard.kit import panels


class Chart(Protocol):
    """A module that draws a table and reads the figure aloud; both functions take the same arguments.

    Its ``TITLE`` is the heading of the figure, where the page names no other.
    """

    def figure(self, *data: Any) -> go.Figure:
        """Draw the table."""

    def sentence(self, *data: Any) -> str:
        """Read the figure aloud."""


def show(
    chart: Chart,
    table: panels.Table,
    name: str,
    *more: Any,
    drawn: Any = None,
    title: str | None = None,
    is_curve: bool = True,
    **options: Any,
) -> Any:
    """Show the figure of a module with its title, sentence and downloads; return the selection.

    Args:
        chart: The module.
        table: What it draws, or a function that returns it; offered as a download.
        name: Name of the downloaded files and of the widgets; unique on its page.
        more: Further arguments of the module's functions, after the table.
        drawn: What the module draws, where that is not the table.
        title: Title in place of the module's `TITLE`; empty where the page has drawn that before.
        is_curve: Whether there is more than one point to draw; for a single value, the sentence is enough.
        options: Passed on to `st.plotly_chart`.
    """
    data = (table if drawn is None else drawn, *more)
    called = getattr(chart, "TITLE", "")
    heading = called if title is None else title
    if not is_curve:
        return panels.statement(chart.sentence(*data), title=heading)
    text = chart.sentence(*data)
    return panels.figure(chart.figure(*data), table, name, text, title=heading, called=heading or called, **options)
